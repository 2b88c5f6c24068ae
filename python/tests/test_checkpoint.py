"""Checkpoints: made, read, and verified against pins and the state of the log's key."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import dualseal
import pytest
from dualseal import (
    CheckedRing,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Head,
    HighWaterMark,
    InvalidError,
    KeyState,
    MisuseError,
    Pins,
    RejectedError,
    RevokedError,
    RingKey,
    SigningKey,
    SuspendedError,
    VerdictKind,
    VerifiedCheckpoint,
)

from conftest import ORIGIN, Deployment, Log, agree, minute, places


@pytest.fixture
def checkpoint(deployment: Deployment, log: Log) -> Checkpoint:
    return log.sign(deployment.head)


def test_a_checkpoint_in_every_form(deployment: Deployment, log: Log, checkpoint: Checkpoint) -> None:
    members = checkpoint.to_dict()
    assert members == {
        "algoritam": "ML-DSA-65",
        "identity_id": log.identity,
        "javni_kljuc": log.key.public_key.hex,
        "nota": None,
        "origin": ORIGIN,
        "potpis": checkpoint.signature.hex(),
        "ring": None,
        "root": deployment.head.root,
        "size": 2,
        "time": minute(9),
        "top": deployment.head.top,
    }
    assert json.loads(checkpoint.to_json()) == members
    assert (checkpoint.origin, checkpoint.size, checkpoint.time) == (ORIGIN, 2, minute(9))
    assert (checkpoint.top, checkpoint.root) == (deployment.head.top, deployment.head.root)
    assert (checkpoint.ring, checkpoint.note_key) == (None, None)
    assert (checkpoint.identity_id, checkpoint.public_key) == (log.identity, log.key.public_key)
    assert len(checkpoint.signature) == 3309
    verifier = CheckpointVerifier(log.domain, log.pins(2))
    forms: list[Checkpoint | dict[str, Any] | str | bytes] = [
        checkpoint,
        members,
        checkpoint.to_json(),
        json.dumps(members, indent=1).encode(),
    ]
    for form in forms:
        assert verifier.verify(form).verified().checkpoint == checkpoint
    assert Checkpoint.from_dict(members) == Checkpoint.from_json(checkpoint.to_json()) == checkpoint
    assert log.sign(deployment.head) != checkpoint


def test_signers_and_pins_say_what_they_are_for(log: Log) -> None:
    signer, pins = log.signer(), log.pins(7)
    assert (signer.origin, signer.identity_id, signer.public_key) == (ORIGIN, log.identity, log.key.public_key)
    assert (pins.origin, pins.identity_id, pins.least_size) == (ORIGIN, log.identity, 7)
    assert pins.key_hash == log.key.public_key.hash
    assert pins == log.pins(7) != log.pins(8)
    verifier = CheckpointVerifier(log.domain, pins)
    assert (verifier.pins, verifier.ring) == (pins, None)
    for missing in ("origin", "identity_id", "key_hash", "least_size"):
        given: dict[str, Any] = {
            "origin": ORIGIN,
            "identity_id": log.identity,
            "key_hash": pins.key_hash,
            "least_size": 0,
        }
        del given[missing]
        with pytest.raises(TypeError, match=missing):
            Pins(**given)


def test_an_expanded_key_signs_as_well(deployment: Deployment, log: Log) -> None:
    signer = CheckpointSigner(log.domain, ORIGIN, log.identity, log.key.expand(), note_key="0" * 64)
    mark = HighWaterMark.first(ORIGIN, deployment.head, ring=deployment.ring)
    signed = signer.sign(mark, time=10**11)
    assert (signed.ring, signed.note_key) == (mark.ring, "0" * 64)
    verdict = CheckpointVerifier(log.domain, log.pins()).verify(signed)
    assert (verdict.kind, verdict.time) == (VerdictKind.VALID, "1973-03-03T09:46:40.000Z")


@pytest.mark.parametrize(
    ("changes", "pins", "reason"),
    [
        ({"origin": "example.org/other"}, {}, "pin"),
        ({"identity_id": "0" * 64}, {}, "pin"),
        ({"javni_kljuc": "00" * 1952}, {}, "pin"),
        ({}, {"origin": "example.org/other"}, "pin"),
        ({}, {"identity_id": "0" * 64}, "pin"),
        ({}, {"key_hash": "0" * 64}, "pin"),
        ({}, {"least_size": 3}, "size"),
        ({"potpis": "00" * 3309}, {"least_size": 3}, "size"),
        ({"potpis": "00" * 3309}, {}, "signature"),
        ({"size": 3}, {}, "signature"),
        ({"top": "0" * 128}, {}, "signature"),
        ({"root": "0" * 64}, {}, "signature"),
        ({"nota": "0" * 64}, {}, "signature"),
        ({"ring": {"revision": 1, "root": "0" * 64}}, {}, "signature"),
        ({"time": minute(10)}, {}, "signature"),
    ],
)
def test_why_a_checkpoint_is_invalid(
    log: Log, checkpoint: Checkpoint, changes: dict[str, Any], pins: dict[str, Any], reason: str
) -> None:
    known: dict[str, Any] = {
        "origin": ORIGIN,
        "identity_id": log.identity,
        "key_hash": log.key.public_key.hash,
        "least_size": 2,
    }
    verifier = CheckpointVerifier(log.domain, Pins(**(known | pins)))
    verdict = verifier.verify(checkpoint.to_dict() | changes)
    assert (verdict.kind, verdict.reason, verdict.state) == (VerdictKind.INVALID, reason, None)
    assert verdict.public().reason == "rejected"
    with pytest.raises(InvalidError) as caught:
        verdict.verified()
    assert caught.value.reason == reason


def test_another_domain_accepts_no_checkpoint(log: Log, checkpoint: Checkpoint) -> None:
    verdict = CheckpointVerifier(dualseal.Domain("ACME"), log.pins()).verify(checkpoint)
    assert verdict.reason == "signature"


def test_a_ring_adds_the_state_of_the_key(log: Log, checkpoint: Checkpoint) -> None:
    authority = RingKey(log.domain, bytes([8]) * 32)
    ring = CheckedRing(ORIGIN, authority)
    verifier = CheckpointVerifier(log.domain, log.pins(), ring)
    assert verifier.ring is ring
    assert verifier.verify(checkpoint).reason == "unknown identity"
    _, head = ring.add(log.identity, log.key.public_key, head=Head.EMPTY, time=10**11)
    assert verifier.verify(checkpoint).verified().checkpoint == checkpoint
    for state, kind, error in [
        (KeyState.REVOKED, VerdictKind.REVOKED, RevokedError),
        (KeyState.SUSPENDED, VerdictKind.SUSPENDED, SuspendedError),
    ]:
        _, head = ring.set_state(log.identity, state, head=head, time=10**11)
        verdict = verifier.verify(checkpoint)
        assert (verdict.kind, verdict.state) == (kind, state)
        with pytest.raises(error):
            verdict.verified()
        bad = verifier.verify(checkpoint.to_dict() | {"size": 1})
        assert (bad.kind, bad.reason) == (VerdictKind.INVALID, "signature")
    _, head = ring.set_state(log.identity, KeyState.VALID, head=head, time=10**11)
    ring.rotate(log.identity, SigningKey.generate().public_key, head=head, time=10**11)
    assert verifier.verify(checkpoint).reason == "retired key"


def test_the_next_checkpoint_goes_on_from_the_last(deployment: Deployment, log: Log) -> None:
    first = log.covering(deployment.head)
    deployment.chain.append(log.domain, deployment.identity, "paid", minute(8))
    mark = HighWaterMark.of(first)
    assert HighWaterMark.from_json(mark.to_json()) == HighWaterMark.from_dict(mark.to_dict()) == mark
    second = log.signer().sign(mark.next(agree(first, deployment.chain).growth, ring=None), time=minute(31))
    assert (second.root, second.time) == (deployment.chain.head.root, minute(31))
    verified = CheckpointVerifier(log.domain, log.pins(3)).verify(second).verified()
    elsewhere = CheckpointSigner(log.domain, "example.org/other", log.identity, log.key)
    with pytest.raises(MisuseError) as caught:
        elsewhere.sign(HighWaterMark.of(verified), time=minute(32))
    assert caught.value.code == 311


def test_whether_a_mark_has_a_ring_is_said(deployment: Deployment, log: Log) -> None:
    """A log with a ring, of which somebody forgot it, would sign checkpoints that show no key."""
    first: Any = HighWaterMark.first
    with pytest.raises(TypeError, match="ring"):
        first(ORIGIN, deployment.head)
    assert HighWaterMark.first(ORIGIN, deployment.head, ring=None).ring is None
    mark = HighWaterMark.first(ORIGIN, deployment.head, ring=deployment.ring)
    assert mark.ring is not None
    verified = log.covering(deployment.head, deployment.ring)
    growth = agree(verified, deployment.chain).growth
    following: Any = mark.next
    with pytest.raises(TypeError, match="ring"):
        following(growth)
    assert mark.next(growth, ring=deployment.ring) == mark
    with pytest.raises(RejectedError) as caught:
        mark.next(growth, ring=None)
    assert (caught.value.name, caught.value.needed, caught.value.found) == ("ring-rollback", 1, 0)


def test_proofs_and_signers_are_neither_made_nor_carried_by_hand(deployment: Deployment, log: Log) -> None:
    verified = log.covering(deployment.head)
    assert isinstance(verified, VerifiedCheckpoint)
    agreed = agree(verified, deployment.chain)
    located = places(verified, deployment.chain, [deployment.signed.record.krunica_hash])
    objects: list[Any] = [verified, agreed, *located, log.signer()]
    assert len(objects) == 4
    for value in objects:
        with pytest.raises(TypeError):
            type(value)()
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(value, protocol)
        with pytest.raises(TypeError, match="pickle"):
            copy.copy(value)
    unverified: Any = verified.checkpoint
    with pytest.raises(TypeError):
        dualseal.ChainReader(dualseal.Domain(), under=unverified)
    entry: Any = deployment.signed.entry
    with pytest.raises(TypeError):
        deployment.verify(place=entry)
