"""Another service, which registers at this one."""

from __future__ import annotations

import os
from typing import Any

from dualseal_second import presence
from dualseal_second.primitives import h3

from .present import DOMAIN, signed
from .worlds import Walk


def registering(asked: dict[str, Any], name: str, address: str, seed: bytes, **changed: str) -> dict[str, Any]:
    """What is sent after a challenge; `changed` members are others than those that are signed."""
    parts = [h3(name.encode()), h3(address.encode())]
    text = presence.stated(DOMAIN, "PEER", asked["audience"], parts, asked["nonce"], asked["expiry"])
    proof = {"nonce": asked["nonce"], "expiry": asked["expiry"], "signature": signed(seed, text)}
    sent = {"agent_id": name, "url": address, "public_key": presence.public_key_of(seed)} | changed
    return sent | {"proof": proof}


def others(walk: Walk) -> None:
    """A service registers, and is approved and removed: by a thief in rows of his own."""
    name, address, seed = "split.example", "https://trust.split.example/", os.urandom(32)
    peers, at = "/api/v1/peers", {"agent_id": name}
    asked = walk.ask("nobody", "POST", f"{peers}/challenge", at).json()
    walk.ask("nobody", "POST", f"{peers}/register", registering(asked, name, address, seed))
    for state in ("pending", "listed", "heard"):
        for who in ("ana", "noble"):
            walk.ask(who, "GET", peers, params={"state": state})
    for _ in range(2):
        walk.ask("ana", "POST", f"{peers}/{{agent_id}}/approve", parts=at)
    walk.ask("ana", "GET", peers)
    for who in ("noble", "ana", "ana"):
        walk.ask(who, "DELETE", f"{peers}/{{agent_id}}", parts=at)
    walk.ask("ana", "GET", peers)
