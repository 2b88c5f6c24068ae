"""The log's tree: proofs from nodes and tiles, and the tiles of a log that grows, for their own type stubs."""

from dualseal._dualseal import (
    EntryBundle,
    PathFinder,
    Tile,
    TileGrowth,
    leaf_hash,
    prove_growth,
    prove_leaf,
)

__all__ = [
    "EntryBundle",
    "PathFinder",
    "Tile",
    "TileGrowth",
    "leaf_hash",
    "prove_growth",
    "prove_leaf",
]
