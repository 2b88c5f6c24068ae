"""A small deployment that each test gets anew: one identity, its key in a ring, and a signed record."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from dualseal import Domain, Head, KeyRing, KeyState, RingKey, Signed, Signer, SigningKey, Verdict, Verifier

ORIGIN = "example.org/log"
CONTENT = b"one contract"


def minute(number: int) -> str:
    return f"2026-11-21T09:{number:02}:00.000Z"


@dataclass
class Deployment:
    domain: Domain
    identity: str
    key: SigningKey
    authority: RingKey
    ring: KeyRing
    head: Head
    signed: Signed

    def set_state(self, state: KeyState | str, key_hash: str | None = None) -> None:
        _, self.head = self.ring.set_state(
            self.identity, state, at=self.head, timestamp=minute(5), authority=self.authority, key_hash=key_hash
        )

    def verify(self, content: bytes = CONTENT) -> Verdict:
        return Verifier(self.domain, self.ring).verify(record=self.signed.record, content=content)

    def sign_with(self, key: SigningKey) -> None:
        signer = Signer(self.domain, self.identity, key)
        self.signed = signer.sign(CONTENT, at=self.head, timestamp=minute(6))


@pytest.fixture
def domain() -> Domain:
    return Domain()


@pytest.fixture
def deployment(domain: Domain) -> Deployment:
    identity = domain.identity_id(b"", "ana", "")
    key = SigningKey.from_seed(bytes([7]) * 32)
    authority = RingKey(domain, bytes([9]) * 32)
    ring = KeyRing(ORIGIN)
    _, head = ring.add(identity, key.public_key, at=Head.EMPTY, timestamp=minute(0), authority=authority)
    signed = Signer(domain, identity, key).sign(CONTENT, at=head, timestamp=minute(1), deterministic=True)
    return Deployment(domain, identity, key, authority, ring, signed.head, signed)
