from collections.abc import Callable, Sequence
from datetime import datetime
from types import GenericAlias
from typing import Any, Generic, Self, TypeAlias, TypeVar, final

from typing_extensions import Buffer

from ._cache import KeyCache
from ._checkpoint import Located
from ._domain import Domain, HashedContent
from ._enums import KeyState, VerdictKind
from ._errors import MalformedError
from ._evidence import AsOf
from ._keys import ExpandedSigningKey, PublicKey, SigningKey
from ._krunica import Entry, Head
from ._ring import KeyRing

__all__ = [
    "PublicResult",
    "SignatureRecord",
    "Signed",
    "Signer",
    "Verdict",
    "VerificationResult",
    "Verifier",
]

_Moment: TypeAlias = str | int | datetime
_JsonText: TypeAlias = str | Buffer
_Document: TypeAlias = dict[str, Any] | list[Any] | _JsonText
_T_co = TypeVar("_T_co", covariant=True)

@final
class SignatureRecord:
    """A signature record. Holding one says nothing about its validity."""
    @staticmethod
    def from_json(json: _JsonText, /) -> SignatureRecord:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> SignatureRecord:
        """As from_json, from a dictionary of its members."""
    @staticmethod
    def from_bytes(stored: Buffer, /, *, public_key: PublicKey | None = None) -> SignatureRecord:
        """Reads the binary form; one without a public key only where the key is given."""
    def to_bytes(self, *, with_key: bool = True) -> bytes:
        """The binary form: 5371 bytes, or 3419 without the public key, for who has the keys beside."""
    def is_of(self, domain: Domain, entry: Entry, /) -> bool:
        """Whether an entry is the record's own, by all that the record says of it. Nothing of the signature is looked
        at.
        """
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    @property
    def identity_id(self) -> str:
        """Whose signature it claims to be."""
    @property
    def public_key(self) -> PublicKey:
        """The key inside the record (`javni_kljuc`), which proves nothing: verification asks the ring."""
    @property
    def signature(self) -> bytes:
        """The signature (`potpis`), 3309 bytes."""
    @property
    def content_hash(self) -> str:
        """What was signed (`sadrzaj_hash`), 64 hexadecimal characters."""
    @property
    def krunica_hash(self) -> str:
        """The short handle of the record's chain entry, 64 hexadecimal characters."""
    @property
    def time(self) -> str:
        """The time that the signer gave. No evidence of time."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Signer:
    """Signs for one identity in one domain. One signing key serves one domain. Whatever became of the key, it signs: an
    operator makes the signers of his own identities by Signer.current.

    Each method appends to the chain at `head` and returns the record with its entry and the new head: store all of them
    or none. `deterministic=True` is for tests and known answers; without it, signatures are hedged with fresh
    randomness and resist faults better.
    """
    def __new__(cls, domain: Domain, identity_id: str, key: SigningKey | ExpandedSigningKey) -> Self: ...
    @staticmethod
    def current(
        domain: Domain, ring: KeyRing, identity_id: str, key: SigningKey | ExpandedSigningKey
    ) -> Signer:
        """A signer whose key is the identity's current one in a ring, and VALID: what another key signs, such as that
        of a process which did not hear of a rotation, is invalid for good. Raises as KeyRing.check_signer does.
        """
    def sign(self, content: Buffer, *, head: Head, time: _Moment, deterministic: bool = False) -> Signed:
        """Signs content, any bytes-like object."""
    def sign_hash(
        self, content_hash: HashedContent, *, head: Head, time: _Moment, deterministic: bool = False
    ) -> Signed:
        """Signs content by its hash: Domain.content_hash or Domain.content_hasher, for this identity. Raises
        MisuseError for what was hashed for another.
        """
    def sign_json(
        self, document: _Document, *, head: Head, time: _Moment, deterministic: bool = False
    ) -> Signed:
        """Signs a JSON document (a dict, a list, or JSON text) over its canonical form, see canonical_json.

        Nothing marks the record as one over JSON: a signature over the same bytes as a file is the same signature.
        """
    def sign_many(
        self,
        contents: Sequence[Buffer | HashedContent],
        *,
        head: Head,
        time: _Moment,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[Signed]:
        """Signs many contents without the interpreter lock, a Signed for each: their entries stand one behind the other
        from `head` on, and are stored together with the head of the last. A content is any bytes-like object, or what
        Domain.content_hash gave for this identity. Where one cannot be signed, it raises and none is.

        `progress` and `threads` are those of Verifier.verify_many.
        """
    @property
    def identity_id(self) -> str:
        """Whose signatures these are."""
    @property
    def public_key(self) -> PublicKey:
        """The public half of the key."""

@final
class Signed:
    """A new record with its chain entry and the head after it: stored together, or none of them."""
    @property
    def record(self) -> SignatureRecord:
        """The record."""
    @property
    def entry(self) -> Entry:
        """Its entry in the chain."""
    @property
    def head(self) -> Head:
        """The head after the entry."""

@final
class Verdict(Generic[_T_co]):
    """What a verification of a record, a checkpoint, a seal, a quorum's result or a vault record concluded. Its truth
    value raises TypeError; use kind, or verified().
    """
    @property
    def kind(self) -> VerdictKind:
        """Which kind of verdict it is."""
    @property
    def reason(self) -> str | None:
        """Why it is not VALID, for the operator; None when it is."""
    @property
    def state(self) -> KeyState | None:
        """The state of the key; None when the key is not one of its identity. For the operator."""
    @property
    def identity_id(self) -> str:
        """The identity that the record, checkpoint or session names, or that the seal was checked for."""
    @property
    def time(self) -> str | None:
        """The time that the record, checkpoint or result gives; None for a seal. No evidence of time."""
    @property
    def decoy_key_hash(self) -> str | None:
        """Which trap it was, where the verdict is DECOY: SHA3-256 over the decoy's public key. Otherwise None."""
    def verified(self) -> _T_co:
        """The SignatureRecord, VerifiedCheckpoint, Seal, QuorumResult or VerifiedRecord, when the verdict is VALID.

        Otherwise raises InvalidError, RevokedError, SuspendedError or DecoyError. Their messages are for the operator:
        an outsider must not learn from one that a key is a decoy.
        """
    def internal(self) -> VerificationResult:
        """The result as the operator is told it."""
    def public(self) -> PublicResult:
        """The result as everybody else is told it: a decoy equals a valid record in every field. A courtesy, no
        evidence.
        """
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class VerificationResult:
    """What the operator is told of a verification: decoys by their name, and the reason of each refusal. Its truth
    value raises TypeError.
    """
    @staticmethod
    def from_json(json: _JsonText, /) -> VerificationResult:
        """Reads the JSON, in any spacing and member order. What it says was concluded elsewhere."""
    @property
    def valid(self) -> bool | None:
        """`validan`: None when the key is suspended."""
    @property
    def identity_id(self) -> str:
        """The identity that the record names."""
    @property
    def algorithm(self) -> str:
        """The algorithm that the record names."""
    @property
    def time(self) -> str | None:
        """The time that the record gives, no evidence of time; None for a seal."""
    @property
    def state(self) -> KeyState | None:
        """`bela_stanje`; None when the record's key is not one of its identity."""
    @property
    def reason(self) -> str | None:
        """`razlog`; None when there is nothing to say."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PublicResult:
    """What everybody else is told: of a decoy what is told of a valid record. A courtesy, no evidence. Its truth value
    raises TypeError.
    """
    @staticmethod
    def from_json(json: _JsonText, /) -> PublicResult:
        """Reads the JSON, in any spacing and member order. What it says was concluded elsewhere."""
    @property
    def valid(self) -> bool | None:
        """`validan`: None when the key is suspended."""
    @property
    def identity_id(self) -> str:
        """The identity that the record names."""
    @property
    def algorithm(self) -> str:
        """The algorithm that the record names."""
    @property
    def time(self) -> str | None:
        """The time that the record gives, no evidence of time; None for a seal."""
    @property
    def state(self) -> KeyState | None:
        """`bela_stanje`; None when the record's key is not one of its identity."""
    @property
    def reason(self) -> str | None:
        """`razlog`; None when there is nothing to say."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Verifier:
    """Verifies records of one domain against a ring, of which it sees every change. Threads may share one.

    Keys that were expanded for verification are kept: in a KeyCache that verifiers share, or up to `cache_bytes`, of
    which None is 16 MiB.
    """
    def __new__(
        cls, domain: Domain, ring: KeyRing, *, cache: KeyCache | None = None, cache_bytes: int | None = None
    ) -> Self: ...
    def verify(
        self,
        *,
        record: SignatureRecord | dict[str, Any] | _JsonText,
        signer: str,
        content: Buffer | None = None,
        content_hash: HashedContent | None = None,
        place: Located | None = None,
    ) -> Verdict[SignatureRecord]:
        """Verifies a record by `signer`, the identity that is expected, over `content` (any bytes-like object), or over
        `content_hash`, what Domain.content_hash gave for that identity and the content at hand. Exactly one of the two
        is given. Anybody else's record is INVALID, whoever in the ring signed it; content that was hashed for anybody
        else raises MisuseError.

        The key is looked up in the ring by the record's identity. The same ML-DSA work is done in every state of the
        key. A record by a retired key is valid only at a proven `place` in the chain before the retirement. A bad
        record is a verdict; what is not a record at all raises MalformedError.
        """
    def verify_as_of(
        self,
        *,
        record: SignatureRecord | dict[str, Any] | _JsonText,
        signer: str,
        place: Located,
        content: Buffer | None = None,
        content_hash: HashedContent | None = None,
    ) -> AsOf[SignatureRecord]:
        """The verdict as verify gives it at a proven `place`, with what became of the key before and after that place:
        an AsOf. Its ring should know the chain's end: a CheckedRing, an AttestedRing or an AttestedKey.
        """
    def verify_any_signer(
        self,
        *,
        record: SignatureRecord | dict[str, Any] | _JsonText,
        content: Buffer,
        place: Located | None = None,
    ) -> tuple[str, Verdict[SignatureRecord]]:
        """Verifies a record by whomever of the ring it names, and gives (who, verdict): for a caller who then decides
        by the identity. Each of them can sign any content, so that the verdict alone authorises nothing.
        """
    def verify_many(
        self,
        items: Sequence[tuple[SignatureRecord | dict[str, Any] | _JsonText, HashedContent, Located | None]],
        *,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[Verdict[SignatureRecord] | MalformedError]:
        """Verifies many records without the interpreter lock: one outcome for each item, in order, none stopping the
        rest. It is a Verdict, or, of what is no record at all, the MalformedError that verify raises. An item is a
        record, what Domain.content_hash gave for the identity that is expected and the content at hand, and `place` as
        for verify, or None.

        `progress` is called now and then with the number of items that have an outcome, and of all. What it raises is
        raised when all have one.

        It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
        the machine runs at once. `progress` is called on the calling thread, whichever these are.
        """
    @property
    def ring(self) -> KeyRing:
        """The ring."""
