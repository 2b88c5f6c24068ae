"""What stands around a service, played over HTTP: the service itself, a portal, a peer, a clock, a switch outside."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import formatdate
from pathlib import Path
from typing import Any

from .loopback import Played, loopback
from .mail import certified


@dataclass
class Neighbours:
    """All of them, at one address."""

    address: str
    # Paths that answer otherwise: a status, and what is said.
    broken: dict[str, tuple[int, Any]] = field(default_factory=dict)
    # How far its clock is off, in seconds.
    off: int = 0
    pinged: int = 0
    # What a relay took.
    told: list[str] = field(default_factory=list)

    @property
    def listen(self) -> str:
        """Host and port."""
        return self.address.split("//")[1]


def ran(seconds: float = 0) -> dict[str, str]:
    """What a peer says whose monitor ran so many seconds ago."""
    at = datetime.fromtimestamp(time.time() - seconds, UTC)
    return {"status": "ok", "last_run": at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"}


@contextmanager
def neighbours(certificate_in: Path | None = None) -> Iterator[Neighbours]:
    """On loopback; with a folder, under TLS by a certificate that is made in it."""
    played = Neighbours("")

    class Handler(Played):
        def do_GET(self) -> None:
            played.pinged += self.path == "/ping"
            said: Any = ran() if self.path == "/api/v1/mesh/health" else {"status": "ok"}
            self.answer(*played.broken.get(self.path, (200, said)))

        def do_POST(self) -> None:
            text = json.loads(self.body())["text"]
            if self.path not in played.broken:
                played.told.append(text)
            self.answer(*played.broken.get(self.path, (200, {"ok": True})))

        def date_time_string(self, timestamp: float | None = None) -> str:
            return formatdate(time.time() + played.off, usegmt=True)

    tls = None
    if certificate_in is not None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(*certified(certificate_in))
    with loopback(Handler, tls) as port:
        played.address = f"http://127.0.0.1:{port}" if tls is None else f"https://localhost:{port}"
        yield played
