"""Vault records and ledgers, verified, for their own type stubs."""

from dualseal._dualseal import (
    LedgerCheck,
    LedgerSummary,
    LocatedLedger,
    TierKeys,
    VaultPolicy,
    VaultReport,
    VaultVerifier,
    VerifiedRecord,
)

__all__ = [
    "LedgerCheck",
    "LedgerSummary",
    "LocatedLedger",
    "TierKeys",
    "VaultPolicy",
    "VaultReport",
    "VaultVerifier",
    "VerifiedRecord",
]
