"""Which tokens count, at an endpoint that needs one. Whatever is wrong with a token, its bearer hears one word."""

from __future__ import annotations

import base64
import hmac
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import jwt
import pytest
from conftest import Make
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from harness import configuration
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.trustd import OPERATOR, Trustd

ALARMS = "/api/v1/dsa/alarms"
LEEWAY = 5
MEMBERS = {"iss", "aud", "sub", "client_id", "tier", "scope", "jti", "iat", "nbf", "exp"}


def refused(client: Client, token: str) -> None:
    """It is a problem of the token, and of nothing that is said about it."""
    found = problem(client.get(ALARMS, headers={"Authorization": f"Bearer {token}"}), 401, "bad-token")
    assert "errors" not in found


def the_key(service: Trustd, kid: str) -> jwt.PyJWK:
    """The published key that a token names."""
    keys = answer(service.client().get("/.well-known/jwks.json"))["keys"]
    [key] = [key for key in keys if key["kid"] == kid]
    assert "d" not in key, "the private half is published"
    return jwt.PyJWK(key)


def test_a_token_is_what_the_standard_says(service: Trustd) -> None:
    token = service.token(OPERATOR, "noble", "trust messaging")
    header = jwt.get_unverified_header(token)
    assert (header["typ"], header["alg"]) == ("at+jwt", "EdDSA")
    issuer = "https://trust.example"
    unchecked = jwt.decode(token, options={"verify_signature": False})
    assert unchecked["iss"].rstrip("/") == issuer
    claims = jwt.decode(token, the_key(service, header["kid"]), ["EdDSA"], audience=unchecked["aud"])
    assert claims.keys() == MEMBERS
    assert (claims["sub"], claims["tier"], set(claims["scope"].split())) == (OPERATOR, "noble", {"trust", "messaging"})
    assert 0 < claims["exp"] - claims["iat"] <= 24 * 3600
    native = jwt.decode(service.token(OPERATOR, "native", "trust"), options={"verify_signature": False})
    assert 0 < native["exp"] - native["iat"] <= 3600


def test_forgeries_do_not_count(service: Trustd) -> None:
    token = service.token(OPERATOR, "native", "trust")
    answer(service.client(token).get(ALARMS))
    header, claims = jwt.get_unverified_header(token), jwt.decode(token, options={"verify_signature": False})
    public = the_key(service, header["kid"]).key
    raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    mine = Ed25519PrivateKey.generate()
    stranger = service.client()
    # No algorithm at all, in every way to write that; the public key as the secret of a MAC.
    for name in ("none", "None", "NONE", ""):
        refused(stranger, joined(header | {"alg": name}, claims, b""))
    for secret in (raw, pem, base64.urlsafe_b64encode(raw).rstrip(b"=")):
        refused(stranger, mac(header, claims, secret))
    # A key of one's own: under the name of the service's, brought along, under no name.
    own = {"kty": "OKP", "crv": "Ed25519", "x": part(mine.public_key().public_bytes_raw())}
    nameless = {name: value for name, value in header.items() if name != "kid"}
    for head in (
        header,
        header | {"jwk": own},
        header | {"kid": "another"},
        nameless,
        header | {"jku": "https://x.example"},
    ):
        refused(stranger, signed(head, claims, mine))
    # Claims changed under the signature that was.
    kept = token.rpartition(".")[2]
    for change in ({"exp": claims["exp"] + 1}, {"sub": "1" * 64}, {"scope": "trust ops"}, {"tier": "root"}):
        refused(stranger, f"{part(json.dumps(header).encode())}.{part(json.dumps(claims | change).encode())}.{kept}")


def test_a_token_ends(service: Trustd) -> None:
    token = service.token(OPERATOR, "native", "trust", "--for", "1s")
    bearer = service.client(token)
    answer(bearer.get(ALARMS))
    claims = jwt.decode(token, options={"verify_signature": False})
    time.sleep(max(0.0, claims["exp"] + LEEWAY + 1 - time.time()))
    refused(service.client(), token)


def test_another_services_token_does_not_count(service: Trustd, tmp_path: Path) -> None:
    other = Trustd(tmp_path / "other", configuration.local()).start()
    try:
        token = other.token(OPERATOR, "native", "trust")
        answer(other.client(token).get(ALARMS))
    finally:
        other.stop()
    refused(service.client(), token)


def test_another_audience_does_not_count(service: Trustd, make: Make, own_backend: Backend) -> None:
    # The same keys, another address: what was issued for one is not taken by the other.
    first = make(own_backend, name="first").start()
    token = first.token(OPERATOR, "native", "trust")
    answer(first.client(token).get(ALARMS))
    first.stop()
    second = make(own_backend, {"base_url": "https://other.example"}, name="second").start()
    refused(second.client(), token)
    second.stop()


def test_revoking_reaches_every_process_at_once(shared_backend: Backend, make: Make) -> None:
    one = make(shared_backend, name="one").start()
    other = make(shared_backend, name="other").start()
    native = one.client(one.first_token())
    for number, subject in enumerate(("1" * 64, "2" * 64)):
        tokens = [one.token(subject, "native", "trust") for _ in range(2)]
        for token in tokens:
            answer(other.client(token).get(ALARMS))
        named = jwt.decode(tokens[0], options={"verify_signature": False})["jti"]
        which: dict[str, Any] = {"jti": named} if number == 0 else {"subject": subject}
        answer(native.post("/api/v1/auth/revoke", which))
        for process in (one, other):
            refused(process.client(), tokens[0])
            if number == 0:
                answer(process.client(tokens[1]).get(ALARMS))
            else:
                refused(process.client(), tokens[1])


@pytest.mark.parametrize("scope", ["everything", "", "trust,ops"])
def test_a_scope_that_is_none_is_not_issued(service: Trustd, scope: str) -> None:
    done = service.command(
        *("token", "issue", "--config", str(service.config)),
        *("--subject", OPERATOR, "--tier", "noble", "--scope", scope),
    )
    assert done.returncode != 0 and done.stdout == "", done.stdout
    assert done.stderr.strip() and "panicked" not in done.stderr


def part(value: bytes) -> str:
    """As a part of a token."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def joined(header: dict[str, Any], claims: dict[str, Any], signature: bytes) -> str:
    """A token of these parts, whatever they are."""
    return f"{part(json.dumps(header).encode())}.{part(json.dumps(claims).encode())}.{part(signature)}"


def signed(header: dict[str, Any], claims: dict[str, Any], key: Ed25519PrivateKey) -> str:
    """A token signed by a key of one's own."""
    text = joined(header, claims, b"").rpartition(".")[0]
    return joined(header, claims, key.sign(text.encode()))


def mac(header: dict[str, Any], claims: dict[str, Any], secret: bytes) -> str:
    """A token under HS256, whose secret is what everybody knows."""
    head = header | {"alg": "HS256"}
    text = joined(head, claims, b"").rpartition(".")[0]
    return joined(head, claims, hmac.digest(secret, text.encode(), "sha256"))


def test_the_audit_log_has_who_got_in_and_what_the_host_did(make: Make) -> None:
    service = make(configuration.local()).start()
    code = service.run("invite", "--subject", OPERATOR, "--tier", "noble", "--scope", "trust").strip()
    service.run("token revoke", "--subject", "00" * 32, code=2)
    key = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    enrol = {"invitation": code, "public_key": key}
    answer(service.client().post("/api/v1/auth/enrol", enrol), 201)
    problem(service.client().post("/api/v1/auth/enrol", enrol | {"public_key": "5e" * 32}), 403, "bad-invitation")
    service.stop()
    with closing(sqlite3.connect(service.data / "trustd.sqlite")) as db:
        asked = "SELECT tier, subject, path, status, code, address FROM audit WHERE tier IN ('host', 'public')"
        rows = set(db.execute(asked))
    path = "/api/v1/auth/enrol"
    assert {
        ("host", OPERATOR, "invite", 0, None, None),
        ("host", "00" * 32, "token revoke", 2, None, None),
        ("public", OPERATOR, path, 201, None, "127.0.0.1"),
        ("public", "-", path, 403, "bad-invitation", "127.0.0.1"),
    } <= rows, rows
