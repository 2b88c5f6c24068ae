"""The operator's step over a folder."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from dualseal import (
    ChainReader,
    Checkpoint,
    CheckpointVerifier,
    Domain,
    Encryption,
    Entry,
    Head,
    LedgerHead,
    MalformedError,
    MisuseError,
    Pins,
    PlaceProof,
    RejectedError,
    RingKey,
    SignatureRecord,
    SigningKey,
    VaultMaster,
    VaultPolicy,
    VaultRecord,
    VaultSealer,
    VaultVerifier,
    VerifiedCheckpoint,
)
from dualseal.operator import Batch, Folder, FolderError, Master, RefusedError, StepError, sign_all

from conftest import ORIGIN, minute


class Log:
    """A folder with one identity, who signs the log's checkpoints too."""

    def __init__(self, path: Path, domain: Domain) -> None:
        self.path, self.mark, self.domain = path / "log", path / "mark.json", domain
        self.ring_key = RingKey(domain, bytes([9]) * 32)
        self.ana, self.key = domain.identity_id(b"", "ana", ""), SigningKey.generate()
        self.folder = Folder.found(
            self.path, mark=self.mark, domain=domain, origin=ORIGIN, ring_key=self.ring_key
        )
        with self.folder.hold() as held:
            batch = Batch(held.state)
            with batch.step(minute(0)) as step:
                step.add_key(self.ana, self.key.public_key)
            held.finish(batch, [])

    def again(self, origin: str = ORIGIN, wait: float = 60.0) -> Folder:
        return Folder(
            str(self.path), mark=self.mark, domain=self.domain, origin=origin, ring_key=self.ring_key, wait=wait
        )

    def sign(self, content: bytes) -> SignatureRecord:
        with self.again().hold() as held:
            batch = Batch(held.state)
            with batch.step(minute(1)) as step:
                ticket = step.sign(self.ana, self.domain.content_hash(self.ana, content))
            return held.finish(batch, [self.key]).records[ticket]

    def checkpoint(self) -> Checkpoint:
        with self.again().hold() as held:
            return held.checkpoint(self.ana, self.key, time=minute(9))


    def verified(self, checkpoint: Checkpoint) -> VerifiedCheckpoint:
        pins = Pins(origin=ORIGIN, identity_id=self.ana, key_hash=self.key.public_key.hash, least_size=1)
        return CheckpointVerifier(self.domain, pins).verify(checkpoint).verified()

    def entries(self) -> list[Entry]:
        with self.again().read() as reading:
            return list(reading.entries())


@pytest.fixture
def kept(tmp_path: Path, domain: Domain) -> Log:
    return Log(tmp_path, domain)


def test_a_folder_gives_its_entries_records_and_proofs(kept: Log) -> None:
    records = [kept.sign(b"contract %d" % number) for number in range(5)]
    checkpoint = kept.checkpoint()
    kept.sign(b"later")
    verified = kept.verified(checkpoint)
    with kept.folder.read() as reading, kept.again().read():
        entries = list(reading.entries())
        assert [entry.seq for entry in reading.entries(5)] == [5, 6]
        assert list(reading.entries(7)) == []
        for seq, record in enumerate(records, 1):
            path = reading.prove_entry(checkpoint.size, seq)
            assert path is not None
            assert PlaceProof(checkpoint, entries[seq], path).verify(verified).entry == entries[seq]
            text = reading.record(seq)
            assert text is not None
            assert SignatureRecord.from_json(text) == record
        assert (reading.record(0), reading.record(7), reading.prove_entry(7, 7)) == (None, None, None)
        assert reading.prove_growth(6, 7)
        state = reading.state
    assert ChainReader(kept.domain, up_to=state.head).read(entries).head == state.head
    assert state.last is not None
    assert (state.last[0], kept.folder.path) == (6, kept.path)
    for dead in (lambda: reading.state, lambda: reading.record(0)):
        with pytest.raises(MisuseError):
            dead()
    with pytest.raises(MalformedError):
        reading.entries(-1)


def test_what_was_not_committed_has_not_happened(kept: Log) -> None:
    with pytest.raises(ZeroDivisionError), kept.folder.hold() as held:
        batch = Batch(held.state)
        with batch.step(minute(1)) as step:
            step.append(kept.ana, "lost")
        raise ZeroDivisionError
    with pytest.raises(MisuseError):
        held.finish(batch, [])
    with kept.folder.hold() as held:
        assert held.state.head.size == 1
        batch = Batch(held.state)
        with batch.step(minute(1)) as step:
            step.sign(kept.ana, kept.domain.content_hash(kept.ana, b"one contract"))
        placed, to_sign = batch.place()
        state, changes = placed.finish(sign_all(to_sign, [kept.key]))
        held.commit(state, changes)
        for late in (lambda: held.commit(state, changes), lambda: held.state):
            with pytest.raises(MisuseError):
                late()
    # The same changes, where they do not go on.
    with kept.folder.hold() as held, pytest.raises(MisuseError) as stale:
        held.commit(state, changes)
    assert stale.value.name == "stale-head"
    with kept.folder.hold() as held:
        assert held.state.head == state.head
        batch = Batch(held.state)
        with batch.step(minute(2)) as step:
            step.sign(kept.ana, kept.domain.content_hash(kept.ana, b"another"))
        with pytest.raises(StepError) as nobody:
            held.finish(batch, [])
    assert (nobody.value.name, bool(nobody.value.advice)) == ("no-key", True)


def test_one_after_the_other_holds_a_folder(kept: Log) -> None:
    with ThreadPoolExecutor(4) as pool:
        records = list(pool.map(lambda number: kept.sign(b"%d" % number), range(16)))
    with kept.folder.read() as reading:
        handles = {entry.krunica_hash for entry in reading.entries(1)}
    assert handles == {record.krunica_hash for record in records}
    with kept.folder.hold(), pytest.raises(FolderError) as waited, kept.again(wait=0).hold():
        pass
    assert waited.value.name == "disk"
    assert waited.value.advice
    again = pickle.loads(pickle.dumps(waited.value))
    assert (again.name, again.advice, again.commit) == ("disk", waited.value.advice, "not")
    with pytest.raises(ValueError, match="negative"):
        kept.again(wait=-1)


def test_what_does_not_belong_together_is_refused(kept: Log, tmp_path: Path) -> None:
    with pytest.raises(FolderError) as exists:
        Log(tmp_path, kept.domain)
    assert exists.value.name == "exists"
    with pytest.raises(RefusedError) as other, kept.again(origin="example.org/other").hold():
        pass
    assert (other.value.name, bool(other.value.advice)) == ("other-log", True)
    kept.sign(b"one contract")
    before = {path: path.read_bytes() for path in kept.path.rglob("*") if path.is_file()}
    kept.sign(b"another")
    kept.checkpoint()
    assert kept.checkpoint().size == 3
    for path in [path for path in kept.path.rglob("*") if path.is_file()]:
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)
    with pytest.raises(RefusedError) as restored:
        kept.sign(b"a fork")
    assert restored.value.name == "restored"
    (kept.path / "chain.jsonl").unlink()
    with pytest.raises(FolderError) as missing, kept.again().read():
        pass
    assert missing.value.name == "missing"
    with pytest.raises(MisuseError) as stale, Log(tmp_path / "new", kept.domain).folder.hold() as held:
        held.checkpoint(kept.ana, kept.key, time=minute(9))
    assert stale.value.code == 345


def test_a_folder_keeps_what_traces_a_leak(kept: Log) -> None:
    at_rest = Master(kept.domain, bytes([7]) * 32)
    master, ledger = VaultMaster.generate(kept.domain), LedgerHead.draw()
    sealing = VaultSealer(master, kept.ana, kept.key).stream("CONTRACT", encryption="none")
    stored = sealing.update(b"one contract")
    unplaced, rest = sealing.finish_unplaced(ledger=ledger, time=minute(1))
    assert stored + rest == b"one contract"
    with kept.folder.hold() as held:
        batch = Batch(held.state.with_ledger(ledger.ledger))
        with batch.step(minute(1)) as step:
            made = step.vault(unplaced)
            row = bytes.fromhex(made.entry.hash)
            step.keep(at_rest.seal(b"the record's own", table="records", row=row, purpose="vault"))
        assert made.secret is None
        record = held.finish(batch, []).vault_records[made.index]
    with kept.folder.read() as reading:
        text = reading.record(made.entry.seq)
        assert reading.state.ring.decoy_count == 1
        secret = reading.secret(table="records", row=row, purpose="vault")
        assert reading.secret(table="records", row=row, purpose="other") is None
    assert secret is not None
    assert at_rest.open(secret, table="records", row=row, purpose="vault") == b"the record's own"
    assert kept.folder.audit()[3] == 1
    with kept.folder.hold() as held:
        batch = Batch(held.state)
        with batch.step(minute(2)) as step:
            step.forget(table="records", row=row, purpose="vault")
        held.finish(batch, [])
    with kept.folder.read() as reading:
        assert reading.secret(table="records", row=row, purpose="vault") is None
    assert kept.folder.audit()[3] == 0
    for file in (kept.path / "secrets").iterdir():
        file.write_bytes(secret)
    with pytest.raises(RefusedError) as back:
        kept.again().audit()
    assert back.value.name == "secret-other"
    assert text is not None
    assert text == record.to_stored_json()
    assert not VaultRecord.from_json(text).is_redacted


def test_an_erasure_is_placed_in_a_step(kept: Log) -> None:
    master, ledger = VaultMaster.generate(kept.domain), LedgerHead.draw()
    vault = VaultSealer(master, kept.ana, kept.key)
    sealing = vault.stream("CONTRACT", encryption=Encryption.STREAM)
    stored = sealing.update(b"one contract")
    unplaced, rest = sealing.finish_unplaced(ledger=ledger, time=minute(1))
    with kept.folder.hold() as held:
        batch = Batch(held.state.with_ledger(ledger.ledger))
        with batch.step(minute(1)) as step:
            made = step.vault(unplaced)
        assert made.record.is_redacted
        record = held.finish(batch, []).vault_records[made.index]
    reader = ChainReader(kept.domain, under=kept.verified(kept.checkpoint()))
    watched = reader.ledger(ledger.ledger, master=master)
    places = reader.read(kept.entries())[watched]
    with kept.folder.hold() as held:
        report = VaultVerifier(kept.domain, held.state.ring).verify(
            record, stored + rest, signer=kept.ana, policy=VaultPolicy.operator(master), place=places.locate(record)
        )
        batch = Batch(held.state)
        with batch.step(minute(2)) as step:
            end = step.ledger(ledger.ledger)
            erasure = vault.erase(report, "no chain", ledger=end, head=step.head, time=minute(2))
            elsewhere = vault.erase(report, "no chain", ledger=end, head=Head.EMPTY, time=minute(2))
            with pytest.raises(RejectedError):
                step.erase(kept.key.public_key, elsewhere)
            with pytest.raises(MisuseError):
                step.erase(SigningKey.generate().public_key, erasure)
            done = step.erase(kept.key.public_key, erasure)
        changes = held.finish(batch, [])
    assert (done.secret, done.ledger.size, done.record.kind) == (None, 2, "ERASURE")
    assert record.vault_id.encode() in erasure.stored
    assert changes.vault_records[done.index].to_stored_json() == erasure.sealed.record.to_stored_json()
    assert kept.folder.audit() == (3, 0, 2, 0)


def test_an_audit_and_a_mark_made_anew(kept: Log) -> None:
    for number in range(3):
        kept.sign(b"contract %d" % number)
    old = kept.verified(kept.checkpoint())
    kept.sign(b"one more")
    newest = kept.verified(kept.checkpoint())
    assert kept.folder.audit() == (5, 4, 0, 0)
    kept.mark.unlink()
    with pytest.raises(RefusedError) as signed:
        kept.folder.renew_unsigned_mark()
    assert signed.value.name == "mark-other"
    with pytest.raises(RefusedError) as missing:
        kept.sign(b"without")
    assert missing.value.name == "mark-missing"
    with pytest.raises(RefusedError) as older:
        kept.folder.renew_mark(old)
    assert older.value.name == "mark-other"
    kept.folder.renew_mark(newest)
    kept.sign(b"and on")
    tree = kept.path / "chain.tree"
    bytes_ = bytearray(tree.read_bytes())
    bytes_[40] ^= 1
    tree.write_bytes(bytes_)
    with pytest.raises(FolderError) as broken:
        kept.again().audit()
    assert broken.value.name == "broken"


def test_a_mark_that_was_lost_before_any_checkpoint(kept: Log) -> None:
    kept.sign(b"one contract")
    kept.mark.unlink()
    with pytest.raises(RefusedError):
        kept.sign(b"another")
    kept.folder.renew_unsigned_mark()
    kept.sign(b"another")
    kept.checkpoint()


def test_a_folder_shows_and_pickles_nothing(kept: Log) -> None:
    with kept.folder.hold() as held:
        shown = repr([kept.folder, held, held.state])
    assert "0909" not in shown
    with kept.folder.read() as reading:
        pass
    for one in (kept.folder, held, reading):
        with pytest.raises(TypeError):
            pickle.dumps(one)


def test_a_batch_of_another_store_is_refused(kept: Log, tmp_path: Path) -> None:
    other = Log(tmp_path / "other", kept.domain)
    with other.folder.hold() as held:
        batch = Batch(held.state)
        with batch.step(minute(1)) as step:
            step.append(other.ana, "elsewhere")
    with kept.folder.hold() as held, pytest.raises(MisuseError) as elsewhere:
        held.finish(batch, [])
    assert elsewhere.value.name == "stale-head"
    with kept.folder.hold() as held:
        batch = Batch(held.state)
        with pytest.raises(StepError), batch.step(minute(1)) as step:
            step.ledger("0" * 64)
        assert held.finish(batch, []).entries == ()
