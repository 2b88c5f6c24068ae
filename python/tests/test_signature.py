"""Signature records: made, read, written."""

from __future__ import annotations

import json

import dualseal
import pytest
from dualseal import (
    HashedContent,
    Head,
    MisuseError,
    SignatureRecord,
    Signer,
    SigningKey,
    Verdict,
    VerdictKind,
    Verifier,
)

from conftest import CONTENT, Deployment, Log, minute, places


def test_the_record_and_its_entry_belong_together(deployment: Deployment) -> None:
    signed, domain, identity = deployment.signed, deployment.domain, deployment.identity
    record = signed.record
    assert record.identity_id == identity
    assert record.public_key == deployment.key.public_key
    assert record.content_hash == domain.content_hash(identity, CONTENT).hash
    message = f"DUALSEAL-SIGN::SIGNED::{record.content_hash}::{record.public_key.hash}::DUALSEAL"
    assert signed.entry.message == message
    assert record.krunica_hash == signed.entry.krunica_hash
    assert record.time == signed.entry.time == minute(1)
    assert len(record.signature) == 3309
    assert (signed.head.size, signed.head.top) == (signed.entry.seq + 1, signed.entry.hash)


def test_a_record_in_every_form(deployment: Deployment) -> None:
    record = deployment.signed.record
    members = record.to_dict()
    assert members == {
        "algoritam": "ML-DSA-65",
        "identity_id": record.identity_id,
        "javni_kljuc": record.public_key.hex,
        "krunica_hash": record.krunica_hash,
        "potpis": record.signature.hex(),
        "quantum_ready": True,
        "sadrzaj_hash": record.content_hash,
        "timestamp": record.time,
        "verzija": "1",
    }
    assert json.loads(record.to_json()) == members
    forms = [
        SignatureRecord.from_dict(members),
        SignatureRecord.from_json(record.to_json()),
        SignatureRecord.from_json(json.dumps(members, indent=1).encode()),
    ]
    assert forms == [record] * 3
    verifier = Verifier(deployment.domain, deployment.ring)
    for form in (record, members, record.to_json(), record.to_json().encode()):
        assert verifier.verify(record=form, signer=deployment.identity, content=CONTENT).kind is VerdictKind.VALID


def test_signing_in_every_form_signs_the_same(deployment: Deployment) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    assert (signer.identity_id, signer.public_key) == (deployment.identity, deployment.key.public_key)
    content_hash = deployment.domain.content_hash(deployment.identity, CONTENT)
    at, t = Head.EMPTY, minute(3)
    records = [
        signer.sign(CONTENT, head=at, time=t, deterministic=True).record,
        signer.sign(bytearray(CONTENT), head=at, time=t, deterministic=True).record,
        signer.sign(memoryview(CONTENT), head=at, time=t, deterministic=True).record,
        signer.sign_hash(content_hash, head=at, time=t, deterministic=True).record,
    ]
    assert records == [records[0]] * 4


def test_signing_is_hedged_unless_asked(deployment: Deployment) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    hedged = [signer.sign(CONTENT, head=Head.EMPTY, time=10**11).record for _ in range(2)]
    assert hedged[0].signature != hedged[1].signature
    assert hedged[0].krunica_hash == hedged[1].krunica_hash
    verifier = Verifier(deployment.domain, deployment.ring)
    for record in hedged:
        assert verifier.verify(record=record, signer=deployment.identity, content=CONTENT).kind is VerdictKind.VALID


def test_json_is_signed_by_its_canonical_form(deployment: Deployment) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    document = {"total": 120, "items": ["a", {"x": None}], "paid": False}
    text = '{ "paid":false, "items" : ["a",{"x":null}],"total":120 }'
    at, t = Head.EMPTY, minute(3)
    records = [
        signer.sign_json(document, head=at, time=t, deterministic=True).record,
        signer.sign_json(text, head=at, time=t, deterministic=True).record,
        signer.sign_json(text.encode(), head=at, time=t, deterministic=True).record,
        signer.sign(dualseal.canonical_json(document), head=at, time=t, deterministic=True).record,
    ]
    assert records == [records[0]] * 4
    verifier = Verifier(deployment.domain, deployment.ring)
    content = dualseal.canonical_json(document)
    assert verifier.verify(record=records[0], signer=deployment.identity, content=content).kind is VerdictKind.VALID


def test_the_chain_head_and_the_time_must_be_given(deployment: Deployment) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    with pytest.raises(TypeError, match="head"):
        signer.sign(CONTENT, time=10**11)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="time"):
        signer.sign(CONTENT, head=Head.EMPTY)  # type: ignore[call-arg]


def test_content_or_its_hash(deployment: Deployment) -> None:
    verifier = Verifier(deployment.domain, deployment.ring)
    record, ana = deployment.signed.record, deployment.identity
    content_hash = deployment.domain.content_hash(ana, CONTENT)
    assert verifier.verify(record=record, signer=ana, content_hash=content_hash).kind is VerdictKind.VALID
    other = deployment.domain.content_hash(ana, b"another contract")
    assert verifier.verify(record=record, signer=ana, content_hash=other).kind is VerdictKind.INVALID
    for arguments in ({}, {"content": CONTENT, "content_hash": content_hash}):
        with pytest.raises(TypeError, match="exactly one"):
            verifier.verify(record=record, signer=ana, **arguments)  # type: ignore[arg-type]


def test_a_record_does_not_vouch_for_its_own_content(deployment: Deployment) -> None:
    """Whoever passes on what the record says of itself would take any contract of the signer's for the one at hand."""
    verifier, record = Verifier(deployment.domain, deployment.ring), deployment.signed.record
    ana, mallory = record.identity_id, deployment.domain.identity_id(b"", "mallory", "")
    with pytest.raises(TypeError, match="HashedContent"):
        verifier.verify(record=record, signer=ana, content_hash=record.content_hash)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        verifier.verify_many([(record, record.content_hash, None)])  # type: ignore[list-item]
    elses = deployment.domain.content_hash(mallory, CONTENT)
    with pytest.raises(MisuseError, match="another"):
        verifier.verify(record=record, signer=ana, content_hash=elses)
    with pytest.raises(MisuseError, match="another"):
        Signer(deployment.domain, ana, deployment.key).sign_hash(elses, head=Head.EMPTY, time=minute(3))
    same = HashedContent.from_parts(ana, deployment.domain.content_hash(ana, CONTENT).hash)
    assert same == deployment.domain.content_hash(ana, CONTENT)
    assert (same.identity_id, repr(same)) == (ana, f"HashedContent(identity_id='{ana}', hash='{same.hash}')")


@pytest.mark.parametrize("record", [None, 5, ["a"], object()])
def test_what_is_no_record_is_a_type_error(deployment: Deployment, record: object) -> None:
    verifier = Verifier(deployment.domain, deployment.ring)
    with pytest.raises(TypeError, match="expected JSON"):
        verifier.verify(record=record, signer=deployment.identity, content=b"")  # type: ignore[arg-type]


def test_a_key_is_a_key(deployment: Deployment) -> None:
    for key in (b"\x07" * 32, deployment.key.public_key, None):
        with pytest.raises(TypeError):
            Signer(deployment.domain, deployment.identity, key)  # type: ignore[arg-type]


def test_a_verifier_without_a_cache_and_its_ring(deployment: Deployment) -> None:
    verifier = Verifier(deployment.domain, deployment.ring, cache_bytes=0)
    assert verifier.ring is deployment.ring
    for _ in range(2):
        verdict = verifier.verify(record=deployment.signed.record, signer=deployment.identity, content=CONTENT)
        assert verdict.kind is VerdictKind.VALID


def test_a_plain_message_is_no_place_of_a_signature(deployment: Deployment, log: Log) -> None:
    """Somebody appends a bare hash in Ana's name, and completes it later with her stolen retired key."""
    domain, identity, key = deployment.domain, deployment.identity, deployment.key
    before = deployment.head
    content_hash = domain.content_hash(identity, CONTENT).hash
    planted = deployment.chain.append(domain, identity, content_hash, minute(2))
    with pytest.raises(MisuseError):
        deployment.chain.append(domain, identity, f"DUALSEAL-SIGN::SIGNED::{content_hash}::x::DUALSEAL", minute(2))
    deployment.rotate(SigningKey.generate().public_key)
    forged = Signer(domain, identity, key).sign(CONTENT, head=before, time=minute(2))
    (at,) = places(log.covering(deployment.head), deployment.chain, [planted.krunica_hash])
    verifier = Verifier(domain, deployment.ring)
    verdict = verifier.verify(record=forged.record, signer=identity, content=CONTENT, place=at)
    assert (verdict.kind, verdict.reason) == (VerdictKind.INVALID, "retired key")
    key_hash = key.public_key.hash
    message = f"DUALSEAL-SIGN::SIGNED::{content_hash}::{key_hash}::DUALSEAL"
    assert forged.entry.message == message != planted.message


def test_another_signers_record_is_invalid_whoever_that_is(deployment: Deployment) -> None:
    """Anybody who is enrolled can sign any content, also in the place of whoever should."""
    domain, ana = deployment.domain, deployment.identity
    mallory, key = domain.identity_id(b"", "mallory", ""), SigningKey.generate()
    entry, head = deployment.ring.add(mallory, key.public_key, head=deployment.head, time=minute(2))
    deployment.chain.push(entry)
    signer = Signer(domain, mallory, key)
    own = signer.sign(CONTENT, head=head, time=minute(3)).record
    anas = HashedContent.from_parts(mallory, domain.content_hash(ana, CONTENT).hash)
    over_anas = signer.sign_hash(anas, head=head, time=minute(3)).record
    verifier = Verifier(domain, deployment.ring)
    for forged in (own, over_anas):
        verdict = verifier.verify(record=forged, signer=ana, content=CONTENT)
        assert (verdict.kind, verdict.reason, verdict.state) == (VerdictKind.INVALID, "other signer", None)
        item = (forged, domain.content_hash(ana, CONTENT), None)
        (found,) = verifier.verify_many([item])
        assert isinstance(found, Verdict) and found.kind is VerdictKind.INVALID
    with pytest.raises(TypeError, match="signer"):
        verifier.verify(record=own, content=CONTENT)  # type: ignore[call-arg]
    # Who asks for anybody is told who it was.
    who, verdict = verifier.verify_any_signer(record=own, content=CONTENT)
    assert (who, verdict.kind) == (mallory, VerdictKind.VALID)
    who, verdict = verifier.verify_any_signer(record=deployment.signed.record, content=CONTENT)
    assert (who, verdict.kind) == (ana, VerdictKind.VALID)
