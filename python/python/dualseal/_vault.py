"""The vault, for its own type stubs."""

from dualseal._dualseal import (
    Erasure,
    LedgerHead,
    Sealed,
    SealedErasure,
    Sealing,
    StoredHash,
    StoredHasher,
    Unplaced,
    Unsealer,
    VaultMaster,
    VaultRecord,
    VaultSealer,
    trace,
    trace_decoy,
    unseal,
    unseal_file,
)

__all__ = [
    "Erasure",
    "LedgerHead",
    "Sealed",
    "SealedErasure",
    "Sealing",
    "StoredHash",
    "StoredHasher",
    "Unplaced",
    "Unsealer",
    "VaultMaster",
    "VaultRecord",
    "VaultSealer",
    "trace",
    "trace_decoy",
    "unseal",
    "unseal_file",
]
