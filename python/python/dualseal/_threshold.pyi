from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar, final

from typing_extensions import Buffer

from . import Domain, Entry, Head, KeyRing, Located, PublicKey, SigningKey, Verdict
from ._evidence import AsOf
from ._sharing import Health

__all__ = [
    "Acknowledgement",
    "AuthenticResult",
    "Committed",
    "Founded",
    "Founding",
    "LocatedSession",
    "NodeShares",
    "Prepared",
    "Quorum",
    "QuorumResult",
    "QuorumSigned",
    "Session",
    "SessionAtHead",
    "SessionInForce",
    "SessionShare",
    "ThresholdResult",
    "verify_pinned_quorum",
    "verify_pinned_quorum_as_of",
    "verify_quorum",
    "verify_quorum_as_of",
]

_T = TypeVar("_T")

def verify_quorum(
    session: SessionInForce,
    message_hash: str,
    result: QuorumResult,
    ring: KeyRing,
    *,
    place: Located | None = None,
) -> Verdict[QuorumResult]:
    """Verifies a result of a session with a public key, by the session in force: the key must be one of its identity in
    the ring. No share is needed.

    A result by a retired quorum key is valid only at a proven `place` of its signing entry before the retirement.
    """
def verify_pinned_quorum(
    domain: Domain,
    message_hash: str,
    result: QuorumResult,
    ring: KeyRing,
    *,
    session_id: str,
    identity_id: str,
    public_key: PublicKey,
    place: Located | None = None,
) -> Verdict[QuorumResult]:
    """As verify_quorum, without a chain: the session, the identity and the quorum's public key are those that the
    caller pinned by hand. Never take them from a session record that came with the result: a member of the ring could
    name himself there, and sign alone.
    """
def verify_quorum_as_of(
    session: SessionInForce, message_hash: str, result: QuorumResult, ring: KeyRing, *, place: Located
) -> AsOf[QuorumResult]:
    """The verdict as verify_quorum gives it at a proven `place` of the signing entry, with what became of the quorum's
    key before and after that place: an AsOf.
    """
def verify_pinned_quorum_as_of(
    domain: Domain,
    message_hash: str,
    result: QuorumResult,
    ring: KeyRing,
    *,
    session_id: str,
    identity_id: str,
    public_key: PublicKey,
    place: Located,
) -> AsOf[QuorumResult]:
    """As verify_quorum_as_of, for a quorum that the caller pinned by hand; verify_pinned_quorum says what that means.
    """

@final
class Founding:
    """What every session entry is made from: who asks, the custodians in the order of their share numbers, how many of
    them sign, and where it goes in the chain.
    """
    def __new__(
        cls,
        domain: Domain,
        founder: str,
        owners: Sequence[str],
        *,
        k: int,
        head: Head,
        time: str | int | datetime,
    ) -> Self: ...
    def hmac(self) -> Founded:
        """Founds a session whose results are verified with k shares (HMAC-SHA3-512)."""
    def mldsa(self, identity_id: str, /) -> Founded:
        """Founds a session whose results anybody verifies (ML-DSA-65), with the public key that the caller adds to a
        ring under `identity_id`.
        """

@final
class Founded:
    """A new session record with its shares, its chain entry and the head after it: stored together, or none of them.
    Each share goes to its custodian, and nowhere else.
    """
    @property
    def session(self) -> Session:
        """The record."""
    @property
    def shares(self) -> list[SessionShare]:
        """The shares, in the order of their numbers."""
    @property
    def entry(self) -> Entry:
        """The entry."""
    @property
    def head(self) -> Head:
        """The head after the entry."""

@final
class Session:
    """A session (KeyInfo): what is known of it without any secret. Which record of a session counts, a ChainReader
    tells.
    """
    @staticmethod
    def from_json(json: str | Buffer, /) -> Session:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> Session:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    def health(self, domain: Domain, shares: Sequence[SessionShare], /) -> Health:
        """What a set of shares is by this record alone, found out without rebuilding anything. Whether the record is in
        force it does not tell: SessionInForce.quorum does.
        """
    @property
    def session_id(self) -> str:
        """The identifier, which stays the same when the secret is dealt again."""
    @property
    def split_id(self) -> str:
        """The identifier of this set of shares."""
    @property
    def k(self) -> int:
        """How many shares sign."""
    @property
    def n(self) -> int:
        """How many shares there are."""
    @property
    def anchor(self) -> str:
        """The anchor of the secret (`javni_sidro`), 128 hexadecimal characters, which callers pin."""
    @property
    def algorithm(self) -> str:
        """The name of its algorithm on the wire."""
    @property
    def identity_id(self) -> str | None:
        """Under which identity a ring holds the public key; None for a session without one."""
    @property
    def public_key(self) -> PublicKey | None:
        """The public key; None for a session whose results are verified with shares."""
    @property
    def previous(self) -> str | None:
        """The split that this one replaces (`prethodni`); None for the founder."""
    @property
    def authority_hex(self) -> str | None:
        """The authority (`ovlast`) in hexadecimal; None for the founder, and for a record that is not committed."""
    @property
    def created_at(self) -> str:
        """When this record was made (`kreiran`)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Quorum:
    """What a set of shares amounts to in a session."""
    @property
    def health(self) -> Health:
        """Which share numbers are present, missing, invalid and foreign, by one record of the session. Foreign are
        those of its other records too, whose holders are no cheats.
        """
    @property
    def split_id(self) -> str:
        """The split of that record."""
    @property
    def seq(self) -> int:
        """The position of that record's chain entry."""
    @property
    def in_force(self) -> bool:
        """Whether that record is known to be in force. Of a session without a public key that is continued k good
        shares tell it.
        """
    @property
    def needed(self) -> int:
        """How many good shares that record needs."""
    @property
    def reached(self) -> bool:
        """Whether it is in force and there are as many."""
    @property
    def ignored(self) -> list[tuple[int, str]]:
        """The entries of the session that count for nothing, as pairs of position and reason."""

@final
class SessionShare:
    """A custodian's share (UdioInfo). Its value is wiped when it is no longer used; what its methods return as str is a
    copy that Python cannot wipe.
    """
    def __new__(cls, *, session_id: str, split_id: str, owner: str, index: int, value_hex: str) -> Self: ...
    @staticmethod
    def from_json(json: str | Buffer, /) -> SessionShare:
        """Reads the JSON."""
    @staticmethod
    def pulled(
        answer: str | Buffer, /, *, session_id: str, split_id: str, owner: str, index: int
    ) -> SessionShare:
        """Reads what a node answered that was asked for share `index`: the pair, and beside it the split that the node
        says it is of. An answer that is no pair, or names another number, becomes a share that does not hold, and its
        sender is the culprit.
        """
    def to_json(self) -> str:
        """Canonical JSON. Secret."""
    def to_pair_json(self) -> str:
        """What a node that pulls the share gets: `[indeks, vrijednost_hex]`. Secret."""
    def value_hex(self) -> str:
        """The value (`vrijednost_hex`), 132 characters: whoever has k of them can sign."""
    @property
    def session_id(self) -> str:
        """The session that it says it is of."""
    @property
    def split_id(self) -> str:
        """The splitting that it says it is of."""
    @property
    def owner(self) -> str:
        """The custodian (`vlasnik`)."""
    @property
    def index(self) -> int:
        """Which share it is (`indeks`)."""

@final
class LocatedSession:
    """What a chain says of a session. Which of its records it puts in force shows with them. Only a ChainReader's
    Proofs give one.
    """
    def in_force(self, records: Sequence[Session], /, ring: KeyRing | None) -> SessionInForce:
        """What is in force below the checkpoint. `records` holds the founder's record and those of the generations
        since; an entry of which none is at hand is listed as ignored. `ring` is the ring that the caller trusts: a
        quorum's key that was revoked authorises nothing from there on. None for a session without a public key.

        Raises RejectedError when the founding is not there, its record is missing or the ring does not hold the
        session's key, and MisuseError where the chain was read under no checkpoint, or from after the founding.
        """
    def at_head(self, records: Sequence[Session], /, ring: KeyRing | None) -> SessionAtHead:
        """What is in force at the head of one's own chain, where reading ended, beyond the checkpoint: what
        Prepared.commit goes on from. Raises as in_force does, but for the checkpoint.
        """

@final
class SessionAtHead:
    """What is in force of a session at the head of one's own chain. Only LocatedSession.at_head gives one."""
    @property
    def head(self) -> Head:
        """The head that a commitment extends."""

@final
class Prepared:
    """New shares of a session's secret, which do not count yet. Until commit has appended its entry the old shares
    sign. A preparation that is lost is prepared again.
    """
    @property
    def session(self) -> Session:
        """The record without its authority, which custodians check their shares by."""
    @property
    def shares(self) -> list[SessionShare]:
        """The new shares, in the order of their numbers. Each goes to its custodian, and nowhere else."""
    @property
    def culprits(self) -> list[int]:
        """The numbers of the old shares that did not hold, ascending."""
    @property
    def misdealt(self) -> list[int]:
        """The numbers of those that held and did not go with the others, ascending."""
    def commit(
        self,
        at: SessionAtHead,
        acknowledgements: Sequence[tuple[int, Acknowledgement]],
        /,
        *,
        requester: str,
        needed: int | None = None,
    ) -> Committed:
        """Appends the entry that brings the generation into force, at the head of one's own chain, when as many
        custodians as `needed` said that they have their shares: at least k, and all where nothing else is asked. What
        one said stands beside the number of his share, as the channel authenticated him: what he says of another's
        counts for nobody.

        Raises RejectedError when another generation is in force by now, and when too few said so.
        """

@final
class NodeShares:
    """A custodian's share of one session at its node, with the record of its generation: the one that counts, and at
    most one that was prepared and does not count yet. The node stores what is here after each call, as it stores the
    nonces that it saw.
    """
    def __new__(cls, domain: Domain, current: tuple[SessionShare, Session] | None = None) -> Self: ...
    def prepare(
        self, domain: Domain, share: SessionShare, record: Session, until: str | int | datetime
    ) -> Acknowledgement:
        """Takes a share that was prepared with the record of its generation, until a time later than the coordinator
        may still commit, and returns what the node acknowledges. The same one may come again. Raises MisuseError for
        another session's, and RejectedError for one that the record does not commit to, for a founder's record, for the
        split that counts here, for an authority that does not hold, and while the node holds another one that it
        acknowledged, which may have been committed.
        """
    def expire(self, *, in_force: str | None, told: str | int | datetime, no_chain: bool = False) -> None:
        """Deletes a prepared share whose time is over and which does not count, as NodeShards.expire does."""
    def obey(
        self,
        domain: Domain,
        audience: str,
        signature: str,
        *,
        split_id: str,
        record: Session,
        operator: str,
        nonce: str,
        expiry: str | int | datetime,
        now: str | int | datetime,
        consume: Callable[[str], bool],
    ) -> None:
        """Deletes the old share on the operator's word alone, with the full record of the generation in force beside
        it: Statement.drop_older_shares to this node by its name, signed by the key that the node pinned, for a nonce
        that it drew. Raises RejectedError for another split than that of the prepared share and for a record that is
        not the prepared one with a good authority, and then deletes nothing. `consume` must not use this object.
        """
    @property
    def current(self) -> tuple[SessionShare, Session] | None:
        """The share that counts and its record, or None."""
    @property
    def prepared(self) -> tuple[SessionShare, Session] | None:
        """The share that was prepared and its record, or None."""
    @property
    def prepared_until(self) -> str | None:
        """Until when a prepared share is kept, or None. `prepare` with it and this time restores what was stored."""

@final
class Acknowledgement:
    """That a custodian has a prepared share, which holds. Whoever counts it authenticated the node that said it."""
    @staticmethod
    def of(domain: Domain, session: Session, share: SessionShare) -> Acknowledgement:
        """Of a share that has arrived with its record. Raises RejectedError when it is not what the record commits to.
        """
    @staticmethod
    def from_json(json: str | Buffer, /) -> Acknowledgement:
        """Reads the JSON, in any spacing and member order."""
    def to_json(self) -> str:
        """Canonical JSON."""
    @property
    def split_id(self) -> str:
        """The split of the share."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Committed:
    """A generation with its chain entry and the head after it: stored together, or none of them."""
    @property
    def session(self) -> Session:
        """The record, with its authority."""
    @property
    def entry(self) -> Entry:
        """The entry."""
    @property
    def head(self) -> Head:
        """The head after the entry."""

@final
class SessionInForce:
    """What a chain says of a session below a verified checkpoint: its pinned founder, and the generations that continue
    it. Only a LocatedSession gives one.
    """
    @property
    def founder(self) -> Session:
        """The founder's record, which was pinned: what a session never changes is there, its identifier, anchor and
        key.
        """
    @property
    def session(self) -> Session | None:
        """The record in force; None for a session without a public key that is continued, of which only shares tell it:
        `quorum` says by which record they hold.
        """
    @property
    def seq(self) -> int | None:
        """The position of its chain entry; None as for `session`."""
    @property
    def candidates(self) -> list[tuple[Session, int]]:
        """The founder's record and those that may continue it, as pairs of record and position, in the order of the
        chain. Of a session without a public key anybody may have written any but the first.
        """
    def quorum(self, shares: Sequence[SessionShare], /) -> Quorum:
        """What a set of shares amounts to, sorted by the commitments of every record, as for signing. Nothing is
        rebuilt but where only the secret tells which record is in force, and k shares of one are there.
        """
    @property
    def ignored(self) -> list[tuple[int, str]]:
        """The entries of the session that count for nothing, as pairs of position and reason. They blame nobody."""
    def prepare_refresh(
        self, shares: Sequence[SessionShare], *, owners: Sequence[str], k: int, time: str | int | datetime
    ) -> Prepared:
        """Prepares other shares of the same secret with the same k and n, which must be those that the session has: a
        slip lowers neither. Raises SharingError.
        """
    def prepare_rethreshold(
        self, shares: Sequence[SessionShare], *, owners: Sequence[str], k: int, time: str | int | datetime
    ) -> Prepared:
        """As prepare_refresh, with other custodians, k and n. It protects only while fewer than k shares of every
        earlier generation survive.
        """
    def sign(
        self,
        message_hash: str,
        requester: str,
        shares: Sequence[SessionShare],
        *,
        head: Head,
        time: str | int | datetime,
    ) -> QuorumSigned:
        """Signs a message, by its message_hash, with k shares or more, for whoever asks. The secret exists in memory
        while this takes.

        Raises SharingError, whose `culprits` sent bad shares, and whose `refusal` is the record of it. Nothing is
        appended then.
        """
    def verify_with_shares(
        self, message_hash: str, result: QuorumResult, shares: Sequence[SessionShare]
    ) -> AuthenticResult:
        """Verifies a result of a session without a public key, with k shares. The secret exists in memory while this
        takes.

        Raises RejectedError when the result is not what this session made of this message, or is of the other kind, and
        SharingError.
        """
    def repair(
        self, shares: Sequence[SessionShare], *, lost: int, owner: str
    ) -> tuple[SessionShare, list[int], list[int]]:
        """A lost share, made again from k others for the custodian whom the session names for this number, the culprits
        and the misdealt, as Dealing.reconstruct gives them. Raises SharingError.
        """
    def with_quorum_key(
        self, shares: Sequence[SessionShare], work: Callable[[SigningKey], _T]
    ) -> tuple[_T, list[int], list[int]]:
        """Lends the quorum's SigningKey to `work` for one call, so that a quorum makes ordinary records, seals and
        checkpoints. Returns what `work` returned, the culprits and the misdealt.

        The key is wiped when the call returns: raises RuntimeError when `work` kept it. An exception that `work` raises
        is passed on, and holds the key for as long as its traceback lives. Raises SharingError, and RejectedError for a
        session without a public key.
        """
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ThresholdResult:
    """A result as it stands on the wire: with a signature, or with the reason why there is none."""
    @staticmethod
    def from_json(json: str | Buffer, /) -> ThresholdResult:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> ThresholdResult:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def signed(self) -> QuorumResult | None:
        """The result with a signature; None where there is none."""
    @property
    def reason(self) -> str | None:
        """Why there is no signature (`razlog`); None where there is one."""
    @property
    def culprits(self) -> list[int]:
        """The numbers of the shares that did not hold, ascending."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class QuorumResult:
    """A result with a signature. Holding one says nothing about its validity."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def requester(self) -> str:
        """Whoever asked for the signature (`weise3_hash`)."""
    @property
    def witness(self) -> str:
        """The hash of the signing entry (`svjedok_hash`), 128 hexadecimal characters."""
    @property
    def krunica_hash(self) -> str:
        """The short handle of the signing entry, 64 hexadecimal characters."""
    @property
    def time(self) -> str:
        """The time that the signer gave (`ts`). No evidence of time."""
    @property
    def culprits(self) -> list[int]:
        """The numbers of the shares that did not hold, ascending."""
    @property
    def algorithm(self) -> str:
        """The algorithm of the session that made it."""
    @property
    def signature_hex(self) -> str:
        """The signature in hexadecimal (`potpis`): 128 characters, or 6618."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class QuorumSigned:
    """A result with its chain entry and the head after it: stored together, or none of them."""
    @property
    def result(self) -> QuorumResult:
        """The result."""
    @property
    def entry(self) -> Entry:
        """Its entry in the chain."""
    @property
    def head(self) -> Head:
        """The head after the entry."""
    @property
    def misdealt(self) -> list[int]:
        """The numbers of the shares that held and did not go with the others, ascending. The result does not name them:
        the dealer is to blame.
        """
    @property
    def split_id(self) -> str:
        """The split of the shares that signed."""
    @property
    def ignored(self) -> list[tuple[int, str]]:
        """The entries of the session that count for nothing, as pairs of position and reason. They blame nobody."""

@final
class AuthenticResult:
    """A result that k shares confirmed. It was made by somebody who had k shares, which may be the verifiers
    themselves. Only SessionInForce.verify_with_shares gives one.
    """
    @property
    def result(self) -> QuorumResult:
        """The result."""
    @property
    def culprits(self) -> list[int]:
        """The numbers of the shares given now that do not hold, ascending."""
    @property
    def misdealt(self) -> list[int]:
        """The numbers of the shares given now that hold and do not go with the others, ascending."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
