"""Nodes that hold shards, as their keepers run them: `trustd node run`, each with a folder, a token and pins.
A `Middle` is whoever sits between one of them and the service.
"""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import requests

from . import process
from .trustd import Trustd, program

SECONDS = 30
POLL = "/api/v1/qt/requests"


class Node:
    """One node, added to a service on this machine. What it pins is what `trustd node add` printed."""

    def __init__(
        self,
        folder: Path,
        service: Trustd,
        label: str,
        subject: str,
        address: str | None = None,
        # Of a key that was enrolled a moment ago, tests are sure.
        counts_after: str = "0s",
        signs_in: bool = False,
    ) -> None:
        """`address` is where it believes the service to be. It has a token that its keeper put there, or signs in by a
        login, which is not enrolled yet."""
        self.folder, self.label, self._counts_after, self._signs_in = folder, label, counts_after, signs_in
        self.log = folder / "node.log"
        self.settings = folder / "node.toml"
        self._token = folder / "token"
        self.login = folder / "login"
        folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None
        self._pin(service.run("node add", "--label", label, "--subject", subject), service, address or service.address)

    def pin(self, service: Trustd) -> Node:
        """Pins the service anew, as its keeper is told to, and has another token."""
        self._pin(f"label = {json.dumps(self.label)}\n" + service.run("node pins"), service, service.address)
        return self

    def _pin(self, pins: str, service: Trustd, address: str) -> None:
        own = {"service": f"{address}/", "folder": str(self.folder / "kept")}
        if self._signs_in:
            own |= {"login": str(self.login)}
        else:
            self._token.write_text(service.run("token issue", "--node", self.label))
            own |= {"token": str(self._token)}
        own |= {"poll": "1s", "authenticators_count_after": self._counts_after}
        self.settings.write_text(pins + "".join(f"{key} = {json.dumps(value)}\n" for key, value in own.items()))

    def enrol(self, invitation: str, code: int = 0) -> str:
        """Draws its key, and enrols it; the command must end with `code`. What it said."""
        argv = [program(), "node", "enrol", "--settings", str(self.settings)]
        done = subprocess.run(argv, input=invitation, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == code, f"{done.returncode}, not {code}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def start(self) -> Node:
        """Runs it."""
        assert self._process is None, "it runs already"
        self._process = process.start([program(), "node", "run", "--settings", self.settings], self.log)
        return self

    def stop(self) -> None:
        """Asks it to end, which it must with success."""
        assert self._process is not None, "it does not run"
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(SECONDS)
        self._process = None
        assert code == 0, f"it ended with {code}\n{process.tail(self.log)}"

    def kill(self) -> None:
        """Ends it for good, in the middle of whatever it does."""
        assert self._process is not None, "it does not run"
        self._process.kill()
        self._process.wait(SECONDS)
        self._process = None

    def close(self) -> None:
        """At the end of a test: what still runs must be able to stop."""
        if self._process is not None:
            self.stop()

    def kept(self, vault_id: str) -> Path:
        """The file of a vault's shard on its disk."""
        return self.folder / "kept" / "vaults" / f"{vault_id}.json"

    def shard(self, vault_id: str) -> dict[str, Any]:
        """The shard of a vault that it has put in force, by the operator's word under a checkpoint."""
        kept = self.kept(vault_id)
        until(lambda: json.loads(kept.read_text())["current"], lambda: process.tail(self.log))
        return dict(json.loads(json.loads(kept.read_text())["current"]))

    def says(self, word: str) -> None:
        """Waits until its log has this word."""
        until(lambda: word in self.log.read_text(), lambda: f"no word of {word}\n{process.tail(self.log)}")


class Middle:
    """Whoever sits between a node and the service: what the node is told when it polls, he may change."""

    def __init__(self, service: str) -> None:
        self.change: Callable[[dict[str, Any]], dict[str, Any]] = lambda told: told
        # The paths that the node posted to, with the status that it got.
        self.posted: list[tuple[str, int]] = []
        self.polls = 0
        middle = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.forward()

            def do_POST(self) -> None:
                self.forward()

            def forward(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                kept = {name: self.headers[name] for name in ("Authorization", "Content-Type") if name in self.headers}
                found = requests.request(self.command, service + self.path, headers=kept, data=body, timeout=SECONDS)
                content = found.content
                if self.command == "POST":
                    middle.posted.append((self.path, found.status_code))
                elif self.path == POLL and found.status_code == 200:
                    content = json.dumps(middle.change(found.json())).encode()
                    middle.polls += 1
                self.send_response(found.status_code)
                for name in ("Content-Type", "Keep-Until"):
                    if name in found.headers:
                        self.send_header(name, found.headers[name])
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Not to the test's output."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def released(self) -> list[str]:
        """The requests for which the node let its shard go, in order."""
        return [path.split("/")[5] for path, _ in self.posted if path.endswith("/shards")]

    def turns(self, count: int) -> None:
        """Waits until the node has polled so many times more, and acted on all but the last."""
        last = self.polls + count
        until(lambda: self.polls >= last, lambda: "the node does not poll")

    def close(self) -> None:
        """Goes away."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def until(ready: Callable[[], object], why: Callable[[], str], seconds: float = SECONDS) -> None:
    """Asks until it is so; where it does not become so, `why` says what was found."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, why()
        time.sleep(0.1)
