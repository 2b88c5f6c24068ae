from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar, final, overload

from typing_extensions import Buffer

from ._domain import Domain
from ._presence_verifier import PresenceVerifier
from ._shard import CoveredSplits, RebuildRequest
from ._threshold import SessionInForce, SessionShare

__all__ = [
    "Ed25519SigningKey",
    "EnrolledKeys",
    "Presence",
    "PresenceProof",
    "Statement",
    "draw_nonce",
]

_Proof = TypeVar("_Proof")

def draw_nonce() -> str:
    """Draws the nonce of a challenge, 64 hexadecimal characters."""

@final
class Ed25519SigningKey:
    """An Ed25519 signing key: a seed of 32 bytes, from which the public half is derived. It is wiped when it is no
    longer used.
    """
    @staticmethod
    def generate() -> Ed25519SigningKey:
        """Draws a seed from the operating system."""
    @staticmethod
    def from_seed(seed: Buffer, /) -> Ed25519SigningKey:
        """From a seed of 32 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot."""
    def seed(self) -> bytes:
        """The seed, 32 bytes: whoever has it can sign."""
    @property
    def public_key(self) -> str:
        """The public half, 64 hexadecimal characters."""

@final
class EnrolledKeys:
    """The Ed25519 keys that may prove presence, for each identity: none at first, so that everything is denied."""
    def __new__(cls) -> Self: ...
    def enrol(self, identity_id: str, public_key: str) -> None:
        """Enrols a public key (64 hexadecimal characters) for an identity. Raises MalformedError for one that no strict
        verifier accepts.
        """
    def remove(self, identity_id: str, public_key: str) -> None:
        """Takes a key away."""

@final
class PresenceProof:
    """A proof of presence by an Ed25519 key. Holding one says nothing about its validity."""
    @staticmethod
    def sign(
        domain: Domain,
        request: RebuildRequest,
        key: Ed25519SigningKey,
        *,
        nonce: str,
        expiry: str | int | datetime,
    ) -> PresenceProof:
        """Answers the challenge of a request."""
    @staticmethod
    def from_json(json: str | Buffer, /) -> PresenceProof:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> PresenceProof:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def request(self) -> RebuildRequest:
        """What it was made for."""
    @property
    def nonce(self) -> str:
        """The nonce of its challenge."""
    @property
    def expiry(self) -> str:
        """The expiry of its challenge."""
    @property
    def public_key(self) -> str:
        """The key that it says made it, 64 hexadecimal characters."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Statement:
    """A statement for one audience, the service, node or log that it is made to, which draws the nonce and pins the
    key.
    """
    @staticmethod
    def login(audience: str, identity_id: str, tier: str) -> Statement:
        """That an identity logs in with a tier."""
    @staticmethod
    def peer(audience: str, agent_id: str, url: str) -> Statement:
        """That an agent answers at a URL."""
    @staticmethod
    def alive(audience: str, identity_id: str, statement: str) -> Statement:
        """That an identity's person is alive and says this."""
    @staticmethod
    def drop_older(audience: str, splits: CoveredSplits) -> Statement:
        """The operator's word to a node that a split is in force, or that the vault was erased, and older shards go.
        Raises RejectedError where there is neither.
        """
    @staticmethod
    def drop_older_shares(audience: str, session: SessionInForce, shares: Sequence[SessionShare]) -> Statement:
        """The same of a threshold session, to a custodian's node, with the full record of that generation beside it. It
        names the generation in force, as SessionInForce.quorum of the same shares does: where the chain alone does not
        tell which that is, k shares of it are needed. Raises RejectedError where nothing tells.
        """
    def sign(self, domain: Domain, key: Ed25519SigningKey, *, nonce: str, expiry: str | int | datetime) -> str:
        """Signs it, for a nonce that the audience drew and an expiry at most 300 seconds ahead: 128 hexadecimal
        characters.
        """
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
    ) -> None:
        """Verifies a signature, strictly, by the key that the audience pinned. `consume` is called last with the nonce,
        marks it as used and returns whether it was unused until then. Raises RejectedError.
        """
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Presence:
    """The gate that asks for proofs of presence: `required` good ones by different enrolled authenticators, all for the
    challenge of this nonce and expiry, which is at most 300 seconds after the operation.

    `verifier` is EnrolledKeys, whose proofs are PresenceProofs, or any PresenceVerifier with proofs of its own kind.
    What it raises keeps the gate shut and is what is raised, as is what it answers that is neither 32 bytes nor None.

    `consume` is called with the nonce, last and only when all else is good. It marks the nonce as used and returns
    whether it was unused until then, in one step that nobody can come between.
    """
    @overload
    def __new__(
        cls,
        verifier: EnrolledKeys,
        proofs: Sequence[PresenceProof],
        *,
        nonce: str,
        expiry: str | int | datetime,
        required: int,
        consume: Callable[[str], bool],
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        verifier: PresenceVerifier[_Proof],
        proofs: Sequence[_Proof],
        *,
        nonce: str,
        expiry: str | int | datetime,
        required: int,
        consume: Callable[[str], bool],
    ) -> Self: ...
