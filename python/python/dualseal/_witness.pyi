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
    """One reading of a log by its witness, from the head that he kept to the note that the log shows him now: every
    entry is checked, and every tile and bundle that is new is compared with what the entries make.

    `head` is what FollowedLog.head gave the last time, which nobody else can write; Head.EMPTY for the first time.
    `log` is the log's note key, a NoteKey or its text. `tiles(tile)` and `entries(bundle)` give the bytes that the log
    serves; what they raise is raised. Meanwhile this object is in use, and any other use raises MisuseError.

    Raises RejectedError for a note that the log's key did not sign, that covers less than was seen (`note-shrunk`), or
    whose log is another one up to the head (`note-fork`): such a log is not cosigned.
    """
    def __new__(
        cls,
        note: Note,
        log: NoteKey | str,
        *,
        head: Head,
        tiles: Callable[[Tile], Buffer],
        entries: Callable[[EntryBundle], Buffer],
    ) -> Self: ...
    def push_json(self, json: str | Buffer, /) -> bool:
        """Looks at the next entry since the head, as JSON without `seq`, as it stands on a line. False for one beyond
        the note, which is not looked at.

        Raises RejectedError for a fork (`note-fork`), a broken chain, and a tile or bundle that is not what the entries
        make (`note-tile`). After any error, and be it one of reading, nothing more is taken: a witness begins anew.
        """
    def finish(self) -> FollowedLog:
        """What was seen, where it reaches the note and all agrees. Raises RejectedError where there are fewer entries
        than the note covers (`note-incomplete`), and for a root that is not that of the entries (`note-chain`).
        """

@final
class FollowedLog:
    """A log's note that goes on from what its witness saw. Only Following.finish gives one."""
    @property
    def head(self) -> Head:
        """Where the log ends now: what to go on from the next time. Whoever has not stored it when he cosigns, cosigns
        a fork the next time.
        """
    @property
    def note(self) -> Note:
        """The note as the log showed it."""
    def cosign(self, name: str, key: Ed25519SigningKey, time: str | int | datetime) -> NoteSignature:
        """The cosignature, under the witness's name, at a time that is cut to seconds."""
