"""Encrypted streams: stored answers, the library in both directions, and what is refused."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import make_stream_vectors
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from dualseal_second import stream
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError, parse
from sharing_peer import Peer, shared_peer

STORED = Path(__file__).parent.parent / "vectors" / "stream.json"
IDENTITY = "ab" * 32
SECRET = bytes(range(32))
LENGTHS = (0, 1, 1000, 65_535, 65_536, 65_537, 200_000)


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_stream_vectors.text()


def test_hkdf_is_pycas() -> None:
    for length in (1, 32, 64, 100):
        derived = HKDF(hashes.SHA3_256(), length, b"salt", b"info").derive(SECRET)
        assert stream.hkdf_sha3_256(SECRET, b"salt", b"info", length) == derived


def test_a_stream_by_hand() -> None:
    salt, payload = bytes(32), b"x" * 65_537
    stored = stream.encrypt(DEFAULT, SECRET, IDENTITY, "A", salt, payload)
    info = f"DUALSEAL-VAULT::AEAD::{IDENTITY}::A::DUALSEAL".encode()
    derived = HKDF(hashes.SHA3_256(), 64, salt, info).derive(SECRET)
    assert stored[:68] == b"DSV1" + salt + derived[32:]
    cipher = ChaCha20Poly1305(derived[:32])
    first = cipher.encrypt(bytes.fromhex("000000000000000000000000"), payload[:65_536], None)
    second = cipher.encrypt(bytes.fromhex("000000000000000000000101"), b"x", None)
    assert stored[68:] == first + second


@pytest.fixture
def peer() -> Peer:
    return shared_peer()


def test_streams_both_ways(peer: Peer) -> None:
    domain, source = Domain.named("ACME"), random.Random("streams")
    for length in LENGTHS:
        payload = source.randbytes(length)
        (stored,) = peer.ask(f"seal ACME {IDENTITY} A {SECRET.hex()} {payload.hex() or '-'}")
        assert stream.decrypt(domain, SECRET, IDENTITY, "A", bytes.fromhex(stored)) == payload
        own = stream.encrypt(domain, SECRET, IDENTITY, "A", source.randbytes(32), payload)
        assert peer.ask(f"open ACME {IDENTITY} A {SECRET.hex()} {own.hex()}") == [payload.hex() or "-"]


def test_refusals_are_the_librarys(peer: Peer) -> None:
    payload = random.Random("refused").randbytes(131_072 + 9)
    stored = stream.encrypt(DEFAULT, SECRET, IDENTITY, "A", bytes([7]) * 32, payload)
    chunk, start = 65_536 + 16, 68
    first, second, last = (stored[start + i * chunk : start + (i + 1) * chunk] for i in range(3))
    head = stored[:start]
    changed = {
        "131": [b"DSV2" + stored[4:]],
        "216": [stored[:4] + bytes([stored[4] ^ 1]) + stored[5:], stored[:67] + bytes([stored[67] ^ 1]) + stored[68:]],
        "217": [
            stored[:-1], stored + b"\0", head + first + second, head + second + first + last, head + first + last,
            head + first + first + last, head + last, head, stored[:-1] + bytes([stored[-1] ^ 1]),
        ],
        "100": [stored[:67], b""],
    }  # fmt: skip
    for code, streams in changed.items():
        for bad in streams:
            with pytest.raises(FormatError):
                stream.decrypt(DEFAULT, SECRET, IDENTITY, "A", bad)
            assert peer.ask(f"open DUALSEAL {IDENTITY} A {SECRET.hex()} {bad.hex() or '-'}") == ["error", code, "-"]
    for domain, identity, kind in (("ACME", IDENTITY, "A"), ("DUALSEAL", "cd" * 32, "A"), ("DUALSEAL", IDENTITY, "B")):
        with pytest.raises(FormatError):
            stream.decrypt(Domain.named(domain), SECRET, identity, kind, stored)
        assert peer.ask(f"open {domain} {identity} {kind} {SECRET.hex()} {stored.hex()}") == ["error", "216", "-"]


def test_the_chunk_for_two_keys_is_one() -> None:
    """Both keys take it; the stream that holds it opens under the one it commits to."""
    attack = parse(STORED.read_bytes())["two_keys"]
    salt, chunk = bytes.fromhex(attack["salt"]), bytes.fromhex(attack["chunk"])
    secrets = [bytes.fromhex(secret) for secret in attack["secrets"]]
    for writer, secret in enumerate(secrets):
        key, commit = stream.keys(DEFAULT, secret, attack["identity_id"], attack["type"], salt)
        payload = ChaCha20Poly1305(key).decrypt(stream.nonce(0, last=True), chunk, None)
        assert payload.hex() == attack["payloads"][writer]
        stored = b"DSV1" + salt + commit + chunk
        for reader, other in enumerate(secrets):
            if reader == writer:
                assert stream.decrypt(DEFAULT, other, attack["identity_id"], attack["type"], stored) == payload
            else:
                with pytest.raises(FormatError):
                    stream.decrypt(DEFAULT, other, attack["identity_id"], attack["type"], stored)
    assert len({hashlib.sha3_256(bytes.fromhex(payload)).digest() for payload in attack["payloads"]}) == 2
