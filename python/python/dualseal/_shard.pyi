from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, final

from typing_extensions import Buffer

from . import Domain, Entry, Head, Seal, VerifiedCheckpoint
from ._enums import Operation
from ._sharing import DrawnSecret, Health

__all__ = [
    "Dealer",
    "Ed25519SigningKey",
    "EnrolledKeys",
    "Presence",
    "PresenceProof",
    "RebuildRequest",
    "Rebuilding",
    "Shard",
    "ShardKey",
    "Split",
    "SplitCheck",
    "SplitInForce",
    "draw_nonce",
    "verify_shard_seal",
]

def draw_nonce() -> str: ...
def verify_shard_seal(
    domain: Domain, key: ShardKey, shard_id: str, vault_id: str, identity_id: str, seal: Seal | str
) -> None: ...

@final
class ShardKey:
    @staticmethod
    def derive(domain: Domain, master: Buffer, identity_id: str) -> ShardKey: ...

@final
class Shard:
    @staticmethod
    def from_json(json: str | Buffer, /) -> Shard: ...
    def to_json(self) -> str: ...
    def verify(self, domain: Domain, key: ShardKey) -> None: ...
    def release(
        self,
        domain: Domain,
        request: RebuildRequest,
        /,
        *,
        recipient_key: Buffer,
        in_force: str | None,
        gate: Presence,
        now: str | int | datetime,
    ) -> None: ...
    def value_hex(self) -> str: ...
    @property
    def shard_id(self) -> str: ...
    @property
    def vault_id(self) -> str: ...
    @property
    def split_id(self) -> str: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def index(self) -> int: ...
    @property
    def m(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def anchor(self) -> str: ...
    @property
    def node_url(self) -> str: ...
    @property
    def seal(self) -> Seal: ...

@final
class Dealer:
    def __new__(
        cls,
        domain: Domain,
        key: ShardKey,
        vault_id: str,
        identity_id: str,
        *,
        m: int,
        node_urls: Sequence[str],
        head: Head,
        time: str | int | datetime,
    ) -> Self: ...
    def split(self, secret: DrawnSecret, /) -> Split: ...

@final
class Split:
    @property
    def shards(self) -> list[Shard]: ...
    @property
    def entry(self) -> Entry: ...
    @property
    def head(self) -> Head: ...
    @property
    def culprits(self) -> list[int]: ...
    @property
    def misdealt(self) -> list[int]: ...

@final
class SplitCheck:
    def __new__(cls, domain: Domain, vault_id: str, identity_id: str, checkpoint: VerifiedCheckpoint) -> Self: ...
    def push(self, entry: Entry, /) -> None: ...
    def push_json(self, json: str | Buffer, /) -> Entry: ...
    def finish(self) -> SplitInForce: ...

@final
class SplitInForce:
    @property
    def seq(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Rebuilding:
    def __new__(
        cls,
        domain: Domain,
        key: ShardKey,
        vault_id: str,
        identity_id: str,
        *,
        recipient_key: Buffer,
        in_force: SplitInForce | None = None,
    ) -> Self: ...
    def rebuild(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        /,
        *,
        gate: Presence,
        now: str | int | datetime,
    ) -> tuple[DrawnSecret, list[int], list[int]]: ...
    def request(
        self,
        operation: Operation | str,
        split_id: str,
        shard_ids: Sequence[str],
        /,
        *,
        index: int | None = None,
        m: int | None = None,
        n: int | None = None,
        node_urls: Sequence[str] | None = None,
    ) -> RebuildRequest: ...
    def health(self, shards: Sequence[Shard], /, *, of: Shard) -> Health: ...
    def repair(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        /,
        *,
        lost: int,
        node_url: str,
        shard_id: str,
        gate: Presence,
        now: str | int | datetime,
    ) -> tuple[Shard, list[int], list[int]]: ...
    def refresh(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        dealer: Dealer,
        /,
        *,
        gate: Presence,
        now: str | int | datetime,
    ) -> Split: ...
    def rethreshold(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        dealer: Dealer,
        /,
        *,
        gate: Presence,
        now: str | int | datetime,
    ) -> Split: ...

@final
class RebuildRequest:
    @staticmethod
    def from_json(json: str | Buffer, /) -> RebuildRequest: ...
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> RebuildRequest: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def challenge(self, domain: Domain, *, nonce: str, expiry: str | int | datetime) -> str: ...
    @property
    def operation(self) -> Operation: ...
    @property
    def vault_id(self) -> str: ...
    @property
    def split_id(self) -> str: ...
    @property
    def shard_ids(self) -> list[str]: ...
    @property
    def arguments(self) -> str: ...
    @property
    def recipient(self) -> str: ...
    @property
    def identity_id(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Ed25519SigningKey:
    @staticmethod
    def generate() -> Ed25519SigningKey: ...
    @staticmethod
    def from_seed(seed: Buffer, /) -> Ed25519SigningKey: ...
    def seed(self) -> bytes: ...
    @property
    def public_key(self) -> str: ...

@final
class EnrolledKeys:
    def __new__(cls) -> Self: ...
    def enrol(self, identity_id: str, public_key: str) -> None: ...
    def remove(self, identity_id: str, public_key: str) -> None: ...

@final
class PresenceProof:
    @staticmethod
    def sign(
        domain: Domain,
        request: RebuildRequest,
        key: Ed25519SigningKey,
        *,
        nonce: str,
        expiry: str | int | datetime,
    ) -> PresenceProof: ...
    @staticmethod
    def from_json(json: str | Buffer, /) -> PresenceProof: ...
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> PresenceProof: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    @property
    def request(self) -> RebuildRequest: ...
    @property
    def nonce(self) -> str: ...
    @property
    def expiry(self) -> str: ...
    @property
    def public_key(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Presence:
    def __new__(
        cls,
        enrolled: EnrolledKeys,
        proofs: Sequence[PresenceProof],
        *,
        nonce: str,
        expiry: str | int | datetime,
        required: int,
        consume: Callable[[str], bool],
    ) -> Self: ...
