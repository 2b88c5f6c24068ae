"""Presence: what is signed, strict Ed25519, and a gate that opens once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from dualseal_second import ids, presence
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError, parse
from dualseal_second.primitives import h3

OWNER = ids.identity_id(DEFAULT, b"", "owner", "")
DEVICES = [bytes([i]) * 32 for i in (1, 2, 3)]
NOW, EXPIRY = "2026-11-21T10:00:00.000Z", "2026-11-21T10:05:00.000Z"
VECTORS = Path(__file__).parent.parent / "vectors" / "ed25519" / "cctv.json"


def asked(**changes: Any) -> dict[str, Any]:
    base = {
        "op": "rebuild", "vault_id": "1" * 64, "split_id": "2" * 64, "shard_ids": ["3" * 64, "4" * 64],
        "args": presence.args_hash(), "primatelj": "6" * 64, "identity_id": OWNER, "nonce": "5" * 64, "expiry": EXPIRY,
    }  # fmt: skip
    return base | changes


def opens(proofs: list[Any], required: int = 1, now: str = NOW, used: set[str] | None = None, **changes: Any) -> bool:
    used = set() if used is None else used

    def consume(nonce: str) -> bool:
        fresh = nonce not in used
        used.add(nonce)
        return fresh

    enrolled = {presence.public_key_of(seed) for seed in DEVICES[:2]}
    presence.gate(DEFAULT, asked(**changes), proofs, enrolled, required, now, consume)
    return True


def answer(device: int = 0, domain: Domain = DEFAULT, **changes: Any) -> dict[str, Any]:
    return presence.answer(domain, asked(**changes), DEVICES[device])


def kind(*args: Any, **kwargs: Any) -> str:
    with pytest.raises(presence.PresenceError) as refused:
        opens(*args, **kwargs)
    return refused.value.kind


def test_formulas_by_hand() -> None:
    args = h3(b'{"indeks":null,"m":2,"n":3,"node_urls":["a","b"]}')
    assert presence.args_hash(m=2, n=3, node_urls=["a", "b"]) == args
    text = f"DUALSEAL-PRESENCE::rebuild::{'1' * 64}::{'2' * 64}::{'3' * 64},{'4' * 64}::{presence.args_hash()}::"
    text += f"{'6' * 64}::{OWNER}::{'5' * 64}::{EXPIRY}::DUALSEAL"
    assert presence.challenge(DEFAULT, asked()) == h3(text.encode())
    expected = f"DUALSEAL-PRESENCE::ED25519::{h3(text.encode())}::DUALSEAL"
    assert presence.statement(DEFAULT, h3(text.encode())) == expected.encode()


def test_policy() -> None:
    assert opens([answer()]) and opens([answer(0), answer(1)], 2)
    assert kind([]) == kind([answer(2)]) == kind([answer(), answer()], 2) == "TooFew"
    assert kind([answer()], now=EXPIRY) == "Expired"
    assert kind([answer()], now="2026-11-21T09:59:59.999Z") == "ExpiryTooFar"
    with pytest.raises(ValueError, match="at least one"):
        opens([answer()], 0)
    used: set[str] = set()
    assert kind([answer(2)], used=used) == "TooFew" and not used
    assert opens([answer()], used=used)
    assert kind([answer()], used=used) == "NonceUsed"


@pytest.mark.parametrize(
    "changes",
    [
        {"op": "refresh"}, {"vault_id": "9" * 64}, {"split_id": "9" * 64}, {"shard_ids": ["3" * 64]}, {"shard_ids": []},
        {"args": presence.args_hash(index=1)}, {"identity_id": "9" * 64}, {"nonce": "9" * 64},
        {"expiry": "2026-11-21T10:04:59.999Z"}, {"primatelj": "9" * 64},
    ],
)  # fmt: skip
def test_a_proof_fits_one_request(changes: dict[str, Any]) -> None:
    assert kind([answer()], **changes) == "TooFew"
    assert kind([answer() | changes]) == "TooFew"
    assert kind([answer(domain=Domain.named("ACME"))]) == "TooFew"


def test_the_bare_challenge_is_not_enough() -> None:
    key = Ed25519PrivateKey.from_private_bytes(DEVICES[0])
    hashed = presence.challenge(DEFAULT, asked())
    for signed in (hashed.encode(), bytes.fromhex(hashed)):
        assert kind([answer() | {"signature": key.sign(signed).hex()}]) == "TooFew"


@pytest.mark.parametrize(
    "changes",
    [
        {"op": "erase"}, {"shard_ids": ["4" * 64, "3" * 64]}, {"shard_ids": ["3" * 64] * 2}, {"shard_ids": "3" * 64},
        {"nonce": "5"}, {"signature": "0" * 64}, {"expiry": "later"}, {"extra": None},
    ],
)  # fmt: skip
def test_malformed_proofs(changes: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        presence.parse(answer() | changes)


def test_requests() -> None:
    request = {name: value for name, value in asked().items() if name in presence.REQUEST}
    assert presence.parse_request(request) == request
    most = [f"{number:064x}" for number in range(256)]
    assert presence.parse_request(request | {"shard_ids": most[1:]})
    for changes in (
        {"op": "erase"}, {"args": None}, {"shard_ids": most}, {"shard_ids": most[1::-1]}, {"nonce": "5" * 64},
    ):  # fmt: skip
        with pytest.raises(FormatError):
            presence.parse_request(request | changes)


def test_strict_ed25519() -> None:
    lax = {"low_order_R", "low_order_A", "non_canonical_R", "non_canonical_A", "low_order_residue"}
    accepted = 0
    for vector in parse(VECTORS.read_bytes()):
        strict = not lax & set(vector["flags"] or [])
        message = vector["msg"].encode()
        key, signature = bytes.fromhex(vector["key"]), bytes.fromhex(vector["sig"])
        assert presence.strictly_accepts(key, signature, message) == strict, vector
        accepted += strict
    assert accepted > 0
