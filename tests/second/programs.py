"""The project's own programs, which answer for the library."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# As the test command builds them (`xtask/src/rust.rs`), so that nothing is compiled twice.
BUILD = (
    "cargo", "build", "--quiet", "--message-format=json", "--workspace", "--exclude", "dualseal-python",
    "--exclude", "dualseal-benches", "--features", "dualseal/serde", "--profile", "checked", "--lib",
    "--bins", "--example", "quickstart",
)  # fmt: skip


@functools.cache
def built() -> dict[str, str]:
    """Builds them, once for all suites: names and paths."""
    done = subprocess.run(BUILD, cwd=ROOT, check=True, capture_output=True, text=True)
    messages = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    programs = [message["executable"] for message in messages if message.get("executable")]
    return {Path(program).stem: program for program in programs}


def program(name: str) -> str:
    """The path of a program, in the folder that DUALSEAL_PROGRAMS names; without it cargo builds it."""
    folder = os.environ.get("DUALSEAL_PROGRAMS")
    return str(Path(folder) / name) if folder else built()[name]
