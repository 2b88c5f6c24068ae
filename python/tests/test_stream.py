"""Encrypted streams: decrypted and made here from their description, in parts, and refused where something changed."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from dualseal import (
    Decryptor,
    Domain,
    DrawnSecret,
    Encryptor,
    MalformedError,
    MisuseError,
    Purpose,
    RejectedError,
    SharingField,
    decrypt,
    encrypt,
)

CHUNK = 65_536
SECRET = bytes(range(1, 33))
SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]


@pytest.fixture
def identity(domain: Domain) -> str:
    return domain.identity_id(b"", "ana", "")


@pytest.fixture
def purpose(domain: Domain, identity: str) -> Purpose:
    return Purpose(domain, identity, "CONTRACT")


def derive(secret: bytes, salt: bytes, identity: str, kind: str) -> tuple[ChaCha20Poly1305, bytes]:
    info = f"DUALSEAL-VAULT::AEAD::{identity}::{kind}::DUALSEAL".encode()
    derived = HKDF(hashes.SHA3_256(), 64, salt=salt, info=info).derive(secret)
    return ChaCha20Poly1305(derived[:32]), derived[32:]


def nonce(position: int, last: bool) -> bytes:
    return bytes(7) + position.to_bytes(4) + bytes([last])


def plain(size: int) -> bytes:
    return (b"0123456789abcdef" * (size // 16 + 1))[:size]


@pytest.mark.parametrize("size", SIZES)
def test_another_program_decrypts_it(purpose: Purpose, identity: str, size: int) -> None:
    for secret in (SECRET, DrawnSecret.draw(SharingField.FP_521), DrawnSecret.draw(SharingField.GF_2_256)):
        stored = encrypt(secret, purpose, plain(size))
        raw = secret if isinstance(secret, bytes) else secret.to_bytes()
        cipher, commit = derive(raw, stored[4:36], identity, "CONTRACT")
        assert (stored[:4], stored[36:68]) == (b"DSV1", commit)
        found = b""
        starts = range(68, len(stored), CHUNK + 16)
        for position, start in enumerate(starts):
            last = start == starts[-1]
            found += cipher.decrypt(nonce(position, last), stored[start : start + CHUNK + 16], None)
        assert found == plain(size) == decrypt(secret, purpose, stored)


@pytest.mark.parametrize("size", SIZES)
def test_another_program_makes_it(purpose: Purpose, identity: str, size: int) -> None:
    salt = bytes([9]) * 32
    cipher, commit = derive(SECRET, salt, identity, "CONTRACT")
    stored = b"DSV1" + salt + commit
    starts = range(0, max(size, 1), CHUNK)
    for position, start in enumerate(starts):
        stored += cipher.encrypt(nonce(position, start == starts[-1]), plain(size)[start : start + CHUNK], None)
    assert decrypt(bytearray(SECRET), purpose, memoryview(stored)) == plain(size)


@pytest.mark.parametrize("step", [1000, CHUNK, CHUNK + 16, 200_000])
def test_in_parts(purpose: Purpose, step: int) -> None:
    data = plain(2 * CHUNK + 5)
    encryptor = Encryptor(SECRET, purpose)
    stored = b"".join(encryptor.update(data[start : start + step]) for start in range(0, len(data), step))
    stored += encryptor.finish()
    assert decrypt(SECRET, purpose, stored) == data
    decryptor = Decryptor(SECRET, purpose)
    found = b"".join(decryptor.update(stored[start : start + step]) for start in range(0, len(stored), step))
    assert data.startswith(found) and len(found) == 2 * CHUNK
    assert found + decryptor.finish() == data
    calls: list[Callable[[], bytes]] = [
        encryptor.finish,
        decryptor.finish,
        lambda: encryptor.update(b""),
        lambda: decryptor.update(b"x"),
    ]
    for call in calls:
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 321


def test_other_keys_and_uses(domain: Domain, purpose: Purpose, identity: str) -> None:
    stored = encrypt(SECRET, purpose, b"text")
    others = [
        (bytes(32), purpose),
        (SECRET, Purpose(domain, identity, "OTHER")),
        (SECRET, Purpose(Domain("ACME"), identity, "CONTRACT")),
        (SECRET, Purpose(domain, domain.identity_id(b"", "ivo", ""), "CONTRACT")),
    ]
    for secret, other in others:
        with pytest.raises(RejectedError) as caught:
            decrypt(secret, other, stored)
        assert (caught.value.code, caught.value.index) == (216, None)
    assert Purpose(domain, identity, "CONTRACT") == purpose != others[1][1]


def test_what_was_changed_or_cut_off(purpose: Purpose) -> None:
    stored = encrypt(SECRET, purpose, plain(2 * CHUNK + 5))
    second = 68 + CHUNK + 16
    changes = [
        (stored[:second] + bytes([stored[second] ^ 1]) + stored[second + 1 :], 1),
        (stored[:second], 0),
        (stored[:-1], 2),
        (stored + b"x", 2),
        (stored[:68] + stored[second : 2 * second - 68] + stored[68:second] + stored[2 * second - 68 :], 0),
    ]
    for changed, chunk in changes:
        with pytest.raises(RejectedError) as caught:
            decrypt(SECRET, purpose, changed)
        assert (caught.value.code, caught.value.index) == (217, chunk)
    for cut in (0, 3, 67):
        with pytest.raises(MalformedError) as malformed:
            decrypt(SECRET, purpose, stored[:cut])
        assert (malformed.value.field, malformed.value.code) == ("stream", 100)
    with pytest.raises(MalformedError):
        decrypt(SECRET, purpose, b"DSV2" + stored[4:])


def test_what_is_refused(domain: Domain, identity: str, purpose: Purpose) -> None:
    for kind in ("", "a::b", ":a", "a\n", "a" * 256):
        with pytest.raises(MalformedError) as caught:
            Purpose(domain, identity, kind)
        assert caught.value.field == "type"
    with pytest.raises(MalformedError) as caught:
        encrypt(bytes(31), purpose, b"")
    assert (caught.value.field, caught.value.code) == ("secret", 100)
    for value in (Encryptor(SECRET, purpose), Decryptor(SECRET, purpose)):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(value, protocol)
