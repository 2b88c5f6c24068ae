from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from types import GenericAlias
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, final

from typing_extensions import Buffer, disjoint_base

from ._cache import *
from ._checkpoint import *
from ._enums import Comparison as Comparison
from ._enums import Consistency as Consistency
from ._enums import Encryption as Encryption
from ._enums import EvidenceKind as EvidenceKind
from ._enums import Followed as Followed
from ._enums import KeyState as KeyState
from ._enums import LayerOutcome as LayerOutcome
from ._enums import NoteKind as NoteKind
from ._enums import Operation as Operation
from ._enums import SealFormat as SealFormat
from ._enums import SealOutcome as SealOutcome
from ._enums import SealPolicy as SealPolicy
from ._enums import SharingField as SharingField
from ._enums import Tier as Tier
from ._enums import VaultOutcome as VaultOutcome
from ._enums import VerdictKind as VerdictKind
from ._errors import DecoyError as DecoyError
from ._errors import DualsealError as DualsealError
from ._errors import EvidenceError as EvidenceError
from ._errors import InvalidError as InvalidError
from ._errors import MalformedError as MalformedError
from ._errors import MisuseError as MisuseError
from ._errors import NotForcedError as NotForcedError
from ._errors import RandomnessError as RandomnessError
from ._errors import RejectedError as RejectedError
from ._errors import RevokedError as RevokedError
from ._errors import SharingError as SharingError
from ._errors import SuspendedError as SuspendedError
from ._errors import VerdictError as VerdictError
from ._evidence import *
from ._note import *
from ._reader import *
from ._seal import *
from ._shard import *
from ._sharing import *
from ._threshold import *
from ._tree import *
from ._vault import *
from ._witness import *

__all__ = [
    "AgreedChain",
    "Acknowledgement",
    "AsOf",
    "AttestedKey",
    "AttestedRing",
    "AuthenticResult",
    "Authenticated",
    "ChainReader",
    "CheckedRing",
    "Checker",
    "Checkpoint",
    "CheckpointSigner",
    "CheckpointVerifier",
    "Comparison",
    "Consistency",
    "ContentHasher",
    "CoveredSplits",
    "Dealer",
    "Dealing",
    "DecoyError",
    "Decryptor",
    "Domain",
    "DrawnSecret",
    "DualsealError",
    "Ed25519SigningKey",
    "Encryption",
    "Encryptor",
    "EnrolledKeys",
    "Entry",
    "EntryBundle",
    "Erasure",
    "EvidenceCheck",
    "EvidenceError",
    "EvidenceFile",
    "EvidenceKind",
    "EvidenceReport",
    "ExpandedSigningKey",
    "Finding",
    "Followed",
    "FollowedLog",
    "Follower",
    "Following",
    "Fork",
    "Committed",
    "FoundRing",
    "Founded",
    "Founding",
    "Growth",
    "HashedContent",
    "Head",
    "Health",
    "HighWaterMark",
    "Inspection",
    "InvalidError",
    "JsonLines",
    "KeyProof",
    "KeyCache",
    "KeyCacheWarning",
    "KeyRing",
    "KeyState",
    "Krunica",
    "LayerOutcome",
    "LedgerCheck",
    "LedgerHead",
    "LedgerSummary",
    "Located",
    "LocatedLedger",
    "LocatedSession",
    "LogProof",
    "MalformedError",
    "MisuseError",
    "NodeShards",
    "NodeShares",
    "NotForcedError",
    "Note",
    "NoteKey",
    "NoteKind",
    "NoteSignature",
    "OpenEvidence",
    "Operation",
    "OwnSplits",
    "PathFinder",
    "Pins",
    "PlaceProof",
    "Preparation",
    "Prepared",
    "PreparedSplit",
    "Presence",
    "PresenceProof",
    "Proofs",
    "PublicKey",
    "PublicResult",
    "PublicRing",
    "Purpose",
    "Quorum",
    "QuorumEvidence",
    "QuorumResult",
    "QuorumSigned",
    "RandomnessError",
    "RebuildRequest",
    "Rebuilding",
    "RejectedError",
    "RevokedError",
    "RingChanges",
    "RingFile",
    "RingKey",
    "Seal",
    "SealCheck",
    "SealEvidence",
    "SealFormat",
    "SealKey",
    "SealOutcome",
    "SealPolicy",
    "SealReport",
    "SealStream",
    "SealVerifier",
    "Sealed",
    "SealedErasure",
    "Sealer",
    "Sealing",
    "Session",
    "SessionAtHead",
    "SessionInForce",
    "SessionShare",
    "Shard",
    "ShardKey",
    "Share",
    "SharingError",
    "SharingField",
    "SignatureRecord",
    "Signed",
    "Signer",
    "SigningKey",
    "SplitInForce",
    "Splits",
    "StatedRing",
    "Statement",
    "StoredHash",
    "StoredHasher",
    "SuspendedError",
    "ThresholdResult",
    "Tier",
    "TierKeys",
    "Tile",
    "TileGrowth",
    "Unattested",
    "Unplaced",
    "UnplacedSeal",
    "Unsealer",
    "VaultMaster",
    "VaultOutcome",
    "VaultPolicy",
    "VaultRecord",
    "VaultReport",
    "VaultSealer",
    "VaultVerifier",
    "Verdict",
    "VerdictError",
    "VerdictKind",
    "VerificationResult",
    "VerifiedCheckpoint",
    "VerifiedRecord",
    "Verifier",
    "Watched",
    "Witnessed",
    "Witnesses",
    "__version__",
    "canonical_json",
    "compare_checkpoints",
    "decrypt",
    "draw_nonce",
    "encrypt",
    "inspect",
    "leaf_hash",
    "lint_ids",
    "log_fingerprint",
    "message_hash",
    "prove_growth",
    "prove_leaf",
    "reconstruct_unanchored",
    "trace",
    "trace_decoy",
    "unseal",
    "unseal_file",
    "verify_pinned_quorum",
    "verify_pinned_quorum_as_of",
    "verify_quorum",
    "verify_quorum_as_of",
    "verify_shard_seal",
]

__version__: str

# typing_extensions is known to every type checker and is not imported at run time.
_Moment: TypeAlias = str | int | datetime
_JsonText: TypeAlias = str | Buffer
_Document: TypeAlias = dict[str, Any] | list[Any] | _JsonText
_T_co = TypeVar("_T_co", covariant=True)

def canonical_json(document: _Document, /) -> bytes: ...
def inspect(text: _JsonText, /) -> Inspection: ...
def lint_ids(pairs: Iterable[tuple[str, str]], /) -> list[tuple[int, str]]: ...
def message_hash(message: Buffer, /) -> str: ...

@final
class Domain:
    def __new__(
        cls,
        name: str = "DUALSEAL",
        *,
        prefixes: dict[str, str] = {},
        suffixes: dict[str, str] = {},
        labels: dict[tuple[str, str], str] = {},
        legacy_shared_constants: bool = False,
    ) -> Self: ...
    def identity_id(self, content: Buffer, creator: str, context: str) -> str: ...
    def identify_many(
        self,
        items: Sequence[tuple[Buffer, str, str]],
        *,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[str | MalformedError]: ...
    def legacy_identity_id(self, content: Buffer, creator: str, context: str) -> str: ...
    def vault_id(self, payload: Buffer, creator: str, context: str, seq: int) -> str: ...
    def legacy_vault_id(self, payload: Buffer, creator: str, context: str, seq: int) -> str: ...
    def content_hash(self, identity_id: str, content: Buffer) -> HashedContent: ...
    def content_hasher(self, identity_id: str) -> ContentHasher: ...
    def threshold_binding(self, session_id: str, message_hash: str) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ContentHasher:
    def update(self, content: Buffer, /) -> None: ...
    def finish(self) -> HashedContent: ...
    def hexdigest(self) -> str: ...

@final
class HashedContent:
    @staticmethod
    def from_parts(identity_id: str, hash: str) -> HashedContent: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def hash(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PublicKey:
    @staticmethod
    def from_bytes(data: Buffer, /) -> PublicKey: ...
    @staticmethod
    def from_hex(text: str, /) -> PublicKey: ...
    @staticmethod
    def from_spki_der(der: Buffer, /) -> PublicKey: ...
    @staticmethod
    def from_spki_pem(pem: str | Buffer, /) -> PublicKey: ...
    def to_bytes(self) -> bytes: ...
    def to_spki_der(self) -> bytes: ...
    def to_spki_pem(self) -> str: ...
    @property
    def hex(self) -> str: ...
    @property
    def hash(self) -> str: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class SigningKey:
    @staticmethod
    def generate() -> SigningKey: ...
    @staticmethod
    def from_seed(seed: Buffer, /) -> SigningKey: ...
    @staticmethod
    def from_pkcs8_der(der: Buffer, /) -> SigningKey: ...
    @staticmethod
    def from_pkcs8_pem(pem: str | Buffer, /, *, password: str | Buffer | None = None) -> SigningKey: ...
    def to_pkcs8_der(self) -> bytes: ...
    def to_pkcs8_pem(self, *, password: str | Buffer | None = None) -> str: ...
    def seed(self) -> bytes: ...
    def expand(self) -> ExpandedSigningKey: ...
    @property
    def public_key(self) -> PublicKey: ...

@final
class ExpandedSigningKey:
    @staticmethod
    def from_bytes(data: Buffer, /) -> ExpandedSigningKey: ...
    def to_bytes(self) -> bytes: ...
    @property
    def public_key(self) -> PublicKey: ...

@final
class RingKey:
    def __new__(cls, domain: Domain, key: Buffer) -> Self: ...
    @staticmethod
    def generate(domain: Domain) -> RingKey: ...
    def to_bytes(self) -> bytes: ...

@final
class RingFile:
    @staticmethod
    def from_json(json: _JsonText, /) -> RingFile: ...
    @staticmethod
    def from_rows(seal: _JsonText, rows: Iterable[_JsonText], /) -> RingFile: ...
    @property
    def origin(self) -> str: ...
    @property
    def revision(self) -> int: ...
    @property
    def size(self) -> int: ...

@disjoint_base
class KeyRing:
    @staticmethod
    def pinned(identity_id: str, public_key: PublicKey) -> KeyRing: ...
    def info(self, identity_id: str) -> dict[str, Any] | None: ...
    def public_info(self, identity_id: str) -> dict[str, Any] | None: ...
    def check_signer(self, identity_id: str, public_key: PublicKey) -> None: ...
    def identities(self) -> list[str]: ...
    def keys(self, identity_id: str) -> list[tuple[PublicKey, KeyState]]: ...
    def retired_at(self, identity_id: str, key_hash: str) -> int | None: ...
    def counts_until(self, identity_id: str, key_hash: str) -> int | None: ...
    @property
    def last_change(self) -> int | None: ...
    @property
    def origin(self) -> str | None: ...
    @property
    def known_to(self) -> int | None: ...
    @property
    def revision(self) -> int: ...
    def __len__(self) -> int: ...
    def __contains__(self, identity_id: str, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class CheckedRing(KeyRing):
    def __new__(cls, origin: str, authority: RingKey) -> Self: ...
    def to_stored_json(self, head: Head) -> str: ...
    def seal_rows(self, head: Head) -> str: ...
    def identity_row(self, identity_id: str, /) -> str | None: ...
    def decoy_row(self, key_hash: str, /) -> str | None: ...
    def public(self) -> PublicRing: ...
    def prove(self, key_hash: str, /) -> KeyProof: ...
    def add(self, identity_id: str, public_key: PublicKey, *, head: Head, time: _Moment) -> tuple[Entry, Head]: ...
    def rotate(self, identity_id: str, public_key: PublicKey, *, head: Head, time: _Moment) -> tuple[Entry, Head]: ...
    def set_state(
        self,
        identity_id: str,
        state: KeyState | str,
        *,
        head: Head,
        time: _Moment,
        key_hash: str | None = None,
        compromised_from: int | None = None,
    ) -> tuple[Entry, Head]: ...
    def add_decoy(self, public_key: PublicKey, entry: Entry) -> None: ...
    def follow(self, entry: Entry, /, *, masters: Sequence[VaultMaster]) -> None: ...
    @property
    def decoy_count(self) -> int: ...

@final
class PublicRing(KeyRing):
    @staticmethod
    def from_json(json: _JsonText, /) -> PublicRing: ...
    def to_json(self) -> str: ...
    @property
    def root(self) -> str: ...
    def prove(self, key_hash: str, /) -> KeyProof | None: ...

@final
class Entry:
    @staticmethod
    def from_json(json: _JsonText, /) -> Entry: ...
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> Entry: ...
    @staticmethod
    def from_json_line(line: _JsonText, seq: int) -> Entry: ...
    @staticmethod
    def from_bytes(stored: Buffer, /) -> Entry: ...
    def claims_record(self, domain: Domain, /) -> bool: ...
    def to_bytes(self) -> bytes: ...
    @property
    def hash_holds(self) -> bool: ...
    def to_json(self) -> str: ...
    def to_json_line(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    @property
    def seq(self) -> int: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def prev(self) -> str: ...
    @property
    def time(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def krunica_hash(self) -> str: ...
    @property
    def leaf(self) -> str: ...
    @property
    def leaf_hash(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Head:
    EMPTY: ClassVar[Head]
    def __new__(cls) -> Self: ...
    @staticmethod
    def from_json(json: _JsonText, /) -> Head: ...
    def to_json(self) -> str: ...
    def append(self, domain: Domain, identity_id: str, message: str, time: _Moment) -> tuple[Entry, Head]: ...
    @property
    def size(self) -> int: ...
    @property
    def top(self) -> str: ...
    @property
    def root(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Krunica:
    def __new__(cls) -> Self: ...
    @staticmethod
    def from_json(json: _JsonText, /) -> Krunica: ...
    @staticmethod
    def from_json_lines(text: _JsonText, /) -> Krunica: ...
    def append(self, domain: Domain, identity_id: str, message: str, time: _Moment) -> Entry: ...
    def push(self, entry: Entry, /) -> None: ...
    @property
    def head(self) -> Head: ...
    def to_json(self) -> str: ...
    def to_json_lines(self) -> str: ...
    def to_list(self) -> list[dict[str, str]]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, seq: int, /) -> Entry: ...
    def __iter__(self) -> Iterator[Entry]: ...

@final
class Checker:
    def __new__(cls, head: Head | None = None) -> Self: ...
    def push(self, entry: Entry, /) -> None: ...
    def push_json(self, json: _JsonText, /) -> Entry: ...
    def push_many(self, lines: Sequence[_JsonText], /) -> list[Entry]: ...
    @property
    def head(self) -> Head: ...

@final
class JsonLines:
    def __new__(cls, *, longest: int | None = None) -> Self: ...
    def push(self, data: Buffer, /) -> list[bytes]: ...
    def finish(self) -> None: ...

@final
class SignatureRecord:
    @staticmethod
    def from_json(json: _JsonText, /) -> SignatureRecord: ...
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> SignatureRecord: ...
    @staticmethod
    def from_bytes(stored: Buffer, /, *, public_key: PublicKey | None = None) -> SignatureRecord: ...
    def to_bytes(self, *, with_key: bool = True) -> bytes: ...
    def is_of(self, domain: Domain, entry: Entry, /) -> bool: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def public_key(self) -> PublicKey: ...
    @property
    def signature(self) -> bytes: ...
    @property
    def content_hash(self) -> str: ...
    @property
    def krunica_hash(self) -> str: ...
    @property
    def time(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Signer:
    def __new__(cls, domain: Domain, identity_id: str, key: SigningKey | ExpandedSigningKey) -> Self: ...
    @staticmethod
    def current(
        domain: Domain, ring: KeyRing, identity_id: str, key: SigningKey | ExpandedSigningKey
    ) -> Signer: ...
    def sign(self, content: Buffer, *, head: Head, time: _Moment, deterministic: bool = False) -> Signed: ...
    def sign_hash(
        self, content_hash: HashedContent, *, head: Head, time: _Moment, deterministic: bool = False
    ) -> Signed: ...
    def sign_json(
        self, document: _Document, *, head: Head, time: _Moment, deterministic: bool = False
    ) -> Signed: ...
    def sign_many(
        self,
        contents: Sequence[Buffer | HashedContent],
        *,
        head: Head,
        time: _Moment,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[Signed]: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def public_key(self) -> PublicKey: ...

@final
class Signed:
    @property
    def record(self) -> SignatureRecord: ...
    @property
    def entry(self) -> Entry: ...
    @property
    def head(self) -> Head: ...

@final
class Verdict(Generic[_T_co]):
    @property
    def kind(self) -> VerdictKind: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def state(self) -> KeyState | None: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def time(self) -> str | None: ...
    @property
    def decoy_key_hash(self) -> str | None: ...
    def verified(self) -> _T_co: ...
    def internal(self) -> VerificationResult: ...
    def public(self) -> PublicResult: ...
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class VerificationResult:
    @property
    def valid(self) -> bool | None: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def time(self) -> str | None: ...
    @property
    def state(self) -> KeyState | None: ...
    @property
    def reason(self) -> str | None: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class PublicResult:
    @property
    def valid(self) -> bool | None: ...
    @property
    def identity_id(self) -> str: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def time(self) -> str | None: ...
    @property
    def state(self) -> KeyState | None: ...
    @property
    def reason(self) -> str | None: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Verifier:
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
    ) -> Verdict[SignatureRecord]: ...
    def verify_as_of(
        self,
        *,
        record: SignatureRecord | dict[str, Any] | _JsonText,
        signer: str,
        place: Located,
        content: Buffer | None = None,
        content_hash: HashedContent | None = None,
    ) -> AsOf[SignatureRecord]: ...
    def verify_any_signer(
        self,
        *,
        record: SignatureRecord | dict[str, Any] | _JsonText,
        content: Buffer,
        place: Located | None = None,
    ) -> tuple[str, Verdict[SignatureRecord]]: ...
    def verify_many(
        self,
        items: Sequence[tuple[SignatureRecord | dict[str, Any] | _JsonText, HashedContent, Located | None]],
        *,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[Verdict[SignatureRecord] | MalformedError]: ...
    @property
    def ring(self) -> KeyRing: ...

@final
class Inspection:
    @property
    def kind(self) -> str: ...
    @property
    def version(self) -> str | None: ...
    @property
    def count(self) -> int | None: ...
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def omitted(self) -> int: ...

@final
class Finding:
    @property
    def code(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def field(self) -> str | None: ...
    @property
    def index(self) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
