"""Catalogues of translations, compiled by Babel: Debian's gettext is needed by who adds a text alone."""

from __future__ import annotations

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_all(folder: Path) -> int:
    """Compiles what is newer than what was compiled of it; how many."""
    compiled = 0
    for source in sorted(folder.glob("*/LC_MESSAGES/django.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file)
        # Each process writes its own: several servers, or workers of the tests, may start at once.
        new = target.with_suffix(f".{os.getpid()}.new")
        with new.open("wb") as file:
            write_mo(file, catalogue)
        new.replace(target)
        compiled += 1
    return compiled
