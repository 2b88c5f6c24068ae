"""A log with records of every kind, and the files that show each of them to a stranger."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dualseal_second import (
    checkpoint, evidence, ids, key_proof, krunica, note, place, primitives, ring, seal, signature, threshold, vault,
)
from dualseal_second.domain import DEFAULT, Domain

ORIGIN = "log.example/evidence"
DOCUMENTS = {
    "potpis": b"a deed",
    "pecat": b"minutes",
    "trezor": b"stored bytes",
    "kvorum": b"a resolution",
}
WITNESSES = tuple(f"witness-{number}.example" for number in (1, 2, 3))
Signer = Callable[[bytes, bytes], bytes]


def drawn(what: str, length: int = 32) -> bytes:
    return hashlib.shake_256(f"evidence log {what}".encode()).digest(length)


def at(minute: int) -> str:
    return f"2026-11-21T{10 + minute // 60:02}:{minute % 60:02}:00.000Z"


def second(minute: int) -> int:
    """What a witness says of `at`."""
    return 1795255200 + 60 * minute


@dataclass(frozen=True)
class Kept:
    """A record, its kind and what it is of, where it stands and whose it is."""

    kind: str
    record: dict[str, Any]
    document: bytes
    seq: int
    seed: bytes


@dataclass
class Log:
    """The operator of a log, who holds every key."""

    domain: Domain = DEFAULT
    name: str | None = "DUALSEAL"
    origin: str = ORIGIN
    sign: Signer = primitives.sign
    head: krunica.Head = field(default_factory=krunica.Head)
    chain: list[dict[str, str]] = field(default_factory=list)
    keys: list[dict[str, Any]] = field(default_factory=list)
    ring_key: bytes = drawn("ring key")
    master: bytes = drawn("master")
    log_seed: bytes = drawn("log")
    note_seed: bytes = drawn("note")

    def identity(self, of: str) -> str:
        return ids.identity_id(self.domain, b"", of, "")

    @property
    def ring(self) -> dict[str, Any]:
        revision = sum(len(key["povijest"]) for key in self.keys)
        return {"keys": sorted(self.keys, key=ring.order), "origin": self.origin, "revision": revision}

    def keep(self, entry: dict[str, str], head: krunica.Head) -> int:
        self.chain.append(entry)
        self.head = head
        return head.size - 1

    def plain(self, text: str) -> int:
        return self.keep(*krunica.append(self.head, "0" * 64, text, at(self.head.size)))

    def changed(self, identity_id: str) -> int:
        message = ring.change_message(self.domain, self.ring_key, self.head.top, identity_id, self.ring)
        return self.keep(*krunica.append(self.head, identity_id, message, at(self.head.size)))

    def current(self, identity_id: str) -> dict[str, Any]:
        return next(key for key in self.keys if (key["identity_id"], key["role"]) == (identity_id, "current"))

    def add(self, of: str, seed: bytes, state: str = "istina") -> int:
        self.keys.append({
            "algoritam": "ML-DSA-65",
            "bela_stanje": state,
            "generirano": at(self.head.size),
            "identity_id": self.identity(of),
            "javni_kljuc": primitives.public_key_of_seed(seed).hex(),
            "opozvan_od": None,
            "povijest": [[self.head.size, state]],
            "retired": None,
            "role": "current",
        })  # fmt: skip
        return self.changed(self.identity(of))

    def rotate(self, of: str, seed: bytes) -> int:
        old = self.current(self.identity(of))
        old |= {"role": "retired", "retired": self.head.size}
        return self.add(of, seed, "istina" if old["bela_stanje"] == "laz" else old["bela_stanje"])

    def set_state(self, seed: bytes, state: str, since: int | None = None) -> int:
        """Of any key that is not a decoy's."""
        public_key = primitives.public_key_of_seed(seed).hex()
        key = next(key for key in self.keys if key["javni_kljuc"] == public_key)
        key["bela_stanje"] = state
        key["povijest"] = [*key["povijest"], [self.head.size, state]]
        if state == "laz":
            asked = (self.head.size, key["opozvan_od"], since)
            key["opozvan_od"] = min(seq for seq in asked if seq is not None)
        return self.changed(key["identity_id"])

    def signed(self, of: str, seed: bytes, content: bytes) -> Kept:
        time, identity_id = at(self.head.size), self.identity(of)
        record, entry, head = signature.make(self.domain, seed, identity_id, content, time, self.head)
        record["potpis"] = self.sign(seed, signature.statement(self.domain, record)).hex()
        return Kept("potpis", record, content, self.keep(entry, head), seed)

    def sealed(self, of: str, seed: bytes, payload: bytes) -> Kept:
        identity_id = self.identity(of)
        hmac_hex = seal.layer_a(drawn("seal key", 64), payload)
        made = seal.Seal(hmac_hex, self.sign(seed, seal.statement(self.domain, payload, hmac_hex, identity_id)).hex())
        entry = krunica.append(self.head, identity_id, seal.chain_message(self.domain, made), at(self.head.size))
        key = primitives.public_key_of_seed(seed).hex()
        record = {"identity_id": identity_id, "javni_kljuc": key, "seal": str(made)}
        return Kept("pecat", record, payload, self.keep(*entry), seed)

    def stored(self, of: str, seed: bytes, stored: bytes, kind: str = "DEED", seq: int = 0, prev: str = "") -> Kept:
        owner = vault.Owner(self.domain, self.master, seed, self.identity(of), sign=self.sign)
        here = vault.Place(drawn("ledger").hex(), seq, prev or vault.ZEROS, self.head, at(self.head.size))
        encrypted = kind != vault.ERASURE
        record, head = vault.make(owner, here, stored, kind, encrypted=encrypted, tag=drawn(f"tag {seq}", 16))
        entry = {name: value for name, value in record["L8"].items() if name != "seq"}
        of_kind = "trezor" if encrypted else "brisanje"
        return Kept(of_kind, vault.redacted(record), stored, self.keep(entry, head), seed)

    def erased(self, kept: Kept, of: str) -> Kept:
        """A vault that was never split."""
        block = kept.record["sealed"]
        payload = vault.erasure_payload(block["header"]["vault_id"], [])
        seq, prev = block["header"]["seq"] + 1, block["layers"]["L0"]["hash"]
        return self.stored(of, kept.seed, payload, vault.ERASURE, seq, prev)

    def by_quorum(self, of: str, seed: bytes, message: bytes) -> Kept:
        """Two of three, founded here."""
        identity_id, public_key = self.identity(of), primitives.public_key_of_seed(seed)
        named = (drawn(f"session {of}").hex(), drawn(f"split {of}").hex())
        coefficients = [int.from_bytes(seed, "big"), int.from_bytes(drawn(f"coefficient {of}"), "big")]
        owners = [self.identity(f"{of} {number}") for number in (1, 2, 3)]
        time = at(self.head.size)
        session, shares = threshold.deal(
            self.domain, threshold.MLDSA, named, coefficients, owners, time, (identity_id, public_key)
        )
        founding = threshold.session_message(self.domain, session)
        self.keep(*krunica.append(self.head, owners[0], founding, time))
        result, entry, head = threshold.make(
            self.domain, session, shares[1:], message, owners[1], at(self.head.size), self.head
        )
        result["potpis"] = self.sign(seed, threshold.statement(self.domain, session, message, result)).hex()
        record = {
            "identity_id": identity_id,
            "javni_kljuc": public_key.hex(),
            "result": result,
            "session_id": named[0],
        }
        return Kept("kvorum", record, message, self.keep(entry, head), seed)

    def ring_entry(self) -> int | None:
        """The entry of the last change."""
        seqs = [seq for seq, entry in enumerate(self.chain) if ring.counts(self.domain, self.ring_key, entry)]
        return seqs[-1] if seqs else None

    def checkpoint(self, minute: int = 90) -> dict[str, Any]:
        stated = None
        if self.keys:
            shown = ring.public(self.domain, self.ring_key, self.ring)
            stated = {"revision": shown["revision"], "root": ring.root(shown)}
        nota = note.public_of(self.note_seed).hex()
        fields = checkpoint.make(
            self.domain, self.log_seed, self.origin, self.identity("log"), at(minute), self.head, ring=stated, nota=nota
        )
        return fields | {"potpis": self.sign(self.log_seed, krunica.checkpoint_statement(self.domain, fields)).hex()}

    def fingerprint(self) -> str:
        public_key = primitives.public_key_of_seed(self.log_seed)
        return place.log_fingerprint(self.domain, self.origin, self.identity("log"), public_key)

    def note(self, of: dict[str, Any], witnesses: dict[str, int]) -> note.Note:
        """Cosigned by these witnesses, each at its minute."""
        made = note.sign(of["origin"], of["size"], of["root"], self.note_seed)
        for name, minute in witnesses.items():
            made = note.cosign(made, name, drawn(name), second(minute))
        return made

    def show(self, kept: Kept, witnesses: dict[str, int] | None = None, minute: int = 90) -> dict[str, Any]:
        """As of now."""
        stated = self.checkpoint(minute)
        public_key = primitives.public_key_of_seed(kept.seed)
        shown = ring.public(self.domain, self.ring_key, self.ring)
        changed = self.ring_entry()
        return evidence.make(
            kept.kind,
            kept.record,
            place.prove(self.chain, stated, kept.seq),
            None if changed is None else place.prove(self.chain, stated, changed),
            key_proof.prove(shown, primitives.h3(public_key)),
            domena=self.name,
            public_key=public_key.hex() if kept.kind in ("trezor", "brisanje") else None,
            seen=None if witnesses is None else self.note(stated, witnesses),
        )

    def policy(self, **asked: Any) -> evidence.Policy:
        domain = self.domain if self.name is None else None
        return evidence.Policy(**({"fingerprint": self.fingerprint(), "domain": domain} | asked))


def dated_ahead(log: Log) -> Kept:
    """A ring entry that states a change of its signer's key which comes after it."""
    seed = drawn("seed")
    log.add("signer", seed)
    kept = log.signed("signer", seed, DOCUMENTS["potpis"])
    log.keys[0] |= {"bela_stanje": "nijedno", "povijest": [*log.keys[0]["povijest"], [5, "nijedno"]]}
    log.changed(log.identity("signer"))
    for _ in range(5):
        log.plain("filler")
    return kept


def witness_keys(names: tuple[str, ...] = WITNESSES) -> tuple[note.Key, ...]:
    return tuple(note.Key(name, note.public_of(drawn(name)), note.WITNESS) for name in names)


def of_every_kind(log: Log) -> dict[str, Kept]:
    """Thirteen entries, with a key for each kind and one that nobody uses."""
    log.plain("founded")
    seeds = {kind: drawn(f"seed of {kind}") for kind in DOCUMENTS}
    for kind, seed in seeds.items():
        log.add(f"signer {kind}", seed)
    kept = {
        "potpis": log.signed("signer potpis", seeds["potpis"], DOCUMENTS["potpis"]),
        "pecat": log.sealed("signer pecat", seeds["pecat"], DOCUMENTS["pecat"]),
        "trezor": log.stored("signer trezor", seeds["trezor"], DOCUMENTS["trezor"]),
        "kvorum": log.by_quorum("signer kvorum", seeds["kvorum"], DOCUMENTS["kvorum"]),
    }
    kept["brisanje"] = log.erased(kept["trezor"], "signer trezor")
    log.plain("what follows")
    log.add("another", drawn("seed of another"))
    return kept
