"""The project's own programs, which answer for the library."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def program(name: str) -> str:
    """The path of a program, in the folder that DUALSEAL_PROGRAMS names, which the test command builds."""
    folder = os.environ.get("DUALSEAL_PROGRAMS")
    if not folder:
        raise RuntimeError("DUALSEAL_PROGRAMS names no folder of built programs: run `cargo xtask test second`")
    return str(Path(folder) / name)
