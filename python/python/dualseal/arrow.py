"""Columns: seals, records, evidence and contents of any Arrow table or stream, verified row for row.

Each function takes any object that has ``__arrow_c_stream__`` (of pyarrow, Polars, DuckDB and others), reads the
columns that are named, and gives a :class:`ColumnStream`, which is such an object again. Text and bytes are read in
every form that Arrow has, in dictionaries too, with nulls, in chunks of any size. No row stops the others: one that
cannot be read is ``malformed``, and its ``error`` says why. Memory does not grow with the number of rows, and the
interpreter lock is not held while rows are verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from dualseal._dualseal import ColumnStream, identify, verify_evidence, verify_records, verify_seals
from dualseal._errors import DualsealError

__all__ = [
    "ColumnError",
    "ColumnStream",
    "identify",
    "map_batches",
    "verify_evidence",
    "verify_records",
    "verify_seals",
]


class ColumnError(DualsealError, ValueError):
    """A column that a call names is not there, or not as it has to be.

    Its ``name`` is ``missing``, ``twice``, ``type`` (neither text nor bytes) or ``kept`` (the result has one of this
    name).
    """

    column: str = ""
    """The name of the column."""


def map_batches(batches: Iterable[Any], call: Callable[[Any], ColumnStream]) -> Iterator[Any]:
    """A call over the batches that an engine hands over one by one, as ``DataFrame.mapInArrow`` of Spark does: both are
    pyarrow.RecordBatch. The column ``verdict`` comes as plain text, since Spark takes no dictionary.

    ``call`` is given all of the batches as one stream; it is not called where there are none.
    """
    import pyarrow  # noqa: PLC0415

    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return
    data = pyarrow.RecordBatchReader.from_batches(first.schema, chain([first], batches))
    for batch in pyarrow.RecordBatchReader.from_stream(call(data)):
        plain = [
            column.dictionary_decode() if name == "verdict" else column
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
        ]
        yield pyarrow.RecordBatch.from_arrays(plain, names=batch.schema.names)
