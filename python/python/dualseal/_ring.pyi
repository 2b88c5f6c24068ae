from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, TypeAlias, final

from typing_extensions import Buffer, disjoint_base

from ._checkpoint import KeyProof
from ._domain import Domain
from ._enums import KeyState
from ._keys import PublicKey
from ._krunica import Entry, Head
from ._vault import VaultMaster

__all__ = ["CheckedRing", "KeyRing", "PublicRing", "RingFile", "RingKey"]

_Moment: TypeAlias = str | int | datetime
_JsonText: TypeAlias = str | Buffer

@final
class RingKey:
    """The authority over a ring's changes: 32 secret bytes, kept apart from the ring, and the domain of its chain."""
    def __new__(cls, domain: Domain, key: Buffer) -> Self: ...
    @staticmethod
    def generate(domain: Domain) -> RingKey:
        """Draws a ring key from the operating system."""
    def to_bytes(self) -> bytes:
        """The 32 bytes, a copy that Python cannot wipe. Store them apart from the ring."""

@final
class RingFile:
    """A ring as it was read from its operator's store, where it is one document or rows: nobody vouches for it yet. It
    goes into ChainReader.ring.
    """
    @staticmethod
    def from_json(json: _JsonText, /) -> RingFile:
        """Reads the document that CheckedRing.to_stored_json wrote."""
    @staticmethod
    def from_rows(seal: _JsonText, rows: Iterable[_JsonText], /) -> RingFile:
        """Reads a ring that is kept in rows, in any order: those of KeyRing.identity_row and KeyRing.decoy_row, with
        what CheckedRing.seal_rows wrote over all of them. A row that is missing, old or edited breaks the MAC, which is
        found when the ring is held against its chain.
        """
    @property
    def origin(self) -> str:
        """The origin of the chain that records the ring's changes."""
    @property
    def revision(self) -> int:
        """The number of changes of current and retired keys, as the store says."""
    @property
    def size(self) -> int:
        """The number of entries that the chain had when the ring was written, as the store says."""

@disjoint_base
class KeyRing:
    """The keys that a verifier goes by: one that a stranger pinned, those of a CheckedRing, or those of a PublicRing.
    Threads may share one, and a Verifier sees every change of it.
    """
    @staticmethod
    def pinned(identity_id: str, public_key: PublicKey) -> KeyRing:
        """One key that a stranger got from its owner and trusts: state VALID, no origin, cannot be changed or exported.
        """
    def info(self, identity_id: str) -> dict[str, Any] | None:
        """Key pair info of an identity's current key, for the operator; None when it has none."""
    def public_info(self, identity_id: str) -> dict[str, Any] | None:
        """As info, as an outsider may see it: `oboje` reads `istina`."""
    def check_signer(self, identity_id: str, public_key: PublicKey) -> None:
        """Says whether an identity may sign with this key: it is the current one, and VALID. Raises MisuseError where
        it is not (`not-current`), and where the identity has no current key.
        """
    def identities(self) -> list[str]:
        """Every identity that has a current or retired key, in ascending order."""
    def keys(self, identity_id: str) -> list[tuple[PublicKey, KeyState]]:
        """An identity's keys with their states, for the operator: the current one, then the retired ones, the latest
        first.
        """
    def retired_at(self, identity_id: str, key_hash: str) -> int | None:
        """The position of the entry that put another key in the place of an identity's key with this hash; None for the
        current one, and for one that the ring has not.
        """
    def counts_until(self, identity_id: str, key_hash: str) -> int | None:
        """Up to which entry a checkpoint by an identity's key with this hash counts, for EvidenceFile.open: the
        position of the entry that put another key in its place, that suspended it or made it a decoy, or from which it
        counts as compromised where it is revoked; of these the first. None for a current key in state VALID, and for
        one that the ring has not.
        """
    @property
    def last_change(self) -> int | None:
        """The position of the last entry that changed the ring, where the entry stands that Checkpoint.is_ring_of
        tells; None of a ring without changes.
        """
    @property
    def origin(self) -> str | None:
        """The origin of the chain that records this ring's changes; None for a pinned key."""
    @property
    def known_to(self) -> int | None:
        """The number of entries of the chain as of which its keys are known. None of a pinned key, and of a public ring
        that nothing attests.
        """
    @property
    def revision(self) -> int:
        """The number of changes of current and retired keys."""
    def identity_row(self, identity_id: str, /) -> str | None:
        """The row of an identity, as a CheckedRing is stored: its current and retired keys, a canonical JSON list; None
        for one that the ring does not know. It changes with each change of the identity, and with no other.
        """
    def decoy_row(self, key_hash: str, /) -> str | None:
        """The row of a decoy by the hash of its key, for its operator's store alone; None for any other key. It never
        changes.
        """
    def __len__(self) -> int: ...
    def __contains__(self, identity_id: str, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class CheckedRing(KeyRing):
    """A ring that is new or was held against its chain (ChainReader.ring), with the authority over its changes.

    A change returns (entry, new head): store them with `to_stored_json(head)`, all or nothing. A service acknowledges a
    change only after a checkpoint covers its entry. On an error the ring is as it was.
    """
    def __new__(cls, origin: str, authority: RingKey) -> Self: ...
    def to_stored_json(self, head: Head) -> str:
        """The ring file, decoys included, for its operator's store alone. Its MAC binds all of it to `head`, where the
        chain ends now: write it with each change and each decoy, and read it by ChainReader.ring.
        """
    def seal_rows(self, head: Head) -> str:
        """What seals the rows of this ring, in the place of to_stored_json: it is written with each row, in the same
        transaction, and RingFile.from_rows reads it.
        """
    def public(self) -> PublicRing:
        """The only form in which a ring leaves its operator: no decoy keys, and `oboje` reads `istina`."""
    def prove(self, key_hash: str, /) -> KeyProof:
        """The proof that the key with this hash stands in the public form of this ring, for evidence of what it signed.

        Raises MisuseError (`decoy-key`) for a decoy and for a key in state DECOY, whose evidence outsiders would read
        as a pass; the refusal is for the operator alone. Raises MisuseError for a key that the ring does not hold.
        """
    def add(self, identity_id: str, public_key: PublicKey, *, head: Head, time: _Moment) -> tuple[Entry, Head]:
        """Gives an identity its first key, in state VALID."""
    def rotate(self, identity_id: str, public_key: PublicKey, *, head: Head, time: _Moment) -> tuple[Entry, Head]:
        """Puts a new key in place of the current one, which is retired at the position of this change's own entry.

        The old key keeps its state. The new one takes it over, but starts as VALID where the old one is REVOKED.
        """
    def set_state(
        self,
        identity_id: str,
        state: KeyState | str,
        *,
        head: Head,
        time: _Moment,
        key_hash: str | None = None,
        compromised_from: int | None = None,
    ) -> tuple[Entry, Head]:
        """Sets the state of an identity's current key, or of the retired one with this hash, to any state.

        With REVOKED, `compromised_from` is the position in the chain from which the key counts as compromised, at most
        that of the change itself and of what was said before.
        """
    def add_decoy(self, public_key: PublicKey, entry: Entry) -> None:
        """Adds the decoy key of a vault record, by the record's own chain entry: whoever signs with its leaked private
        half gets the verdict DECOY. Decoys are not chained, so nothing is returned; the ring file holds them.
        """
    def follow(self, entry: Entry, /, *, masters: Sequence[VaultMaster]) -> None:
        """Goes on past an entry that was appended since: the chain's next one, and no change of this ring. A ring is
        changed, stored and stated by a checkpoint only where it was followed to the end of the chain, so that nobody
        writes away a revocation that another process has made, or the decoy of a record that another has sealed by one
        of the log's `masters`. For the entry of one's own record with a decoy, `add_decoy` does it.

        Raises RejectedError for a change of this ring that was made elsewhere, and for such a record: read the ring
        again by ChainReader.ring. Raises MisuseError for an entry further on, and for one that the ring is past.
        """
    @property
    def decoy_count(self) -> int:
        """The number of decoy keys."""

@final
class PublicRing(KeyRing):
    """A ring as its operator gives it out: no decoy keys, and `oboje` reads `istina`, in the histories too. What it
    calls valid is its operator's word; whoever needs more pins the signer's key.
    """
    @staticmethod
    def from_json(json: _JsonText, /) -> PublicRing:
        """Reads the JSON of a public ring."""
    def to_json(self) -> str:
        """Canonical JSON."""
    @property
    def root(self) -> str:
        """The ring root, which the ring entry of this revision states."""
    def prove(self, key_hash: str, /) -> KeyProof | None:
        """The proof that the key with this hash stands in the ring; None where the ring does not hold it."""
