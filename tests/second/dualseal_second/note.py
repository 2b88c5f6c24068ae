"""Signed notes, cosignatures of witnesses, and proofs for other programs (FORMAT.md section 7.1)."""

from __future__ import annotations

import base64
import binascii
import datetime
import re
from dataclasses import dataclass
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from . import tree
from .encodings import MAX_INTEGER, FormatError, Refused, origin
from .presence import strictly_accepts

LOG, WITNESS = b"\1", b"\4"
MOST_LINES, MOST_HASHES = 64, 64
# The first second of the year 10000, which no timestamp has.
NO_SECOND = 253402300800
PROOF = "c2sp.org/tlog-proof@v1"


@dataclass(frozen=True)
class Key:
    """A name, a public key, and for what it signs."""

    name: str
    public_key: bytes
    kind: bytes

    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self.kind + self.public_key).digest()[:4]

    def text(self) -> str:
        """As logs and witnesses publish it."""
        return f"{self.name}+{self.id().hex()}+{encoded(self.kind + self.public_key)}"


@dataclass(frozen=True)
class Line:
    """A line of a signature: whose it says it is, and what it says."""

    name: str
    key_id: bytes
    signature: bytes

    def text(self) -> str:
        return f"\u2014 {self.name} {encoded(self.key_id + self.signature)}\n"


@dataclass(frozen=True)
class Note:
    """`root` is hexadecimal, as a checkpoint has it."""

    origin: str
    size: int
    root: str
    lines: tuple[Line, ...]

    def body(self) -> bytes:
        return f"{self.origin}\n{self.size}\n{encoded(bytes.fromhex(self.root))}\n".encode()

    def text(self) -> str:
        return self.body().decode() + "\n" + "".join(line.text() for line in self.lines)

    def of(self, key: Key) -> list[Line]:
        return [line for line in self.lines if (line.name, line.key_id) == (key.name, key.id())]


def encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def decoded(text: str) -> bytes:
    """Base64 in its one spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise FormatError("not base64") from None
    if encoded(raw) != text:
        raise FormatError("not the one spelling of base64")
    return raw


def decimal(text: str) -> int:
    if re.fullmatch("0|[1-9][0-9]{0,15}", text) is None or int(text) > MAX_INTEGER:
        raise FormatError("not a number in its one spelling")
    return int(text)


def name_of(text: str) -> str:
    """What names a log or a witness in a note."""
    if "+" in text or any(c.isspace() for c in text):
        raise FormatError("a name with '+' or white space")
    return origin(text, "name")


def private(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_of(seed: bytes) -> bytes:
    return private(seed).public_key().public_bytes_raw()


def sign(name: str, size: int, root: str, seed: bytes) -> Note:
    """By the log's key."""
    unsigned = Note(name_of(name), size, root, ())
    line = Line(name, Key(name, public_of(seed), LOG).id(), private(seed).sign(unsigned.body()))
    return Note(name, size, root, (line,))


def cosigned_text(note: Note, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n".encode() + note.body()


def cosign(note: Note, name: str, seed: bytes, seconds: int) -> Note:
    key = Key(name_of(name), public_of(seed), WITNESS)
    said = seconds.to_bytes(8, "big") + private(seed).sign(cosigned_text(note, seconds))
    return Note(note.origin, note.size, note.root, (*note.lines, Line(name, key.id(), said)))


def parse(text: str) -> Note:
    body, found, rest = text.partition("\n\n")
    said = body.split("\n")
    if not found or len(said) != 3 or not rest.endswith("\n"):
        raise FormatError("note: not three lines, an empty one, and lines of signatures")
    root = decoded(said[2])
    if len(root) != 32:
        raise FormatError("note: the root has not 32 bytes")
    lines = rest.split("\n")[:-1]
    if not 1 <= len(lines) <= MOST_LINES:
        raise FormatError("note: not 1 to 64 signatures")
    return Note(name_of(said[0]), decimal(said[1]), root.hex(), tuple(parse_line(line) for line in lines))


def parse_line(text: str) -> Line:
    parts = text.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014":
        raise FormatError("note: not a line of a signature")
    raw = decoded(parts[2])
    if len(raw) < 5:
        raise FormatError("note: a signature without bytes")
    return Line(name_of(parts[1]), raw[:4], raw[4:])


def check_signed(note: Note, public_key: bytes) -> None:
    """By the log itself, whose name is the origin."""
    found = note.of(Key(note.origin, public_key, LOG))
    if not found:
        raise Refused("note-unsigned")
    for line in found:
        if len(line.signature) != 64 or not strictly_accepts(public_key, line.signature, note.body()):
            raise Refused("note-signature")


def seen(note: Note, keys: list[Key]) -> dict[bytes, int]:
    """The earliest second at which each of these public keys cosigned."""
    times: dict[bytes, int] = {}
    for key in keys:
        for line in note.of(key):
            seconds = int.from_bytes(line.signature[:8], "big")
            text = cosigned_text(note, seconds)
            good = len(line.signature) == 72 and 0 < seconds < NO_SECOND
            if not good or not strictly_accepts(key.public_key, line.signature[8:], text):
                raise Refused("witness-signature")
            times[key.public_key] = min(seconds, times.get(key.public_key, seconds))
    return times


def check_needed(keys: list[Key], needed: int) -> None:
    """Whoever names witnesses says how many of them are needed."""
    if (needed == 0) != (not keys):
        raise FormatError("needed: none of the witnesses that are named, or some of none")


def witnessed(
    note: Note | None, keys: list[Key], needed: int, after: str | None = None
) -> tuple[str | None, dict[bytes, int]]:
    """The least time at which so many of the keys had seen the note, and when each of them did."""
    check_needed(keys, needed)
    times = {} if note is None else seen(note, keys)
    if len(times) < needed:
        raise Refused("too-few-witnesses")
    moment = at_second(sorted(times.values())[needed - 1]) if needed else None
    if after is not None and (moment is None or moment < after):
        raise Refused("not-witnessed-after")
    return moment, times


def at_second(seconds: int) -> str:
    """As a timestamp."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def make_proof(note: Note, index: int, path: list[bytes], extra: bytes | None = None) -> str:
    """A tlog-proof."""
    said = [PROOF, *([] if extra is None else [f"extra {encoded(extra)}"]), f"index {index}"]
    return "\n".join([*said, *map(encoded, path), "", note.text()])


def parse_proof(text: str) -> tuple[Note, int, list[bytes], bytes | None]:
    head, found, rest = text.partition("\n\n")
    said = head.split("\n")
    if not found or said.pop(0) != PROOF:
        raise FormatError("not a tlog-proof")
    extra = decoded(said.pop(0)[6:]) if said and said[0].startswith("extra ") else None
    if not said or not said[0].startswith("index "):
        raise FormatError("tlog-proof: no index")
    index = decimal(said.pop(0)[6:])
    path = [decoded(one) for one in said]
    if len(path) > MOST_HASHES or any(len(one) != 32 for one in path):
        raise FormatError("tlog-proof: not a path")
    return parse(rest), index, path, extra


def check_proof(text: str, public_key: bytes, leaf: bytes) -> int:
    """The index at which the leaf stands in the log whose key this is."""
    note, index, path, _ = parse_proof(text)
    check_signed(note, public_key)
    if not tree.holds_leaf(bytes.fromhex(note.root), note.size, index, tree.leaf_hash(leaf), path):
        raise Refused("note-no-place")
    return index
