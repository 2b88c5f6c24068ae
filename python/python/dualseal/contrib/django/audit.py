"""Everything that the database has of a log, read and held against everything else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import DatabaseError

from dualseal import (
    ChainReader,
    CheckedRing,
    Checkpoint,
    DualsealError,
    Entry,
    HashedContent,
    Head,
    LedgerHead,
    MalformedError,
    RingFile,
    SignatureRecord,
    VerdictKind,
    VerifiedCheckpoint,
    Verifier,
)
from dualseal.operator import RefusedError, State, open_secrets

from . import conf, operations, seals, signatures, store, tree, vaults
from .fields import raw
from .loading import loaded

AT_ONCE = 1000
Progress = Callable[[int, int], object]


@dataclass
class Report:
    """What was read, and what does not hold."""

    entries: int = 0
    records: int = 0
    seals: int = 0
    secrets: int = 0
    # By verdict: of signatures, of the project's own sealed rows, of vault records.
    kinds: Counter[str] = field(default_factory=Counter)
    seal_kinds: Counter[str] = field(default_factory=Counter)
    vault_kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    # Entries whose time is before that of the entry before, which is no fault: the order of the entries stands.
    backwards: list[int] = field(default_factory=list)


@dataclass
class _Log:
    """What is read, as it stood when that began."""

    chain: Any
    state: State
    file: RingFile
    ledgers: Sequence[LedgerHead]
    signed: VerifiedCheckpoint | None
    # Rows of records and of seals.
    records: int
    sealed: int

    @property
    def head(self) -> Head:
        return self.state.head

    @property
    def ring(self) -> CheckedRing:
        return self.state.ring


def audit(manager: Any, name: str, since: Checkpoint | None = None, progress: Progress | None = None) -> Report:
    """Reads a log from its first entry, or from where a checkpoint covers it: its state, ring, mark and end by their
    MACs, each entry's link and hash, the nodes of the tree, the ring against the chain, each record's signature and
    that none is missing, vault records without their documents and the ends of their ledgers, the project's own sealed
    and signed rows, the secrets at rest against their list, and the last checkpoint. Nothing that this process
    remembers is taken for true.
    """
    report = Report()
    try:
        with store.held(manager, name) as chain:
            state = store.load(chain).state
            file = RingFile.from_rows(chain.ring_seal, store.rows(chain, "ring_rows").values_list("json", flat=True))
            signed = _verified(chain, state.ring, chain.checkpoint, report)
            counts = store.rows(chain, "records").count(), seals.stored(chain)
            log = _Log(chain, state, file, store.stored_state(chain).ledgers, signed, *counts)
            _look_under_lock(log, report)
            # Below its end a log does not change, so that nobody waits for the rest.
            begin = Head.EMPTY if since is None else _head_at(chain, _verified(chain, state.ring, since, report), since)
        _read(log, begin, report, progress or (lambda _done, _all: None))
    except RefusedError as error:
        report.faults.append(f"the log is refused ({error.name}): {error}")
    except DualsealError as error:
        report.faults.append(str(error))
    except (DatabaseError, TypeError, ValueError, OverflowError) as error:
        # SQLite takes anything into any column, and gives it back.
        report.faults.append(f"a row does not read: {str(error)[:60]!r}")
    except (UnreadError, store.BrokenError) as error:
        report.faults.append(str(error))
    return report


def _look_under_lock(log: _Log, report: Report) -> None:
    """What would be seen otherwise once others go on: the log's size, rows beyond it, and what stands where a secret
    does.
    """
    chain, size = log.chain, log.head.size
    own = [getattr(chain, name).model for name in ("entries", "nodes", "records", "kept")]
    for model in operations.unguarded(chain._state.db, own):
        report.faults.append(f"{model._meta.label}: no trigger keeps its table append-only")
    if chain.size != size:
        report.faults.append(f"the log's row says {chain.size!r:.60} entries, and its state {size}")
    if (stored := store.rows(chain, "entries").count()) != size:
        report.faults.append(f"there are {stored} entries, and the log has {size}")
    _count_nodes(chain, size, report)
    try:
        _check_secrets(log, report)
    except RefusedError as error:
        report.faults.append(f"the secrets at rest are refused ({error.name}): {error}")
    except (DualsealError, DatabaseError, TypeError, ValueError) as error:
        report.faults.append(f"the list of secrets does not read: {str(error)[:60]!r}")


def _count_nodes(chain: Any, size: int, report: Report) -> None:
    nodes = store.rows(chain, "nodes")
    rows = tree.beyond(chain, size).order_by("level", "place").only("level", "place")
    beyond = [(key, row) for key, _, row in loaded(rows, "chain_id", AT_ONCE)]
    levels = {row.level for _, row in beyond if not isinstance(row, Exception)} | set(range(size.bit_length()))
    # What is no number is named below.
    for level in sorted(level for level in levels if isinstance(level, int)):
        # A subtree of 2 ** level entries each, and a level below zero has none.
        most = size >> level if level >= 0 else 0
        stored = nodes.filter(level=level).count()
        if stored != most:
            report.faults.append(f"there are {stored} nodes of level {level} in the tree, and the log has {most}")
    for key, row in beyond:
        where, end = f"row {key} of the tree", f"is beyond the log's {size} entries"
        if isinstance(row, Exception):
            report.faults.append(f"{where} does not read, and {end}: {str(row)[:60]!r}")
        else:
            report.faults.append(f"node {row.level!r:.60}/{row.place!r:.60} of the tree {end}")


def _check_secrets(log: _Log, report: Report) -> None:
    numbers: list[int] = []
    listed: list[tuple[bytes, bytes]] = []
    kept_rows = store.rows(log.chain, "kept").order_by("number").values_list("number", "place", "listed")
    for number, place, stored in kept_rows.iterator():
        numbers.append(number)
        listed.append((bytes.fromhex(place), bytes.fromhex(stored)))
    if numbers != list(range(len(numbers))):
        report.faults.append("the list of secrets has other numbers than its rows")
    kept = open_secrets(log.state, listed)
    report.secrets = len(kept)
    for key, _, row in loaded(store.rows(log.chain, "secrets").order_by("pk"), "chain_id", AT_ONCE):
        try:
            if isinstance(row, Exception):
                raise row
            place = raw(row.row, "row")
            kept.check(raw(row.stored, "stored"), table=row.table, row=place, purpose=row.purpose)
        except RefusedError as error:
            report.faults.append(f"secret {key}: {error}")
        except (DualsealError, DatabaseError, TypeError, ValueError) as error:
            report.faults.append(f"secret {key}: it does not read: {str(error)[:60]!r}")
    report.faults += [f"the secret that was kept in place {place} is gone" for place in kept.missing()]


def _verified(chain: Any, ring: CheckedRing, signed: Checkpoint | None, report: Report) -> VerifiedCheckpoint | None:
    if signed is None:
        return None
    found = store.verified(chain, ring, signed)
    if found is None:
        report.faults.append(f"the checkpoint of {signed.size} entries is not the log's")
    return found


def _head_at(chain: Any, seen: VerifiedCheckpoint | None, since: Checkpoint) -> Head:
    """The head of which a checkpoint signed the root, from the tree's nodes."""
    if seen is None:
        return Head.EMPTY
    frontier = list(tree.frontier(chain, since.size).values())
    head = Head.from_json(json.dumps({"frontier": frontier, "size": since.size, "top": since.top}))
    if head.root != since.root:
        raise store.BrokenError(f"the tree's nodes below entry {since.size} are not those of the checkpoint")
    return head


def _read(log: _Log, begin: Head, report: Report, progress: Progress) -> None:
    reader = ChainReader(conf.domain(), begin=begin, up_to=log.head)
    ring = reader.ring(conf.ring_key(), log.file, masters=[])
    rows = store.rows(log.chain, "entries").filter(seq__gte=begin.size, seq__lt=log.head.size).order_by("seq")
    made, sealed = tree.Tree(log.chain, begin), seals.Reader(log.chain, log.ring, log.signed)
    vaulted = vaults.Reader(log.chain, log.ring, log.signed, is_whole=begin.size == 0)
    report.seal_kinds, report.vault_kinds = sealed.kinds, vaulted.kinds
    own = signatures.Reader(log.chain)
    before = store.rows(log.chain, "entries").filter(seq=begin.size - 1).first()
    last = "" if before is None else before.entry.time
    for part in _parts(rows.iterator(chunk_size=AT_ONCE), begin.size):
        for row in part:
            reader.push(row.entry)
            if (row.seq, row.krunica_hash) != (row.entry.seq, row.entry.krunica_hash):
                report.faults.append(f"entry {row.entry.seq}: its columns say otherwise")
            if row.entry.time < last:
                report.backwards.append(row.entry.seq)
            last = row.entry.time
            report.entries += 1
        entries = [row.entry for row in part]
        wrong = tree.differing(log.chain, made.push(entries))
        report.faults += [f"node {level}/{place} of the tree is not the chain's" for level, place in wrong]
        found = _check_records(log, entries, vaulted, report)
        report.faults += own.check(entries, found)
        report.faults += sealed.check(entries)
        report.seals = sealed.rows
        progress(begin.size + report.entries, log.head.size)
    reader.finish()[ring]
    report.faults += vaulted.check_all(log.ledgers)
    report.faults += own.check_unsigned()
    if begin.size == 0:
        report.faults += sealed.check_all(log.sealed)
    if begin.size == 0 and log.records != report.records:
        report.faults.append(f"there are {log.records} records, of which {report.records} have an entry")


class UnreadError(Exception):
    """A row is there of which nothing can be made."""


def _parts(rows: Iterator[Any], first: int) -> Iterator[list[Any]]:
    """So many rows at once; those before one that does not read are looked at."""
    part: list[Any] = []
    try:
        for row in rows:
            part.append(row)
            if len(part) == AT_ONCE:
                yield part
                first, part = first + len(part), []
    except (DualsealError, DatabaseError) as error:
        yield part
        raise UnreadError(f"entry {first + len(part)}: its row does not read: {str(error)[:60]!r}") from error
    yield part


def _check_records(
    log: _Log, entries: Iterable[Entry], vaulted: vaults.Reader, report: Report
) -> list[tuple[Entry, SignatureRecord]]:
    """The records of these entries: none is missing, each is its entry's own, and its signature holds. Those that are
    signatures.
    """
    domain = conf.domain()
    by_handle = {entry.krunica_hash: entry for entry in entries}
    rows = store.rows(log.chain, "records").filter(krunica_hash__in=list(by_handle))
    stored = {handle: row for _, handle, row in loaded(rows, "krunica_hash", AT_ONCE)}
    found_signed: list[tuple[Entry, SignatureRecord]] = []
    for handle, entry in by_handle.items():
        row = stored.get(handle)
        if row is None:
            if entry.claims_record(domain):
                report.faults.append(f"entry {entry.seq}: its record is missing")
            continue
        report.records += 1
        try:
            if isinstance(row, Exception):
                raise row
            record = row.record
        except (DualsealError, DatabaseError, TypeError, ValueError) as error:
            report.faults.append(f"entry {entry.seq}: its record does not read: {str(error)[:60]!r}")
            continue
        if isinstance(record, SignatureRecord):
            is_own = record.is_of(domain, entry)
            found_signed.append((entry, record))
        else:
            is_own = record.entry == entry
            if is_own:
                report.faults += [f"entry {entry.seq}: {fault}" for fault in vaulted.check(entry, record)]
        if not is_own or row.identity_id != record.identity_id:
            report.faults.append(f"entry {entry.seq}: its record is another's")
    _verify(log, found_signed, report)
    return found_signed


def _verify(log: _Log, records: list[tuple[Entry, SignatureRecord]], report: Report) -> None:
    verifier = Verifier(conf.domain(), log.ring, cache_bytes=conf.cache_bytes())
    items: list[Any] = [
        (record, HashedContent.from_parts(record.identity_id, record.content_hash), None) for _, record in records
    ]
    for (entry, record), item, verdict in zip(records, items, verifier.verify_many(items), strict=True):
        if isinstance(verdict, MalformedError):
            # It was read as one: what is no record does not get here.
            report.faults.append(f"entry {entry.seq}: its record does not read: {verdict}")
            continue
        found = verdict
        if found.kind == VerdictKind.INVALID:
            verify = partial(verifier.verify, record=record, signer=record.identity_id, content_hash=item[1])
            try:
                found = store.at_its_place(log.chain, entry.krunica_hash, log.signed, found, verify)
            except (DualsealError, DatabaseError, store.BrokenError) as error:
                report.faults.append(f"entry {entry.seq}: its place is not proven: {error}")
        report.kinds[found.kind.name.lower()] += 1
        if found.kind == VerdictKind.INVALID:
            report.faults.append(f"entry {entry.seq}: its signature is not valid ({found.reason})")
