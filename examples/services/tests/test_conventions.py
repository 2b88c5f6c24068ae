"""What every endpoint has in common, tried at one of each kind: what is refused, with which words, and by whom."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness.http import Client, answer, problem
from harness.load import encoded, identity
from harness.trustd import Trustd

KEYPAIR = "/api/v1/dsa/keypair"
SIGN = "/api/v1/dsa/potpisi"
SOMEBODY = {"content_b64": encoded(b"somebody"), "creator": "tests", "context": "conventions"}
JSON = {"Content-Type": "application/json"}
MIB = 1 << 20


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"{}}", b"\xff", b'{"creator":"\x00"}', b"NaN"],
    ids=lambda body: repr(body[:8]),
)
def test_what_is_no_json_is_told(native: Client, body: bytes) -> None:
    problem(native.post(KEYPAIR, data=body, headers=JSON), 400, "not-json")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"more": 1}, "/more"),
        ({"content_b64": 7}, "/content_b64"),
        ({"content_b64": "not base64!"}, "/content_b64"),
        ({"content_b64": "YQ"}, "/content_b64"),
        ({"creator": "a::b"}, "/creator"),
        ({"identity_id": "0" * 63}, "/identity_id"),
        ({"identity_id": "A" * 64}, "/identity_id"),
    ],
)
def test_a_field_that_breaks_a_rule_is_named(native: Client, change: dict[str, Any], pointer: str) -> None:
    alone = "identity_id" in change
    problem(native.post(KEYPAIR, change if alone else SOMEBODY | change), 422, "invalid-field", pointer)


def test_a_member_twice_is_refused(native: Client) -> None:
    text = json.dumps(SOMEBODY)[:-1] + ', "creator": "another"}'
    problem(native.post(KEYPAIR, data=text, headers=JSON), 422, "invalid-field")


def test_a_body_of_another_type_is_refused(native: Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx"):
        refused = native.post(KEYPAIR, data=json.dumps(SOMEBODY), headers={"Content-Type": kind})
        problem(refused, 415, "media-type")
    answered = native.post(
        KEYPAIR, data=json.dumps(SOMEBODY), headers={"Content-Type": "Application/JSON; charset=utf-8"}
    )
    assert answered.status_code in (200, 201)


def test_a_body_over_the_limit_is_refused_however_it_comes(native: Client) -> None:
    large = json.dumps(SOMEBODY | {"context": "x" * MIB}).encode()
    problem(native.another().post(KEYPAIR, data=large, headers=JSON), 413, "too-large")
    # In pieces, without a word of how many.
    pieces = (large[at : at + 65536] for at in range(0, len(large), 65536))
    problem(native.another().post(KEYPAIR, data=pieces, headers=JSON), 413, "too-large")


def test_addresses_and_methods_that_are_not_there(native: Client) -> None:
    problem(native.get("/api/v1/nothing"), 404, "unknown-path")
    problem(native.get("/api/v1/dsa/../../etc/passwd"), 404, "unknown-path")
    refused = native.request("DELETE", KEYPAIR)
    problem(refused, 405, "method-not-allowed")
    assert "POST" in refused.headers["Allow"]


@pytest.mark.parametrize("name", ["0" * 64, "0" * 63, "A" * 64, "..%2F..", "%00", "x" * 5000])
def test_an_id_that_nobody_has_is_not_found(native: Client, name: str) -> None:
    problem(native.get(f"/api/v1/dsa/status/{name}"), 404, "unknown-id")


def test_a_token_is_asked_for_and_read_strictly(service: Trustd, native: Client) -> None:
    body = {"identity_id": identity(native, "somebody"), "content_b64": encoded(b"x")}
    stranger = service.client()
    problem(stranger.post(SIGN, body), 401, "no-token")
    token = native.token or ""
    head, claims, signature = token.split(".")
    changed = signature[:-4] + ("AAAA" if signature[-4:] != "AAAA" else "BBBB")
    for value in (
        "Bearer",
        "Bearer x",
        f"Bearer {head}.{claims}.{changed}",
        f"Bearer {head}.{claims}.",
        f"Bearer {token}.{token}",
        f"Bearer {token}=",
    ):
        refused = problem(stranger.post(SIGN, body, headers={"Authorization": value}), 401, "bad-token")
        assert refused.get("errors", []) == [], "it says what is wrong with the token"
    for value in (f"Basic {token}", token):
        assert stranger.post(SIGN, body, headers={"Authorization": value}).status_code == 401


def test_tiers_and_scopes_are_held(service: Trustd, native: Client) -> None:
    own, others = identity(native, "own"), identity(native, "others")
    noble = service.client(service.token(own, "noble", "trust"))
    content = {"content_b64": encoded(b"x")}
    answer(noble.post(SIGN, {"identity_id": own, **content}), 201)
    # What is not one's own does not exist.
    problem(noble.post(SIGN, {"identity_id": others, **content}), 404, "unknown-id")
    problem(noble.get(f"/api/v1/dsa/status/{others}"), 404, "unknown-id")
    problem(noble.post("/api/v1/dsa/bela", {"identity_id": own, "stanje": "istina"}), 403, "tier-too-low")
    elsewhere = service.client(service.token(own, "noble", "messaging"))
    problem(elsewhere.post(SIGN, {"identity_id": own, **content}), 403, "scope-missing")


def test_nothing_is_kept_by_caches_but_what_never_changes(service: Trustd, native: Client) -> None:
    made = native.post(KEYPAIR, SOMEBODY)
    for response in (made, service.client().get("/api/v1/dsa/health"), service.client().get("/api/v1/nothing")):
        assert response.headers["Cache-Control"] == "no-store", response.request.url
    assert "ETag" in service.client().get("/api/v1/log/checkpoint").headers


def test_a_key_of_idempotency_repeats_an_answer_once_made(native: Client) -> None:
    signer = identity(native, "repeats")
    body = {"identity_id": signer, "content_b64": encoded(b"once")}
    headers = {"Idempotency-Key": "one"}
    first = answer(native.post(SIGN, body, headers=headers), 201)
    assert answer(native.post(SIGN, body, headers=headers), 201) == first
    other = body | {"content_b64": encoded(b"twice")}
    problem(native.post(SIGN, other, headers=headers), 422, "idempotency-other-body")
    assert answer(native.post(SIGN, body), 201)["krunica_hash"] != first["krunica_hash"]
    verify = {"record": first, "identity_id": signer, "content_b64": body["content_b64"]}
    problem(native.post("/api/v1/dsa/provjeri", verify, headers=headers), 422, "idempotency-refused")


def test_a_small_document_comes_as_a_form_too(native: Client) -> None:
    signer = identity(native, "forms")
    parts = {"identity_id": (None, signer), "type": (None, "document"), "payload": ("x.txt", b"a few bytes")}
    sealed = answer(native.post("/api/v1/vault/seal", files=parts), 201)
    assert answer(native.anonymous().post("/api/v1/vault/verify", {"vault_id": sealed["vault_id"]}))["validan"] is True
    form = {"identity_id": (None, signer), "document": ("x", b"a few bytes")}
    signed = native.post("/api/v1/dsa/potpisi", files=form)
    assert answer(signed, 201)["identity_id"] == signer


def test_an_answer_before_the_body_ends_the_connection(service: Trustd) -> None:
    refused = service.client().post("/api/v1/dsa/potpisi", {"identity_id": "00" * 32, "content_b64": "eA=="})
    problem(refused, 401, "no-token")
    # Whoever sent another request on it would get no answer, and could not tell whether it was served.
    assert refused.headers["Connection"] == "close"
