"""A log with an operator: what it signs, rings that change, checkpoints, places and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import dualseal
from dualseal import ChainReader, CheckedRing, CheckpointSigner, CheckpointVerifier, Domain, Ed25519SigningKey
from dualseal import Entry, EvidenceFile, HighWaterMark, Krunica, Note, Pins, PlaceProof, RingKey, Seal
from dualseal import SignatureRecord, Signer, SigningKey, VerifiedCheckpoint

ORIGIN = "example.org/log"


@dataclass
class Operated:
    domain: Domain = field(default_factory=Domain)
    chain: Krunica = field(default_factory=Krunica)
    key: SigningKey = field(default_factory=SigningKey.generate)
    note_key: Ed25519SigningKey = field(default_factory=Ed25519SigningKey.generate)
    ring: CheckedRing = field(init=False)
    minutes: int = 0

    def __post_init__(self) -> None:
        self.ring = CheckedRing(ORIGIN, RingKey.generate(self.domain))

    @property
    def identity(self) -> str:
        return self.domain.identity_id(b"", "log", "")

    @property
    def fingerprint(self) -> str:
        return dualseal.log_fingerprint(self.domain, ORIGIN, self.identity, self.key.public_key)

    def time(self) -> str:
        self.minutes += 1
        return f"2026-11-21T{self.minutes // 60:02}:{self.minutes % 60:02}:00.000Z"

    def add(self, identity: str, key: SigningKey) -> None:
        entry, _ = self.ring.add(identity, key.public_key, head=self.chain.head, time=self.time())
        self.chain.push(entry)

    def rotate(self, identity: str, key: SigningKey) -> None:
        entry, _ = self.ring.rotate(identity, key.public_key, head=self.chain.head, time=self.time())
        self.chain.push(entry)

    def set_state(self, identity: str, state: dualseal.KeyState) -> None:
        entry, _ = self.ring.set_state(identity, state, head=self.chain.head, time=self.time())
        self.chain.push(entry)

    def sign(self, identity: str, key: SigningKey, content: bytes) -> SignatureRecord:
        signed = Signer(self.domain, identity, key).sign(content, head=self.chain.head, time=self.time())
        self.chain.push(signed.entry)
        self.ring.follow(signed.entry, masters=[])
        return signed.record

    def enter(self, identity: str, seal: Seal) -> Entry:
        entry, _ = seal.append_to(self.chain.head, self.domain, identity, self.time())
        self.chain.push(entry)
        self.ring.follow(entry, masters=[])
        return entry

    def checkpoint(self) -> VerifiedCheckpoint:
        mark = HighWaterMark.first(ORIGIN, self.chain.head, ring=self.ring)
        note_key = self.note_key.public_key
        signer = CheckpointSigner(self.domain, ORIGIN, self.identity, self.key, note_key=note_key)
        signed = signer.sign(mark, time=self.time())
        pins = Pins(origin=ORIGIN, identity_id=self.identity, key_hash=self.key.public_key.hash, least_size=1)
        return CheckpointVerifier(self.domain, pins).verify(signed).verified()

    def proofs(self, under: VerifiedCheckpoint, of: Sequence[SignatureRecord | Entry]) -> list[PlaceProof]:
        reader = ChainReader(self.domain, under=under)
        watched = reader.place_proofs([one.krunica_hash for one in of])
        return reader.read(self.chain)[watched]

    def note(self, under: VerifiedCheckpoint) -> Note:
        checkpoint = under.checkpoint
        return Note.sign(self.note_key, origin=ORIGIN, size=checkpoint.size, root=checkpoint.root)

    def evidence(
        self, under: VerifiedCheckpoint, record: SignatureRecord, note: Note | None = None
    ) -> EvidenceFile:
        reader = ChainReader(self.domain, under=under)
        places, of_ring = reader.place_proofs([record.krunica_hash]), reader.ring_place()
        proofs = reader.read(self.chain)
        ring = proofs[of_ring]
        assert ring is not None
        return EvidenceFile(
            record,
            domain=self.domain,
            name="DUALSEAL",
            place=proofs[places][0],
            ring=ring,
            key=self.ring.prove(record.public_key.hash),
            note=note,
        )
