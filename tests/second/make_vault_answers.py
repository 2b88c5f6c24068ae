"""Prints known answers of the vault as JSON; tests/vectors/known_answers_vault.json is its output.

    python make_vault_answers.py > ../vectors/known_answers_vault.json

As make_known_answers.py: nothing is computed by the library that is tested with it, and every run gives the same.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from make_known_answers import NAMES, SEEDS, deterministic, time

from dualseal_second import ids, krunica, primitives, ring, shamir, shard, stream, vault
from dualseal_second.domain import Domain
from dualseal_second.encodings import canonical

MASTER = hashlib.sha3_256(b"known answer vault master").digest()
RING_KEY = hashlib.sha3_256(b"known answer vault ring key").digest()
TIER_SEEDS = {tier: hashlib.sha3_256(f"known answer {tier}".encode()).digest() for tier in ("noble", "native")}
ORIGIN = "log.example/vault"


def drawn(what: str, length: int = 32) -> bytes:
    return hashlib.shake_256(f"known answer vault {what}".encode()).digest(length)


def payload(length: int) -> bytes:
    return (bytes(range(251)) * (length // 251 + 1))[:length]


def schedule(name: str, identity_id: str) -> dict[str, Any]:
    domain = Domain.named(name)
    return {
        "key_id": vault.key_id(domain, MASTER),
        "keys_hex": {
            purpose: vault.derived(domain, MASTER, purpose, identity_id).hex()
            for purpose in ("L2", "L7", "L8", "L5A", "SHARD")
        },
    }


def documents(name: str) -> list[dict[str, Any]]:
    """What is sealed: type, payload, encryption, tier, and what the perimeter reported."""
    cases = [
        ("DEED", payload(0), True, "native", ""),
        ("MINUTES", payload(300), False, "public", "203.0.113.7\tpassed\n\u202e\U0001f600"),
        ("Ugovor č. 7", payload(2 * stream.CHUNK), True, "noble", ":: \" \\ \x00"),
        ("WILL", payload(stream.CHUNK + 1), True, "public", ""),
    ]
    return [
        {"type": kind, "payload": data, "encrypted": encrypted, "tier": tier, "note": note, "name": f"{name} {seq}"}
        for seq, (kind, data, encrypted, tier, note) in enumerate(cases)
    ]


def ledger(name: str) -> dict[str, Any]:
    """A ring entry, four records, a split of the first one's secret, and its erasure, which ends the splits."""
    domain = Domain.named(name)
    identity_id = ids.identity_id(domain, b"", "archive", "")
    ledger_id = drawn(f"{name} ledger").hex()
    key = {
        "algoritam": "ML-DSA-65",
        "bela_stanje": "istina",
        "generirano": time(0),
        "identity_id": identity_id,
        "javni_kljuc": primitives.public_key_of_seed(SEEDS[0]).hex(),
        "opozvan_od": None,
        "povijest": [[0, "istina"]],
        "retired": None,
        "role": "current",
    }
    first = {"keys": [key], "origin": ORIGIN, "revision": 1}
    message = ring.change_message(domain, RING_KEY, krunica.Head().top, identity_id, first)
    entry, head = krunica.append(krunica.Head(), identity_id, message, time(0))
    chain, prev = [entry], vault.ZEROS
    records: list[dict[str, Any]] = []
    decoys: list[dict[str, Any]] = []

    def keep(document: dict[str, Any], stored: bytes) -> None:
        nonlocal head, prev
        seq = len(records)
        seed = TIER_SEEDS.get(document["tier"])
        owner = vault.Owner(domain, MASTER, SEEDS[0], identity_id, document["tier"], seed, deterministic)
        place = vault.Place(ledger_id, seq, prev, head, time(seq + 1), document["note"])
        tag = drawn(f"{name} {seq} tag", 16)
        record, head = vault.make(owner, place, stored, document["type"], encrypted=document["encrypted"], tag=tag)
        chain.append({member: value for member, value in record["L8"].items() if member != "seq"})
        prev = record["sealed"]["layers"]["L0"]["hash"]
        trap = bytes.fromhex(record["L7"]["fragment"])
        decoy = primitives.h3(primitives.public_key_of_seed(trap))
        decoy_key = {"bela_stanje": "oboje", "generirano": time(seq + 1), "javni_kljuc": decoy, "role": "decoy"}
        decoys.append(key | decoy_key | {"povijest": [[record["L8"]["seq"], "oboje"]]})
        records.append(
            {
                "type": document["type"],
                "tier": document["tier"],
                "note": document["note"],
                "created_at": time(seq + 1),
                "payload_length": len(document["payload"]),
                "payload_sha3_256": hashlib.sha3_256(document["payload"]).hexdigest(),
                "secret_hex": document.get("secret", b"").hex(),
                "salt_hex": document.get("salt", b"").hex(),
                "tag_hex": tag.hex(),
                "stored_hex": stored.hex() if seq == 0 or document["type"] == vault.ERASURE else None,
                "stored_sha3_256": hashlib.sha3_256(stored).hexdigest(),
                "sealed_json_sha3_256": hashlib.sha3_256(canonical(record["sealed"])).hexdigest(),
                "decoy_sha3_256": decoy,
                "record_json_sha3_256": hashlib.sha3_256(canonical(record)).hexdigest(),
                "record": record if seq == 0 or document["type"] == vault.ERASURE else None,
            }
        )

    for document in documents(name):
        stored = document["payload"]
        if document["encrypted"]:
            document |= {what: drawn(f"{document['name']} {what}") for what in ("secret", "salt")}
            stored = stream.encrypt(domain, document["secret"], identity_id, document["type"], document["salt"], stored)
        keep(document, stored)
    splits = [drawn(f"{name} split {number}").hex() for number in range(2)]
    erased = records[0]["record"]["sealed"]["header"]["vault_id"]
    shard_key = vault.derived(domain, MASTER, "SHARD", identity_id)

    def split(previous: str, split_id: str) -> None:
        nonlocal head
        message = shard.split_message(domain, shard_key, erased, previous, split_id, head.top)
        entry, head = krunica.append(head, identity_id, message, time(5))
        chain.append(entry)

    # The first was committed, the other only prepared.
    split(shard.NO_SPLIT, splits[0])
    erasure = vault.erasure_payload(erased, splits)
    keep({"type": vault.ERASURE, "payload": erasure, "encrypted": False, "tier": "native", "note": ""}, erasure)
    split(splits[0], shard.NO_SPLIT)
    decoys.sort(key=lambda decoy: decoy["javni_kljuc"])
    whole = ring.sealed(domain, RING_KEY, first | {"keys": [key, *decoys]}, head.size, head.top)
    ring.check(domain, ring.parse_ring(whole), RING_KEY, chain)
    anchor = shard.anchor(domain, erased, drawn(f"{name} 0 secret"))
    dealt = [int.from_bytes(drawn(f"{name} 0 {what}"), "big") for what in ("secret", "coefficient")]
    of = [drawn(f"{name} {what}").hex() for what in ("dealing", "dealing's split")]
    dealing, shares = shamir.dealing(domain, shamir.BINARY, *of, dealt, 3)
    return {
        "domain": name,
        "identity_id": identity_id,
        "ledger": ledger_id,
        "seed_hex": SEEDS[0].hex(),
        "tier_seeds_hex": {tier: seed.hex() for tier, seed in TIER_SEEDS.items()},
        "master_hex": MASTER.hex(),
        "schedule": schedule(name, identity_id),
        "ring_key_hex": RING_KEY.hex(),
        "ring": whole,
        "chain": chain,
        "splits": splits,
        "first_anchor": anchor,
        "first_dealing": dealing,
        "first_shares": shares,
        "records": records,
    }


def known_answers() -> dict[str, Any]:
    return {
        "about": "made by tests/second/make_vault_answers.py; formats: docs/FORMAT.md section 15",
        "payloads": "bytes 0 to 250 over and over, cut to payload_length",
        "ledgers": [ledger(name) for name in NAMES],
    }


def text() -> str:
    return json.dumps(known_answers(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
