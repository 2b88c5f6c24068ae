"""Files of evidence that the second implementation makes, and what is asked of them."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests" / "second"))

from dualseal_second import evidence, ids, key_proof, place, primitives  # noqa: E402
from dualseal_second.domain import DEFAULT  # noqa: E402
from evidence_log import Kept, Log, drawn  # noqa: E402

STORED = ROOT / "tests" / "vectors" / "known_answers_evidence.json"
INVOICE = b"%PDF-1.7 the invoice that was sent\n"
ACKNOWLEDGED = json.dumps(
    {"by": "Ana Anić", "hash": hashlib.sha256(INVOICE).hexdigest(), "invoice": "R-7/2026", "type": "RACUN"},
    ensure_ascii=False,
).encode()
SEED = drawn("the portal's seed")


@dataclass(frozen=True)
class Shown:
    """A file, the document that it is about, and the fingerprint of its log."""

    text: str
    document: bytes
    fingerprint: str
    key: str
    identity: str


def ended(kept: Kept, log: Log) -> Shown:
    text = evidence.write(log.show(kept, {"witness-1.example": 100})).decode()
    key = primitives.h3(primitives.public_key_of_seed(kept.seed))
    return Shown(text, kept.document, log.fingerprint(), key, kept.record["identity_id"])


@cache
def of_portal(state: str = "valid", document: bytes = ACKNOWLEDGED) -> Shown:
    """A seal by the portal, whose key came to be in this state."""
    log = Log(origin="portal.example/log")
    log.plain("founded")
    log.add("portal", SEED)
    kept = log.sealed("portal", SEED, document)
    log.plain("what follows")
    if state in ("revoked", "doubtful"):
        log.set_state(SEED, "laz", since=1)
    if state == "doubtful":
        log.set_state(SEED, "istina")
    if state == "suspended":
        log.set_state(SEED, "nijedno")
    return ended(kept, log)


def of_another_log() -> Shown:
    """What somebody makes who has a log of his own, with the same words in it."""
    log = Log(origin="portal.example/log", log_seed=drawn("another's log"))
    log.plain("founded")
    log.add("portal", drawn("another's seed"))
    return ended(log.sealed("portal", drawn("another's seed"), ACKNOWLEDGED), log)


@dataclass(frozen=True)
class Answered:
    """A file of the known answers, put together of its parts, and what must be said of it."""

    shown: Shown
    question: dict[str, Any]
    report: dict[str, Any]


def known_answers() -> list[Answered]:
    stored = json.loads(STORED.read_text("utf-8"))
    asked = {"witnesses": [one["key"] for one in stored["witnesses"]], "needed": stored["needed"]}
    made = []
    for log in stored["logs"]:
        by_hand = {"name": "DUALSEAL", "krunica": log["krunica_prefix"]} if log["domena"] is None else None
        question = asked | {"fingerprint": log["fingerprint"], "signer": None, "domain": by_hand}
        for state in log["states"]:
            chain = log["chain"][: state["checkpoint"]["size"]]
            for kept, file in zip(log["records"], state["files"], strict=True):
                made.append(Answered(put_together(log, state, chain, kept, file), question, file["report"]))
    return made


def put_together(log: Any, state: Any, chain: Any, kept: Any, file: Any) -> Shown:
    public_key = primitives.public_key_of_seed(bytes.fromhex(kept["seed_hex"]))
    own = None if "javni_kljuc" in kept["record"] else public_key.hex()
    places = [place.prove(chain, state["checkpoint"], seq) for seq in (kept["seq"], state["ring_entry"])]
    whole = {
        "checkpoint": state["checkpoint"],
        "domena": log["domena"],
        "entry": places[0]["entry"],
        "javni_kljuc": own,
        "key": file["key"],
        "note": state["note"],
        "path": file["path"],
        "record": kept["record"],
        "ring": {"entry": places[1]["entry"], "path": places[1]["path"]},
        "verzija": "1",
        "vrsta": kept["vrsta"],
    }
    text = evidence.write(whole)
    assert hashlib.sha3_256(text).hexdigest() == file["json_sha3_256"]
    document = bytes.fromhex(kept["document_hex"])
    identity = file["report"]["identity_id"]
    return Shown(text.decode(), document, log["fingerprint"], primitives.h3(public_key), identity)
