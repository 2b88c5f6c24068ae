"""Prints known answers of threshold signing, shards and presence; its output is known_answers_quorum.json.

    python make_quorum_answers.py > ../vectors/known_answers_quorum.json

As make_known_answers.py: other libraries, fixed inputs, deterministic ML-DSA-65 signatures. What the library draws is
listed as `drawn_hex`, in the order in which it draws.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from make_known_answers import deterministic, time

from dualseal_second import ids, krunica, presence, primitives, shard, threshold
from dualseal_second.domain import Domain
from dualseal_second.shamir import BINARY, PRIME

NAMES = ("DUALSEAL", "ACME")


def drawn(name: str, length: int) -> bytes:
    return hashlib.shake_256(f"known quorum answer {name}".encode()).digest(length)


def prime_element(name: str) -> int:
    """As the library draws it: 66 bytes, of which 521 bits are kept."""
    return int.from_bytes(drawn(name, 66), "big") % 2**521


def people(domain: Domain, count: int) -> list[str]:
    return [ids.identity_id(domain, b"", f"custodian {number}", "") for number in range(1, count + 1)]


def sessions() -> list[dict[str, Any]]:
    """Founded, a signing with a bad share, dealt anew, and a signing with the new shares."""
    return [session(name, kind) for name in NAMES for kind in (threshold.HMAC, threshold.MLDSA)]


def session(name: str, kind: str) -> dict[str, Any]:
    domain, label = Domain.named(name), f"{name} {kind}"
    founder, board = ids.identity_id(domain, b"", "founder", ""), ids.identity_id(domain, b"", "board", "")
    requester, message = ids.identity_id(domain, b"", "secretary", ""), f"resolution of {name}".encode()
    seed = drawn(f"{label} seed", 32)
    public_key = primitives.public_key_of_seed(seed)
    of_second_kind = kind == threshold.MLDSA
    secret = int.from_bytes(seed, "big") if of_second_kind else prime_element(f"{label} secret")
    quorum = (board, public_key) if of_second_kind else None
    session_id = drawn(f"{label} session", 32).hex()
    first, head = krunica.append(krunica.Head(), founder, "opened", time(0))
    chain, deals, signings, records = [first], [], [], []
    for number, (k, n) in enumerate(((3, 5), (2, 4))):
        split_id = drawn(f"{label} split {number}", 32).hex()
        coefficients = [secret] + [prime_element(f"{label} coefficient {number} {i}") for i in range(1, k)]
        owners = people(domain, n)
        previous = records[-1]["split_id"] if records else None
        record, shares = threshold.deal(
            domain, kind, (session_id, split_id), coefficients, owners, time(10 * number + 1), quorum, previous
        )
        if number and of_second_kind:
            authority = deterministic(seed, threshold.succession(domain, record)).hex()
            record = threshold.parse_session(record | {"ovlast": authority})
        elif number:
            record = threshold.authorise(domain, record, secret)
        entry, head = krunica.append(head, founder, threshold.session_message(domain, record), time(10 * number + 1))
        chain.append(entry)
        records.append(record)
        begins = (seed if of_second_kind else drawn(f"{label} secret", 66)) + bytes.fromhex(session_id)
        draws = b"" if number else begins
        draws += bytes.fromhex(split_id)
        draws += b"".join(drawn(f"{label} coefficient {number} {i}", 66) for i in range(1, k))
        # The authority is signed without randomness.
        draws += bytes(32) if number and of_second_kind else b""
        deals.append({"k": k, "owners": owners, "drawn_hex": draws.hex(), "session": record, "shares": shares})
        signed = sign(domain, record, shares, message, requester, time(10 * number + 5), head, seed, number)
        chain.append(signed["entry"])
        head = krunica.advance(head, signed["entry"]["h"], signed["entry"]["t"])
        signings.append(signed)
    located = [krunica.Located("log", seq, entry) for seq, entry in enumerate(chain)]
    pinned = krunica.krunica_hash(chain[1]["h"])
    found = threshold.find(domain, session_id, pinned, located, records)
    assert (found.in_force, found.ignored) == (records[1], [])
    return {
        "domain": name,
        "founder": founder,
        "message_hex": message.hex(),
        "secret_hex": PRIME.encode(secret).hex(),
        "deals": deals,
        "signings": signings,
        "chain": chain,
    }


def sign(
    domain: Domain, record: dict[str, Any], shares: list[dict[str, Any]], message: bytes, requester: str, when: str,
    head: krunica.Head, seed: bytes, number: int,
) -> dict[str, Any]:  # fmt: skip
    """The first signing meets a share whose last digit was changed."""
    given = [dict(share) for share in shares[: record["k"] + 1]]
    if number == 0:
        value = given[1]["vrijednost_hex"]
        given[1]["vrijednost_hex"] = value[:-1] + f"{(int(value[-1], 16) + 1) % 16:x}"
    result, entry, _ = threshold.make(domain, record, given, message, requester, when, head)
    text = threshold.statement(domain, record, message, result)
    if record["algoritam"] == threshold.MLDSA:
        result["potpis"] = deterministic(seed, text).hex()
        assert threshold.verify_public(domain, record, message, result, bytes.fromhex(record["javni_kljuc"]))
    else:
        assert threshold.verify_with_shares(domain, record, message, result, shares[-record["k"] :])
    return {"requester": requester, "shares": given, "statement": text.decode(), "result": result, "entry": entry}


def vaults() -> list[dict[str, Any]]:
    """Split, and dealt anew with other numbers."""
    result = []
    for name in NAMES:
        domain = Domain.named(name)
        identity = ids.identity_id(domain, b"", "owner", "")
        vault = ids.vault_id(domain, b"stored bytes", identity, "CONTRACT", 3)
        master, secret = drawn(f"{name} master", 32), drawn(f"{name} vault secret", 32)
        head, chain, splits, previous = krunica.Head(), [], [], shard.NO_SPLIT
        shard_key = shard.shard_key(domain, master, identity)
        for number, (m, n) in enumerate(((3, 5), (2, 3))):
            split_id = drawn(f"{name} shard split {number}", 32).hex()
            raw = [drawn(f"{name} shard coefficient {number} {i}", 32) for i in range(1, m)]
            coefficients = [int.from_bytes(value, "big") for value in (secret, *raw)]
            urls = [f"https://node-{node}.example/{number}?č={node}" for node in range(1, n + 1)]
            shards = shard.deal(domain, master, (vault, identity), split_id, coefficients, urls)
            message = shard.split_message(domain, shard_key, vault, previous, split_id, head.top)
            entry, head = krunica.append(head, identity, message, time(30 + number))
            chain.append(entry)
            assert shard.walk(domain, shard_key, vault, chain).in_force == split_id
            previous = split_id
            asked = shard.request(vault, identity, "0" * 64, split_id, [one["shard_id"] for one in shards])
            assert shard.rebuild(domain, master, asked, "0" * 64, shards[-m:], split_id) == (secret, [], [])
            drawn_hex = bytes.fromhex(split_id) + b"".join(raw)
            splits.append({"m": m, "node_urls": urls, "drawn_hex": drawn_hex.hex(), "shards": shards, "entry": entry})
        result.append(
            {
                "domain": name,
                "identity_id": identity,
                "vault_id": vault,
                "master_hex": master.hex(),
                "shard_key_hex": shard_key.hex(),
                "recipient_key_hex": drawn(f"{name} recipient", 32).hex(),
                "secret_hex": BINARY.encode(int.from_bytes(secret, "big")).hex(),
                "splits": splits,
                "chain": chain,
            }
        )
    return result


def proofs(of: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of each operation, over the shards of the first splitting; and a signature over the bare challenge."""
    result = []
    for vault in of:
        domain, shards = Domain.named(vault["domain"]), vault["splits"][0]["shards"]
        urls = vault["splits"][1]["node_urls"]
        arguments: dict[str, dict[str, Any]] = {
            "rebuild": {},
            "repair": {"index": 4},
            "refresh": {"node_urls": urls},
            "rethreshold": {"m": 2, "n": 3, "node_urls": urls},
        }
        for op, args in arguments.items():
            seed = drawn(f"{vault['domain']} device {op}", 32)
            asked = {
                "op": op,
                "vault_id": vault["vault_id"],
                "split_id": shards[0]["split_id"],
                "shard_ids": sorted(each["shard_id"] for each in shards[:3]),
                "args": presence.args_hash(**args),
                "primatelj": presence.recipient(bytes.fromhex(vault["recipient_key_hex"])),
                "identity_id": vault["identity_id"],
                "nonce": drawn(f"{vault['domain']} nonce {op}", 32).hex(),
                "expiry": time(45),
            }
            hashed = presence.challenge(domain, asked)
            key = Ed25519PrivateKey.from_private_bytes(seed)
            result.append(
                {
                    "domain": vault["domain"],
                    "seed_hex": seed.hex(),
                    "arguments": args,
                    "challenge": hashed,
                    "statement": presence.statement(domain, hashed).decode(),
                    "proof": presence.answer(domain, asked, seed),
                    "signature_over_bare_challenge": key.sign(hashed.encode()).hex(),
                    "signature_over_challenge_bytes": key.sign(bytes.fromhex(hashed)).hex(),
                }
            )
    return result


def statements() -> list[dict[str, Any]]:
    """Of each kind but DROP, which only a chain gives; and a signature over the bare nonce."""
    result = []
    for name in NAMES:
        domain = Domain.named(name)
        identity = ids.identity_id(domain, b"", "owner", "")
        for kind, given, parts in (
            ("LOGIN", {"identity_id": identity, "tier": "noble"}, [identity, "noble"]),
            ("PEER", {"agent_id": "agent-7", "url": "https://agent.example/č"}, None),
            ("ALIVE", {"identity_id": identity, "stated": "I am here.\n"}, [identity, primitives.h3(b"I am here.\n")]),
        ):
            parts = parts or [primitives.h3(given["agent_id"].encode()), primitives.h3(given["url"].encode())]
            seed, nonce = drawn(f"{name} statement {kind}", 32), drawn(f"{name} statement nonce {kind}", 32).hex()
            text = presence.stated(domain, kind, "vault.example", parts, nonce, time(45))
            key = Ed25519PrivateKey.from_private_bytes(seed)
            result.append(
                {
                    "domain": name,
                    "kind": kind,
                    "audience": "vault.example",
                    **given,
                    "nonce": nonce,
                    "expiry": time(45),
                    "seed_hex": seed.hex(),
                    "statement": text.decode(),
                    "signature": key.sign(text).hex(),
                    "signature_over_bare_nonce": key.sign(nonce.encode()).hex(),
                }
            )
    return result


def known_answers() -> dict[str, Any]:
    the_vaults = vaults()
    return {
        "about": "made by tests/second/make_quorum_answers.py; formats: docs/FORMAT.md",
        "sessions": sessions(),
        "vaults": the_vaults,
        "proofs": proofs(the_vaults),
        "statements": statements(),
    }


def text() -> str:
    return json.dumps(known_answers(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
