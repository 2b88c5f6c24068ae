"""A person's key that shows that they are present: enrolled, and answering by the second implementation."""

from __future__ import annotations

import os
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from dualseal_second import presence
from dualseal_second.domain import Domain
from dualseal_second.primitives import h3

from .http import Client, answer, problem
from .trustd import Trustd

# The name of a deployment that was given none.
DOMAIN = Domain.named("TRUST")


class Person:
    """Whoever is present for an identity."""

    @property
    def seed(self) -> bytes:
        """The key's seed."""
        return self._seed

    def __init__(self, service: Trustd, native: Client, owner: str) -> None:
        """Enrols: the host invites, and a native agrees."""
        self.owner, self._seed = owner, os.urandom(32)
        name, code = service.run("presence invite", "--subject", owner).split()
        begin = {"invitation": code, "kind": "ed25519"}
        anyone = service.client()
        problem(anyone.post("/api/v1/presence/enrol/begin", begin), 409, "conflict")
        # The host does not agree with itself.
        service.run("presence agree", name, code=2)
        answer(native.post(f"/api/v1/presence/invitations/{name}/agree"))
        begun = answer(anyone.post("/api/v1/presence/enrol/begin", begin), 201)
        assert begun["statement_hash"] == h3(begun["statement"].encode())
        key = alive(begun, self._seed)
        finish = {"enrolment_id": begun["enrolment_id"], "label": "a phone", "authenticator": key}
        forged = finish | {"authenticator": key | {"signature": alive(begun, os.urandom(32))["signature"]}}
        problem(anyone.post("/api/v1/presence/enrol/finish", forged), 422, "invalid-field", "/authenticator")
        made = answer(anyone.post("/api/v1/presence/enrol/finish", finish), 201)
        assert (made["authenticator_id"], made["identity_id"]) == (key["public_key"], owner)

    def proof(self, request: dict[str, Any], **changed: str) -> dict[str, Any]:
        """What the key answers to a request, or to another one like it."""
        return {"kind": "ed25519", "proof": presence.answer(DOMAIN, asked(request) | changed, self._seed)}


def asked(request: dict[str, Any]) -> dict[str, Any]:
    """What is asked of people, of a request as the service tells of it."""
    return dict(request["request"] | {name: request[name] for name in ("nonce", "expiry")})


def challenge(request: dict[str, Any]) -> str:
    """What an authenticator answers."""
    return presence.challenge(DOMAIN, asked(request))


def alive(begun: dict[str, Any], seed: bytes) -> dict[str, str]:
    """What a key answers to who asks whether its holder is there."""
    parts = [begun["identity_id"], begun["statement_hash"]]
    said = presence.stated(DOMAIN, "ALIVE", begun["audience"], parts, begun["nonce"], begun["expiry"])
    return {"kind": "ed25519", "public_key": presence.public_key_of(seed), "signature": signed(seed, said)}


def signed(seed: bytes, text: bytes) -> str:
    """By an Ed25519 key."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(text).hex()
