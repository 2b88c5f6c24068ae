from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, final

from typing_extensions import Buffer

from ._domain import Domain
from ._enums import Operation
from ._krunica import Entry, Head
from ._presence import Presence
from ._seal import Seal
from ._sharing import DrawnSecret, Health
from ._vault import VaultMaster, VaultRecord

__all__ = [
    "CoveredSplits",
    "Dealer",
    "NodeShards",
    "OwnSplits",
    "Preparation",
    "PreparedSplit",
    "RebuildRequest",
    "Rebuilding",
    "Shard",
    "ShardKey",
    "SplitInForce",
    "Splits",
    "verify_shard_seal",
]

def verify_shard_seal(
    domain: Domain, key: ShardKey, shard_id: str, vault_id: str, identity_id: str, seal: Seal | str
) -> None:
    """Checks a shard's seal (a Seal or its text) from four fields, without the shard. Raises RejectedError."""

@final
class ShardKey:
    """The key that seals an identity's shards. Everybody who can check a shard's seal can also make it. It is wiped
    when it is no longer used.
    """
    @staticmethod
    def derive(domain: Domain, master: Buffer, identity_id: str) -> ShardKey:
        """An identity's key from a master of 32 drawn bytes (HKDF-SHA3-256)."""

@final
class Shard:
    """A shard: one share of a vault secret with an identifier that binds all of it, and a seal of its own. Its value is
    wiped when it is no longer used; what its methods return as str is a copy that Python cannot wipe.
    """
    @staticmethod
    def from_json(json: str | Buffer, /) -> Shard:
        """Reads the JSON of a shard that the caller kept; what a node answered is read with pulled."""
    @staticmethod
    def pulled(answer: str | Buffer, /, *, shard_id: str, index: int) -> Shard:
        """Reads what a node answered that was asked for this shard, number `index` of its splitting. An answer that is
        no shard, or another one, becomes a shard that does not hold, and its sender is the culprit.
        """
    def to_json(self) -> str:
        """Canonical JSON. Secret."""
    def verify(self, domain: Domain, key: ShardKey) -> None:
        """Checks that its members give its identifier, and its seal. Raises RejectedError."""
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
    ) -> None:
        """Whether a node lets this shard go: the one call that it makes before it answers a request. Raises
        RejectedError where it does not, and what the gate's `consume` raises.

        `recipient_key` is the public key of who asks, as the node pinned it and the channel authenticated it: of TLS
        the SubjectPublicKeyInfo in DER, on the same machine the service's ML-DSA-65 key; never what the request says of
        itself. `in_force` is the split_id that the operator told the node; only where there is no chain it is None and
        `no_chain` True. Vault, splitting, identity, recipient and shards of the request are compared before the gate is
        asked, so that a request which does not fit spends no nonce.
        """
    def value_hex(self) -> str:
        """The value (`vrijednost_hex`), 64 characters: whoever has m of them can rebuild the secret."""
    @property
    def shard_id(self) -> str:
        """The identifier, which binds every other member but the identity, which the seal binds."""
    @property
    def vault_id(self) -> str:
        """The vault."""
    @property
    def split_id(self) -> str:
        """The splitting."""
    @property
    def identity_id(self) -> str:
        """The identity whose vault it is."""
    @property
    def index(self) -> int:
        """The number of the shard (`indeks`)."""
    @property
    def m(self) -> int:
        """How many shards rebuild the secret."""
    @property
    def n(self) -> int:
        """How many shards there are."""
    @property
    def anchor(self) -> str:
        """The anchor of the vault secret (`javni_sidro`), 128 hexadecimal characters."""
    @property
    def node_url(self) -> str:
        """The label of the node that holds it. Nothing dials it."""
    @property
    def seal(self) -> Seal:
        """The seal."""

@final
class Dealer:
    """Deals the secret of a vault record to nodes: any m of the shards rebuild it, one shard for each label of
    `node_urls`, in that order. They are sealed under the record's own master.

    The record need not be verified. Raises MisuseError where it is of another master or domain, or its digest (L7) is
    not the master's: erasing the vault would leave such a split out.
    """
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
    ) -> Dealer:
        """For a secret that no vault record was sealed under: nothing says which key is the right one, and nothing is
        compared.
        """
    def prepare(self, secret: DrawnSecret, /, *, previous: str | None = None) -> PreparedSplit:
        """Prepares a split of a vault secret, a DrawnSecret of GF_2_256: the vault's first, or the one after
        `previous`, the split_id in force.
        """

@final
class PreparedSplit:
    """A new set of shards that does not count yet. Each shard is pulled by its node, which keeps the one that it had
    beside it, and goes nowhere else.
    """
    @property
    def shards(self) -> list[Shard]:
        """The shards, in the order of their numbers."""
    @property
    def preparation(self) -> Preparation:
        """What is committed when the nodes hold them."""
    @property
    def culprits(self) -> list[int]:
        """The numbers of the shards that did not hold when an earlier split was rebuilt, ascending."""
    @property
    def misdealt(self) -> list[int]:
        """The numbers of the shards that the dealer of the earlier split dealt wrong, ascending."""

@final
class Preparation:
    """A set of shards that was dealt and whose entry does not stand in the chain yet. It is kept in memory: one that is
    lost is prepared again.
    """
    def commit(
        self,
        acknowledgements: Sequence[str],
        /,
        splits: OwnSplits,
        *,
        time: str | int | datetime,
        least: int | None = None,
    ) -> tuple[Entry, Head]:
        """The entry by which the split comes into force, and the head after it: before it is stored the old shards
        rebuild, after that the new ones do. `acknowledgements` are the shard_ids of which a node, which the caller
        authenticated, said that it holds them: all, or `least` of them, at least m. `splits` is read up to the head
        that is appended to, in the transaction that appends. Raises RejectedError for too few, where another split was
        committed since, and where the vault was erased.
        """
    @property
    def split_id(self) -> str:
        """The split that was prepared."""

@final
class Splits:
    """The splits of a vault in a chain."""
    @property
    def found(self) -> list[tuple[int, str, bool]]:
        """(seq, split_id, counted) of every split that the operator made, in chain order, whatever became of it."""
    @property
    def erased_at(self) -> int | None:
        """The position of the entry by which the vault was erased, or None."""
    @property
    def after_erasure(self) -> list[str]:
        """The split_ids that the operator made after the vault was erased."""
    @property
    def ignored(self) -> list[tuple[int, str]]:
        """(seq, reason) of the first thousand entries that count for nothing: `form`, `tag`, `unverified`,
        `predecessor` or `repeated`. They blame nobody.
        """
    @property
    def more_ignored(self) -> int:
        """How many more there are."""
    @property
    def last(self) -> str | None:
        """The split_id of the last generation, or None."""

@final
class CoveredSplits:
    """The splits of a vault below a verified checkpoint: what rebuilding, releasing and deleting go by. Only a
    ChainReader's Proofs give them.
    """
    @property
    def splits(self) -> Splits:
        """All of them."""
    def in_force(self) -> SplitInForce:
        """The one in force. Raises RejectedError where the vault has none, or was erased."""

@final
class OwnSplits:
    """The splits of a vault up to the caller's own head: what committing and erasing go by, in the transaction that
    appends. Only a ChainReader's Proofs give them.
    """
    @property
    def splits(self) -> Splits:
        """All of them."""
    @property
    def head(self) -> Head:
        """The head up to which the chain was read, and which is appended to."""

@final
class SplitInForce:
    """The split of a vault in force below a verified checkpoint. Only CoveredSplits give one."""
    @property
    def split_id(self) -> str:
        """The split."""
    @property
    def seq(self) -> int:
        """The position of its chain entry."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Rebuilding:
    """Rebuilds the secret of one vault from m of its shards, behind a gate that is asked last and once.

    `in_force` is the last splitting in the chain, where there is a chain at hand: every other one is then refused.
    `recipient_key` is the public key of the caller, by which the nodes know it.
    """
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
    ) -> tuple[DrawnSecret, list[int], list[int]]:
        """The vault secret, from m or more of the shards that the request names and no other, the culprits, who sent
        shards that do not hold, and the misdealt, as Dealing.reconstruct gives them: the numbers of shards that took no
        part. What a node answered is read with Shard.pulled: m good shards rebuild, whatever is among them.

        Raises SharingError for too few shards that hold, RejectedError for a request that is for something else, for
        too few shards that hold with others among them that it does not name or are of another splitting, for a
        superseded one, and where the gate does not open, and what the gate's `consume` raises.
        """
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
    ) -> RebuildRequest:
        """What the nodes and the gate are asked, for whoever makes the proofs: to let these shards of a splitting go to
        this caller. Any m of them will do. `index` is for a repair, `node_urls` for a refresh, `m`, `n` and `node_urls`
        for a rethreshold. Raises RejectedError for a superseded splitting.
        """
    def health(self, shards: Sequence[Shard], /, *, of: Shard) -> Health:
        """What a set of shards amounts to for the splitting that `of` is of, a shard known to be good (Shard.verify),
        without rebuilding anything. `invalid` are those whose identifier or seal does not hold, whatever they say that
        they are of; `foreign` those that hold, of another vault, identity or splitting, or with other numbers, and all
        that hold where another splitting is in force. A number that is there twice may show in two lists.
        """
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
    ) -> tuple[Shard, list[int], list[int]]:
        """A lost shard, made again from m others, the culprits and the misdealt. `node_url` is the label that it had,
        and `shard_id` the identifier that the caller knows. Raises as rebuild does.
        """
    def refresh(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        dealer: Dealer,
        /,
        *,
        gate: Presence,
        now: str | int | datetime,
    ) -> PreparedSplit:
        """Prepares the same secret with the same m and n for the nodes of `dealer`; it counts when it is committed.
        Raises as rebuild does.

        Shards of the old and of the new splitting do not go together. It protects only while fewer than m shards of
        every earlier splitting survive.
        """
    def rethreshold(
        self,
        request: RebuildRequest,
        shards: Sequence[Shard],
        dealer: Dealer,
        /,
        *,
        gate: Presence,
        now: str | int | datetime,
    ) -> PreparedSplit:
        """As refresh, with another m and n. Old shards keep the old m for as long as they exist."""

@final
class RebuildRequest:
    """What is asked of the gate. Proofs of presence are made for one request and fit no other."""
    @staticmethod
    def from_json(json: str | Buffer, /) -> RebuildRequest:
        """Reads the JSON, in any spacing and member order. Holding a request says nothing about what it names."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> RebuildRequest:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON, for whoever makes the proofs elsewhere; nonce and expiry go beside it."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    def challenge(self, domain: Domain, *, nonce: str, expiry: str | int | datetime) -> str:
        """What an authenticator answers, 64 hexadecimal characters."""
    @property
    def operation(self) -> Operation:
        """The operation."""
    @property
    def vault_id(self) -> str:
        """The vault whose secret is rebuilt."""
    @property
    def split_id(self) -> str:
        """The splitting that the shards are of."""
    @property
    def shard_ids(self) -> list[str]:
        """The shards that may take part, ascending."""
    @property
    def arguments(self) -> str:
        """The hash of the operation's arguments (`args`), 64 hexadecimal characters."""
    @property
    def recipient(self) -> str:
        """Who receives the shards (`primatelj`): SHA3-256 of the public key, 64 hexadecimal characters."""
    @property
    def identity_id(self) -> str:
        """The identity whose vault it is."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class NodeShards:
    """The shards of one vault at a node: the one that counts, and at most one that was prepared and does not count yet.
    The node stores what is here after each call, as it stores the nonces that it saw.
    """
    def __new__(cls, current: Shard | None = None) -> Self: ...
    def prepare(self, domain: Domain, shard: Shard, until: str | int | datetime) -> str:
        """Takes a shard that was prepared, until a time later than the operator may still commit, and returns the
        shard_id that the node acknowledges. The same one may come again. Raises MisuseError for another vault's, and
        RejectedError for one whose members do not give its shard_id, and while the node holds another one that it
        acknowledged, which may have been committed.
        """
    def expire(self, *, in_force: str | None, told: str | int | datetime, no_chain: bool = False) -> None:
        """Deletes a prepared shard whose time is over and which does not count. `in_force` is the split_id in force
        that the operator told the node, who had read the log up to `told`; only where there is no chain it is None and
        `no_chain` True, and `told` is now. As long as that is before the end of its time the shard stays, and one whose
        split is in force stays until the operator's word puts it in the place of the old one.
        """
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
    ) -> None:
        """Deletes on the operator's word alone: Statement.drop_older to this node by its name, signed by the key that
        the node pinned, for a nonce that it drew. `split_id` is 64 zeros where the vault was erased. Raises
        RejectedError for another split than that of the prepared shard, and then deletes nothing. `consume` must not
        use this object.
        """
    @property
    def current(self) -> Shard | None:
        """The shard that counts, or None."""
    @property
    def prepared(self) -> Shard | None:
        """The shard that was prepared and does not count yet, or None."""
    @property
    def prepared_until(self) -> str | None:
        """Until when a prepared shard is kept, or None. `prepare` with it and this time restores what was stored."""
