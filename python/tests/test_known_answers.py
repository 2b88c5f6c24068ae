"""Every answer of tests/vectors/known_answers.json, which other implementations computed, by the wheel. Rust, C and Go
read the same file."""

from __future__ import annotations

import json
from typing import Any

from dualseal import (
    CheckedRing,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Domain,
    Entry,
    Head,
    HighWaterMark,
    KeyRing,
    KeyState,
    Krunica,
    Pins,
    PublicRing,
    RingKey,
    SignatureRecord,
    Signer,
    SigningKey,
    Verifier,
    message_hash,
)

from known import read, sha3

ANSWERS = read("known_answers.json")
# What Python has no function of: parts of what it does, which entries and records show as a whole.
INNER = {"hmac", "hkdf"}
READ = {
    "about",
    "identifiers",
    "vault_identifiers",
    "content_hashes",
    "bindings",
    "chain",
    "checkpoints",
    "ring",
    "mldsa",
    "records",
}


def answers(name: str, count: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ANSWERS[name]
    assert len(found) == count
    return found


def line(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(entry.to_json_line())
    return found


def append(chain: Krunica, domain: Domain, expected: dict[str, Any]) -> None:
    entry = chain.append(domain, expected["w3"], expected["poruka"], expected["t"])
    assert line(entry) == expected


def test_no_answer_is_left_out() -> None:
    assert set(ANSWERS) == READ | INNER


def test_identifiers_and_hashes() -> None:
    for case in answers("identifiers", 12):
        content = bytes.fromhex(case["content_hex"])
        found = Domain(case["domain"]).identity_id(content, case["creator"], case["context"])
        assert found == case["identity_id"]
    for case in answers("vault_identifiers", 12):
        payload = bytes.fromhex(case["payload_hex"])
        found = Domain(case["domain"]).vault_id(payload, case["creator"], case["context"], case["seq"])
        assert found == case["vault_id"]
    for case in answers("content_hashes", 12):
        content = bytes.fromhex(case["content_hex"])
        assert Domain(case["domain"]).content_hash(case["identity_id"], content).hash == case["sadrzaj_hash"]
    for case in answers("bindings", 8):
        hashed = message_hash(bytes.fromhex(case["message_hex"]))
        assert hashed == case["message_hash"]
        assert Domain(case["domain"]).threshold_binding(case["session_id"], hashed) == case["binding"]


def test_the_chain() -> None:
    entries, roots, handles = (ANSWERS["chain"][name] for name in ("entries", "roots", "krunica_hashes"))
    assert (len(entries), len(roots), len(handles)) == (5, 6, 5)
    chain = Krunica()
    assert chain.head.root == roots[0]
    for expected, root, handle in zip(entries, roots[1:], handles, strict=True):
        append(chain, Domain(), expected)
        assert (chain.head.root, chain[len(chain) - 1].krunica_hash) == (root, handle)
    assert Krunica.from_json(json.dumps(entries)).head == chain.head
    assert chain.to_list() == entries


def test_checkpoints() -> None:
    complete = 0
    for case in answers("checkpoints", 3):
        expected, domain = case["checkpoint"], Domain(case["domain"])
        key = SigningKey.from_seed(bytes.fromhex(case["seed_hex"]))
        chain = Krunica()
        for entry in ANSWERS["chain"]["entries"][: expected["size"]]:
            append(chain, domain, entry)
        assert (chain.head.root, chain.head.top) == (expected["root"], expected["top"])
        # The ring that one states is of no log: the mark has what of it is signed.
        mark = HighWaterMark.from_dict({name: expected[name] for name in ("origin", "ring", "root", "size", "top")})
        signer = CheckpointSigner(domain, expected["origin"], expected["identity_id"], key, note_key=expected["nota"])
        made = signer.sign(mark, time=expected["time"]).to_dict()
        assert {name: made[name] for name in expected if name not in ("potpis", "javni_kljuc")} == {
            name: value for name, value in expected.items() if name not in ("potpis", "javni_kljuc")
        }
        if "potpis" in expected:
            assert sha3(bytes.fromhex(expected["potpis"])) == case["deterministic_signature_sha3_256"]
            pins = Pins(
                origin=expected["origin"],
                identity_id=expected["identity_id"],
                key_hash=key.public_key.hash,
                least_size=5,
            )
            CheckpointVerifier(domain, pins).verify(Checkpoint.from_dict(expected)).verified()
            complete += 1
    assert complete == 1


def test_the_ring() -> None:
    answer = ANSWERS["ring"]
    domain, identity = Domain(answer["domain"]), answer["identity_id"]
    seeds = answer["seeds_hex"]
    keys = [SigningKey.from_seed(bytes.fromhex(seed)) for seed in seeds]
    ring = CheckedRing(answer["ring"]["origin"], RingKey(domain, bytes.fromhex(answer["ring_key_hex"])))
    head, changes = Head.EMPTY, iter(answer["changes"])
    assert (len(keys), len(answer["changes"]), len(answer["chain"])) == (3, 4, 6)
    for expected in answer["chain"]:
        time, message = expected["t"], expected["poruka"]
        if message == "sealed":
            entry, head = head.append(domain, identity, message, time)
        elif "::SIGNED::" in message:
            signed = Signer(domain, identity, keys[0]).sign(b"ring", head=head, time=time, deterministic=True)
            entry, head = signed.entry, signed.head
            ring.follow(entry, masters=[])
        else:
            change = next(changes)
            assert change["poruka"] == message
            match change["change"]:
                case "add":
                    entry, head = ring.add(identity, keys[0].public_key, head=head, time=time)
                case "rotate":
                    entry, head = ring.rotate(identity, keys[1].public_key, head=head, time=time)
                case "bela":
                    entry, head = ring.set_state(identity, KeyState.DECOY, head=head, time=time)
                case "revoke":
                    entry, head = ring.set_state(
                        identity,
                        KeyState.REVOKED,
                        head=head,
                        time=time,
                        key_hash=keys[0].public_key.hash,
                        compromised_from=change["opozvan_od"],
                    )
                case other:
                    raise AssertionError(other)
            assert ring.revision == change["revision"]
        assert line(entry) == expected
    assert next(changes, None) is None
    # The decoy's record is the last entry.
    ring.add_decoy(keys[2].public_key, entry)
    stored = ring.to_stored_json(head)
    assert json.loads(stored) == answer["ring"]
    assert sha3(stored.encode()) == answer["ring_json_sha3_256"]
    public = ring.public()
    assert sha3(public.to_json().encode()) == answer["public_ring_json_sha3_256"]
    assert public.root == answer["ring_root"]
    assert PublicRing.from_json(json.dumps(answer["public_ring"])) == public


def test_keys() -> None:
    for case in answers("mldsa", 3):
        key = SigningKey.from_seed(bytes.fromhex(case["seed_hex"]))
        assert key.public_key.hash == case["public_key_sha3_256"]


def test_records() -> None:
    complete = 0
    for case in answers("records", 2):
        domain, key = Domain(case["domain"]), SigningKey.from_seed(bytes.fromhex(case["seed_hex"]))
        first, second = case["chain"]
        chain = Krunica()
        append(chain, domain, first)
        signed = Signer(domain, second["w3"], key).sign(
            bytes.fromhex(case["content_hex"]), head=chain.head, time=second["t"], deterministic=True
        )
        assert line(signed.entry) == second
        assert sha3(signed.record.signature) == case["deterministic_signature_sha3_256"]
        assert sha3(signed.record.to_json().encode()) == case["record_json_sha3_256"]
        if case["record"] is not None:
            assert signed.record == SignatureRecord.from_json(json.dumps(case["record"]))
            ring = KeyRing.pinned(second["w3"], key.public_key)
            content = bytes.fromhex(case["content_hex"])
            Verifier(domain, ring).verify(record=signed.record, signer=second["w3"], content=content).verified()
            complete += 1
    assert complete == 1
