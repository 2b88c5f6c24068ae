"""Signature records: every field is bound, and the verdict table in both projections."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from conftest import CONTENT, DECOY_SEED, FIRST_SEED, LOG_SEED, SECOND_SEED, Deployment, at, key_entry
from dualseal_second import krunica, primitives, signature
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError

SECOND_KEY = primitives.public_key_of_seed(SECOND_SEED).hex()


def test_statement_by_hand(deployment: Deployment) -> None:
    record = deployment.record
    expected = "::".join(
        ("DUALSEAL-SIGN", "STATEMENT", "ML-DSA-65", "1", record["identity_id"], record["sadrzaj_hash"])
        + (krunica.krunica_hash(deployment.chain[1]["h"]), at(1), "DUALSEAL")
    )
    assert signature.statement(DEFAULT, record) == expected.encode()
    assert deployment.verdict() == ("valid", "istina", None)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("potpis", "00" * 3309, "signature"), ("krunica_hash", "0" * 64, "signature"),
        ("timestamp", at(2), "signature"), ("sadrzaj_hash", "0" * 64, "content"),
        ("identity_id", "0" * 64, "unknown identity"), ("javni_kljuc", SECOND_KEY, "foreign key"),
    ],
)  # fmt: skip
def test_each_changed_field_is_refused(deployment: Deployment, field: str, value: str, reason: str) -> None:
    verdict = deployment.verdict(None, **{field: value})
    assert verdict == ("invalid", None if "key" in reason or "identity" in reason else "istina", reason)


def test_single_bits_of_the_signature_matter(deployment: Deployment) -> None:
    good = bytes.fromhex(deployment.record["potpis"])
    for index in range(0, len(good), 167):
        bad = bytearray(good)
        bad[index] ^= 1
        assert deployment.verdict(potpis=bad.hex())[2] == "signature"


@pytest.mark.parametrize(
    "changes",
    [
        {"algoritam": "ML-DSA-44"}, {"verzija": 1}, {"quantum_ready": 1}, {"quantum_ready": False}, {"extra": None},
        {"potpis": "0" * 6616}, {"potpis": "A" * 6618}, {"timestamp": "2026-11-21T10:01:00Z"}, {"krunica_hash": None},
    ],
)  # fmt: skip
def test_malformed_records_get_no_verdict(deployment: Deployment, changes: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        deployment.verdict(**changes)
    for name in deployment.record:
        with pytest.raises(FormatError):
            signature.parse_record({n: v for n, v in deployment.record.items() if n != name})


def test_domains_and_contents_do_not_mix(deployment: Deployment) -> None:
    for domain, content in ((DEFAULT, CONTENT + b"\n"), (DEFAULT, b""), (Domain.named("ACME"), CONTENT)):
        verdict = signature.verify(domain, deployment.identity, content, deployment.record, deployment.ring)
        assert verdict[2] == "content"


def test_state_decides_first(deployment: Deployment) -> None:
    expected = {"istina": "valid", "laz": "revoked", "oboje": "decoy", "nijedno": "suspended"}
    for state, kind in expected.items():
        deployment.set_state(state)
        assert deployment.verdict()[0] == kind
        bad = deployment.verdict(potpis="00" * 3309)[0]
        assert bad == (kind if state in ("laz", "nijedno") else "invalid")


def test_decoy_keys_are_found_by_hash(deployment: Deployment) -> None:
    decoy = key_entry(deployment.identity, DECOY_SEED, at(3)) | {"bela_stanje": "oboje", "role": "decoy"}
    decoy["javni_kljuc"] = primitives.h3(bytes.fromhex(decoy["javni_kljuc"]))
    deployment.ring["keys"].append(decoy)
    signed = deployment.record
    deployment.record, _, _ = signature.make(
        DEFAULT, DECOY_SEED, deployment.identity, CONTENT, at(4), deployment.head
    )
    assert deployment.verdict() == ("decoy", "oboje", None)
    deployment.ring["keys"] = [decoy]
    assert deployment.verdict() == ("decoy", "oboje", None)
    deployment.record = signed
    assert deployment.verdict() == ("invalid", None, "unknown identity")


def located(deployment: Deployment, seq: int) -> krunica.Located:
    checkpoint = krunica.verify_checkpoint(DEFAULT, deployment.checkpoint(), deployment.pins())
    return krunica.locate(deployment.chain, checkpoint, seq)


def test_retired_keys_need_a_place_before_the_rotation(deployment: Deployment) -> None:
    deployment.rotate()
    assert deployment.verdict() == ("invalid", "istina", "retired key")
    assert deployment.verdict(located(deployment, 1)) == ("valid", "istina", None)
    assert deployment.verdict(located(deployment, 0))[2] == "retired key"
    # Back-dating: the stolen old key signs with an old timestamp, but its entry stands after the rotation.
    deployment.record, entry, deployment.head = signature.make(
        DEFAULT, FIRST_SEED, deployment.identity, CONTENT, at(1), deployment.head
    )
    deployment.chain.append(entry)
    assert deployment.verdict(located(deployment, 3)) == ("invalid", "istina", "retired key")
    deployment.ring["keys"][1]["bela_stanje"] = "laz"
    assert deployment.verdict(located(deployment, 1))[0] == "revoked"


def test_a_located_given_for_a_current_key_must_count(deployment: Deployment) -> None:
    assert deployment.verdict(located(deployment, 1)) == ("valid", "istina", None)
    assert deployment.verdict(located(deployment, 0)) == ("invalid", "istina", "located")
    elsewhere = krunica.Located("other.example", 1, deployment.chain[1])
    assert deployment.verdict(elsewhere)[2] == "located"
    pinned = deployment.ring | {"origin": None}
    assert signature.verify(DEFAULT, deployment.identity, CONTENT, deployment.record, pinned, elsewhere)[0] == "valid"
    late = krunica.Located(deployment.ring["origin"], 1, deployment.chain[1] | {"t": at(2)})
    assert deployment.verdict(late)[2] == "located"
    with pytest.raises(FormatError):
        located(deployment, 2)
    # The same content signed again at the same time is another entry, and another krunica_hash.
    deployment.record, entry, deployment.head = signature.make(
        DEFAULT, FIRST_SEED, deployment.identity, CONTENT, at(1), deployment.head
    )
    deployment.chain.append(entry)
    assert deployment.verdict(located(deployment, 1))[2] == "located"
    assert deployment.verdict(located(deployment, 2))[0] == "valid"


def test_projections(deployment: Deployment) -> None:
    record = deployment.record
    shown: dict[str, dict[str, Any]] = {}
    for state in ("istina", "oboje", "laz", "nijedno"):
        deployment.set_state(state)
        shown[state] = signature.result(record, deployment.verdict(), public=True)
        assert set(shown[state]) == signature.RESULT
        assert signature.result(record, deployment.verdict(), public=False)["bela_stanje"] == state
    assert shown["istina"] == shown["oboje"]
    assert [shown[s]["validan"] for s in ("istina", "laz", "nijedno")] == [True, False, None]
    assert {result["razlog"] for result in shown.values()} == {None, "rejected", "suspended"}
    deployment.set_state("oboje")
    verdict = deployment.verdict(potpis="00" * 3309)
    assert signature.result(record, verdict, public=False)["razlog"] == "signature"
    public = signature.result(record, verdict, public=True)
    assert (public["validan"], public["bela_stanje"], public["razlog"]) == (False, "istina", "rejected")


def test_seeds(deployment: Deployment) -> None:
    for bad in (bytes(32), bytes([1]) * 31, bytes([1]) * 33):
        with pytest.raises(FormatError):
            primitives.public_key_of_seed(bad)
    keys = [primitives.public_key_of_seed(seed) for seed in (FIRST_SEED, SECOND_SEED, LOG_SEED)]
    message = b"statement"
    for (i, seed), (j, key) in itertools.product(enumerate((FIRST_SEED, SECOND_SEED, LOG_SEED)), enumerate(keys)):
        assert primitives.verifies(key, primitives.sign(seed, message), message) == (i == j)


def test_another_signers_record_is_invalid(deployment: Deployment) -> None:
    verdict = signature.verify(DEFAULT, "0" * 64, CONTENT, deployment.record, deployment.ring)
    assert verdict == ("invalid", None, "other signer")
