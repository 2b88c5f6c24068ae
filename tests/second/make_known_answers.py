"""Prints known answers of the byte formats as JSON; tests/vectors/known_answers.json is its output.

    python make_known_answers.py > ../vectors/known_answers.json

Everything is computed by hashlib, hmac, pyca/cryptography and dilithium-py, nothing by the library that is tested with
it, and the output is the same in every run: inputs are fixed, and the ML-DSA-65 signatures are the deterministic ones.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from dilithium_py.ml_dsa import ML_DSA_65  # type: ignore[import-untyped]

from dualseal_second import ids, krunica, primitives, ring, signature, store, tree
from dualseal_second.domain import Domain
from dualseal_second.encodings import canonical

NAMES = ("DUALSEAL", "ACME")
SEEDS = tuple(hashlib.sha3_256(f"known answer seed {i}".encode()).digest() for i in range(3))
SHORT_TEXT = (
    ("", ""), ("alice", "demo"), ("a:", "b:c"), ("Željko Đurić", "ugovor 2026"), ("e\u0301", "\u00e9"), ("😀", ""),
)  # fmt: skip
SECRETS = ((b"ana", b"stored"), (b"bo", b"stored too"), (b"ana", b""))
CONTENTS = (b"", b"hello", b"a::b::c", bytes(range(256)), "čćžšđ 漢字 😀".encode(), b"x" * 1000)


def time(minute: int) -> str:
    return f"2026-11-21T09:{minute:02}:00.000Z"


def deterministic(seed: bytes, message: bytes) -> bytes:
    """By dilithium-py, and only if pyca accepts it under the key that it derives itself."""
    public_key, secret_key = ML_DSA_65.key_derive(seed)
    signed: bytes = ML_DSA_65.sign(secret_key, message, ctx=b"", deterministic=True)
    assert public_key == primitives.public_key_of_seed(seed)
    assert primitives.verifies(public_key, signed, message)
    return signed


def identifiers() -> list[dict[str, Any]]:
    return [
        {
            "domain": name,
            "content_hex": content.hex(),
            "creator": creator,
            "context": context,
            "identity_id": ids.identity_id(Domain.named(name), content, creator, context),
        }
        for name in NAMES
        for content, (creator, context) in zip(CONTENTS, SHORT_TEXT)
    ]


def vault_identifiers() -> list[dict[str, Any]]:
    sequence = (0, 1, 9, 10, 2**32, 2**53 - 1)
    return [
        {
            "domain": name,
            "payload_hex": payload.hex(),
            "creator": creator,
            "context": context,
            "seq": seq,
            "vault_id": ids.vault_id(Domain.named(name), payload, creator, context, seq),
        }
        for name in NAMES
        for payload, (creator, context), seq in zip(CONTENTS, SHORT_TEXT, sequence)
    ]


def content_hashes() -> list[dict[str, Any]]:
    return [
        {
            "domain": name,
            "identity_id": identity,
            "content_hex": content.hex(),
            "sadrzaj_hash": ids.content_hash(Domain.named(name), identity, content),
        }
        for name in NAMES
        for content in CONTENTS
        for identity in (hashlib.sha3_256(content).hexdigest(),)
    ]


def bindings() -> list[dict[str, Any]]:
    return [
        {
            "domain": name,
            "session_id": session,
            "message_hex": message.hex(),
            "message_hash": hashlib.sha3_512(message).hexdigest(),
            "binding": ids.binding(Domain.named(name), session, message),
        }
        for name in NAMES
        for message in CONTENTS[:4]
        for session in (hashlib.sha3_256(b"session" + message).hexdigest(),)
    ]


def macs() -> list[dict[str, Any]]:
    """Key lengths on both sides of the block sizes: 72 bytes for SHA3-512, 136 for SHA3-256, 64 for SHA-256."""
    return [
        {
            "hash": label,
            "key_hex": key.hex(),
            "message_hex": message.hex(),
            "mac_hex": hmac.new(key, message, algorithm).hexdigest(),
        }
        for label, algorithm in (("SHA3-512", "sha3_512"), ("SHA3-256", "sha3_256"), ("SHA-256", "sha256"))
        for length in (0, 1, 32, 64, 65, 71, 72, 73, 135, 136, 137, 200)
        for key in (bytes(range(length)),)
        for message in (b"", b"message" * 30)
    ]


def hkdfs() -> list[dict[str, Any]]:
    cases = (
        (bytes(32), b"", b"", 32),
        (bytes(range(32)), b"", b"DUALSEAL-SEAL::KDF::info", 64),
        (bytes(range(200)), b"", b"i" * 200, 64),
        (bytes(range(66)), bytes(range(32)), b"salted", 64),
        (bytes(range(32)), bytes(range(200)), b"salt longer than the block", 65),
        (b"", b"s", b"every block", 255 * 32),
        (bytes(range(32)), b"", b"one", 1),
    )
    return [
        {
            "ikm_hex": ikm.hex(),
            "salt_hex": salt.hex(),
            "info_hex": info.hex(),
            "length": length,
            **output("okm", HKDF(hashes.SHA3_256(), length, salt, info).derive(ikm)),
        }
        for ikm, salt, info, length in cases
    ]


def output(name: str, value: bytes) -> dict[str, str]:
    """Long outputs as their hash."""
    if len(value) <= 100:
        return {f"{name}_hex": value.hex()}
    return {f"{name}_sha3_256": hashlib.sha3_256(value).hexdigest()}


def chain() -> dict[str, Any]:
    messages = ("", "hello", "a|b|c", 'quote " \\ \n \u0000 tab \t', "čćžšđ 漢字 😀 e\u0301")
    head, entries, roots = krunica.Head(), [], [krunica.Head().root]
    for index, message in enumerate(messages):
        w3 = hashlib.sha3_256(bytes([index % 2])).hexdigest()
        entry, head = krunica.append(head, w3, message, time(index))
        entries.append(entry)
        roots.append(head.root)
    handles = [krunica.krunica_hash(entry["h"]) for entry in entries]
    return {"entries": entries, "roots": roots, "krunica_hashes": handles}


def checkpoints(entries: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Of the chain's first entries; the last one is complete, the others leave out the long members."""
    domain, all_heads = Domain.named("DUALSEAL"), krunica.heads(entries)
    result = []
    for size in (0, 1, len(entries)):
        head = all_heads[size]
        # The ring and the note's key are any: who signs states them.
        stated = {"revision": size, "root": hashlib.sha256(b"ring").hexdigest()} if size else None
        nota = hashlib.sha256(b"note").hexdigest() if size == 1 else None
        fields: dict[str, Any] = head.stated(stated, nota) | {
            "origin": "log.example/krunica čš",
            "time": time(50),
            "identity_id": hashlib.sha3_256(b"log").hexdigest(),
            "algoritam": "ML-DSA-65",
        }
        statement = krunica.checkpoint_statement(domain, fields)
        potpis = deterministic(SEEDS[2], statement)
        if size == len(entries):
            fields |= {"javni_kljuc": primitives.public_key_of_seed(SEEDS[2]).hex(), "potpis": potpis.hex()}
        result.append(
            {
                "domain": "DUALSEAL",
                "seed_hex": SEEDS[2].hex(),
                "statement": statement.decode(),
                "deterministic_signature_sha3_256": hashlib.sha3_256(potpis).hexdigest(),
                "checkpoint": fields,
            }
        )
    return result


def key_entry(identity: str, seed: bytes, seq: int, generated: str) -> dict[str, Any]:
    """A current key that the entry at `seq` brought."""
    return {
        "algoritam": "ML-DSA-65",
        "bela_stanje": "istina",
        "generirano": generated,
        "identity_id": identity,
        "javni_kljuc": primitives.public_key_of_seed(seed).hex(),
        "opozvan_od": None,
        "povijest": [[seq, "istina"]],
        "retired": None,
        "role": "current",
    }


def ring_history() -> dict[str, Any]:
    """add, a signature's entry, rotate, bela oboje, a revocation of the old key, and a decoy: a whole small ring with
    its chain and its file."""
    domain, ring_key = Domain.named("DUALSEAL"), bytes(range(32))
    identity = ids.identity_id(domain, b"ring", "known answers", "")
    content_hash = ids.content_hash(domain, identity, b"ring")
    first = key_entry(identity, SEEDS[0], 0, time(10))
    second = key_entry(identity, SEEDS[1], 2, time(12))
    retired = first | {"retired": 2, "role": "retired"}
    trapped = second | {"bela_stanje": "oboje", "povijest": [[2, "istina"], [3, "oboje"]]}
    revoked = retired | {"bela_stanje": "laz", "opozvan_od": 1, "povijest": [[0, "istina"], [4, "laz"]]}
    changes = (
        ("add", time(10), [first]),
        ("rotate", time(12), [second, retired]),
        ("bela", time(13), [trapped, retired]),
        ("revoke", time(14), [trapped, revoked]),
    )
    head, entries, tags = krunica.Head(), [], []
    for revision, (change, when, keys) in enumerate(changes, start=1):
        after = {"keys": keys, "origin": "log.example/krunica", "revision": revision}
        message = ring.change_message(domain, ring_key, head.top, identity, after)
        entry, head = krunica.append(head, identity, message, when)
        covered = canonical(keys)
        tags.append(
            {
                "change": change,
                "revision": revision,
                "opozvan_od": 1 if change == "revoke" else None,
                "tag": ring.tag(domain, ring_key, revision, keys),
                "ring_root": ring.root(ring.public(domain, ring_key, after)),
                "poruka": entry["poruka"],
                "covered_json_length": len(covered),
                "covered_json_sha3_256": hashlib.sha3_256(covered).hexdigest(),
            }
        )
        entries.append(entry)
        if change == "add":
            message = signature.chain_message(domain, content_hash, bytes.fromhex(first["javni_kljuc"]))
            entry, head = krunica.append(head, identity, message, time(11))
            entries.append(entry)
    # What stands for the vault record whose decoy this is.
    entry, head = krunica.append(head, identity, "sealed", time(15))
    entries.append(entry)
    decoy = key_entry(identity, SEEDS[2], 5, time(15)) | {"bela_stanje": "oboje", "role": "decoy"}
    decoy |= {"javni_kljuc": primitives.h3(primitives.public_key_of_seed(SEEDS[2])), "povijest": [[5, "oboje"]]}
    whole = {"keys": [trapped, revoked, decoy], "origin": "log.example/krunica", "revision": 4}
    whole = ring.sealed(domain, ring_key, whole, head.size, head.top)
    assert ring.check(domain, ring.parse_ring(whole), ring_key, entries) == []
    shown = ring.parse_public(ring.public(domain, ring_key, whole))
    state, mark = kept(domain, ring_key, head, {"revision": 4, "root": ring.root(shown)})
    return {
        "domain": "DUALSEAL",
        "ring_key_hex": ring_key.hex(),
        "identity_id": identity,
        "seeds_hex": [seed.hex() for seed in SEEDS],
        "changes": tags,
        "chain": entries,
        "ring": whole,
        "public_ring": shown,
        "ring_root": ring.root(shown),
        "state_root": ring.state_root(whole),
        "ring_json_sha3_256": hashlib.sha3_256(canonical(whole)).hexdigest(),
        "public_ring_json_sha3_256": hashlib.sha3_256(canonical(shown)).hexdigest(),
        "state": json.loads(state),
        "mark": json.loads(mark),
    }


def kept(domain: Domain, ring_key: bytes, head: krunica.Head, stated: dict[str, Any]) -> tuple[bytes, bytes]:
    """What an operator keeps beside that ring and chain."""
    nodes = [node.hex() for node in tree.frontier(list(head.leaves))]
    secrets = {"size": 0, "top": store.ZEROS}
    for row, stored in SECRETS:
        secrets = store.with_secret(secrets, (b"identities", row, b"signing-seed"), stored)
    state = {
        "checkpoint": {"hash": hashlib.sha3_256(b"checkpoint").hexdigest(), "size": 3},
        "head": {"frontier": nodes, "size": head.size, "top": head.top},
        "ledgers": [
            {"ledger": "0f" * 32, "size": 0, "top": store.ZEROS},
            {"ledger": "f0" * 32, "size": 7, "top": hashlib.sha3_256(b"L0").hexdigest()},
        ],
        "secrets": secrets,
        "verzija": "1",
    }
    origin = "log.example/krunica"
    mark = {"origin": origin, "ring": stated, "root": head.root, "size": head.size, "top": head.top}
    texts = store.seal_state(domain, ring_key, origin, state), store.seal_mark(domain, ring_key, mark)
    assert store.open_state(domain, ring_key, origin, texts[0]) == state
    assert store.open_mark(domain, ring_key, origin, texts[1]) == mark
    return texts


def records() -> list[dict[str, Any]]:
    """One record in each domain, each the second entry of a chain; the second leaves out its long members."""
    result = []
    for name, seed, content in zip(NAMES, SEEDS, (CONTENTS[4], b"")):
        domain = Domain.named(name)
        identity = ids.identity_id(domain, content, "", "")
        first, head = krunica.append(krunica.Head(), identity, "first", time(20))
        record, entry, _ = signature.make(domain, seed, identity, content, time(21), head)
        statement = signature.statement(domain, record)
        record["potpis"] = deterministic(seed, statement).hex()
        signature_hash = hashlib.sha3_256(bytes.fromhex(record["potpis"])).hexdigest()
        result.append(
            {
                "domain": name,
                "seed_hex": seed.hex(),
                "content_hex": content.hex(),
                "chain": [first, entry],
                "statement": statement.decode(),
                "deterministic_signature_sha3_256": signature_hash,
                "record_json_sha3_256": hashlib.sha3_256(canonical(record)).hexdigest(),
                "record": record if name == NAMES[0] else None,
            }
        )
    return result


def mldsa(statements: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "seed_hex": seed.hex(),
            "public_key_sha3_256": hashlib.sha3_256(primitives.public_key_of_seed(seed)).hexdigest(),
            "message_hex": message.encode().hex(),
            "deterministic_signature_sha3_256": hashlib.sha3_256(deterministic(seed, message.encode())).hexdigest(),
        }
        for seed, message in zip(SEEDS, statements)
    ]


def known_answers() -> dict[str, Any]:
    the_chain, the_records = chain(), records()
    statements = [item["statement"] for item in the_records]
    return {
        "about": "made by tests/second/make_known_answers.py; formats: docs/FORMAT.md",
        "identifiers": identifiers(),
        "vault_identifiers": vault_identifiers(),
        "content_hashes": content_hashes(),
        "bindings": bindings(),
        "hmac": macs(),
        "hkdf": hkdfs(),
        "chain": the_chain,
        "checkpoints": checkpoints(the_chain["entries"]),
        "ring": ring_history(),
        "mldsa": mldsa([*statements, statements[0]]),
        "records": the_records,
    }


def text() -> str:
    return json.dumps(known_answers(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
