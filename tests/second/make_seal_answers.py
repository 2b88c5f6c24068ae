"""Prints known answers of seals as JSON; tests/vectors/known_answers_seal.json is its output.

    python make_seal_answers.py > ../vectors/known_answers_seal.json

As make_known_answers.py: nothing is computed by the library that is tested with it, and every run gives the same.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from make_known_answers import CONTENTS, NAMES, SEEDS, deterministic, time

from dualseal_second import checkpoint, ids, krunica, primitives, seal
from dualseal_second.domain import Domain

MASTERS = tuple(hashlib.sha3_256(f"known answer master {i}".encode()).digest() for i in range(2))
RESERVED = (b"{name}-VAULT::", b"{name}-VAULT::L5::{}", b"{name}-SHARD::SEAL::0::0::0::{name}")
NEAR_RESERVED = (b"{name}-VAULT:", b"{name}-VAULTS::", b" {name}-SHARD::", b"{name}-SEAL::")


def identity(name: str, number: int) -> str:
    return ids.identity_id(Domain.named(name), b"", f"signer {number}", "")


def derived_keys() -> list[dict[str, Any]]:
    return [
        {
            "domain": name,
            "master_hex": master.hex(),
            "identity_id": identity(name, number),
            "seal_key_hex": seal.derive_key(Domain.named(name), master, identity(name, number)).hex(),
        }
        for name in NAMES
        for number, master in enumerate(MASTERS)
    ]


def dual(domain: Domain, key: bytes, seed: bytes, identity_id: str, payload: bytes) -> seal.Seal:
    """Also over what is reserved, and with a key of any length: whether it counts is the verifier's to say."""
    hmac_hex = seal.layer_a(key, payload)
    signed = deterministic(seed, seal.statement(domain, payload, hmac_hex, identity_id))
    return seal.Seal(hmac_hex, signed.hex())


def answer(name: str, key: bytes, seed: bytes, payload: bytes, *, complete: bool) -> dict[str, Any]:
    domain, identity_id = Domain.named(name), identity(name, 0)
    made = dual(domain, key, seed, identity_id, payload)
    statement = seal.statement(domain, payload, made.hmac, identity_id)
    return {
        "domain": name,
        "seal_key_hex": key.hex(),
        "seed_hex": seed.hex(),
        "identity_id": identity_id,
        "payload_hex": payload.hex(),
        "statement_sha3_256": hashlib.sha3_256(statement).hexdigest(),
        "legacy": str(seal.Seal(made.hmac, None)),
        "seal_id": made.seal_id(),
        "poruka": seal.chain_message(domain, made),
        "seal": str(made) if complete else None,
    }


def seals() -> list[dict[str, Any]]:
    """The first is complete; the others leave out their signature, which the identifier stands for."""
    keys = (bytes(range(32)), bytes(range(1, 65)))
    cases = [(name, key, payload) for name in NAMES for key in keys for payload in CONTENTS]
    return [
        answer(name, key, SEEDS[index % 2], payload, complete=index == 0)
        for index, (name, key, payload) in enumerate(cases)
    ]


def payloads(names: tuple[bytes, ...]) -> list[dict[str, Any]]:
    return [
        answer(name, bytes(range(64, 128)), SEEDS[0], payload.replace(b"{name}", name.encode()), complete=index == 0)
        for name in NAMES
        for index, payload in enumerate(names)
    ]


def legacy_keys() -> list[dict[str, Any]]:
    """Keys of other lengths, on both sides of the hash's block of 72 bytes."""
    return [
        {
            "seal_key_hex": key.hex(),
            "payload_hex": payload.hex(),
            "legacy": str(seal.Seal(seal.layer_a(key, payload), None)),
        }
        for length in (16, 20, 33, 63, 65, 71, 72, 73, 200)
        for key in (bytes(range(1, length + 1)),)
        for payload in (b"", b"content")
    ]


def outlived() -> dict[str, Any]:
    """A seal that outlives its key: its entry, the rotation at 2, and the log's checkpoint over both."""
    domain, identity_id, key = Domain.named("DUALSEAL"), identity("DUALSEAL", 0), bytes(range(32))
    made = dual(domain, key, SEEDS[0], identity_id, b"content")
    head, entries = krunica.Head(), []
    for minute, message in enumerate(("first", seal.chain_message(domain, made), "third")):
        entry, head = krunica.append(head, identity_id, message, time(minute))
        entries.append(entry)
    keys = [
        ring_key(identity_id, SEEDS[1], "current", 2, None),
        ring_key(identity_id, SEEDS[0], "retired", 0, 2),
    ]
    log = identity("DUALSEAL", 9)
    fields = checkpoint.make(domain, SEEDS[2], "log.example/krunica", log, time(50), head)
    fields["potpis"] = deterministic(SEEDS[2], krunica.checkpoint_statement(domain, fields)).hex()
    return {
        "domain": "DUALSEAL",
        "seal_key_hex": key.hex(),
        "identity_id": identity_id,
        "payload_hex": b"content".hex(),
        "seal": str(made),
        "ring": {"keys": keys, "origin": "log.example/krunica", "revision": 2},
        "chain": entries,
        "checkpoint": fields,
        "expected": {"no place": "retired key", "0": "retired key", "1": None, "2": "retired key"},
    }


def ring_key(identity_id: str, seed: bytes, role: str, seq: int, retired: int | None) -> dict[str, Any]:
    """A key of a public ring, whose salt is any to whoever has not the ring key."""
    return {
        "algoritam": "ML-DSA-65",
        "bela_stanje": "istina",
        "generirano": time(1),
        "identity_id": identity_id,
        "javni_kljuc": primitives.public_key_of_seed(seed).hex(),
        "opozvan_od": None,
        "povijest": [[seq, "istina"]],
        "retired": retired,
        "role": role,
        "salt": primitives.h3(seed),
    }


def known_answers() -> dict[str, Any]:
    return {
        "about": "made by tests/second/make_seal_answers.py; formats: docs/FORMAT.md",
        "derived_keys": derived_keys(),
        "seals": seals(),
        "near_reserved": payloads(NEAR_RESERVED),
        "reserved": payloads(RESERVED),
        "legacy_keys": legacy_keys(),
        "outlived": outlived(),
    }


def text() -> str:
    return json.dumps(known_answers(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
