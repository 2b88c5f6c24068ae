"""What an operator of a log does, as one step: everything changes together, or nothing does.

A :class:`State` is loaded by :func:`open_store`, a :class:`Batch` places the work of several callers at the end of the
chain, what is to be signed is signed on all threads, and :class:`Changes` is what the program writes in a
transaction of its own, with its own rows. Nothing in here reads or writes, but :class:`Folder`, the store for whoever
has no database.
"""

from dualseal._dualseal import (
    Batch,
    Changes,
    Entries,
    Folder,
    Held,
    KeptSecrets,
    Master,
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
    open_secrets,
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
    "KeptSecrets",
    "Master",
    "Opened",
    "Placed",
    "Reading",
    "RefusedError",
    "RingRow",
    "SecretError",
    "SecretRow",
    "SignedRecord",
    "State",
    "Step",
    "StepError",
    "StoredState",
    "ToSign",
    "Vaulted",
    "open_secrets",
    "open_store",
    "sign_all",
]


class StepError(DualsealError):
    """Nothing was made of a step, or of a whole batch. What the library itself refuses has its own exceptions.

    Its ``name`` is ``stale-ledger``, ``unknown-ledger``, ``not-a-step``, ``unsigned``, ``other-checkpoint``,
    ``other-domain``, ``no-key``, ``same-place`` or ``too-long``.
    """

    advice: str = ""
    """What to do."""


class RefusedError(DualsealError):
    """What a store has does not belong together, and nothing is done with it before that is mended.

    Its ``name`` is ``other-log``, ``state-unreadable``, ``state-edited``, ``chain-cut``, ``chain-longer``,
    ``chain-other``, ``ring-of-another-time``, ``ring-edited``, ``ring-unreadable``, ``checkpoint-missing``,
    ``checkpoint-other``, ``mark-unreadable``, ``mark-edited``, ``mark-missing``, ``mark-other``, ``mark-moved``,
    ``restored`` or ``ring-restored``; or that of what the step refused.
    """

    advice: str = ""
    """What to do."""


class FolderError(DualsealError):
    """A folder was not opened, read or written as it should be.

    Its ``name`` is ``disk``, ``commit``, ``exists``, ``mark-there`` (that of an earlier
    log), ``mark-within``, ``not-raised`` (it is written, and the
    mark was not raised after it), ``missing`` or ``broken``.
    """

    advice: str = ""
    """What to do."""

    commit: str = "not"
    """What has become of the change that was to be written: ``not``, ``done`` where it is finished by whoever holds
    the folder next, or ``unknown``."""


class SecretError(DualsealError):
    """A secret at rest does not open.

    Its ``name`` is ``other-key`` (another master's, or another place's), ``damaged``, ``cut``, ``foreign-version`` or
    ``no-secret``.
    """

    advice: str = ""
    """What to do."""
