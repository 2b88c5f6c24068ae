"""Keys in every form, and their secrecy."""

from __future__ import annotations

import copy
import hashlib
import pickle
from typing import Any

import pytest
from dualseal import Domain, ExpandedSigningKey, Head, PublicKey, RingKey, Signer, SigningKey

from conftest import CONTENT, Deployment, minute

SEED = bytes(range(1, 33))


def test_a_seed_is_the_whole_key() -> None:
    key = SigningKey.from_seed(SEED)
    assert key.seed() == SEED
    assert key.public_key == SigningKey.from_seed(bytearray(SEED)).public_key
    assert key.public_key == SigningKey.from_seed(memoryview(SEED)).public_key
    assert key.public_key != SigningKey.from_seed(SEED[::-1]).public_key


def test_drawn_keys_differ() -> None:
    seeds = {SigningKey.generate().seed() for _ in range(3)}
    assert len(seeds) == 3
    assert {len(seed) for seed in seeds} == {32}
    assert RingKey.generate(Domain()).to_bytes() != RingKey.generate(Domain()).to_bytes()


def test_public_keys_in_every_form() -> None:
    public = SigningKey.from_seed(SEED).public_key
    data = public.to_bytes()
    assert len(data) == 1952
    assert bytes(public) == data
    assert public.hex == data.hex()
    assert public.hash == hashlib.sha3_256(data).hexdigest()
    others = [
        PublicKey.from_bytes(data),
        PublicKey.from_bytes(bytearray(data)),
        PublicKey.from_hex(data.hex()),
        PublicKey.from_spki_der(public.to_spki_der()),
        PublicKey.from_spki_pem(public.to_spki_pem()),
    ]
    assert all(other == public and hash(other) == hash(public) for other in others)
    assert len({public, *others}) == 1
    assert public != SigningKey.generate().public_key
    assert public != data
    with pytest.raises(TypeError):
        public < others[0]  # type: ignore[operator]


def test_private_keys_in_every_form() -> None:
    key = SigningKey.from_seed(SEED)
    der = key.to_pkcs8_der()
    assert len(der) == 54
    assert SigningKey.from_pkcs8_der(der).seed() == SEED
    assert SigningKey.from_pkcs8_der(bytearray(der)).seed() == SEED
    assert SigningKey.from_pkcs8_pem(key.to_pkcs8_pem()).seed() == SEED
    expanded = key.expand()
    data = expanded.to_bytes()
    assert len(data) == 4032
    assert ExpandedSigningKey.from_bytes(bytearray(data)).to_bytes() == data
    assert expanded.public_key == key.public_key


def test_both_forms_make_the_same_signature(deployment: Deployment) -> None:
    expanded = ExpandedSigningKey.from_bytes(deployment.key.expand().to_bytes())
    made = [
        Signer(deployment.domain, deployment.identity, key).sign(
            CONTENT, head=Head.EMPTY, time=minute(1), deterministic=True
        )
        for key in (deployment.key, expanded)
    ]
    assert made[0].record == made[1].record


def secrets() -> list[tuple[Any, bytes]]:
    key = SigningKey.from_seed(SEED)
    ring_key = RingKey(Domain(), SEED)
    signer = Signer(Domain(), "0" * 64, key)
    return [(key, SEED), (key.expand(), key.expand().to_bytes()), (ring_key, SEED), (signer, SEED)]


@pytest.mark.parametrize(("holder", "secret"), secrets(), ids=lambda value: type(value).__name__)
def test_secrets_are_neither_shown_nor_copied(holder: Any, secret: bytes) -> None:
    for text in (repr(holder), str(holder), f"{holder}"):
        assert text.startswith(type(holder).__name__)
        for window in range(0, len(secret) - 4, 4):
            part = secret[window : window + 4]
            assert part.hex() not in text
            assert str(list(part))[1:-1] not in text
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(holder, protocol)
    with pytest.raises(TypeError, match="pickle"):
        copy.copy(holder)
    with pytest.raises(TypeError, match="pickle"):
        copy.deepcopy(holder)
    if not isinstance(holder, Signer):
        with pytest.raises(TypeError, match=f"{type(holder).__name__} holds a secret, and has no hash"):
            hash(holder)
    with pytest.raises(AttributeError):
        holder.anything = 1
    with pytest.raises(TypeError):
        type("Sub", (type(holder),), {})


def test_keys_are_not_constructed_by_call() -> None:
    for kind in (SigningKey, ExpandedSigningKey, PublicKey):
        with pytest.raises(TypeError):
            kind()
