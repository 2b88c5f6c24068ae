from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Self, final

from typing_extensions import Buffer

from . import (
    CheckedRing,
    Domain,
    Entry,
    ExpandedSigningKey,
    Head,
    KeyRing,
    PublicKey,
    PublicRing,
    SigningKey,
    Verdict,
)
from ._enums import Comparison, Followed, KeyState
from ._tree import _Nodes, _Tiles

__all__ = [
    "AgreedChain",
    "AttestedKey",
    "AttestedRing",
    "Checkpoint",
    "CheckpointSigner",
    "CheckpointVerifier",
    "Follower",
    "Fork",
    "Growth",
    "HighWaterMark",
    "KeyProof",
    "Located",
    "Pins",
    "PlaceProof",
    "VerifiedCheckpoint",
    "compare_checkpoints",
    "log_fingerprint",
]

def compare_checkpoints(
    first: VerifiedCheckpoint, second: VerifiedCheckpoint, /
) -> Comparison | Fork:
    """What two verified checkpoints of one log say without the chain: a Comparison, or a Fork, which holds both.

    Raises MisuseError when they are of different logs.
    """
def log_fingerprint(domain: Domain, origin: str, identity_id: str, public_key: PublicKey) -> str:
    """The fingerprint of a log, 64 hexadecimal characters: SHA3-256 over its name, the identity of its signer, the
    signer's public key and the domain's constants. It is what people compare, and another one after a rotation of the
    log's key.
    """

@final
class Checkpoint:
    """A signed head of a chain. Holding one says nothing about its validity."""
    @staticmethod
    def from_json(json: str | Buffer, /) -> Checkpoint:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> Checkpoint:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def size(self) -> int:
        """The number of entries that were signed."""
    @property
    def top(self) -> str:
        """The hash of the last of them, 128 hexadecimal characters."""
    @property
    def root(self) -> str:
        """The root of the tree over them, 64 hexadecimal characters."""
    @property
    def ring(self) -> tuple[int, str] | None:
        """The ring as they state it last: its revision and its root, 64 hexadecimal characters."""
    def is_ring_of(self, domain: Domain, entry: Entry) -> bool:
        """Whether an entry is of the ring that it states, as far as anybody can tell without the ring key: its mac is
        not checked.
        """
    @property
    def note_key(self) -> str | None:
        """The Ed25519 key of the log's notes (`nota`), 64 hexadecimal characters."""
    @property
    def time(self) -> str:
        """When the signer says it was signed."""
    @property
    def identity_id(self) -> str:
        """The identity of the log's signer."""
    @property
    def public_key(self) -> PublicKey:
        """The key inside the checkpoint (`javni_kljuc`), which proves nothing: the verifier pins its hash."""
    @property
    def signature(self) -> bytes:
        """The signature (`potpis`), 3309 bytes."""
    def fingerprint(self, domain: Domain) -> str:
        """The fingerprint of the log that it says to be of: as log_fingerprint by its own members."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class HighWaterMark:
    """The greatest state of a log that its signer has signed or is about to. It is written, where a backup of the store
    does not reach, before the checkpoint is signed; a signer signs what is equal to it or goes on from it.
    """
    @staticmethod
    def first(origin: str, head: Head, *, ring: CheckedRing | None) -> HighWaterMark:
        """The mark of a log that never had a checkpoint. Nothing is compared with anything: a caller who makes a first
        mark twice can sign a fork. `ring` is the log's own, and None where it has none, which is said: a checkpoint
        that forgot its ring would show no key.
        """
    @staticmethod
    def of(checkpoint: VerifiedCheckpoint, /) -> HighWaterMark:
        """The mark of a log whose last checkpoint is this."""
    def next(self, growth: Growth, *, ring: CheckedRing | None) -> HighWaterMark:
        """The mark of a chain that was shown to go on from this one. Raises RejectedError for growth from another
        state, and for a ring that is older than the mark's, or another one; `ring` is None for a log without one.
        """
    @staticmethod
    def from_json(json: str | Buffer, /) -> HighWaterMark:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> HighWaterMark:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def size(self) -> int:
        """The number of entries."""
    @property
    def top(self) -> str:
        """The hash of the last of them, 128 hexadecimal characters."""
    @property
    def root(self) -> str:
        """The root of the tree over them, 64 hexadecimal characters."""
    @property
    def ring(self) -> tuple[int, str] | None:
        """The ring there: its revision and its root, 64 hexadecimal characters."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Growth:
    """A head of one's own chain, shown to go on from an earlier state. An agreed chain has one too."""
    @staticmethod
    def by_entries(mark: HighWaterMark, before: Head, entries: list[Entry]) -> Growth:
        """By the entries since `before`, the whole head that was stored for the mark. Raises RejectedError for another
        head, and for an entry that does not go on from the one before it.
        """
    @staticmethod
    def by_proof(mark: HighWaterMark, head: Head, path: Iterable[str]) -> Growth:
        """By a consistency proof (RFC 9162, section 2.1.4) from the mark's size to the head's: 64 hexadecimal
        characters a hash. Raises RejectedError when it does not hold.
        """
    @property
    def head(self) -> Head:
        """The head that goes on."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class CheckpointSigner:
    """Signs the checkpoints of one log, and none over a chain that does not go on from what it signed last.

    origin is the name of the log: 1 to 255 bytes, no control characters, no `::`, no leading `:`. note_key is the
    Ed25519 public key of the log's notes, 64 hexadecimal characters, where it has any.
    """
    def __new__(
        cls,
        domain: Domain,
        origin: str,
        identity_id: str,
        key: SigningKey | ExpandedSigningKey,
        *,
        note_key: str | None = None,
    ) -> Self: ...
    @staticmethod
    def current(
        domain: Domain,
        ring: KeyRing,
        origin: str,
        identity_id: str,
        key: SigningKey | ExpandedSigningKey,
        *,
        note_key: str | None = None,
    ) -> CheckpointSigner:
        """A signer whose key is the identity's current one in the log's ring, and VALID: a checkpoint by a key that was
        retired covers nothing beyond its retirement. Raises as KeyRing.check_signer does.
        """
    def sign(self, mark: HighWaterMark, *, time: str | int | datetime) -> Checkpoint:
        """Signs the state of a log, once its mark is written where a restored backup does not take it back. The same
        mark may be signed again, at another time, and by the next key after a rotation of the log's.
        """
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def identity_id(self) -> str:
        """The identity of the log's signer."""
    @property
    def public_key(self) -> PublicKey:
        """The public half of the key."""

@final
class Pins:
    """What a verifier knows of a log beforehand: its name, the identity of its signer, SHA3-256 over the signer's
    public key, and the least size that is accepted, which is that of the last checkpoint seen. Otherwise an old one
    passes.
    """
    def __new__(cls, *, origin: str, identity_id: str, key_hash: str, least_size: int) -> Self: ...
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def identity_id(self) -> str:
        """The identity of its signer."""
    @property
    def key_hash(self) -> str:
        """SHA3-256 over its signer's public key, 64 hexadecimal characters."""
    @property
    def least_size(self) -> int:
        """The least size that is accepted."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class CheckpointVerifier:
    """Verifies the checkpoints of one log. The pins say which key it must be; a ring, where there is one, adds that
    key's state and nothing else. Threads may share one.
    """
    def __new__(cls, domain: Domain, pins: Pins, ring: KeyRing | None = None) -> Self: ...
    def verify(self, checkpoint: Checkpoint | dict[str, Any] | str | Buffer) -> Verdict[VerifiedCheckpoint]:
        """Verifies a checkpoint (a Checkpoint, its members or its JSON): pins, size, signature, then the state of the
        key, and the first that fails decides. A checkpoint by a retired key is INVALID.
        """
    @property
    def pins(self) -> Pins:
        """What is known of the log."""
    @property
    def ring(self) -> KeyRing | None:
        """The ring, if there is one."""

@final
class VerifiedCheckpoint:
    """A checkpoint whose verification was VALID. Only Verdict.verified() gives one."""
    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint, without its proof."""

@final
class AgreedChain:
    """A chain that was shown to agree with a verified checkpoint of its log. Only Proofs give one."""
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def covered(self) -> int:
        """The number of entries that the checkpoint covers."""
    @property
    def head(self) -> Head:
        """The head of the whole chain, entries beyond the checkpoint included."""
    @property
    def signed_head(self) -> Head:
        """The head that the checkpoint signed: what a later ChainReader begins with."""
    @property
    def growth(self) -> Growth:
        """That the whole chain goes on from what the checkpoint signed."""

@final
class Located:
    """Proof that an entry stands at its place in the chain of an origin, below the size of a verified checkpoint that
    the chain agrees with. Only a ChainReader's Proofs give one.
    """
    @property
    def origin(self) -> str:
        """The origin of the checkpoint."""
    @property
    def entry(self) -> Entry:
        """The entry, with its position."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Fork:
    """Two verified checkpoints of one log that cannot both be true: proof that the log's signer showed different chains
    to different people. Keep both; they convince anybody.
    """
    @property
    def first(self) -> Checkpoint:
        """The smaller, or the first that was given."""
    @property
    def second(self) -> Checkpoint:
        """The other."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Follower:
    """Follows one log by its checkpoints: the greatest that was seen of it, which each new one must go on from. After a
    rotation of the log's key the new one is pinned, and the follower kept.
    """
    def __new__(cls, first: VerifiedCheckpoint, /) -> Self: ...
    @property
    def last(self) -> VerifiedCheckpoint:
        """The greatest that was seen: what is stored, whenever it changes and before anything relies on it."""
    def follow(self, next: VerifiedCheckpoint, /, *, path: Iterable[str] = ()) -> Followed | Fork:
        """Looks at a checkpoint, with the consistency proof between the two sizes as 64 hexadecimal characters a hash,
        or none for one size. Raises RejectedError when the proof does not hold, and MisuseError for another log's.
        """

@final
class PlaceProof:
    """An entry with the path from its leaf to the root that a checkpoint signs. It shows that the entry is in the tree,
    and not that the chain before it holds together: whoever reads all entries shows that.

    The path has 64 hexadecimal characters a hash, from the leaf's sibling to the root's child. Raises EvidenceError for
    one that does not hold: it is not given out.
    """
    def __new__(cls, checkpoint: Checkpoint, entry: Entry, path: Iterable[str]) -> Self: ...
    @staticmethod
    def make(
        checkpoint: Checkpoint, entry: Entry, *, nodes: _Nodes | None = None, tiles: _Tiles | None = None
    ) -> PlaceProof:
        """Made from a store of the tree's nodes or tiles, as prove_leaf has them. Raises what the store raises, and
        EvidenceError for an entry that the checkpoint does not cover.
        """
    @staticmethod
    def from_json(json: str | Buffer, /) -> PlaceProof:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> PlaceProof:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that came with it, which proves nothing before it was verified."""
    @property
    def entry(self) -> Entry:
        """The entry that it is about."""
    @property
    def path(self) -> list[str]:
        """The path."""
    def verify(self, checkpoint: VerifiedCheckpoint, /) -> Located:
        """Verifies it under its own checkpoint, once that is verified, or under any other of the same log and size:
        Located, as a ChainReader gives it. Raises EvidenceError with what is wrong, and RejectedError for an entry
        whose own hash does not hold.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class KeyProof:
    """What a ring says of one key, with the path from there to the root of the ring's tree. PublicRing.prove makes one;
    whose ring it is, a checkpoint states (AttestedKey).
    """
    @staticmethod
    def from_json(json: str | Buffer, /) -> KeyProof:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> KeyProof:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def identity_id(self) -> str:
        """Whose key it says to be."""
    @property
    def key_hash(self) -> str:
        """SHA3-256 over the key, 64 hexadecimal characters."""
    @property
    def state(self) -> KeyState:
        """The state that the ring gives it, a decoy as VALID."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class AttestedRing(KeyRing):
    """A public ring that is the one which a verified checkpoint of its log states: neither edited nor an older one. A
    stranger may rely on what it says as of the checkpoint's size, `known_to`, as the word of the log's signer.

    Raises EvidenceError for another log's ring (`ring-foreign`) and for a newer or edited one (`ring-mismatch`), and
    RejectedError for an older one (`ring-rollback`).
    """
    def __new__(cls, ring: PublicRing, checkpoint: VerifiedCheckpoint, /) -> Self: ...
    @property
    def public(self) -> PublicRing:
        """The ring, as it is given on."""

@final
class AttestedKey(KeyRing):
    """One key of the ring that a verified checkpoint states, with its history: to every verifier a ring that holds
    nothing else.

    Raises EvidenceError where the proof does not lead to the checkpoint's ring (`key-path`), and for another key than
    that of the proof (`key-other`).
    """
    def __new__(cls, proof: KeyProof, public_key: PublicKey, checkpoint: VerifiedCheckpoint, /) -> Self: ...
