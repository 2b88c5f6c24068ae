"""What an operator keeps beside ring and chain (FORMAT.md section 19): the state and the mark, each under a MAC."""

from __future__ import annotations

import hmac
from typing import Any

from . import tree
from .domain import Domain
from .encodings import FormatError, canonical, hex_text, integer, members, origin, parse
from .primitives import h3, hmac_sha3_512

STATE = {"checkpoint", "head", "ledgers", "secrets", "verzija"}
HEAD = {"frontier", "size", "top"}
MARK = {"origin", "ring", "root", "size", "top"}
ZEROS = "0" * 64


def mac(domain: Domain, key: bytes, name: str, end: tuple[int, str, str], body: object) -> str:
    size, top, root = end
    row = domain["signature"]
    parts = (row.prefix, row.labels["STORE"], name, str(size), top, root, h3(canonical(body)), row.suffix)
    return hmac_sha3_512(key, "::".join(parts).encode())[:64]


def parse_state(value: object) -> dict[str, Any]:
    state = members(value, STATE, "state")
    if state["verzija"] != "1":
        raise FormatError("verzija of a state")
    head = members(state["head"], HEAD, "head")
    size = integer(head["size"], "size")
    hex_text(head["top"], 128, "top")
    if not isinstance(head["frontier"], list) or len(head["frontier"]) != size.bit_count():
        raise FormatError("frontier: not as many hashes as size has ones")
    for node in head["frontier"]:
        hex_text(node, 64, "frontier")
    if size == 0 and head["top"] != "0" * 128:
        raise FormatError("top of an empty chain")
    if state["checkpoint"] is not None:
        last = members(state["checkpoint"], {"hash", "size"}, "checkpoint")
        hex_text(last["hash"], 64, "hash")
        if integer(last["size"], "size") > size:
            raise FormatError("a checkpoint beyond the head")
    if not isinstance(state["ledgers"], list):
        raise FormatError("ledgers: not an array")
    before = ""
    for ledger in state["ledgers"]:
        members(ledger, {"ledger", "size", "top"}, "ledgers")
        if hex_text(ledger["ledger"], 64, "ledger") <= before:
            raise FormatError("ledgers do not ascend")
        before = ledger["ledger"]
        if (integer(ledger["size"], "size") == 0) != (hex_text(ledger["top"], 64, "top") == ZEROS):
            raise FormatError("top of a ledger")
    secrets = members(state["secrets"], {"size", "top"}, "secrets")
    if (integer(secrets["size"], "size") == 0) != (hex_text(secrets["top"], 64, "top") == ZEROS):
        raise FormatError("top of the secrets")
    return state


def with_secret(secrets: dict[str, Any], place: tuple[bytes, bytes, bytes], stored: bytes) -> dict[str, Any]:
    """The end of the list of secrets after one more: its table, row and purpose, and its stored bytes, if any."""
    parts = b"".join(len(part).to_bytes(8, "big") + part for part in place)
    top = bytes.fromhex(secrets["top"] + h3(parts) + (h3(stored) if stored else ZEROS))
    return {"size": secrets["size"] + 1, "top": h3(top)}


def end_of(state: dict[str, Any]) -> tuple[int, str, str]:
    head = state["head"]
    return head["size"], head["top"], tree.fold([bytes.fromhex(node) for node in head["frontier"]]).hex()


def seal_state(domain: Domain, key: bytes, name: str, state: dict[str, Any]) -> bytes:
    found = mac(domain, key, origin(name, "origin"), end_of(parse_state(state)), state)
    return canonical({"mac": found, "state": state})


def open_state(domain: Domain, key: bytes, name: str, text: bytes) -> dict[str, Any] | None:
    """None where the MAC does not hold."""
    sealed = members(parse(text), {"mac", "state"}, "sealed state")
    state = parse_state(sealed["state"])
    expected = mac(domain, key, name, end_of(state), state)
    return state if hmac.compare_digest(expected, hex_text(sealed["mac"], 64, "mac")) else None


def seal_mark(domain: Domain, key: bytes, mark: dict[str, Any]) -> bytes:
    members(mark, MARK, "mark")
    end = (mark["size"], mark["top"], mark["root"])
    return canonical({"mac": mac(domain, key, mark["origin"], end, mark), "mark": mark})


def open_mark(domain: Domain, key: bytes, name: str, text: bytes) -> dict[str, Any] | None:
    """None where the MAC does not hold, or the mark is another log's."""
    sealed = members(parse(text), {"mac", "mark"}, "sealed mark")
    mark = members(sealed["mark"], MARK, "mark")
    expected = mac(domain, key, name, (mark["size"], mark["top"], mark["root"]), mark)
    return mark if hmac.compare_digest(expected, hex_text(sealed["mac"], 64, "mac")) else None
