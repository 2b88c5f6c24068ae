"""Prints known answers of binary forms, a line each; tests/vectors/known_answers_binary.tsv is its output.

    python make_binary_answers.py > ../vectors/known_answers_binary.tsv

As make_known_answers.py: nothing is computed by the library that is tested with it, and every run gives the same. The
columns are the kind, the bytes, the key that the reader of a short record has, and the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from dualseal_second import binary
from dualseal_second.encodings import canonical

TIMES = ("1970-01-01T00:00:00.000Z", "2026-11-21T09:00:00.001Z", "9999-12-31T23:59:59.999Z")
ENTRIES = ((0, ""), (1, "hello"), (256, "a|b\n\x00\t\"\\"), (2**53 - 1, "š♥😀" * 9))


def drawn(name: str, count: int) -> str:
    return hashlib.shake_256(f"known answer binary {name}".encode()).hexdigest(count)


def record(number: int, time: str) -> dict[str, Any]:
    return {
        "algoritam": "ML-DSA-65", "identity_id": drawn(f"identity {number}", 32),
        "javni_kljuc": drawn(f"key {number}", 1952), "krunica_hash": drawn(f"entry {number}", 32),
        "potpis": drawn(f"signature {number}", 3309), "quantum_ready": True,
        "sadrzaj_hash": drawn(f"content {number}", 32), "timestamp": time, "verzija": "1",
    }  # fmt: skip


def entry(seq: int, message: str, time: str) -> dict[str, Any]:
    hashes = {"h": drawn(f"h {seq}", 64), "prev": drawn(f"prev {seq}", 64), "w3": drawn(f"w3 {seq}", 32)}
    return hashes | {"poruka": message, "seq": seq, "t": time}


def lines() -> Iterator[tuple[str, bytes, str, str]]:
    for number, time in enumerate(TIMES):
        made = record(number, time)
        said = canonical(made).decode()
        yield "record", binary.record_bytes(made), "-", said
        yield "short", binary.record_bytes(made, with_key=False), made["javni_kljuc"], said
        for seq, message in ENTRIES:
            one = entry(seq, message, time)
            yield "entry", binary.entry_bytes(one), "-", canonical(one).decode()
    for seal in (f"SEAL-DUAL::{drawn('layer a', 64)}::{drawn('layer b', 3309)}", f"SEAL-L5::{drawn('legacy', 64)}"):
        yield "seal", binary.seal_bytes(seal), "-", seal


def text() -> str:
    return "".join(f"{kind}\t{data.hex()}\t{key}\t{said}\n" for kind, data, key, said in lines())


if __name__ == "__main__":
    print(text(), end="")
