"""krunica, its checkpoints and located entries (FORMAT.md sections 6 and 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import tree
from .domain import Domain
from .encodings import FormatError, canonical, hex_text, integer, members, origin, parse, timestamp, utf8
from .primitives import PUBLIC_KEY_SIZE, SIGNATURE_SIZE, h3, h5, verifies

GENESIS = "0" * 128
ENTRY = {"w3", "poruka", "prev", "t", "h"}
CHECKPOINT = {
    "origin", "size", "top", "root", "ring", "nota", "time", "identity_id", "algoritam", "javni_kljuc", "potpis",
}  # fmt: skip
RING = {"revision", "root"}


class ChainError(FormatError):
    """The first bad entry, and what is wrong with it."""

    def __init__(self, index: int, what: str) -> None:
        super().__init__(f"entry {index}: {what}")
        self.index = index
        self.what = what


@dataclass(frozen=True)
class Head:
    """What an append needs to know of the chain: how many entries, the last hash, and here every leaf of its tree."""

    size: int = 0
    top: str = GENESIS
    leaves: tuple[bytes, ...] = ()

    @property
    def root(self) -> str:
        return tree.root(list(self.leaves)).hex()

    def stated(self, ring: dict[str, Any] | None = None, nota: str | None = None) -> dict[str, Any]:
        """What a checkpoint says of it."""
        return {"size": self.size, "top": self.top, "root": self.root, "ring": ring, "nota": nota}


def entry_hash(w3: str, poruka: str, prev: str, seq: int) -> str:
    return h5(f"{w3}|{poruka}|{prev}|{seq}".encode())


def krunica_hash(h: str) -> str:
    """The short handle: over the 128 characters of `h`, not over 64 bytes."""
    return h3(hex_text(h, 128, "h").encode())


def append(head: Head, w3: str, poruka: str, t: str) -> tuple[dict[str, str], Head]:
    entry = {
        "w3": hex_text(w3, 64, "w3"),
        "poruka": utf8(poruka, "poruka"),
        "prev": head.top,
        "t": timestamp(t, "t"),
        "h": entry_hash(w3, poruka, head.top, head.size),
    }
    return entry, advance(head, entry["h"], t)


def leaf(h: str, seq: int, t: str) -> bytes:
    return canonical({"h": h, "seq": seq, "t": t})


def advance(head: Head, h: str, t: str) -> Head:
    return Head(head.size + 1, h, (*head.leaves, leaf(h, head.size, t)))


def check_entry(entry: object, head: Head) -> Head:
    """One step of a check over a stream; the order of checks names the fault."""
    index = head.size
    try:
        fields = members(entry, ENTRY, "entry")
    except FormatError:
        raise ChainError(index, "members") from None
    if fields["prev"] != head.top:
        raise ChainError(index, "prev")
    try:
        hex_text(fields["w3"], 64, "w3")
        hex_text(fields["h"], 128, "h")
        timestamp(fields["t"], "t")
        utf8(fields["poruka"], "poruka")
    except FormatError:
        raise ChainError(index, "format") from None
    if fields["h"] != entry_hash(fields["w3"], fields["poruka"], fields["prev"], index):
        raise ChainError(index, "h")
    return advance(head, fields["h"], fields["t"])


def parse_alone(value: object, what: str) -> dict[str, Any]:
    """The form of an entry that travels alone, which says where it stands."""
    entry = members(value, ENTRY | {"seq"}, what)
    integer(entry["seq"], "seq")
    for name, length in (("w3", 64), ("prev", 128), ("h", 128)):
        hex_text(entry[name], length, name)
    timestamp(entry["t"], "t")
    utf8(entry["poruka"], "poruka")
    return entry


def heads(chain: list[Any]) -> list[Head]:
    """The head before the first entry and after each entry; raises at the first bad one."""
    result = [Head()]
    for entry in chain:
        result.append(check_entry(entry, result[-1]))
    return result


def parse_export(data: bytes) -> list[Any]:
    """A JSON array of entries, or JSON lines: one entry a line, each ended by LF, no blank line."""
    if data.lstrip(b" \t\r\n").startswith(b"["):
        value = parse(data)
        assert isinstance(value, list)
        return value
    lines = data.split(b"\n")
    if lines.pop():
        raise FormatError("the last line is not ended by LF")
    if any(not line.strip() for line in lines):
        raise FormatError("a blank line")
    return [parse(line) for line in lines]


@dataclass(frozen=True)
class Pins:
    """What the verifier of a checkpoint knows beforehand; the key hash is over the 1952 bytes."""

    origin: str
    identity_id: str
    key_hash: str
    least_size: int = 0


def checkpoint_statement(domain: Domain, fields: dict[str, Any]) -> bytes:
    row = domain["krunica"]
    ring = fields["ring"]
    parts = [row.prefix, row.labels["CHECKPOINT"], "2", fields["origin"], str(fields["size"])]
    parts += [fields["top"], fields["root"]]
    parts += ["-", "-"] if ring is None else [str(ring["revision"]), ring["root"]]
    parts += ["-" if fields["nota"] is None else fields["nota"], fields["time"], fields["identity_id"], row.suffix]
    return "::".join(parts).encode()


def parse_checkpoint(checkpoint: object) -> dict[str, Any]:
    fields = members(checkpoint, CHECKPOINT, "checkpoint")
    origin(fields["origin"], "origin")
    integer(fields["size"], "size")
    for name, length in (("top", 128), ("root", 64), ("identity_id", 64)):
        hex_text(fields[name], length, name)
    if fields["nota"] is not None:
        hex_text(fields["nota"], 64, "nota")
    if fields["ring"] is not None:
        stated = members(fields["ring"], RING, "ring")
        hex_text(stated["root"], 64, "root")
        if not 0 < integer(stated["revision"], "revision") <= fields["size"]:
            raise FormatError("a ring has as many changes as entries at most, and is null before the first")
    timestamp(fields["time"], "time")
    if fields["algoritam"] != "ML-DSA-65":
        raise FormatError("algoritam")
    hex_text(fields["javni_kljuc"], 2 * PUBLIC_KEY_SIZE, "javni_kljuc")
    hex_text(fields["potpis"], 2 * SIGNATURE_SIZE, "potpis")
    if fields["size"] == 0 and (fields["top"], fields["root"]) != (GENESIS, Head().root):
        raise FormatError("an empty chain has one head")
    return fields


def is_signed(domain: Domain, fields: dict[str, Any]) -> bool:
    """By the key that the checkpoint names."""
    public_key, signature = bytes.fromhex(fields["javni_kljuc"]), bytes.fromhex(fields["potpis"])
    return verifies(public_key, signature, checkpoint_statement(domain, fields))


def verify_checkpoint(domain: Domain, checkpoint: object, pins: Pins) -> dict[str, Any]:
    """Members, pins, size, signature, in this order."""
    fields = parse_checkpoint(checkpoint)
    if (fields["origin"], fields["identity_id"]) != (pins.origin, pins.identity_id):
        raise FormatError("the checkpoint is of another origin or identity than pinned")
    if h3(bytes.fromhex(fields["javni_kljuc"])) != pins.key_hash:
        raise FormatError("the checkpoint's key is not the pinned one")
    if fields["size"] < pins.least_size:
        raise FormatError("the checkpoint covers fewer entries than already seen")
    if not is_signed(domain, fields):
        raise FormatError("the checkpoint's signature does not verify")
    return fields


def agrees(chain: list[Any], checkpoint: dict[str, Any]) -> bool:
    all_heads = heads(chain)
    size: int = checkpoint["size"]
    if size >= len(all_heads):
        return False
    return (all_heads[size].top, all_heads[size].root) == (checkpoint["top"], checkpoint["root"])


def is_fork(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Two verified checkpoints that no honest signer can both have made."""
    if any(one[name] != other[name] for name in ("origin", "identity_id", "javni_kljuc")):
        return False
    if one["size"] == other["size"]:
        return any(one[name] != other[name] for name in ("top", "root", "ring"))
    small, large = sorted((one, other), key=lambda checkpoint: int(checkpoint["size"]))
    before, after = (0 if of["ring"] is None else of["ring"]["revision"] for of in (small, large))
    return before > after or (before == after and small["ring"] != large["ring"])


@dataclass(frozen=True)
class Located:
    """An entry shown to stand at `seq` under a verified checkpoint."""

    origin: str
    seq: int
    entry: dict[str, str]


def locate(chain: list[Any], verified_checkpoint: dict[str, Any], seq: int) -> Located:
    if not agrees(chain, verified_checkpoint):
        raise FormatError("the chain does not agree with the checkpoint")
    if not 0 <= seq < verified_checkpoint["size"]:
        raise FormatError("the entry stands outside the checkpoint")
    return Located(verified_checkpoint["origin"], seq, chain[seq])
