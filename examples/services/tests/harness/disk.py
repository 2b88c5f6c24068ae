"""The disk beneath a program, which fails at one operation: `tests/faults/beneath.c`, loaded before the C library."""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parents[4] / "tests/faults"
# As `struct control` has them.
FORM = struct.Struct("=6Q")
SEEN, AT, KIND, ERROR, FAILED, READS = range(0, 48, 8)


@dataclass(frozen=True)
class Fault:
    """What becomes of an operation. Its number is that of `enum kind`."""

    name: str
    number: int
    error: int = errno.EIO
    reads: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether all operations after it fail as well, until it is taken away."""
        return self.number in (4, 5)

    @property
    def kills(self) -> bool:
        """Whether the program ends there, without a word."""
        return self.number in (6, 7)


FAULTS = [
    Fault("before", 1),
    Fault("after", 2),
    Fault("half", 3, errno.ENOSPC),
    Fault("full", 4, errno.ENOSPC),
    Fault("dead", 5),
    Fault("killed-before", 6),
    Fault("killed-after", 7),
    Fault("unread", 1, reads=True),
]


def compiled(name: str, scratch: Path) -> Path:
    """What is loaded before the C library, of a source in `tests/faults`."""
    library = scratch / f"{name}.so"
    words = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared"]
    subprocess.run(["cc", *words, "-o", library, SOURCES / f"{name}.c", "-ldl"], check=True)
    return library


class Disk:
    """What lies in `beneath`. `scratch` is a folder elsewhere."""

    def __init__(self, scratch: Path, beneath: Path) -> None:
        self._beneath = beneath
        self._library, self._control = compiled("beneath", scratch), scratch / "control"
        self._control.write_bytes(bytes(FORM.size))
        with self._control.open("r+b") as file:
            self._mapped = mmap.mmap(file.fileno(), FORM.size)

    @property
    def environment(self) -> dict[str, str]:
        """What the program is started with."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAULTS_CONTROL": str(self._control),
            "FAULTS_BENEATH": str(self._beneath),
        }

    def arm(self, fault: Fault, at: int) -> None:
        """Its `at`-th operation from now on, counted from 1, fails."""
        # The kind comes last: the others count nothing without it.
        for where, number in ((KIND, 0), (SEEN, 0), (AT, at), (ERROR, fault.error), (FAILED, 0)):
            self._put(where, number)
        self._put(READS, int(fault.reads))
        self._put(KIND, fault.number)

    def mend(self) -> int:
        """Nothing fails any more; how many operations have failed."""
        self._put(KIND, 0)
        return self._get(FAILED)

    @property
    def seen(self) -> int:
        """How many operations there were since it was armed."""
        return self._get(SEEN)

    def _put(self, where: int, number: int) -> None:
        self._mapped[where : where + 8] = struct.pack("=Q", number)

    def _get(self, where: int) -> int:
        return int(struct.unpack_from("=Q", self._mapped, where)[0])


class Room:
    """A disk of its own with as much room as is left of it."""

    PAGE = 4096

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def leave(self, pages: int) -> None:
        """No more room than this."""
        with self._ballast.open("ab", buffering=0) as file:
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(self.PAGE))
            file.truncate(max(0, os.fstat(file.fileno()).st_size - pages * self.PAGE))

    def mend(self) -> int:
        """There is room again; how much there was not."""
        size = self._ballast.stat().st_size if self._ballast.exists() else 0
        self._ballast.unlink(missing_ok=True)
        return size


@contextlib.contextmanager
def room(folder: Path, size: str = "24m") -> Iterator[Room]:
    """A tmpfs in place of a folder. Mounting takes a namespace of one's own, in which the suite runs this."""
    folder.mkdir(mode=0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", folder], check=True)
    try:
        yield Room(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
