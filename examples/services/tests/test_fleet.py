"""Vehicles over HTTP: their clock, crossings that come late, twice and by message, and levels that are told once."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any

import pytest
from harness import office
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import entry, identity
from harness.nodes import until
from harness.office import Provider, sms
from harness.trustd import OPERATOR, Trustd

FLEET, MESSAGING = "/api/v1/fleet", "/api/v1/messaging"
UNKNOWN = "0192f0c1-2345-7abc-8def-0123456789ab"
NUMBER = "+385910000301"
DAY = datetime.timedelta(days=1)


def ago(days: float) -> str:
    """So many days before now."""
    then = datetime.datetime.now(datetime.UTC) - days * DAY
    return f"{then:%Y-%m-%dT%H:%M:%S}.000Z"


@pytest.fixture(scope="module")
def desk(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Trustd, Client, Provider]]:
    """A service and its provider of short messages."""
    folder = tmp_path_factory.mktemp("fleet")
    with office.provider() as provider:
        settings = {"messaging": office.settings(folder, provider.address)}
        service = Trustd(folder, backend, settings).start()
        yield service, service.client(service.token(OPERATOR, "native", "fleet trust messaging")), provider
        service.close()


def added(native: Client, plate: str, owner: str, **more: Any) -> str:
    """A vehicle of Croatia."""
    body = {"registracija": plate, "maticna_drzava": "HR", "vlasnik_id": owner} | more
    return str(answer(native.post(f"{FLEET}/vehicles", body), 201)["vehicle_id"])


def crossed(client: Client, vehicle: str, state: str, days: float, status: int = 201) -> dict[str, Any]:
    """A crossing so many days ago; the clock that follows."""
    body = {"vehicle_id": vehicle, "drzava": state, "vrijeme": ago(days)}
    return dict(answer(client.post(f"{FLEET}/border-crossing", body), status))


def test_a_level_is_told_and_home_ends_it(desk: tuple[Trustd, Client, Provider]) -> None:
    service, native, provider = desk
    owner = identity(native, "owner of a fleet")
    contact = {"name": "Ana", "language": "hr", "phone": NUMBER, "identity_id": owner}
    answer(native.post(f"{MESSAGING}/contacts", contact), 201)
    vehicle = added(native, "zg 1234-ab", owner)
    assert answer(native.get(f"{FLEET}/status/{vehicle}"))["zadnji_povratak"] is None

    def texts() -> list[str]:
        return [one["Body"] for one in provider.got if one["To"] == NUMBER]

    clock = crossed(native, vehicle, "AT", 52)
    assert (clock["status"], clock["tjedni_odsutni"], clock["registracija"]) == ("critical", 7.42, "ZG1234AB")
    until(lambda: len(texts()) == 1, lambda: str(provider.got))
    assert texts()[0] == "ZG1234AB: kritično, 7,42 tjedana izvan matične države. Vrati vozilo."
    # Who asks is told.
    assert sms(service.client(), NUMBER, "status").status_code == 200
    until(lambda: len(texts()) == 2, lambda: str(texts()))
    assert texts()[1] == "ZG1234AB: kritično, 7,42 tjedana"
    clock = crossed(native, vehicle, "HR", 0)
    assert (clock["status"], clock["tjedni_odsutni"], clock["sljedeca_razina"]) == ("ok", 0, None)
    assert clock["zadnji_povratak"] is not None
    until(lambda: len(texts()) == 3, lambda: str(texts()))
    assert texts()[2].startswith("ZG1234AB: u redu")
    service.run("chain verify")


def test_crossings_come_late_twice_and_out_of_order(desk: tuple[Trustd, Client, Provider]) -> None:
    service, native, _ = desk
    vehicle = added(native, "RI 1", identity(native, "late"))
    moments = {days: ago(days) for days in (60, 50, 45, 2)}
    body = {"vehicle_id": vehicle}
    for state, days, status, level, away in [
        ("SI", 2, 201, "ok", 2),
        ("AT", 60, 201, "violation", 60),
        ("AT", 60, 200, "violation", 60),
        ("HR", 50, 201, "ok", 2),
        ("IT", 45, 201, "warning", 45),
        # At one and the same time home wins.
        ("HR", 45, 201, "ok", 2),
        ("SI", 2, 200, "ok", 2),
    ]:
        crossing = body | {"drzava": state, "vrijeme": moments[days]}
        clock = answer(native.post(f"{FLEET}/border-crossing", crossing), status)
        assert clock["status"] == level and clock["odsutno_od"] == moments[away], (state, days)
    listed = answer(native.get(f"{FLEET}/crossings/{vehicle}"))["items"]
    assert [one["drzava"] for one in listed][:1] == ["SI"] and len(listed) == 5
    assert {one["izvor"] for one in listed} == {"ured"}
    for wrong, pointer in [
        ({"drzava": "XX", "vrijeme": ago(1)}, "/drzava"),
        ({"drzava": "at", "vrijeme": ago(1)}, "/drzava"),
        ({"drzava": "AT", "vrijeme": ago(-1)}, "/vrijeme"),
    ]:
        problem(native.post(f"{FLEET}/border-crossing", body | wrong), 422, "invalid-field", pointer)
    problem(native.post(f"{FLEET}/border-crossing", {"vehicle_id": UNKNOWN, "drzava": "AT"}), 404, "unknown-id")
    # The log names neither the vehicle nor where it was.
    said = str(entry(service.client(), listed[0]["krunica_hash"]))
    assert "personal " in said and vehicle not in said


def test_the_overview_has_those_first_that_are_away_for_longest(desk: tuple[Trustd, Client, Provider]) -> None:
    service, native, _ = desk
    owner = identity(native, "overview")
    before = answer(native.get(f"{FLEET}/levels"))
    made = {days: added(native, f"ST {days}", owner) for days in (58, 51, 44, 10)}
    for days, vehicle in made.items():
        crossed(native, vehicle, "DE", days)
    home = added(native, "ST 0", owner)
    noble = service.client(service.token(identity(native, "dispatcher"), "noble", "fleet"))
    levels = answer(noble.get(f"{FLEET}/levels"))
    assert {name: levels[name] - before[name] for name in levels} == {
        "violation": 1, "critical": 1, "warning": 1, "ok": 2,
    }
    found: list[str] = []
    at: str | None = f"{FLEET}/fleet-overview?limit=2"
    while at is not None:
        page = noble.get(at)
        found += [one["vehicle_id"] for one in answer(page)["items"]]
        link = re.search(r"<[^>]*?(/api[^>]*)>", page.headers.get("Link", ""))
        at = link and link[1]
    own = [one for one in found if one in {*made.values(), home}]
    assert own == [*made.values(), home] and len(found) == len(set(found))
    warned = answer(noble.get(f"{FLEET}/fleet-overview", params={"status": "warning"}))["items"]
    assert made[44] in [one["vehicle_id"] for one in warned] and {one["status"] for one in warned} == {"warning"}
    problem(noble.get(f"{FLEET}/fleet-overview", params={"status": "late"}), 422, "invalid-field")
    # What is retired is in the overview no more, and crosses nothing.
    tag = {"If-Match": '"1"'}
    at = f"{FLEET}/vehicles/{made[58]}"
    problem(noble.request("PATCH", at, json={"stanje": "povuceno"}, headers=tag), 403, "tier-too-low")
    problem(native.request("PATCH", at, json={"stanje": "povuceno"}), 428, "if-match-missing")
    assert answer(native.request("PATCH", at, json={"stanje": "povuceno"}, headers=tag))["verzija"] == 2
    problem(native.request("PATCH", at, json={"stanje": "aktivno"}, headers=tag), 409, "conflict")
    overview = answer(noble.get(f"{FLEET}/fleet-overview", params={"limit": "200"}))["items"]
    assert made[58] not in [one["vehicle_id"] for one in overview]
    crossing = {"vehicle_id": made[58], "drzava": "HR"}
    problem(native.post(f"{FLEET}/border-crossing", crossing), 409, "conflict")


def test_vehicles_are_the_natives(desk: tuple[Trustd, Client, Provider]) -> None:
    service, native, _ = desk
    owner = identity(native, "vehicles")
    body = {"registracija": "OS 77", "maticna_drzava": "HR", "vlasnik_id": owner}
    made = answer(native.post(f"{FLEET}/vehicles", body), 201)
    problem(native.post(f"{FLEET}/vehicles", body | {"registracija": "os-77"}), 409, "conflict")
    for wrong, pointer in [
        ({"registracija": "A;B"}, "/registracija"),
        ({"maticna_drzava": "YU"}, "/maticna_drzava"),
        ({"contact_id": UNKNOWN}, "/contact_id"),
    ]:
        whole = body | {"registracija": "OS 78"} | wrong
        problem(native.post(f"{FLEET}/vehicles", whole), 422, "invalid-field", pointer)
    noble = service.client(service.token(owner, "noble", "fleet"))
    problem(noble.post(f"{FLEET}/vehicles", body | {"registracija": "OS 79"}), 403, "tier-too-low")
    assert answer(noble.get(f"{FLEET}/vehicles/{made['vehicle_id']}"))["registracija"] == "OS77"
    problem(noble.get(f"{FLEET}/vehicles/{UNKNOWN}"), 404, "unknown-id")
    policy = answer(noble.get(f"{FLEET}/policy"))
    assert [policy[name] for name in ("upozorenje", "kriticno", "prekrsaj")] == [6, 7, 8]
    assert "C-541/20" in policy["osnova"]


def test_a_crossing_that_was_reported_is_somebodys_to_take(desk: tuple[Trustd, Client, Provider]) -> None:
    service, native, provider = desk
    number, stranger = "+385910000302", service.client()
    driver = identity(native, "driver")
    contact = {"name": "Bo", "language": "en", "phone": number, "identity_id": driver}
    contact_id = answer(native.post(f"{MESSAGING}/contacts", contact), 201)["contact_id"]
    vehicle = added(native, "PU 5", driver)

    def last() -> str:
        return ([one["Body"] for one in provider.got if one["To"] == number] or [""])[-1]

    for text in ("crossed the border into Austria", "trip started"):
        sms(stranger, number, text)
        until(lambda: re.search(r"\b\d{6}\b", last()) is not None, lambda: str(provider.got))
        sms(stranger, number, re.findall(r"\b\d{6}\b", last())[0])
        until(lambda: not re.search(r"\b\d{6}\b", last()), last)
    unnamed, named = answer(native.get(f"{FLEET}/reports"))["items"]
    assert (named["drzava"], named["contact_id"], unnamed["drzava"]) == ("AT", contact_id, None)

    def at(report: dict[str, Any]) -> str:
        return f"{FLEET}/reports/{report['report_id']}"

    taken = {"vehicle_id": vehicle}
    problem(native.post(at(unnamed), taken), 422, "invalid-field", "/drzava")
    problem(native.post(at(named), {"vehicle_id": UNKNOWN}), 404, "unknown-id")
    # What people write is for natives, as in the log of messages.
    noble = service.client(service.token(identity(native, "reader"), "noble", "fleet"))
    shown = answer(noble.get(f"{FLEET}/reports"))["items"]
    assert [(one["tekst"], one["contact_id"]) for one in shown] == [(None, None)] * 2
    assert shown[1]["drzava"] == "AT" and named["tekst"] == "crossed the border into Austria"
    # An answer that was lost is given again.
    again = {"Idempotency-Key": "taken"}
    decided = answer(native.post(at(named), taken, headers=again))
    assert decided["sat"]["vehicle_id"] == vehicle and answer(native.post(at(named), taken, headers=again)) == decided
    assert answer(native.post(at(unnamed), {}))["sat"] is None
    for report, body in ((named, taken), (named, {}), (unnamed, taken | {"drzava": "SI"}), (unnamed, {})):
        problem(native.post(at(report), body), 409, "conflict")
    assert answer(native.get(f"{FLEET}/reports"))["items"] == []
    [crossing] = answer(native.get(f"{FLEET}/crossings/{vehicle}"))["items"]
    assert (crossing["drzava"], crossing["izvor"], crossing["vrijeme"]) == ("AT", "poruka", named["vrijeme"])
