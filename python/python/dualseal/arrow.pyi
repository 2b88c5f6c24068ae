from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol, final, type_check_only

from . import Domain, SealKey, SealPolicy, SealVerifier, VerifiedCheckpoint, Verifier, Witnesses
from ._errors import DualsealError

__all__ = [
    "ColumnError",
    "ColumnStream",
    "identify",
    "map_batches",
    "verify_evidence",
    "verify_records",
    "verify_seals",
]

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any | None = None) -> Any: ...

class ColumnError(DualsealError, ValueError):
    """A column that a call names is not there, or not as it has to be.

    Its ``name`` is ``missing``, ``twice``, ``type`` (neither text nor bytes) or ``kept`` (the result has one of this
    name).
    """
    column: str

@final
class ColumnStream:
    """The result of a call over columns, one row for each row of its data, in order. It is an Arrow stream for any
    consumer, by `__arrow_c_stream__`, and is read once. Nothing is read or verified before the consumer asks for it.
    """
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

def verify_seals(
    verifier: SealVerifier,
    data: _ArrowStream,
    *,
    policy: SealPolicy | Literal["both", "layer_a", "layer_b"],
    seal: str = "seal",
    payload: str = "payload",
    identity_id: str = "identity_id",
    seal_key: SealKey | Mapping[str, SealKey] | None = None,
    allow_legacy: bool = False,
    place: str | None = None,
    checkpoint: VerifiedCheckpoint | None = None,
    keep: Sequence[str] = (),
    threads: int | None = None,
) -> ColumnStream:
    """Checks a column of seals, as SealVerifier.verify checks one. The columns that it reads are given by their names:
    `seal`, the text of a seal or in a column of bytes its text or its binary form; `payload`, text or bytes;
    `identity_id`, 64 hexadecimal characters or 32 bytes; and `place`, the JSON of the PlaceProof of the seal's entry
    under `checkpoint`, or null. `seal_key` is one SealKey for all rows, or a mapping of them by identity. The columns
    named in `keep` are given out first, as they came.

    The result has `verdict` (a dictionary), `reason` (of invalid) and `error`. A row that cannot be read is
    `malformed`, and `error` names the column and says why; under `layer_a` a row is `authenticated` or
    `not-authenticated`. What is told of decoys is for the operator alone.

    The ring is as it is when a portion of at most 8192 rows is begun. `threads` as for SealVerifier.verify_many. Raises
    ColumnError for a column that is missing, there twice, or neither text nor bytes, and TypeError for a seal key that
    the policy does not fit. What comes to light while reading is an error of the stream.
    """
def verify_records(
    verifier: Verifier,
    data: _ArrowStream,
    *,
    record: str = "record",
    content: str = "content",
    identity_id: str = "identity_id",
    place: str | None = None,
    checkpoint: VerifiedCheckpoint | None = None,
    keep: Sequence[str] = (),
    threads: int | None = None,
) -> ColumnStream:
    """Verifies a column of signature records, as Verifier.verify does one. The columns that it reads are given by their
    names: `record`, the JSON of a record, or in a column of bytes its JSON or either binary form; `content`, text or
    bytes; `identity_id`, whose record is expected, 64 hexadecimal characters or 32 bytes; and `place`, the JSON of the
    PlaceProof of the record's entry under `checkpoint`, or null. A record in the binary form without its key is tried
    with the keys that the ring has for its identity, the current one first, 16 at most.

    `keep`, the result, `threads` and what is raised are as for verify_seals.
    """
def verify_evidence(
    data: _ArrowStream,
    *,
    log: str,
    evidence: str = "evidence",
    document: str = "document",
    identity_id: str = "identity_id",
    domain: Domain | None = None,
    least_size: int = 0,
    log_until: int | None = None,
    witnesses: Witnesses | None = None,
    witnessed_after: str | int | datetime | None = None,
    keep: Sequence[str] = (),
    threads: int | None = None,
) -> ColumnStream:
    """Verifies a column of files of evidence, as EvidenceFile.open and OpenEvidence.verify do one, by the fingerprint
    `log` of the log that is believed. The columns that it reads are given by their names: `evidence`, the JSON of a
    file; `document`, text or bytes, by the kind of the record its content, payload, message or stored bytes; and
    `identity_id`, whose record is expected, 64 hexadecimal characters or 32 bytes. `domain`, `least_size`, `log_until`,
    `witnesses` and `witnessed_after` are those of EvidenceFile.open.

    The result has `verdict`, `reason`, `error` and `as_of`, the number of entries of the log as of which the verdict is
    told. Evidence that does not hold is `invalid`; its reason is the name of the error. `keep`, `threads` and what is
    raised are as for verify_seals.
    """
def identify(
    domain: Domain,
    data: _ArrowStream,
    *,
    content: str = "content",
    creator: str = "creator",
    context: str = "context",
    keep: Sequence[str] = (),
    threads: int | None = None,
) -> ColumnStream:
    """Computes the identity_id of each row, as Domain.identity_id does one. The columns that it reads are given by
    their names: `content`, text or bytes, and `creator` and `context`, text. The columns named in `keep` are given out
    first, as they came.

    The result has `identity_id`, 64 hexadecimal characters, and `error`, which names the column and says why a row has
    none. `threads` and what is raised are as for verify_seals.
    """
def map_batches(batches: Iterable[Any], call: Callable[[Any], ColumnStream]) -> Iterator[Any]:
    """A call over the batches that an engine hands over one by one, as ``DataFrame.mapInArrow`` of Spark does: both are
    pyarrow.RecordBatch. The column ``verdict`` comes as plain text, since Spark takes no dictionary.

    ``call`` is given all of the batches as one stream; it is not called where there are none.
    """
