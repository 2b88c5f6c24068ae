"""A log with its ring, and files of evidence about its records. Trees, leaves, notes and cosignatures are made here
anew, with hashlib and with the Ed25519 of another library."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from dualseal import (
    ChainReader,
    CheckedRing,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Domain,
    Entry,
    HighWaterMark,
    KeyRing,
    KeyState,
    Krunica,
    Pins,
    PublicKey,
    RingKey,
    Session,
    SessionInForce,
    SignatureRecord,
    Signer,
    SigningKey,
    VerifiedCheckpoint,
    Witnesses,
    log_fingerprint,
)

from archive import Archive, Kept
from conftest import ORIGIN, followed

DOCUMENT = b"one contract"

Cosigned = Sequence[tuple[int, int]]
"""The numbers of witnesses, and how many minutes after the start each saw the log."""


def minute(number: int) -> str:
    return f"2026-11-21T{9 + number // 60:02}:{number % 60:02}:00.000Z"


def seconds(number: int) -> int:
    return 1795251600 + 60 * number


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """RFC 9162, section 2.1.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + tree_root(leaves[:left]) + tree_root(leaves[left:])).digest()


def tree_path(leaves: Sequence[bytes], index: int) -> list[str]:
    """RFC 9162, section 2.1.3.1."""
    if len(leaves) <= 1:
        return []
    left = 1 << (len(leaves) - 1).bit_length() - 1
    if index < left:
        return [*tree_path(leaves[:left], index), tree_root(leaves[left:]).hex()]
    return [*tree_path(leaves[left:], index - left), tree_root(leaves[:left]).hex()]


def log_leaf(entry: Entry) -> bytes:
    return canonical({"h": entry.hash, "seq": entry.seq, "t": entry.time})


def key_proof(ring: CheckedRing, key_hash: str) -> dict[str, Any]:
    keys = json.loads(ring.public().to_json())["keys"]
    keys.sort(key=lambda key: key["povijest"][0][0])
    for key in keys:
        key["javni_kljuc"] = hashlib.sha3_256(bytes.fromhex(key["javni_kljuc"])).hexdigest()
    seq = next(seq for seq, key in enumerate(keys) if key["javni_kljuc"] == key_hash)
    path = tree_path([canonical(key) for key in keys], seq)
    return {"leaf": keys[seq], "path": path, "seq": seq, "size": len(keys)}


def ed25519(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def raw(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def key_id(name: str, kind: int, key: Ed25519PrivateKey) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + raw(key)).digest()[:4]


def note_key_text(name: str, kind: int, key: Ed25519PrivateKey) -> str:
    typed = base64.b64encode(bytes([kind]) + raw(key)).decode()
    return f"{name}+{key_id(name, kind, key).hex()}+{typed}"


def witness(number: int) -> Ed25519PrivateKey:
    return ed25519(90 + number)


def witness_name(number: int) -> str:
    return f"witness-{number}.example"


def witnesses(needed: int, numbers: Iterable[int] = (1, 2, 3)) -> Witnesses:
    keys = [note_key_text(witness_name(number), 4, witness(number)) for number in numbers]
    return Witnesses(keys, needed)


def signature_line(name: str, signed: bytes) -> str:
    return f"\N{EM DASH} {name} {base64.b64encode(signed).decode()}\n"


def note_text(checkpoint: Checkpoint, cosigned: Cosigned = ()) -> str:
    root = base64.b64encode(bytes.fromhex(checkpoint.root)).decode()
    body = f"{checkpoint.origin}\n{checkpoint.size}\n{root}\n"
    key = ed25519(90)
    text = f"{body}\n" + signature_line(checkpoint.origin, key_id(checkpoint.origin, 1, key) + key.sign(body.encode()))
    for number, minutes in cosigned:
        text += cosignature(body, number, minutes)
    return text


def cosignature(body: str, number: int, minutes: int) -> str:
    name, key, time = witness_name(number), witness(number), seconds(minutes)
    signed = key.sign(f"cosignature/v1\ntime {time}\n{body}".encode())
    return signature_line(name, key_id(name, 4, key) + time.to_bytes(8) + signed)


@dataclass
class Registry:
    """Whoever keeps a log and its ring."""

    domain: Domain = field(default_factory=Domain)
    chain: Krunica = field(default_factory=Krunica)
    ring: CheckedRing = field(init=False)
    log_key: SigningKey = field(default_factory=lambda: SigningKey.from_seed(bytes([5]) * 32))

    def __post_init__(self) -> None:
        self.log = self.domain.identity_id(b"", "log", "")
        self.ring = CheckedRing(ORIGIN, RingKey(self.domain, bytes([9]) * 32))

    @property
    def fingerprint(self) -> str:
        return log_fingerprint(self.domain, ORIGIN, self.log, self.log_key.public_key)

    @property
    def time(self) -> str:
        return minute(self.chain.head.size)

    def identity(self, name: str) -> str:
        return self.domain.identity_id(b"", name, "")

    def add(self, name: str, key: SigningKey) -> None:
        self.enter(self.identity(name), key.public_key)

    def enter(self, identity: str, public_key: PublicKey) -> None:
        followed(self.ring, self.chain)
        entry, _ = self.ring.add(identity, public_key, head=self.chain.head, time=self.time)
        self.chain.push(entry)

    def rotate(self, name: str, key: SigningKey) -> None:
        followed(self.ring, self.chain)
        entry, _ = self.ring.rotate(self.identity(name), key.public_key, head=self.chain.head, time=self.time)
        self.chain.push(entry)

    def set_state(self, name: str, state: KeyState, compromised_from: int | None = None) -> None:
        followed(self.ring, self.chain)
        entry, _ = self.ring.set_state(
            self.identity(name), state, head=self.chain.head, time=self.time, compromised_from=compromised_from
        )
        self.chain.push(entry)

    def fill(self, count: int = 1, name: str = "ana") -> None:
        for _ in range(count):
            self.chain.append(self.domain, self.identity(name), "filler", self.time)

    def sign(self, name: str, key: SigningKey, content: bytes = DOCUMENT) -> SignatureRecord:
        signer = Signer(self.domain, self.identity(name), key)
        signed = signer.sign(content, head=self.chain.head, time=self.time, deterministic=True)
        self.chain.push(signed.entry)
        return signed.record

    def checkpoint(self, mark: HighWaterMark | None = None) -> Checkpoint:
        note_key = raw(ed25519(90)).hex()
        signer = CheckpointSigner(self.domain, ORIGIN, self.log, self.log_key, note_key=note_key)
        if mark is None:
            mark = HighWaterMark.first(ORIGIN, self.chain.head, ring=followed(self.ring, self.chain))
        return signer.sign(mark, time=minute(120))

    def in_force(self, record: Session, founder: str, ring: KeyRing) -> SessionInForce:
        reader = ChainReader(self.domain, under=self.verified())
        watched = reader.session(record.session_id, founder)
        return reader.read(self.chain)[watched].in_force([record], ring)

    def verified(self, checkpoint: Checkpoint | None = None) -> VerifiedCheckpoint:
        key_hash = self.log_key.public_key.hash
        pins = Pins(origin=ORIGIN, identity_id=self.log, key_hash=key_hash, least_size=0)
        return CheckpointVerifier(self.domain, pins).verify(checkpoint or self.checkpoint()).verified()

    def place(self, seq: int) -> tuple[dict[str, Any], list[str]]:
        """An entry, and its path in the tree of all."""
        return self.chain[seq].to_dict(), tree_path([log_leaf(entry) for entry in self.chain], seq)

    def last_ring_entry(self) -> int:
        return max(entry.seq for entry in self.chain if entry.message.startswith("DUALSEAL-SIGN::RING::"))

    def bundle(
        self,
        record: dict[str, Any],
        seq: int,
        kind: str = "potpis",
        *,
        key_hash: str,
        public_key: str | None = None,
        cosigned: Cosigned = ((1, 130), (2, 140), (3, 150)),
        checkpoint: Checkpoint | None = None,
    ) -> dict[str, Any]:
        """The members of a file of evidence: of a record whose own entry stands at `seq`."""
        checkpoint = checkpoint or self.checkpoint()
        (entry, path), (ring_entry, ring_path) = self.place(seq), self.place(self.last_ring_entry())
        return {
            "checkpoint": checkpoint.to_dict(),
            "domena": "DUALSEAL",
            "entry": entry,
            "javni_kljuc": public_key,
            "key": key_proof(self.ring, key_hash),
            "note": note_text(checkpoint, cosigned),
            "path": path,
            "record": record,
            "ring": {"entry": ring_entry, "path": ring_path},
            "verzija": "1",
            "vrsta": kind,
        }


def erased_archive() -> tuple[Archive, Kept, Kept, Registry]:
    """An archive with a record and its erasure, both of them, and the log that they stand in."""
    archive = Archive()
    kept = archive.seal()
    erased = archive.keep_erasure(
        archive.vault.erase(
            archive.judge(kept),
            archive.own_splits(kept),
            ledger=archive.ledger,
            head=archive.chain.head,
            time=minute(2),
            note="court order",
        )
    )
    registry = Registry(archive.domain, archive.chain, archive.log_key)
    registry.ring = archive.ring
    return archive, kept, erased, registry


def key(number: int) -> SigningKey:
    return SigningKey.from_seed(bytes([number]) * 32)


@dataclass
class Contracts:
    """Ana and Ivan in a ring, and records of hers at 2 and 3 over the document and another."""

    registry: Registry = field(default_factory=Registry)

    def __post_init__(self) -> None:
        self.registry.add("ana", key(1))
        self.registry.add("ivan", key(2))
        self.ana, self.ivan = self.registry.identity("ana"), self.registry.identity("ivan")
        self.record = self.registry.sign("ana", key(1))
        self.other = self.registry.sign("ana", key(1), b"another")

    def bundle(self, seq: int = 2, cosigned: Cosigned = ((1, 130), (2, 140), (3, 150))) -> dict[str, Any]:
        """Evidence of the record, at its place or another."""
        key_hash = key(1).public_key.hash
        return self.registry.bundle(self.record.to_dict(), seq, key_hash=key_hash, cosigned=cosigned)
