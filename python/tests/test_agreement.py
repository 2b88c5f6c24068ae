"""A chain against a checkpoint: what is found out, and the proof of a place that outlives a key."""

from __future__ import annotations

import json

import pytest
from dualseal import (
    ChainCheck,
    CheckedRing,
    Growth,
    HighWaterMark,
    Krunica,
    MalformedError,
    MisuseError,
    RejectedError,
    SigningKey,
    VerdictKind,
    Verifier,
)

from conftest import CONTENT, ORIGIN, Deployment, Log, agree, head_at, minute


@pytest.fixture
def grown(deployment: Deployment) -> Krunica:
    """Five entries, of which tests cover the first four or so."""
    for number in range(3):
        deployment.chain.append(deployment.domain, deployment.identity, f"step {number}", minute(10 + number))
    return deployment.chain


def rewritten(chain: Krunica, deployment: Deployment) -> Krunica:
    other = Krunica()
    for entry in chain:
        other.append(deployment.domain, entry.identity_id, f"not {entry.seq}", entry.time)
    return other


def retimed(chain: Krunica) -> Krunica:
    entries = chain.to_list()
    entries[1]["t"] = minute(59)
    return Krunica.from_json(json.dumps(entries))


def test_an_agreeing_chain(deployment: Deployment, log: Log, grown: Krunica) -> None:
    checkpoint = log.covering(head_at(grown[seq] for seq in range(4)))
    wanted = [grown[3].krunica_hash, grown[1].krunica_hash, grown[4].krunica_hash, "0" * 64]
    agreed = agree(checkpoint, grown, wanted)
    assert (agreed.origin, agreed.covered, agreed.head) == (ORIGIN, 4, grown.head)
    # The fifth entry is beyond the checkpoint, and nobody knows the last handle.
    assert [(located.origin, located.entry) for located in agreed.places] == [(ORIGIN, grown[1]), (ORIGIN, grown[3])]
    assert agreed.places == agree(checkpoint, grown, iter(wanted)).places
    assert agree(checkpoint, grown).places == []


def test_entries_as_json(log: Log, grown: Krunica) -> None:
    check = ChainCheck(log.covering(grown.head), locate=[grown[2].krunica_hash])
    for members, entry in zip(grown.to_list(), grown, strict=True):
        assert check.push_json(json.dumps(members)) == entry
        assert check.head.top == entry.hash
    assert [located.entry for located in check.finish().places] == [grown[2]]


def test_a_chain_that_was_cut_off(log: Log, grown: Krunica) -> None:
    with pytest.raises(RejectedError) as caught:
        agree(log.covering(grown.head), [grown[0], grown[1]])
    error = caught.value
    assert (error.code, error.needed, error.found, error.index) == (204, 5, 2, None)


@pytest.mark.parametrize(("times", "code"), [(False, 205), (True, 206)])
def test_another_chain_gives_no_proof_to_who_goes_on(
    deployment: Deployment, log: Log, grown: Krunica, times: bool, code: int
) -> None:
    other = retimed(grown) if times else rewritten(grown, deployment)
    assert Krunica.from_json(other.to_json()).head.size == 5
    check = ChainCheck(log.covering(head_at(grown[seq] for seq in range(4))), locate=[e.krunica_hash for e in other])
    for entry in other:
        if entry.seq < 3:
            check.push(entry)
            continue
        with pytest.raises(RejectedError) as caught:
            check.push(entry)
        assert (caught.value.code, caught.value.needed, caught.value.found) == (code, 4, None)
    with pytest.raises(RejectedError) as caught:
        check.finish()
    assert caught.value.code == code


def test_a_broken_chain_is_named(log: Log, grown: Krunica) -> None:
    check = ChainCheck(log.covering(grown.head))
    check.push(grown[0])
    with pytest.raises(RejectedError) as caught:
        check.push(grown[2])
    assert (caught.value.code, caught.value.index) == (202, 1)
    assert check.head.size == 1


def test_a_signer_resumes_at_its_last_checkpoint(deployment: Deployment, log: Log, grown: Krunica) -> None:
    head = head_at(grown[seq] for seq in range(4))
    last = log.covering(head)
    check = ChainCheck(last, locate=[grown[4].krunica_hash], resume=head)
    check.push(grown[4])
    agreed = check.finish()
    assert (agreed.head, agreed.places) == (grown.head, [])
    assert agreed.signed_head == head
    mark = HighWaterMark.of(last).next(agreed.growth)
    assert (mark.size, mark.top, mark.root, mark.ring) == (5, grown.head.top, grown.head.root, None)
    assert log.signer().sign(mark, time=minute(31)).root == grown.head.root
    by_entries = Growth.by_entries(HighWaterMark.of(last), head, [grown[4]])
    assert by_entries == agreed.growth
    with pytest.raises(RejectedError) as caught:
        mark.next(agreed.growth)
    assert (caught.value.code, caught.value.needed, caught.value.found) == (270, 5, 5)
    with pytest.raises(RejectedError) as caught:
        Growth.by_proof(HighWaterMark.of(last), grown.head, ["0" * 64])
    assert (caught.value.code, caught.value.needed, caught.value.found) == (270, 4, 5)
    with pytest.raises(RejectedError) as caught:
        ChainCheck(last, resume=grown.head)
    assert caught.value.code == 205
    with pytest.raises(RejectedError) as caught:
        ChainCheck(last, resume=head).push(rewritten(grown, deployment)[4])
    assert caught.value.index == 4


def test_a_check_ends_once(log: Log, grown: Krunica) -> None:
    check = ChainCheck(log.covering(grown.head))
    with pytest.raises(RejectedError):
        check.finish()
    for call in (check.finish, lambda: check.push(grown[0]), lambda: check.push_json("{}"), lambda: check.head):
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 321


def test_handles_to_locate(log: Log, grown: Krunica) -> None:
    checkpoint = log.covering(grown.head)
    with pytest.raises(MalformedError) as caught:
        ChainCheck(checkpoint, locate=["0" * 64, "x" * 64])
    assert (caught.value.field, caught.value.code, caught.value.index) == ("krunica_hash", 101, 0)
    for locate in (None, [1], [b"0" * 64]):
        with pytest.raises(TypeError):
            ChainCheck(checkpoint, locate=locate)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ChainCheck(checkpoint, ["0" * 64])  # type: ignore[call-arg]


def test_a_record_outlives_its_key_by_its_place(deployment: Deployment, log: Log) -> None:
    old = deployment.signed
    deployment.rotate(SigningKey.generate().public_key)
    assert deployment.verify().reason == "retired key"
    # The thief of the old key signs now, and says that it was before.
    deployment.sign_with(deployment.key)
    stolen = deployment.signed
    handles = [old.record.krunica_hash, stolen.record.krunica_hash]
    located = agree(log.covering(deployment.head), deployment.chain, handles).places
    assert [place.entry.seq for place in located] == [1, 3]
    assert deployment.verify(place=located[1]).reason == "retired key"
    assert deployment.verify(place=located[0]).reason == "retired key"
    deployment.signed = old
    verdict = deployment.verify(place=located[0])
    assert (verdict.kind, verdict.verified()) == (VerdictKind.VALID, old.record)
    assert deployment.verify(b"another contract", place=located[0]).reason == "content"


def test_the_place_of_another_record(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head)
    [other] = agree(checkpoint, deployment.chain, [deployment.chain[0].krunica_hash]).places
    assert deployment.verify(place=other).reason == "located"
    [right] = agree(checkpoint, deployment.chain, [deployment.signed.record.krunica_hash]).places
    assert deployment.verify(place=right).kind is VerdictKind.VALID
    elsewhere = Verifier(deployment.domain, CheckedRing("example.org/other", deployment.authority))
    assert elsewhere.verify(
        record=deployment.signed.record, signer=deployment.identity, content=CONTENT, place=right
    ).reason == "unknown identity"
