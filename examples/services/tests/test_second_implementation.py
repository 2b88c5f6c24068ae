"""A client in Python, which shares no code with the service: it signs through it, and verifies without it, by the
second implementation and pyca/cryptography."""

from __future__ import annotations

import time
from typing import Any

from dualseal_second import ids, krunica, place, primitives, signature
from dualseal_second.domain import Domain
from harness.http import Client, answer, problem
from harness.load import encoded, identity
from harness.trustd import Trustd

DOMAIN = Domain.named("TRUST")
CONTENT = "račun 1/1/1, 100,00 €".encode()


def test_a_record_verifies_without_the_service(service: Trustd, native: Client) -> None:
    content = {"content_b64": encoded(b"ana"), "creator": "registry", "context": "9f0c2d"}
    made = native.post("/api/v1/dsa/keypair", content)
    assert made.status_code == 201
    pair = made.json()
    assert pair["identity_id"] == ids.identity_id(DOMAIN, b"ana", "registry", "9f0c2d")
    assert answer(native.post("/api/v1/dsa/keypair", content)) == pair

    signed = native.post("/api/v1/dsa/potpisi", {"identity_id": pair["identity_id"], "content_b64": encoded(CONTENT)})
    record = signature.parse_record(answer(signed, 201))
    public_key = bytes.fromhex(pair["javni_kljuc"])
    assert record["javni_kljuc"] == pair["javni_kljuc"]
    assert record["sadrzaj_hash"] == ids.content_hash(DOMAIN, pair["identity_id"], CONTENT)
    assert signature.signature_verifies(DOMAIN, record, public_key)
    assert not signature.signature_verifies(DOMAIN, record | {"timestamp": "2020-01-01T00:00:00.000Z"}, public_key)

    proof = placed(service.client(), signed.headers["Link"])
    checkpoint = krunica.parse_checkpoint(proof["checkpoint"])
    assert krunica.is_signed(DOMAIN, checkpoint)
    located = place.verify(checkpoint, proof)
    message = signature.chain_message(DOMAIN, record["sadrzaj_hash"], public_key)
    assert (located.entry["w3"], located.entry["poruka"]) == (pair["identity_id"], message)
    assert krunica.krunica_hash(located.entry["h"]) == record["krunica_hash"]


def test_the_service_verifies_as_the_second_implementation_does(service: Trustd, native: Client) -> None:
    signer, other = identity(native, "signer"), identity(native, "other")
    signed = native.post("/api/v1/dsa/potpisi", {"identity_id": signer, "content_b64": encoded(CONTENT)})
    record = answer(signed, 201)
    stranger = service.client()

    def verdict(record: dict[str, Any], identity_id: str, content: bytes) -> dict[str, Any]:
        body = {"record": record, "identity_id": identity_id, "content_b64": encoded(content)}
        found: dict[str, Any] = answer(stranger.post("/api/v1/dsa/provjeri", body))
        assert found.keys() == signature.RESULT
        return found

    assert verdict(record, signer, CONTENT)["validan"] is True
    # A key that the record brings itself, and that made its signature, is nobody's.
    seed = bytes([7]) * 32
    own_key = record | {"javni_kljuc": primitives.public_key_of_seed(seed).hex()}
    own_key["potpis"] = primitives.sign(seed, signature.statement(DOMAIN, own_key)).hex()
    flipped = f"{int(record['potpis'][0], 16) ^ 1:x}{record['potpis'][1:]}"
    lies = [
        (record, signer, CONTENT + b"0"),
        (record, other, CONTENT),
        (record | {"potpis": flipped}, signer, CONTENT),
        (record | {"timestamp": "2020-01-01T00:00:00.000Z"}, signer, CONTENT),
        (record | {"krunica_hash": "0" * 64}, signer, CONTENT),
        (record | {"identity_id": other}, other, CONTENT),
        (own_key, signer, CONTENT),
    ]
    answers = [verdict(*lie) for lie in lies]
    assert [found["validan"] for found in answers] == [False] * len(lies)
    # To the public all of them are the same word: what exactly is wrong would teach a forger.
    assert len({found["razlog"] for found in answers}) == 1
    malformed: list[dict[str, Any]] = [record | {"potpis": "00"}, record | {"more": 1}, {}]
    for broken in malformed:
        body = {"record": broken, "identity_id": signer, "content_b64": encoded(CONTENT)}
        problem(stranger.post("/api/v1/dsa/provjeri", body), 422, "invalid-field")


def placed(client: Client, link: str) -> dict[str, Any]:
    """The place that a record's link names, once a checkpoint covers it; until then it says when to come back."""
    target, relation = link.split(">")[0].lstrip("<"), link.split(">")[1]
    assert 'rel="place"' in relation
    path = "/" + target.split("/", 3)[3] if "://" in target else target
    end = time.monotonic() + 30
    while (response := client.get(path)).status_code == 409:
        problem(response, 409, "not-covered-yet")
        assert int(response.headers["Retry-After"]) >= 1
        assert time.monotonic() < end, "no checkpoint came"
        time.sleep(0.2)
    found: dict[str, Any] = answer(response)
    return found
