"""The known answers that other implementations made (`tests/vectors`), and streams by programs of others."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CHUNK = 65_536


def read(name: str) -> dict[str, Any]:
    path = Path(__file__).parents[2] / "tests/vectors" / name
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def counts(answers: dict[str, Any]) -> dict[str, int]:
    """How many answers there are of each kind: what a test says it reads is all that there is."""
    return {name: len(found) for name, found in answers.items() if isinstance(found, list)}


def sha3(data: bytes) -> str:
    return hashlib.sha3_256(data).hexdigest()


def shake(name: str, length: int) -> bytes:
    return hashlib.shake_256(name.encode()).digest(length)


def stored(domain: str, identity: str, kind: str, secret: bytes, salt: bytes, plain: bytes) -> bytes:
    """What `docs/FORMAT.md` says of a stream, by programs of others."""
    info = f"{domain}-VAULT::AEAD::{identity}::{kind}::{domain}".encode()
    derived = HKDF(hashes.SHA3_256(), 64, salt=salt, info=info).derive(secret)
    made, starts = b"DSV1" + salt + derived[32:], range(0, max(len(plain), 1), CHUNK)
    for position, start in enumerate(starts):
        nonce = bytes(7) + position.to_bytes(4) + bytes([start == starts[-1]])
        made += ChaCha20Poly1305(derived[:32]).encrypt(nonce, plain[start : start + CHUNK], None)
    return made
