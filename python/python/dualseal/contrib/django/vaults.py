"""Vault records, held against the log by all that their documents are not needed for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import DatabaseError

from dualseal import (
    DualsealError,
    Entry,
    LedgerHead,
    StoredHash,
    VaultOutcome,
    VaultPolicy,
    VaultRecord,
    VaultReport,
    VaultVerifier,
    VerifiedCheckpoint,
)

from . import conf, store

# L3, and the last that L0 asks, are over the document, which the log has not. Their values are under the signature of
# L5, and where the record stands in its ledger L0 tells before.
OF_THE_DOCUMENT = "not the hash of the stored bytes and the record before"
ZEROS = "0" * 64


class Reader:
    """Verifies the vault records of one log, in its order."""

    def __init__(self, chain: Any, ring: Any, signed: VerifiedCheckpoint | None, *, is_whole: bool) -> None:
        """``is_whole`` says that the log is read from its first entry."""
        self._chain, self._signed, self._is_whole = chain, signed, is_whole
        self._verifier = VaultVerifier(conf.domain(), ring, cache_bytes=conf.cache_bytes())
        self._policy = VaultPolicy.public()
        self._nothing = StoredHash.of(conf.domain(), b"")
        self._ends: dict[str, LedgerHead] = {}
        self.kinds: Counter[str] = Counter()

    def check(self, entry: Entry, record: VaultRecord) -> list[str]:
        """What does not hold of the record of an entry."""
        after = self._ends.get(record.ledger)
        if after is None and self._is_whole:
            after = LedgerHead.from_parts(record.ledger, 0, ZEROS)
        self._ends[record.ledger] = record.ledger_head
        report = self._told(record, after)
        faults: list[str] = []
        if "L5" in _failed(report):
            try:
                verify = partial(self._told, record, after)
                report = store.at_its_place(self._chain, entry.krunica_hash, self._signed, report, verify)
            except (DualsealError, DatabaseError, store.BrokenError) as error:
                faults.append(f"its place is not proven: {error}")
        failed = _failed(report)
        faults += [f"its vault record does not hold ({layer}: {reason})" for layer, reason in failed.items()]
        if record.is_redacted:
            faults.append("its vault record lost its fragment")
        # Not the verdict, which without the document is no pass even where all else holds.
        state = report.verdict.state
        self.kinds["invalid" if failed or state is None else state.name.lower()] += 1
        return faults

    def check_all(self, ledgers: Iterable[LedgerHead]) -> list[str]:
        """That the ledgers end where the log's state says, after `check` of every record."""
        faults = []
        for head in ledgers:
            found = self._ends.pop(head.ledger, None)
            if found is None and (head.size == 0 or not self._is_whole):
                continue
            if found != head:
                size = 0 if found is None else found.size
                faults.append(f"ledger {head.ledger}: it ends at record {size}, and by the log's state at {head.size}")
        return faults + [f"ledger {ledger}: the log's state has none" for ledger in self._ends]

    def _told(self, record: VaultRecord, after: LedgerHead | None, *, place: Any = None) -> VaultReport:
        signer = record.identity_id
        return self._verifier.verify(
            record, self._nothing, signer=signer, policy=self._policy, place=place, after=after
        )


def _failed(report: VaultReport) -> dict[str, str]:
    layers = report.layers.items()
    failed = {layer: str(reason) for layer, (outcome, reason) in layers if outcome == VaultOutcome.FAIL}
    return {layer: reason for layer, reason in failed.items() if layer != "L3" and reason != OF_THE_DOCUMENT}
