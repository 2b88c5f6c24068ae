"""The nodes of a log's tree, made anew from its entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from django.db import DatabaseError, connections
from django.db.models import Q, QuerySet

from dualseal import ChainReader, Entry, Head, MalformedError

from . import conf, operations, store
from .loading import loaded

AT_ONCE = 1000
# Of a level and a place.
Nodes = dict[tuple[int, int], str]


def frontier(chain: Any, size: int) -> dict[int, str]:
    """The nodes of the whole subtrees that so many entries make, by their levels, the greatest first."""
    found: dict[int, str] = {}
    index = 0
    for level in reversed(range(size.bit_length())):
        if size >> level & 1:
            found[level] = store.node(chain, level, index >> level)
            index += 1 << level
    return found


class Tree:
    """The nodes above the leaves, from where a head is."""

    def __init__(self, chain: Any, begin: Head) -> None:
        self.size = begin.size
        self._frontier = {level: bytes.fromhex(node) for level, node in frontier(chain, begin.size).items()}

    def push(self, entries: Iterable[Entry]) -> Nodes:
        """The nodes that these entries make full, leaves included."""
        made: Nodes = {}
        for entry in entries:
            level, place, found = 0, self.size, bytes.fromhex(entry.leaf_hash)
            made[level, place] = found.hex()
            while (left := self._frontier.pop(level, None)) is not None:
                found = store.parent(left, found)
                level, place = level + 1, place >> 1
                made[level, place] = found.hex()
            self._frontier[level] = found
            self.size += 1
        return made


def stored(chain: Any, made: Nodes) -> Iterator[tuple[int, list[int], list[tuple[Any, int, str | None]]]]:
    """Of each level the places, and of the rows that stand there key, place and hash, None where that does not read."""
    for level in sorted({level for level, _ in made}):
        places = [place for one, place in made if one == level]
        rows = store.rows(chain, "nodes").filter(level=level, place__range=(min(places), max(places)))
        yield level, places, _read(rows)


def _read(rows: Any) -> list[tuple[Any, int, str | None]]:
    try:
        return list(rows.values_list("pk", "place", "hash"))
    except (MalformedError, DatabaseError):
        found = loaded(rows, "place", AT_ONCE)
        return [(key, place, None if isinstance(row, Exception) else row.hash) for key, place, row in found]


def differing(chain: Any, made: Nodes) -> Iterator[tuple[int, int]]:
    """Where another node stands, or none."""
    for level, places, rows in stored(chain, made):
        there = {place: hash_ for _, place, hash_ in rows}
        yield from ((level, place) for place in places if there.get(place) != made[level, place])


def beyond(chain: Any, size: int) -> Any:
    """The rows of nodes that a log of so many entries has not."""
    within = Q(pk__in=[])
    for level in range(size.bit_length()):
        within |= Q(level=level, place__gte=0, place__lt=size >> level)
    return store.rows(chain, "nodes").exclude(within)


def mend(manager: Any, name: str, progress: Callable[[int, int], object]) -> tuple[int, int]:
    """Makes the nodes of a log those of its chain, each entry of which is read up to the end that its state has: how
    many rows were taken away, and how many were put there. The trigger of their table is lifted meanwhile. All of it
    happens in one transaction, which ends with a log that opens, or not at all.

    :raises DualsealError: the chain, the state or the mark does not hold: no tree is made of that.
    """
    with store.held(manager, name, durable=True) as chain:
        state = store.stored_state(chain)
        using, model = chain._state.db, store.rows(chain, "nodes").model
        reader, tree, gone, put = ChainReader(conf.domain(), up_to=state.head), Tree(chain, Head.EMPTY), 0, 0
        entries = store.rows(chain, "entries").filter(seq__gte=0, seq__lt=state.head.size).order_by("seq")
        put_back = operations.lift(using, [model])
        for part in batched(entries.iterator(chunk_size=AT_ONCE)):
            for row in part:
                reader.push(row.entry)
            taken, new = _put(chain, model, tree.push(row.entry for row in part))
            gone, put = gone + taken, put + new
            progress(tree.size, state.head.size)
        reader.finish()
        gone += _delete(using, model, beyond(chain, state.head.size).values_list("pk", flat=True))
        # PostgreSQL makes no trigger while it has rows to look at.
        connections[using].check_constraints(table_names=[model._meta.db_table])
        put_back()
        store.load(chain)
    return gone, put


def batched(rows: Iterator[Any]) -> Iterator[list[Any]]:
    """So many at once."""
    while part := list(islice(rows, AT_ONCE)):
        yield part


def _put(chain: Any, model: Any, made: Nodes) -> tuple[int, int]:
    """Each node of these once."""
    wrong: list[Any] = []
    missing: list[Any] = []
    for level, places, rows in stored(chain, made):
        there = set()
        for key, place, hash_ in rows:
            if place in there or made.get((level, place)) != hash_:
                wrong.append(key)
            else:
                there.add(place)
        new = [place for place in places if place not in there]
        missing += [model(chain=chain, level=level, place=place, hash=made[level, place]) for place in new]
    gone = _delete(chain._state.db, model, wrong)
    model._base_manager.using(chain._state.db).bulk_create(missing, batch_size=500)
    return gone, len(missing)


def _delete(using: str, model: Any, keys: Iterable[Any]) -> int:
    # What the model's own rows refuse.
    rows: QuerySet[Any] = QuerySet(model, using=using)
    return sum(rows.filter(pk__in=part)._raw_delete(using) for part in batched(iter(list(keys))))
