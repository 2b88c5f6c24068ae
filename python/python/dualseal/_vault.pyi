from collections.abc import Sequence
from datetime import datetime
from os import PathLike
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias, final, type_check_only

from typing_extensions import Buffer

from ._checkpoint import Located
from ._domain import Domain
from ._enums import Encryption, Tier
from ._keys import ExpandedSigningKey, PublicKey, SigningKey
from ._krunica import Entry, Head
from ._presence import Ed25519SigningKey
from ._ring import KeyRing
from ._shard import OwnSplits, Splits
from ._sharing import DrawnSecret
from ._signature import Verdict
from ._vault_check import VaultReport, VerifiedRecord

__all__ = [
    "Erasure",
    "LedgerHead",
    "Sealed",
    "SealedErasure",
    "Sealing",
    "StoredHash",
    "StoredHasher",
    "Unplaced",
    "Unsealer",
    "VaultMaster",
    "VaultRecord",
    "VaultSealer",
    "trace",
    "trace_decoy",
    "unseal",
    "unseal_file",
]

@type_check_only
class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

@type_check_only
class _Writer(Protocol):
    def write(self, data: bytes, /) -> int | None: ...

_Moment: TypeAlias = str | int | datetime
_Source: TypeAlias = str | PathLike[str] | _Reader
_Target: TypeAlias = str | PathLike[str] | _Writer

def trace(fragment_hex: str, records: Sequence[VaultRecord], /) -> str | None:
    """Names the vault from which a fragment leaked (64 hexadecimal characters); None where it is of none of the
    records. Redacted records do as well as stored ones.
    """
def trace_decoy(master: VaultMaster, verdict: Verdict[Any], records: Sequence[VaultRecord], /) -> str | None:
    """Names the vault whose fragment somebody signed with, by a verdict that is DECOY; None where it is of none of the
    records. Raises ValueError for another verdict.
    """
def unseal(verified: VerifiedRecord, stored: Buffer, /, *, secret: DrawnSecret | Buffer | None = None) -> bytes:
    """Unseals a document in memory: all of it or nothing. The plain bytes are a copy that Python cannot wipe.

    `verified` is what the operator's policy verified, else TypeError is raised. `secret` is the record's DrawnSecret,
    or its 32 bytes, or 66 of the other field. Raises MisuseError where the record is encrypted and no secret is given,
    and RejectedError for another secret and for bytes that were changed since.
    """
def unseal_file(
    verified: VerifiedRecord, source: _Source, target: _Target, /, *, secret: DrawnSecret | Buffer | None = None
) -> int:
    """Unseals from a file to a file, in memory for one chunk, and returns the number of stored bytes: two paths, or two
    objects with `read` and `write`. Raises as unseal and as VaultSealer.seal_file do.

    The file of a path gets its name when the whole document was seen, and is readable by its owner alone. On an error
    it is as it was, but on NotForcedError: then the whole document has its name. What an object got is provisional
    until this returns.
    """

@final
class VaultMaster:
    """The operator's master of 32 drawn bytes, in one domain, from which every key of a vault is derived. It is wiped
    when it is no longer used.
    """
    def __new__(cls, domain: Domain, secret: Buffer) -> Self: ...
    @staticmethod
    def generate(domain: Domain) -> VaultMaster:
        """Draws a master from the operating system."""
    def to_bytes(self) -> bytes:
        """The 32 bytes, which ShardKey.derive takes too: a copy that Python cannot wipe."""
    @property
    def key_id(self) -> str:
        """The name that records give it, 32 hexadecimal characters. It shows nothing of the master."""

@final
class LedgerHead:
    """Where a ledger ends: all that is needed to seal its next record, or to check it."""
    @staticmethod
    def draw() -> LedgerHead:
        """The head of a new ledger, whose name is drawn."""
    @staticmethod
    def from_parts(ledger: str, size: int, top: str) -> LedgerHead:
        """A head that the caller stored. Nothing is checked here: a wrong head forks the ledger."""
    @property
    def ledger(self) -> str:
        """The name of the ledger, 64 hexadecimal characters."""
    @property
    def size(self) -> int:
        """The number of records, which is the seq of the next one."""
    @property
    def top(self) -> str:
        """L0 of the last record; zeros when there is none."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class VaultRecord:
    """A vault record, without the stored bytes. Holding one says nothing about its validity.

    The stored record holds the honeypot fragment, a secret. Whatever leaves the store is redacted.
    """
    @staticmethod
    def from_json(json: str | Buffer, /) -> VaultRecord:
        """Reads the JSON, in any spacing and member order."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> VaultRecord:
        """As from_json, from a dictionary of its members."""
    def to_json(self) -> str:
        """Canonical JSON without the fragment: what may leave the store."""
    def to_stored_json(self) -> str:
        """Canonical JSON for the store: with the fragment, where the record has it, a secret that Python cannot wipe.
        """
    def to_dict(self) -> dict[str, Any]:
        """The members of to_json, by their names on the wire."""
    def redacted(self) -> VaultRecord:
        """The record without its fragment: what may leave the store. It verifies as well."""
    @property
    def is_redacted(self) -> bool:
        """Whether the record has no fragment."""
    @property
    def vault_id(self) -> str:
        """The identifier that it gives itself."""
    @property
    def identity_id(self) -> str:
        """Whose record it says that it is."""
    @property
    def kind(self) -> str:
        """The type of the document (`type`)."""
    @property
    def created_at(self) -> str:
        """The time that the sealer gave. No evidence by itself."""
    @property
    def encryption(self) -> Encryption:
        """Whether the stored bytes are encrypted."""
    @property
    def tier(self) -> Tier:
        """The tier that it claims (L4)."""
    @property
    def key_id(self) -> str:
        """The name of the master whose keys made it."""
    @property
    def ledger(self) -> str:
        """The ledger."""
    @property
    def seq(self) -> int:
        """The position in the ledger, from 0."""
    @property
    def length(self) -> int:
        """The number of stored bytes."""
    @property
    def note(self) -> str:
        """What the perimeter reported (L1). It may hold control characters: whoever prints it escapes them."""
    @property
    def baseline(self) -> str:
        """SHA3-256 over the stored bytes (L3)."""
    @property
    def seal_id(self) -> str:
        """The identifier of its dual seal (L5)."""
    @property
    def entry(self) -> Entry:
        """Its entry in the chain (L8)."""
    @property
    def krunica_hash(self) -> str:
        """The short handle of that entry, as the record gives it."""
    @property
    def ledger_head(self) -> LedgerHead:
        """The head of the ledger after it."""

@final
class StoredHash:
    """What the layers need of stored bytes. It fits every record: each is compared with what it says of them."""
    @staticmethod
    def of(domain: Domain, stored: Buffer, /) -> StoredHash:
        """Of stored bytes in memory, any bytes-like object."""
    @staticmethod
    def of_file(domain: Domain, source: _Source, /) -> StoredHash:
        """Of a file: a path, or an object whose `read` gives bytes."""
    @property
    def baseline(self) -> str:
        """SHA3-256 over the stored bytes (L3)."""
    @property
    def length(self) -> int:
        """The number of stored bytes."""

@final
class StoredHasher:
    """Hashes stored bytes that come in parts of any size. Threads may share one; the parts of a single update stay
    together.
    """
    def __new__(cls, domain: Domain) -> Self: ...
    def update(self, stored: Buffer, /) -> None:
        """Takes the next part, any bytes-like object."""
    def finish(self) -> StoredHash:
        """What the layers need of all parts so far; the hasher can go on."""

@final
class VaultSealer:
    """Seals for one identity, in the domain of the master. One signing key serves one domain.

    Each method appends to the ledger at its head `ledger` and to the chain at `head`: the record, the stored bytes, the
    entry and both new heads are stored together, or none of them. `note` is what the network's perimeter reported (L1).
    `kind` is the type of the document, 1 to 255 bytes without `::`, leading `:` and control characters.
    """
    def __new__(
        cls,
        master: VaultMaster,
        identity_id: str,
        key: SigningKey | ExpandedSigningKey,
        *,
        tier: Tier | str | None = None,
        tier_key: Ed25519SigningKey | None = None,
    ) -> Self: ...
    @staticmethod
    def current(
        master: VaultMaster,
        ring: KeyRing,
        identity_id: str,
        key: SigningKey | ExpandedSigningKey,
        *,
        tier: Tier | str | None = None,
        tier_key: Ed25519SigningKey | None = None,
    ) -> VaultSealer:
        """A sealer whose signing key is the identity's current one in a ring, and VALID: a record by another one is
        invalid for good, and its place in the ledger is taken. Raises as KeyRing.check_signer does.
        """
    def seal(
        self,
        payload: Buffer,
        kind: str,
        *,
        encryption: Encryption | str,
        ledger: LedgerHead,
        head: Head,
        time: _Moment,
        note: str | None = None,
    ) -> tuple[Sealed, bytes]:
        """Seals a document in memory, any bytes-like object, and returns what was made and the bytes to be stored.

        Raises MisuseError for the type ERASURE, which erase makes.
        """
    def seal_file(
        self,
        source: _Source,
        target: _Target,
        kind: str,
        *,
        encryption: Encryption | str,
        ledger: LedgerHead,
        head: Head,
        time: _Moment,
        note: str | None = None,
    ) -> Sealed:
        """Seals a document from a file to a file, in memory for one chunk: two paths, or two objects with `read` and
        `write`.

        The file of a path gets its name when all of it is on the disk. What an object got is worth nothing until this
        returns. Raises OSError as files do, with the filename, also for a target that is the source, a device, a pipe,
        a folder or a link, and for one in a folder that cannot be read; and what an object raises. On all of these the
        file of a path is as it was. NotForcedError is another thing: the new file has its name, and only forcing its
        folder to the disk failed; its result is what would have been returned, and is kept like that.
        """
    def stream(self, kind: str, *, encryption: Encryption | str) -> Sealing:
        """Begins a document that comes in parts. Its place is needed at the end and not before."""
    def erase(
        self,
        erased: VaultReport,
        splits: OwnSplits | Literal["no chain"],
        *,
        prepared: Sequence[str] = ...,
        ledger: LedgerHead,
        head: Head,
        time: _Moment,
        note: str | None = None,
    ) -> SealedErasure:
        """Records that an encrypted record of this identity and ledger was erased, with every split of its secret. What
        is made is stored together. The caller destroys the secret and the shards: that nobody can prove.

        `erased` is the report on it under the operator's policy, else TypeError is raised: whoever put another record
        in its place would choose what is destroyed. It is Valid, or Revoked or Suspended with no layer that fails or
        was not checked; otherwise this raises as `erased.verified()` does.

        `splits` is what ChainReader.own_splits found of this vault up to `head`; `prepared` are those that were
        prepared and never committed. Only where no split of the vault was ever committed to a chain `splits` is the
        text "no chain", and `prepared` is all that there are.

        Raises MisuseError for a record that is not encrypted, of another ledger, identity, master or domain, or not
        before `ledger`, for the splits of another vault, and for ones that were not read from the record's entry on, up
        to `head`.
        """
    @property
    def identity_id(self) -> str:
        """Whose records it makes."""

@final
class SealedErasure:
    """An erasure with all that belongs to it: stored together, or none of it."""
    @property
    def sealed(self) -> Sealed:
        """The record that says so, with its entry and the head of the ledger after it."""
    @property
    def stored(self) -> bytes:
        """The bytes to be stored beside it."""
    @property
    def end(self) -> Entry | None:
        """The entry after the record's, after which nothing continues the vault's splits; None where there is no chain
        of them, and where an erasure before ended it.
        """
    @property
    def head(self) -> Head:
        """The head of the chain after all that was appended."""

@final
class Sealed:
    """A new record with all that belongs to it: stored together, or none of it."""
    @property
    def record(self) -> VaultRecord:
        """The record, with its fragment. Whatever leaves the store is redacted."""
    @property
    def secret(self) -> DrawnSecret | None:
        """The secret of an encrypted record, which a Dealer splits among nodes and which is kept nowhere else; None
        where it is not encrypted.
        """
    @property
    def decoy(self) -> PublicKey:
        """The public key of the fragment, for CheckedRing.add_decoy with `entry`."""
    @property
    def entry(self) -> Entry:
        """The record's entry in the chain."""
    @property
    def head(self) -> Head:
        """The head of the chain after it."""
    @property
    def ledger(self) -> LedgerHead:
        """The head of the ledger after it."""

@final
class Sealing:
    """A record in the making. What update and finish return is stored in that order, and is worth nothing without the
    record. Threads may share one; the parts of a single update stay together.
    """
    def update(self, payload: Buffer, /) -> bytes:
        """Takes the next part of the document, any bytes-like object, and returns the next bytes to be stored."""
    def finish(
        self, *, ledger: LedgerHead, head: Head, time: _Moment, note: str | None = None
    ) -> tuple[Sealed, bytes]:
        """Makes the record at its place, and returns what was made and the last bytes to be stored."""
    def finish_unplaced(
        self, *, ledger: LedgerHead, time: _Moment, note: str | None = None
    ) -> tuple[Unplaced, bytes]:
        """As finish, without the place in the chain, which `operator.Step.vault` gives it: nobody else seals for the
        ledger until then.
        """

@final
class Unplaced:
    """A record that is signed and has its place in the ledger, but none in the chain yet: `operator.Step.vault` gives
    it one, once. It holds the vault secret of an encrypted record.
    """
    @property
    def before(self) -> LedgerHead:
        """The ledger where the record belongs, as it must end when the record is placed."""
    @property
    def identity_id(self) -> str:
        """Whose record it is."""
    @property
    def public_key(self) -> PublicKey:
        """The key that signed it."""

@final
class Unsealer:
    """Unseals a document whose stored bytes come in parts of any size. What it gives is provisional until finish
    returns: whoever acts on it must be able to undo that. Threads may share one.
    """
    def __new__(cls, verified: VerifiedRecord, *, secret: DrawnSecret | Buffer | None = None) -> Self: ...
    def update(self, stored: Buffer, /) -> bytes:
        """Takes the next part of the stored bytes, any bytes-like object, and returns the next plain bytes."""
    def finish(self) -> bytes:
        """Returns the last plain bytes: with them it was the whole document, unchanged since it was verified."""

@final
class Erasure:
    """What a verified record of type ERASURE says."""
    @staticmethod
    def read(verified: VerifiedRecord, place: Located, stored: Buffer, /) -> Erasure:
        """Reads the stored bytes of a record that was verified under either policy and located: without a proven place
        none counts. Raises MisuseError for a record of another type, and RejectedError for the place of another entry.
        """
    @property
    def vault_id(self) -> str:
        """The record that was erased."""
    @property
    def splits(self) -> list[str]:
        """The splits whose shards were destroyed, ascending."""
    @property
    def seq(self) -> int:
        """The position of its entry in the chain."""
    def spared(self, splits: Splits, /) -> list[tuple[int, str]]:
        """(seq, split_id) of the splits that the operator made of the erased vault and that the erasure does not name:
        made after it, or kept from it. Their shards were not destroyed with the others. Raises MisuseError for the
        splits of another vault.
        """
    def covers(self, record: VaultRecord, /) -> bool:
        """Whether it counts for this record: an encrypted one, of the same ledger and identity."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
