"""Two nobles, of whom the first has one of every kind of thing that the service keeps for somebody."""

from __future__ import annotations

import hashlib
import io
import uuid
from dataclasses import dataclass, field
from typing import Any

import requests
from dualseal_second import presence
from PIL import Image

from .http import Client, answer
from .load import encoded, identity
from .present import Person
from .trustd import OPERATOR, Trustd
from .worlds import LABELS

API, WORLD = "/api/v1", "/world"
SCOPES = "trust messaging fleet driver family proof models"
DAY = {"od": "2026-01-05T00:00:00.000Z", "do": "2026-01-06T00:00:00.000Z"}
MAJA = {"ime": "Maja", "rodjen": "2019-05-31", "jezik": "hr"}


@dataclass
class Owned:
    """What the first of two nobles has, by the names that requests give it."""

    service: Trustd
    first: Client
    second: Client
    who: str
    # The second.
    other: str
    names: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, service: Trustd) -> Owned:
        """Makes one of each kind."""
        office = service.client(service.token(OPERATOR, "native", SCOPES))
        ana, bo = identity(office, "ana"), identity(office, "bo")
        clients = [service.client(service.token(who, "noble", SCOPES)) for who in (ana, bo)]
        owned = cls(service, clients[0], clients[1], ana, bo)
        of_trust(owned, office)
        of_the_office(owned, office)
        of_its_own(owned)
        return owned

    def whose(self) -> dict[str, str]:
        """Of a body or a query."""
        return {"identity_id": self.who}


def of_trust(owned: Owned, office: Client) -> None:
    """A signature, a document among nodes, a request that waits, a session, and an authenticator."""
    service, names = owned.service, owned.names
    for label in LABELS:
        service.run("node add", "--label", label, "--subject", identity(office, label))
    signs = owned.whose() | {"content_b64": encoded(b"x")}
    names["record"] = answer(owned.first.post(f"{API}/dsa/potpisi", signs), 201)
    sealed = owned.whose() | {"payload_b64": encoded(b"x"), "type": "CONTRACT"}
    names["vault_id"] = answer(office.post(f"{API}/vault/seal", sealed), 201)["vault_id"]
    split = owned.whose() | {"vault_id": names["vault_id"], "m": 2, "n": 3, "node_urls": LABELS}
    answer(office.post(f"{API}/qt/split", split), 201)
    # Natives alone found sessions: who was one when it did sees it as a noble, too.
    founder = service.client(service.token(owned.who, "native", "trust"))
    names["session_id"] = answer(founder.post(f"{API}/threshold/sesija", {"n": 3, "k": 2}), 201)["session_id"]
    names["person"] = Person(service, office, owned.who)
    names["person_key"] = presence.public_key_of(names["person"].seed)
    # A checkpoint is signed when a key is called back.
    answer(office.post(f"{API}/dsa/bela", {"identity_id": identity(office, "nobody"), "stanje": "nijedno"}))
    again = owned.whose() | {"vault_id": names["vault_id"]}
    names["request"] = answer(office.post(f"{API}/qt/reconstruct", again), 201)
    names["request_id"] = names["request"]["request_id"]
    names["vouched"] = answer(owned.first.post(f"{API}/presence/vouch/begin", owned.whose()), 201)
    proven = owned.whose() | {"record": names["record"]}
    names["dokaz_id"] = answer(owned.first.post(f"{API}/proof/istina", proven), 201)["dokaz_id"]
    names["izazov"] = answer(owned.first.post(f"{API}/proof/zivot/challenge", owned.whose()), 201)


def of_the_office(owned: Owned, office: Client) -> None:
    """A contact with a message, a document that ends, a vehicle."""
    contact = owned.whose() | {"name": "Ana", "language": "hr", "relay": "7"}
    owned.names["contact_id"] = answer(office.post(f"{API}/messaging/contacts", contact), 201)["contact_id"]
    owned.names["ends"] = {"vlasnik_id": owned.who, "tip": "MEDICAL", "naslov": "x", "vrijedi_do": "2030-01-31"}
    made = answer(owned.first.post(f"{API}/lifecycle/dokument", owned.names["ends"]), 201)
    owned.names["ends_id"] = made["identity_id"]
    vehicle = {"registracija": "ZG 1", "maticna_drzava": "HR", "vlasnik_id": owned.who}
    owned.names["vehicle_id"] = answer(office.post(f"{API}/fleet/vehicles", vehicle), 201)["vehicle_id"]
    answer(owned.first.post(f"{API}/messaging/send", written(owned)), 202)


def of_its_own(owned: Owned) -> None:
    """What a driver files, a photo, a child with a memory."""
    first, names = owned.first, owned.names
    names["filed"] = answer(first.post(f"{API}/dok/create", filing(owned)), 201)["identity_id"]
    names["photo"] = answer(photographed(first), 201)["identity_id"]
    names["child"] = answer(first.post(f"{WORLD}/dijete", MAJA), 201)["identity_id"]
    at = f"{WORLD}/dijete/{names['child']}/memorija"
    names["memory"] = answer(first.post(at, {"tekst": "Prvi zub."}), 201)["memorija_id"]


def written(owned: Owned) -> dict[str, str]:
    """A message to the first's contact."""
    return {"contact_id": owned.names["contact_id"], "text": "Javi se."}


def filing(owned: Owned) -> dict[str, Any]:
    """What a driver files of the vehicle: its body names no driver."""
    body = {"dokument_id": str(uuid.uuid4()), "vrijeme": "2026-01-05T10:00:00.000Z", "tip": "ODOMETER"}
    return body | {"vehicle_id": owned.names["vehicle_id"], "kilometri": 7}


def crossed(owned: Owned) -> dict[str, Any]:
    """What a driver files of the vehicle at a border."""
    body = {"dokument_id": str(uuid.uuid4()), "vrijeme": "2026-01-05T11:00:00.000Z", "tip": "BORDER_CROSSING"}
    return body | {"vehicle_id": owned.names["vehicle_id"], "drzava": "AT"}


def photographed(by: Client) -> requests.Response:
    """A photo of a document that is filed later."""
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "PNG")
    photo = out.getvalue()
    query = {"dokument_id": str(uuid.uuid4()), "sha256": hashlib.sha256(photo).hexdigest()}
    kind = {"Content-Type": "application/octet-stream"}
    return by.post(f"{API}/photos/upload", params=query, data=photo, headers=kind)
