"""What an operator of a log does, as one step: everything changes together, or nothing does.

A :class:`State` is loaded by :func:`open_store`, a :class:`Batch` places the work of several callers at the end of the
chain, what is to be signed is signed outside of every lock, and :class:`Changes` is what the program writes in a
transaction of its own, with its own rows. Nothing in here reads or writes, but :class:`Folder`, the store for whoever
has no database.
"""

from dualseal._dualseal import (
    Batch,
    Changes,
    Entries,
    Folder,
    Held,
    Opened,
    Placed,
    Reading,
    RingRow,
    SecretRow,
    SignedRecord,
    State,
    Step,
    StoredState,
    ToSign,
    Vaulted,
    open_store,
    sign_all,
)
from dualseal._errors import DualsealError

__all__ = [
    "Batch",
    "Changes",
    "Entries",
    "Folder",
    "FolderError",
    "Held",
    "Opened",
    "Placed",
    "Reading",
    "RefusedError",
    "RingRow",
    "SecretRow",
    "SignedRecord",
    "State",
    "Step",
    "StepError",
    "StoredState",
    "ToSign",
    "Vaulted",
    "open_store",
    "sign_all",
]


class StepError(DualsealError):
    """Nothing was made of a step, or of a whole batch. What the library itself refuses has its own exceptions."""

    kind: str = ""
    """What was refused, by a lasting name: ``stale-ledger``, ``unknown-ledger``, ``not-a-step``, ``unsigned``,
    ``other-checkpoint``, ``other-domain``, ``twice`` or ``long``."""

    advice: str = ""
    """What to do."""


class RefusedError(DualsealError):
    """What a store has does not belong together, and nothing is done with it before that is mended."""

    kind: str = ""
    """What was found, by a lasting name: ``other-log``, ``state-unreadable``, ``state-edited``, ``chain-cut``,
    ``chain-longer``, ``chain-other``, ``ring-of-another-time``, ``ring-edited``, ``ring-unreadable``,
    ``checkpoint-missing``, ``checkpoint-other``, ``mark-unreadable``, ``mark-edited``, ``mark-missing``,
    ``mark-other``, ``mark-moved`` or ``restored``; or that of what the step refused."""

    advice: str = ""
    """What to do."""


class FolderError(DualsealError):
    """A folder was not opened, read or written as it should be."""

    kind: str = ""
    """What went wrong, by a lasting name: ``disk``, ``commit``, ``exists``, ``missing``, ``broken`` or ``no-key``."""

    advice: str = ""
    """What to do."""

    commit: str = "not"
    """What has become of the change that was to be written: ``not``, ``done`` where it is finished by whoever holds
    the folder next, or ``unknown``."""
