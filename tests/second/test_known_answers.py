"""The stored known answers are those that the script makes, and their formulas are recomputed here from scratch."""

from __future__ import annotations

import hashlib
from pathlib import Path

import make_known_answers
from dualseal_second import primitives
from dualseal_second.encodings import parse

STORED = Path(__file__).parent.parent / "vectors" / "known_answers.json"


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_known_answers.text()


def test_formulas_written_out() -> None:
    answers = parse(STORED.read_bytes())
    for case in answers["identifiers"]:
        name, content = case["domain"], bytes.fromhex(case["content_hex"])
        preimage = f"{name}-ID::".encode() + content + f"::{case['creator']}::{case['context']}::{name}".encode()
        assert case["identity_id"] == hashlib.sha3_256(preimage).hexdigest()
    for case in answers["vault_identifiers"]:
        name = case["domain"]
        text = f"{name}-VAULT::{case['payload_hex']}::{case['creator']}::{case['context']}::{case['seq']}::{name}"
        assert case["vault_id"] == hashlib.sha3_256(text.encode()).hexdigest()
    for index, entry in enumerate(answers["chain"]["entries"]):
        text = f"{entry['w3']}|{entry['poruka']}|{entry['prev']}|{index}"
        assert entry["h"] == hashlib.sha3_512(text.encode()).hexdigest()
        assert answers["chain"]["krunica_hashes"][index] == hashlib.sha3_256(entry["h"].encode()).hexdigest()


def test_signatures_verify() -> None:
    answers = parse(STORED.read_bytes())
    signed = [(answers["records"][0]["record"], answers["records"][0]["statement"])]
    signed.append((answers["checkpoints"][-1]["checkpoint"], answers["checkpoints"][-1]["statement"]))
    for record, statement in signed:
        key, potpis = bytes.fromhex(record["javni_kljuc"]), bytes.fromhex(record["potpis"])
        assert primitives.verifies(key, potpis, statement.encode())
        assert not primitives.verifies(key, potpis, statement.encode() + b" ")
