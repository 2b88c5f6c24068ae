"""Public values are hashed, copied and pickled as what they are written as."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    Domain,
    DrawnSecret,
    HighWaterMark,
    Ed25519SigningKey,
    KeyProof,
    KeyRing,
    LedgerHead,
    MalformedError,
    NoteKey,
    PresenceProof,
    PublicKey,
    PublicRing,
    Rebuilding,
    Seal,
    SealKey,
    SealPolicy,
    SealVerifier,
    Sealer,
    ShardKey,
    SharingField,
    SigningKey,
    VaultMaster,
    VaultVerifier,
    VerdictKind,
    VerificationResult,
    Verifier,
)
from dualseal.operator import Master

from conftest import Deployment, Log, minute


def values(deployment: Deployment, log: Log) -> list[Any]:
    domain, signed = deployment.domain, deployment.signed
    verified = log.covering(deployment.head)
    seal = Sealer(domain, deployment.identity, SealKey.from_bytes(bytes([1]) * 32), SigningKey.generate()).seal(b"x")
    reader = ChainReader(domain, under=verified)
    watched = reader.place_proofs([signed.record.krunica_hash])
    (proof,) = reader.read(deployment.chain)[watched]
    old = Domain("OLD", prefixes={"identifier": "X"}, suffixes={"seal": "Y"}, labels={("signature", "CONTENT"): "BODY"})
    shared = Domain("A", prefixes={"identifier": "A-VAULT"}, legacy_shared_constants=True)
    return [
        domain, Domain("ACME"), old, shared, signed.record, signed.entry, signed.head, seal, deployment.key.public_key,
        verified.checkpoint, HighWaterMark.of(verified), domain.content_hash(deployment.identity, b"x"),
        proof,
        deployment.ring.prove(deployment.key.public_key.hash), VerdictKind.VALID,
    ]  # fmt: skip


def test_values_come_back_as_they_were(deployment: Deployment, log: Log) -> None:
    found = values(deployment, log)
    for value in found:
        again = [copy.copy(value), copy.deepcopy(value)]
        again += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        for one in again:
            assert type(one) is type(value)
            assert one == value
            assert hash(one) == hash(value)
    # Of each kind once; no two are equal.
    assert len(set(found)) == len(found)


def results(deployment: Deployment, log: Log) -> list[Any]:
    domain, signed = deployment.domain, deployment.signed
    verdict = Verifier(domain, deployment.ring).verify(record=signed.record, signer=deployment.identity, content=b"x")
    phone = Ed25519SigningKey.generate()
    rebuilding = Rebuilding(
        domain, ShardKey.derive(domain, bytes([9]) * 32, deployment.identity), "1" * 64, deployment.identity,
        recipient_key=b"service", in_force=None, no_chain=True,
    )  # fmt: skip
    request = rebuilding.request("rebuild", "3" * 64, ["4" * 64, "5" * 64])
    proof = PresenceProof.sign(domain, request, phone, nonce="0" * 64, expiry=minute(8))
    return [
        verdict.internal(), verdict.public(), request, proof, NoteKey("example.org/w", "witness", phone.public_key),
        LedgerHead.from_parts("1" * 64, 3, "2" * 64), LedgerHead.from_parts("1" * 64, 4, "2" * 64),
    ]  # fmt: skip


def test_results_come_back_as_they_were(deployment: Deployment, log: Log) -> None:
    found = results(deployment, log)
    for value in found:
        for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert type(again) is type(value) and again == value and hash(again) == hash(value)
    assert len(set(found)) == len(found)
    with pytest.raises(MalformedError):
        VerificationResult.from_json("{}")


def test_a_ring_for_everybody_is_sent_to_other_processes(deployment: Deployment) -> None:
    ring = deployment.ring.public()
    again = pickle.loads(pickle.dumps(ring))
    assert (type(again), again, again.root) == (PublicRing, ring, ring.root)
    for held in (ring, KeyRing.pinned(deployment.identity, deployment.key.public_key)):
        row = held.identity_row(deployment.identity)
        assert row and deployment.key.public_key.hex in row and held.identity_row("0" * 64) is None
        assert held.decoy_row(deployment.key.public_key.hash) is None
    for secret in (deployment.ring, deployment.key):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(secret)


def test_secrets_refuse_all_of_it_with_a_clear_word(deployment: Deployment) -> None:
    domain, identity = deployment.domain, deployment.identity
    drawn = DrawnSecret.draw(SharingField.GF_2_256)
    holders: list[Any] = [
        deployment.key, deployment.key.expand(), deployment.authority, Ed25519SigningKey.generate(),
        SealKey.from_bytes(bytes([1]) * 32), ShardKey.derive(domain, bytes([9]) * 32, identity),
        VaultMaster.generate(domain), Master(domain, bytes([7]) * 32), drawn, *drawn.split(k=2, n=2),
    ]  # fmt: skip
    for secret in holders:
        name = type(secret).__name__
        for act in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=f"cannot pickle or copy a {name}"):
                act(secret)
        with pytest.raises(TypeError, match=f"a {name} holds a secret, and has no hash"):
            {secret}  # noqa: B018


def test_what_verified_something_says_what_is_sent_in_its_place(deployment: Deployment) -> None:
    domain, ring = deployment.domain, deployment.ring
    seal_key = SealKey.from_bytes(bytes([1]) * 32)
    seal = Sealer(domain, deployment.identity, seal_key, deployment.key).seal(b"x")
    seals = SealVerifier(domain, ring)
    report = seals.verify(seal, b"x", deployment.identity, policy=SealPolicy.LAYER_B)
    for value, instead in (
        (ring, "what public() gives can be"), (seals, "send the public"), (Verifier(domain, ring), "send the public"),
        (VaultVerifier(domain, ring), "send the public"), (report, "internal() says the same"),
        (report.verdict, "internal() and public() say the same"),
    ):  # fmt: skip
        words = f"cannot pickle or copy a {type(value).__name__}: {instead}"
        for act in (pickle.dumps, copy.copy):
            with pytest.raises(TypeError, match=re.escape(words)):
                act(value)


def test_a_pickle_of_bytes_that_are_none_is_refused(deployment: Deployment) -> None:
    key = deployment.key.public_key
    dumped = pickle.dumps(key, 2)
    assert key.to_bytes() not in dumped or pickle.loads(dumped) == key
    reduced: Any = key.__reduce__()
    function, (kind, maker, written) = reduced
    with pytest.raises(MalformedError):
        function(kind, maker, written[:-1])
    assert (kind, maker) == (PublicKey, "from_bytes")
    assert function(Seal, "parse", "SEAL-L5::" + "00" * 64) == Seal.parse("SEAL-L5::" + "00" * 64)
    assert isinstance(deployment.ring.prove(key.hash), KeyProof)
