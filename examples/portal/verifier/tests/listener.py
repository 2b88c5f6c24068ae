"""A server beside the page that counts whoever knocks, whatever he says."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


ANSWER = b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"


class Listener:
    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                connection.settimeout(1)
                self.heard.append(connection.recv(4096))
                connection.sendall(ANSWER)

    def paths(self) -> set[str]:
        return {said.split(b" ")[1].decode() for said in self.heard if said.count(b" ") > 1}


@contextlib.contextmanager
def listener() -> Iterator[Listener]:
    made = Listener()
    thread = threading.Thread(target=made.serve, daemon=True)
    thread.start()
    yield made
    made.socket.close()
