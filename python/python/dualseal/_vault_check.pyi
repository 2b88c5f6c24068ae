from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, TypeAlias, final

from typing_extensions import Buffer

from ._cache import KeyCache
from ._checkpoint import Located
from ._domain import Domain
from ._enums import Tier, VaultOutcome
from ._errors import MalformedError
from ._evidence import AsOf
from ._ring import KeyRing
from ._signature import Verdict
from ._vault import LedgerHead, StoredHash, VaultMaster, VaultRecord

__all__ = [
    "LedgerCheck",
    "LedgerSummary",
    "LocatedLedger",
    "TierKeys",
    "VaultPolicy",
    "VaultReport",
    "VaultVerifier",
    "VerifiedRecord",
]

_Record: TypeAlias = VaultRecord | dict[str, Any] | str | Buffer

@final
class TierKeys:
    """The Ed25519 keys that show a tier, for each identity. A key that only a record names shows nothing."""
    def __new__(cls) -> Self: ...
    def enrol(self, identity_id: str, tier: Tier | str, public_key: str) -> None:
        """Enrols a public key (64 hexadecimal characters) for an identity and a tier above public."""

@final
class VaultPolicy:
    """What is asked of records: by everybody, or by the operator, who holds the master.

    `least_tier` is the least tier that is good enough. `tier_keys` are those at hand when the policy is made; without
    them no tier above public can be asked for, and L4 of such records is not checked.
    """
    @staticmethod
    def public(*, least_tier: Tier | str | None = None, tier_keys: TierKeys | None = None) -> VaultPolicy:
        """Without the chain anybody can make L8, L6 and krunica_hash anew: a report under this policy never speaks for
        the record's place in the chain, unless it was given that place.

        For everybody: L0, L3, L5 by its signature, and L4 at the least tier; L6 and L8 must be consistent. It needs no
        secret. Raises MisuseError for a tier above public without tier_keys.
        """
    @staticmethod
    def operator(
        master: VaultMaster, *, least_tier: Tier | str | None = None, tier_keys: TierKeys | None = None
    ) -> VaultPolicy:
        """For the operator: every layer that the record's tier requires must pass, its place in the chain included.
        Unsealing takes what this policy verified and nothing else. Raises as public does.
        """

@final
class VaultVerifier:
    """Verifies vault records of one domain against a ring, of which it sees every change. Threads may share one.

    Keys that were expanded for verification are kept: in a KeyCache that verifiers share, or up to `cache_bytes`, of
    which None is 16 MiB.
    """
    def __new__(
        cls, domain: Domain, ring: KeyRing, *, cache: KeyCache | None = None, cache_bytes: int | None = None
    ) -> Self: ...
    def verify(
        self,
        record: _Record,
        stored: Buffer | StoredHash,
        *,
        signer: str,
        policy: VaultPolicy,
        place: Located | None = None,
        after: LedgerHead | None = None,
    ) -> VaultReport:
        """Verifies a record of the identity `signer` against its stored bytes, or against their StoredHash, which the
        caller computed from the bytes at hand. Nothing is decrypted.

        `place` is the proven one of the record's chain entry, without which L6 and L8 are at best consistent; `after`
        is the head of the ledger before the record. The state of L5's key decides first, then the first layer that
        fails, then the first that was not checked and had to be. A bad record is a verdict; what is not a record at all
        raises MalformedError.
        """
    def verify_any_signer(
        self,
        record: _Record,
        stored: Buffer | StoredHash,
        *,
        policy: VaultPolicy,
        place: Located | None = None,
        after: LedgerHead | None = None,
    ) -> tuple[str, VaultReport]:
        """Verifies a record by whomever of the ring it names, and gives (who, report): for a caller who then decides by
        the identity. Each of them can seal any document, so that the report alone authorises nothing.
        """
    def verify_as_of(
        self,
        record: _Record,
        stored: Buffer | StoredHash,
        *,
        signer: str,
        policy: VaultPolicy,
        place: Located,
    ) -> AsOf[VaultRecord]:
        """The verdict as verify gives it at the proven `place` of the record's chain entry, with what became of L5's
        key before and after that place: an AsOf, whose verdict gives the VaultRecord.
        """
    def verify_many(
        self,
        items: Sequence[tuple[_Record, StoredHash, str, Located | None, LedgerHead | None]],
        *,
        policy: VaultPolicy,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[VaultReport | MalformedError]:
        """Verifies many records, each by itself, without the interpreter lock: one outcome for each item, in order,
        none stopping the rest. It is a VaultReport, or, of what is no record at all or names no identity, the
        MalformedError that verify raises. An item is a record, its StoredHash, the identity that is expected, and
        `place` and `after` as for verify, or None.

        `progress` is called now and then with the number of items that have an outcome, and of all. What it raises is
        raised when all have one.

        It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
        the machine runs at once. `progress` is called on the calling thread, whichever these are.
        """
    @property
    def ring(self) -> KeyRing:
        """The ring."""

@final
class VaultReport:
    """What a verification says of a vault record: each layer with its outcome, and one verdict. Its truth value raises
    TypeError; str() gives ten lines for people.
    """
    @property
    def layers(self) -> dict[str, tuple[VaultOutcome, str | None]]:
        """The outcome and the reason of each layer, `L0` to `L8`; None where there is no reason."""
    @property
    def failed(self) -> str | None:
        """The first layer that failed, in the order L0, L2 to L8; None when none did."""
    @property
    def vault_id(self) -> str:
        """The record that it is about, by the identifier that the record gives."""
    @property
    def verdict(self) -> Verdict[VerifiedRecord]:
        """The verdict."""
    def verified(self) -> VerifiedRecord:
        """What was verified. Raises as Verdict.verified does, with the layer in `failed`."""
    def to_json(self) -> str:
        """The report for the operator, as canonical JSON: `{layers, result, seq, type, vault_id}`."""
    def to_public_json(self) -> str:
        """The report for everybody else: a decoy equals a valid record, and a refusal shows neither layers nor reason.
        """
    def to_dict(self) -> dict[str, Any]:
        """The members of the report for the operator."""
    def to_public_dict(self) -> dict[str, Any]:
        """The members of the report for everybody else."""

@final
class VerifiedRecord:
    """A vault record that was verified. Only a report gives one. Under the operator's policy it opens the document."""
    @property
    def record(self) -> VaultRecord:
        """The record, with its fragment where the one that was verified had it."""

@final
class LocatedLedger:
    """Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Only a ChainReader's
    Proofs give one.
    """
    def locate(self, record: VaultRecord, /) -> Located | None:
        """The proven place of a record's entry; None when the chain vouches for another one, or for none, at its place
        of the ledger.
        """
    def __len__(self) -> int: ...
    @property
    def is_verified(self) -> bool:
        """Whether it was found with the master, so that every entry in it is the operator's."""
    @property
    def ignored(self) -> dict[str, Any]:
        """The entries that begin as a record's of the ledger and count for nothing: `{"entries": [{"reason": …, "seq":
        …}, …], "more": …}`, of which at most 1,000 are listed.
        """

@final
class LedgerCheck:
    """Checks the records of a ledger one after another, with the ring as it is when it begins, and stops at the first
    that does not hold.

    Without `located`, nothing tells of records that are missing at the end. Under the operator's policy every record
    must be located, and the decoy key of its fragment must stand in the ring.
    """
    def __new__(
        cls, verifier: VaultVerifier, ledger: str, *, policy: VaultPolicy, located: LocatedLedger | None = None
    ) -> Self: ...
    def push(self, record: _Record, stored: Buffer | StoredHash, /) -> VaultReport:
        """Takes the next record with its stored bytes or their StoredHash, and returns the report. Its verdict may be
        another than VALID: the key of a record in order may have been revoked since.

        Raises RejectedError for a record that does not hold, does not follow, or is not the one that the chain vouches
        for, with its place in `seq` and the layer that caught it in `layer`. Nothing more is taken then.
        """
    def finish(self) -> LedgerSummary:
        """Ends the ledger. Raises RejectedError when the chain vouches for a record that did not come."""

@final
class LedgerSummary:
    """What a whole ledger came to: its head, and the records by their verdict."""
    @property
    def head(self) -> LedgerHead:
        """The head after the last record."""
    @property
    def valid(self) -> int:
        """Records that are VALID."""
    @property
    def revoked(self) -> int:
        """Records whose key is revoked. Their layers hold."""
    @property
    def suspended(self) -> int:
        """Records whose key is suspended. Their layers hold."""
    @property
    def decoys(self) -> int:
        """Records whose key is a decoy."""
    @property
    def unverified(self) -> dict[str, Any]:
        """The entries of the chain that name the ledger and are of no record that came, as LocatedLedger.ignored:
        without the master nobody can tell whether a record is missing, or somebody made them up.
        """
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
