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
    column: str

@final
class ColumnStream:
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
) -> ColumnStream: ...
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
) -> ColumnStream: ...
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
) -> ColumnStream: ...
def identify(
    domain: Domain,
    data: _ArrowStream,
    *,
    content: str = "content",
    creator: str = "creator",
    context: str = "context",
    keep: Sequence[str] = (),
    threads: int | None = None,
) -> ColumnStream: ...
def map_batches(batches: Iterable[Any], call: Callable[[Any], ColumnStream]) -> Iterator[Any]: ...
