"""Witnesses: programs that follow the log as strangers, and whose lines the log takes where it knows them."""

from __future__ import annotations

import base64
import hashlib
import time
from pathlib import Path

import requests
from conftest import Make
from harness import configuration
from harness.configuration import Backend
from harness.http import problem
from harness.load import identity
from harness.trustd import Trustd

CHECKPOINT = "/api/v1/log/checkpoint"
UNTIL = 30


def note_key(trustd: Trustd) -> str:
    """The key of the log's notes, as a signed note names it (C2SP signed-note)."""
    checkpoint = requests.get(trustd.address + CHECKPOINT, headers={"Accept": "application/json"}, timeout=10).json()
    origin, key = checkpoint["origin"], b"\x01" + bytes.fromhex(checkpoint["nota"])
    name = hashlib.sha256(origin.encode() + b"\n" + key).hexdigest()[:8]
    return f"{origin}+{name}+{base64.b64encode(key).decode()}"


def note(trustd: Trustd) -> str:
    return requests.get(trustd.address + CHECKPOINT, timeout=10).text


def grown(trustd: Trustd, size: int) -> None:
    """Waits until a checkpoint covers so many entries."""
    ends = time.monotonic() + UNTIL
    while int(note(trustd).splitlines()[1]) < size:
        assert time.monotonic() < ends, note(trustd)
        time.sleep(0.2)


def test_a_witness_cosigns_what_only_grew(own_backend: Backend, make: Make, tmp_path: Path) -> None:
    trustd = make(own_backend).start()
    native = trustd.client(trustd.first_token())
    for number in range(5):
        identity(native, f"one-{number}")
    grown(trustd, 6)
    folder = str(tmp_path / "watch")
    argv = ["witness", "--address", trustd.address, "--log", note_key(trustd), "--name", "ivo.example", "--in", folder]
    key = trustd.command(*argv, "--show-key").stdout.strip()

    # A log takes no line of whom it does not know.
    refused = trustd.command(*argv)
    assert refused.returncode == 2 and "422" in refused.stderr, refused
    trustd.stop()
    token = trustd.first_token()
    trustd = make(own_backend, {"log": {"witnesses": [key]}}, name="with-witness").start()
    argv[2] = trustd.address
    seen = trustd.command(*argv)
    assert seen.returncode == 0 and "6 entries" in seen.stdout, seen
    assert "\n— ivo.example " in note(trustd)

    # It goes on from where it was, and past whole tiles.
    native = trustd.client(token)
    for number in range(260):
        identity(native, f"two-{number}")
    grown(trustd, 266)
    seen = trustd.command(*argv)
    assert seen.returncode == 0 and "266 entries" in seen.stdout, seen

    # What is exported is what is served.
    shown = tmp_path / "public"
    trustd.run("tiles export", str(shown))
    served = requests.get(f"{trustd.address}/api/v1/log/tile/0/000", timeout=10).content
    assert (shown / "tile/0/000").read_bytes() == served and len(served) == 256 * 32
    lines = requests.get(f"{trustd.address}/api/v1/log/entries?from=0", timeout=10).text
    assert (shown / "chain.jsonl").read_text() == lines

    # What is asked wrongly is told by its name.
    for asked in ("consistency?from=x", "entries?from=-1", "entry?krunica_hash=x", "proof/0?krunica_hash=x"):
        name = asked.partition("?")[2].partition("=")[0]
        problem(trustd.client().get(f"/api/v1/log/{asked}"), 422, "invalid-field", f"query/{name}")

    # Another log in its place is not cosigned.
    other = make(configuration.local(), name="other", host="other").start()
    argv[2] = other.address
    refused = trustd.command(*argv)
    assert refused.returncode == 2, refused

