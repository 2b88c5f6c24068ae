"""Merkle trees against vectors that others made, and against their own definition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dualseal_second import tree

FILE = Path(__file__).parent.parent / "vectors/merkle/transparency-dev.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_bytes())


def test_roots_of_the_first_leaves() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in VECTORS["leaves"]]
    assert [tree.root(leaves[:size]).hex() for size in range(9)] == VECTORS["roots"]


@pytest.mark.parametrize("item", VECTORS["inclusion"], ids=lambda item: item["name"])
def test_paths_good_and_bad(item: dict[str, Any]) -> None:
    root, leaf = bytes.fromhex(item["root"]), bytes.fromhex(item["leaf_hash"])
    path = [bytes.fromhex(one) for one in item["path"]]
    # Another length than a hash's changes what is hashed, and fits nothing.
    assert tree.holds_leaf(root, item["size"], item["index"], leaf, path) == item["holds"]


def test_every_path_of_small_trees() -> None:
    for size in range(1, 20):
        leaves = [bytes([number]) for number in range(size)]
        for index in range(size):
            path = tree.path(leaves, index)
            assert tree.holds_leaf(tree.root(leaves), size, index, tree.leaf_hash(leaves[index]), path)
            assert not tree.holds_leaf(tree.root(leaves), size, index, tree.leaf_hash(b"another"), path)
            longer = [*path, tree.leaf_hash(b"another")]
            assert not tree.holds_leaf(tree.root(leaves), size, index, tree.leaf_hash(leaves[index]), longer)


def test_frontiers_fold_to_the_root() -> None:
    leaves = [bytes([number]) for number in range(70)]
    for size in range(71):
        frontier = tree.frontier(leaves[:size])
        assert len(frontier) == size.bit_count()
        assert tree.fold(frontier) == tree.root(leaves[:size])


def test_every_growth_of_small_trees() -> None:
    leaves = [bytes([number]) for number in range(20)]
    roots = [tree.root(leaves[:size]) for size in range(21)]
    for size in range(21):
        for first in range(size + 1):
            proof = tree.consistency(leaves[:size], first)
            assert (first in (0, size)) == (not proof)
            assert tree.is_consistent((first, size), (roots[first], roots[size]), proof)
            assert not tree.is_consistent((first, size), (roots[first], roots[size]), [*proof, roots[0]])
            if proof:
                assert not tree.is_consistent((first, size), (roots[first], roots[size]), proof[1:])
                assert not tree.is_consistent((first, size), (roots[first], roots[size]), [roots[0], *proof[1:]])
            other = tree.root([b"another", *leaves[1:size]]) if size else roots[1]
            assert not tree.is_consistent((first, size), (other, roots[size]), proof)
            # From nothing any tree grows.
            assert tree.is_consistent((first, size), (roots[first], other), proof) == (first == 0 and size > 0)
    assert not tree.is_consistent((5, 4), (roots[5], roots[4]), [])


@pytest.mark.parametrize("item", VECTORS["consistency"], ids=lambda item: item["name"])
def test_growth_good_and_bad(item: dict[str, Any]) -> None:
    roots = bytes.fromhex(item["root1"]), bytes.fromhex(item["root2"])
    path = [bytes.fromhex(one) for one in item["path"]]
    # Of the standard and of FORMAT.md any tree grows out of nothing; of those who made the vectors none does.
    expected = item["holds"] or item["name"] == "additional/size1-is-zero-and-size2-is-not-zero"
    assert tree.is_consistent((item["size1"], item["size2"]), roots, path) == expected
