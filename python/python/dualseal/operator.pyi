from collections.abc import Iterable, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self, TypeAlias, final

from typing_extensions import Buffer

from . import (
    CheckedRing,
    Domain,
    Entry,
    ExpandedSigningKey,
    HashedContent,
    Head,
    PublicKey,
    RingKey,
    SignatureRecord,
    SigningKey,
)
from ._checkpoint import Checkpoint, CheckpointSigner, Growth, HighWaterMark, VerifiedCheckpoint
from ._enums import KeyState
from ._errors import DualsealError
from ._seal import UnplacedSeal
from ._sharing import DrawnSecret
from ._vault import LedgerHead, SealedErasure, Unplaced, VaultRecord

__all__ = [
    "Batch",
    "Changes",
    "Entries",
    "Folder",
    "FolderError",
    "Held",
    "KeptSecrets",
    "Master",
    "Opened",
    "Placed",
    "Reading",
    "RefusedError",
    "RingRow",
    "SecretError",
    "SecretRow",
    "SignedRecord",
    "State",
    "Step",
    "StepError",
    "StoredState",
    "ToSign",
    "Vaulted",
    "open_secrets",
    "open_store",
    "sign_all",
]

_Moment: TypeAlias = str | int | datetime
_Key: TypeAlias = SigningKey | ExpandedSigningKey
_Path: TypeAlias = str | PathLike[str]

class StepError(DualsealError):
    """Nothing was made of a step, or of a whole batch. What the library itself refuses has its own exceptions.

    Its ``name`` is ``stale-ledger``, ``unknown-ledger``, ``not-a-step``, ``unsigned``, ``other-checkpoint``,
    ``other-domain``, ``no-key``, ``same-place`` or ``too-long``.
    """
    advice: str

class RefusedError(DualsealError):
    """What a store has does not belong together, and nothing is done with it before that is mended.

    Its ``name`` is ``other-log``, ``state-unreadable``, ``state-edited``, ``chain-cut``, ``chain-longer``,
    ``chain-other``, ``ring-of-another-time``, ``ring-edited``, ``ring-unreadable``, ``checkpoint-missing``,
    ``checkpoint-other``, ``mark-unreadable``, ``mark-edited``, ``mark-missing``, ``mark-other``, ``mark-moved``,
    ``restored`` or ``ring-restored``; or that of what the step refused.
    """
    advice: str

class FolderError(DualsealError):
    """A folder was not opened, read or written as it should be.

    Its ``name`` is ``disk``, ``commit``, ``exists``, ``mark-there`` (that of an earlier log), ``mark-within``,
    ``not-raised`` (it is written, and the mark was not raised after it), ``missing`` or ``broken``.
    """
    advice: str
    commit: str

class SecretError(DualsealError):
    """A secret at rest does not open.

    Its ``name`` is ``other-key`` (another master's, or another place's), ``damaged``, ``cut``, ``foreign-version`` or
    ``no-secret``.
    """
    advice: str

def open_store(
    domain: Domain,
    origin: str,
    ring_key: RingKey,
    *,
    state: str | Buffer,
    ring_seal: str | Buffer,
    ring_rows: Iterable[str | Buffer],
    end: Entry | None,
    checkpoint: Checkpoint | None,
    mark: str | Buffer | None,
) -> Opened:
    """Holds what a store has against itself, without reading the chain: the text of the state and the rows of the ring,
    in any order, by their MACs, `end`, the last entry of the chain, the last checkpoint, and `mark`, the text of the
    signer's high-water mark from its own place, which no backup of the store brings back. All of it was read at one
    moment, in one transaction; None says that there is none. `origin` is the log's name as its operator knows it.

    Raises RefusedError, whose `name` is that of the first that does not hold, and whose `advice` says what to do.
    """
def open_secrets(state: State, rows: Iterable[tuple[Buffer, Buffer]], /) -> KeptSecrets:
    """Reads the list of secrets, whose end the state has, so that what stands in their places is held against it. Its
    rows come from the first on, each (place_hash, listed) of a SecretRow, 32 bytes both.

    Raises RefusedError (`secrets-other`) for a row that was edited, is missing, or that no step wrote.
    """
def sign_all(to_sign: Sequence[ToSign], keys: Iterable[_Key], /) -> list[SignedRecord]:
    """Signs all of them, on as many threads as the machine has and without the interpreter lock: each with the one of
    `keys` that is its own. It ends them, whatever comes of it. Raises StepError (`unsigned`) where there is no key.
    """

@final
class StoredState:
    """Where a log's chain and ledgers end, and its last checkpoint: the text that is stored beside the ring, under its
    key's MAC. `StoredState(head)` has no ledgers and never had a checkpoint.
    """
    def __new__(cls, head: Head, /) -> Self: ...
    @staticmethod
    def from_json(text: str | Buffer, /, *, origin: str, ring_key: RingKey) -> StoredState | None:
        """Reads the text; None where its MAC is not that of this log's ring key: somebody edited it."""
    def to_json(self, ring: CheckedRing, /) -> str:
        """The text, canonical JSON. Raises MisuseError for a ring that was not followed to the head, or past it."""
    def with_ledger(self, ledger: LedgerHead, /) -> StoredState:
        """With the end of a ledger."""
    def with_checkpoint(self, checkpoint: Checkpoint, /) -> StoredState:
        """With the checkpoint that was signed last."""
    @property
    def head(self) -> Head:
        """Where the chain ends."""
    @property
    def last(self) -> tuple[int, str] | None:
        """The number of entries that the last checkpoint covers, and SHA3-256 over its canonical JSON, 64 hexadecimal
        characters; None where there was none.
        """
    def ledger(self, ledger: str, /) -> LedgerHead | None:
        """Where a ledger ends (its name, 64 hexadecimal characters); None for one that was not begun."""
    @property
    def ledgers(self) -> list[LedgerHead]:
        """Where each ledger ends."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class State:
    """What was loaded of a log, and is changed by steps: the ring, followed to the end of the chain, that end, those of
    the ledgers, and the last checkpoint. It is never changed itself: a batch gives another one.

    `State(domain, CheckedRing(origin, ring_key), StoredState(Head.EMPTY))` is that of an empty log. Raises MisuseError
    for a ring that was not followed to the stored head, or past it.
    """
    def __new__(cls, domain: Domain, ring: CheckedRing, stored: StoredState, /) -> Self: ...
    def begin(self) -> Changes:
        """What a store writes first of all, before any step: the state and the seal of its ring."""
    def with_ledger(self, ledger: str, /) -> State:
        """With a ledger begun (its name, 64 hexadecimal characters: LedgerHead.draw), unless it is there."""
    @property
    def domain(self) -> Domain:
        """The domain of the log."""
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def ring(self) -> CheckedRing:
        """The ring, decoys included: a copy, of which a change is none of the state's."""
    @property
    def head(self) -> Head:
        """Where the chain ends."""
    def ledger(self, ledger: str, /) -> LedgerHead | None:
        """Where a ledger ends (its name, 64 hexadecimal characters); None for one that was not begun."""
    @property
    def last(self) -> tuple[int, str] | None:
        """The number of entries that the last checkpoint covers, and SHA3-256 over its canonical JSON, 64 hexadecimal
        characters; None where there was none.
        """
    def first_mark(self) -> tuple[HighWaterMark, str]:
        """The mark of an empty log, and the text that is written, to a place of its own, before the first changes
        (begin) are: no store opens without a mark. Raises MisuseError for a log that is not empty.
        """
    def next_mark(self, last: HighWaterMark, growth: Growth, /) -> tuple[HighWaterMark, str]:
        """The mark of this state, whose chain has grown from the last one, and the text that is written: before a
        checkpoint over it is signed, and after changes of the ring.

        `last` is the mark that is there (Opened.mark). Raises MisuseError for growth to another head, RejectedError for
        growth from another mark, as of a store that was restored from an old backup.
        """
    def checkpoint_signer(
        self, identity_id: str, key: _Key, *, note_key: str | None = None
    ) -> CheckpointSigner:
        """Who signs the log's checkpoints: an identity of its ring, with its current key. Raises MisuseError for
        another key (`not-current`). note_key is as in CheckpointSigner.
        """
    def take(self, checkpoint: Checkpoint, /) -> tuple[State, Changes]:
        """Takes the checkpoint that was signed over this state: the state with it, and what the store writes then.
        Raises StepError (`other-checkpoint`) for one that is over another state, or not by a valid key of the ring.
        """

@final
class Opened:
    """What was opened."""
    @property
    def state(self) -> State:
        """The state, ready for steps."""
    @property
    def mark(self) -> HighWaterMark:
        """The signer's mark, from which the chain must have grown before the next checkpoint is signed."""

@final
class KeptSecrets:
    """What steps kept, by the list of secrets. Its length is the number of secrets that are kept."""
    def check(self, stored: Buffer, /, *, table: str, row: Buffer, purpose: str) -> None:
        """Holds what stands in a place, b"" where nothing does, against what a step kept there last. Raises
        RefusedError: `secret-missing` for nothing where one is kept, `secret-other` for anything else, also for what no
        step kept.
        """
    def missing(self) -> list[str]:
        """The places of secrets that are kept and were not checked, by their hashes: 64 hexadecimal characters each."""
    def __len__(self) -> int: ...

@final
class Batch:
    """The work of one transaction, in steps of which each happens or does not, one at a time: the one that an exception
    ends leaves the batch as it was, and takes nobody else's work with it.
    """
    def __new__(cls, state: State, /) -> Self: ...
    def step(self, time: _Moment, /) -> Step:
        """One caller's work at one time: `with batch.step(time) as step:`. All of it is in the batch after the
        statement, or, where an exception ends it, nothing.
        """
    @property
    def state(self) -> State:
        """The state with all steps that ended so far: a copy."""
    @property
    def is_empty(self) -> bool:
        """Whether no step that ended has made anything."""
    def place(self) -> tuple[Placed, list[ToSign]]:
        """Ends the placing, and gives out what is to be signed: beside each other, and where the driver wants, outside
        of its lock. Raises RuntimeError while a step is open.
        """

@final
class Step:
    """What one caller does at the end of the chain, in the body of a `with` statement. It takes nothing before and
    after.
    """
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
    @property
    def head(self) -> Head:
        """Where the chain ends, with what this step appended so far: operations of the library that make an entry, for
        `take`, make it here.
        """
    @property
    def time(self) -> str:
        """The time of this step."""
    def ledger(self, ledger: str, /) -> LedgerHead:
        """Where a ledger ends (its name, 64 hexadecimal characters), with what this step placed so far. Raises
        StepError (`unknown-ledger`) for one that the state does not have.
        """
    def begin_ledger(self, ledger: str, /) -> LedgerHead:
        """Begins a ledger (its name, 64 hexadecimal characters: LedgerHead.draw), unless it is there, and says where it
        ends.
        """
    def sign(self, identity_id: str, content: HashedContent, /) -> int:
        """Places a signature record by the identity's current key, which is to sign it, over content that was hashed
        for the identity (Domain.content_hash, Domain.content_hasher): its index in Changes.records.

        Raises MisuseError for an identity without a current key, for one whose key is not valid (`not-current`), and
        for what was hashed for another.
        """
    def seal(self, seal: UnplacedSeal, /) -> Entry:
        """Appends the entry of a dual seal (Sealer.seal_unplaced), so that it outlives its key. Raises MisuseError
        where that is not the identity's current and valid one (`not-current`), StepError for a seal of another domain.
        """
    def append(self, identity_id: str, message: str, /) -> Entry:
        """Appends a message of the caller's own, as Head.append does."""
    def take(self, entry: Entry, /) -> None:
        """Takes an entry that an operation of the library made at `head`: the commitment of a split or of a session's
        generation, a witness.

        Raises StepError (`not-a-step`) for a change of the ring and for the entry of a vault record, which have
        operations of their own here; RejectedError for one that was made at another head.
        """
    def add_key(self, identity_id: str, public_key: PublicKey, /) -> Entry:
        """Gives an identity its first key, in state VALID."""
    def rotate(self, identity_id: str, public_key: PublicKey, /) -> Entry:
        """Puts a new key in place of an identity's current one, as CheckedRing.rotate does."""
    def set_state(
        self,
        identity_id: str,
        state: KeyState | str,
        /,
        *,
        key_hash: str | None = None,
        compromised_from: int | None = None,
    ) -> Entry:
        """Sets the state of an identity's current key, or of the retired one with this hash, as CheckedRing.set_state
        does.
        """
    def vault(self, unplaced: Unplaced, /) -> Vaulted:
        """Places a vault record that was sealed for the end of its ledger (Sealing.finish_unplaced), which ends
        `unplaced` whatever comes of it; its decoy goes into the ring.

        Raises StepError where another record of the ledger was placed since (`stale-ledger`) and for a ledger that the
        state does not have (`unknown-ledger`), MisuseError for a key that was retired or called back since
        (`not-current`). Then the document is sealed again.
        """
    def erase(self, public_key: PublicKey, erasure: SealedErasure, /) -> Vaulted:
        """Places an erasure (VaultSealer.erase) that was sealed with this key at `head` and at the end of its `ledger`:
        its record, and the entry that ends the vault's splits. Its `stored` bytes are stored beside the record.

        Raises as `vault` and `take` do; RejectedError for one that was sealed at another head.
        """
    def keep(self, secret: SecretRow, /) -> None:
        """Stores a secret at rest (Master.seal) with what the step makes. Raises StepError at the end of the step
        (`same-place`) where another one is kept in its place.
        """
    def forget(self, *, table: str, row: Buffer, purpose: str) -> None:
        """Has the store wipe what stands in the place of a secret at rest: of the place comes a row without stored
        bytes. Backups have it still: what is to be erased there too hangs on an erasure key.
        """

@final
class Vaulted:
    """A vault record that was placed."""
    @property
    def index(self) -> int:
        """The place of the record in Changes.vault_records."""
    @property
    def record(self) -> VaultRecord:
        """The record without its fragment: what may leave the store, and what the Dealer of its secret is made of."""
    @property
    def secret(self) -> DrawnSecret | None:
        """The vault secret of an encrypted record, which is kept or split, or the document is lost; None where it is
        not encrypted.
        """
    @property
    def entry(self) -> Entry:
        """The record's entry."""
    @property
    def ledger(self) -> LedgerHead:
        """The end of the ledger after it."""

@final
class Placed:
    """A batch whose records are being signed."""
    def finish(self, signed: Sequence[SignedRecord], /) -> tuple[State, Changes]:
        """The state after the batch, and what the store writes. The signed records come in any order. It ends this,
        whatever comes of it.

        Raises StepError (`unsigned`) unless each record came back once: an entry in the chain without its record would
        be nobody's.
        """

@final
class ToSign:
    """A record to be signed, once: in this thread or another one."""
    @property
    def identity_id(self) -> str:
        """Whose record it is."""
    @property
    def public_key(self) -> PublicKey:
        """The key that must sign it: the identity's current one when it was placed."""
    def sign(self, key: _Key, /) -> SignedRecord:
        """Signs it, without the interpreter lock. It ends this, whatever comes of it. Raises MisuseError for another
        key than public_key's.
        """

@final
class SignedRecord:
    """A record that was signed, for Placed.finish."""

@final
class Changes:
    """Everything that a batch changes. A store writes all of it in one transaction, which begins by comparing the text
    that it has of the state with `before`, or nothing.
    """
    @property
    def before(self) -> str:
        """The text of the state that the store must have, byte for byte, so that nobody did anything in between: a
        checkpoint and the beginning of a ledger leave the head where it is.
        """
    @property
    def expected(self) -> Head:
        """The head of that state."""
    @property
    def head(self) -> Head:
        """The head from now on."""
    @property
    def state(self) -> str:
        """The text that the store keeps of the state, in the place of the one before: StoredState."""
    @property
    def entries(self) -> tuple[Entry, ...]:
        """The new entries, in order."""
    @property
    def nodes(self) -> tuple[tuple[int, int, str], ...]:
        """The nodes of the log's tree that the entries made full, leaves included, as (level, index, hash): what
        prove_leaf and prove_growth take, for a store that gives proofs.
        """
    @property
    def ring_rows(self) -> tuple[RingRow, ...]:
        """The rows of the ring that are put in the place of those of the same name, or are new: RingFile.from_rows."""
    @property
    def ring_seal(self) -> str:
        """What seals all rows of the ring at the head, in the place of what sealed them before."""
    @property
    def records(self) -> tuple[SignatureRecord, ...]:
        """The signed records: what Step.sign returned is the index."""
    @property
    def vault_records(self) -> tuple[VaultRecord, ...]:
        """The vault records, with their fragments: the store keeps VaultRecord.to_stored_json, and what leaves it is
        redacted.
        """
    @property
    def secrets(self) -> tuple[SecretRow, ...]:
        """The secrets at rest that belong to what was made: they are stored with it, or not at all. Each is the next
        row of the list of secrets (SecretRow.place_hash and listed), which a store keeps for open_secrets.
        """
    @property
    def secrets_before(self) -> int:
        """How many rows the list of secrets has before them."""
    @property
    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint, where one was signed over the head: its mark was written before."""

@final
class RingRow:
    """One row of a ring: the keys of an identity, or a decoy."""
    @property
    def name(self) -> str:
        """What it is kept under: the identity, or the hash of the decoy's key, 64 hexadecimal characters."""
    @property
    def json(self) -> str:
        """The row, canonical JSON: for its operator's store alone."""

@final
class SecretRow:
    """A secret at rest, bound to its place in the store, and opened by the master alone."""
    @property
    def table(self) -> str:
        """The table."""
    @property
    def row(self) -> bytes:
        """The row."""
    @property
    def purpose(self) -> str:
        """What it is for."""
    @property
    def stored(self) -> bytes:
        """The bytes to be stored; none where what stands there is forgotten."""
    @property
    def place_hash(self) -> bytes:
        """What the list of secrets has of its place: 32 bytes."""
    @property
    def listed(self) -> bytes:
        """What the list has of the stored bytes: 32 bytes."""

@final
class Master:
    """The master of 32 drawn bytes under which a store's secrets are at rest, in one domain: each is bound to its table
    (a label), its row (any bytes, but not none) and what it is for (a label), and opens nowhere else. It is wiped when
    it is no longer used.
    """
    def __new__(cls, domain: Domain, secret: Buffer, /) -> Self: ...
    def seal(self, secret: Buffer, /, *, table: str, row: Buffer, purpose: str) -> SecretRow:
        """Encrypts a secret of any length for one place: what Step.keep stores. Each call gives other bytes."""
    def open(self, stored: Buffer, /, *, table: str, row: Buffer, purpose: str) -> bytes:
        """Opens what was stored in this place: a copy that Python cannot wipe. Raises SecretError where it was made
        under another master or for another place (`other-key`), was changed (`damaged`) or cut off (`cut`), or is none.
        """

@final
class Folder:
    """A log in a folder: one process after the other holds it, does its steps, and writes what they change by one
    journalled change. `mark` is the file of the signer's high-water mark, outside of the folder and of its backups;
    `wait` is how long to wait for other processes, in seconds. Nothing is read before it is held.
    """
    def __new__(
        cls, path: _Path, *, mark: _Path, domain: Domain, origin: str, ring_key: RingKey, wait: float = 60.0
    ) -> Self: ...
    @staticmethod
    def found(
        path: _Path, *, mark: _Path, domain: Domain, origin: str, ring_key: RingKey, wait: float = 60.0
    ) -> Folder:
        """Makes an empty log where there is none. Raises FolderError (`exists`) where there is one."""
    def hold(self) -> Held:
        """Holds the folder against everybody else: `with folder.hold() as held:`."""
    def read(self) -> Reading:
        """Reads the folder while nobody writes to it: `with folder.read() as reading:`."""
    def audit(self) -> tuple[int, int, int, int]:
        """Reads everything, each entry from the first on, and holds the ring, the tree, the index and the records
        against them, and the secrets at rest against their list: the numbers of entries, signed records, vault records
        and secrets. Whether a record's signature holds is for its verifier.

        Raises RefusedError and FolderError (`broken`) for what does not belong together, RejectedError for the first
        entry that does not hold.
        """
    def renew_mark(self, seen: VerifiedCheckpoint, /) -> None:
        """Makes the signer's mark anew where it was lost: from the last checkpoint that somebody else has, a witness
        before all. Of an older one it would let a restored folder sign a fork. Raises RefusedError for a folder that is
        older than what was signed (`restored`), and for a checkpoint that is older than the folder's (`mark-other`).
        """
    def renew_unsigned_mark(self) -> None:
        """Makes the signer's mark anew where it was lost before any checkpoint was signed. Whoever calls this vouches
        for that, and for the folder being the newest there is: an old copy would sign a fork from then on, and take
        keys for valid that were called back since. Raises RefusedError (`mark-other`) for a folder whose last
        checkpoint is known.
        """
    @property
    def path(self) -> Path:
        """The folder."""

@final
class Held:
    """The folder, held against everybody else in the body of a `with` statement, and what is in it against itself. It
    takes one change.
    """
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
    @property
    def state(self) -> State:
        """What was loaded."""
    def finish(self, batch: Batch, keys: Iterable[_Key], /) -> Changes:
        """Signs what a batch placed, each record with the one of `keys` that is its own, and writes what it changes. It
        ends the batch and the hold, whatever comes of it. Raises StepError (`no-key`) where there is no key; as commit.
        """
    def commit(self, state: State, changes: Changes, /) -> None:
        """Writes the changes that lead to a state: all of it, or nothing. It ends the hold, whatever comes of it.

        FolderError.commit says what has become of it: `done`, `not`, or `unknown`.
        """
    def checkpoint(
        self, identity_id: str, key: _Key, *, time: _Moment, note_key: str | None = None
    ) -> Checkpoint:
        """Signs a checkpoint over what was loaded, by an identity of the ring with its current key, and writes it. The
        mark is written first: whatever becomes of the rest, nothing is ever signed that does not go on from it. It ends
        the hold, whatever comes of it. note_key is as in CheckpointSigner.
        """

@final
class Reading:
    """A folder that nobody writes to in the body of a `with` statement."""
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
    @property
    def state(self) -> State:
        """What was loaded."""
    def entries(self, start: int | None = None, /) -> Entries:
        """The entries from a position on, as they stand in the file: whoever shows something by them reads them with a
        ChainReader.
        """
    def record(self, seq: int, /) -> str | None:
        """The record that an entry is of, signed or of a vault, as canonical JSON: that of a vault with its fragment,
        which what leaves the store has not. None for an entry of another kind, and for one that there is not.
        """
    def secret(self, *, table: str, row: Buffer, purpose: str) -> bytes | None:
        """The stored bytes of a secret that was kept in this place, for Master.open; None where none was."""
    def prove_entry(self, size: int, seq: int) -> list[str] | None:
        """The path of an entry in the log's tree at a size, as prove_leaf gives it; None where there is no such entry.
        """
    def prove_growth(self, before: int, size: int) -> list[str] | None:
        """The proof that the log of one size goes on from that of another, as prove_growth gives it."""

@final
class Entries:
    """The entries of a folder's chain, in order."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Entry: ...
