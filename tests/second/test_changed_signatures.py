"""Signatures, messages and keys with something changed: pyca/cryptography (OpenSSL, or what it is built on) and the
library, which is asked as one and as several together, give one answer each time."""

from __future__ import annotations

import random

from conftest import cases
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PrivateKey
from dualseal_second.primitives import verifies
from sharing_peer import Peer, shared_peer

# c~, z, the positions of hints, their ends.
PARTS = ((0, 48), (48, 3248), (3248, 3303), (3303, 3309))


def changed(source: random.Random, whole: bytes, start: int, end: int) -> bytes:
    """`whole` with one to three bytes of a part changed, or set to what they are."""
    copy = bytearray(whole)
    for _ in range(source.randrange(1, 4)):
        place = source.randrange(start, end)
        how = source.randrange(4)
        other = source.randrange(256)
        edge = source.choice((0, 1, 0x7F, 0x80, 0xFF))
        copy[place] = (copy[place] ^ 1 << other % 8, other, (copy[place] + 1) % 256, edge)[how]
    return bytes(copy)


def claims(number: int) -> list[tuple[bytes, bytes, bytes]]:
    """One signature as it is, and 99 changes of it, its message and its key."""
    source = random.Random(f"changed {number}")
    key = MLDSA65PrivateKey.from_seed_bytes(source.randbytes(32))
    public_key, message = key.public_key().public_bytes_raw(), source.randbytes(source.randrange(1, 200))
    signature = key.sign(message)
    found = [(public_key, message, signature)]
    for change in range(99):
        match change % 6:
            case 4:
                found.append((public_key, changed(source, message, 0, len(message)), signature))
            case 5:
                found.append((changed(source, public_key, 0, len(public_key)), message, signature))
            case part:
                found.append((public_key, message, changed(source, signature, *PARTS[part])))
    return found


def test_one_answer_each_time() -> None:
    peer: Peer = shared_peer()
    held = 0
    signatures = cases(30, 300)
    for number in signatures:
        asked = claims(number)
        commands = [f"verify {key.hex()} {message.hex()} {signature.hex()}" for key, message, signature in asked]
        for claim, answer in zip(asked, peer.ask_all(commands), strict=True):
            key, message, signature = claim
            holds = verifies(key, signature, message)
            assert answer == ["true" if holds else "false"]
            assert holds == (claim == asked[0])
            held += holds
    # The right ones, and bytes that were set to what they were.
    assert len(signatures) <= held < 10 * len(signatures)
