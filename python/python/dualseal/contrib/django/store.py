"""A log between its tables and the operator's step."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import connections, router, transaction

from dualseal import (
    CheckedRing,
    Checkpoint,
    CheckpointVerifier,
    Entry,
    Growth,
    Head,
    MalformedError,
    Pins,
    PlaceProof,
    SigningKey,
    VerdictKind,
    VerifiedCheckpoint,
    prove_growth,
)
from dualseal.operator import Batch, Changes, Opened, State, StoredState, ToSign, open_store, sign_all

from . import conf
from .base import BackwardsError

logger = logging.getLogger("dualseal")
Told = TypeVar("Told")

# The state that this process saw last of each log: while its text and that mark stand there, it is not loaded again.
_seen: dict[tuple[str, str, int], tuple[str, str | None, State]] = {}


class BrokenError(RuntimeError):
    """What stands in the tables of a log does not belong together."""


def alias(manager: Any) -> str:
    """The database that a manager writes to."""
    return str(manager._db or router.db_for_write(manager.model))


@contextmanager
def held(manager: Any, name: str, *, durable: bool = False) -> Iterator[Any]:
    """A transaction that holds the log of this name from its beginning on; a durable one stands in no other."""
    using = alias(manager)
    connection = connections[using]
    mode = connection.settings_dict["OPTIONS"].get("transaction_mode")
    if connection.vendor == "sqlite" and mode != "IMMEDIATE":
        # Two that read first and write later would find the database locked, and neither could go on.
        raise ImproperlyConfigured(f'DATABASES[{using!r}]: "OPTIONS": {{"transaction_mode": "IMMEDIATE"}} is missing')
    with transaction.atomic(using=using, durable=durable):
        yield manager.using(using).select_for_update().get(name=name)


def held_again(chain: Any) -> AbstractContextManager[Any]:
    """The log of a row that was read before, from a replica it may be: held where it is written."""
    model = type(chain)
    return held(model._base_manager.db_manager(router.db_for_write(model, instance=chain)), chain.name)


def rows(chain: Any, name: str) -> Any:
    """The chain's rows of a related name, of the database that the chain itself was read from. The related manager
    alone would ask the project's router, which may know a replica: older, and outside of the lock.
    """
    return getattr(chain, name).db_manager(chain._state.db)


def load(chain: Any) -> Opened:
    """The log as it stands, held against its MACs, its end and its mark. The caller holds it.

    :raises dualseal.operator.RefusedError: what does not belong together, as after an old backup was put back.
    """
    last = rows(chain, "entries").order_by("-seq").first()
    found = open_store(
        conf.domain(),
        chain.origin,
        conf.ring_key(),
        state=chain.state,
        ring_seal=chain.ring_seal,
        ring_rows=rows(chain, "ring_rows").values_list("json", flat=True),
        end=None if last is None else last.entry,
        checkpoint=chain.checkpoint,
        mark=conf.marks().read(chain.name),
    )
    if found.mark.size < found.state.head.size:
        # A second copy that went on by itself does not go on from the mark.
        growth(chain, found)
    return found


def state_of(chain: Any) -> tuple[State, str | None]:
    """The log's state, loaded where it or the mark is not what this process left, and the mark's text. The caller
    holds it.
    """
    # Before `load` reads it again: where it was raised between the two, the next step loads once more.
    mark = conf.marks().read(chain.name)
    seen = _seen.get(_place(chain))
    if seen is not None and seen[:2] == (chain.state, mark):
        return seen[2], mark
    # An old copy that this process knows as it is has a mark that others raised since.
    return load(chain).state, mark


def see(chain: Any, text: str, mark: str | None, state: State) -> None:
    """Keeps a state and the mark that it was held against, once it is written for good."""
    place = _place(chain)
    transaction.on_commit(lambda: _seen.update({place: (text, mark, state)}), using=chain._state.db)


def _place(chain: Any) -> tuple[str, str, int]:
    return type(chain)._meta.label, chain._state.db, chain.pk


def stored_state(chain: Any) -> StoredState:
    """What the log's row says of its state.

    :raises BrokenError: it was edited, or the ring key is another one.
    """
    found = StoredState.from_json(chain.state, origin=chain.origin, ring_key=conf.ring_key())
    if found is None:
        raise BrokenError("the log's state was edited, or the ring key is another one")
    return found


def growth(chain: Any, found: Opened) -> Growth:
    """What shows that the log goes on from its mark."""
    before, head = found.mark.size, found.state.head
    path = prove_growth(before, head.size, nodes=lambda level, place: node(chain, level, place))
    if path is None:
        raise BrokenError(f"the log has {head.size} entries, fewer than its mark's {before}")
    return Growth.by_proof(found.mark, head, path)


def node(chain: Any, level: int, place: int) -> str:
    """A node of the tree.

    :raises BrokenError: there is none that reads.
    """
    try:
        found = rows(chain, "nodes").filter(level=level, place=place).values_list("hash", flat=True).first()
    except MalformedError as error:
        raise BrokenError(f"node {level}/{place} of the tree does not read: {error}") from error
    if found is None:
        raise BrokenError(f"node {level}/{place} of the tree is missing")
    return str(found)


def write(chain: Any, changes: Changes) -> None:
    """All of it, where the log stands as the step found it. The caller holds it."""
    values: dict[str, Any] = {
        "state": changes.state,
        "ring_seal": changes.ring_seal,
        "size": changes.head.size,
    }
    if changes.checkpoint is not None:
        values["checkpoint_json"] = changes.checkpoint.to_json()
    chains = type(chain)._base_manager.using(chain._state.db)
    if chains.filter(pk=chain.pk, state=changes.before).update(**values) != 1:
        raise RuntimeError("the log was written by somebody who did not hold it")
    for name, value in values.items():
        setattr(chain, name, value)
    _insert(rows(chain, "entries"), _entries(changes.entries))
    nodes = ({"level": level, "place": place, "hash": hash_} for level, place, hash_ in changes.nodes)
    _insert(rows(chain, "nodes"), nodes)
    _insert(rows(chain, "records"), _records(changes))
    for row in changes.ring_rows:
        # The related manager's own would write where the router says.
        stored = rows(chain, "ring_rows").get_queryset()
        stored.update_or_create(chain=chain, name=row.name, defaults={"json": row.json})
    for secret in changes.secrets:
        at = {"chain": chain, "table": secret.table, "row": secret.row, "purpose": secret.purpose}
        rows(chain, "secrets").get_queryset().update_or_create(**at, defaults={"stored": secret.stored})
    _insert(rows(chain, "kept"), _kept(changes))


def _insert(into: Any, values: Iterable[dict[str, Any]]) -> None:
    into.bulk_create([into.model(chain=into.instance, **value) for value in values], batch_size=500)


def _entries(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        yield {"seq": entry.seq, "krunica_hash": entry.krunica_hash, "entry": entry}


def _records(changes: Changes) -> Iterator[dict[str, Any]]:
    for record in changes.records:
        at = {"krunica_hash": record.krunica_hash, "identity_id": record.identity_id}
        yield at | {"stored": record.to_bytes()}
    for vault in changes.vault_records:
        at = {"krunica_hash": vault.krunica_hash, "identity_id": vault.identity_id}
        yield at | {"stored": vault.to_stored_json().encode(), "is_vault": True}


def _kept(changes: Changes) -> Iterator[dict[str, Any]]:
    for number, secret in enumerate(changes.secrets, changes.secrets_before):
        yield {"number": number, "place": secret.place_hash.hex(), "listed": secret.listed.hex()}


def commit(manager: Any, chain: Any, batch: Batch, mark: str | None) -> Changes | None:
    """Signs what a batch placed and writes it: one of the state that was held against this mark. A change of the ring
    raises the mark, once it is written for good.
    """
    if batch.is_empty:
        return None
    placed, to_sign = batch.place()
    state, changes = placed.finish(sign_all(to_sign, keys(to_sign)))
    write(chain, changes)
    see(chain, changes.state, mark, state)
    if changes.ring_rows:
        name, using = chain.name, chain._state.db
        transaction.on_commit(lambda: _after_ring_change(manager, name), using=using, robust=True)
    return changes


def keys(to_sign: Iterable[ToSign]) -> list[SigningKey]:
    """The keys of those who sign."""
    return [key for identity_id in {one.identity_id for one in to_sign} for key in conf.keys_of(identity_id)]


def _after_ring_change(manager: Any, name: str) -> None:
    try:
        with held(manager, name) as chain:
            raise_mark(chain)
    except Exception:
        # The change is written: a mark that is behind is raised by the next change or checkpoint.
        logger.exception("the ring of %r was changed, and its mark not raised", name)


def raise_mark(chain: Any) -> tuple[Any, str]:
    """To what stands there, which must go on from it: the new mark, and its text."""
    found = load(chain)
    mark, text = found.state.next_mark(found.mark, growth(chain, found))
    conf.marks().write(chain.name, text)
    return mark, text


def now(chain: Any, batch: Batch, time: Any) -> str:
    """The time of a step: never before the last entry's, whatever the clock says.

    :raises BackwardsError: the caller says one that is.
    """
    last = _last_time(chain, batch.state.head)
    if time is None:
        return max(datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"), last)
    # As the log writes it, in which form times compare as texts.
    named = batch.step(time).time
    if named < last:
        raise BackwardsError(named, last)
    return named


def _last_time(chain: Any, head: Head) -> str:
    """The time of the entry that the log ends with. Another one that somebody put there would date all to come."""
    if head.size == 0:
        return ""
    seq = head.size - 1
    row = rows(chain, "entries").filter(seq=seq).first()
    if row is None or _whole_subtree(chain, seq, row.entry) != json.loads(head.to_json())["frontier"][-1]:
        raise BrokenError(f"entry {seq} is not the one that the log's state ends with")
    return str(row.entry.time)


def _whole_subtree(chain: Any, seq: int, entry: Entry) -> str:
    """The node of the greatest whole subtree that ends with an entry. Its time is under that, not under its hash."""
    level, place, found = 0, seq, bytes.fromhex(entry.leaf_hash)
    while place & 1:
        found = parent(bytes.fromhex(node(chain, level, place - 1)), found)
        level, place = level + 1, place >> 1
    return found.hex()


def parent(left: bytes, right: bytes) -> bytes:
    """The node above two (RFC 6962, section 2.1)."""
    return sha256(b"\x01" + left + right).digest()


def found(manager: Any, name: str, origin: str, identity_id: str) -> Any:
    """See `ChainManager.found`."""
    domain, marks, key = conf.domain(), conf.marks(), conf.signing_key(identity_id)
    empty = State(domain, CheckedRing(origin, conf.ring_key()), StoredState(Head.EMPTY))
    using = alias(manager)
    with transaction.atomic(using=using):
        _, text = empty.first_mark()
        # The mark of an empty log is always the same: one that is there from a founding that was cut off is it.
        if marks.read(name) not in (None, text):
            raise ImproperlyConfigured(f"there is a mark of another log {name!r}: name this one otherwise")
        begun = empty.begin()
        chain = manager.model(name=name, origin=origin, identity_id=identity_id, state=begun.before)
        chain.save(using=using, force_insert=True)
        marks.write(name, text)
        write(chain, begun)
        batch = Batch(load(chain).state)
        with batch.step(now(chain, batch, None)) as step:
            step.add_key(identity_id, key.public_key)
        commit(manager, chain, batch, text)
    return chain


def add_identity(manager: Any, name: str, identity_id: str) -> None:
    """See `ChainManager.add_identity`."""
    keys = conf.signing_keys()
    if isinstance(keys, conf.FolderKeys):
        # Before the ring has it: an identity without its key could sign nothing.
        keys.draw(identity_id)
    key = conf.signing_key(identity_id)
    with manager.step(name) as step:
        step.add_key(identity_id, key.public_key)


def checkpoint(manager: Any, name: str, time: Any) -> Checkpoint:
    """See `ChainManager.checkpoint`."""
    # The mark is raised for good: rolled back with the caller's rows, the log would be older than it, and what was
    # signed would be of entries that there are not.
    with held(manager, name, durable=True) as chain:
        state = load(chain).state
        at = now(chain, Batch(state), time)
        signer = state.checkpoint_signer(chain.identity_id, conf.key_of(chain.identity_id, state.ring))
        # Before anything is signed.
        mark, mark_text = raise_mark(chain)
        signed = signer.sign(mark, time=at)
        after, changes = state.take(signed)
        write(chain, changes)
        see(chain, changes.state, mark_text, after)
    return signed


def verified(chain: Any, ring: CheckedRing, signed: Checkpoint | None) -> VerifiedCheckpoint | None:
    """A checkpoint by a key of the log's identity, or None."""
    if signed is None:
        return None
    for key, _ in ring.keys(chain.identity_id):
        pins = Pins(origin=chain.origin, identity_id=chain.identity_id, key_hash=key.hash, least_size=0)
        # Without a ring, which knows no place of a checkpoint: a key that was retired since signed it in its time.
        verdict = CheckpointVerifier(conf.domain(), pins).verify(signed)
        until = ring.counts_until(chain.identity_id, key.hash)
        if verdict.kind == VerdictKind.VALID and (until is None or signed.size <= until):
            return verdict.verified()
    return None


def place(chain: Any, krunica_hash: str) -> PlaceProof | None:
    """See `AbstractChain.place`."""
    signed = chain.checkpoint
    row = rows(chain, "entries").filter(krunica_hash=krunica_hash).first()
    if signed is None or row is None or row.seq >= signed.size:
        return None
    return PlaceProof.make(signed, row.entry, nodes=lambda level, index: node(chain, level, index))


def proven(chain: Any, krunica_hash: str, signed: VerifiedCheckpoint | None) -> Any:
    """An entry's place, verified under the log's last checkpoint; None where that does not cover it."""
    proof = None if signed is None else place(chain, krunica_hash)
    return None if proof is None or signed is None else proof.verify(signed)


def at_its_place(
    chain: Any, krunica_hash: str, signed: VerifiedCheckpoint | None, found: Told, verify: Callable[..., Told]
) -> Told:
    """What `verify(place=…)` tells at the place of an entry, of something that does not hold without: what a key signed
    that was retired since is valid where its place is from before that. `found` where no checkpoint covers it.
    """
    place = proven(chain, krunica_hash, signed)
    return found if place is None else verify(place=place)
