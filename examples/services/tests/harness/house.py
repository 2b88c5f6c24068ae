"""A service whose people approve with a browser, by its name, with nodes that hold what they approve."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests

from . import configuration, process
from .http import Client, answer, problem
from .load import encoded, identity
from .nodes import Node, until
from .trustd import Trustd

QT = "/api/v1/qt"
DOCUMENT = b"Punomoc, \x00\xff 1 primjerak"
# What a page that took text for markup would run.
MARKUP = "<img src=x onerror=alert(1)>"
LABELS = [f"https://node-{number}.example" for number in range(1, 4)]


@dataclass
class House:
    """A service that is called by its name, with three nodes, two of which bring back a secret."""

    service: Trustd
    native: Client
    second: Client
    address: str

    def owner(self, name: str) -> tuple[str, str]:
        """An identity, and a token of its own that may not do more than its own."""
        who = identity(self.native, name)
        return who, self.service.token(who, "noble", "trust")

    def invitation(self, owner: str) -> str:
        """One that a native made, and a second one agreed to."""
        invited = answer(self.native.post("/api/v1/presence/invitations", {"identity_id": owner}), 201)
        answer(self.second.post(f"/api/v1/presence/invitations/{invited['invitation_id']}/agree"))
        return str(invited["invitation"])

    def split(self, owner: str) -> str:
        """A document whose secret is dealt to the nodes."""
        body = {"payload_b64": encoded(DOCUMENT), "type": MARKUP, "identity_id": owner}
        vault_id = str(answer(self.native.post("/api/v1/vault/seal", body), 201)["vault_id"])
        asked = {"vault_id": vault_id, "identity_id": owner, "m": 2, "n": 3, "node_urls": LABELS}
        answer(self.native.post(f"{QT}/split", asked), 201)
        return vault_id

    def custody(self, owner: str) -> str:
        """One whose secret they alone have."""
        vault_id = self.split(owner)

        def held() -> bool:
            items = answer(self.native.get(f"{QT}/vaults"))["items"]
            return any(item["vault_id"] == vault_id and item["custody"] for item in items)

        until(held, lambda: self.native.get(f"{QT}/vaults").text)
        problem(self.native.post(f"/api/v1/vault/{vault_id}/unseal", {"identity_id": owner}), 409, "in-custody")
        return vault_id

    def rebuilding(self, vault_id: str, owner: str) -> dict[str, Any]:
        """A request for it, as soon as a checkpoint covers the split."""
        found: list[requests.Response] = []

        def covered() -> bool:
            found[:] = [self.native.post(f"{QT}/reconstruct", {"vault_id": vault_id, "identity_id": owner})]
            return found[0].status_code != 409

        until(covered, lambda: found[0].text)
        return dict(answer(found[0], 201))

    def document(self, request: dict[str, Any]) -> bytes:
        """What comes of a request, as soon as enough nodes have released what they hold."""
        found: list[requests.Response] = []

        def there() -> bool:
            found[:] = [self.native.get(f"{QT}/requests/{request['request_id']}/document")]
            return found[0].status_code != 409

        until(there, lambda: found[0].text)
        assert found[0].status_code == 200, found[0].text
        return found[0].content


@contextlib.contextmanager
def house(folder: Path, waits: int) -> Iterator[House]:
    """Runs them; a new authenticator counts after so many seconds."""
    [port] = process.free_ports(1)
    # Browsers offer authenticators to names only, and over http to this one.
    address = f"http://localhost:{port}"
    settings = {
        "listen": f"127.0.0.1:{port}",
        "base_url": address,
        "trust": {"enrolment_counts_after": f"{waits}s"},
    }
    service = Trustd(folder, configuration.local(), settings).start()
    nodes: list[Node] = []
    try:
        native = service.client(service.first_token())
        second = service.client(service.token(identity(native, "second"), "native", "trust"))
        for number, label in enumerate(LABELS):
            who = identity(native, f"keeper {number}")
            nodes.append(Node(folder / f"node-{number}", service, label, who, counts_after="1s").start())
        yield House(service, native, second, address)
        for node in nodes:
            node.close()
    finally:
        service.close()
