from collections.abc import Callable
from datetime import datetime
from typing import Self, final

from typing_extensions import Buffer

from . import Ed25519SigningKey, Head
from ._note import Note, NoteKey, NoteSignature
from ._tree import EntryBundle, Tile

__all__ = ["FollowedLog", "Following"]

@final
class Following:
    def __new__(
        cls,
        note: Note,
        log: NoteKey | str,
        *,
        head: Head,
        tiles: Callable[[Tile], Buffer],
        entries: Callable[[EntryBundle], Buffer],
    ) -> Self: ...
    def push_json(self, json: str | Buffer, /) -> bool: ...
    def finish(self) -> FollowedLog: ...

@final
class FollowedLog:
    @property
    def head(self) -> Head: ...
    @property
    def note(self) -> Note: ...
    def cosign(self, name: str, key: Ed25519SigningKey, time: str | int | datetime) -> NoteSignature: ...
