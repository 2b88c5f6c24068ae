"""How far a command is, for who waits at a terminal."""

from __future__ import annotations

import time
from typing import Any

WIDTH = 30
# No more often than an eye follows.
SECONDS = 0.1


class Progress:
    """A bar on a line of its own, on an output that is a terminal; nothing anywhere else."""

    def __init__(self, output: Any, what: str) -> None:
        """``output`` is a command's, such as ``self.stderr``; ``what`` says what is counted."""
        self._output = output
        self._what = what
        self._begun = time.monotonic()
        self._drawn = 0.0

    def __call__(self, done: int, of: int) -> None:
        """So many of so many."""
        now = time.monotonic()
        if not self._output.isatty() or (done < of and now - self._drawn < SECONDS):
            return
        self._drawn = now
        share = done / of if of else 1.0
        bar = ("#" * round(WIDTH * share)).ljust(WIDTH, ".")
        rate = done / max(now - self._begun, 0.001)
        text = f"\r[{bar}] {share:4.0%}  {done:,} of {of:,} {self._what}, {rate:,.0f}/s"
        self._output.write(text, ending="\n" if done >= of else "")
        self._output.flush()
