"""Ledgers: checked as a whole, erased from, traced back to, and verified in batches."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Literal

import pytest
from dualseal import (
    ChainReader,
    Dealer,
    DecoyError,
    Domain,
    Erasure,
    HashedContent,
    InvalidError,
    KeyState,
    LedgerCheck,
    LedgerHead,
    LedgerSummary,
    LocatedLedger,
    MalformedError,
    MisuseError,
    OwnSplits,
    RejectedError,
    RevokedError,
    SealedErasure,
    SignatureRecord,
    Signer,
    SigningKey,
    StoredHash,
    SuspendedError,
    VaultMaster,
    VaultOutcome,
    VaultPolicy,
    VaultRecord,
    VaultReport,
    VaultSealer,
    Verdict,
    VerdictKind,
    Verifier,
    trace,
    trace_decoy,
    unseal,
)

from archive import Archive, minute


@pytest.fixture
def archive() -> Archive:
    archive = Archive()
    archive.seal(b"first")
    archive.seal(b"second", "none")
    archive.seal(b"third")
    return archive


def begin(archive: Archive, policy: VaultPolicy | None = None, located: LocatedLedger | None = None) -> LedgerCheck:
    return LedgerCheck(
        archive.verifier, archive.ledger.ledger, policy=policy or archive.operator, located=located
    )


def check(archive: Archive, policy: VaultPolicy | None = None) -> LedgerSummary:
    ledger = begin(archive, policy, archive.located())
    for kept in archive.kept:
        ledger.push(kept.record, kept.stored)
    return ledger.finish()


def test_a_whole_ledger_holds(archive: Archive) -> None:
    assert len(archive.located()) == 3
    for policy in (archive.operator, VaultPolicy.public()):
        summary = check(archive, policy)
        assert (summary.valid, summary.revoked, summary.suspended, summary.decoys) == (3, 0, 0, 0)
        assert summary.head == archive.ledger
        assert summary.head == LedgerHead.from_parts(archive.ledger.ledger, 3, archive.kept[2].record.to_dict()[
            "sealed"]["layers"]["L0"]["hash"])


@pytest.mark.parametrize(("state", "kind"), [(KeyState.REVOKED, "revoked"), (KeyState.DECOY, "decoys")])
def test_verdicts_are_counted(archive: Archive, state: KeyState, kind: str) -> None:
    archive.set_state(state)
    summary = check(archive, VaultPolicy.public())
    assert (summary.valid, getattr(summary, kind)) == (0, 3)


def fault(error: pytest.ExceptionInfo[RejectedError]) -> tuple[int, int | None, str | None]:
    return (error.value.code, error.value.index, error.value.field)


def test_a_ledger_that_does_not_hold_is_refused(archive: Archive) -> None:
    first, second, _ = archive.kept
    public, located = VaultPolicy.public(), archive.located()
    short = begin(archive, public, located)
    short.push(first.record, first.stored)
    with pytest.raises(RejectedError) as truncated:
        short.finish()
    assert fault(truncated) == (251, 1, None)
    with pytest.raises(MisuseError):
        short.finish()
    twice = begin(archive, public, located)
    twice.push(first.record.to_json(), StoredHash.of(archive.domain, first.stored))
    for record, stored in ((first.record, first.stored), (second.record, second.stored)):
        with pytest.raises(RejectedError) as fork:
            twice.push(record, stored)
        assert fault(fork) == (252, 1, None)
    members = second.record.to_dict()
    members["sealed"]["layers"]["L1"]["text"] = "nothing to see"
    changed = begin(archive, public, located)
    changed.push(first.record, first.stored)
    with pytest.raises(RejectedError) as layer:
        changed.push(VaultRecord.from_dict(members), second.stored)
    assert fault(layer) == (253, 1, "L5")
    with pytest.raises(RejectedError) as unlocated:
        begin(archive).push(first.record, first.stored)
    assert fault(unlocated) == (253, 0, "L6")
    stranger = Archive()
    with pytest.raises(RejectedError) as other:
        begin(stranger, public).push(first.record, first.stored)
    assert fault(other) == (254, 0, None)
    assert located.locate(stranger.seal().record) is None


def test_a_missing_decoy_is_named(archive: Archive) -> None:
    sealed, stored = archive.vault.seal(
        b"", "EMPTY", encryption="none", ledger=archive.ledger, head=archive.chain.head, time=minute(2)
    )
    archive.keep(sealed, stored, decoy=False)
    with pytest.raises(RejectedError) as missing:
        check(archive)
    assert fault(missing) == (255, 3, None)
    assert check(archive, VaultPolicy.public()).valid == 4


def test_a_chain_is_streamed_as_text(archive: Archive) -> None:
    reader = ChainReader(archive.domain, under=archive.checkpoint())
    watched = reader.ledger(archive.ledger.ledger)
    located = reader.read(archive.chain.to_json_lines().splitlines())[watched]
    assert len(located) == 3
    place = located.locate(archive.kept[1].record)
    assert place is not None and place.entry == archive.kept[1].record.entry
    short = ChainReader(archive.domain, under=archive.checkpoint())
    short.ledger(archive.ledger.ledger)
    short.push(archive.chain[0])
    with pytest.raises(RejectedError) as truncated:
        short.finish()
    assert (truncated.value.code, truncated.value.found) == (204, 1)


def test_what_anybody_writes_ends_no_ledger(archive: Archive) -> None:
    """Everybody who may write to the log can write what looks like a record's entry."""
    elsewhere, zeros = Domain("ELSEWHERE"), "0" * 64
    beginning = f"DUALSEAL-VAULT::L8::{archive.ledger.ledger}::"
    repeated = archive.kept[0].record.entry.message
    for message in (f"{beginning}0::{zeros}::{zeros}::DUALSEAL", f"{beginning}7::{zeros}::{zeros}::DUALSEAL", repeated):
        archive.chain.append(elsewhere, archive.identity, message, minute(9))
    archive.chain.append(elsewhere, archive.identity, beginning, minute(9))
    located, unverified = archive.located(), archive.located(None)
    tags = [{"reason": "tag", "seq": seq} for seq in (4, 5, 6)]
    form = {"reason": "form", "seq": 7}
    assert located.is_verified and located.ignored == {"entries": [*tags, form], "more": 0} and len(located) == 3
    assert not unverified.is_verified and unverified.ignored == {"entries": [form], "more": 0}
    assert check(archive).valid == 3

    # A reader without the master cannot tell them from records that are missing, and says so.
    public = begin(archive, VaultPolicy.public(), unverified)
    for kept in archive.kept[:2]:
        assert public.push(kept.record, kept.stored).layers["L8"][0] is VaultOutcome.PASS
    seqs = [entry["seq"] for entry in public.finish().unverified["entries"]]
    assert seqs == [4, 6, 3, 5]
    with pytest.raises(MisuseError) as refused:
        begin(archive, archive.operator, unverified).push(archive.kept[0].record, archive.kept[0].stored)
    assert refused.value.code == 336


def test_what_leaked_names_its_vault(archive: Archive) -> None:
    kept = archive.kept[1]
    fragment: str = json.loads(kept.record.to_stored_json())["L7"]["fragment"]
    redacted = [kept.record.redacted() for kept in archive.kept]
    assert trace(fragment, redacted) == kept.record.vault_id
    assert trace("00" * 32, redacted) is None
    with pytest.raises(MalformedError, match="fragment"):
        trace("00", redacted)
    thief = Signer(archive.domain, archive.identity, SigningKey.from_seed(bytes.fromhex(fragment)))
    forged = thief.sign(b"all is mine", head=archive.chain.head, time=minute(4))
    verifier = Verifier(archive.domain, archive.ring)
    verdict = verifier.verify(record=forged.record, signer=archive.identity, content=b"all is mine")
    assert verdict.kind is VerdictKind.DECOY and verdict.decoy_key_hash
    assert trace_decoy(archive.master, verdict, redacted) == kept.record.vault_id
    assert trace_decoy(archive.master, verdict, [redacted[0]]) is None
    other = verifier.verify(record=forged.record, signer=archive.identity, content=b"")
    with pytest.raises(ValueError, match="not DECOY"):
        trace_decoy(archive.master, other, redacted)


def erase(
    archive: Archive,
    erased: VaultReport,
    splits: OwnSplits | Literal["no chain"] = "no chain",
    prepared: Sequence[str] = (),
    ledger: LedgerHead | None = None,
    vault: VaultSealer | None = None,
) -> SealedErasure:
    return (vault or archive.vault).erase(
        erased,
        splits,
        prepared=prepared,
        ledger=ledger or archive.ledger,
        head=archive.chain.head,
        time=minute(2),
        note="court order",
    )


def test_only_what_the_operator_judged_is_erased(archive: Archive) -> None:
    first, _, third = archive.kept
    with pytest.raises(TypeError):
        erase(archive, first.record)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        erase(archive, archive.verified(first))  # type: ignore[arg-type]
    public = archive.verifier.verify(first.record, first.stored, signer=archive.identity, policy=VaultPolicy.public())
    with pytest.raises(TypeError, match="operator"):
        erase(archive, public)
    with pytest.raises(InvalidError) as planted:
        erase(archive, archive.judge(first, third.record))
    assert planted.value.failed == "L0"
    unplaced = archive.verifier.verify(first.record, first.stored, signer=archive.identity, policy=archive.operator)
    with pytest.raises(InvalidError):
        erase(archive, unplaced)


@pytest.mark.parametrize("state", [KeyState.REVOKED, KeyState.SUSPENDED])
def test_a_record_whose_key_was_revoked_is_erased(archive: Archive, state: KeyState) -> None:
    first, _, third = archive.kept
    archive.set_state(state)
    with pytest.raises((RevokedError, SuspendedError)):
        archive.verified(first)
    erasure = erase(archive, archive.judge(first))
    assert erasure.sealed.record.kind == "ERASURE" and first.record.vault_id.encode() in erasure.stored
    with pytest.raises((RevokedError, SuspendedError)):
        erase(archive, archive.judge(first, third.record))


def test_what_a_decoy_signed_is_not_erased(archive: Archive) -> None:
    archive.set_state(KeyState.DECOY)
    with pytest.raises(DecoyError):
        erase(archive, archive.judge(archive.kept[0]))


def test_another_vault_erases_nothing(archive: Archive) -> None:
    report = archive.judge(archive.kept[2])
    for domain, secret in ((archive.domain, bytes([9]) * 32), (Domain("ACME"), bytes([8]) * 32)):
        vault = VaultSealer(VaultMaster(domain, secret), archive.identity, archive.key)
        with pytest.raises(MisuseError) as other:
            erase(archive, report, vault=vault)
        assert other.value.code == 332
    with pytest.raises(MisuseError) as early:
        erase(archive, report, ledger=archive.kept[1].record.ledger_head)
    assert early.value.code == 332


def test_an_erasure_is_a_record(archive: Archive) -> None:
    first, second, third = archive.kept
    prepared = ["ff" * 32, "0a" * 32, "ff" * 32]
    with pytest.raises(MisuseError) as plain:
        erase(archive, archive.judge(second))
    with pytest.raises(MisuseError) as foreign:
        erase(archive, archive.judge(first), ledger=LedgerHead.draw())
    assert (plain.value.code, foreign.value.code) == (331, 332)
    made = erase(archive, archive.judge(first), prepared=prepared)
    assert made.end is None and made.head == made.sealed.head
    sealed, stored = made.sealed, made.stored
    kept = archive.keep_erasure(made)
    assert sealed.secret is None and kept.record.kind == "ERASURE" and kept.record.note == "court order"
    place, elsewhere = archive.located().locate(kept.record), archive.located().locate(second.record)
    assert place is not None and elsewhere is not None
    erasure = Erasure.read(archive.verified(kept), place, stored)
    assert (erasure.vault_id, erasure.splits) == (first.record.vault_id, ["0a" * 32, "ff" * 32])
    assert erasure.seq == kept.record.entry.seq
    assert erasure.covers(first.record) and not erasure.covers(third.record)
    with pytest.raises(MisuseError) as other:
        Erasure.read(archive.verified(second), elsewhere, second.stored)
    with pytest.raises(RejectedError) as changed:
        Erasure.read(archive.verified(kept), place, stored + b" ")
    assert (other.value.code, changed.value.code) == (335, 250)
    # It counts where it is located, and at its own place only.
    with pytest.raises(TypeError):
        Erasure.read(archive.verified(kept), None, stored)  # type: ignore[arg-type]
    with pytest.raises(RejectedError) as misplaced:
        Erasure.read(archive.verified(kept), elsewhere, stored)
    assert misplaced.value.code == 256
    # The ledger holds as before. The document is gone with its secret.
    assert check(archive).valid == 4
    with pytest.raises(MisuseError) as gone:
        unseal(archive.verified(first), first.stored)
    assert gone.value.code == 334


def test_a_split_under_another_master_is_not_dealt(archive: Archive) -> None:
    """The erasure goes by the record's own master, and would leave the split out."""
    first, third = archive.kept[0].record, archive.kept[2].record
    following = VaultMaster(archive.domain, bytes([9]) * 32)
    renamed = VaultMaster(Domain("ACME"), bytes([8]) * 32)

    def named(member: str, value: str) -> VaultRecord:
        """As the store has it."""
        changed = json.loads(first.to_stored_json())
        changed["sealed"]["header"][member] = value
        return VaultRecord.from_json(json.dumps(changed))

    for record, master in [
        (first, following),
        (first, renamed),
        (named("key_id", following.key_id), following),
        (named("key_id", following.key_id), archive.master),
        (named("vault_id", third.vault_id), archive.master),
        (named("identity_id", "0" * 64), archive.master),
    ]:
        with pytest.raises(MisuseError):
            Dealer(record, master, m=2, node_urls=["one", "two"])
    assert repr(Dealer(first, archive.master, m=2, node_urls=["one", "two"])).endswith("m=2, n=2)")


def test_an_erasure_names_every_split_in_the_chain(archive: Archive) -> None:
    first, _, third = archive.kept
    before, report = archive.chain.head, archive.judge(first)
    one, two = archive.split(first), archive.split(first)
    of_third = archive.split(third)
    # A walk of another vault, or over a part of the chain, finds none of them.
    for own, code in ((archive.own_splits(third), 316), (archive.own_splits(first, before), 337)):
        with pytest.raises(MisuseError) as refused:
            erase(archive, report, own)
        assert refused.value.code == code
    with pytest.raises(ValueError, match="no chain"):
        erase(archive, report, "none")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        erase(archive, report, [one, two])  # type: ignore[arg-type]
    size = archive.chain.head.size
    kept = archive.keep_erasure(erase(archive, report, archive.own_splits(first), ["0a" * 32]))
    assert archive.chain.head.size == size + 2
    place = archive.located().locate(kept.record)
    assert place is not None
    erasure = Erasure.read(archive.verified(kept), place, kept.stored)
    assert erasure.splits == sorted([one, two, "0a" * 32])
    splits = archive.own_splits(first).splits
    assert (splits.erased_at, splits.last, splits.after_erasure) == (size + 1, None, [])
    assert erasure.spared(splits) == []
    with pytest.raises(MisuseError):
        erasure.spared(archive.own_splits(third).splits)
    # Nothing continues it; the other vault goes on.
    with pytest.raises(RejectedError) as erased:
        archive.split(first)
    assert erased.value.code == 248
    assert archive.own_splits(third).splits.last == of_third
    assert check(archive).valid == 4
    # Another erasure of it ends nothing again.
    assert erase(archive, archive.judge(first), archive.own_splits(first)).end is None


def test_a_later_split_is_reported(archive: Archive) -> None:
    first, hidden = archive.kept[0], archive.split(archive.kept[0])
    kept = archive.keep_erasure(erase(archive, archive.judge(first)))
    later = archive.split(first)
    place = archive.located().locate(kept.record)
    assert place is not None
    erasure = Erasure.read(archive.verified(kept), place, kept.stored)
    assert erasure.splits == []
    spared = erasure.spared(archive.own_splits(first).splits)
    assert [split for _, split in spared] == [hidden, later]
    assert [seq > erasure.seq for seq, _ in spared] == [False, True]


def test_a_batch_concludes_as_single_calls_do(archive: Archive) -> None:
    located, seen = archive.located(), list[tuple[int, int]]()
    items = [
        (kept.record, StoredHash.of(archive.domain, kept.stored), archive.identity, located.locate(kept.record), None)
        for kept in archive.kept
    ]
    items[1] = (items[1][0], items[0][1], *items[1][2:])
    found = archive.verifier.verify_many(
        items * 100, policy=archive.operator, progress=lambda done, all: seen.append((done, all))
    )
    reports = [report for report in found if isinstance(report, VaultReport)]
    expected = [VerdictKind.VALID, VerdictKind.INVALID, VerdictKind.VALID] * 100
    assert [report.verdict.kind for report in reports] == expected
    assert reports[1].failed == "L0"
    assert seen[-1] == (300, 300) and len(seen) > 1 and seen == sorted(seen)
    public = archive.verifier.verify_many(
        [
            (kept.record.to_json(), items[0][1], archive.identity, None, kept.record.ledger_head)
            for kept in archive.kept[:1]
        ],
        policy=VaultPolicy.public(),
    )
    assert isinstance(public[0], VaultReport) and public[0].failed == "L0"
    (other,) = archive.verifier.verify_many([(*items[0][:2], "0" * 64, *items[0][3:])], policy=archive.operator)
    assert isinstance(other, VaultReport) and (other.verdict.reason, other.failed) == ("other signer", None)
    # What is no record has its error in its place.
    mixed = archive.verifier.verify_many(
        [items[0], ("{}", *items[0][1:]), (*items[0][:2], "ana", *items[0][3:]), items[2]], policy=archive.operator
    )
    assert [type(outcome) for outcome in mixed] == [VaultReport, MalformedError, MalformedError, VaultReport]
    assert archive.verifier.verify_many([], policy=archive.operator) == []


def signatures(archive: Archive, count: int) -> list[tuple[SignatureRecord, HashedContent, None]]:
    signed = Signer(archive.domain, archive.identity, archive.key).sign(
        b"x", head=archive.chain.head, time=minute(4)
    )
    return [(signed.record, archive.domain.content_hash(archive.identity, b"x"), None)] * count


def test_signature_records_go_in_batches_too(archive: Archive) -> None:
    items = signatures(archive, 300)
    items[7] = (items[7][0], archive.domain.content_hash(archive.identity, b"y"), None)
    seen: list[tuple[int, int]] = []
    verifier = Verifier(archive.domain, archive.ring)
    found = verifier.verify_many(items, progress=lambda done, all: seen.append((done, all)))
    verdicts = [verdict for verdict in found if isinstance(verdict, Verdict)]
    assert [verdict.kind for verdict in verdicts].count(VerdictKind.VALID) == 299
    assert verdicts[7].kind is VerdictKind.INVALID and verdicts[8].verified() == items[8][0]
    assert seen == [(256, 300), (300, 300)]


def test_what_progress_raises_is_raised(archive: Archive) -> None:
    def stop(done: int, all: int) -> None:
        raise KeyboardInterrupt(f"{done} of {all}")

    with pytest.raises(KeyboardInterrupt, match="256 of 300"):
        Verifier(archive.domain, archive.ring).verify_many(signatures(archive, 300), progress=stop)


def test_other_threads_go_on_during_a_batch(archive: Archive) -> None:
    verifier, items = Verifier(archive.domain, archive.ring), signatures(archive, 3000)
    ticks, running = 0, True

    def tick() -> None:
        nonlocal ticks
        while running:
            ticks += 1
            threading.Event().wait(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    verifier.verify_many(items)
    during = ticks - before
    running = False
    thread.join()
    # With the interpreter lock held for all of it, there would be none or one.
    assert during > 5
