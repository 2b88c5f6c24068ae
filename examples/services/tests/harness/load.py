"""Callers that sign at the same time, and what they were promised."""

from __future__ import annotations

import base64
import itertools
import threading
from dataclasses import dataclass, field
from typing import Any

import requests

from .http import Client, answer

SIGN = "/api/v1/dsa/potpisi"


def identity(client: Client, name: str) -> str:
    """An identity with a key pair of its own, as its native makes it."""
    body = {"content_b64": encoded(name.encode()), "creator": "tests", "context": "services"}
    made = client.post("/api/v1/dsa/keypair", body)
    assert made.status_code in (200, 201), made.text
    return str(made.json()["identity_id"])


def encoded(content: bytes) -> str:
    """Bytes as they travel in a request."""
    return base64.b64encode(content).decode()


@dataclass
class Promises:
    """The handles of the records that were answered with 201, and every answer that was something else."""

    records: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


class Signers:
    """Threads, each a caller of its own, that sign one document after the other until told to end, or until nobody
    answers any more."""

    def __init__(self, clients: list[Client], signer: str, *, each: int | None = None) -> None:
        """`each` bounds what one caller signs; without it they go on."""
        self.promises = Promises()
        self._signer, self._each = signer, each
        self._end = threading.Event()
        self._threads = [
            threading.Thread(target=self._sign, args=(client, number)) for number, client in enumerate(clients)
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> Promises:
        """Lets each finish what it asked for last."""
        self._end.set()
        return self.wait()

    def wait(self) -> Promises:
        """Until all of them are done."""
        for thread in self._threads:
            thread.join()
        return self.promises

    def _sign(self, client: Client, number: int) -> None:
        for count in itertools.count() if self._each is None else range(self._each):
            if self._end.is_set():
                return
            content = encoded(f"document {number} {count}".encode())
            try:
                response = client.post(SIGN, {"identity_id": self._signer, "content_b64": content})
            except requests.RequestException:
                # Killed before it answered in full: it may have signed, and promised nothing.
                return
            if response.status_code == 201:
                self.promises.records.append(response.json()["krunica_hash"])
            else:
                self.promises.others.append(f"{response.status_code} {response.text}")


def checkpoint(client: Client) -> dict[str, Any]:
    """The last one, as the log's key signed it: whoever does not ask for that gets the note for witnesses."""
    asked = client.get("/api/v1/log/checkpoint", headers={"Accept": "application/json"})
    found: dict[str, Any] = answer(asked)
    return found


def entry(client: Client, handle: str) -> dict[str, Any]:
    """The chain's entry that a record's `krunica_hash` names, which is public."""
    found: dict[str, Any] = answer(client.get("/api/v1/log/entry", params={"krunica_hash": handle}))
    return found
