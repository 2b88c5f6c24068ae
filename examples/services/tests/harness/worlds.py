"""Two services alike in all but one thing: in the second one the callers' own keys are honeypots. Whoever walks both
writes down what he is answered, without what is drawn or counted."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests
from dualseal_second import presence

from .configuration import Backend, Settings, merged
from .http import Client, answer
from .load import checkpoint, encoded, identity
from .nodes import until
from .present import DOMAIN
from .trustd import Trustd

LABELS = [f"https://node-{number}.example" for number in range(1, 4)]
SETTINGS = {"trust": {"enrolment_counts_after": "0s"}}
# What was sealed before any key was stolen, and whose it is.
SEALED = [("ana", b"Ugovor o prijevozu"), ("ana", b"Ugovor o najmu, s prilogom"), ("cy", b"Ugovor o djelu")]
# What a drawn or counted text is of: its kind and length stay.
DRAWN = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "uuid"),
    (re.compile(r"[0-9a-f]{32,}"), "hex"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "time"),
    (re.compile(r"[A-Za-z0-9+/_-]{40,}={0,2}"), "base64"),
    (re.compile(r"\d+"), "number"),
]
# Headers whose values are nobody's but this answer's.
OWN = {"date", "content-length", "x-request-id"}


@dataclass
class World:
    """A service, and its callers."""

    service: Trustd
    host: Client
    names: dict[str, str]
    vaults: list[str]
    callers: dict[str, Client] = field(default_factory=dict)

    @classmethod
    def prepared(cls, folder: Path, backend: Backend, settings: Settings | None = None) -> World:
        """With identities, nodes and documents, and tokens for the callers, whose keys are valid still."""
        service = Trustd(folder, backend, merged(SETTINGS, settings or {})).start()
        host = service.client(service.first_token())
        names = {name: identity(host, name) for name in ("ana", "bo", "cy", *LABELS)}
        for label in LABELS:
            service.run("node add", "--label", label, "--subject", names[label])
        world = cls(service, host, names, [])
        for name, document in SEALED:
            body = {"payload_b64": encoded(document), "type": "CONTRACT", "identity_id": names[name]}
            world.vaults.append(answer(host.post("/api/v1/vault/seal", body), 201)["vault_id"])
        scopes = "trust messaging fleet driver family proof models"
        for name in ("ana", "bo"):
            world.callers[name] = service.client(service.token(names[name], "native", f"{scopes} ops"))
        world.callers["noble"] = service.client(service.token(names["ana"], "noble", scopes))
        world.callers["nobody"] = service.client()
        for label in LABELS:
            world.callers[label] = service.client(service.run("token issue", "--node", label).strip())
        return world

    def left_to_thieves(self, callers: Iterable[str] = ("ana", "bo", *LABELS)) -> World:
        """The keys of callers are honeypots from now on."""
        for name in callers:
            body = {"identity_id": self.names[name], "stanje": "oboje"}
            assert answer(self.host.post("/api/v1/dsa/bela", body))["bela_stanje"] == "oboje"
        return self

    def covered(self) -> None:
        """Waits until a checkpoint covers all that stands in the log now."""
        signed = {"identity_id": self.names["cy"], "content_b64": encoded(b"behind all that")}
        link = self.host.post("/api/v1/dsa/potpisi", signed).headers["Link"]
        [seq] = re.findall(r"/proof/(\d+)>", link)
        until(lambda: checkpoint(self.host)["size"] > int(seq), lambda: f"no checkpoint covers {seq}")


@dataclass
class Walk:
    """One way through a world, and what was answered on it."""

    world: World
    told: list[str] = field(default_factory=list)
    walked: set[str] = field(default_factory=set)
    # What nodes were ordered, and whether the key said so that nodes pin.
    orders: list[bool] = field(default_factory=list)

    def ask(self, who: str, method: str, path: str, body: Any = None, **options: Any) -> requests.Response:
        """Asks under an address as the documentation has it; `parts` are what stands in its braces."""
        parts = options.pop("parts", {})
        response = self.world.callers[who].request(
            method, path.format(**parts), **({} if body is None else {"json": body}), **options
        )
        self.walked.add(f"{method} {path}")
        self.told.append(f"{who}: {method} {path} {json.dumps(as_told(response), sort_keys=True)}")
        return response

    def order(self, label: str, path: str, vault_id: str) -> None:
        """Asks, as a node, which split of a vault counts."""
        nonce = os.urandom(32).hex()
        said = self.ask(label, "POST", path, {"nonce": nonce}, parts={"vault_id": vault_id}).json()
        text = presence.stated(DOMAIN, "DROP", label, [vault_id, said["split_id"]], nonce, said["expiry"])
        [pinned] = re.findall(r'operator = "([0-9a-f]{64})"', self.world.service.run("node pins"))
        key, signature = bytes.fromhex(pinned), bytes.fromhex(said["signature"])
        self.orders.append(presence.strictly_accepts(key, signature, text))


def as_told(response: requests.Response) -> dict[str, Any]:
    """The status, the headers and the shape of an answer."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    kept = {name: "" if name in OWN else text(value) for name, value in headers.items()}
    told: dict[str, Any] = {"status": response.status_code, "headers": kept}
    if "json" in headers.get("content-type", ""):
        told["body"] = shape(response.json())
    else:
        told["length"] = len(response.content)
    return told


def shape(value: Any) -> Any:
    """The members and types of a JSON value; of drawn texts the kind and length."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bool) or value is None:
        return value
    return type(value).__name__


def text(value: str) -> str:
    """A text without what is drawn in it."""
    for drawn, kind in DRAWN:
        length = "" if kind == "number" else "{}"
        value = drawn.sub(lambda found, kind=kind, length=length: f"<{kind}{length.format(len(found[0]))}>", value)
    return value
