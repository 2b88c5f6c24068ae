"""The verdict on a checkpoint (FORMAT.md sections 7 and 10): members, pins, size, signature, then its key's state."""

from __future__ import annotations

from typing import Any

from . import krunica
from .domain import Domain
from .encodings import FormatError
from .primitives import public_key_of_seed, sign
from .ring import find, knows

Verdict = tuple[str, str | None]


def make(
    domain: Domain, seed: bytes, origin: str, identity_id: str, time: str, head: krunica.Head,
    *, ring: dict[str, Any] | None = None, nota: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    fields: dict[str, Any] = head.stated(ring, nota) | {
        "origin": origin,
        "time": time,
        "identity_id": identity_id,
        "algoritam": "ML-DSA-65",
        "javni_kljuc": public_key_of_seed(seed).hex(),
    }
    return fields | {"potpis": sign(seed, krunica.checkpoint_statement(domain, fields)).hex()}


def verdict(domain: Domain, checkpoint: object, pins: krunica.Pins, ring: dict[str, Any] | None = None) -> Verdict:
    """(verdict, reason of Invalid). Raises FormatError on a malformed checkpoint."""
    # The checks that come before the state are named by what stops them, one after the other.
    accepted: dict[str, Any] | None = None
    try:
        accepted = krunica.verify_checkpoint(domain, checkpoint, pins)
    except FormatError as error:
        for said, reason in (("pinned", "pin"), ("fewer", "size"), ("signature does not", "signature")):
            if said in str(error):
                return "invalid", reason
        raise
    if ring is None:
        return "valid", None
    key = find(ring, accepted["identity_id"], accepted["javni_kljuc"])
    if key is None:
        return "invalid", "foreign key" if knows(ring, accepted["identity_id"]) else "unknown identity"
    state: str = key["bela_stanje"]
    if state in ("laz", "nijedno"):
        return ("revoked" if state == "laz" else "suspended"), None
    if key["role"] == "retired":
        return "invalid", "retired key"
    return ("valid" if state == "istina" else "decoy"), None


def agrees(chain: list[Any], checkpoint: dict[str, Any]) -> str:
    """`agrees`, or what the checkpoint shows of a chain that holds together: `truncated`, `rewritten`, or that it is of
    `another tree`."""
    all_heads = krunica.heads(chain)
    size: int = checkpoint["size"]
    if size >= len(all_heads):
        return "truncated"
    if all_heads[size].top != checkpoint["top"]:
        return "rewritten"
    return "agrees" if all_heads[size].root == checkpoint["root"] else "another tree"
