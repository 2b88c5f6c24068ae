"""A clock that is wrong beneath a program: `tests/faults/clock.c`, loaded before the C library."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

from .disk import compiled


class Clock:
    """The time as programs have it that are started with its `environment`."""

    def __init__(self, scratch: Path) -> None:
        file = scratch / "beside"
        file.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(compiled("clock", scratch)), "FAULTS_CLOCK": str(file)}
        with file.open("r+b") as opened:
            self._mapped = mmap.mmap(opened.fileno(), 8)

    def set(self, seconds: int) -> None:
        """So far beside the true time, from now on."""
        self._mapped[:] = struct.pack("=q", seconds)
