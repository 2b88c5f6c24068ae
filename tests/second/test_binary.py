"""The binary forms, live: both implementations write the same bytes, and of altered ones both say the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import make_binary_answers
import pytest
from conftest import Ask
from dualseal_second import binary
from dualseal_second.encodings import FormatError

TIMES = ("1970-01-01T00:00:00.000Z", "2026-11-21T09:00:00.001Z", "9999-12-31T23:59:59.999Z")
MESSAGES = ("", "hello", "a|b\n\x00", "š♥😀" * 50)
READ: dict[str, Callable[[bytes], Any]] = {
    "record": binary.record_of, "entry": binary.entry_of, "seal": binary.seal_of,
}  # fmt: skip


def values(rng: random.Random) -> list[tuple[str, Any, bytes]]:
    """What is written, and as which bytes."""

    def drawn(count: int) -> str:
        return rng.randbytes(count).hex()

    found: list[tuple[str, Any, bytes]] = []
    for time in TIMES:
        record = {
            "algoritam": "ML-DSA-65", "identity_id": drawn(32), "javni_kljuc": drawn(1952), "krunica_hash": drawn(32),
            "potpis": drawn(3309), "quantum_ready": True, "sadrzaj_hash": drawn(32), "timestamp": time, "verzija": "1",
        }  # fmt: skip
        found.append(("record", record, binary.record_bytes(record)))
        for seq, message in zip((0, 1, 256, 2**53 - 1), MESSAGES, strict=True):
            head = {"h": drawn(64), "prev": drawn(64), "w3": drawn(32)}
            entry = head | {"poruka": message, "seq": seq, "t": time}
            found.append(("entry", entry, binary.entry_bytes(entry)))
    for seal in (f"SEAL-DUAL::{drawn(64)}::{drawn(3309)}", f"SEAL-L5::{drawn(64)}"):
        found.append(("seal", seal, binary.seal_bytes(seal)))
    return found


def test_the_stored_answers_are_the_scripts_output() -> None:
    stored = Path(__file__).parent.parent / "vectors" / "known_answers_binary.tsv"
    assert stored.read_text(encoding="utf-8") == make_binary_answers.text()


def test_both_write_and_read_the_same(ask: Ask) -> None:
    for what, value, data in values(random.Random(3)):
        made = ask("to_bytes", what=what, value=value)
        assert made["bytes_hex"] == data.hex()
        assert ask("from_bytes", what=what, bytes_hex=data.hex()) == {"value": value}
        assert READ[what](data) == value
        if what == "record":
            short = binary.record_bytes(value, with_key=False)
            assert made["short_hex"] == short.hex()
            key = value["javni_kljuc"]
            assert ask("from_bytes", what=what, bytes_hex=short.hex(), key_hex=key) == {"value": value}
            assert binary.record_of(short, key) == value
            assert "error" in ask("from_bytes", what=what, bytes_hex=short.hex())
            with pytest.raises(FormatError):
                binary.record_of(short)


def altered(rng: random.Random, data: bytes) -> bytes:
    """Bytes near those of a value: the header and numbers are where it matters."""
    choice = rng.randrange(4)
    if choice == 0:
        return data[: rng.randrange(len(data) + 1)]
    if choice == 1:
        return data + rng.randbytes(1 + rng.randrange(3))
    place = rng.randrange(min(len(data), 20 if choice == 2 else len(data)))
    return data[:place] + rng.randbytes(1) + data[place + 1 :]


def test_of_altered_bytes_both_say_the_same(ask: Ask) -> None:
    rng = random.Random(4)
    read = refused = 0
    for _, _, data in values(rng) * 40:
        tried = altered(rng, data)
        for what, reads in READ.items():
            answer = ask("from_bytes", what=what, bytes_hex=tried.hex())
            try:
                here = reads(tried)
            except FormatError:
                assert "error" in answer, tried.hex()
                refused += 1
            else:
                assert answer == {"value": here}, tried.hex()
                read += 1
    assert min(read, refused) > 100
