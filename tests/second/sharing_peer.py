"""The library, asked through the program `sharing_peer` of the tests package, and the program `ssss`."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Iterable, Sequence

from programs import program


class Peer:
    """Answers commands; what they are stands at the top of tests/src/bin/sharing_peer.rs."""

    def __init__(self) -> None:
        self.program = program("sharing_peer")

    def ask_all(self, commands: Iterable[str]) -> list[list[str]]:
        lines = list(commands)
        text = "".join(f"{line}\n" for line in lines)
        done = subprocess.run([self.program], input=text, check=True, capture_output=True, text=True)
        answers = [line.split(" ") for line in done.stdout.splitlines()]
        assert len(answers) == len(lines)
        return answers

    def ask(self, command: str) -> list[str]:
        return self.ask_all([command])[0]


@functools.cache
def shared_peer() -> Peer:
    """One for all suites."""
    return Peer()


def ssss_split(secret: str, k: int, n: int) -> list[str]:
    command = ("ssss-split", "-t", str(k), "-n", str(n), "-s", "256", "-x", "-D", "-q")
    done = subprocess.run(command, input=f"{secret}\n", check=True, capture_output=True, text=True)
    return done.stdout.split()


def ssss_combine(k: int, shares: Sequence[str]) -> str:
    command = ("ssss-combine", "-t", str(k), "-x", "-D", "-q")
    text = "".join(f"{share}\n" for share in shares)
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True)
    return (done.stdout + done.stderr).split()[-1]
