"""The exceptions. The extension module raises them and sets their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualseal import Sealed, VerdictKind


class DualsealError(Exception):
    """Every failure of this library."""

    code: int = 0
    """The number of this failure, the same in every language and version."""

    refusal: dict[str, Any] | None = None
    """The result without a signature, by its names on the wire, where a quorum was asked to sign."""


class MalformedError(DualsealError, ValueError):
    """Input that does not have the documented form."""

    field: str = ""
    """The field, by its name on the wire, or the argument."""

    index: int | None = None
    """The position of a byte in a text or of an item in a list; None where there is only one."""


class RejectedError(DualsealError):
    """Well-formed evidence that does not hold. It is kept and looked into."""

    seq: int | None = None
    """The position of the first bad entry of a chain, or of the record of a ledger that does not hold."""

    layer: str | None = None
    """The layer, ``L0`` to ``L8``, that caught a record of a ledger."""

    size: int | None = None
    """The number of entries that a checkpoint covers, where a chain is not the one that it was signed over."""

    found: int | None = None
    """The number of entries that are there, where that is fewer."""

    ring: int | None = None
    """The revision of a ring that is older than its chain says."""

    chain: int | None = None
    """The greatest revision in that chain."""

    identity_id: str | None = None
    """The first identity whose keys are not those that the chain vouches for; None when only the revision differs."""

    chunk: int | None = None
    """The position of the first chunk of an encrypted stream that was changed, moved or cut off."""

    culprits: tuple[int, ...] = ()
    """The numbers of the shares or shards to blame, ascending."""

    indices: tuple[int, ...] = ()
    """The numbers of the shards that are of another vault or splitting, ascending."""

    bad_proofs: tuple[int, ...] = ()
    """The positions of the proofs of presence that are not good, where too few are."""


class SharingError(RejectedError):
    """Shares that give no secret. The culprits are those that are not what the dealer committed to."""


class MisuseError(DualsealError):
    """A call that cannot be served as it was made: a defect of the calling program."""


class RandomnessError(DualsealError):
    """The random number generator failed, and nothing was made: a defect of the machine."""


class VerdictError(DualsealError):
    """A verification that was not VALID, raised by Verdict.verified(). The message is for the operator."""

    kind: VerdictKind
    """Which verdict it was; its number is the code."""

    reason: str = ""
    """Why, as in Verdict.internal()."""

    failed: str | None = None
    """Of a vault record: the first layer that failed, ``L0`` to ``L8``."""


class InvalidError(VerdictError):
    """A check failed, or the record's key is not one of its identity."""


class RevokedError(VerdictError):
    """The key is revoked."""


class SuspendedError(VerdictError):
    """The key is suspended: the record is neither confirmed nor rejected."""


class DecoyError(VerdictError):
    """A honeypot key signed the record. Outsiders must not learn this."""


class NotForcedError(OSError):
    """A file of the vault was written and has its name, whole, and only forcing its folder to the disk failed.

    When the power goes, the name may be that of what was there before.
    """

    result: Sealed | int | None = None
    """What the call would have returned. It is kept like that: what had the name is gone."""


for _class in (
    DualsealError,
    MalformedError,
    RejectedError,
    SharingError,
    MisuseError,
    RandomnessError,
    VerdictError,
    InvalidError,
    RevokedError,
    SuspendedError,
    DecoyError,
    NotForcedError,
):
    # The name by which users import it, in tracebacks and pickles.
    _class.__module__ = "dualseal"
