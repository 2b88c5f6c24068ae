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
]
