"""The operator's step over a database: all of it with the project's own row, or nothing."""

from __future__ import annotations

import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dualseal
import pytest
from dualseal import (
    ChainReader,
    CheckedRing,
    CheckpointSigner,
    Domain,
    Entry,
    Head,
    KeyRing,
    KeyState,
    LedgerHead,
    MalformedError,
    MisuseError,
    RejectedError,
    RingFile,
    RingKey,
    SealKey,
    Sealer,
    Signer,
    SigningKey,
    Unplaced,
    VaultMaster,
    VaultSealer,
    Verifier,
)
from dualseal.operator import (
    Batch,
    Changes,
    Master,
    RefusedError,
    SecretError,
    SecretRow,
    State,
    Step,
    StepError,
    StoredState,
    sign_all,
)

from conftest import ORIGIN, Deployment, followed, minute
from sql_store import Person, Store


@pytest.fixture
def store(tmp_path: Path, domain: Domain) -> Store:
    store = Store(tmp_path / "log.sqlite", domain, RingKey(domain, bytes([9]) * 32))
    store.found()
    return store


@pytest.fixture
def master(domain: Domain) -> Master:
    return Master(domain, bytes([7]) * 32)


@pytest.fixture
def ana(store: Store) -> Person:
    return store.enrol("ana")


def test_the_example_of_the_page_runs() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "OPERATOR.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    scope: dict[str, object] = {}
    exec(compile(example, "OPERATOR.md", "exec"), scope)
    assert isinstance(scope["changes"], Changes)


def placed(batch: Batch, *keys: SigningKey) -> tuple[State, Changes]:
    placed, to_sign = batch.place()
    return placed.finish(sign_all(to_sign, keys))


def test_one_transaction_holds_the_changes_and_the_callers_row(store: Store, ana: Person) -> None:
    record = store.sign_contract(ana, 1)
    assert store.sign_contract(ana, 2).identity_id == ana.identity
    assert (store.count("contracts"), store.count("records"), store.opened().state.head.size) == (2, 2, 3)
    # What is stored is a whole log: its ring, from rows, stands up to every entry, and the record to the ring.
    with store.transaction() as db:
        ring = store.ring(db)
    state, entries = store.opened().state, store.entries()
    assert (ring.origin, ring.revision, ring.size) == (ORIGIN, 1, 3)
    reader = ChainReader(store.domain, up_to=state.head)
    watched = reader.ring(store.ring_key, ring, masters=[])
    checked = reader.read(entries)[watched].ring
    verdict = Verifier(store.domain, checked).verify(record=record, signer=ana.identity, content=b"contract 1")
    assert verdict.verified() == record
    begun = ChainReader.from_ring_file(store.domain, ring, up_to=state.head)
    assert begun.size == 3


def test_a_transaction_that_is_rolled_back_leaves_nothing(store: Store, ana: Person) -> None:
    store.sign_contract(ana, 1)
    with pytest.raises(sqlite3.IntegrityError):
        store.sign_contract(ana, 1)
    assert (store.count("contracts"), store.count("records"), store.count("entries")) == (1, 1, 2)
    assert store.opened().state.head.size == 2
    store.sign_contract(ana, 2)
    assert store.count("entries") == 3


def test_two_threads_on_one_file_make_one_chain(store: Store, ana: Person) -> None:
    numbers = range(24)
    with ThreadPoolExecutor(2) as pool:
        records = list(pool.map(lambda number: store.sign_contract(ana, number), numbers))
    entries = store.entries()
    assert [entry.seq for entry in entries] == list(range(25))
    assert {entry.krunica_hash for entry in entries[1:]} == {record.krunica_hash for record in records}
    head = ChainReader(store.domain, up_to=store.opened().state.head).read(entries).head
    assert head == store.opened().state.head


WORKER = """
import sys
from pathlib import Path
from dualseal import Domain, RingKey, SigningKey
from sql_store import Person, Store

path, identity, seed, first = sys.argv[1:]
domain = Domain()
store = Store(Path(path), domain, RingKey(domain, bytes([9]) * 32))
person = Person(identity, SigningKey.from_seed(bytes.fromhex(seed)))
for number in range(8):
    store.sign_contract(person, int(first) + number)
"""


def test_two_processes_on_one_file_make_one_chain(store: Store, ana: Person) -> None:
    arguments = [sys.executable, "-c", WORKER, str(store.path), ana.identity, ana.key.seed().hex()]
    here = Path(__file__).parent
    workers = [subprocess.Popen([*arguments, first], cwd=here) for first in ("0", "8")]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0]
    assert (store.count("contracts"), store.count("records"), len(store.entries())) == (16, 16, 17)
    head = ChainReader(store.domain, up_to=store.opened().state.head).read(store.entries()).head
    assert head == store.opened().state.head


def test_a_step_that_fails_takes_nothing_with_it(store: Store, ana: Person, master: Master) -> None:
    batch = Batch(store.opened().state)
    bob, bobs = store.domain.identity_id(b"", "bob", ""), SigningKey.generate()
    with batch.step(minute(1)) as step:
        step.append(ana.identity, "first")
    with pytest.raises(ZeroDivisionError), batch.step(minute(2)) as step:
        step.add_key(bob, bobs.public_key)
        step.append(bob, "of nobody")
        step.keep(master.seal(b"seed", table="keys", row=b"bob", purpose="seed"))
        assert step.head.size == 4
        raise ZeroDivisionError
    with batch.step(minute(3)) as step:
        assert (step.head.size, step.time) == (2, minute(3))
        # What the library refuses may be caught, and the step goes on.
        with pytest.raises(MisuseError) as refused:
            step.sign(bob, store.domain.content_hash(bob, b"x"))
        assert refused.value.name == "unknown-identity"
        ticket = step.sign(ana.identity, store.domain.content_hash(ana.identity, b"x"))
    state, changes = placed(batch, ana.key)
    assert [entry.message for entry in changes.entries][0] == "first"
    assert (len(changes.entries), len(changes.ring_rows), changes.secrets, ticket) == (2, 0, (), 0)
    assert (state.head, changes.expected.size) == (changes.head, 1)
    assert len({changes.before, changes.state}) == 2
    assert state.ring.info(bob) is None


def test_a_step_lives_in_the_body_of_its_statement(store: Store, ana: Person) -> None:
    batch = Batch(store.opened().state)
    assert batch.is_empty
    step = batch.step(minute(1))
    early: list[Callable[[], object]] = [
        lambda: step.append(ana.identity, "early"),
        lambda: step.head,
        lambda: step.__exit__(None, None, None),
    ]
    for dead in early:
        with pytest.raises(MisuseError) as ended:
            dead()
        assert ended.value.name == "stream-ended"
    with step:
        other = batch.step(minute(1))
        for second in (other.__enter__, batch.place):
            with pytest.raises(RuntimeError, match="open"):
                second()
        with pytest.raises(MisuseError):
            other.append(ana.identity, "another's")
        step.append(ana.identity, "in time")
        assert batch.is_empty, "it counts when it has ended"
        assert batch.state.head.size == 1
    with pytest.raises(MisuseError):
        step.append(ana.identity, "late")
    assert not batch.is_empty
    assert batch.state.head.size == 2
    _, changes = placed(batch)
    assert [entry.message for entry in changes.entries] == ["in time"]
    for after in (batch.place, batch.step(minute(1)).__enter__, lambda: batch.state):
        with pytest.raises(MisuseError):
            after()
    # What was loaded is as it was.
    assert store.opened().state.head.size == 1


def test_every_placed_record_comes_back_signed_once(store: Store, ana: Person) -> None:
    def one() -> Batch:
        batch = Batch(store.opened().state)
        with batch.step(minute(1)) as step:
            for content in (b"x", b"y"):
                step.sign(ana.identity, store.domain.content_hash(ana.identity, content))
        return batch

    def refuses(name: str, act: Callable[[], object]) -> None:
        with pytest.raises(StepError) as refused:
            act()
        assert refused.value.name == name
        assert refused.value.advice
        assert pickle.loads(pickle.dumps(refused.value)).name == name

    batch, to_sign = one().place()
    refuses("unsigned", lambda: batch.finish([to_sign[0].sign(ana.key)]))
    batch, to_sign = one().place()
    refuses("no-key", lambda: sign_all(to_sign, [SigningKey.generate()]))
    batch, to_sign = one().place()
    assert {to.identity_id for to in to_sign} == {ana.identity}
    assert to_sign[0].public_key == ana.key.public_key
    with pytest.raises(MisuseError) as other:
        to_sign[0].sign(SigningKey.generate())
    assert other.value.name == "other-signer"
    with pytest.raises(MisuseError) as used:
        to_sign[0].sign(ana.key)
    assert used.value.name == "stream-ended"
    batch, to_sign = one().place()
    _, changes = batch.finish([to.sign(ana.key) for to in reversed(to_sign)])
    hashes = [store.domain.content_hash(ana.identity, content).hash for content in (b"x", b"y")]
    assert [record.content_hash for record in changes.records] == hashes
    with pytest.raises(MisuseError):
        batch.finish([])


def test_rows_change_with_their_identity_alone(store: Store, ana: Person) -> None:
    bob = store.enrol("bob")
    batch = Batch(store.opened().state)
    with batch.step(minute(1)) as step:
        step.rotate(ana.identity, SigningKey.generate().public_key)
        step.set_state(ana.identity, KeyState.SUSPENDED)
    state, changes = placed(batch)
    assert [row.name for row in changes.ring_rows] == [ana.identity]
    assert changes.ring_rows[0].json == state.ring.identity_row(ana.identity)
    assert changes.ring_seal == state.ring.seal_rows(state.head)
    assert state.ring.identity_row("0" * 64) is None
    assert state.ring.decoy_row(bob.key.public_key.hash) is None
    batch = Batch(state)
    with batch.step(minute(2)) as step:
        step.set_state(bob.identity, KeyState.REVOKED, compromised_from=1)
        with pytest.raises(MalformedError):
            step.set_state(bob.identity, KeyState.VALID, compromised_from=1)
        step.set_state(bob.identity, KeyState.VALID, key_hash=bob.key.public_key.hash)
        with pytest.raises(MisuseError):
            step.set_state(bob.identity, KeyState.VALID, key_hash="0" * 64)
    assert len(placed(batch)[1].entries) == 2


EDITS: list[tuple[str, str]] = [
    ("state-edited", """UPDATE texts SET text = replace(text, '"size":2', '"size":1') WHERE name = 'state'"""),
    ("state-unreadable", "UPDATE texts SET text = '{}' WHERE name = 'state'"),
    ("ring-edited", "UPDATE ring SET json = replace(json, '09:00:00.000Z', '09:00:01.000Z')"),
    ("ring-unreadable", """UPDATE ring SET json = replace(json, '"istina"', '"laz"')"""),
    ("ring-unreadable", "DELETE FROM ring"),
    ("chain-cut", "DELETE FROM entries WHERE seq = 2"),
    ("chain-other", "UPDATE entries SET json = replace(json, '\"after\"', '\"other\"') WHERE seq = 2"),
    ("checkpoint-missing", "DELETE FROM texts WHERE name = 'checkpoint'"),
]


def begun(store: Store, ana: Person) -> None:
    """A signature, a checkpoint over it, and an entry after that."""
    store.sign_contract(ana, 1)
    store.sign_checkpoint(ana)
    with store.transaction() as db:
        batch = Batch(store.open(db).state)
        with batch.step(minute(10)) as step:
            step.append(ana.identity, "after")
        store.write(db, placed(batch)[1])


def refused(store: Store) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        store.opened()
    assert caught.value.advice
    assert isinstance(caught.value, dualseal.DualsealError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.name, again.advice, str(again)) == (caught.value.name, caught.value.advice, str(caught.value))
    return caught.value


@pytest.mark.parametrize(("kind", "edit"), EDITS)
def test_an_edited_row_is_refused_by_name(store: Store, ana: Person, kind: str, edit: str) -> None:
    begun(store, ana)
    assert store.opened().state.last is not None
    with store.transaction() as db:
        assert db.execute(edit).rowcount == 1
    error = refused(store)
    assert error.name == kind
    assert isinstance(error.__cause__, MalformedError if kind.endswith("unreadable") else type(None))


def test_what_stands_beside_another_is_refused_by_name(store: Store, ana: Person) -> None:
    begun(store, ana)
    with store.transaction() as db:
        seal = store.text(db, "ring seal")
        last = store.open(db).state.head
    store.sign_contract(ana, 2)
    with store.transaction() as db:
        new = store.text(db, "ring seal")
        db.execute("UPDATE texts SET text = ? WHERE name = 'ring seal'", (seal,))
    assert refused(store).name == "ring-of-another-time"
    with store.transaction() as db:
        db.execute("UPDATE texts SET text = ? WHERE name = 'ring seal'", (new,))
        # Somebody who writes to the chain beside the step.
        entry, _ = store.open(db).state.head.append(store.domain, ana.identity, "beside", minute(11))
        db.execute("INSERT INTO entries VALUES (?, ?)", (entry.seq, entry.to_json()))
    assert refused(store).name == "chain-longer"
    assert last.size == 3
    with store.transaction() as db:
        db.execute("DELETE FROM entries WHERE seq = ?", (entry.seq,))
    mark = store.mark.read_text(encoding="utf-8")
    for text, kind in [(mark.replace('"size":2', '"size":1'), "mark-edited"), ("{}", "mark-unreadable")]:
        store.mark.write_text(text, encoding="utf-8")
        assert refused(store).name == kind
    store.mark.unlink()
    assert refused(store).name == "mark-missing"
    store.mark.write_text(mark, encoding="utf-8")
    assert store.opened().state.head.size == 4
    other = Store(store.path, store.domain, RingKey(store.domain, bytes([8]) * 32))
    assert refused(other).name == "state-edited"


def test_a_restored_database_signs_no_fork(store: Store, ana: Person) -> None:
    store.sign_contract(ana, 1)
    shutil.copy(store.path, store.path.with_suffix(".backup"))
    store.sign_contract(ana, 2)
    checkpoint = store.sign_checkpoint(ana)
    opened = store.opened()
    assert (opened.mark.size, opened.state.last and opened.state.last[0]) == (3, 3)
    # The same is signed again, and what goes on from it.
    assert store.sign_checkpoint(ana).root == checkpoint.root
    store.sign_contract(ana, 3)
    assert store.sign_checkpoint(ana).size == 4
    shutil.copy(store.path.with_suffix(".backup"), store.path)
    assert refused(store).name == "restored"
    # Nor does a program that asks for a first mark.
    with pytest.raises(MisuseError) as first:
        opened.state.first_mark()
    assert first.value.name == "stale-head"


def test_a_restored_database_undoes_no_revocation(store: Store, ana: Person) -> None:
    shutil.copy(store.path, store.path.with_suffix(".backup"))
    with store.transaction() as db:
        batch = Batch(store.open(db).state)
        with batch.step(minute(2)) as step:
            step.set_state(ana.identity, KeyState.REVOKED)
        store.write(db, placed(batch)[1])
        # Changes of the ring raise the mark once they are committed.
    with store.transaction() as db:
        store.raise_mark(db)
    shutil.copy(store.path.with_suffix(".backup"), store.path)
    assert refused(store).name == "restored"
    store.mark.unlink()
    assert refused(store).name == "mark-missing"


def test_a_state_takes_its_own_checkpoint_alone(store: Store, ana: Person) -> None:
    opened = store.opened()
    before, mark = opened.state, opened.mark
    store.sign_contract(ana, 1)
    state = store.opened().state
    checkpoint = before.checkpoint_signer(ana.identity, ana.key).sign(mark, time=minute(9))
    with pytest.raises(StepError) as other:
        state.take(checkpoint)
    assert other.value.name == "other-checkpoint"
    taken, changes = before.take(checkpoint)
    assert changes.checkpoint == checkpoint
    assert (changes.entries, changes.expected, taken.head) == ((), before.head, before.head)
    assert taken.last is not None
    assert taken.last[0] == 1


def test_a_stale_workers_key_is_refused(store: Store, ana: Person) -> None:
    before, new = store.opened().state, SigningKey.generate()
    with store.transaction() as db:
        batch = Batch(store.open(db).state)
        with batch.step(minute(2)) as step:
            step.rotate(ana.identity, new.public_key)
        store.write(db, placed(batch)[1])
    state = store.opened().state
    seal_key = SealKey.from_bytes(bytes([3]) * 64)
    seal = Sealer.current(store.domain, before.ring, ana.identity, seal_key, ana.key).seal_unplaced(b"one contract")
    assert (seal.identity_id, seal.public_key) == (ana.identity, ana.key.public_key)
    assert Signer.current(store.domain, before.ring, ana.identity, ana.key).public_key == ana.key.public_key
    assert Signer.current(store.domain, state.ring, ana.identity, new).identity_id == ana.identity
    master, log = VaultMaster.generate(store.domain), "example.org/log"
    assert VaultSealer.current(master, state.ring, ana.identity, new).identity_id == ana.identity
    assert CheckpointSigner.current(store.domain, state.ring, log, ana.identity, new).origin == log
    batch = Batch(state)

    def sealed() -> object:
        with batch.step(minute(3)) as step:
            return step.seal(seal)

    refusals: list[Callable[[], object]] = [
        lambda: Signer.current(store.domain, state.ring, ana.identity, ana.key),
        lambda: Sealer.current(store.domain, state.ring, ana.identity, seal_key, ana.key),
        lambda: VaultSealer.current(master, state.ring, ana.identity, ana.key),
        lambda: CheckpointSigner.current(store.domain, state.ring, log, ana.identity, ana.key),
        lambda: state.ring.check_signer(ana.identity, ana.key.public_key),
        lambda: KeyRing.pinned(ana.identity, new.public_key).check_signer(ana.identity, ana.key.public_key),
        lambda: state.checkpoint_signer(ana.identity, ana.key),
        sealed,
    ]
    for refusal in refusals:
        with pytest.raises(MisuseError) as stale:
            refusal()
        assert (stale.value.code, stale.value.name) == (345, "not-current")
    # The worker who did not hear of it signs with the key that he has.
    with pytest.raises(StepError) as late:
        store.sign_contract(ana, 1)
    assert late.value.name == "no-key"
    assert store.count("contracts") == 0
    store.sign_contract(Person(ana.identity, new), 1)
    with batch.step(minute(3)) as step:
        stream = Sealer.current(store.domain, state.ring, ana.identity, seal_key, new).stream()
        stream.update(b"one contract")
        fresh = stream.finish_unplaced()
        entry = step.seal(fresh)
    assert entry.message == fresh.seal.chain_message(store.domain)
    elsewhere = Sealer(Domain("ACME"), ana.identity, seal_key, new).seal_unplaced(b"one contract")
    with pytest.raises(StepError) as other, batch.step(minute(3)) as step:
        step.seal(elsewhere)
    assert other.value.name == "other-domain"
    # Of a key that is called back nothing is placed.
    with batch.step(minute(4)) as step:
        step.set_state(ana.identity, KeyState.REVOKED)
        with pytest.raises(MisuseError) as revoked:
            step.sign(ana.identity, store.domain.content_hash(ana.identity, b"x"))
        assert revoked.value.code == 345


def test_what_has_an_operation_of_its_own_is_not_taken(store: Store, ana: Person) -> None:
    state = store.opened().state
    batch, key = Batch(state), SigningKey.generate().public_key
    ring = state.ring
    with batch.step(minute(1)) as step:
        change, _ = ring.add(store.domain.identity_id(b"", "bob", ""), key, head=step.head, time=minute(1))
        with pytest.raises(StepError) as own:
            step.take(change)
        assert own.value.name == "not-a-step"
        # A copy of the state's ring was changed, and nothing else.
        assert len(state.ring.identities()) == 1
        entry, head = step.head.append(store.domain, ana.identity, "made elsewhere", minute(1))
        step.take(entry)
        assert step.head == head
        with pytest.raises(RejectedError):
            step.take(entry)
    assert placed(batch)[1].entries == (entry,)


class Vault:
    def __init__(self, store: Store, ana: Person) -> None:
        self.store, self.ana = store, ana
        self.master = VaultMaster.generate(store.domain)
        self.ledger = LedgerHead.draw().ledger
        self.state = store.opened().state.with_ledger(self.ledger)

    def seal(self, document: bytes) -> tuple[Unplaced, bytes]:
        sealing = VaultSealer(self.master, self.ana.identity, self.ana.key).stream(
            "CONTRACT", encryption="CHACHA20-POLY1305-STREAM"
        )
        stored, ledger = sealing.update(document), self.state.ledger(self.ledger)
        assert ledger is not None
        unplaced, rest = sealing.finish_unplaced(ledger=ledger, time=minute(1), note="perimeter")
        return unplaced, stored + rest


def test_a_vault_record_is_placed_with_its_decoy_and_its_secret(store: Store, ana: Person, master: Master) -> None:
    vault = Vault(store, ana)
    (unplaced, stored), (late, _) = vault.seal(b"one contract"), vault.seal(b"another")
    assert (unplaced.identity_id, unplaced.public_key) == (ana.identity, ana.key.public_key)
    assert unplaced.before == vault.state.ledger(vault.ledger)
    batch = Batch(vault.state)
    with batch.step(minute(2)) as step:
        made = step.vault(unplaced)
        assert step.ledger(vault.ledger) == made.ledger
        row = bytes.fromhex(made.entry.hash)
        step.keep(master.seal(bytearray(b"at rest"), table="vault", row=row, purpose="secret"))
    for again, error, name in [(late, StepError, "stale-ledger"), (unplaced, MisuseError, "stream-ended")]:
        with pytest.raises(error) as refusal, batch.step(minute(3)) as step:
            step.vault(again)
        assert refusal.value.name == name
    with pytest.raises(StepError) as unknown, batch.step(minute(3)) as step:
        step.ledger("0" * 64)
    assert unknown.value.name == "unknown-ledger"
    state, changes = placed(batch)
    record = changes.vault_records[made.index]
    assert (record.entry, record.ledger_head, record.note) == (made.entry, made.ledger, "perimeter")
    assert not record.is_redacted
    assert (state.ring.decoy_count, len(changes.ring_rows), len(changes.entries)) == (1, 1, 1)
    assert changes.ring_rows[0].json == state.ring.decoy_row(changes.ring_rows[0].name)
    (secret,) = changes.secrets
    assert (secret.table, secret.row, secret.purpose) == ("vault", row, "secret")
    assert master.open(secret.stored, table="vault", row=row, purpose="secret") == b"at rest"
    with store.transaction() as db:
        store.write(db, changes)
    assert store.opened().state.ledger(vault.ledger) == made.ledger
    assert store.opened().state.ring.decoy_count == 1
    assert made.secret is not None
    verifier = dualseal.VaultVerifier(store.domain, state.ring)
    told = verifier.verify(record, stored, signer=ana.identity, policy=dualseal.VaultPolicy.public())
    assert told.failed is None


def test_a_secret_opens_in_its_place_under_its_master_alone(domain: Domain, store: Store, master: Master) -> None:
    def seal(secret: bytes) -> SecretRow:
        return master.seal(secret, table="keys", row=b"bob", purpose="seed")

    def opened(stored: bytes, by: Master = master, place: tuple[str, bytes, str] = ("keys", b"bob", "seed")) -> bytes:
        table, row, purpose = place
        return by.open(stored, table=table, row=row, purpose=purpose)

    kept = seal(b"at rest")
    assert (kept.table, kept.row, kept.purpose) == ("keys", b"bob", "seed")
    assert opened(kept.stored) == b"at rest"
    assert b"at rest" not in kept.stored
    assert seal(b"at rest").stored != kept.stored
    damaged = kept.stored[:-1] + bytes([kept.stored[-1] ^ 1])
    refusals: list[tuple[str, Callable[[], object]]] = [
        ("other-key", lambda: opened(kept.stored, Master(domain, bytes([8]) * 32))),
        ("damaged", lambda: opened(damaged)),
        ("no-secret", lambda: opened(b"at rest")),
        ("other-key", lambda: opened(kept.stored, place=("key", b"bob", "seed"))),
        ("other-key", lambda: opened(kept.stored, place=("keys", b"ana", "seed"))),
        ("other-key", lambda: opened(kept.stored, place=("keys", b"bob", "seeds"))),
    ]
    for name, act in refusals:
        with pytest.raises(SecretError) as refused:
            act()
        assert refused.value.name == name
        assert refused.value.advice
    # One place holds one secret: the second would write over the first.
    batch = Batch(store.opened().state)
    with batch.step(minute(2)) as step:
        step.keep(kept)
    with pytest.raises(StepError) as twice, batch.step(minute(3)) as step:
        step.keep(seal(b"another"))
    assert twice.value.name == "same-place"
    assert [row.stored for row in placed(batch)[1].secrets] == [kept.stored]


def test_a_change_that_a_checkpoint_overtook_is_not_written(store: Store, ana: Person) -> None:
    batch = Batch(store.opened().state)
    with batch.step(minute(2)) as step:
        step.append(ana.identity, "from before the checkpoint")
    store.sign_checkpoint(ana)
    with pytest.raises(sqlite3.IntegrityError), store.transaction() as db:
        store.write(db, placed(batch)[1])
    assert store.opened().state.last is not None
    assert len(store.entries()) == 1


def test_nothing_shows_what_the_store_keeps_secret(store: Store, ana: Person, master: Master) -> None:
    vault = Vault(store, ana)
    unplaced, _ = vault.seal(b"one contract")
    batch = Batch(vault.state)
    shown: list[object] = [unplaced, batch, vault.state, store.opened()]
    with batch.step(minute(2)) as step:
        made = step.vault(unplaced)
        shown += [step, made, repr(batch)]
        step.keep(master.seal(b"\xb7" * 32, table="vault", row=b"1", purpose="secret"))
        step.sign(ana.identity, store.domain.content_hash(ana.identity, b"x"))
    ended, to_sign = batch.place()
    shown += [batch, ended, to_sign]
    signed = sign_all(to_sign, [ana.key])
    state, changes = ended.finish(signed)
    shown += [signed, state, changes, changes.ring_rows, changes.secrets, changes.vault_records]
    opened = store.opened()
    with store.transaction() as db:
        ring = store.ring(db)
    shown += [opened, ring]
    (decoy,) = changes.ring_rows
    text = repr(shown)
    assert decoy.name not in text
    # Two or three bytes alike stand in a hash now and then.
    assert "b7" * 6 not in text and "\\xb7" * 2 not in text
    unpicklable = [unplaced, batch, step, made, ended, to_sign[0], signed[0], state, changes, decoy, opened, ring]
    for one in unpicklable:
        with pytest.raises(TypeError):
            pickle.dumps(one, protocol=0)


def test_a_stored_state_reads_as_it_was_written(store: Store, ana: Person) -> None:
    ledger = LedgerHead.draw()
    with store.transaction() as db:
        text = store.text(db, "state")
    assert text is not None
    read = StoredState.from_json(text, origin=ORIGIN, ring_key=store.ring_key)
    assert read is not None
    assert (read.head, read.last, read.ledgers) == (store.opened().state.head, None, [])
    assert read.to_json(store.opened().state.ring) == text
    assert StoredState.from_json(text, origin="example.org/other", ring_key=store.ring_key) is None
    with pytest.raises(MalformedError):
        StoredState.from_json("{}", origin=ORIGIN, ring_key=store.ring_key)
    begun = read.with_ledger(ledger).with_checkpoint(store.sign_checkpoint(ana))
    assert begun != read
    assert (begun.ledger(ledger.ledger), begun.ledger("0" * 64), begun.ledgers) == (ledger, None, [ledger])
    assert begun.last is not None
    assert begun.last == store.opened().state.last


def test_a_log_that_is_there_is_taken_over(deployment: Deployment) -> None:
    """A ring and a chain of before, which nobody wrote by steps."""
    ring = followed(deployment.ring, deployment.chain)
    state = State(deployment.domain, ring, StoredState(deployment.head))
    assert (state.origin, state.head, state.domain, state.last) == (ORIGIN, deployment.head, deployment.domain, None)
    with pytest.raises(MisuseError) as stale:
        State(deployment.domain, CheckedRing(ORIGIN, deployment.authority), StoredState(deployment.head))
    assert stale.value.name == "stale-ring"
    rows = [ring.identity_row(deployment.identity)]
    file = RingFile.from_rows(ring.seal_rows(deployment.head), [row for row in rows if row])
    whole = RingFile.from_json(ring.to_stored_json(deployment.head).encode())
    assert (file.origin, file.revision, file.size) == (whole.origin, whole.revision, whole.size) == (ORIGIN, 1, 2)
    with pytest.raises(MalformedError):
        RingFile.from_rows("{}", [])
    with pytest.raises(TypeError):
        RingFile.from_rows(ring.seal_rows(deployment.head), [1])  # type: ignore[list-item]
    assert state.with_ledger("0" * 64).ledger("0" * 64) == LedgerHead.from_parts("0" * 64, 0, "0" * 64)


def test_a_line_of_a_chain_stands_where_its_hash_says(deployment: Deployment) -> None:
    entry = deployment.chain[1]
    line = entry.to_json_line().rstrip("\n")
    assert Entry.from_json_line(line, 1) == entry
    assert Entry.from_json_line(line.encode(), 1).hash_holds
    assert not Entry.from_json_line(line, 0).hash_holds
    with pytest.raises(MalformedError):
        Entry.from_json_line(entry.to_json(), 1)
    with pytest.raises(MalformedError):
        Entry.from_json_line(line, -1)


def test_an_empty_head_is_no_step(store: Store) -> None:
    state = store.opened().state
    assert state.head == Head.EMPTY
    assert isinstance(Batch(state).step(minute(0)), Step)
    with pytest.raises(TypeError):
        Step()
