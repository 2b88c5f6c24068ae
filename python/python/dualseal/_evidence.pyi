from datetime import datetime
from types import GenericAlias
from typing import Any, Generic, Self, TypeAlias, TypeVar, final

from typing_extensions import Buffer

from . import Domain, PublicKey, SignatureRecord, Verdict
from ._checkpoint import Checkpoint, KeyProof, PlaceProof
from ._enums import EvidenceKind, KeyState
from ._note import Note, Witnesses
from ._seal import Seal
from ._threshold import QuorumResult
from ._vault import VaultRecord

__all__ = [
    "AsOf",
    "EvidenceCheck",
    "EvidenceFile",
    "EvidenceReport",
    "OpenEvidence",
    "QuorumEvidence",
    "SealEvidence",
]

_T_co = TypeVar("_T_co", covariant=True)
_Record: TypeAlias = SignatureRecord | SealEvidence | VaultRecord | QuorumEvidence

@final
class AsOf(Generic[_T_co]):
    """A verdict on a record at a proven place, as of a size of the chain.

    The verdict follows the state that the key has as of that size: a revocation that came after the record revokes it
    too. What else is here tells the two apart, and decides nothing. It is what the log's signer says. Its truth value
    raises TypeError.
    """
    @property
    def verdict(self) -> Verdict[_T_co]:
        """The verdict."""
    @property
    def size(self) -> int | None:
        """The number of entries of the chain as of which the key is known. None with a pinned key, or a public ring
        that nothing attests: then nothing is known of revocations.
        """
    @property
    def failed(self) -> str | None:
        """The first check that failed, whatever the state of the key: anybody may place an entry for a record that its
        signer never made. For the operator.
        """
    @property
    def place(self) -> int | None:
        """The position of the record's own entry; None where a check failed."""
    @property
    def revoked_then(self) -> int | None:
        """The entry that began the revoked interval in which the place lies, also where the key is valid again."""
    @property
    def revoked_now(self) -> int | None:
        """The entry since which the key is revoked."""
    @property
    def compromised_from(self) -> int | None:
        """From which position on the key counts as compromised (`opozvan_od`), whatever its state is now."""
    @property
    def claimed(self) -> bool:
        """Whether the record stands at or after that position: it may be the thief's."""
    def to_json(self) -> str:
        """Canonical JSON, for the operator."""
    def to_public_json(self) -> str:
        """Canonical JSON for everybody else: a decoy equals a valid record, and every failed check reads `rejected`."""
    def to_dict(self) -> dict[str, Any]:
        """The members of to_json."""
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class SealEvidence:
    """A dual seal (a Seal or its text), which names neither signer nor key, with both."""
    def __new__(cls, seal: Seal | str, *, identity_id: str, public_key: PublicKey) -> Self: ...
    @property
    def seal(self) -> Seal:
        """The seal."""
    @property
    def identity_id(self) -> str:
        """Whose seal it is."""
    @property
    def public_key(self) -> PublicKey:
        """The key of layer B."""

@final
class QuorumEvidence:
    """A result of a quorum with a public key, with the session, the identity and the key that it does not name itself.
    """
    def __new__(
        cls, result: QuorumResult, *, session_id: str, identity_id: str, public_key: PublicKey
    ) -> Self: ...
    @property
    def result(self) -> QuorumResult:
        """The result."""
    @property
    def session_id(self) -> str:
        """The session."""
    @property
    def identity_id(self) -> str:
        """The identity whose key the quorum's is."""
    @property
    def public_key(self) -> PublicKey:
        """The quorum's key."""

@final
class EvidenceFile:
    """A file of evidence (`.evidence.json`): a record, the key that made it, its place in the log, and who saw the log.
    Holding one says nothing: open() begins its verification.

    It is made of a record (a SignatureRecord, SealEvidence, VaultRecord or QuorumEvidence), the place of its own entry,
    the place of the ring entry that made the ring what the checkpoint states, the proof of its key in that ring, and
    the log's note with what witnesses added, all under one checkpoint. `public_key` is the key of a vault record, which
    lacks it. `name` is what the domain was made of; with None, where constants were set by hand, the verifier has to
    know the domain. A vault record is redacted.

    What nobody could verify is not given out: raises as open() does from the note on, EvidenceError for places under
    two checkpoints, and MalformedError for a name that is not the domain's.
    """
    def __new__(
        cls,
        record: SignatureRecord | SealEvidence | VaultRecord | QuorumEvidence,
        *,
        domain: Domain,
        name: str | None,
        place: PlaceProof,
        ring: PlaceProof,
        key: KeyProof,
        note: Note | None = None,
        public_key: PublicKey | None = None,
    ) -> Self: ...
    @staticmethod
    def from_json(json: str | Buffer, /) -> EvidenceFile:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> EvidenceFile:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def kind(self) -> EvidenceKind:
        """What kind of record it is about (`vrsta`), and with it what the document is."""
    def open(
        self,
        *,
        log: str,
        signer: str | None = None,
        key: str | None = None,
        any_signer: bool = False,
        domain: Domain | None = None,
        least_size: int = 0,
        log_until: int | None = None,
        witnesses: Witnesses | None = None,
        witnessed_after: str | int | datetime | None = None,
    ) -> OpenEvidence:
        """Verifies all that needs no document: the log's fingerprint, the checkpoint, the note, the places of the
        record's entry and of the ring's, the path of the key, and whose it is, in this order.

        `log` is the fingerprint of the log that is believed, 64 hexadecimal characters, known from elsewhere. Whose
        record it must be is said in one way of three: `signer`, an identity; `key`, SHA3-256 over a public key, which
        is the signer's fingerprint; or `any_signer=True`, for a caller who then decides by the report's identity_id,
        since every identity of a log's ring can sign any document.

        `domain` is needed where its constants were set by hand, and must not be another's. `least_size` keeps an old
        checkpoint from hiding a revocation. `log_until` is the position of the entry that retired or suspended the
        log's key, or from which it counts as compromised (KeyRing.counts_until), where the caller knows of one:
        somebody else may have it since, and a checkpoint of more entries is refused. Of `witnesses` as many must have
        seen the log as they say, the last of whom, of the earliest that suffice, at `witnessed_after` or later; both
        are judged with the document.

        Raises EvidenceError, RejectedError for a note that does not hold, MalformedError for a domain that is missing
        or another, and TypeError where whose record it must be is not said in one way.
        """

@final
class OpenEvidence:
    """Evidence of which all holds that needs no document. Only EvidenceFile.open gives one. Threads may share it."""
    @property
    def kind(self) -> EvidenceKind:
        """What kind of record it is about, and with it what the document is."""
    def verify(self, document: Buffer, /) -> EvidenceReport:
        """Verifies the record over its document, any bytes-like object: content, payload, message or stored bytes, by
        the kind. Then it counts the witnesses.

        Raises EvidenceError, whose `reason` names the check of a record that does not hold, and for witnesses who did
        not see it after the time asked for; RejectedError for a forged cosignature and for too few; MalformedError for
        stored bytes that are no erasure's.
        """
    def stream(self) -> EvidenceCheck:
        """As verify, for a document that comes in parts. `hashlib.file_digest(file, evidence.stream)` reads a file."""
    def compare(self, other: OpenEvidence, /) -> None:
        """Compares what the two files show of one key, as EvidenceReport.compare does, for whoever has not the
        document. Raises as that does.
        """

@final
class EvidenceCheck:
    """A document that is being read past its evidence. Threads may share one; the parts of a single update stay
    together.
    """
    def update(self, document: Buffer, /) -> None:
        """Takes the next part of the document, any bytes-like object."""
    def finish(self) -> EvidenceReport:
        """The report on all parts. Raises as OpenEvidence.verify does."""

@final
class EvidenceReport:
    """Who made the record, by which key and in which state, since when and before which time, seen by which witnesses,
    as of which size. What it says of the key is what the log's signer says; witnesses bound when he can have said it.
    Its truth value raises TypeError: of a revoked key there is a report too.
    """
    @property
    def as_of(self) -> AsOf[_Record]:
        """The verdict on the record with its dates, as of the checkpoint's size: VALID, REVOKED or SUSPENDED."""
    @property
    def kind(self) -> EvidenceKind:
        """What kind of record it is about."""
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def log(self) -> str:
        """The fingerprint that the log was known by, 64 hexadecimal characters."""
    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that all of this stands under."""
    @property
    def identity_id(self) -> str:
        """Whose record it is."""
    @property
    def key(self) -> str:
        """SHA3-256 over the key that made it, 64 hexadecimal characters."""
    @property
    def state(self) -> KeyState:
        """The state of the key as of the checkpoint's size."""
    @property
    def since(self) -> int:
        """The position of the entry since which the key is in that state."""
    @property
    def before(self) -> str | None:
        """The time before which all of this was in the log: by then as many witnesses as were asked for had seen it.
        None where none was asked for.
        """
    @property
    def witnessed(self) -> dict[str, str]:
        """Who of the verifier's witnesses saw the log: by their public keys the earliest time that each gave."""
    @property
    def vault_id(self) -> str | None:
        """The erased record, of an erasure."""
    @property
    def not_shown(self) -> str | None:
        """What evidence of this kind does not show, for people to read."""
    def compare(self, other: EvidenceReport, /) -> None:
        """Compares it with what evidence of the same key said as of another size: a history only grows, and the place
        of a compromise only falls.

        Raises EvidenceError (`evidence-retold`) where the log's signer took something back, dated it back, or signed
        two checkpoints that no log has: keep both files, they convict him. Also for evidence of another log or key,
        with which nothing can be compared.
        """
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members of to_json."""
