"""Places shown without the chain, and the fingerprint of a log (FORMAT.md section 7)."""

from __future__ import annotations

from typing import Any

from . import krunica, tree
from .domain import Domain
from .encodings import FormatError, Refused, hex_text, members
from .primitives import h3


def log_fingerprint(domain: Domain, origin: str, identity_id: str, public_key: bytes) -> str:
    """What people compare of a log: over its origin and its signer's identity and key."""
    row = domain["krunica"]
    return h3(f"{row.prefix}::{row.labels['LOG']}::{origin}::{identity_id}::{row.suffix}".encode(), public_key)


def parse_path(value: object) -> list[bytes]:
    if not isinstance(value, list):
        raise FormatError("path: not an array")
    return [bytes.fromhex(hex_text(one, 64, "path")) for one in value]


def parse(value: object) -> dict[str, Any]:
    proof = members(value, {"checkpoint", "entry", "path"}, "place proof")
    krunica.parse_checkpoint(proof["checkpoint"])
    krunica.parse_alone(proof["entry"], "entry")
    parse_path(proof["path"])
    return proof


def prove(chain: list[Any], checkpoint: dict[str, Any], seq: int) -> dict[str, Any]:
    """Of an entry below the checkpoint's size, by whoever has the chain."""
    leaves = list(krunica.heads(chain)[checkpoint["size"]].leaves)
    path = [one.hex() for one in tree.path(leaves, seq)]
    return {"checkpoint": checkpoint, "entry": chain[seq] | {"seq": seq}, "path": path}


def located(checkpoint: dict[str, Any], entry: dict[str, Any], path: list[str]) -> krunica.Located:
    """The place of an entry under a verified checkpoint, by its path alone."""
    seq, size, hashes = entry["seq"], checkpoint["size"], parse_path(path)
    if seq >= size:
        raise Refused("place-beyond")
    if len(hashes) != tree.path_length(size, seq):
        raise Refused("path-length")
    if krunica.entry_hash(entry["w3"], entry["poruka"], entry["prev"], seq) != entry["h"]:
        raise Refused("chain-hash")
    leaf = tree.leaf_hash(krunica.leaf(entry["h"], seq, entry["t"]))
    if not tree.holds_leaf(bytes.fromhex(checkpoint["root"]), size, seq, leaf, hashes):
        raise Refused("path-elsewhere")
    return krunica.Located(checkpoint["origin"], seq, {name: entry[name] for name in sorted(krunica.ENTRY)})


def verify(checkpoint: dict[str, Any], value: object) -> krunica.Located:
    """The same place that the whole chain would give; `checkpoint` is one that was verified."""
    proof = parse(value)
    for name, refusal in (("origin", "place-foreign"), ("size", "place-size")):
        if proof["checkpoint"][name] != checkpoint[name]:
            raise Refused(refusal)
    return located(checkpoint, proof["entry"], proof["path"])
