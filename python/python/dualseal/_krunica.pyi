from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, TypeAlias, final

from typing_extensions import Buffer

from ._domain import Domain

__all__ = ["Checker", "Entry", "Head", "JsonLines", "Krunica"]

_Moment: TypeAlias = str | int | datetime
_JsonText: TypeAlias = str | Buffer

@final
class Entry:
    """One entry of a chain: `{h, poruka, prev, seq, t, w3}`. One that was read is well-formed; whether its hash holds
    is for Checker or Krunica to say.
    """
    @staticmethod
    def from_json(json: _JsonText, /) -> Entry:
        """Reads an entry that travels alone, with its `seq`."""
    @staticmethod
    def from_dict(members: dict[str, Any], /) -> Entry:
        """As from_json, from a dictionary of its members."""
    @staticmethod
    def from_json_line(line: _JsonText, seq: int) -> Entry:
        """Reads an entry from a line of a chain file, without its LF, which stands at this position. Its link to the
        entry before it is not looked at: `hash_holds` says whether position and link are its own.
        """
    @staticmethod
    def from_bytes(stored: Buffer, /) -> Entry:
        """Reads the binary form. Whether its hash holds is not looked at."""
    def claims_record(self, domain: Domain, /) -> bool:
        """Whether it has the form of a signature's or a vault record's entry, which must have a record, whoever made
        it.
        """
    def to_bytes(self) -> bytes:
        """The binary form: 186 bytes and the message."""
    @property
    def hash_holds(self) -> bool:
        """Whether `h` is the hash of the entry's own members, position and link included. Reading an entry does not
        look: one that stands alone, as the end of a chain in a store, is asked before it is believed. `h` does not
        cover the time.
        """
    def to_json(self) -> str:
        """Canonical JSON, with `seq`."""
    def to_json_line(self) -> str:
        """The entry as a line of a chain file: canonical JSON without `seq`, and LF."""
    def to_dict(self) -> dict[str, Any]:
        """The members, with `seq`."""
    @property
    def seq(self) -> int:
        """The position in the chain, from 0."""
    @property
    def identity_id(self) -> str:
        """The identity that the entry is about."""
    @property
    def message(self) -> str:
        """The message (`poruka`)."""
    @property
    def prev(self) -> str:
        """The hash of the entry before."""
    @property
    def time(self) -> str:
        """The time that the appender gave (`t`). No evidence by itself."""
    @property
    def hash(self) -> str:
        """The entry's hash (`h`), 128 hexadecimal characters."""
    @property
    def krunica_hash(self) -> str:
        """The short handle that records carry, 64 hexadecimal characters."""
    @property
    def leaf(self) -> str:
        """The entry's leaf in the log's tree: canonical JSON of its hash, its position and its time, without its
        message.
        """
    @property
    def leaf_hash(self) -> str:
        """The hash of the leaf, as it stands in the tree: 64 hexadecimal characters."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Head:
    """Where a chain ends: all that is needed to append to it. `Head()` is `Head.EMPTY`."""
    EMPTY: ClassVar[Head]
    def __new__(cls) -> Self: ...
    @staticmethod
    def from_json(json: _JsonText, /) -> Head:
        """A head as the caller stored it (to_json). Only its form is checked here: a wrong head starts another chain.
        """
    def to_json(self) -> str:
        """The head as its holder stores it: canonical JSON of at most 4 kB."""
    def append(self, domain: Domain, identity_id: str, message: str, time: _Moment) -> tuple[Entry, Head]:
        """Makes the next entry: (entry, new head), to be stored together or not at all."""
    @property
    def size(self) -> int:
        """The number of entries, which is the `seq` of the next one."""
    @property
    def top(self) -> str:
        """The hash of the last entry, 128 hexadecimal characters; zeros when there is none."""
    @property
    def root(self) -> str:
        """The root of the tree over all entries, times included: 64 hexadecimal characters."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Krunica:
    """A whole chain in memory. For a long one, keep the entries in a store and use Head and Checker."""
    def __new__(cls) -> Self: ...
    @staticmethod
    def from_json(json: _JsonText, /) -> Krunica:
        """Reads a list of entries without `seq` and checks every one."""
    @staticmethod
    def from_json_lines(text: _JsonText, /) -> Krunica:
        """Reads JSON lines (an entry a line, each line ended by LF) and checks every one."""
    def append(self, domain: Domain, identity_id: str, message: str, time: _Moment) -> Entry:
        """Appends an entry and returns it."""
    def push(self, entry: Entry, /) -> None:
        """Adds an entry that another operation made at this chain's head. On an error the chain is as it was."""
    @property
    def head(self) -> Head:
        """Where the chain ends."""
    def to_json(self) -> str:
        """Canonical JSON: the list of entries, without `seq`."""
    def to_json_lines(self) -> str:
        """JSON lines: an entry a line, without `seq`, each line ended by LF."""
    def to_list(self) -> list[dict[str, str]]:
        """The entries as dictionaries, without `seq`."""
    def __len__(self) -> int: ...
    def __getitem__(self, seq: int, /) -> Entry: ...
    def __iter__(self) -> Iterator[Entry]: ...

@final
class Checker:
    """Checks the entries of a chain as they come, in constant memory. After a fault it stays where it was."""
    def __new__(cls, head: Head | None = None) -> Self: ...
    def push(self, entry: Entry, /) -> None:
        """Checks the next entry."""
    def push_json(self, json: _JsonText, /) -> Entry:
        """Checks the next entry as JSON without `seq`, as it stands in a list or on a line."""
    def push_many(self, lines: Sequence[_JsonText], /) -> list[Entry]:
        """Checks the next entries, each as JSON without `seq`, as it stands on a line, without the interpreter lock.
        The first that does not fit raises, and those before it are checked: `head.size` says how many there are.
        """
    @property
    def head(self) -> Head:
        """Where the entries checked so far end."""

@final
class JsonLines:
    """Cuts a stream of bytes into the lines of a chain file, in memory for one line: each line ended by LF, no blank
    line.

    A line of more than `longest` bytes (16 MiB unless said otherwise) is refused, so that a stream without line ends
    does not fill the memory.
    """
    def __new__(cls, *, longest: int | None = None) -> Self: ...
    def push(self, data: Buffer, /) -> list[bytes]:
        """Takes the next bytes, and returns the lines that they complete, without their LF, for push_json of a check.
        """
    def finish(self) -> None:
        """Ends the stream. Raises MalformedError when the last line has no LF, as when a file was cut off."""
