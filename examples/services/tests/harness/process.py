"""Child processes: they die with the tests, write to a log, and are waited for with an end."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path


class Died(RuntimeError):
    """A process ended before it was ready, or was never ready."""


def start(argv: Sequence[str | Path], log: Path, *, user: str | None = None) -> subprocess.Popen[bytes]:
    """Starts a peer whose output goes to `log`. The kernel kills it when this process ends, however that ends."""
    words = ["setpriv", "--pdeathsig=KILL"]
    if user is not None:
        words += [f"--reuid={user}", f"--regid={user}", "--init-groups"]
    with log.open("ab") as out:
        return subprocess.Popen(
            [*words, "--", *argv], stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path, seconds: float) -> None:
    """Asks `ready` until it says yes. A process that ended, or took longer, is an error with the end of its log."""
    end = time.monotonic() + seconds
    while not ready():
        if process.poll() is not None:
            raise Died(f"{process.args!r} ended with {process.returncode}\n{tail(log)}")
        if time.monotonic() > end:
            raise Died(f"{process.args!r} was not ready after {seconds} s\n{tail(log)}")
        time.sleep(0.05)


def tail(log: Path, lines: int = 40) -> str:
    """The last lines of a log, for messages."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""


def free_ports(count: int) -> list[int]:
    """As many ports as that, free now. They lie below those that the kernel hands out by itself, so that no connection
    of another test takes one before its server listens."""
    while True:
        ports = random.sample(range(10_000, 30_000), count)
        sockets = [socket.socket() for _ in ports]
        try:
            for one, port in zip(sockets, ports, strict=True):
                one.bind(("127.0.0.1", port))
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
        return ports


def is_root() -> bool:
    """Whether the tests run as root, which some peers refuse to."""
    return os.geteuid() == 0
