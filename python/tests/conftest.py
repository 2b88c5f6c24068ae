"""A small deployment that each test gets anew: one identity, its key in a ring, a signed record, and the chain of both
with the signer of its checkpoints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from dualseal import (
    AgreedChain,
    ChainReader,
    CheckedRing,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Domain,
    Entry,
    Head,
    HighWaterMark,
    KeyState,
    Krunica,
    Located,
    MisuseError,
    Pins,
    PublicKey,
    RingKey,
    SignatureRecord,
    Signed,
    Signer,
    SigningKey,
    Verdict,
    VerifiedCheckpoint,
    Verifier,
)

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
    ring: CheckedRing
    chain: Krunica
    signed: Signed

    @property
    def head(self) -> Head:
        return self.chain.head

    def set_state(self, state: KeyState | str, key_hash: str | None = None) -> None:
        entry, _ = followed(self.ring, self.chain).set_state(
            self.identity, state, head=self.head, time=minute(5), key_hash=key_hash
        )
        self.chain.push(entry)

    def add_decoy(self, public_key: PublicKey) -> None:
        """A decoy, with an entry that stands for its vault record's."""
        followed(self.ring, self.chain)
        entry = self.chain.append(self.domain, self.identity, "sealed", minute(2))
        self.ring.add_decoy(public_key, entry)

    def file(self) -> str:
        """What the operator's store holds of the ring."""
        return followed(self.ring, self.chain).to_stored_json(self.head)

    def resume(self, file: str) -> CheckedRing:
        """A ring file, held against the chain from where it was written on."""
        reader = ChainReader.from_ring_file(self.domain, file, up_to=self.head)
        watched = reader.ring(self.authority, file, masters=[])
        later = reader.size
        return reader.read(entry for entry in self.chain if entry.seq >= later)[watched].ring

    def rotate(self, public_key: PublicKey) -> Entry:
        entry, _ = followed(self.ring, self.chain).rotate(
            self.identity, public_key, head=self.head, time=minute(4)
        )
        self.chain.push(entry)
        return entry

    def verify(self, content: bytes = CONTENT, place: Located | None = None) -> Verdict[SignatureRecord]:
        return Verifier(self.domain, self.ring).verify(
            record=self.signed.record, signer=self.identity, content=content, place=place
        )

    def sign_with(self, key: SigningKey) -> None:
        signer = Signer(self.domain, self.identity, key)
        self.signed = signer.sign(CONTENT, head=self.head, time=minute(6))
        self.chain.push(self.signed.entry)
        self.ring.follow(self.signed.entry, masters=[])


def followed(ring: CheckedRing, chain: Krunica) -> CheckedRing:
    """The ring, past what was appended since its last change."""
    for entry in chain:
        try:
            ring.follow(entry, masters=[])
        except MisuseError as error:
            assert error.code == 307, "it is past this one"
    return ring


@dataclass
class Log:
    domain: Domain
    identity: str
    key: SigningKey

    def signer(self, key: SigningKey | None = None) -> CheckpointSigner:
        return CheckpointSigner(self.domain, ORIGIN, self.identity, key or self.key)

    def pins(self, least_size: int = 0) -> Pins:
        key_hash = self.key.public_key.hash
        return Pins(origin=ORIGIN, identity_id=self.identity, key_hash=key_hash, least_size=least_size)

    def sign(self, head: Head, ring: CheckedRing | None = None) -> Checkpoint:
        return self.signer().sign(HighWaterMark.first(ORIGIN, head, ring=ring), time=minute(9))

    def covering(self, head: Head, ring: CheckedRing | None = None) -> VerifiedCheckpoint:
        checkpoint = self.signer().sign(HighWaterMark.first(ORIGIN, head, ring=ring), time=minute(30))
        return CheckpointVerifier(self.domain, self.pins()).verify(checkpoint).verified()


def agree(checkpoint: VerifiedCheckpoint, entries: Iterable[Entry]) -> AgreedChain:
    agreed = ChainReader(Domain(), under=checkpoint).read(entries).agreed
    assert agreed is not None
    return agreed


def places(checkpoint: VerifiedCheckpoint, entries: Iterable[Entry], locate: Iterable[str]) -> list[Located]:
    reader = ChainReader(Domain(), under=checkpoint)
    watched = reader.places(locate)
    return reader.read(entries)[watched]


def head_at(entries: Iterable[Entry]) -> Head:
    chain = Krunica()
    for entry in entries:
        chain.push(entry)
    return chain.head


@pytest.fixture
def domain() -> Domain:
    return Domain()


@pytest.fixture
def deployment(domain: Domain) -> Deployment:
    identity = domain.identity_id(b"", "ana", "")
    key = SigningKey.from_seed(bytes([7]) * 32)
    authority = RingKey(domain, bytes([9]) * 32)
    ring, chain = CheckedRing(ORIGIN, authority), Krunica()
    entry, head = ring.add(identity, key.public_key, head=Head.EMPTY, time=minute(0))
    chain.push(entry)
    signed = Signer(domain, identity, key).sign(CONTENT, head=head, time=minute(1), deterministic=True)
    chain.push(signed.entry)
    ring.follow(signed.entry, masters=[])
    return Deployment(domain, identity, key, authority, ring, chain, signed)


@pytest.fixture
def log(domain: Domain) -> Log:
    return Log(domain, domain.identity_id(b"", "log", ""), SigningKey.from_seed(bytes([5]) * 32))
