"""Seals (FORMAT.md section 12): the dual seal, the legacy one, and their verification under a policy."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .domain import Domain
from .encodings import FormatError, hex_text
from .krunica import Located
from .primitives import SIGNATURE_SIZE, h3, hmac_sha3_512, sign, verifies
from .ring import of_identity

DUAL, LEGACY = "SEAL-DUAL", "SEAL-L5"
POLICIES = ("Both", "LayerA", "LayerB")
MOST_KEYS = 16


class Reserved(FormatError):
    """The payload has a form that only vault records and shards have."""


@dataclass(frozen=True)
class Seal:
    """`signature` is None for a legacy seal."""

    hmac: str
    signature: str | None

    def __str__(self) -> str:
        return f"{LEGACY}::{self.hmac}" if self.signature is None else f"{DUAL}::{self.hmac}::{self.signature}"

    def hash(self) -> str:
        return h3(str(self).encode())

    def seal_id(self) -> str | None:
        return None if self.signature is None else f"{DUAL}::{self.hash()}"

    def info(self) -> dict[str, str | None]:
        return {
            "format": LEGACY if self.signature is None else DUAL,
            "hmac_hex": self.hmac,
            "signature_hex": self.signature,
            "seal_id": self.seal_id(),
        }


@dataclass(frozen=True)
class Report:
    """The outcome of each layer, the verdict or authentication with its reason, and the state that decided."""

    layer_a: str
    layer_b: str
    outcome: tuple[str, str | None]
    state: str | None = None

    def pair(self, *, public: bool) -> tuple[bool, str]:
        kind = self.outcome[0]
        if kind in ("valid", "authenticated") or (kind == "decoy" and public):
            return True, "ok"
        return False, kind if kind in ("decoy", "suspended") else "rejected"


def derive_key(domain: Domain, master: bytes, identity_id: str) -> bytes:
    if len(master) != 32:
        raise FormatError("a master has 32 bytes")
    row = domain["seal"]
    info = f"{row.prefix}::{row.labels['KDF']}::{hex_text(identity_id, 64, 'identity_id')}::{row.suffix}"
    return HKDF(hashes.SHA3_256(), 64, None, info.encode()).derive(master)


def parse(text: str) -> Seal:
    parts = text.split("::")
    if parts[0] == LEGACY and len(parts) == 2:
        return Seal(hex_text(parts[1], 128, "hmac_hex"), None)
    if parts[0] == DUAL and len(parts) == 3:
        return Seal(hex_text(parts[1], 128, "hmac_hex"), hex_text(parts[2], 2 * SIGNATURE_SIZE, "signature_hex"))
    raise FormatError("not a seal string")


def is_reserved(domain: Domain, payload: bytes) -> bool:
    return any(payload.startswith(f"{domain[row].prefix}::".encode()) for row in ("vault", "shard"))


def layer_a(key: bytes, payload: bytes) -> str:
    """Over the ASCII characters of the payload's hex."""
    return hmac_sha3_512(key, payload.hex().encode())


def statement(domain: Domain, payload: bytes, hmac_hex: str, identity_id: str) -> bytes:
    return f"{payload.hex()}::{hmac_hex}::{identity_id}::{domain['seal'].suffix}".encode()


def make(domain: Domain, key: bytes, seed: bytes, identity_id: str, payload: bytes) -> Seal:
    legacy = make_legacy(domain, key, payload)
    return Seal(legacy.hmac, sign(seed, statement(domain, payload, legacy.hmac, identity_id)).hex())


def make_legacy(domain: Domain, key: bytes, payload: bytes) -> Seal:
    if len(key) not in (32, 64):
        raise FormatError("a seal key has 32 or 64 bytes")
    if is_reserved(domain, payload):
        raise Reserved("the payload is reserved")
    return Seal(layer_a(key, payload), None)


def tried_keys(ring: dict[str, Any], identity_id: str, located: Located | None) -> list[dict[str, Any]]:
    """The identity's keys in ring order, 16 at most, then the one in force at the place that is given."""
    held = [key for key in of_identity(ring, identity_id) if key["role"] != "decoy"]
    tried = held[:MOST_KEYS]
    if located is not None:
        later = [key for key in held if key["role"] == "retired" and key["retired"] > located.seq]
        current = [key for key in held if key["role"] == "current"]
        tried += (later[-1:] or current)[:1]
    return tried


def chain_message(domain: Domain, seal: Seal) -> str:
    row = domain["seal"]
    return f"{row.prefix}::{row.labels['SEALED']}::{seal.hash()}::{row.suffix}"


def is_chain_message(domain: Domain, poruka: str) -> bool:
    row = domain["seal"]
    head, tail = re.escape(f"{row.prefix}::{row.labels['SEALED']}::"), re.escape(f"::{row.suffix}")
    return re.fullmatch(f"{head}[0-9a-f]{{64}}{tail}", poruka) is not None


def counts(domain: Domain, located: Located, seal: Seal, identity_id: str, ring: dict[str, Any]) -> bool:
    """A bare seal has neither time nor handle, so these are not compared."""
    entry = located.entry
    return ring["origin"] in (None, located.origin) and (entry["w3"], entry["poruka"]) == (
        identity_id,
        chain_message(domain, seal),
    )


def verify(
    domain: Domain, seal: Seal, payload: bytes, identity_id: str, ring: dict[str, Any], policy: str, key: bytes,
    *, legacy: bool = False, located: Located | None = None,
) -> Report:  # fmt: skip
    """`policy` and the permission for legacy seals are the verifier's own."""
    if policy not in POLICIES:
        raise FormatError("no such policy")
    is_dual = seal.signature is not None
    reserved = is_reserved(domain, payload)
    # A key of a legacy length has nothing to say of a dual seal.
    usable = not is_dual or len(key) in (32, 64)
    good_a = usable and not reserved and hmac.compare_digest(layer_a(key, payload), seal.hmac)
    shown_a = "not checked" if policy == "LayerB" else "pass" if good_a else "fail"
    if policy == "LayerA":
        enough = good_a and (is_dual or legacy)
        outcome = "authenticated" if enough else "not authenticated"
        return Report(shown_a, "not checked" if is_dual else "absent", (outcome, None))

    tried = tried_keys(ring, identity_id, located)
    by = next((k for k in tried if signed_by(domain, k, seal, payload, identity_id)), None)
    shown_b = "absent" if not is_dual else "fail" if by is None else "pass"
    deciding = by or next(iter(tried), None)
    if deciding is None:
        return Report(shown_a, shown_b, ("invalid", "unknown identity"))
    state: str = deciding["bela_stanje"]
    if state in ("laz", "nijedno"):
        return Report(shown_a, shown_b, ("revoked" if state == "laz" else "suspended", None), state)
    reason = failed_check(domain, shown_a, by, seal, identity_id, ring, located, reserved=reserved)
    if reason:
        return Report(shown_a, shown_b, ("invalid", reason), state)
    return Report(shown_a, shown_b, ("valid" if state == "istina" else "decoy", None), state)


def signed_by(domain: Domain, key: dict[str, Any], seal: Seal, payload: bytes, identity_id: str) -> bool:
    if seal.signature is None:
        return False
    signed = statement(domain, payload, seal.hmac, identity_id)
    return verifies(bytes.fromhex(key["javni_kljuc"]), bytes.fromhex(seal.signature), signed)


def failed_check(
    domain: Domain, shown_a: str, by: dict[str, Any] | None, seal: Seal, identity_id: str, ring: dict[str, Any],
    located: Located | None, *, reserved: bool,
) -> str | None:  # fmt: skip
    if reserved:
        return "reserved payload"
    if seal.signature is None:
        return "legacy seal"
    if shown_a == "fail":
        return "content"
    if by is None:
        return "signature"
    here = located is not None and counts(domain, located, seal, identity_id, ring)
    if by["role"] == "retired":
        return None if here and located is not None and located.seq < by["retired"] else "retired key"
    return "located" if located is not None and not here else None
