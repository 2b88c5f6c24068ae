"""Every answer of tests/vectors/known_answers_seal.json, which another implementation made, by the wheel."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    CheckedRing,
    Checkpoint,
    CheckpointVerifier,
    Domain,
    Head,
    KeyRing,
    Krunica,
    LayerOutcome,
    Located,
    MisuseError,
    Pins,
    PublicRing,
    RingKey,
    Seal,
    Sealer,
    SealKey,
    SealReport,
    SealVerifier,
    SigningKey,
    VerdictKind,
)

from conftest import minute
from known import counts, read, sha3

ANSWERS = read("known_answers_seal.json")


class Made:
    """What a case is made of."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.domain, self.identity = Domain(case["domain"]), case["identity_id"]
        self.payload = bytes.fromhex(case["payload_hex"])
        self.key = SealKey.from_bytes(bytes.fromhex(case["seal_key_hex"]))
        signing = SigningKey.from_seed(bytes.fromhex(case["seed_hex"]))
        self.sealer = Sealer(self.domain, self.identity, self.key, signing)
        self.verifier = SealVerifier(self.domain, KeyRing.pinned(self.identity, signing.public_key))

    def both(self, seal: str, payload: bytes | None = None) -> SealReport:
        payload = self.payload if payload is None else payload
        return self.verifier.verify(seal, payload, self.identity, policy="both", seal_key=self.key)

    def layer_a(self, seal: str) -> bool:
        report = self.verifier.verify(
            seal, self.payload, self.identity, policy="layer_a", seal_key=self.key, allow_legacy=True
        )
        return report.authenticated is not None


def kind_of(report: SealReport) -> VerdictKind:
    assert report.verdict is not None
    return report.verdict.kind


def test_no_answer_is_left_out() -> None:
    lists = {"derived_keys": 4, "seals": 24, "near_reserved": 8, "reserved": 6, "legacy_keys": 18}
    assert counts(ANSWERS) == lists
    assert set(ANSWERS) == {"about", "outlived", *lists}


def test_keys_are_derived_alike() -> None:
    for case in ANSWERS["derived_keys"]:
        key = SealKey.derive(Domain(case["domain"]), bytes.fromhex(case["master_hex"]), case["identity_id"])
        assert key.to_bytes().hex() == case["seal_key_hex"]


def test_seals_are_made_and_verified_alike() -> None:
    whole = 0
    for case in ANSWERS["seals"] + ANSWERS["near_reserved"]:
        made = Made(case)
        # The HMAC is the same each time. The signature is another, unless it is in the file.
        mac = case["legacy"].removeprefix("SEAL-L5::")
        text = str(made.sealer.seal(made.payload))
        assert text.startswith(f"SEAL-DUAL::{mac}::")
        assert str(made.sealer.seal_legacy(made.payload)) == case["legacy"]
        assert made.layer_a(case["legacy"])
        if case["seal"] is not None:
            text, seal = case["seal"], Seal.parse(case["seal"])
            assert (seal.seal_id, seal.chain_message(made.domain)) == (case["seal_id"], case["poruka"])
            entry, _ = seal.append_to(Head.EMPTY, made.domain, made.identity, minute(1))
            assert entry.message == case["poruka"]
            whole += 1
        assert kind_of(made.both(text)) == VerdictKind.VALID
        assert kind_of(made.both(text, made.payload + b"\0")) == VerdictKind.INVALID
        statement = f"{case['payload_hex']}::{mac}::{made.identity}::{case['domain']}"
        assert sha3(statement.encode()) == case["statement_sha3_256"]
    assert whole == 3


def test_reserved_payloads_are_refused_alike() -> None:
    whole = 0
    for case in ANSWERS["reserved"]:
        made = Made(case)
        with pytest.raises(MisuseError):
            made.sealer.seal(made.payload)
        assert not made.layer_a(case["legacy"])
        if case["seal"] is not None:
            report = made.both(case["seal"])
            assert report.verdict is not None
            assert (report.verdict.kind, report.verdict.reason) == (VerdictKind.INVALID, "reserved payload")
            assert (report.layer_a, report.layer_b) == (LayerOutcome.FAIL, LayerOutcome.PASS)
            whole += 1
    assert whole == 2


def test_legacy_keys_verify_alike() -> None:
    domain, identity = Domain(), "01" * 32
    verifier = SealVerifier(domain, CheckedRing("log", RingKey(domain, bytes([9]) * 32)))
    for case in ANSWERS["legacy_keys"]:
        key = SealKey.legacy(bytes.fromhex(case["seal_key_hex"]))
        for payload, holds in ((bytes.fromhex(case["payload_hex"]), True), (b"other", False)):
            report = verifier.verify(
                case["legacy"], payload, identity, policy="layer_a", seal_key=key, allow_legacy=True
            )
            assert (report.authenticated is not None) == holds


def test_a_seal_outlives_its_key_alike() -> None:
    case = ANSWERS["outlived"]
    domain, ring = Domain(case["domain"]), PublicRing.from_json(json.dumps(case["ring"]))
    chain, stated = Krunica.from_json(json.dumps(case["chain"])), Checkpoint.from_json(json.dumps(case["checkpoint"]))
    key_hash = stated.public_key.hash
    pins = Pins(origin=case["ring"]["origin"], identity_id=stated.identity_id, key_hash=key_hash, least_size=3)
    reader = ChainReader(domain, under=CheckpointVerifier(domain, pins).verify(stated).verified())
    watched = reader.places(entry.krunica_hash for entry in chain)
    verifier, key = SealVerifier(domain, ring), SealKey.from_bytes(bytes.fromhex(case["seal_key_hex"]))

    def reason(place: Located | None) -> str | None:
        payload, identity = bytes.fromhex(case["payload_hex"]), case["identity_id"]
        report = verifier.verify(case["seal"], payload, identity, policy="both", seal_key=key, place=place)
        assert report.verdict is not None
        return report.verdict.reason

    found = {"no place": reason(None)}
    found |= {str(place.entry.seq): reason(place) for place in reader.read(chain)[watched]}
    assert found == case["expected"]
    assert len(found) == 4
