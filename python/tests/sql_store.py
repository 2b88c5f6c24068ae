"""A driver as a project with a database of its own writes it: a transaction loads the log, and writes what its steps
change with rows of the project."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dualseal import (
    CheckedRing,
    Checkpoint,
    Domain,
    Entry,
    Growth,
    Head,
    HighWaterMark,
    RingFile,
    RingKey,
    SignatureRecord,
    SigningKey,
    prove_growth,
)
from dualseal.operator import Batch, Changes, Opened, State, StoredState, open_store, sign_all

from conftest import ORIGIN, minute

TABLES = """
CREATE TABLE entries (seq INTEGER PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE nodes (level INTEGER, place INTEGER, hash TEXT NOT NULL, PRIMARY KEY (level, place));
CREATE TABLE ring (name TEXT PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE records (handle TEXT PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE secrets (place TEXT, line BLOB, purpose TEXT, stored BLOB NOT NULL, PRIMARY KEY (place, line, purpose));
CREATE TABLE contracts (number INTEGER PRIMARY KEY, handle TEXT NOT NULL);
"""


@dataclass
class Person:
    identity: str
    key: SigningKey


@dataclass
class Store:
    path: Path
    """The database; the signer's mark is beside it, as in a place of its own."""
    domain: Domain
    ring_key: RingKey

    @property
    def mark(self) -> Path:
        return self.path.with_suffix(".mark")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """It holds the log from its beginning on."""
        db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        try:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")
        finally:
            db.close()

    def found(self) -> None:
        empty = State(self.domain, CheckedRing(ORIGIN, self.ring_key), StoredState(Head.EMPTY))
        # The mark first: no store opens without it, and that of an empty log is always the same.
        self.mark.write_text(empty.first_mark()[1], encoding="utf-8")
        with self.transaction() as db:
            for table in TABLES.strip().splitlines():
                db.execute(table)
            self.write(db, empty.begin())

    def ring(self, db: sqlite3.Connection) -> RingFile:
        rows = (row for (row,) in db.execute("SELECT json FROM ring"))
        return RingFile.from_rows(self.text(db, "ring seal") or "", rows)

    def open(self, db: sqlite3.Connection) -> Opened:
        end = db.execute("SELECT json FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        checkpoint = self.text(db, "checkpoint")
        return open_store(
            self.domain,
            ORIGIN,
            self.ring_key,
            state=self.text(db, "state") or "",
            ring_seal=self.text(db, "ring seal") or "",
            ring_rows=(row for (row,) in db.execute("SELECT json FROM ring")),
            end=end and Entry.from_json(end[0]),
            checkpoint=None if checkpoint is None else Checkpoint.from_json(checkpoint),
            mark=self.mark.read_text(encoding="utf-8") if self.mark.exists() else None,
        )

    def opened(self) -> Opened:
        with self.transaction() as db:
            return self.open(db)

    def write(self, db: sqlite3.Connection, changes: Changes) -> None:
        # Only what goes on from what is there: what has become stale finds the name taken.
        db.execute("DELETE FROM texts WHERE name = 'state' AND text = ?", (changes.before,))
        db.execute("INSERT INTO texts VALUES ('state', ?)", (changes.state,))
        db.executemany("INSERT INTO entries VALUES (?, ?)", [(e.seq, e.to_json()) for e in changes.entries])
        db.executemany("INSERT INTO nodes VALUES (?, ?, ?)", changes.nodes)
        db.executemany("INSERT OR REPLACE INTO ring VALUES (?, ?)", [(r.name, r.json) for r in changes.ring_rows])
        records = [(record.krunica_hash, record.to_json()) for record in changes.records]
        records += [(record.krunica_hash, record.to_stored_json()) for record in changes.vault_records]
        db.executemany("INSERT INTO records VALUES (?, ?)", records)
        secrets = [(secret.table, secret.row, secret.purpose, secret.stored) for secret in changes.secrets]
        db.executemany("INSERT OR REPLACE INTO secrets VALUES (?, ?, ?, ?)", secrets)
        texts = [("ring seal", changes.ring_seal)]
        if changes.checkpoint is not None:
            texts.append(("checkpoint", changes.checkpoint.to_json()))
        db.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?)", texts)

    @staticmethod
    def text(db: sqlite3.Connection, name: str) -> str | None:
        found = db.execute("SELECT text FROM texts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def entries(self) -> list[Entry]:
        with self.transaction() as db:
            return [Entry.from_json(json) for (json,) in db.execute("SELECT json FROM entries ORDER BY seq")]

    def count(self, table: str) -> int:
        with self.transaction() as db:
            (rows,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()
            return int(rows)

    def enrol(self, name: str) -> Person:
        """Somebody new, with the first key."""
        person = Person(self.domain.identity_id(b"", name, ""), SigningKey.generate())
        with self.transaction() as db:
            batch = Batch(self.open(db).state)
            with batch.step(minute(0)) as step:
                step.add_key(person.identity, person.key.public_key)
            self.write(db, batch.place()[0].finish([])[1])
        # After a change of the ring: an old copy of the store knows less.
        with self.transaction() as db:
            self.raise_mark(db)
        return person

    def sign_contract(self, person: Person, number: int) -> SignatureRecord:
        """What the project does: a contract of its own, and its signature in the log."""
        content = self.domain.content_hash(person.identity, b"contract %d" % number)
        with self.transaction() as db:
            batch = Batch(self.open(db).state)
            with batch.step(minute(1)) as step:
                ticket = step.sign(person.identity, content)
            placed, to_sign = batch.place()
            _, changes = placed.finish(sign_all(to_sign, [person.key]))
            self.write(db, changes)
            record = changes.records[ticket]
            db.execute("INSERT INTO contracts VALUES (?, ?)", (number, record.krunica_hash))
        return record

    def raise_mark(self, db: sqlite3.Connection) -> HighWaterMark:
        """To what is there, which must go on from the last one."""
        opened = self.open(db)
        nodes = {(level, place): node for level, place, node in db.execute("SELECT * FROM nodes")}
        path = prove_growth(opened.mark.size, opened.state.head.size, nodes=nodes)
        assert path is not None
        growth = Growth.by_proof(opened.mark, opened.state.head, path)
        mark, text = opened.state.next_mark(opened.mark, growth)
        self.mark.write_text(text, encoding="utf-8")
        return mark

    def sign_checkpoint(self, person: Person) -> Checkpoint:
        """The mark is written before anything is signed."""
        with self.transaction() as db:
            state = self.open(db).state
            signer = state.checkpoint_signer(person.identity, person.key)
            mark = self.raise_mark(db)
            checkpoint = signer.sign(mark, time=minute(9))
            self.write(db, state.take(checkpoint)[1])
        return checkpoint
