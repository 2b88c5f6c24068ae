"""The project's own rows that say what a record signs (`models.Signed`), held against the log's records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps

from dualseal import Entry, SignatureRecord, VerdictKind

from . import conf
from .loading import loaded
from .rings import RingStore, of_key

# A row may hold a document of some megabytes.
AT_ONCE = 4
UNSIGNED = "no record signs it"


def signed_models() -> list[Any]:
    """The models of the project whose rows are signed."""
    from .models import Signed  # noqa: PLC0415

    return [model for model in apps.get_models() if issubclass(model, Signed)]


class Reader:
    """Holds the rows of one log against its records."""

    def __init__(self, chain: Any) -> None:
        self._chain = chain
        records = chain.records.model
        # Those of a project with tables of its own are signed in another log.
        self._models = [one for one in signed_models() if one._meta.get_field("record").related_model is records]
        self._claims_all = any(model.of_every_record for model in self._models)

    def check(self, entries: Iterable[Entry], signed: Iterable[tuple[Entry, SignatureRecord]]) -> Iterator[str]:
        """That the rows of these entries are still what their records sign, whatever these are; where every signature
        has a row, that none is gone.
        """
        if not self._models:
            return
        seqs = {entry.krunica_hash: entry.seq for entry in entries}
        seen = set()
        for model in self._models:
            rows = self._rows(model).filter(record__chain=self._chain, record__krunica_hash__in=list(seqs))
            for key, handle, row in loaded(rows.select_related("record"), "record__krunica_hash", AT_ONCE):
                seen.add(handle)
                for fault in faults(row):
                    yield f"entry {seqs[handle]}: {model._meta.label} {key}: {fault}"
        if self._claims_all:
            for entry in [entry for entry, _ in signed if entry.krunica_hash not in seen]:
                yield f"entry {entry.seq}: the row that it signed is missing"

    def check_unsigned(self) -> Iterator[str]:
        """That no row is without a record that says of itself no draft, and what such rows say of themselves."""
        for model in self._models:
            for key, _, row in loaded(self._rows(model).filter(record=None), "record", AT_ONCE):
                for fault in faults(row):
                    yield f"{model._meta.label} {key}: {fault}"

    def _rows(self, model: Any) -> Any:
        return model._base_manager.using(self._chain._state.db)


def faults(row: Any) -> list[str]:
    """What does not hold of one row, its record being the log's; whether that is valid, who reads records asks. A row
    without a record does not hold, unless it says that it may be one, and one that did not load is its error.
    """
    try:
        if isinstance(row, Exception):
            raise row
        if row.record is None:
            return [*([] if row.may_be_unsigned() else [UNSIGNED]), *_own(row)]
        record = row.record.record
        if record.identity_id != row.signed_by():
            return ["its record is another signer's", *_own(row)]
        content = conf.domain().content_hash(record.identity_id, row.signed_content())
        is_over = isinstance(record, SignatureRecord) and content.hash == record.content_hash
    except Exception as error:  # What a row says is parsed by the project, from what anybody wrote there.
        return [f"it does not read: {error}"]
    return [*([] if is_over else ["its record is not over what it says"]), *_own(row)]


def faults_of(row: Any, *, public: bool = False) -> list[str]:
    """As `faults`, and that the record's signature is valid by its log as it is now: that its key is suspended, revoked
    or a decoy, too. Nobody relies on a row without a record, a draft or not. `public` is what outsiders may be told, to
    whom a decoy's signature is as good as any.
    """
    if row.record is None:
        return [UNSIGNED, *_own(row)]
    found = faults(row)
    if found:
        return found
    record = row.record.record
    content = conf.domain().content_hash(record.identity_id, row.signed_content())
    chain = row.record.chain
    verdict = RingStore(chain.name, chains=type(chain)._base_manager).verdict(record, content)
    if verdict.kind == VerdictKind.INVALID:
        return [f"its signature is not valid ({verdict.reason})"]
    return of_key(verdict.kind, public=public)


def _own(row: Any) -> list[str]:
    try:
        if isinstance(row, Exception):
            raise row
        return list(row.faults())
    except Exception as error:
        return [f"it does not read: {error}"]
