from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, final

from typing_extensions import Buffer

from . import Domain, Entry, Head, Seal
from ._enums import Operation
from ._sharing import DrawnSecret, Health
from ._threshold import SessionInForce, SessionShare
from ._vault import VaultMaster, VaultRecord

__all__ = [
    "CoveredSplits",
    "Dealer",
    "Ed25519SigningKey",
    "EnrolledKeys",
    "NodeShards",
    "OwnSplits",
    "Preparation",
    "PreparedSplit",
    "Presence",
    "PresenceProof",
    "RebuildRequest",
    "Rebuilding",
    "Shard",
    "ShardKey",
    "SplitInForce",
    "Splits",
    "Statement",
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
    @staticmethod
    def pulled(answer: str | Buffer, /, *, shard_id: str, index: int) -> Shard: ...
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
        no_chain: bool = False,
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
    def __new__(cls, record: VaultRecord, master: VaultMaster, *, m: int, node_urls: Sequence[str]) -> Self: ...
    @staticmethod
    def without_record(
        domain: Domain,
        key: ShardKey,
        vault_id: str,
        identity_id: str,
        *,
        m: int,
        node_urls: Sequence[str],
    ) -> Dealer: ...
    def prepare(self, secret: DrawnSecret, /, *, previous: str | None = None) -> PreparedSplit: ...

@final
class PreparedSplit:
    @property
    def shards(self) -> list[Shard]: ...
    @property
    def preparation(self) -> Preparation: ...
    @property
    def culprits(self) -> list[int]: ...
    @property
    def misdealt(self) -> list[int]: ...

@final
class Preparation:
    def commit(
        self,
        acknowledgements: Sequence[str],
        /,
        splits: OwnSplits,
        *,
        time: str | int | datetime,
        least: int | None = None,
    ) -> tuple[Entry, Head]: ...
    @property
    def split_id(self) -> str: ...

@final
class Splits:
    @property
    def found(self) -> list[tuple[int, str, bool]]: ...
    @property
    def erased_at(self) -> int | None: ...
    @property
    def after_erasure(self) -> list[str]: ...
    @property
    def ignored(self) -> list[tuple[int, str]]: ...
    @property
    def more_ignored(self) -> int: ...
    @property
    def last(self) -> str | None: ...

@final
class CoveredSplits:
    @property
    def splits(self) -> Splits: ...
    def in_force(self) -> SplitInForce: ...

@final
class OwnSplits:
    @property
    def splits(self) -> Splits: ...
    @property
    def head(self) -> Head: ...

@final
class SplitInForce:
    @property
    def split_id(self) -> str: ...
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
        in_force: SplitInForce | None,
        no_chain: bool = False,
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
    ) -> PreparedSplit: ...
    def rethreshold(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        dealer: Dealer,
        /,
        *,
        gate: Presence,
        now: str | int | datetime,
    ) -> PreparedSplit: ...

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
class Statement:
    @staticmethod
    def login(audience: str, identity_id: str, tier: str) -> Statement: ...
    @staticmethod
    def peer(audience: str, agent_id: str, url: str) -> Statement: ...
    @staticmethod
    def alive(audience: str, identity_id: str, statement: str) -> Statement: ...
    @staticmethod
    def drop_older(audience: str, splits: CoveredSplits) -> Statement: ...
    @staticmethod
    def drop_older_shares(audience: str, session: SessionInForce, shares: Sequence[SessionShare]) -> Statement: ...
    def sign(self, domain: Domain, key: Ed25519SigningKey, *, nonce: str, expiry: str | int | datetime) -> str: ...
    def verify(
        self,
        domain: Domain,
        signature: str,
        *,
        public_key: str,
        nonce: str,
        expiry: str | int | datetime,
        now: str | int | datetime,
        consume: Callable[[str], bool],
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class NodeShards:
    def __new__(cls, current: Shard | None = None) -> Self: ...
    def prepare(self, domain: Domain, shard: Shard, until: str | int | datetime) -> str: ...
    def expire(self, *, in_force: str | None, told: str | int | datetime, no_chain: bool = False) -> None: ...
    def obey(
        self,
        domain: Domain,
        audience: str,
        signature: str,
        *,
        split_id: str,
        operator: str,
        nonce: str,
        expiry: str | int | datetime,
        now: str | int | datetime,
        consume: Callable[[str], bool],
    ) -> None: ...
    @property
    def current(self) -> Shard | None: ...
    @property
    def prepared(self) -> Shard | None: ...
    @property
    def prepared_until(self) -> str | None: ...

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
