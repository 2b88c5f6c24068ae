"""Signature records, verdicts and their two projections (FORMAT.md sections 10 and 11)."""

from __future__ import annotations

import re
from typing import Any

from . import ids
from .domain import Domain
from .encodings import FormatError, hex_text, members, timestamp
from .krunica import Head, Located, append, krunica_hash
from .primitives import PUBLIC_KEY_SIZE, SIGNATURE_SIZE, h3, public_key_of_seed, sign, verifies
from .ring import find, knows

RECORD = {
    "algoritam", "verzija", "identity_id", "javni_kljuc", "potpis", "sadrzaj_hash", "krunica_hash", "timestamp",
    "quantum_ready",
}  # fmt: skip
RESULT = {"validan", "identity_id", "algoritam", "timestamp", "bela_stanje", "razlog"}
REASONS = ("other signer", "unknown identity", "foreign key", "content", "signature", "retired key", "located")


def parse_record(value: object) -> dict[str, Any]:
    record = members(value, RECORD, "record")
    if record["algoritam"] != "ML-DSA-65" or record["verzija"] != "1" or record["quantum_ready"] is not True:
        raise FormatError("record: algoritam, verzija or quantum_ready")
    for name, length in (
        ("identity_id", 64),
        ("javni_kljuc", 2 * PUBLIC_KEY_SIZE),
        ("potpis", 2 * SIGNATURE_SIZE),
        ("sadrzaj_hash", 64),
        ("krunica_hash", 64),
    ):
        hex_text(record[name], length, name)
    timestamp(record["timestamp"], "timestamp")
    return record


def statement(domain: Domain, record: dict[str, Any]) -> bytes:
    row = domain["signature"]
    parts = [row.prefix, row.labels["STATEMENT"], "ML-DSA-65", "1", record["identity_id"], record["sadrzaj_hash"]]
    parts += [record["krunica_hash"], record["timestamp"], row.suffix]
    return "::".join(parts).encode()


def chain_message(domain: Domain, content_hash: str, public_key: bytes) -> str:
    row = domain["signature"]
    return f"{row.prefix}::{row.labels['SIGNED']}::{content_hash}::{h3(public_key)}::{row.suffix}"


def is_chain_message(domain: Domain, poruka: str) -> bool:
    row = domain["signature"]
    head, tail = re.escape(f"{row.prefix}::{row.labels['SIGNED']}::"), re.escape(f"::{row.suffix}")
    return re.fullmatch(f"{head}[0-9a-f]{{64}}::[0-9a-f]{{64}}{tail}", poruka) is not None


def signature_verifies(domain: Domain, record: dict[str, Any], public_key: bytes) -> bool:
    return verifies(public_key, bytes.fromhex(record["potpis"]), statement(domain, record))


def make(
    domain: Domain, seed: bytes, identity_id: str, content: bytes, time: str, head: Head
) -> tuple[dict[str, Any], dict[str, str], Head]:
    """The record, its chain entry and the new head. The entry comes first: the statement names it."""
    content_hash = ids.content_hash(domain, identity_id, content)
    public_key = public_key_of_seed(seed)
    entry, new_head = append(head, identity_id, chain_message(domain, content_hash, public_key), time)
    record: dict[str, Any] = {
        "algoritam": "ML-DSA-65",
        "verzija": "1",
        "identity_id": identity_id,
        "javni_kljuc": public_key.hex(),
        "sadrzaj_hash": content_hash,
        "krunica_hash": krunica_hash(entry["h"]),
        "timestamp": time,
        "quantum_ready": True,
    }
    record["potpis"] = sign(seed, statement(domain, record)).hex()
    return record, entry, new_head


def counts(domain: Domain, located: Located, record: dict[str, Any], ring: dict[str, Any]) -> bool:
    """A pinned ring has no origin of its own: the checkpoint's pinned one stands for it."""
    entry = located.entry
    message = chain_message(domain, record["sadrzaj_hash"], bytes.fromhex(record["javni_kljuc"]))
    return bool(
        ring["origin"] in (None, located.origin)
        and entry["w3"] == record["identity_id"]
        and entry["poruka"] == message
        and entry["t"] == record["timestamp"]
        and krunica_hash(entry["h"]) == record["krunica_hash"]
    )


def verify(
    domain: Domain, signer: str, content: bytes, value: object, ring: dict[str, Any], located: Located | None = None
) -> tuple[str, str | None, str | None]:
    """(verdict, state of the key, reason of Invalid), of a record that `signer` is expected to have made. Raises
    FormatError on a malformed record."""
    record = parse_record(value)
    identity_id = record["identity_id"]
    if identity_id != signer:
        return "invalid", None, "other signer"
    key = find(ring, identity_id, record["javni_kljuc"])
    if key is None:
        return "invalid", None, "foreign key" if knows(ring, identity_id) else "unknown identity"
    state: str = key["bela_stanje"]
    if state in ("laz", "nijedno"):
        return ("revoked" if state == "laz" else "suspended"), state, None
    reason = failed_check(domain, content, record, ring, key, located)
    if reason:
        return "invalid", state, reason
    return ("valid" if state == "istina" else "decoy"), state, None


def failed_check(
    domain: Domain, content: bytes, record: dict[str, Any], ring: dict[str, Any], key: dict[str, Any],
    located: Located | None,
) -> str | None:  # fmt: skip
    if record["sadrzaj_hash"] != ids.content_hash(domain, record["identity_id"], content):
        return "content"
    if not signature_verifies(domain, record, bytes.fromhex(record["javni_kljuc"])):
        return "signature"
    if key["role"] == "retired":
        if located is None or not counts(domain, located, record, ring) or located.seq >= key["retired"]:
            return "retired key"
    elif located is not None and not counts(domain, located, record, ring):
        return "located"
    return None


def shown(kind: str, state: str | None, reason: str | None, *, public: bool) -> dict[str, Any]:
    """`validan`, `bela_stanje` and `razlog` of a verdict in one of its projections."""
    if kind == "invalid":
        state_shown = "istina" if public and state == "oboje" else state
        return {"validan": False, "bela_stanje": state_shown, "razlog": "rejected" if public else reason}
    if kind == "decoy" and public:
        kind = "valid"
    table: dict[str, dict[str, Any]] = {
        "valid": {"validan": True, "bela_stanje": "istina", "razlog": None},
        "decoy": {"validan": False, "bela_stanje": "oboje", "razlog": "decoy"},
        "revoked": {"validan": False, "bela_stanje": "laz", "razlog": "rejected" if public else "revoked"},
        "suspended": {"validan": None, "bela_stanje": "nijedno", "razlog": "suspended"},
    }
    return table[kind]


def result(record: dict[str, Any], verdict: tuple[str, str | None, str | None], *, public: bool) -> dict[str, Any]:
    about = {name: record[name] for name in ("identity_id", "algoritam", "timestamp")}
    return about | shown(*verdict, public=public)
