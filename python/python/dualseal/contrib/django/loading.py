"""Rows that anybody may have written: what somebody wrote into one keeps nobody from reading the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def loaded(rows: Any, handle: str, at_once: int) -> Iterator[tuple[Any, Any, Any]]:
    """Key, handle (a column) and row, so many rows at once; in place of a row that does not load, the error."""
    handles = dict(rows.values_list("pk", handle))
    keys = list(handles)
    for start in range(0, len(keys), at_once):
        part = rows.filter(pk__in=keys[start : start + at_once])
        try:
            found = [(row.pk, row) for row in part]
        except Exception:  # A column's own converter raises what it likes.
            found = [(key, _alone(part, key)) for key in keys[start : start + at_once]]
        while found:
            key, row = found.pop(0)
            # Others may have deleted it meanwhile.
            if row is not None:
                yield key, handles[key], row


def _alone(rows: Any, key: Any) -> Any:
    try:
        return rows.filter(pk=key).first()
    except Exception as error:
        return error
