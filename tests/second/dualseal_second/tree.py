"""Merkle trees (FORMAT.md section 4): by the recursive definitions of RFC 9162, section 2.1."""

from __future__ import annotations

from hashlib import sha256


def leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\0" + leaf).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


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
    return node(root(leaves[:k]), root(leaves[k:]))


def frontier(leaves: list[bytes]) -> list[bytes]:
    """The roots of the full subtrees, left to right, the largest first."""
    hashes = []
    while leaves:
        full = 1 << len(leaves).bit_length() - 1
        hashes.append(root(leaves[:full]))
        leaves = leaves[full:]
    return hashes


def fold(hashes: list[bytes]) -> bytes:
    """The root over full subtrees."""
    if not hashes:
        return sha256(b"").digest()
    *left, right = hashes
    for one in reversed(left):
        right = node(one, right)
    return right


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
    return node(inner, hashes[-1]) if left else node(hashes[-1], inner)


def holds_leaf(expected: bytes, size: int, index: int, leaf: bytes, hashes: list[bytes]) -> bool:
    if any(len(one) != 32 for one in (expected, leaf, *hashes)):
        return False
    return 0 <= index < size and root_by(size, index, leaf, hashes) == expected


def path_length(size: int, index: int) -> int:
    if size == 1:
        return 0
    k = split(size)
    return 1 + (path_length(k, index) if index < k else path_length(size - k, index - k))


def frontier(leaves: list[bytes]) -> list[bytes]:
    """The roots of the full subtrees, from left to right."""
    roots, start = [], 0
    for bit in reversed(range(len(leaves).bit_length())):
        if len(leaves) >> bit & 1:
            roots.append(root(leaves[start : start + (1 << bit)]))
            start += 1 << bit
    return roots


def fold(roots: list[bytes]) -> bytes:
    """The root that a frontier gives."""
    if not roots:
        return root([])
    folded = roots[-1]
    for left in reversed(roots[:-1]):
        folded = node(left, folded)
    return folded


def consistency(leaves: list[bytes], first: int) -> list[bytes]:
    """PROOF of the standard; empty from 0 and between equal sizes."""
    return [] if first in (0, len(leaves)) else subproof(leaves, first, whole=True)


def subproof(leaves: list[bytes], first: int, *, whole: bool) -> list[bytes]:
    if first == len(leaves):
        return [] if whole else [root(leaves)]
    k = split(len(leaves))
    if first <= k:
        return [*subproof(leaves[:k], first, whole=whole), root(leaves[k:])]
    return [*subproof(leaves[k:], first - k, whole=False), root(leaves[:k])]


def is_consistent(sizes: tuple[int, int], roots: tuple[bytes, bytes], hashes: list[bytes]) -> bool:
    """Whether the tree of the second size and root goes on from the first."""
    first, size = sizes
    if any(len(one) != 32 for one in hashes) or not 0 <= first <= size:
        return False
    if first in (0, size):
        started = first > 0 or roots[0] == root([])
        return not hashes and started and (first < size or roots[0] == roots[1])
    return roots_by(first, size, roots[0], hashes, whole=True) == roots


def roots_by(
    first: int, size: int, known: bytes, hashes: list[bytes], *, whole: bool
) -> tuple[bytes, bytes] | None:  # fmt: skip
    """SUBPROOF read backwards: both roots that its hashes give, None when they are too few or too many."""
    if first == size:
        given = [known] if whole else hashes
        return (given[0], given[0]) if len(given) == 1 and (not whole or not hashes) else None
    if not hashes:
        return None
    k = split(size)
    left = first <= k
    below = (first, k) if left else (first - k, size - k)
    inner = roots_by(*below, known, hashes[:-1], whole=whole and left)
    if inner is None:
        return None
    return (inner[0], node(inner[1], hashes[-1])) if left else (node(hashes[-1], inner[0]), node(hashes[-1], inner[1]))
