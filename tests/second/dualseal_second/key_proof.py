"""One key of a ring, and a whole public ring, under a checkpoint (FORMAT.md section 9)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import ring, tree
from .encodings import Refused, canonical, integer, members
from .place import parse_path


def parse(value: object) -> dict[str, Any]:
    proof = members(value, {"leaf", "path", "seq", "size"}, "key proof")
    ring.parse_shown(proof["leaf"], hashed=True)
    parse_path(proof["path"])
    for name in ("seq", "size"):
        integer(proof[name], name)
    return proof


def prove(public_ring: dict[str, Any], hashed_key: str) -> dict[str, Any]:
    leaves = ring.leaves(public_ring)
    seq = next(index for index, one in enumerate(leaves) if one["javni_kljuc"] == hashed_key)
    path = [one.hex() for one in tree.path([canonical(one) for one in leaves], seq)]
    return {"leaf": leaves[seq], "path": path, "seq": seq, "size": len(leaves)}


def last(leaf: dict[str, Any]) -> int:
    """The greatest seq that a leaf tells of."""
    changed: int = leaf["povijest"][-1][0]
    return max(changed, leaf["retired"] or 0)


def verify(checkpoint: dict[str, Any], value: object) -> dict[str, Any]:
    """The leaf, which stands in the ring that a verified checkpoint states."""
    proof, stated = parse(value), checkpoint["ring"]
    seq, size = proof["seq"], proof["size"]
    if stated is None or seq >= size or last(proof["leaf"]) >= checkpoint["size"]:
        raise Refused("key-path")
    hashed = tree.leaf_hash(canonical(proof["leaf"]))
    root = tree.root_by(size, seq, hashed, parse_path(proof["path"]))
    if root is None or sha256(b"\2" + size.to_bytes(8, "big") + root).hexdigest() != stated["root"]:
        raise Refused("key-path")
    found: dict[str, Any] = proof["leaf"]
    return found


def attest(public_ring: dict[str, Any], checkpoint: dict[str, Any]) -> int:
    """The size as of which a public ring is what a verified checkpoint states."""
    stated = checkpoint["ring"] or {"revision": 0, "root": None}
    if public_ring["origin"] != checkpoint["origin"]:
        raise Refused("ring-foreign")
    if public_ring["revision"] < stated["revision"]:
        raise Refused("ring-rollback")
    size: int = checkpoint["size"]
    seqs = [seq for key in public_ring["keys"] for seq, _ in key["povijest"]]
    root = ring.root(public_ring) if public_ring["keys"] else None
    if (public_ring["revision"], root) != (stated["revision"], stated["root"]) or any(seq >= size for seq in seqs):
        raise Refused("ring-mismatch")
    return size
