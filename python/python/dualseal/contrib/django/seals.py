"""The project's own sealed rows (`models.Sealed`), held against the log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.apps import apps

from dualseal import (
    Entry,
    LayerOutcome,
    Seal,
    SealPolicy,
    SealVerifier,
    VerdictKind,
    VerifiedCheckpoint,
)

from . import conf, store
from .loading import loaded
from .rings import of_key

# Each row brings what it was sealed over, which may be a document of some megabytes.
AT_ONCE = 100


def sealed_models() -> list[Any]:
    """The models of the project that are sealed."""
    from .models import Sealed  # noqa: PLC0415

    return [model for model in apps.get_models() if issubclass(model, Sealed)]


def stored(chain: Any) -> int:
    """How many rows stand in a log: the caller holds it, and nobody adds one meanwhile."""
    return sum(_rows_of(chain, model).count() for model in _models_of(chain))


def _models_of(chain: Any) -> list[Any]:
    # Those of a project with tables of its own stand in another log.
    entries = chain.entries.model
    return [model for model in sealed_models() if model._meta.get_field("entry").related_model is entries]


def _rows_of(chain: Any, model: Any) -> Any:
    rows = model._base_manager.using(chain._state.db)
    return rows.filter(entry__chain=chain).select_related("entry")


class Reader:
    """Verifies the rows of one log."""

    def __init__(self, chain: Any, ring: Any, signed: VerifiedCheckpoint | None) -> None:
        self._chain, self._signed = chain, signed
        self._verifier = SealVerifier(conf.domain(), ring, cache_bytes=conf.cache_bytes())
        self._models = _models_of(chain)
        # The message of a seal's entry, whatever its identifier.
        message = Seal.parse("SEAL-DUAL::" + "0" * 128 + "::" + "0" * 6618).chain_message(conf.domain())
        shape = re.sub("[0-9a-f]{64}", "[0-9a-f]{64}", re.escape(message or ""), count=1)
        self._seals = re.compile(shape)
        self.rows = 0
        # Of the rows that `check` has read, by what their keys are: a decoy's seal is no fault, and is seen here.
        self.kinds: Counter[str] = Counter()

    def check(self, entries: Iterable[Entry]) -> list[str]:
        """The rows of these entries: none is missing, and each holds."""
        if not self._models:
            return []
        by_handle = {entry.krunica_hash: entry for entry in entries if self._seals.fullmatch(entry.message)}
        found: dict[str, tuple[VerdictKind, list[str]]] = {}
        for model in self._models:
            rows = _rows_of(self._chain, model).filter(entry__krunica_hash__in=list(by_handle))
            for key, handle, row in loaded(rows, "entry__krunica_hash", AT_ONCE):
                kind, own = self.told(row)
                found[handle] = kind, [f"{model._meta.label} {key}: {fault}" for fault in own]
        self.rows += len(found)
        faults = []
        for handle, entry in by_handle.items():
            if handle not in found:
                faults.append(f"entry {entry.seq}: its sealed row is missing")
            else:
                kind, own = found[handle]
                self.kinds[kind.name.lower()] += 1
                faults += [f"entry {entry.seq}: {fault}" for fault in own]
        return faults

    def check_all(self, stored: int) -> list[str]:
        """That no row stands beside the log, of so many. After `check` of every entry."""
        return [] if stored == self.rows else [f"there are {stored} sealed rows, of which {self.rows} have an entry"]

    def told(self, row: Any) -> tuple[VerdictKind, list[str]]:
        """The verdict of one row, and what does not hold of it: of a seal by a key that is suspended, revoked or a
        decoy both layers do. One that did not load is its error.
        """
        try:
            if isinstance(row, Exception):
                raise row
            entry = row.entry.entry
            if (row.seal.chain_message(conf.domain()), row.signer) != (entry.message, entry.identity_id):
                return VerdictKind.INVALID, ["its seal is another's"]
            report, handle = self._report(row), row.entry.krunica_hash
            if _kind(report) == VerdictKind.INVALID:
                report = store.at_its_place(self._chain, handle, self._signed, report, partial(self._report, row))
            kind = _kind(report)
            own = ["its seal is not over what it says"] if kind == VerdictKind.INVALID else []
            return kind, [*own, *row.faults()]
        except Exception as error:  # What a row says is parsed by the project, from what anybody wrote there.
            return VerdictKind.INVALID, [f"it does not read: {error}"]

    def _report(self, row: Any, *, place: Any = None) -> Any:
        key = conf.seal_key(row.signer)
        content = row.sealed_content()
        return self._verifier.verify(
            row.seal, content, row.signer, policy=SealPolicy.BOTH, seal_key=key, place=place
        )


def _kind(report: Any) -> VerdictKind:
    both = report.layer_a == report.layer_b == LayerOutcome.PASS
    kind: VerdictKind = report.verdict.kind if both and report.verdict is not None else VerdictKind.INVALID
    return kind


def faults_of(row: Any, *, public: bool = False) -> list[str]:
    """What does not hold of one row, by its log as it is now, and that its key is suspended, revoked or a decoy.
    `public` is what outsiders may be told, to whom a decoy's seal is as good as any.
    """
    chain = row.entry.chain
    with store.held_again(chain) as held:
        ring = store.load(held).state.ring
        signed = store.verified(held, ring, held.checkpoint)
    kind, faults = Reader(held, ring, signed).told(row)
    return [*of_key(kind, public=public), *faults]
