"""The library, asked through the program `sharing_peer` of the tests package, and the program `ssss`."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# As the Rust suites are built, so that nothing is compiled twice.
BUILD = (
    "cargo", "build", "--quiet", "--message-format=json", "--workspace", "--exclude", "dualseal-python",
    "--exclude", "dualseal-benches", "--features", "dualseal/serde", "--profile", "checked", "--bin", "sharing_peer",
)  # fmt: skip


class Peer:
    """Answers commands; what they are stands at the top of tests/src/bin/sharing_peer.rs."""

    def __init__(self) -> None:
        built = subprocess.run(BUILD, cwd=ROOT, check=True, capture_output=True, text=True)
        messages = (json.loads(line) for line in built.stdout.splitlines() if line.startswith("{"))
        programs = [message["executable"] for message in messages if message.get("executable")]
        (self.program,) = (name for name in programs if Path(name).stem == "sharing_peer")

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
    """Built once, for all suites."""
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
