from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Self, final

from typing_extensions import Buffer

from . import Ed25519SigningKey
from ._enums import NoteKind

__all__ = ["LogProof", "Note", "NoteKey", "NoteSignature", "Witnessed", "Witnesses"]

@final
class NoteKey:
    """An Ed25519 public key (64 hexadecimal characters) under the name that it signs as: of a log, or of a witness.

    A name has 1 to 255 bytes, no white space, no `+`, no control character, no `::` and no leading `:`. `str()` gives
    the text that is published: `<name>+<key id>+<base64 of the type and the key>`.
    """
    def __new__(cls, name: str, kind: NoteKind | str, public_key: str) -> Self: ...
    @staticmethod
    def parse(text: str, /) -> NoteKey:
        """Reads the text that logs and witnesses publish."""
    @property
    def name(self) -> str:
        """The name."""
    @property
    def kind(self) -> NoteKind:
        """What it signs."""
    @property
    def public_key(self) -> str:
        """The key itself, 64 hexadecimal characters."""
    @property
    def key_id(self) -> str:
        """The key id, 8 hexadecimal characters: the beginning of SHA-256 over name, type and key."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Note:
    """A log's size and root with the lines of their signatures (C2SP `signed-note`, `tlog-checkpoint`), of which nobody
    looked at one yet. `str()` gives its text.
    """
    @staticmethod
    def sign(key: Ed25519SigningKey, *, origin: str, size: int, root: str) -> Note:
        """Signs what a log says, under its name: what its checkpoint states, and nothing else. `root` has 64
        hexadecimal characters.
        """
    @staticmethod
    def parse(text: str, /) -> Note:
        """Reads a note. Raises MalformedError for `note` with the line, from 0."""
    @property
    def origin(self) -> str:
        """The name of the log."""
    @property
    def size(self) -> int:
        """The number of its leaves."""
    @property
    def root(self) -> str:
        """The root over them, 64 hexadecimal characters."""
    @property
    def body(self) -> str:
        """The three lines that are signed."""
    @property
    def signatures(self) -> list[NoteSignature]:
        """The lines of signatures."""
    def verify(self, log: NoteKey | str, /) -> None:
        """Whether the log with this key (a NoteKey or its text) signed it. Raises RejectedError where no line is by it,
        and where one that says to be is not.
        """
    def by(self, key: NoteKey | str, /) -> Note:
        """The note with the lines alone that say to be by this key (a NoteKey or its text)."""
    def cosign(self, name: str, key: Ed25519SigningKey, time: str | int | datetime) -> NoteSignature:
        """A witness's cosignature (C2SP `tlog-cosignature`), for whoever saw that the log grew to this and nothing
        else. The time is cut to seconds.
        """
    def with_signature(self, signature: NoteSignature, /) -> Note:
        """The note with one more signature, as of a witness; of 64 at most."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class NoteSignature:
    """One line of a signature, of which nothing was verified."""
    @property
    def name(self) -> str:
        """Who says to have made it."""
    @property
    def key_id(self) -> str:
        """The key id, as the signer says: 8 hexadecimal characters."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Witnesses:
    """The witnesses whom a verifier trusts (each a NoteKey or its text), and how many of them must have seen a log: a
    key under two names is one witness. Whoever names some needs one at least; `Witnesses([], 0)` asks for nobody.
    """
    def __new__(cls, keys: Iterable[NoteKey | str], needed: int) -> Self: ...
    def judge(self, note: Note, /) -> Witnessed:
        """Counts who of them saw a note, whose it is, Note.verify says. Lines by nobody of them are passed over.

        Raises RejectedError where a line that says to be by one of them is not, and where too few saw it.
        """

@final
class Witnessed:
    """Which witnesses saw a note, and when."""
    @property
    def time(self) -> str | None:
        """When as many as were needed had seen it; None where none was needed."""
    @property
    def seen(self) -> dict[str, str]:
        """All of them who did: by their public keys, 64 hexadecimal characters, the earliest time that each gave."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class LogProof:
    """The index of a leaf, its path (64 hexadecimal characters a hash, as prove_leaf gives them) and the log's note
    (C2SP `tlog-proof`), of which nothing was verified yet. `extra` helps to find the leaf, and nothing vouches for it.
    `str()` gives its text, whose file ends in `.tlog-proof`.
    """
    def __new__(cls, index: int, path: Iterable[str], note: Note, *, extra: Buffer | None = None) -> Self: ...
    @staticmethod
    def parse(text: str, /) -> LogProof:
        """Reads a proof. Raises MalformedError for `tlog_proof`, or for `note`, with the line, from 0."""
    @property
    def index(self) -> int:
        """The leaf's index, from 0."""
    @property
    def path(self) -> list[str]:
        """From the leaf's sibling to the root's child."""
    @property
    def note(self) -> Note:
        """The note, whose witnesses Witnesses.judge counts."""
    @property
    def extra(self) -> bytes | None:
        """What somebody added, which nothing vouches for."""
    def verify(self, leaf_hash: str, /, *, log: NoteKey | str) -> None:
        """Whether the log with this key (a NoteKey or its text) says that the leaf with this hash, such as
        Entry.leaf_hash, stands at the index. Raises RejectedError where it does not.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
