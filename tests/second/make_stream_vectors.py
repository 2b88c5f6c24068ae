"""Prints known answers of encrypted streams as JSON; tests/vectors/stream.json is its output.

    python make_stream_vectors.py > ../vectors/stream.json

Everything is computed by hashlib, hmac and pyca/cryptography. The last member is an attack: a chunk that
ChaCha20-Poly1305 accepts under two keys. Only the commitment in the header tells which of them the stream is for.

Where secrets come from shares alone, each is rebuilt from those of its dealing. One stream of two chunks is whole, for
whoever can compute none.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from dualseal_second import ids, shamir, stream
from dualseal_second.domain import DEFAULT, Domain

IDENTITY = hashlib.sha3_256(b"stream vectors").hexdigest()
P = 2**130 - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def fixed(name: str, length: int) -> bytes:
    return hashlib.shake_256(name.encode()).digest(length)


def element(name: str) -> bytes:
    """66 bytes below 2^521-1."""
    drawn = bytearray(fixed(name, 66))
    drawn[0] &= 1
    return bytes(drawn)


SECRETS = {"DUALSEAL": fixed("secret", 32), "ACME": element("secret")}


def answers() -> list[dict[str, Any]]:
    found = []
    for name, secret in SECRETS.items():
        for length in (0, 1, 13, 65_535, 65_536, 65_537, 131_072, 131_073):
            salt, payload = fixed(f"salt {length}", 32), fixed(f"payload {length}", length)
            stored = stream.encrypt(Domain.named(name), secret, IDENTITY, "CONTRACT", salt, payload)
            answer: dict[str, Any] = {"domain": name, "identity_id": IDENTITY, "type": "CONTRACT"}
            answer |= {"secret": secret.hex()}
            answer |= {"salt": salt.hex(), "payload_length": length, "stored_length": len(stored)}
            answer |= {"stored_begin": stored[:100].hex(), "stored_sha3_256": hashlib.sha3_256(stored).hexdigest()}
            answer |= {"content_hash": ids.content_hash(Domain.named(name), IDENTITY, payload)}
            if (name, length) == ("ACME", 65_537):
                answer |= {"stored": stored.hex()}
            found.append(answer)
    return found


def dealings() -> list[dict[str, Any]]:
    """Two of three shares of each secret that a stream or a chunk of the attack is under."""
    secrets = [*SECRETS.items(), *(("DUALSEAL", fixed(f"key {i}", 32)) for i in range(2))]
    found = []
    for number, (name, secret) in enumerate(secrets):
        field = shamir.BINARY if len(secret) == 32 else shamir.PRIME
        of = [hashlib.sha3_256(f"{what} {number}".encode()).hexdigest() for what in ("dealing", "split")]
        drawn = fixed(f"coefficient {number}", 32)
        coefficients = [int.from_bytes(one, "big") for one in (secret, drawn)]
        record, shares = shamir.dealing(Domain.named(name), field, *of, coefficients, 3)
        found.append({"domain": name, "secret": secret.hex(), "dealing": record, "shares": shares})
    return found


def keystream(key: bytes, nonce: bytes, block: int, length: int) -> bytes:
    cipher = Cipher(algorithms.ChaCha20(key, block.to_bytes(4, "little") + nonce), mode=None)
    return cipher.encryptor().update(bytes(length))


def one_time_key(key: bytes, nonce: bytes) -> tuple[int, int]:
    block = keystream(key, nonce, 0, 32)
    return int.from_bytes(block[:16], "little") & CLAMP, int.from_bytes(block[16:], "little")


def poly1305(blocks: list[int], r: int, s: int) -> int:
    total = 0
    for block in blocks:
        total = (total + block + 2**128) * r % P
    return (total + s) % 2**128


def two_keys() -> dict[str, Any]:
    """One chunk of two blocks with one tag under both keys: the first block is free, the second solves for the tag."""
    salt, secrets = fixed("two keys", 32), [fixed(f"key {i}", 32) for i in range(2)]
    nonce = stream.nonce(0, last=True)
    derived = [stream.keys(DEFAULT, secret, IDENTITY, "CONTRACT", salt) for secret in secrets]
    keys = [key for key, _ in derived]
    (r1, s1), (r2, s2) = (one_time_key(key, nonce) for key in keys)
    lengths = 32 << 64  # no associated data, 32 bytes
    for attempt in range(1000):
        first = int.from_bytes(fixed(f"attempt {attempt}", 16), "little")
        for carries in range(-4, 5):
            # (first r^3 + second r^2 + lengths r) mod p + s is the same for both, up to multiples of 2^128.
            known = [(first + 2**128) * r**3 + (lengths + 2**128) * r for r in (r1, r2)]
            target = s2 - s1 + carries * 2**128 - known[0] + known[1]
            second = target * pow(r1 * r1 - r2 * r2, -1, P) % P - 2**128
            blocks = [first, second, lengths]
            if 0 <= second < 2**128 and poly1305(blocks, r1, s1) == poly1305(blocks, r2, s2):
                chunk = b"".join(n.to_bytes(16, "little") for n in (first, second, poly1305(blocks, r1, s1)))
                streams = [keystream(key, nonce, 1, 32) for key in keys]
                plain = [bytes(a ^ b for a, b in zip(chunk, keys)) for keys in streams]
                return {
                    "identity_id": IDENTITY,
                    "type": "CONTRACT",
                    "salt": salt.hex(),
                    "chunk": chunk.hex(),
                    "secrets": [secret.hex() for secret in secrets],
                    "commitments": [commitment.hex() for _, commitment in derived],
                    "payloads": [payload.hex() for payload in plain],
                }
    raise AssertionError("no such chunk in 9000 tries")


def text() -> str:
    return json.dumps({"streams": answers(), "dealings": dealings(), "two_keys": two_keys()}, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
