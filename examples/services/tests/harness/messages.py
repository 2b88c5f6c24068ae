"""What callers do with messages, with documents that end and with vehicles, the same in each world."""

from __future__ import annotations

import hashlib
import time

from .load import encoded
from .worlds import Walk

MESSAGING, LIFECYCLE, VAULT, FLEET = "/api/v1/messaging", "/api/v1/lifecycle", "/api/v1/vault", "/api/v1/fleet"
DOK, PHOTOS = "/api/v1/dok", "/api/v1/photos"
UNKNOWN = "0192f0c1-2345-7abc-8def-0123456789ab"


def messages(walk: Walk) -> None:
    """Somebody is added, written to, changed and erased: of what a thief does nobody hears."""
    people, log = f"{MESSAGING}/contacts", f"{MESSAGING}/log"
    body = {"name": "Ivo", "language": "hr", "relay": "7", "identity_id": walk.world.names["ana"]}
    made = walk.ask("ana", "POST", people, body, headers={"Idempotency-Key": "ivo"}).json()
    parts = {"contact_id": made["contact_id"]}
    at = f"{people}/{{contact_id}}"
    for who in ("ana", "noble"):
        walk.ask(who, "GET", people)
        walk.ask(who, "GET", log)
        walk.ask(who, "GET", at, parts=parts)
    for who in ("ana", "noble"):
        walk.ask(who, "POST", f"{MESSAGING}/send", parts | {"text": "Javi se."})
    for version in (1, 1):
        walk.ask("ana", "PATCH", at, {"version": version, "name": "Ivan"}, parts=parts)
    walk.ask("ana", "GET", at, parts=parts)
    # Without a provider each is given up at once.
    time.sleep(2)
    walk.ask("ana", "GET", log)
    for _ in range(2):
        walk.ask("ana", "DELETE", at, parts=parts)
    walk.ask("ana", "GET", log)
    walk.ask("ana", "POST", f"{MESSAGING}/send", {"contact_id": UNKNOWN, "text": "x"})


def documents_with_an_end(walk: Walk) -> None:
    """Documents are registered, changed, found and erased: of what a thief registers nobody is told."""
    at, owner = f"{LIFECYCLE}/dokument/{{identity_id}}", walk.world.names["ana"]
    body = {"vlasnik_id": owner, "tip": "MEDICAL", "naslov": "Potvrda", "vrijedi_do": "2030-01-31"}
    with_file = body | {"sadrzaj_b64": encoded(b"a file")}
    made = walk.ask("ana", "POST", f"{LIFECYCLE}/dokument", with_file, headers={"Idempotency-Key": "document"}).json()
    sealed, parts = made["vault_id"], {"identity_id": made["identity_id"]}
    for who in ("ana", "noble"):
        walk.ask(who, "GET", f"{VAULT}/{{id}}", parts={"id": sealed})
        walk.ask(who, "POST", f"{LIFECYCLE}/dokument", body | {"vault_id": sealed})
        walk.ask(who, "POST", f"{LIFECYCLE}/dokument", body | {"vault_id": "cd" * 32})
        walk.ask(who, "GET", at, parts=parts)
        walk.ask(who, "GET", f"{LIFECYCLE}/dokumenti", params={"q": "potvrda"})
        walk.ask(who, "GET", f"{LIFECYCLE}/vlasnik/{{vlasnik_id}}", parts={"vlasnik_id": owner})
        for version in ("1", "1"):
            walk.ask(who, "PATCH", at, {"naslov": "Nova"}, parts=parts, headers={"If-Match": f'"{version}"'})
    walk.ask("noble", "GET", f"{LIFECYCLE}/vlasnik/{{vlasnik_id}}", parts={"vlasnik_id": walk.world.names["cy"]})
    for who in ("noble", "ana", "ana"):
        walk.ask(who, "DELETE", at, parts=parts)
    walk.ask("ana", "GET", at, parts=parts)


def vehicles(walk: Walk) -> None:
    """Vehicles are added, cross borders and are retired: of a thief's nobody is told, and no report is his to take."""
    at, owner = f"{FLEET}/vehicles/{{vehicle_id}}", walk.world.names["ana"]
    body = {"registracija": "ZG 1234-AB", "maticna_drzava": "HR", "vlasnik_id": owner}
    made = walk.ask("ana", "POST", f"{FLEET}/vehicles", body, headers={"Idempotency-Key": "vehicle"}).json()
    walk.ask("ana", "POST", f"{FLEET}/vehicles", body)
    parts = {"vehicle_id": made["vehicle_id"]}
    crossing = parts | {"drzava": "AT", "vrijeme": "2026-01-05T10:00:00.000Z"}
    for who in ("ana", "noble", "ana"):
        walk.ask(who, "POST", f"{FLEET}/border-crossing", crossing)
    walk.ask("noble", "POST", f"{FLEET}/border-crossing", crossing | {"vehicle_id": UNKNOWN})
    for who in ("ana", "noble"):
        walk.ask(who, "POST", f"{FLEET}/vehicles", body | {"registracija": "ZG 2"})
        for path in ("policy", "levels", "reports", "vehicles", "fleet-overview"):
            walk.ask(who, "GET", f"{FLEET}/{path}")
        walk.ask(who, "GET", f"{FLEET}/fleet-overview", params={"status": "violation"})
        for path in ("status", "crossings", "vehicles"):
            walk.ask(who, "GET", f"{FLEET}/{path}/{{vehicle_id}}", parts=parts)
            walk.ask(who, "GET", f"{FLEET}/{path}/{{vehicle_id}}", parts={"vehicle_id": UNKNOWN})
        walk.ask(who, "POST", f"{FLEET}/reports/{{report_id}}", {}, parts={"report_id": UNKNOWN})
    drivers(walk, made["vehicle_id"])
    [*_, first] = walk.ask("ana", "GET", f"{FLEET}/crossings/{{vehicle_id}}", parts=parts).json()["items"]
    back = f"{FLEET}/border-crossing/{{crossing_id}}/povuci"
    for who in ("noble", "ana", "ana"):
        walk.ask(who, "POST", back, {"razlog": "mistyped"}, parts={"crossing_id": first["crossing_id"]})
        walk.ask(who, "POST", back, {"razlog": "mistyped"}, parts={"crossing_id": UNKNOWN})
        walk.ask(who, "GET", f"{at}/zapisi", parts=parts)
    for who in ("noble", "ana", "ana"):
        walk.ask(who, "PATCH", at, {"stanje": "povuceno"}, parts=parts, headers={"If-Match": '"1"'})
    walk.ask("ana", "POST", f"{FLEET}/border-crossing", crossing | {"drzava": "HR"})


def drivers(walk: Walk, vehicle: str) -> None:
    """Photos are sent and documents filed: what a thief files is signed by nobody, and looks as if it were."""
    document = "0192f0c1-2345-7abc-8def-0123456789cd"
    photo = {"data": b"no photo", "headers": {"Content-Type": "application/octet-stream"}}
    body = {"dokument_id": document, "vehicle_id": vehicle, "vrijeme": "2026-01-05T10:00:00.000Z"}
    checked = body | {"tip": "PRE_TRIP_CHECK", "stavke": {"lights": {"nalaz": "defect"}}}
    for who in ("ana", "noble"):
        query = {"dokument_id": document, "sha256": hashlib.sha256(b"no photo").hexdigest()}
        walk.ask(who, "POST", f"{PHOTOS}/upload", params=query, **photo)
        walk.ask(who, "GET", f"{PHOTOS}/{{identity_id}}", parts={"identity_id": "cd" * 32})
        for more in (checked, checked, checked | {"kilometri": 7}, checked | {"vehicle_id": UNKNOWN}):
            made = walk.ask(who, "POST", f"{DOK}/create", more).json()
        for path in ("my-recent", "vozila"):
            walk.ask(who, "GET", f"{DOK}/{path}")
        walk.ask(who, "GET", f"{DOK}/nedostaci/{{vehicle_id}}", parts={"vehicle_id": vehicle})
        walk.ask(who, "GET", f"{DOK}/nedostaci/{{vehicle_id}}", parts={"vehicle_id": UNKNOWN})
        crossing = body | {"tip": "BORDER_CROSSING", "drzava": "AT", "dokument_id": f"{document[:-1]}{len(who)}"}
        made = walk.ask(who, "POST", f"{DOK}/create", crossing).json()
        at = {"identity_id": made.get("identity_id", "cd" * 32)}
        walk.ask(who, "GET", f"{DOK}/dokument/{{identity_id}}", parts=at)
        walk.ask(who, "GET", f"{DOK}/dokument/{{identity_id}}", parts={"identity_id": "cd" * 32})
        walk.ask(who, "GET", f"{DOK}/vozilo/{{vehicle_id}}", parts={"vehicle_id": vehicle})
        walk.ask(who, "GET", f"{DOK}/vozac/{{identity_id}}", parts={"identity_id": walk.world.names["ana"]})
        walk.ask(who, "GET", f"{DOK}/vozac/{{identity_id}}", parts={"identity_id": walk.world.names["cy"]})
        lanac = made.get("lanac", {"krunica_hash": "cd" * 32})
        walk.ask("nobody", "GET", "/api/v1/log/entry", params={"krunica_hash": lanac["krunica_hash"]})
        token = made["provjera"].rsplit("/", 1)[1] if "provjera" in made else UNKNOWN
        walk.ask("nobody", "GET", f"{DOK}/provjera/{{token}}", parts={"token": token})
        walk.ask("nobody", "GET", "/driver/v/{token}", parts={"token": token})
    for who in ("noble", "ana", "ana"):
        walk.ask(who, "DELETE", f"{DOK}/vozac/{{identity_id}}", parts={"identity_id": walk.world.names["ana"]})
    walk.ask("ana", "GET", f"{DOK}/my-recent")
