"""Callers who are slow, many or endless stop nobody else."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from harness.http import Client, answer
from harness.load import encoded, identity
from harness.trustd import Trustd

# What a caller waits for its answer at most while others misbehave.
PATIENCE = 2.0
MANY = 400
HEADER_BYTES = 16 << 10


@pytest.fixture
def port(service: Trustd) -> int:
    """Where the service listens."""
    found = urlsplit(service.address).port
    assert found is not None
    return found


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """Connections that are closed in the end."""
    with ExitStack() as stack:
        yield stack


def connect(port: int, opened: ExitStack, text: bytes = b"") -> socket.socket:
    """A connection on which this much is sent."""
    one = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    one.sendall(text)
    return one


def others_are_served(native: Client) -> None:
    """A reader and a writer get their answers soon."""
    start = time.monotonic()
    answer(native.anonymous().get("/api/v1/dsa/health"))
    signer = identity(native.another(), "patient")
    answer(native.another().post("/api/v1/dsa/potpisi", {"identity_id": signer, "content_b64": encoded(b"x")}), 201)
    assert time.monotonic() - start < PATIENCE


def test_many_idle_connections(native: Client, port: int, opened: ExitStack) -> None:
    for _ in range(MANY):
        connect(port, opened)
    others_are_served(native)


def test_slow_headers_and_slow_bodies(native: Client, port: int, opened: ExitStack) -> None:
    head = b"POST /api/v1/dsa/provjeri HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    headers = [connect(port, opened, head) for _ in range(MANY // 2)]
    bodies = [connect(port, opened, head + b"Content-Length: 900000\r\n\r\n{") for _ in range(MANY // 2)]
    for _ in range(3):
        for header, body in zip(headers, bodies, strict=True):
            header.sendall(b"X-A: b\r\n")
            body.sendall(b" ")
        others_are_served(native)


def test_a_promise_of_bytes_that_do_not_come(native: Client, port: int, opened: ExitStack) -> None:
    head = b"POST /api/v1/dsa/provjeri HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for _ in range(64):
        connect(port, opened, head + b"Content-Length: 60000000\r\n\r\n" + b" " * 65536)
    others_are_served(native)


def test_headers_without_end(native: Client, port: int, opened: ExitStack) -> None:
    one = connect(port, opened, b"GET /api/v1/dsa/health HTTP/1.1\r\nHost: localhost\r\n")
    sent = 0
    try:
        while sent < 64 * HEADER_BYTES:
            sent += one.send(b"X-A: " + b"b" * 1000 + b"\r\n")
        status = one.recv(64)
    except (BrokenPipeError, ConnectionResetError):
        status = b""
    # It is told, or cut off; it is not read to its end.
    assert status == b"" or status.split()[1] in (b"400", b"431"), status
    others_are_served(native)


@pytest.mark.parametrize(
    "text",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/dsa/provjeri HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /api/v1/dsa/provjeri HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"GET /api/v1/dsa/health HTTP/1.1\r\nHost: localhost\r\nX-A: a\x00b\r\n\r\n",
    ],
    ids=["tls", "version", "two-numbers", "no-chunk", "nul"],
)
def test_what_is_not_http_ends_alone(native: Client, port: int, opened: ExitStack, text: bytes) -> None:
    one = connect(port, opened, text)
    one.settimeout(10)
    try:
        said = one.recv(64)
    except ConnectionResetError:
        said = b""
    assert said == b"" or said.split()[1] in (b"400", b"505"), said
    others_are_served(native)
