from collections.abc import Callable, Mapping, Sequence
from typing import Self, TypeAlias, final

from typing_extensions import Buffer

from . import Entry

__all__ = [
    "EntryBundle",
    "PathFinder",
    "Tile",
    "TileGrowth",
    "leaf_hash",
    "prove_growth",
    "prove_leaf",
]

_Hash: TypeAlias = str | Buffer
_Nodes: TypeAlias = Callable[[int, int], _Hash] | Mapping[tuple[int, int], _Hash]
_Tiles: TypeAlias = Callable[[Tile], Buffer]

def leaf_hash(leaf: Buffer, /) -> str:
    """The hash of a leaf, as it stands in a tree: SHA-256 over a zero byte and its bytes, 64 hexadecimal characters."""
def prove_leaf(
    size: int, index: int, *, nodes: _Nodes | None = None, tiles: _Tiles | None = None
) -> list[str] | None:
    """The path of the leaf at `index` in the tree of the first `size` leaves (RFC 9162, section 2.1.3.1), from its
    sibling to the root's child: 64 hexadecimal characters a hash. None where there is no such leaf.

    `nodes` is a callable or a mapping: `nodes(level, index)` or `nodes[level, index]` is the root of the full subtree
    of 2^level leaves that begins at leaf index * 2^level, as 64 hexadecimal characters or 32 bytes. `tiles` is a
    callable that gives the bytes of a Tile. One of the two is given, and what it raises is raised.
    """
def prove_growth(
    before: int, size: int, *, nodes: _Nodes | None = None, tiles: _Tiles | None = None
) -> list[str] | None:
    """The proof that the tree of the first `size` leaves begins with that of the first `before` (RFC 9162, section
    2.1.4.1), from nodes or tiles as prove_leaf has them; None where `before` is above `size`. HighWaterMark.next takes
    it by Growth.by_proof, and Follower.follow as its path.
    """

@final
class PathFinder:
    """Finds the path of the leaf at `index` in the tree of the first `size`, while the entries of a chain go by: for
    who keeps neither nodes nor tiles. Raises MalformedError where there is no such leaf.
    """
    def __new__(cls, size: int, index: int) -> Self: ...
    def push(self, entry: Entry, /) -> None:
        """Takes the next entry. Those beyond the size are not looked at."""
    def finish(self) -> list[str] | None:
        """The path, as prove_leaf gives it; None where too few entries went by."""

@final
class Tile:
    """A block of up to 256 neighbouring hashes of a tree (C2SP `tlog-tiles`): roots of full subtrees of 256^`level`
    leaves. The last one of a level has fewer, 1 to 255.
    """
    def __new__(cls, level: int, index: int, width: int = 256) -> Self: ...
    @property
    def level(self) -> int:
        """0 for the leaves, then every eighth level of the tree."""
    @property
    def index(self) -> int:
        """Its place among the tiles of its level."""
    @property
    def width(self) -> int:
        """The number of hashes."""
    @property
    def path(self) -> str:
        """Its path from the log's folder: `tile/<level>/<index>[.p/<width>]`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class EntryBundle:
    """The leaves themselves whose hashes are in the tile of level 0 at the same place."""
    def __new__(cls, index: int, width: int = 256) -> Self: ...
    @property
    def index(self) -> int:
        """Its place among the bundles."""
    @property
    def width(self) -> int:
        """The number of leaves."""
    @property
    def path(self) -> str:
        """Its path from the log's folder: `tile/entries/<index>[.p/<width>]`."""
    @staticmethod
    def encode(leaves: Sequence[Buffer], /) -> bytes:
        """The bytes of a bundle of these leaves, each of at most 65,535 bytes: Entry.leaf in UTF-8."""
    def decode(self, data: Buffer, /) -> list[bytes]:
        """The leaves of this bundle's bytes. Whose they are, their hashes tell (leaf_hash)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class TileGrowth:
    """What is to be written for each leaf of a log that grows, from no more than the right edge of its tiles."""
    def __new__(cls) -> Self: ...
    @staticmethod
    def resume(tiles: _Tiles, size: int) -> TileGrowth:
        """Goes on from tiles that were written for `size` leaves; `tiles(tile)` gives the bytes of one. Whose they are,
        the root tells, which is compared with what the caller knows.
        """
    def push(self, leaf_hash: _Hash, /) -> list[tuple[Tile, bytes]]:
        """Adds the hash of a leaf (64 hexadecimal characters, or 32 bytes) behind the others: the tiles that are full
        now, each with its bytes, which are never written again.
        """
    def partial(self) -> list[tuple[Tile, bytes]]:
        """The tiles that are not full, each with its bytes, which a checkpoint of this size needs beside the full ones.
        """
    @property
    def size(self) -> int:
        """The number of leaves."""
    @property
    def root(self) -> str:
        """The root over them, 64 hexadecimal characters."""
