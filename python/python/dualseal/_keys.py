"""Keys of ML-DSA-65, for their own type stubs."""

from dualseal._dualseal import ExpandedSigningKey, PublicKey, SigningKey

__all__ = ["ExpandedSigningKey", "PublicKey", "SigningKey"]
