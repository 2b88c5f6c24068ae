"""Seals: made, read and described; every part recomputed here from its formula."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from dataclasses import dataclass
from typing import Any

import dualseal
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from dualseal import Domain, Head, MalformedError, MisuseError, Seal, Sealer, SealFormat, SealKey, SigningKey

PAYLOAD = bytes(range(256)) * 5
MASTER = bytes([9]) * 32


@dataclass
class Hands:
    identity: str
    key: SealKey
    signing: SigningKey
    sealer: Sealer


@pytest.fixture
def hands(domain: Domain) -> Hands:
    identity, signing = domain.identity_id(b"", "ana", ""), SigningKey.from_seed(bytes([7]) * 32)
    key = SealKey.derive(domain, MASTER, identity)
    return Hands(identity, key, signing, Sealer(domain, identity, key, signing))


def layer_a(key: SealKey, payload: bytes) -> str:
    return hmac.new(key.to_bytes(), payload.hex().encode(), "sha3_512").hexdigest()


def test_a_seal_key_is_derived_by_its_formula(hands: Hands) -> None:
    for name in ("DUALSEAL", "ACME"):
        info = f"{name}-SEAL::KDF::{hands.identity}::{name}".encode()
        expected = HKDF(hashes.SHA3_256(), 64, salt=None, info=info).derive(MASTER)
        for master in (MASTER, bytearray(MASTER), memoryview(MASTER)):
            assert SealKey.derive(Domain(name), master, hands.identity).to_bytes() == expected


def test_seal_keys_of_every_length() -> None:
    for length in (32, 64):
        assert SealKey.from_bytes(bytes([1]) * length).to_bytes() == bytes([1]) * length
    for length in (16, 33, 100):
        assert SealKey.legacy(bytearray([1]) * length).to_bytes() == bytes([1]) * length
        with pytest.raises(MalformedError) as caught:
            SealKey.from_bytes(bytes([1]) * length)
        assert (caught.value.field, caught.value.code) == ("seal key", 100)


def test_the_layers_follow_their_formulas(hands: Hands) -> None:
    for payload in (b"", b"hi", PAYLOAD, bytes(70_000)):
        seal = hands.sealer.seal(payload)
        text = str(seal)
        prefix, hmac_hex, signature_hex = text.split("::")
        assert (prefix, len(signature_hex)) == ("SEAL-DUAL", 6618)
        assert hmac_hex == layer_a(hands.key, payload)
        assert str(hands.sealer.seal_legacy(payload)) == f"SEAL-L5::{hmac_hex}"
        digest = hashlib.sha3_256(text.encode()).hexdigest()
        message = f"DUALSEAL-SEAL::SEALED::{digest}::DUALSEAL"
        assert (seal.seal_id, seal.chain_message(Domain())) == (f"SEAL-DUAL::{digest}", message)


def test_seals_in_every_form(hands: Hands) -> None:
    seal, legacy = hands.sealer.seal(PAYLOAD), hands.sealer.seal_legacy(PAYLOAD)
    _, hmac_hex, signature_hex = str(seal).split("::")
    assert Seal.parse(str(seal)) == seal != legacy == Seal.parse(str(legacy))
    assert seal != hands.sealer.seal(PAYLOAD)
    assert (seal.format, legacy.format) == (SealFormat.DUAL, SealFormat.LEGACY)
    assert seal.info() == {
        "format": "SEAL-DUAL",
        "hmac_hex": hmac_hex,
        "seal_id": seal.seal_id,
        "signature_hex": signature_hex,
    }
    assert legacy.info() == {"format": "SEAL-L5", "hmac_hex": hmac_hex, "seal_id": None, "signature_hex": None}
    assert (legacy.seal_id, legacy.chain_message(Domain())) == (None, None)
    with pytest.raises(MalformedError):
        legacy.append_to(Head.EMPTY, Domain(), "a" * 64, "2026-11-21T09:00:00.000Z")
    assert len(repr(seal)) < 100


@pytest.mark.parametrize(
    ("text", "field", "code"),
    [
        ("", "seal", 107),
        ("SEAL-DUAL", "seal", 107),
        ("SEAL-L4::" + "0" * 128, "seal", 107),
        ("seal-l5::" + "0" * 128, "seal", 107),
        ("SEAL-L5::" + "0" * 127, "hmac_hex", 100),
        ("SEAL-L5::" + "0" * 128 + "\n", "hmac_hex", 100),
        ("SEAL-L5::" + "A" * 128, "hmac_hex", 101),
        ("SEAL-DUAL::" + "0" * 128, "signature_hex", 108),
        ("SEAL-DUAL::" + "0" * 128 + "::" + "0" * 6616, "signature_hex", 100),
        ("SEAL-DUAL::" + "0" * 128 + "::" + "0" * 6618 + "::", "signature_hex", 100),
        ("\ud800", "seal", 102),
    ],
)
def test_texts_that_are_no_seals(text: str, field: str, code: int) -> None:
    with pytest.raises(MalformedError) as caught:
        Seal.parse(text)
    assert (caught.value.field, caught.value.code) == (field, code)


def test_a_payload_in_parts(hands: Hands) -> None:
    stream = hands.sealer.stream()
    for start in range(0, len(PAYLOAD), 100):
        stream.update(bytearray(PAYLOAD[start : start + 100]))
    seal = stream.finish()
    assert str(seal).split("::")[1] == layer_a(hands.key, PAYLOAD)
    for call in (stream.finish, lambda: stream.update(b"")):
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 321


@pytest.mark.parametrize("prefix", [b"DUALSEAL-VAULT::", b"DUALSEAL-SHARD::"])
def test_reserved_payloads_are_not_sealed(hands: Hands, prefix: bytes) -> None:
    stream = hands.sealer.stream()
    for byte in prefix:
        stream.update(bytes([byte]))
    for call in (stream.finish, lambda: hands.sealer.seal(prefix), lambda: hands.sealer.seal_legacy(prefix + b"x")):
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 312
    assert hands.sealer.seal(prefix[:-1]).format is SealFormat.DUAL


def test_a_legacy_key_makes_no_seal(domain: Domain, hands: Hands) -> None:
    sealer = Sealer(domain, hands.identity, SealKey.legacy(bytes([1]) * 20), hands.signing)
    for call in (sealer.stream, lambda: sealer.seal(b""), lambda: sealer.seal_legacy(b"")):
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 313


def test_sealers_say_whose_seals_they_make(domain: Domain, hands: Hands) -> None:
    assert (hands.sealer.identity_id, hands.sealer.public_key) == (hands.identity, hands.signing.public_key)
    expanded = Sealer(domain, hands.identity, hands.key, hands.signing.expand())
    assert str(expanded.seal(b"hi")).split("::")[1] == layer_a(hands.key, b"hi")


def test_secrets_are_neither_shown_nor_carried(hands: Hands) -> None:
    secret = hands.key.to_bytes()
    values: list[Any] = [hands.key, hands.sealer]
    for value in values:
        assert secret.hex()[:16] not in repr(value)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(value, protocol)
    for made_by_method in (dualseal.SealKey, dualseal.Seal, dualseal.SealStream):
        with pytest.raises(TypeError):
            made_by_method()
