from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar, Self, TypeAlias, final

from typing_extensions import Buffer

from . import Domain, Entry, ExpandedSigningKey, Head, KeyCache, KeyRing, PublicKey, SigningKey, Verdict
from ._checkpoint import Located
from ._enums import LayerOutcome, SealFormat, SealOutcome, SealPolicy
from ._errors import MalformedError
from ._evidence import AsOf

__all__ = [
    "Authenticated",
    "Seal",
    "SealCheck",
    "SealKey",
    "SealReport",
    "SealStream",
    "SealVerifier",
    "Sealer",
    "UnplacedSeal",
]

_Moment: TypeAlias = str | int | datetime

@final
class SealKey:
    @staticmethod
    def derive(domain: Domain, master: Buffer, identity_id: str) -> SealKey: ...
    @staticmethod
    def from_bytes(data: Buffer, /) -> SealKey: ...
    @staticmethod
    def legacy(data: Buffer, /) -> SealKey: ...
    def to_bytes(self) -> bytes: ...

@final
class Seal:
    @staticmethod
    def parse(text: str, /) -> Seal: ...
    @staticmethod
    def from_bytes(stored: Buffer, /) -> Seal: ...
    def to_bytes(self) -> bytes: ...
    def info(self) -> dict[str, str | None]: ...
    @property
    def format(self) -> SealFormat: ...
    @property
    def seal_id(self) -> str | None: ...
    def chain_message(self, domain: Domain) -> str | None: ...
    def append_to(self, head: Head, domain: Domain, identity_id: str, time: _Moment) -> tuple[Entry, Head]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Sealer:
    def __new__(
        cls, domain: Domain, identity_id: str, seal_key: SealKey, signing_key: SigningKey | ExpandedSigningKey
    ) -> Self: ...
    @staticmethod
    def current(
        domain: Domain,
        ring: KeyRing,
        identity_id: str,
        seal_key: SealKey,
        signing_key: SigningKey | ExpandedSigningKey,
    ) -> Sealer: ...
    def seal(self, payload: Buffer, /) -> Seal: ...
    def seal_many(
        self,
        payloads: Sequence[Buffer],
        *,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[Seal]: ...
    def seal_unplaced(self, payload: Buffer, /) -> UnplacedSeal: ...
    def seal_legacy(self, payload: Buffer, /) -> Seal: ...
    def stream(self) -> SealStream: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def public_key(self) -> PublicKey: ...

@final
class SealStream:
    def update(self, payload: Buffer, /) -> None: ...
    def finish(self) -> Seal: ...
    def finish_unplaced(self) -> UnplacedSeal: ...

@final
class UnplacedSeal:
    @property
    def seal(self) -> Seal: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def public_key(self) -> PublicKey: ...

@final
class SealVerifier:
    def __new__(
        cls, domain: Domain, ring: KeyRing, *, cache: KeyCache | None = None, cache_bytes: int | None = None
    ) -> Self: ...
    def verify(
        self,
        seal: Seal | str,
        payload: Buffer,
        identity_id: str,
        *,
        policy: SealPolicy | str,
        seal_key: SealKey | None = None,
        allow_legacy: bool = False,
        place: Located | None = None,
    ) -> SealReport: ...
    def stream(
        self,
        seal: Seal | str,
        identity_id: str,
        *,
        policy: SealPolicy | str,
        seal_key: SealKey | None = None,
        allow_legacy: bool = False,
        place: Located | None = None,
    ) -> SealCheck: ...
    def verify_as_of(
        self,
        seal: Seal | str,
        payload: Buffer,
        identity_id: str,
        *,
        place: Located,
        seal_key: SealKey | None = None,
    ) -> AsOf[Seal]: ...
    def verify_many(
        self,
        items: Sequence[tuple[Seal | str, Buffer, str, SealKey | None, Located | None]],
        *,
        policy: SealPolicy | str,
        allow_legacy: bool = False,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[SealReport | MalformedError]: ...
    @property
    def ring(self) -> KeyRing: ...

@final
class SealCheck:
    def update(self, payload: Buffer, /) -> None: ...
    def finish(self) -> SealReport: ...

@final
class SealReport:
    @property
    def layer_a(self) -> LayerOutcome: ...
    @property
    def layer_b(self) -> LayerOutcome: ...
    @property
    def verdict(self) -> Verdict[Seal] | None: ...
    @property
    def authenticated(self) -> Authenticated | None: ...
    def internal(self) -> SealOutcome: ...
    def public(self) -> SealOutcome: ...
    def to_json(self) -> str: ...
    def to_public_json(self) -> str: ...

@final
class Authenticated:
    @property
    def identity_id(self) -> str: ...
    @property
    def format(self) -> SealFormat: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
