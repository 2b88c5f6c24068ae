"""Binary forms (FORMAT.md section 12.1)."""

from __future__ import annotations

import datetime
import struct
from typing import Any

from .encodings import MAX_INTEGER, FormatError, utf8

EPOCH = datetime.datetime(1970, 1, 1)
RECORD, ENTRY, DUAL, LEGACY = 1, 2, 3, 4
KEY, SIGNATURE = 1952, 3309


def millis(time: str) -> int:
    return int((datetime.datetime.fromisoformat(time.removesuffix("Z")) - EPOCH) / datetime.timedelta(milliseconds=1))


def moment(number: int, name: str) -> str:
    try:
        return (EPOCH + datetime.timedelta(milliseconds=number)).isoformat(timespec="milliseconds") + "Z"
    except OverflowError:
        raise FormatError(f"{name}: after the year 9999") from None


def header(kind: int, flags: int = 0) -> bytes:
    return b"DSB1" + bytes([kind, flags])


def opened(data: bytes, kinds: set[int]) -> tuple[int, int, bytes]:
    """Kind, flags and fields."""
    if len(data) < 6 or data[:4] != b"DSB1" or data[4] not in kinds or data[5] > (data[4] == RECORD):
        raise FormatError("not the header of such a form")
    return data[4], data[5], data[6:]


def record_bytes(record: dict[str, Any], *, with_key: bool = True) -> bytes:
    start = "".join(record[name] for name in ("identity_id", "sadrzaj_hash", "krunica_hash"))
    key = bytes.fromhex(record["javni_kljuc"]) if with_key else b""
    time = struct.pack(">Q", millis(record["timestamp"]))
    return header(RECORD, with_key) + bytes.fromhex(start) + time + key + bytes.fromhex(record["potpis"])


def record_of(data: bytes, key_hex: str | None = None) -> dict[str, Any]:
    _, with_key, fields = opened(data, {RECORD})
    if len(fields) != 104 + with_key * KEY + SIGNATURE:
        raise FormatError("not the length of a record")
    found = fields[104:-SIGNATURE].hex() or key_hex
    if found is None or key_hex not in (None, found):
        raise FormatError("javni_kljuc: none, or another")
    return {
        "algoritam": "ML-DSA-65", "identity_id": fields[:32].hex(), "javni_kljuc": found,
        "krunica_hash": fields[64:96].hex(), "potpis": fields[-SIGNATURE:].hex(), "quantum_ready": True,
        "sadrzaj_hash": fields[32:64].hex(), "timestamp": moment(struct.unpack(">Q", fields[96:104])[0], "timestamp"),
        "verzija": "1",
    }  # fmt: skip


def entry_bytes(entry: dict[str, Any]) -> bytes:
    poruka: bytes = entry["poruka"].encode()
    w3, prev, h = (bytes.fromhex(entry[name]) for name in ("w3", "prev", "h"))
    numbers = struct.pack(">Q", entry["seq"]), struct.pack(">Q", millis(entry["t"])), struct.pack(">I", len(poruka))
    return header(ENTRY) + numbers[0] + w3 + prev + numbers[1] + h + numbers[2] + poruka


def entry_of(data: bytes) -> dict[str, Any]:
    _, _, fields = opened(data, {ENTRY})
    if len(fields) < 180:
        raise FormatError("not the length of an entry")
    seq, w3, prev, time, h, length = struct.unpack(">Q32s64sQ64sI", fields[:180])
    if length != len(fields) - 180 or seq > MAX_INTEGER:
        raise FormatError("not the length of its message, or seq out of range")
    try:
        poruka = utf8(fields[180:].decode(), "poruka")
    except UnicodeDecodeError:
        raise FormatError("poruka: not UTF-8") from None
    return {"h": h.hex(), "poruka": poruka, "prev": prev.hex(), "seq": seq, "t": moment(time, "t"), "w3": w3.hex()}


def seal_bytes(seal: str) -> bytes:
    parts = seal.split("::")
    return header(DUAL if len(parts) == 3 else LEGACY) + bytes.fromhex("".join(parts[1:]))


def seal_of(data: bytes) -> str:
    kind, _, fields = opened(data, {DUAL, LEGACY})
    if len(fields) != (64 + SIGNATURE if kind == DUAL else 64):
        raise FormatError("not the length of such a seal")
    parts = [fields[:64].hex(), fields[64:].hex()]
    return "::".join(["SEAL-DUAL", *parts] if kind == DUAL else ["SEAL-L5", parts[0]])
