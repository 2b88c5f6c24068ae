from collections.abc import Callable, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias, final, type_check_only

from typing_extensions import Buffer

from . import Domain, Entry, ExpandedSigningKey, Head, KeyCache, KeyRing, PublicKey, SigningKey, Verdict
from ._checkpoint import Located
from ._enums import Encryption, Tier, VaultOutcome
from ._errors import MalformedError
from ._evidence import AsOf
from ._shard import Ed25519SigningKey, OwnSplits, Splits
from ._sharing import DrawnSecret

__all__ = [
    "Erasure",
    "LedgerCheck",
    "LedgerHead",
    "LedgerSummary",
    "LocatedLedger",
    "Sealed",
    "SealedErasure",
    "Sealing",
    "StoredHash",
    "StoredHasher",
    "TierKeys",
    "Unplaced",
    "Unsealer",
    "VaultMaster",
    "VaultPolicy",
    "VaultRecord",
    "VaultReport",
    "VaultSealer",
    "VaultVerifier",
    "VerifiedRecord",
    "trace",
    "trace_decoy",
    "unseal",
    "unseal_file",
]

@type_check_only
class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

@type_check_only
class _Writer(Protocol):
    def write(self, data: bytes, /) -> int | None: ...

_Moment: TypeAlias = str | int | datetime
_Source: TypeAlias = str | PathLike[str] | _Reader
_Target: TypeAlias = str | PathLike[str] | _Writer
_Record: TypeAlias = VaultRecord | dict[str, Any] | str | Buffer

def trace(fragment_hex: str, records: Sequence[VaultRecord], /) -> str | None: ...
def trace_decoy(master: VaultMaster, verdict: Verdict[Any], records: Sequence[VaultRecord], /) -> str | None: ...
def unseal(verified: VerifiedRecord, stored: Buffer, /, *, secret: DrawnSecret | None = None) -> bytes: ...
def unseal_file(
    verified: VerifiedRecord, source: _Source, target: _Target, /, *, secret: DrawnSecret | None = None
) -> int: ...

@final
class VaultMaster:
    def __new__(cls, domain: Domain, secret: Buffer) -> Self: ...
    @staticmethod
    def generate(domain: Domain) -> VaultMaster: ...
    def to_bytes(self) -> bytes: ...
    @property
    def key_id(self) -> str: ...

@final
class LedgerHead:
    @staticmethod
    def draw() -> LedgerHead: ...
    @staticmethod
    def from_parts(ledger: str, size: int, top: str) -> LedgerHead: ...
    @property
    def ledger(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def top(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class VaultRecord:
    @staticmethod
    def from_json(json: str | Buffer, /) -> VaultRecord: ...
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> VaultRecord: ...
    def to_json(self) -> str: ...
    def to_stored_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def redacted(self) -> VaultRecord: ...
    @property
    def is_redacted(self) -> bool: ...
    @property
    def vault_id(self) -> str: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def created_at(self) -> str: ...
    @property
    def encryption(self) -> Encryption: ...
    @property
    def tier(self) -> Tier: ...
    @property
    def key_id(self) -> str: ...
    @property
    def ledger(self) -> str: ...
    @property
    def seq(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def note(self) -> str: ...
    @property
    def baseline(self) -> str: ...
    @property
    def seal_id(self) -> str: ...
    @property
    def entry(self) -> Entry: ...
    @property
    def krunica_hash(self) -> str: ...
    @property
    def ledger_head(self) -> LedgerHead: ...

@final
class StoredHash:
    @staticmethod
    def of(domain: Domain, stored: Buffer, /) -> StoredHash: ...
    @staticmethod
    def of_file(domain: Domain, source: _Source, /) -> StoredHash: ...
    @property
    def baseline(self) -> str: ...
    @property
    def length(self) -> int: ...

@final
class StoredHasher:
    def __new__(cls, domain: Domain) -> Self: ...
    def update(self, stored: Buffer, /) -> None: ...
    def finish(self) -> StoredHash: ...

@final
class VaultSealer:
    def __new__(
        cls,
        master: VaultMaster,
        identity_id: str,
        key: SigningKey | ExpandedSigningKey,
        *,
        tier: Tier | str | None = None,
        tier_key: Ed25519SigningKey | None = None,
    ) -> Self: ...
    @staticmethod
    def current(
        master: VaultMaster,
        ring: KeyRing,
        identity_id: str,
        key: SigningKey | ExpandedSigningKey,
        *,
        tier: Tier | str | None = None,
        tier_key: Ed25519SigningKey | None = None,
    ) -> VaultSealer: ...
    def seal(
        self,
        payload: Buffer,
        kind: str,
        *,
        encryption: Encryption | str,
        ledger: LedgerHead,
        head: Head,
        time: _Moment,
        note: str | None = None,
    ) -> tuple[Sealed, bytes]: ...
    def seal_file(
        self,
        source: _Source,
        target: _Target,
        kind: str,
        *,
        encryption: Encryption | str,
        ledger: LedgerHead,
        head: Head,
        time: _Moment,
        note: str | None = None,
    ) -> Sealed: ...
    def stream(self, kind: str, *, encryption: Encryption | str) -> Sealing: ...
    def erase(
        self,
        erased: VaultReport,
        splits: OwnSplits | Literal["no chain"],
        *,
        prepared: Sequence[str] = ...,
        ledger: LedgerHead,
        head: Head,
        time: _Moment,
        note: str | None = None,
    ) -> SealedErasure: ...
    @property
    def identity_id(self) -> str: ...

@final
class SealedErasure:
    @property
    def sealed(self) -> Sealed: ...
    @property
    def stored(self) -> bytes: ...
    @property
    def end(self) -> Entry | None: ...
    @property
    def head(self) -> Head: ...

@final
class Sealed:
    @property
    def record(self) -> VaultRecord: ...
    @property
    def secret(self) -> DrawnSecret | None: ...
    @property
    def decoy(self) -> PublicKey: ...
    @property
    def entry(self) -> Entry: ...
    @property
    def head(self) -> Head: ...
    @property
    def ledger(self) -> LedgerHead: ...

@final
class Sealing:
    def update(self, payload: Buffer, /) -> bytes: ...
    def finish(
        self, *, ledger: LedgerHead, head: Head, time: _Moment, note: str | None = None
    ) -> tuple[Sealed, bytes]: ...
    def finish_unplaced(
        self, *, ledger: LedgerHead, time: _Moment, note: str | None = None
    ) -> tuple[Unplaced, bytes]: ...

@final
class Unplaced:
    @property
    def before(self) -> LedgerHead: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def public_key(self) -> PublicKey: ...

@final
class TierKeys:
    def __new__(cls) -> Self: ...
    def enrol(self, identity_id: str, tier: Tier | str, public_key: str) -> None: ...

@final
class VaultPolicy:
    @staticmethod
    def public(*, least_tier: Tier | str | None = None, tier_keys: TierKeys | None = None) -> VaultPolicy: ...
    @staticmethod
    def operator(
        master: VaultMaster, *, least_tier: Tier | str | None = None, tier_keys: TierKeys | None = None
    ) -> VaultPolicy: ...

@final
class VaultVerifier:
    def __new__(
        cls, domain: Domain, ring: KeyRing, *, cache: KeyCache | None = None, cache_bytes: int | None = None
    ) -> Self: ...
    def verify(
        self,
        record: _Record,
        stored: Buffer | StoredHash,
        *,
        signer: str,
        policy: VaultPolicy,
        place: Located | None = None,
        after: LedgerHead | None = None,
    ) -> VaultReport: ...
    def verify_any_signer(
        self,
        record: _Record,
        stored: Buffer | StoredHash,
        *,
        policy: VaultPolicy,
        place: Located | None = None,
        after: LedgerHead | None = None,
    ) -> tuple[str, VaultReport]: ...
    def verify_as_of(
        self,
        record: _Record,
        stored: Buffer | StoredHash,
        *,
        signer: str,
        policy: VaultPolicy,
        place: Located,
    ) -> AsOf[VaultRecord]: ...
    def verify_many(
        self,
        items: Sequence[tuple[_Record, StoredHash, str, Located | None, LedgerHead | None]],
        *,
        policy: VaultPolicy,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[VaultReport | MalformedError]: ...
    @property
    def ring(self) -> KeyRing: ...

@final
class VaultReport:
    @property
    def layers(self) -> dict[str, tuple[VaultOutcome, str | None]]: ...
    @property
    def failed(self) -> str | None: ...
    @property
    def vault_id(self) -> str: ...
    @property
    def verdict(self) -> Verdict[VerifiedRecord]: ...
    def verified(self) -> VerifiedRecord: ...
    def to_json(self) -> str: ...
    def to_public_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_public_dict(self) -> dict[str, Any]: ...

@final
class VerifiedRecord:
    @property
    def record(self) -> VaultRecord: ...

@final
class Unsealer:
    def __new__(cls, verified: VerifiedRecord, *, secret: DrawnSecret | None = None) -> Self: ...
    def update(self, stored: Buffer, /) -> bytes: ...
    def finish(self) -> bytes: ...

@final
class Erasure:
    @staticmethod
    def read(verified: VerifiedRecord, place: Located, stored: Buffer, /) -> Erasure: ...
    @property
    def vault_id(self) -> str: ...
    @property
    def splits(self) -> list[str]: ...
    @property
    def seq(self) -> int: ...
    def spared(self, splits: Splits, /) -> list[tuple[int, str]]: ...
    def covers(self, record: VaultRecord, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class LocatedLedger:
    def locate(self, record: VaultRecord, /) -> Located | None: ...
    def __len__(self) -> int: ...
    @property
    def is_verified(self) -> bool: ...
    @property
    def ignored(self) -> dict[str, Any]: ...

@final
class LedgerCheck:
    def __new__(
        cls, verifier: VaultVerifier, ledger: str, *, policy: VaultPolicy, located: LocatedLedger | None = None
    ) -> Self: ...
    def push(self, record: _Record, stored: Buffer | StoredHash, /) -> VaultReport: ...
    def finish(self) -> LedgerSummary: ...

@final
class LedgerSummary:
    @property
    def head(self) -> LedgerHead: ...
    @property
    def valid(self) -> int: ...
    @property
    def revoked(self) -> int: ...
    @property
    def suspended(self) -> int: ...
    @property
    def decoys(self) -> int: ...
    @property
    def unverified(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
