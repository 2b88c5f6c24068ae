"""Encrypted streams (FORMAT.md section 15.1): the header that commits to the key, and the chunks."""

from __future__ import annotations

import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from .domain import Domain
from .encodings import FormatError

MAGIC = b"DSV1"
CHUNK = 65_536
TAG = 16


def hkdf_sha3_256(ikm: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 over HMAC-SHA3-256."""
    prk = hmac.new(salt or bytes(32), ikm, hashlib.sha3_256).digest()
    okm = block = b""
    while len(okm) < length:
        block = hmac.new(prk, block + info + bytes([len(okm) // 32 + 1]), hashlib.sha3_256).digest()
        okm += block
    return okm[:length]


def keys(domain: Domain, secret: bytes, identity_id: str, kind: str, salt: bytes) -> tuple[bytes, bytes]:
    """K and its commitment."""
    row = domain["vault"]
    info = f"{row.prefix}::{row.labels['AEAD']}::{identity_id}::{kind}::{row.suffix}"
    derived = hkdf_sha3_256(secret, salt, info.encode(), 64)
    return derived[:32], derived[32:]


def nonce(position: int, *, last: bool) -> bytes:
    return bytes(7) + position.to_bytes(4, "big") + bytes([last])


def encrypt(domain: Domain, secret: bytes, identity_id: str, kind: str, salt: bytes, payload: bytes) -> bytes:
    key, commit = keys(domain, secret, identity_id, kind, salt)
    cipher = ChaCha20Poly1305(key)
    pieces = [payload[start : start + CHUNK] for start in range(0, len(payload), CHUNK)] or [b""]
    final = len(pieces) - 1
    chunks = (cipher.encrypt(nonce(i, last=i == final), piece, None) for i, piece in enumerate(pieces))
    return MAGIC + salt + commit + b"".join(chunks)


def decrypt(domain: Domain, secret: bytes, identity_id: str, kind: str, stored: bytes) -> bytes:
    if stored[:4] != MAGIC or len(stored) < 68 + TAG:
        raise FormatError("not an encrypted stream")
    key, commit = keys(domain, secret, identity_id, kind, stored[4:36])
    if not hmac.compare_digest(commit, stored[36:68]):
        raise FormatError("another key or use")
    cipher = ChaCha20Poly1305(key)
    pieces = [stored[start : start + CHUNK + TAG] for start in range(68, len(stored), CHUNK + TAG)]
    final = len(pieces) - 1
    if final > 0 and len(pieces[final]) == TAG:
        raise FormatError("an empty chunk after others")
    try:
        return b"".join(cipher.decrypt(nonce(i, last=i == final), piece, None) for i, piece in enumerate(pieces))
    except InvalidTag:
        raise FormatError("a chunk was changed, moved or cut off") from None
