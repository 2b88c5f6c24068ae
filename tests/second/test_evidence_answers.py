"""The stored answers are those that the script makes, and a few of them are recomputed here from scratch."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import make_evidence_answers
import make_evidence_files
import pytest
from dualseal_second.encodings import parse

STORED = Path(__file__).parent.parent / "vectors" / "known_answers_evidence.json"
ANSWERS = parse(STORED.read_bytes())


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_evidence_answers.text()
    assert STORED.with_name("evidence_files.tsv").read_text(encoding="utf-8") == make_evidence_files.text()


@pytest.mark.parametrize("log", ANSWERS["logs"], ids=lambda log: str(log["domena"]))
def test_fingerprints_written_out(log: dict[str, Any]) -> None:
    stated = log["states"][0]["checkpoint"]
    text = f"{log['krunica_prefix']}::LOG::{stated['origin']}::{stated['identity_id']}::DUALSEAL"
    whole = text.encode() + bytes.fromhex(stated["javni_kljuc"])
    assert hashlib.sha3_256(whole).hexdigest() == log["fingerprint"]


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(leaves: list[bytes]) -> bytes:
    """By pairs, an odd one out going up as it is."""
    level = [hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]
    while len(level) > 1:
        pairs = [node(*level[at : at + 2]) if at + 1 < len(level) else level[at] for at in range(0, len(level), 2)]
        level = pairs
    return level[0]


def climbed(leaf: bytes, seq: int, size: int, path: list[str]) -> bytes:
    """Up the path, past the levels on which the leaf's subtree is the odd one out."""
    hashed, hashes = hashlib.sha256(b"\0" + leaf).digest(), [bytes.fromhex(one) for one in path]
    last = size - 1
    while last:
        if seq % 2:
            hashed = node(hashes.pop(0), hashed)
        elif seq < last:
            hashed = node(hashed, hashes.pop(0))
        seq, last = seq // 2, last // 2
    assert not hashes
    return hashed


@pytest.mark.parametrize("log", ANSWERS["logs"], ids=lambda log: str(log["domena"]))
def test_paths_written_out(log: dict[str, Any]) -> None:
    leaves = [
        f'{{"h":"{entry["h"]}","seq":{seq},"t":"{entry["t"]}"}}'.encode() for seq, entry in enumerate(log["chain"])
    ]
    for state in log["states"]:
        stated = state["checkpoint"]
        size, root = stated["size"], bytes.fromhex(stated["root"])
        assert root_of(leaves[:size]) == root
        assert state["note"].split("\n")[:3] == [stated["origin"], str(size), base64.b64encode(root).decode()]
        for file, record in zip(state["files"], log["records"], strict=True):
            assert climbed(leaves[record["seq"]], record["seq"], size, file["path"]) == root
            assert file["report"]["as_of"]["place"] == record["seq"]


def test_every_state_and_date_is_among_them() -> None:
    states = [state for log in ANSWERS["logs"] for state in log["states"]]
    reports = [file["report"] for state in states for file in state["files"]]
    assert {report["state"] for report in reports} == {"istina", "laz", "nijedno"}
    dates = {(report["as_of"]["opozvan_od"] is None, report["as_of"]["claimed"]) for report in reports}
    assert dates == {(True, False), (False, False), (False, True)}
    # The second of three times.
    assert {report["before"] for report in reports} == {"2026-11-21T11:50:00.000Z"}
