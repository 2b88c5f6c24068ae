"""Verdicts with their dates: of signatures, seals, quorums and vault records, by rings that know the chain's end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from archive import Archive
from dualseal import (
    AttestedKey,
    AttestedRing,
    Founding,
    KeyRing,
    KeyState,
    RevokedError,
    Seal,
    SealKey,
    Sealer,
    SealVerifier,
    VaultPolicy,
    VaultRecord,
    VerdictKind,
    Verifier,
    message_hash,
    verify_pinned_quorum_as_of,
    verify_quorum_as_of,
)

from bundle import DOCUMENT, Contracts, Registry, key, minute
from conftest import places


@pytest.fixture
def contracts() -> Contracts:
    return Contracts()


def test_a_revocation_tells_what_stood_before_it(contracts: Contracts) -> None:
    registry = contracts.registry
    registry.set_state("ana", KeyState.REVOKED, compromised_from=3)
    verified, ring = registry.verified(), registry.ring.public()
    proof = ring.prove(key(1).public_key.hash)
    assert proof is not None
    first, second = places(verified, registry.chain, [contracts.record.krunica_hash, contracts.other.krunica_hash])
    for rings in (AttestedRing(ring, verified), AttestedKey(proof, key(1).public_key, verified)):
        verifier = Verifier(registry.domain, rings)
        as_of = verifier.verify_as_of(record=contracts.record, signer=contracts.ana, content=DOCUMENT, place=first)
        assert as_of.verdict.kind is VerdictKind.REVOKED
        assert (as_of.size, as_of.place, as_of.failed, as_of.revoked_then) == (5, 2, None, None)
        assert (as_of.revoked_now, as_of.compromised_from, as_of.claimed) == (4, 3, False)
        with pytest.raises(RevokedError):
            as_of.verdict.verified()
        told = as_of.to_dict()
        assert (told["opozvan_od"], told["revoked_now"], told["claimed"]) == (3, 4, False)
        hashed = registry.domain.content_hash(contracts.ana, b"another")
        later = verifier.verify_as_of(record=contracts.other, signer=contracts.ana, content_hash=hashed, place=second)
        assert (later.place, later.claimed) == (3, True)
        # A record that does not hold has no dates, whatever the key.
        lie = verifier.verify_as_of(record=contracts.record, signer=contracts.ana, content=DOCUMENT, place=second)
        assert (lie.verdict.kind, lie.failed, lie.place) == (VerdictKind.REVOKED, "located", None)
        assert json.loads(lie.to_public_json())["failed"] == "rejected"
    registry.set_state("ana", KeyState.VALID)
    again = Verifier(registry.domain, registry.ring).verify_as_of(
        record=contracts.record, signer=contracts.ana, content=DOCUMENT, place=first
    )
    assert (again.verdict.verified(), again.compromised_from, again.revoked_now) == (contracts.record, 3, None)


def test_a_pinned_key_knows_nothing_of_revocations(contracts: Contracts) -> None:
    registry = contracts.registry
    [place] = places(registry.verified(), registry.chain, [contracts.record.krunica_hash])
    verifier = Verifier(registry.domain, KeyRing.pinned(contracts.ana, key(1).public_key))
    as_of = verifier.verify_as_of(record=contracts.record, signer=contracts.ana, content=DOCUMENT, place=place)
    assert (as_of.size, as_of.place, as_of.verdict.kind) == (None, 2, VerdictKind.VALID)
    wrong: Any
    for wrong in ({}, {"content": DOCUMENT, "content_hash": registry.domain.content_hash(contracts.ana, DOCUMENT)}):
        with pytest.raises(TypeError):
            verifier.verify_as_of(record=contracts.record, signer=contracts.ana, place=place, **wrong)
    none: Any = None
    with pytest.raises(TypeError):
        verifier.verify_as_of(record=contracts.record, signer=contracts.ana, content=DOCUMENT, place=none)


def test_a_seal_and_its_dates() -> None:
    registry = Registry()
    registry.add("ana", key(1))
    ana = registry.identity("ana")
    seal_key = SealKey.derive(registry.domain, bytes([8]) * 32, ana)
    seal = Sealer(registry.domain, ana, seal_key, key(1)).seal(DOCUMENT)
    entry, _ = seal.append_to(registry.chain.head, registry.domain, ana, minute(1))
    registry.chain.push(entry)
    registry.set_state("ana", KeyState.REVOKED)
    [place] = places(registry.verified(), registry.chain, [entry.krunica_hash])
    verifier = SealVerifier(registry.domain, registry.ring)
    for key_of_layer_a in (None, seal_key):
        as_of = verifier.verify_as_of(str(seal), DOCUMENT, ana, place=place, seal_key=key_of_layer_a)
        assert (as_of.verdict.kind, as_of.place, as_of.revoked_now) == (VerdictKind.REVOKED, 1, 2)
    other = SealKey.derive(registry.domain, bytes([9]) * 32, ana)
    assert verifier.verify_as_of(seal, DOCUMENT, ana, place=place, seal_key=other).failed == "content"
    registry.set_state("ana", KeyState.VALID)
    verified = verifier.verify_as_of(seal, bytearray(DOCUMENT), ana, place=place).verdict.verified()
    assert isinstance(verified, Seal) and verified == seal


def test_a_vault_record_and_its_dates() -> None:
    archive = Archive()
    kept = archive.seal()
    place = archive.located().locate(kept.record)
    assert place is not None
    for policy in (archive.operator, VaultPolicy.public()):
        as_of = archive.verifier.verify_as_of(
            kept.record, kept.stored, signer=archive.identity, policy=policy, place=place
        )
        record = as_of.verdict.verified()
        assert isinstance(record, VaultRecord) and record.vault_id == kept.record.vault_id
        assert (as_of.place, as_of.failed) == (kept.record.entry.seq, None)
        changed = archive.verifier.verify_as_of(
            kept.record.to_json(), kept.stored + b".", signer=archive.identity, policy=policy, place=place
        )
        assert (changed.verdict.kind, changed.failed, changed.place) == (VerdictKind.INVALID, "L0", None)
    archive.set_state(KeyState.REVOKED)
    as_of = archive.verifier.verify_as_of(
        kept.record, kept.stored, signer=archive.identity, policy=archive.operator, place=place
    )
    assert (as_of.verdict.kind, as_of.place) == (VerdictKind.REVOKED, kept.record.entry.seq)
    assert as_of.revoked_now == archive.chain.head.size - 1


def test_a_result_of_a_quorum_and_its_dates() -> None:
    registry = Registry()
    board, owners = registry.identity("board"), [registry.identity(name) for name in ("ana", "ivo", "eva")]
    founding = Founding(registry.domain, board, owners, k=2, head=registry.chain.head, time=minute(0))
    founded = founding.mldsa(board)
    registry.chain.push(founded.entry)
    public_key = founded.session.public_key
    assert public_key is not None
    registry.enter(board, public_key)
    session = registry.in_force(founded.session, founded.entry.krunica_hash, KeyRing.pinned(board, public_key))
    message = message_hash(b"resolution 7")
    signed = session.sign(message, owners[0], founded.shares, head=registry.chain.head, time=minute(2))
    registry.chain.push(signed.entry)
    registry.set_state("board", KeyState.REVOKED)
    [place] = places(registry.verified(), registry.chain, [signed.entry.krunica_hash])
    session_id = founded.session.session_id
    for said in (message, message_hash(b"resolution 8")):
        by_session = verify_quorum_as_of(session, said, signed.result, registry.ring, place=place)
        by_hand = verify_pinned_quorum_as_of(
            registry.domain,
            said,
            signed.result,
            registry.ring,
            session_id=session_id,
            identity_id=board,
            public_key=public_key,
            place=place,
        )
        assert by_session.to_dict() == by_hand.to_dict()
        assert by_hand.verdict.kind is VerdictKind.REVOKED
        assert (by_hand.failed, by_hand.place) == ((None, 2) if said == message else ("signature", None))
        assert by_hand.revoked_now == 3
    registry.set_state("board", KeyState.VALID)
    as_of = verify_quorum_as_of(session, message, signed.result, registry.ring, place=place)
    assert as_of.verdict.verified() == signed.result
