"""Key rings (FORMAT.md sections 8 and 9): reading, ring order, tags, the public form and the check against a chain."""

from __future__ import annotations

import re
from typing import Any

from .domain import Domain
from .encodings import FormatError, canonical, hex_text, integer, members, origin, timestamp
from .primitives import PUBLIC_KEY_SIZE, h3, hmac_sha3_512

STATES = ("istina", "laz", "oboje", "nijedno")
ROLES = ("current", "retired", "decoy")
KEY = {"algoritam", "bela_stanje", "generirano", "identity_id", "javni_kljuc", "retired", "role"}


class RingError(FormatError):
    """`kind` is RingRollback or RingForged."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind = kind


def parse_key(value: object) -> dict[str, Any]:
    key = members(value, KEY, "key")
    hex_text(key["identity_id"], 64, "identity_id")
    timestamp(key["generirano"], "generirano")
    if key["algoritam"] != "ML-DSA-65" or key["bela_stanje"] not in STATES or key["role"] not in ROLES:
        raise FormatError("algoritam, bela_stanje or role of a key")
    if key["role"] == "decoy":
        hex_text(key["javni_kljuc"], 64, "javni_kljuc of a decoy")
        if key["bela_stanje"] != "oboje":
            raise FormatError("a decoy's state is oboje")
    else:
        hex_text(key["javni_kljuc"], 2 * PUBLIC_KEY_SIZE, "javni_kljuc")
    if key["role"] == "retired":
        integer(key["retired"], "retired")
    elif key["retired"] is not None:
        raise FormatError("retired is null for a key that is not retired")
    return key


def order(key: dict[str, Any]) -> tuple[str, int, int, str]:
    """Ring order: identity, then current, retired by descending R, decoys by hash."""
    role = ROLES.index(key["role"])
    return (key["identity_id"], role, -(key["retired"] or 0), key["javni_kljuc"] if key["role"] == "decoy" else "")


def key_hash(key: dict[str, Any]) -> str:
    text: str = key["javni_kljuc"]
    return text if key["role"] == "decoy" else h3(bytes.fromhex(text))


def parse_ring(value: object) -> dict[str, Any]:
    ring = members(value, {"keys", "origin", "revision"}, "ring")
    origin(ring["origin"], "origin")
    integer(ring["revision"], "revision")
    if not isinstance(ring["keys"], list):
        raise FormatError("keys: not an array")
    keys = [parse_key(key) for key in ring["keys"]]
    if (ring["revision"] == 0) != all(key["role"] == "decoy" for key in keys):
        raise FormatError("revision is 0 exactly when the ring has no current or retired key")
    places = [order(key) for key in keys]
    # Strictly ascending: an equal pair is a second current key, or two rotations at one seq.
    if any(not a < b for a, b in zip(places, places[1:])):
        raise FormatError("the keys are not in ring order")
    if len({key_hash(key) for key in keys}) != len(keys):
        raise FormatError("a public key stands twice in the ring")
    return ring


def of_identity(ring: dict[str, Any], identity_id: str) -> list[dict[str, Any]]:
    return [key for key in ring["keys"] if key["identity_id"] == identity_id]


def knows(ring: dict[str, Any], identity_id: str) -> bool:
    """Decoys alone do not make an identity known."""
    return any(key["role"] != "decoy" for key in of_identity(ring, identity_id))


def find(ring: dict[str, Any], identity_id: str, javni_kljuc: str) -> dict[str, Any] | None:
    """The identity's key with this encoded public key; decoys are found by its hash."""
    wanted = h3(bytes.fromhex(javni_kljuc))
    return next((key for key in of_identity(ring, identity_id) if key_hash(key) == wanted), None)


def public(ring: dict[str, Any]) -> dict[str, Any]:
    """The form in which a ring leaves the operator."""
    shown = [
        key | {"bela_stanje": "istina" if key["bela_stanje"] == "oboje" else key["bela_stanje"]}
        for key in ring["keys"]
        if key["role"] != "decoy"
    ]
    return {"keys": shown, "origin": ring["origin"], "revision": ring["revision"]}


def tag(domain: Domain, ring_key: bytes, revision: int, entries: list[dict[str, Any]]) -> str:
    """The keyed tag of a change; `entries` are the identity's current and retired keys after it, in ring order."""
    if len(ring_key) != 32:
        raise FormatError("a ring key has 32 bytes")
    row = domain["signature"]
    head = f"{row.prefix}::{row.labels['RING']}::{revision}::{row.suffix}".encode()
    return hmac_sha3_512(ring_key, head + canonical(entries))[:64]


def change_message(domain: Domain, revision: int, change_tag: str) -> str:
    row = domain["signature"]
    return f"{row.prefix}::{row.labels['RING']}::{revision}::{change_tag}::{row.suffix}"


def parse_change(domain: Domain, poruka: str) -> tuple[int, str] | None:
    """(revision, tag) of a ring entry's message; None for any other message."""
    row = domain["signature"]
    head = re.escape(f"{row.prefix}::{row.labels['RING']}::")
    match = re.fullmatch(f"{head}([1-9][0-9]{{0,15}})::([0-9a-f]{{64}})::{re.escape(row.suffix)}", poruka)
    return (int(match[1]), match[2]) if match else None


def check(domain: Domain, ring: dict[str, Any], ring_key: bytes, chain: list[Any]) -> None:
    """Whether the ring is the one that the (already checked) chain's last ring entries describe."""
    row = domain["signature"]
    head = f"{row.prefix}::{row.labels['RING']}::"
    last: dict[str, tuple[int, str] | None] = {}
    greatest, ordered = 0, True
    for entry in chain:
        if not entry["poruka"].startswith(head):
            continue
        last[entry["w3"]] = change = parse_change(domain, entry["poruka"])
        ordered = ordered and change is not None and change[0] == greatest + 1
        greatest = max(greatest, change[0] if change else 0)
    if greatest > ring["revision"]:
        raise RingError("RingRollback", f"the chain is at revision {greatest}, the ring at {ring['revision']}")
    if greatest < ring["revision"]:
        raise RingError("RingForged", f"revision {ring['revision']} is not in the chain")
    held = {key["identity_id"] for key in ring["keys"] if key["role"] != "decoy"}
    if held != last.keys():
        raise RingError("RingForged", "an identity is missing in the ring or in the chain")
    if not ordered:
        raise RingError("RingForged", "the revisions in the chain are not 1, 2, 3 and so on")
    for identity_id, change in last.items():
        if change is None:
            raise RingError("RingForged", f"the last ring entry of {identity_id} is malformed")
        revision, stated = change
        entries = [key for key in of_identity(ring, identity_id) if key["role"] != "decoy"]
        if tag(domain, ring_key, revision, entries) != stated:
            raise RingError("RingForged", f"the keys of {identity_id} are not those of revision {revision}")
