"""The enumerations. Their values are those of the Rust library, which looks members up by them."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NoReturn


class KeyState(StrEnum):
    """The state of a key (BELA); the values are the names on the wire."""

    VALID = "istina"
    REVOKED = "laz"
    """Verification always fails."""
    DECOY = "oboje"
    """A honeypot: verification appears to pass to outsiders, and authorises nothing."""
    SUSPENDED = "nijedno"
    """Verification neither confirms nor rejects."""


class VerdictKind(IntEnum):
    """What a verification concluded; the numbers are those of every language.

    The truth value raises TypeError: VALID is 0, so that ``if verdict.kind`` would accept everything else.
    """

    VALID = 0
    INVALID = 1
    REVOKED = 2
    SUSPENDED = 3
    DECOY = 4

    def __bool__(self) -> NoReturn:
        raise TypeError("a VerdictKind is neither true nor false: compare it with VerdictKind.VALID")


for _class in (KeyState, VerdictKind):
    # The name by which users import it, in representations and pickles.
    _class.__module__ = "dualseal"
