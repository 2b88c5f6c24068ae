from typing import Literal, Self, final

__all__ = ["KeyCache", "KeyCacheWarning"]

@final
class KeyCache:
    """Keys that were expanded for verification, which verifiers share: about 45 KB each, up to `size` bytes in all, and
    those that were used last stay. Threads may share one.

    Where as many keys had to be expanded again as there is room for, a batch warns once (KeyCacheWarning): with more
    room, or sorted by identity, it would take a part of the time.
    """
    def __new__(cls, size: int = 16777216) -> Self: ...
    @property
    def room(self) -> int:
        """How many keys there is room for."""
    @property
    def hits(self) -> int:
        """How often a key was asked for that was there."""
    @property
    def misses(self) -> int:
        """How often a key was asked for that was expanded then."""
    @property
    def expanded_again(self) -> int:
        """How often one was asked for that had been let go, and was expanded again."""
    def __len__(self) -> int: ...
    def __bool__(self) -> Literal[True]: ...

class KeyCacheWarning(UserWarning):
    """A KeyCache is too small for what is verified by it: keys were expanded again, as many as it has room for."""
