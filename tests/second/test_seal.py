"""Seals: the formulas by hand, the stored answers, and what each policy says."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import make_seal_answers
import pytest
from conftest import FIRST_SEED, LOG_SEED, ORIGIN, SECOND_SEED, Deployment, at, key_entry
from dualseal_second import checkpoint, krunica, primitives, seal
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError
from make_known_answers import SEEDS

STORED = Path(__file__).parent.parent / "vectors" / "known_answers_seal.json"
KEY = bytes(range(64))
PAYLOAD = b"hi"


@pytest.fixture
def made(deployment: Deployment) -> seal.Seal:
    return seal.make(DEFAULT, KEY, FIRST_SEED, deployment.identity, PAYLOAD)


def report(deployment: Deployment, made: seal.Seal, policy: str = "Both", **changes: Any) -> seal.Report:
    given: dict[str, Any] = {"payload": PAYLOAD, "identity_id": deployment.identity, "key": KEY} | changes
    return seal.verify(DEFAULT, made, ring=deployment.ring, policy=policy, **given)


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_seal_answers.text()


def test_formulas_written_out(deployment: Deployment, made: seal.Seal) -> None:
    expected = hmac.new(KEY, b"6869", hashlib.sha3_512).hexdigest()
    assert made.hmac == expected
    statement = f"6869::{expected}::{deployment.identity}::DUALSEAL".encode()
    assert made.signature is not None
    assert primitives.verifies(primitives.public_key_of_seed(FIRST_SEED), bytes.fromhex(made.signature), statement)
    text = f"SEAL-DUAL::{expected}::{made.signature}"
    assert str(made) == text and seal.parse(text) == made
    assert made.seal_id() == "SEAL-DUAL::" + hashlib.sha3_256(text.encode()).hexdigest()
    legacy = seal.make_legacy(DEFAULT, KEY, PAYLOAD)
    assert str(legacy) == f"SEAL-L5::{expected}" and seal.parse(str(legacy)) == legacy
    assert legacy.info() == {"format": "SEAL-L5", "hmac_hex": expected, "signature_hex": None, "seal_id": None}


def test_derivation_by_hand() -> None:
    # RFC 5869 with SHA3-256: extract with 32 zero bytes, then two blocks.
    pseudorandom = hmac.new(bytes(32), bytes([7] * 32), hashlib.sha3_256).digest()
    info = b"ACME-SEAL::KDF::" + b"a" * 64 + b"::ACME"
    first = hmac.new(pseudorandom, info + b"\x01", hashlib.sha3_256).digest()
    second = hmac.new(pseudorandom, first + info + b"\x02", hashlib.sha3_256).digest()
    assert seal.derive_key(Domain.named("ACME"), bytes([7] * 32), "a" * 64) == first + second


def test_stored_seals_verify() -> None:
    answers = json.loads(STORED.read_text(encoding="utf-8"))
    complete = [case for name in ("seals", "near_reserved", "reserved") for case in answers[name] if case["seal"]]
    assert len(complete) == 5
    for case in complete:
        signer = next(seed for seed in SEEDS if seed.hex() == case["seed_hex"])
        ring = {"keys": [key_entry(case["identity_id"], signer, at(0))], "origin": None, "revision": 1}
        result = seal.verify(
            Domain.named(case["domain"]), seal.parse(case["seal"]), bytes.fromhex(case["payload_hex"]),
            case["identity_id"], ring, "Both", bytes.fromhex(case["seal_key_hex"]),
        )  # fmt: skip
        reserved = case in answers["reserved"]
        assert result.outcome == (("invalid", "reserved payload") if reserved else ("valid", None))
        assert (result.layer_a, result.layer_b) == ("fail" if reserved else "pass", "pass")


@pytest.mark.parametrize(
    "text",
    [
        "", "SEAL-DUAL", "SEAL-L5::", "SEAL-L5::00", "seal-l5::" + "0" * 128, "SEAL-L5:" + "0" * 128,
        "SEAL-L5::" + "0" * 128 + "\n", "SEAL-L5::" + "A" * 128, "SEAL-DUAL::" + "0" * 128,
        "SEAL-DUAL::" + "0" * 128 + "::" + "0" * 6617, "SEAL-DUAL::" + "0" * 128 + "::" + "0" * 6618 + "::",
        "SEAL-L5::" + "0" * 128 + "::" + "0" * 6618, "SEAL-L6::" + "0" * 128,
    ],
)  # fmt: skip
def test_malformed_seals(text: str) -> None:
    with pytest.raises(FormatError):
        seal.parse(text)


def test_policies(deployment: Deployment, made: seal.Seal) -> None:
    legacy = seal.make_legacy(DEFAULT, KEY, PAYLOAD)
    assert report(deployment, made).outcome == ("valid", None)
    assert report(deployment, made, "LayerA").outcome == ("authenticated", None)
    assert report(deployment, made, "LayerB", key=b"wrong" * 10).outcome == ("valid", None)
    for permitted in (False, True):
        for policy in ("Both", "LayerB"):
            assert report(deployment, legacy, policy, legacy=permitted).outcome == ("invalid", "legacy seal")
        outcome = report(deployment, legacy, "LayerA", legacy=permitted).outcome
        assert outcome[0] == ("authenticated" if permitted else "not authenticated")


@pytest.mark.parametrize(
    ("changes", "both", "layer_b"),
    [
        ({"payload": b"ho"}, "content", "signature"), ({"key": bytes(64)}, "content", None),
        ({"key": KEY[:20]}, "content", None), ({"identity_id": "0" * 64}, "unknown identity", "unknown identity"),
    ],
)  # fmt: skip
def test_what_is_refused(
    deployment: Deployment, made: seal.Seal, changes: dict[str, Any], both: str, layer_b: str | None
) -> None:
    assert report(deployment, made, "Both", **changes).outcome == ("invalid", both)
    assert report(deployment, made, "LayerB", **changes).outcome == ("invalid" if layer_b else "valid", layer_b)


def test_states_and_pairs(deployment: Deployment, made: seal.Seal) -> None:
    pairs = {
        "istina": [(True, "ok"), (True, "ok")], "oboje": [(False, "decoy"), (True, "ok")],
        "laz": [(False, "rejected"), (False, "rejected")], "nijedno": [(False, "suspended"), (False, "suspended")],
    }  # fmt: skip
    for state, pair in pairs.items():
        deployment.set_state(state)
        result = report(deployment, made)
        assert [result.pair(public=public) for public in (False, True)] == pair


def test_a_seal_outlives_its_key_through_its_entry(deployment: Deployment, made: seal.Seal) -> None:
    message = seal.chain_message(DEFAULT, made)
    entry, deployment.head = krunica.append(deployment.head, deployment.identity, message, at(3))
    deployment.chain.append(entry)
    deployment.rotate()
    verified = krunica.verify_checkpoint(DEFAULT, deployment.checkpoint(), deployment.pins())
    places = [krunica.locate(deployment.chain, verified, seq) for seq in range(4)]
    assert report(deployment, made).outcome == ("invalid", "retired key")
    outcomes = [report(deployment, made, located=place).outcome for place in places]
    assert outcomes == [("valid", None) if seq == 2 else ("invalid", "retired key") for seq in range(4)]
    again = seal.make(DEFAULT, KEY, SECOND_SEED, deployment.identity, PAYLOAD)
    assert report(deployment, again).outcome == ("valid", None)
    assert report(deployment, again, located=places[2]).outcome == ("invalid", "located")


def test_checkpoint_verdicts(deployment: Deployment) -> None:
    fields, pins = deployment.checkpoint(), deployment.pins()
    log = key_entry("a" * 64, LOG_SEED, at(0))
    ring = {"keys": [log], "origin": ORIGIN, "revision": 1}
    assert checkpoint.verdict(DEFAULT, fields, pins) == ("valid", None)
    for state, expected in (("istina", "valid"), ("laz", "revoked"), ("oboje", "decoy"), ("nijedno", "suspended")):
        log["bela_stanje"] = state
        assert checkpoint.verdict(DEFAULT, fields, pins, ring) == (expected, None)
        assert checkpoint.verdict(DEFAULT, fields | {"size": 9}, pins, ring) == ("invalid", "signature")
    log |= {"bela_stanje": "istina", "role": "retired", "retired": 1}
    assert checkpoint.verdict(DEFAULT, fields, pins, ring) == ("invalid", "retired key")
    assert checkpoint.verdict(DEFAULT, fields, pins, deployment.ring) == ("invalid", "unknown identity")
    assert checkpoint.verdict(DEFAULT, fields | {"origin": "other"}, pins) == ("invalid", "pin")
    with pytest.raises(FormatError):
        checkpoint.verdict(DEFAULT, fields | {"time": "now"}, pins)
    assert checkpoint.agrees(deployment.chain, fields) == "agrees"
    assert checkpoint.agrees(deployment.chain[:1], fields) == "truncated"
    assert checkpoint.agrees([deployment.chain[0], deployment.chain[1] | {"t": at(9)}], fields) == "another tree"
    assert checkpoint.agrees(deployment.chain, fields | {"top": "0" * 128}) == "rewritten"
