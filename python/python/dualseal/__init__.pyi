from ._cache import *
from ._checkpoint import *
from ._domain import *
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
from ._inspect import *
from ._keys import *
from ._krunica import *
from ._note import *
from ._presence import *
from ._presence_verifier import PresenceVerifier as PresenceVerifier
from ._reader import *
from ._ring import *
from ._seal import *
from ._shard import *
from ._sharing import *
from ._signature import *
from ._threshold import *
from ._tree import *
from ._vault import *
from ._vault_check import *
from ._witness import *

__all__ = [
    "Acknowledgement",
    "AgreedChain",
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
    "Committed",
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
    "FoundRing",
    "Founded",
    "Founding",
    "Growth",
    "HashedContent",
    "Head",
    "Health",
    "HighWaterMark",
    "IdentityHasher",
    "Inspection",
    "InvalidError",
    "JsonLines",
    "KeyCache",
    "KeyCacheWarning",
    "KeyProof",
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
    "PresenceVerifier",
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
