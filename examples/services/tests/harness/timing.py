"""How long answers take, and whether that tells two callers apart."""

from __future__ import annotations

import json
import math
import random
import socket
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

# Both are cut where so much of both together lies below, as dudect does: what the machine did meanwhile says nothing of
# the service, and lies in the tail.
BELOW = 0.9


@dataclass(frozen=True)
class Asked:
    """A request, as bytes."""

    sent: bytes
    status: int

    @classmethod
    def of(cls, token: str, method: str, path: str, body: Any = None, status: int = 200) -> Asked:
        """With a token, and a body of JSON."""
        content = b"" if body is None else json.dumps(body).encode()
        kind = "" if body is None else "Content-Type: application/json\r\n"
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{kind}"
        return cls(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content, status)


class Wire:
    """One connection for all callers, so that no two of them have different ones."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname, parts.port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def nanoseconds(self, asked: Asked) -> int:
        """From the last byte of the request to the first one of its answer."""
        self._socket.sendall(asked.sent)
        begun = time.perf_counter_ns()
        received = self._socket.recv(1 << 16)
        ended = time.perf_counter_ns()
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, rest = received.partition(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        assert lines[0].startswith(f"http/1.1 {asked.status} "), received
        length = [int(line.split(":")[1]) for line in lines if line.startswith("content-length:")]
        # What is streamed ends with a piece of no length.
        while len(rest) < length[0] if length else not rest.endswith(b"0\r\n\r\n"):
            rest += self._more()
        return ended - begun

    def close(self) -> None:
        """Hangs up."""
        self._socket.close()

    def _more(self) -> bytes:
        more = self._socket.recv(1 << 16)
        assert more, "it hung up"
        return more


def samples(wire: Wire, one: Iterator[Asked], other: Iterator[Asked], each: int) -> tuple[list[int], list[int]]:
    """Times of both, in pairs of a drawn order: whatever drifts does so for both."""
    times: tuple[list[int], list[int]] = ([], [])
    for _ in range(each):
        for which in random.sample((0, 1), 2):
            times[which].append(wire.nanoseconds(next((one, other)[which])))
    return times


def welch(one: list[int], other: list[int]) -> float:
    """Welch's t of both, without the tail of both together."""
    cut = sorted(one + other)[int(BELOW * (len(one) + len(other)))]
    kept = [[value for value in times if value < cut] for times in (one, other)]
    means = [statistics.fmean(times) for times in kept]
    errors = [statistics.variance(times) / len(times) for times in kept]
    return (means[0] - means[1]) / math.sqrt(sum(errors))
