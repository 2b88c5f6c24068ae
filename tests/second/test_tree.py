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
