"""Proofs of presence (FORMAT.md section 17): challenges, the strict Ed25519 authenticator, and the gate."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from .domain import PRESENCE_OPERATIONS, Domain
from .encodings import FormatError, canonical, hex_text, members, timestamp
from .primitives import h3

REQUEST = {"op", "vault_id", "split_id", "shard_ids", "args", "primatelj", "identity_id"}
PROOF = REQUEST | {"nonce", "expiry", "public_key", "signature"}
MOST_SHARDS = 255
LONGEST_LIFE = datetime.timedelta(seconds=300)

# Curve25519 in Edwards form (RFC 8032): the field, the constant d, and the order of the base point.
Q = 2**255 - 19
D = -121665 * pow(121666, -1, Q) % Q
ORDER = 2**252 + 27742317777372353535851937790883648493


class PresenceError(FormatError):
    """`kind` is Expired, ExpiryTooFar, TooFew or NonceUsed."""

    def __init__(self, kind: str, good: int = 0) -> None:
        super().__init__(f"{kind}: {good}")
        self.kind = kind
        self.good = good


def args_hash(
    index: int | None = None, m: int | None = None, n: int | None = None, node_urls: list[str] | None = None
) -> str:
    return h3(canonical({"indeks": index, "m": m, "n": n, "node_urls": node_urls}))


def recipient(public_key: bytes) -> str:
    """Of the key that was pinned and that the channel authenticated."""
    return h3(public_key)


def parse_request(value: object) -> dict[str, Any]:
    request = members(value, REQUEST, "presence request")
    if request["op"] not in PRESENCE_OPERATIONS:
        raise FormatError("op")
    for name in ("vault_id", "split_id", "args", "primatelj", "identity_id"):
        hex_text(request[name], 64, name)
    if not isinstance(request["shard_ids"], list):
        raise FormatError("shard_ids: not an array")
    texts = [hex_text(shard_id, 64, "shard_ids") for shard_id in request["shard_ids"]]
    if len(texts) > MOST_SHARDS:
        raise FormatError("shard_ids: too many")
    if any(not one < other for one, other in zip(texts, texts[1:])):
        raise FormatError("shard_ids: not ascending")
    return request


def parse(value: object) -> dict[str, Any]:
    proof = members(value, PROOF, "presence proof")
    parse_request({name: proof[name] for name in REQUEST})
    for name in ("nonce", "public_key"):
        hex_text(proof[name], 64, name)
    hex_text(proof["signature"], 128, "signature")
    timestamp(proof["expiry"], "expiry")
    return proof


def challenge(domain: Domain, asked: dict[str, Any]) -> str:
    """Of a request, or of a proof, which repeats it."""
    row = domain["presence"]
    parts = [row.prefix, asked["op"], asked["vault_id"], asked["split_id"], ",".join(asked["shard_ids"])]
    parts += [asked[name] for name in ("args", "primatelj", "identity_id", "nonce", "expiry")] + [row.suffix]
    return h3("::".join(parts).encode())


def statement(domain: Domain, hashed: str) -> bytes:
    row = domain["presence"]
    return f"{row.prefix}::{row.labels['ED25519']}::{hashed}::{row.suffix}".encode()


def stated(domain: Domain, label: str, audience: str, parts: list[str], nonce: str, expiry: str) -> bytes:
    """What LOGIN, PEER, ALIVE and DROP sign."""
    row = domain["presence"]
    return "::".join([row.prefix, row.labels[label], audience, *parts, nonce, expiry, row.suffix]).encode()


def public_key_of(seed: bytes) -> str:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()


def answer(domain: Domain, asked: dict[str, Any], seed: bytes) -> dict[str, Any]:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    signature = key.sign(statement(domain, challenge(domain, asked)))
    return parse(asked | {"public_key": public_key_of(seed), "signature": signature.hex()})


def decode_point(raw: bytes) -> tuple[int, int] | None:
    """x and y of a canonically encoded point that is not of small order; None for any other 32 bytes."""
    y, sign = int.from_bytes(raw, "little") & (1 << 255) - 1, raw[31] >> 7
    if y >= Q:
        return None
    u, v = (y * y - 1) % Q, (D * y * y + 1) % Q
    x = u * pow(v, 3, Q) * pow(u * pow(v, 7, Q), (Q - 5) // 8, Q) % Q
    if (v * x * x - u) % Q:
        x = x * pow(2, (Q - 1) // 4, Q) % Q
    if (v * x * x - u) % Q or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = Q - x
    eighth = (x, y)
    for _ in range(3):
        eighth = double(eighth)
    return None if eighth == (0, 1) else (x, y)


def double(point: tuple[int, int]) -> tuple[int, int]:
    x, y = point
    product = D * x * x * y * y
    return 2 * x * y * pow(1 + product, -1, Q) % Q, (y * y + x * x) * pow(1 - product, -1, Q) % Q


def strictly_accepts(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """OpenSSL checks S < L and the equation without the cofactor; the points are looked at here."""
    if decode_point(public_key) is None or decode_point(signature[:32]) is None:
        return False
    if int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def counted_key(domain: Domain, asked: dict[str, Any], value: object, enrolled: set[str]) -> str | None:
    """The enrolled key that made this proof for exactly what is asked."""
    proof = parse(value)
    hashed = challenge(domain, asked)
    good = (
        proof["public_key"] in enrolled
        and challenge(domain, proof) == hashed
        and strictly_accepts(
            bytes.fromhex(proof["public_key"]), bytes.fromhex(proof["signature"]), statement(domain, hashed)
        )
    )
    return proof["public_key"] if good else None


def moment(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(timestamp(text, "time"))


def gate(
    domain: Domain, asked: dict[str, Any], proofs: list[Any], enrolled: set[str], required: int, now: str,
    consume: Callable[[str], bool],
) -> None:  # fmt: skip
    """Raises unless `required` different enrolled keys answered. The nonce is consumed last."""
    if required < 1:
        raise ValueError("a policy asks for at least one proof")
    left = moment(asked["expiry"]) - moment(now)
    if left <= datetime.timedelta(0):
        raise PresenceError("Expired")
    if left > LONGEST_LIFE:
        raise PresenceError("ExpiryTooFar")
    good = {key for proof in proofs if (key := counted_key(domain, asked, proof, enrolled))}
    if len(good) < required:
        raise PresenceError("TooFew", len(good))
    if not consume(asked["nonce"]):
        raise PresenceError("NonceUsed")
