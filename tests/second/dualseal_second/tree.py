"""Merkle trees (FORMAT.md section 4): by the recursive definitions of RFC 9162, section 2.1."""

from __future__ import annotations

from hashlib import sha256


def leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\0" + leaf).digest()


def split(size: int) -> int:
    """The greatest power of two below size."""
    return 1 << (size - 1).bit_length() - 1


def root(leaves: list[bytes]) -> bytes:
    """MTH of the standard; `leaves` are the leaves themselves."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    k = split(len(leaves))
    return sha256(b"\1" + root(leaves[:k]) + root(leaves[k:])).digest()


def path(leaves: list[bytes], index: int) -> list[bytes]:
    """PATH of the standard."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return [*path(leaves[:k], index), root(leaves[k:])]
    return [*path(leaves[k:], index - k), root(leaves[:k])]


def root_by(size: int, index: int, leaf: bytes, hashes: list[bytes]) -> bytes | None:
    """The root that a path gives for a leaf's hash; None when it has another length than it must have."""
    if size == 1:
        return leaf if not hashes else None
    if not hashes:
        return None
    k = split(size)
    left = index < k
    inner = root_by(k if left else size - k, index if left else index - k, leaf, hashes[:-1])
    if inner is None:
        return None
    return sha256(b"\1" + (inner + hashes[-1] if left else hashes[-1] + inner)).digest()


def holds_leaf(expected: bytes, size: int, index: int, leaf: bytes, hashes: list[bytes]) -> bool:
    if any(len(one) != 32 for one in (expected, leaf, *hashes)):
        return False
    return 0 <= index < size and root_by(size, index, leaf, hashes) == expected
