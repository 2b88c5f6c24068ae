"""Servers on loopback that play whoever the service calls."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Played(BaseHTTPRequestHandler):
    """What is asked over HTTP, and says nothing to the test's output."""

    def body(self) -> bytes:
        """What was sent."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def answer(self, status: int, said: Any) -> None:
        """Answers with JSON; a redirect leads to what is said."""
        text = json.dumps(said).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", said)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        """Not to the test's output."""


@contextmanager
def loopback(handler: type[BaseHTTPRequestHandler], tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Serves on a port of its own, which is told, and ends with the block, however that ends."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
