"""Drivers over HTTP: inspections that the service decides, photos that are none, and nobody else's records."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import uuid
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from harness.http import Client, answer, problem
from harness.load import encoded, entry, identity
from harness.trustd import OPERATOR, Trustd
from PIL import Image

DOK, PHOTOS, FLEET = "/api/v1/dok", "/api/v1/photos", "/api/v1/fleet"
ITEMS = """lights tyres mirrors_glass body_load leaks oil coolant belts battery licence registration insurance
    tachograph""".split()
NOW = "2026-01-05T10:00:00.000Z"
KIND = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def office(service: Trustd) -> Client:
    """A native of the fleet."""
    return service.client(service.token(OPERATOR, "native", "fleet trust driver"))


@pytest.fixture(scope="module")
def vehicle(office: Client) -> str:
    body = {"registracija": "ZG 1234-AB", "maticna_drzava": "HR", "vlasnik_id": identity(office, "owner")}
    return str(answer(office.post(f"{FLEET}/vehicles", body), 201)["vehicle_id"])


@pytest.fixture(scope="module")
def drivers(service: Trustd, office: Client) -> Iterator[tuple[Client, Client]]:
    names = [identity(office, name) for name in ("ana", "bo")]
    ana, bo = (service.client(service.token(name, "noble", "driver")) for name in names)
    yield ana, bo


def inspection(vehicle: str, **found: str) -> dict[str, Any]:
    """All in order but these."""
    stavke = {item: {"nalaz": found.get(item, "ok")} for item in ITEMS if found.get(item) != "missing"}
    body = {"dokument_id": str(uuid.uuid4()), "tip": "PRE_TRIP_CHECK", "vehicle_id": vehicle, "vrijeme": NOW}
    return body | {"stavke": stavke}


def picture(kind: str = "JPEG", size: tuple[int, int] = (64, 48)) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(out, kind)
    return out.getvalue()


def sent(client: Client, document: str, photo: bytes, sha256: str | None = None) -> Any:
    """An upload, with the hash of its bytes."""
    query = {"dokument_id": document, "sha256": sha256 or hashlib.sha256(photo).hexdigest()}
    return client.post(f"{PHOTOS}/upload", params=query, data=photo, headers=KIND)


def test_the_service_decides_and_signs(service: Trustd, drivers: tuple[Client, Client], vehicle: str) -> None:
    ana, _ = drivers
    for found, decision in [
        ({}, "GO"),
        ({"oil": "defect"}, "GO_WITH_WARNINGS"),
        ({"tyres": "defect"}, "NO_GO"),
        ({"leaks": "critical"}, "NO_GO"),
        ({"belts": "missing"}, "NO_GO"),
    ]:
        made = answer(ana.post(f"{DOK}/create", inspection(vehicle, **found)), 201)
        assert made["odluka"] == decision, found
    body = inspection(vehicle, oil="defect")
    made = answer(ana.post(f"{DOK}/create", body), 201)
    assert answer(ana.post(f"{DOK}/create", body)) == made
    problem(ana.post(f"{DOK}/create", body | {"kilometri": 7}), 409, "conflict")
    said = entry(service.client(), made["lanac"]["krunica_hash"])
    assert said["seq"] == made["lanac"]["seq"] and "PRE_TRIP" not in str(said)
    # Whoever has the link sees the verdict, and nothing of whom it is.
    token = made["provjera"].rsplit("/", 1)[1]
    verdict = answer(service.client().get(f"{DOK}/provjera/{token}"))
    assert (verdict["tip"], verdict["odluka"], verdict["validan"]) == ("PRE_TRIP_CHECK", "GO_WITH_WARNINGS", True)
    assert (verdict["potpis"], verdict["pecat"]) == (True, True)
    page = service.client().get(f"/driver/v/{token}")
    assert page.status_code == 200 and "The record holds" in page.text and "GO_WITH_WARNINGS" in page.text
    assert page.text.count("<dd>holds</dd>") == 2 and "Dual seal" in page.text
    assert "<script" not in page.text and "ZG1234AB" not in page.text
    for wrong in ("0" * 64, "x", token[:-1]):
        problem(service.client().get(f"{DOK}/provjera/{wrong}"), 404, "unknown-id")
    service.run("chain verify")


def test_what_is_wrong_is_named(drivers: tuple[Client, Client], vehicle: str) -> None:
    ana, _ = drivers
    body = inspection(vehicle)
    for wrong, pointer in [
        ({"tip": "ODOMETER"}, "/stavke"),
        ({"tip": "BORDER_CROSSING", "stavke": None}, "/drzava"),
        ({"tip": "BORDER_CROSSING", "stavke": None, "drzava": "XX"}, "/drzava"),
        ({"vehicle_id": str(uuid.uuid4())}, "/vehicle_id"),
        ({"vrijeme": "2999-01-01T00:00:00.000Z"}, "/vrijeme"),
        ({"stavke": {"lights": {"nalaz": "ok", "fotografije": ["ab" * 32]}}}, "/stavke"),
        ({"stavke": {"lights": {"nalaz": "ok", "fotografije": ["ab" * 32] * 25}}}, "/stavke"),
        ({"stavke": {"lights": {"nalaz": "ok", "napomena": "a\nb"}}}, "/stavke/lights/napomena"),
        ({"stavke": {"wings": {"nalaz": "ok"}}}, "/stavke"),
        ({"napomena": "a\u202eb"}, "/napomena"),
    ]:
        whole = {name: value for name, value in (body | wrong).items() if value is not None}
        problem(ana.post(f"{DOK}/create", whole), 422, "invalid-field", pointer)


def test_what_is_no_photo_is_refused(drivers: tuple[Client, Client]) -> None:
    ana, _ = drivers
    document, photo = str(uuid.uuid4()), picture()
    problem(sent(ana, document, photo, "0" * 64), 422, "invalid-field", "query/sha256")
    behind = photo + b"PK\x03\x04<script>alert(1)</script>"
    head = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(b"\0" * 300_000)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    for wrong in (behind, photo[: len(photo) // 2], photo[:-1], bomb, b"<html>", b"GIF89a", b""):
        found = problem(sent(ana, document, wrong), 422, "invalid-field", "")
        assert found["errors"][0]["code"] == "image", found
    problem(sent(ana, document, b"\xff" * (10 * 2**20 + 1)), 413, "too-large")
    query = {"dokument_id": document, "sha256": hashlib.sha256(photo).hexdigest()}
    kind = {"Content-Type": "image/jpeg"}
    problem(ana.post(f"{PHOTOS}/upload", params=query, data=photo, headers=kind), 415, "media-type")
    for kind in ("JPEG", "PNG", "WEBP"):
        assert answer(sent(ana, document, picture(kind)), 201)["sirina"] == 64


def test_a_photo_is_shown_small_and_without_what_it_says(drivers: tuple[Client, Client], vehicle: str) -> None:
    ana, bo = drivers
    out, exif = io.BytesIO(), Image.Exif()
    exif[0x010E] = "N 45.8 E 15.9"
    # Turned by a quarter, as phones have it.
    exif[0x0112] = 6
    Image.effect_noise((2400, 1800), 90).convert("RGB").save(out, "JPEG", exif=exif, quality=95)
    photo, body = out.getvalue(), inspection(vehicle)
    assert len(photo) > 1_000_000
    made = answer(sent(ana, body["dokument_id"], photo), 201)
    assert made["sha256"] == hashlib.sha256(photo).hexdigest() and made["bajtova"] <= 500_000
    assert answer(sent(ana, body["dokument_id"], photo)) == made
    shown = ana.get(f"{PHOTOS}/{made['identity_id']}").content
    image = Image.open(io.BytesIO(shown))
    assert image.format == "JPEG" and image.height > image.width and not image.getexif() and b"45.8" not in shown
    # Of nobody else's document, and for nobody else.
    body["stavke"]["oil"]["fotografije"] = [made["identity_id"]]
    problem(bo.post(f"{DOK}/create", body), 422, "invalid-field", "/stavke")
    problem(ana.post(f"{DOK}/create", body | {"dokument_id": str(uuid.uuid4())}), 422, "invalid-field", "/stavke")
    answer(ana.post(f"{DOK}/create", body), 201)
    # It came before its document, or not at all.
    problem(sent(ana, body["dokument_id"], picture()), 409, "conflict")
    original = ana.get(f"{PHOTOS}/{made['identity_id']}", params={"izvornik": "true"})
    assert original.content == photo and original.headers["Content-Type"] == "application/octet-stream"


def test_the_office_reads_and_a_stranger_verifies(
    service: Trustd, office: Client, drivers: tuple[Client, Client], vehicle: str
) -> None:
    ana, bo = drivers
    body, photo = inspection(vehicle, oil="defect"), picture()
    taken = answer(sent(ana, body["dokument_id"], photo), 201)
    body["stavke"]["oil"] |= {"napomena": "a drop below the engine", "fotografije": [taken["identity_id"]]}
    made = answer(ana.post(f"{DOK}/create", body | {"kilometri": 412_873}), 201)
    at = f"{DOK}/dokument/{made['identity_id']}"
    problem(bo.get(at), 404, "unknown-id")
    whole = answer(office.get(at))
    assert whole == answer(ana.get(at)) and whole["dokument"] == made and whole["fotografije"] == [taken]
    text = json.loads(whole["tekst"])
    assert text["dokument"]["stavke"]["oil"]["napomena"] == "a drop below the engine"
    assert text["fotografije"] == {taken["identity_id"]: hashlib.sha256(photo).hexdigest()}
    assert office.get(f"{PHOTOS}/{taken['identity_id']}", params={"izvornik": "true"}).content == photo
    told = {"record": whole["zapis"], "identity_id": whole["zapis"]["identity_id"]}
    told["content_b64"] = encoded(whole["tekst"].encode())
    assert answer(service.client().post("/api/v1/dsa/provjeri", told))["validan"] is True
    # The seal has an entry of its own, by which anybody finds it.
    entry_of = entry(service.client(), made["pecat"]["krunica_hash"])
    assert hashlib.sha3_256(whole["pecat"].encode()).hexdigest() in str(entry_of)
    listed = answer(office.get(f"{DOK}/vozilo/{vehicle}"))["items"]
    assert listed[0] == whole
    problem(ana.get(f"{DOK}/vozilo/{vehicle}"), 403, "tier-too-low")
    problem(office.get(f"{DOK}/vozilo/{uuid.uuid4()}"), 404, "unknown-id")
    kilometri = answer(office.get(f"{FLEET}/vehicles/{vehicle}"))["kilometri"]
    assert kilometri[0]["kilometri"] == 412_873 and kilometri[0]["krunica_hash"] == made["lanac"]["krunica_hash"]


def test_all_of_a_driver_goes(service: Trustd, office: Client, vehicle: str) -> None:
    name = identity(office, "cy")
    cy = service.client(service.token(name, "noble", "driver"))
    body = inspection(vehicle, belts="defect")
    taken = answer(sent(cy, body["dokument_id"], picture()), 201)
    body["stavke"]["belts"]["fotografije"] = [taken["identity_id"]]
    made = answer(cy.post(f"{DOK}/create", body), 201)
    at = f"{DOK}/vozac/{name}"
    [whole] = answer(cy.get(at))["items"]
    assert whole["dokument"] == made and answer(office.get(at))["items"] == [whole]
    problem(cy.get(f"{DOK}/vozac/{identity(office, 'ana')}"), 404, "unknown-id")
    problem(cy.request("DELETE", at), 403, "tier-too-low")
    assert office.request("DELETE", at).status_code == 204
    problem(office.request("DELETE", at), 404, "unknown-id")
    assert answer(cy.get(at))["items"] == answer(cy.get(f"{DOK}/my-recent"))["items"] == []
    problem(office.get(f"{PHOTOS}/{taken['identity_id']}"), 404, "unknown-id")
    problem(service.client().get(f"{DOK}/provjera/{made['provjera'].rsplit('/', 1)[1]}"), 404, "unknown-id")
    # The log is as long as it was, and says nothing of what is gone.
    assert "belts" not in str(entry(service.client(), made["lanac"]["krunica_hash"]))
    open_ = answer(office.get(f"{DOK}/nedostaci/{vehicle}", params={"limit": "200"}))["items"]
    assert [one["dokument"] for one in open_ if one["stavka"] == "belts"] == [None]
    service.run("chain verify")


def test_other_drivers_records_are_not_there(drivers: tuple[Client, Client], vehicle: str) -> None:
    ana, bo = drivers
    body, photo = inspection(vehicle), picture()
    taken = answer(sent(ana, body["dokument_id"], photo), 201)
    made = answer(ana.post(f"{DOK}/create", body), 201)
    problem(bo.get(f"{PHOTOS}/{taken['identity_id']}"), 404, "unknown-id")
    # A name that another driver drew is free, and says nothing of him.
    assert answer(sent(bo, body["dokument_id"], photo), 201)["identity_id"] != taken["identity_id"]
    listed = answer(bo.get(f"{DOK}/my-recent", params={"limit": "200"}))["items"]
    assert made["identity_id"] not in [one["identity_id"] for one in listed]
    his = answer(bo.post(f"{DOK}/create", body), 201)
    assert his["identity_id"] != made["identity_id"] and his["provjera"] != made["provjera"]
    recent = answer(ana.get(f"{DOK}/my-recent"))["items"]
    assert recent[0] == made and recent == sorted(recent, key=lambda one: str(one["zaprimljeno"]), reverse=True)


def test_crossings_and_repairs_have_their_effect(
    service: Trustd, office: Client, drivers: tuple[Client, Client], vehicle: str
) -> None:
    ana, bo = drivers
    body = {"dokument_id": str(uuid.uuid4()), "tip": "BORDER_CROSSING", "vehicle_id": vehicle, "vrijeme": NOW}
    made = answer(ana.post(f"{DOK}/create", body | {"drzava": "AT"}), 201)
    status = answer(office.get(f"{FLEET}/status/{vehicle}"))
    assert (status["odsutno_od"], status["status"]) == (NOW, "violation")
    [crossing] = answer(office.get(f"{FLEET}/crossings/{vehicle}"))["items"]
    assert (crossing["izvor"], crossing["krunica_hash"]) == ("vozac", made["lanac"]["krunica_hash"])
    # The office had it already: it counts once.
    again = body | {"dokument_id": str(uuid.uuid4()), "drzava": "AT"}
    answer(bo.post(f"{DOK}/create", again), 201)
    assert len(answer(office.get(f"{FLEET}/crossings/{vehicle}"))["items"]) == 1
    plates = [one["registracija"] for one in answer(ana.get(f"{DOK}/vozila"))["items"]]
    assert plates == ["ZG1234AB"]
    answer(ana.post(f"{DOK}/create", inspection(vehicle, coolant="defect")), 201)
    listed = answer(bo.get(f"{DOK}/nedostaci/{vehicle}", params={"limit": "200"}))["items"]
    defect = next(one for one in listed if one["stavka"] == "coolant")
    repair = {"dokument_id": str(uuid.uuid4()), "tip": "REPAIR", "vehicle_id": vehicle, "vrijeme": NOW}
    repair["popravljeno"] = [defect["nedostatak_id"]]
    signed = answer(bo.post(f"{DOK}/create", repair), 201)
    token = signed["provjera"].rsplit("/", 1)[1]
    assert answer(service.client().get(f"{DOK}/provjera/{token}"))["validan"] is True
    listed = answer(ana.get(f"{DOK}/nedostaci/{vehicle}", params={"limit": "200"}))["items"]
    assert defect not in listed
    twice = repair | {"dokument_id": str(uuid.uuid4())}
    both = {"popravljeno": repair["popravljeno"] * 2}
    problem(bo.post(f"{DOK}/create", twice | both), 422, "invalid-field", "/popravljeno")
    problem(ana.post(f"{DOK}/create", twice), 422, "invalid-field", "/popravljeno")
    # Whose key was called back signs no repair any more, and what he signed does not hold.
    answer(office.post("/api/v1/dsa/bela", {"identity_id": identity(office, "bo"), "stanje": "laz"}))
    problem(bo.post(f"{DOK}/create", twice), 422, "invalid-field", "/popravljeno")
    assert answer(service.client().get(f"{DOK}/provjera/{token}"))["validan"] is False
