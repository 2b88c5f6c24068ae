"""Dual seals, for their own type stubs."""

from dualseal._dualseal import (
    Authenticated,
    Seal,
    SealCheck,
    SealKey,
    SealReport,
    SealStream,
    SealVerifier,
    Sealer,
    UnplacedSeal,
)

__all__ = [
    "Authenticated",
    "Seal",
    "SealCheck",
    "SealKey",
    "SealReport",
    "SealStream",
    "SealVerifier",
    "Sealer",
    "UnplacedSeal",
]
