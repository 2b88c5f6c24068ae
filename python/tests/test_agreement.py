"""A chain against a checkpoint: what is found out, and the proof of a place that outlives a key."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from dualseal import (
    ChainReader,
    CheckedRing,
    Domain,
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

from conftest import CONTENT, ORIGIN, Deployment, Log, agree, followed, head_at, minute, places


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
    agreed = agree(checkpoint, grown)
    assert (agreed.origin, agreed.covered, agreed.head) == (ORIGIN, 4, grown.head)
    found = places(checkpoint, grown, wanted)
    # The fifth entry is beyond the checkpoint, and nobody knows the last handle.
    assert [(located.origin, located.entry) for located in found] == [(ORIGIN, grown[1]), (ORIGIN, grown[3])]
    assert found == places(checkpoint, grown, iter(wanted))
    assert places(checkpoint, grown, ()) == []


def test_entries_as_json(log: Log, grown: Krunica) -> None:
    reader = ChainReader(Domain(), under=log.covering(grown.head))
    one, none = reader.place(grown[2].krunica_hash), reader.place("0" * 64)
    for members, entry in zip(grown.to_list(), grown, strict=True):
        assert reader.size == entry.seq
        assert reader.push_json(json.dumps(members)) == entry
        assert reader.head is not None and reader.head.top == entry.hash
    proofs = reader.finish()
    located = proofs[one]
    assert located is not None and (located.entry, proofs[none]) == (grown[2], None)
    lines = ChainReader(Domain(), under=log.covering(grown.head))
    watched, text = lines.place(grown[2].krunica_hash), grown.to_json_lines().encode()
    for start in range(0, len(text), 7):
        lines.push_lines(text[start : start + 7])
    assert lines.finish()[watched] == located


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
    check = ChainReader(Domain(), under=log.covering(head_at(grown[seq] for seq in range(4))))
    check.places([entry.krunica_hash for entry in other])
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
    check = ChainReader(Domain(), under=log.covering(grown.head))
    check.push(grown[0])
    with pytest.raises(RejectedError) as caught:
        check.push(grown[2])
    assert (caught.value.code, caught.value.index) == (202, 1)
    assert check.size == 1
    # Who goes on is told the same, whatever comes, and given no proof.
    for call in (lambda: check.push(grown[1]), lambda: check.push_lines(b"{}\n"), check.finish):
        with pytest.raises(RejectedError) as again:
            call()
        assert (again.value.code, again.value.index) == (202, 1)


def test_a_signer_resumes_at_its_last_checkpoint(deployment: Deployment, log: Log, grown: Krunica) -> None:
    head = head_at(grown[seq] for seq in range(4))
    last = log.covering(head)
    reader = ChainReader(Domain(), begin=head, under=last)
    watched = reader.places([grown[4].krunica_hash])
    proofs = reader.read([grown[4]])
    agreed = proofs.agreed
    assert agreed is not None and (agreed.head, proofs.head, proofs[watched]) == (grown.head, grown.head, [])
    assert agreed.signed_head == head
    mark = HighWaterMark.of(last).next(agreed.growth, ring=None)
    assert (mark.size, mark.top, mark.root, mark.ring) == (5, grown.head.top, grown.head.root, None)
    assert log.signer().sign(mark, time=minute(31)).root == grown.head.root
    by_entries = Growth.by_entries(HighWaterMark.of(last), head, [grown[4]])
    assert by_entries == agreed.growth
    with pytest.raises(RejectedError) as caught:
        mark.next(agreed.growth, ring=None)
    assert (caught.value.code, caught.value.needed, caught.value.found) == (270, 5, 5)
    with pytest.raises(RejectedError) as caught:
        Growth.by_proof(HighWaterMark.of(last), grown.head, ["0" * 64])
    assert (caught.value.code, caught.value.needed, caught.value.found) == (270, 4, 5)
    other = rewritten(grown, deployment)
    with pytest.raises(RejectedError) as caught:
        ChainReader(Domain(), begin=head_at(other[seq] for seq in range(4)), under=last)
    assert caught.value.code == 205
    with pytest.raises(RejectedError) as caught:
        ChainReader(Domain(), begin=head, under=last).push(other[4])
    assert caught.value.index == 4


def test_a_check_ends_once(log: Log, grown: Krunica) -> None:
    check = ChainReader(Domain(), under=log.covering(grown.head))
    with pytest.raises(RejectedError):
        check.finish()
    for call in (check.finish, lambda: check.push(grown[0]), lambda: check.push_json("{}"), lambda: check.size):
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 321


def test_handles_to_locate(log: Log, grown: Krunica) -> None:
    checkpoint = log.covering(grown.head)
    with pytest.raises(MalformedError) as caught:
        ChainReader(Domain(), under=checkpoint).places(["0" * 64, "x" * 64])
    assert (caught.value.field, caught.value.code, caught.value.index) == ("krunica_hash", 101, 0)
    for locate in (None, [1], [b"0" * 64]):
        with pytest.raises(TypeError):
            ChainReader(Domain(), under=checkpoint).places(locate)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ChainReader(Domain(), checkpoint)  # type: ignore[arg-type, call-arg]


def test_a_fault_of_one_watcher_stops_no_other(deployment: Deployment, log: Log) -> None:
    """The ring is an old one; the place is proven all the same, and nobody takes one's proof for the other's."""
    old = deployment.file()
    deployment.rotate(SigningKey.generate().public_key)
    checkpoint, entry = log.covering(deployment.head, followed(deployment.ring, deployment.chain)), deployment.chain[0]
    reader = ChainReader(Domain(), under=checkpoint)
    ring, place = reader.ring(deployment.authority, old, masters=[]), reader.place(entry.krunica_hash)
    proofs = reader.read(deployment.chain)
    for _ in range(2):
        with pytest.raises(RejectedError) as rollback:
            proofs[ring]
        assert rollback.value.code == 207
        located = proofs[place]
        assert located is not None and located.entry == entry
    other = ChainReader(Domain(), under=checkpoint)
    foreign = other.place(entry.krunica_hash)
    with pytest.raises(MisuseError) as caught:
        proofs[foreign]
    assert caught.value.code == 342


def test_a_reader_that_is_too_late_or_has_no_end(deployment: Deployment, log: Log, grown: Krunica) -> None:
    def refused(call: Callable[[], object]) -> int:
        with pytest.raises(MisuseError) as caught:
            call()
        return caught.value.code

    checkpoint, vault, ledger = log.covering(grown.head), "0" * 64, "0" * 64
    begun = ChainReader(Domain(), under=checkpoint)
    begun.push(grown[0])
    assert refused(lambda: begun.place("0" * 64)) == 340
    late = ChainReader(Domain(), begin=head_at([grown[0]]), under=checkpoint)
    assert refused(lambda: late.splits(None, vault)) == 340
    assert refused(lambda: late.ledger(ledger)) == 340
    assert refused(lambda: ChainReader(Domain(), begin=grown.head, under=log.covering(head_at([grown[0]])))) == 340
    open_end = ChainReader(Domain())
    for call in (
        lambda: open_end.place("0" * 64),
        lambda: open_end.splits(None, vault),
        lambda: open_end.ledger(ledger),
        lambda: open_end.ring(deployment.authority, deployment.file(), masters=[]),
    ):
        assert refused(call) == 341


def test_a_record_outlives_its_key_by_its_place(deployment: Deployment, log: Log) -> None:
    old = deployment.signed
    deployment.rotate(SigningKey.generate().public_key)
    assert deployment.verify().reason == "retired key"
    # The thief of the old key signs now, and says that it was before.
    deployment.sign_with(deployment.key)
    stolen = deployment.signed
    handles = [old.record.krunica_hash, stolen.record.krunica_hash]
    located = places(log.covering(deployment.head), deployment.chain, handles)
    assert [place.entry.seq for place in located] == [1, 3]
    assert deployment.verify(place=located[1]).reason == "retired key"
    assert deployment.verify(place=located[0]).reason == "retired key"
    deployment.signed = old
    verdict = deployment.verify(place=located[0])
    assert (verdict.kind, verdict.verified()) == (VerdictKind.VALID, old.record)
    assert deployment.verify(b"another contract", place=located[0]).reason == "content"


def test_the_place_of_another_record(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head)
    [other] = places(checkpoint, deployment.chain, [deployment.chain[0].krunica_hash])
    assert deployment.verify(place=other).reason == "located"
    [right] = places(checkpoint, deployment.chain, [deployment.signed.record.krunica_hash])
    assert deployment.verify(place=right).kind is VerdictKind.VALID
    elsewhere = Verifier(deployment.domain, CheckedRing("example.org/other", deployment.authority))
    assert elsewhere.verify(
        record=deployment.signed.record, signer=deployment.identity, content=CONTENT, place=right
    ).reason == "unknown identity"
