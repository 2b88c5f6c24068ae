"""Primitives (FORMAT.md section 4): hashes as hex, HMAC, and ML-DSA-65 with an empty context."""

from __future__ import annotations

import hashlib
import hmac

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PrivateKey, MLDSA65PublicKey

from .encodings import FormatError

PUBLIC_KEY_SIZE = 1952
SIGNATURE_SIZE = 3309


def h3(*parts: bytes) -> str:
    """SHA3-256 as 64 hex."""
    return hashlib.sha3_256(b"".join(parts)).hexdigest()


def h5(*parts: bytes) -> str:
    """SHA3-512 as 128 hex."""
    return hashlib.sha3_512(b"".join(parts)).hexdigest()


def hmac_sha3_512(key: bytes, message: bytes) -> str:
    return hmac.new(key, message, hashlib.sha3_512).hexdigest()


def public_key_of_seed(seed: bytes) -> bytes:
    if len(seed) != 32 or not any(seed):
        raise FormatError("a seed is 32 bytes, not all zero")
    return MLDSA65PrivateKey.from_seed_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, message: bytes) -> bytes:
    return MLDSA65PrivateKey.from_seed_bytes(seed).sign(message)


def verifies(public_key: bytes, signature: bytes, message: bytes) -> bool:
    if len(public_key) != PUBLIC_KEY_SIZE or len(signature) != SIGNATURE_SIZE:
        return False
    try:
        MLDSA65PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True
