"""Documents in the vault: too large for a row, so that each is a row and an object."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import requests

from .http import Client, answer
from .load import Promises, encoded

# Above 64 KiB a payload is an object of its own.
BYTES = 80 << 10


class Sealers:
    """Threads, each a caller of its own, that seal one large document after the other until nobody answers."""

    def __init__(self, clients: list[Client], signer: str) -> None:
        self.promises = Promises()
        self._signer = signer
        self._threads = [threading.Thread(target=self._seal, args=(client,)) for client in clients]
        for thread in self._threads:
            thread.start()

    def wait(self) -> Promises:
        """Until all of them are done."""
        for thread in self._threads:
            thread.join()
        return self.promises

    def _seal(self, client: Client) -> None:
        while True:
            body = {"payload_b64": encoded(os.urandom(BYTES)), "type": "document", "identity_id": self._signer}
            try:
                response = client.post("/api/v1/vault/seal", body)
            except requests.RequestException:
                return
            if response.status_code == 201:
                self.promises.records.append(response.json()["vault_id"])
            else:
                self.promises.others.append(f"{response.status_code} {response.text}")


def sealed(native: Client) -> Iterator[str]:
    """Every record that the vault lists."""
    after: dict[str, str] = {}
    while True:
        page = answer(native.get("/api/v1/vault/", params={"limit": "200", **after}))
        yield from (item["vault_id"] for item in page["items"])
        if page["next"] is None:
            return
        after = {"after": page["next"]}


def verifies(anyone: Client, vault_id: str) -> bool:
    """Whether a stored record, and with it every byte of its document, is what was sealed."""
    return bool(answer(anyone.post("/api/v1/vault/verify", {"vault_id": vault_id}))["validan"])
