"""Secret sharing and encrypted streams, for their own type stubs."""

from dualseal._dualseal import (
    Dealing,
    Decryptor,
    DrawnSecret,
    Encryptor,
    Health,
    Purpose,
    Share,
    Unattested,
    decrypt,
    encrypt,
    reconstruct_unanchored,
)

__all__ = [
    "Dealing",
    "Decryptor",
    "DrawnSecret",
    "Encryptor",
    "Health",
    "Purpose",
    "Share",
    "Unattested",
    "decrypt",
    "encrypt",
    "reconstruct_unanchored",
]
