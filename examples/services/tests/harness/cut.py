"""A way to PostgreSQL's socket that is cut at one message, in either direction."""

from __future__ import annotations

import contextlib
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# As every client names it within a server's folder.
SOCKET = ".s.PGSQL.5432"
# What a client says first has no letter before its length: this asks for TLS, and is answered with one.
TLS = 80877103


@dataclass(frozen=True)
class Fault:
    """Where it is cut: before a message reaches the server, or before the server's answer comes back. `goes_on` is of a
    server that is gone until it is mended: every connection is cut then, and nobody gets another."""

    name: str
    answers: bool
    goes_on: bool = False


FAULTS = [
    Fault("unasked", answers=False),
    Fault("unanswered", answers=True),
    Fault("gone", answers=False, goes_on=True),
    Fault("gone-late", answers=True, goes_on=True),
]


class Cut:
    """Everybody who connects to `folder` is at the server, until it is cut."""

    def __init__(self, server: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cut-"))
        self._server = str(server / SOCKET)
        self._lock = threading.Lock()
        self._fault: Fault | None = None
        self._at = self._seen = self._failed = 0
        self._open: set[socket.socket] = set()
        self._listens = socket.socket(socket.AF_UNIX)
        self._listens.bind(str(self.folder / SOCKET))
        self._listens.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, fault: Fault, at: int) -> None:
        """It is cut at the `at`-th message from now on, counted from 1, in the fault's direction."""
        with self._lock:
            self._fault, self._at, self._seen, self._failed = fault, at, 0, 0

    def mend(self) -> int:
        """Nothing is cut any more; how often it was."""
        with self._lock:
            self._fault = None
            return self._failed

    def close(self) -> None:
        """Cuts everybody off."""
        self._listens.shutdown(socket.SHUT_RDWR)
        self._listens.close()
        with self._lock:
            self._end(self._open)
        shutil.rmtree(self.folder)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listens.accept()
            except OSError:
                return
            if self._is_gone():
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _is_gone(self) -> bool:
        with self._lock:
            gone = self._fault is not None and self._fault.goes_on and self._failed > 0
            self._failed += gone
            return gone

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            both = {client, server}
            with self._lock:
                self._open |= both
            answers = threading.Thread(target=self._carry, args=(server, client, True), daemon=True)
            try:
                _begin(client, server)
                answers.start()
                self._carry(client, server, False)
                answers.join()
            except OSError:
                pass
            finally:
                with self._lock:
                    self._open -= both

    def _carry(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while True:
                head = _exactly(source, 5)
                message = head + _exactly(source, struct.unpack("!I", head[1:])[0] - 4)
                if self._falls(answers):
                    break
                target.sendall(message)
        self._end({source, target})

    def _falls(self, answers: bool) -> bool:
        with self._lock:
            fault = self._fault
            if fault is None or fault.answers != answers:
                return False
            self._seen += 1
            falls = self._seen == self._at
            self._failed += falls
            if falls and fault.goes_on:
                self._end(self._open)
            return falls

    @staticmethod
    def _end(sockets: set[socket.socket]) -> None:
        """Whoever reads from one has its end."""
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


def _begin(client: socket.socket, server: socket.socket) -> None:
    """What comes before the messages of both is let through."""
    code = TLS
    while code == TLS:
        first = _exactly(client, 8)
        length, code = struct.unpack("!II", first)
        server.sendall(first + _exactly(client, length - 8))
        if code == TLS:
            client.sendall(_exactly(server, 1))


def _exactly(source: socket.socket, count: int) -> bytes:
    """So many bytes; an end before that is an error."""
    got = b""
    while len(got) < count:
        more = source.recv(count - len(got))
        if not more:
            raise ConnectionResetError
        got += more
    return got


@contextlib.contextmanager
def before(server: Path) -> Iterator[Cut]:
    """One before a server's folder."""
    made = Cut(server)
    try:
        yield made
    finally:
        made.close()
