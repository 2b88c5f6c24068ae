"""The service as an operator has it: a program, a data folder, a configuration file."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import requests

from . import configuration, process
from .configuration import Backend, Settings
from .http import Client

# Every module's health is one of these; the first module's stands for the service here.
HEALTH = "/api/v1/dsa/health"
SECONDS = 60
# Tests ask more in a second than the limits of a public service allow; those of the limits set their own.
# Whoever wants a place waits for a checkpoint, and a test not for an hour. Tokens are for the address that others know,
# which stays the same over restarts and processes, as behind a proxy. The time of an answer is one test's matter alone.
# A program that was not compiled for speed is a hundred megabytes, of which each start would make a hash.
DEFAULTS: Settings = {
    "listen": "127.0.0.1:0",
    "base_url": "https://trust.example",
    "rate": {"enabled": False},
    "log": {"checkpoint_every": "1s"},
    "limits": {"slot": 1},
    "integrity": {"files": ["/etc/os-release"]},
}
# Whoever tests run as, where it is nobody's matter who that is.
OPERATOR = "0f" * 32


def program() -> Path:
    """The binary under test, which TRUSTD names."""
    named = os.environ.get("TRUSTD")
    if not named or not Path(named).is_file():
        raise RuntimeError("TRUSTD names no built trustd: run `cargo xtask services`")
    return Path(named)


class Trustd:
    """One process of the service at a time, over one data folder."""

    def __init__(self, folder: Path, backend: Backend, settings: Settings | None = None, name: str = "trustd") -> None:
        """Prepares a process: `folder` may be shared by several, whose `name` then differs."""
        self.folder, self.backend = folder, backend
        # What every process of it is started with.
        self.environment: dict[str, str] = {}
        self.data = folder / "data"
        self.log = folder / f"{name}.log"
        self.config = folder / f"{name}.toml"
        self.said: dict[str, Any] = {}
        # The code of the one that ended last.
        self.ended = 0
        self.first_token_file: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        folder.mkdir(parents=True, exist_ok=True)
        given = configuration.merged({"data": str(self.data)}, DEFAULTS, backend.settings, settings or {})
        configuration.write(self.config, given)

    @property
    def address(self) -> str:
        """Where it listens."""
        return str(self.said["listening"])

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        return self._running().pid

    def launch(self, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Starts it and waits for nothing."""
        assert self._process is None, "it runs already"
        argv = ["setpriv", "--pdeathsig=KILL", "--", str(program()), "serve", "--config", str(self.config)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | self.environment | (environment or {}),
                start_new_session=True,
            )
        self._lines = queue.SimpleQueue()
        threading.Thread(target=self._follow, args=(self._process, self._lines), daemon=True).start()
        return self._process

    def start(self, environment: dict[str, str] | None = None) -> Trustd:
        """Starts it and waits until it is healthy."""
        running = self.launch(environment)
        try:
            self.said = self._first_line()
            if "first_token_file" in self.said:
                self.first_token_file = Path(self.said["first_token_file"])
            process.wait_until(self.is_healthy, running, self.log, SECONDS)
        except BaseException:
            self.kill()
            raise
        return self

    def stop(self) -> float:
        """Asks it to end, as systemd does; it must, with success. The seconds that it took."""
        running, start = self._running(), time.monotonic()
        running.send_signal(signal.SIGTERM)
        try:
            code = running.wait(SECONDS)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise AssertionError(f"it did not end within {SECONDS} s\n{process.tail(self.log)}") from error
        self.ended, self._process = code, None
        assert code == 0, f"it ended with {code}\n{process.tail(self.log)}"
        return time.monotonic() - start

    def kill(self) -> None:
        """Ends it in the middle of whatever it does, without a word."""
        running = self._running()
        running.kill()
        self.ended, self._process = running.wait(SECONDS), None

    def has_ended(self, within: float) -> bool:
        """Whether it ends by itself, or is killed by what it stands on; then another may be started."""
        try:
            self.ended = self._running().wait(within)
        except subprocess.TimeoutExpired:
            return False
        self._process = None
        return True

    def restart(self) -> Trustd:
        """Stops it and starts it again, over the same data."""
        self.stop()
        return self.start()

    def close(self) -> None:
        """At the end of a test: what still runs must be able to stop, and what ended by itself is a failure."""
        if self._process is not None:
            self.stop()

    def is_healthy(self) -> bool:
        """Whether it answers and says so."""
        try:
            response = requests.get(f"{self.address}{HEALTH}", timeout=5)
        except requests.ConnectionError:
            return False
        return response.status_code == 200 and response.json().get("status") == "ok"

    def client(self, token: str | None = None) -> Client:
        """A caller; without a token an anonymous one."""
        return Client(self.address, token)

    def first_token(self) -> str:
        """The native token that the first start of all leaves, in a file for its operator alone."""
        assert self.first_token_file is not None, "it never started, or not first"
        return self.first_token_file.read_text().strip()

    def token(self, subject: str, tier: str, scope: str, *more: str) -> str:
        """A token from the command line; `more` are further options of `trustd token issue`."""
        return self.run("token issue", "--subject", subject, "--tier", tier, "--scope", scope, *more).strip()

    def run(self, command: str, *options: str, code: int = 0, seconds: float = SECONDS) -> str:
        """What another command of the program prints, such as `chain verify`. It must end with `code`."""
        words = [*command.split(), "--config", str(self.config), *options]
        done = self.command(*words, environment=self.environment, seconds=seconds)
        assert done.returncode == code, f"{done.args}: {done.returncode}, not {code}\n{done.stdout}{done.stderr}"
        return done.stdout

    @staticmethod
    def command(
        *arguments: str, environment: dict[str, str] | None = None, seconds: float = SECONDS
    ) -> subprocess.CompletedProcess[str]:
        """The program with these arguments, to its end."""
        return subprocess.run(
            [program(), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            env=os.environ | (environment or {}),
        )

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "it does not run"
        return self._process

    def _follow(self, running: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
        """Reads what it says on its output: the first line is for the tests, any other one of its log."""
        assert running.stdout is not None
        with running.stdout as out, self.log.open("ab") as log:
            lines.put(out.readline())
            for line in out:
                log.write(line)
                log.flush()

    def _first_line(self) -> dict[str, Any]:
        """Where it listens, as it says itself once it does."""
        try:
            line = self._lines.get(timeout=SECONDS)
        except queue.Empty:
            line = b""
        try:
            said: dict[str, Any] = json.loads(line)
        except ValueError:
            raise process.Died(f"it did not say where it listens, but {line!r}\n{process.tail(self.log)}") from None
        return said
