"""Documents over HTTP: versions, owners, search, files in the vault, and alarms that come once."""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import requests
from conftest import Make
from harness import configuration, office
from harness.clock import Clock
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import encoded, entry, identity
from harness.nodes import until
from harness.office import Provider, sms
from harness.trustd import OPERATOR, Trustd

LIFECYCLE, MESSAGING = "/api/v1/lifecycle", "/api/v1/messaging"
AT = f"{LIFECYCLE}/dokument"
# Of a process that dies in the middle of its loop the job is another's at once, and not in an hour.
SOON = {"every": "1s"}


def day(left: int) -> str:
    """So many days from now, in the zone of documents whose owner names none."""
    return (datetime.datetime.now(ZoneInfo("Europe/Zagreb")).date() + datetime.timedelta(days=left)).isoformat()


@pytest.fixture(scope="module")
def desk(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Trustd, Client, Provider]]:
    """A service whose loop runs each second, and its provider of short messages."""
    folder = tmp_path_factory.mktemp("documents")
    with office.provider() as provider:
        settings = {"messaging": office.settings(folder, provider.address), "lifecycle": SOON}
        service = Trustd(folder, backend, settings).start()
        yield service, service.client(service.first_token()), provider
        service.close()


def clerk(service: Trustd) -> Client:
    """A native of the office."""
    return service.client(service.token(OPERATOR, "native", "fleet trust messaging"))


def registered(native: Client, owner: str, title: str, last: str, **more: Any) -> dict[str, Any]:
    """A document."""
    body = {"vlasnik_id": owner, "tip": "MEDICAL", "naslov": title, "vrijedi_do": last} | more
    return dict(answer(native.post(AT, body), 201))


def patch(client: Client, at: str, body: dict[str, Any], tag: str | None) -> Any:
    """A change of the version that a tag names."""
    return client.request("PATCH", at, json=body, headers={} if tag is None else {"If-Match": tag})


def test_an_owner_is_told_once(desk: tuple[Trustd, Client, Provider]) -> None:
    service, native, provider = desk
    owner, number = identity(native, f"owner {uuid.uuid4()}"), "+385910000101"
    contact = {"name": "Ana", "language": "hr", "phone": number, "identity_id": owner}
    answer(native.post(f"{MESSAGING}/contacts", contact), 201)
    made = registered(native, owner, "Liječnička potvrda", day(5))
    assert (made["stanje"], made["verzija"]) == ("uskoro", 1)

    def texts() -> list[str]:
        return [one["Body"] for one in provider.got if one["To"] == number]

    until(lambda: len(texts()) == 1, lambda: str(provider.got))
    assert "Liječnička potvrda: vrijedi do" in texts()[0]
    service.restart()
    native = clerk(service)
    at = f"{AT}/{made['identity_id']}"
    alarms = {one["prag"]: one["stanje"] for one in answer(native.get(at))["alarmi"]}
    assert alarms == {30: "missed", 7: "sent"}
    changed = patch(native, at, {"vrijedi_do": day(400)}, '"1"')
    assert answer(changed)["stanje"] == "vrijedi" and changed.headers["ETag"] == '"2"'
    answer(patch(native, at, {"vrijedi_do": day(0)}, '"2"'))
    until(lambda: len(texts()) == 2, lambda: str(texts()))
    # Who asks is told what ends.
    assert sms(service.client(), number, "status").status_code == 200
    until(lambda: len(texts()) == 3, lambda: str(texts()))
    assert texts()[2].startswith("Liječnička potvrda: do ")


def test_one_version_after_the_other(desk: tuple[Trustd, Client, Provider]) -> None:
    service, _, _ = desk
    native = clerk(service)
    made = registered(native, identity(native, "versions"), "Ugovor", day(300))
    at = f"{AT}/{made['identity_id']}"
    problem(patch(native, at, {"naslov": "x"}, None), 428, "if-match-missing")
    for tag in ("1", 'W/"1"', "*", '"0"', '"01"', '"1", "2"'):
        problem(patch(native, at, {"naslov": "x"}, tag), 422, "invalid-field", "header/If-Match")
    first = patch(native, at, {"stanje": "arhiviran"}, '"1"')
    assert answer(first)["stanje"] == "arhiviran"
    problem(patch(native, at, {"naslov": "x"}, '"1"'), 409, "conflict")
    again = answer(patch(native, at, {"stanje": "vrijedi"}, '"2"'))
    assert (again["stanje"], again["krunica_hash"] != made["krunica_hash"]) == ("vrijedi", True)
    nobody = {"contact_id": "0192f0c1-2345-7abc-8def-0123456789ab"}
    for body, pointer in (({"identity_id": "x"}, "/identity_id"), ({}, ""), (nobody, "/contact_id")):
        problem(patch(native, at, body, '"3"'), 422, "invalid-field", pointer)
    for wrong, pointer in [
        ({"tip": "SOMETHING"}, "/tip"),
        ({"vrijedi_do": "2026-02-29"}, "/vrijedi_do"),
        ({"zona": "Mars/Base"}, "/zona"),
        ({"naslov": "a\nb"}, "/naslov"),
        ({"naslov": "a\u202eb"}, "/naslov"),
    ]:
        whole = {"vlasnik_id": "ab" * 32, "tip": "MEDICAL", "naslov": "x", "vrijedi_do": day(9)} | wrong
        problem(native.post(AT, whole), 422, "invalid-field", pointer)


def test_owners_see_their_own_and_find_it(desk: tuple[Trustd, Client, Provider]) -> None:
    service, _, _ = desk
    native = clerk(service)
    ana, bo = identity(native, "ana"), identity(native, "bo")
    noble = service.client(service.token(ana, "noble", "fleet"))
    own = registered(native, ana, "Vozačka dozvola C+E", day(100), tip="DRIVING_LICENCE")
    foreign = registered(native, bo, "Vozačka dozvola B", day(200), tip="DRIVING_LICENCE")

    def found(client: Client, **query: str) -> list[str]:
        items = answer(client.get(f"{LIFECYCLE}/dokumenti", params=query))["items"]
        return [one["identity_id"] for one in items]

    both = [foreign["identity_id"], own["identity_id"]]
    assert found(noble, q="vozac doz") == both[1:]
    assert found(native, q="vozač", tip="DRIVING_LICENCE") == both
    assert found(native, q="licence vozacka") == both and found(native, q="zacka") == []
    assert found(native, q="vozac%", tip="MEDICAL") == []
    assert found(native, q="vozacka", do_dana=day(150)) == both[1:]
    problem(native.get(f"{LIFECYCLE}/dokumenti", params={"do_dana": "2026-02-30"}), 422, "invalid-field")
    problem(noble.get(f"{AT}/{foreign['identity_id']}"), 404, "unknown-id")
    problem(patch(noble, f"{AT}/{foreign['identity_id']}", {"naslov": "x"}, '"1"'), 404, "unknown-id")
    problem(noble.get(f"{LIFECYCLE}/vlasnik/{bo}"), 404, "unknown-id")
    listed = answer(noble.get(f"{LIFECYCLE}/vlasnik/{ana}"))["items"]
    assert [one["identity_id"] for one in listed] == both[1:]
    body = {"vlasnik_id": bo, "tip": "MEDICAL", "naslov": "x", "vrijedi_do": day(9)}
    problem(noble.post(AT, body), 404, "unknown-id")
    # A title goes to whoever is named: a noble names its own contacts alone.
    contact = {"name": "Bo", "language": "en", "relay": "77", "identity_id": bo}
    named = answer(native.post(f"{MESSAGING}/contacts", contact), 201)["contact_id"]
    problem(noble.post(AT, body | {"vlasnik_id": ana, "contact_id": named}), 422, "invalid-field", "/contact_id")
    assert registered(native, ana, "Named", day(99), contact_id=named)["contact_id"] == named
    noble_at = f"{AT}/{own['identity_id']}"
    problem(noble.request("DELETE", noble_at), 403, "tier-too-low")
    assert native.request("DELETE", noble_at).status_code == 204
    problem(noble.get(noble_at), 404, "unknown-id")


def test_the_file_lies_in_the_vault(desk: tuple[Trustd, Client, Provider]) -> None:
    service, _, _ = desk
    native = clerk(service)
    owner, file = identity(native, "with a file"), b"%PDF-1.7 a certificate"
    made = registered(native, owner, "Potvrda", day(60), sadrzaj_b64=encoded(file))
    unsealed = native.post(f"/api/v1/vault/{made['vault_id']}/unseal", {"identity_id": owner})
    assert unsealed.content == file
    other = identity(native, "another")
    body = {"vlasnik_id": other, "tip": "MEDICAL", "naslov": "x", "vrijedi_do": day(9), "vault_id": made["vault_id"]}
    problem(native.post(AT, body), 422, "invalid-field", "/vault_id")
    both = body | {"vlasnik_id": owner, "sadrzaj_b64": encoded(file)}
    problem(native.post(AT, both), 422, "invalid-field", "/vault_id")
    # The log names neither the document nor its title, and whoever has its row opens the entry.
    said = entry(service.client(), made["krunica_hash"])
    assert "Potvrda" not in str(said) and made["identity_id"] not in str(said)
    [opened] = answer(native.get(f"{AT}/{made['identity_id']}"))["zapisi"]
    assert opened["krunica_hash"] == made["krunica_hash"] and "Potvrda" in opened["text"]
    service.run("chain verify")


def sends(client: Client, body: dict[str, str], headers: dict[str, str]) -> None:
    """To a service that may end before it answers."""
    with contextlib.suppress(requests.ConnectionError):
        client.post(AT, body, headers=headers)


def files(service: Trustd) -> set[Path]:
    """Where documents lie, whole or begun."""
    return {path for path in (service.data / "objects").rglob("*") if path.is_file()}


def is_begun(service: Trustd, before: set[Path], sending: threading.Thread) -> None:
    """Waits until a file is being written, or nothing comes any more."""
    while sending.is_alive() and files(service) <= before:
        pass


def kept(service: Trustd) -> int:
    """The documents of one that does not run."""
    with contextlib.closing(sqlite3.connect(service.data / "trustd.sqlite")) as database:
        return int(database.execute("SELECT COUNT(*) FROM vault_records").fetchone()[0])


def test_a_kill_leaves_no_file_without_its_document(make: Make, tmp_path: Path) -> None:
    """Wherever it is killed, the same request does all of it, once."""
    midway = 0
    clock, service = Clock(tmp_path), make(configuration.local())
    service.environment = clock.environment
    token = service.start().token(OPERATOR, "native", "fleet trust")
    owner = identity(service.client(token), "owner")
    for kill in range(8):
        body = {"vlasnik_id": owner, "tip": "MEDICAL", "naslov": f"document {kill}", "vrijedi_do": day(60)}
        body["sadrzaj_b64"] = encoded(f"scan {kill}".encode() * 20_000)
        headers = {"Idempotency-Key": f"once-{kill}"}
        sending = threading.Thread(target=sends, args=(service.client(token), body, headers))
        before = files(service)
        sending.start()
        if kill % 2:
            time.sleep(0.005 * (kill + 1))
        else:
            is_begun(service, before, sending)
        service.kill()
        sending.join()
        # There is some of the file, and no document yet.
        midway += bool(files(service) - before) and kept(service) == kill
        # A claim on the key is over after a minute.
        clock.set(61 * (kill + 1))
        native = service.start().client(token)
        answer(native.post(AT, body, headers=headers), 201)
        documents = answer(native.get(f"{LIFECYCLE}/vlasnik/{owner}"))["items"]
        sealed = answer(native.get("/api/v1/vault/", params={"identity_id": owner}))["items"]
        assert len(documents) == kill + 1
        assert sorted(one["vault_id"] for one in documents) == sorted(one["vault_id"] for one in sealed)
    service.run("chain verify")
    # Nothing was tried otherwise.
    assert midway, "no kill fell while a file was being written"


def test_two_processes_of_which_one_is_killed_tell_each_once(shared_backend: Backend, make: Make) -> None:
    people, each = 10, 4
    with office.provider() as provider:
        folder = make(shared_backend, name="settings").folder
        settings = {"messaging": office.settings(folder, provider.address), "lifecycle": SOON}
        one, other = (make(shared_backend, settings, name=name) for name in ("one", "other"))
        one.start()
        native = one.client(one.first_token())
        other.start()
        titles = set()
        for person in range(people):
            owner = identity(native, f"owner {person}")
            contact = {"name": "Ana", "language": "en", "phone": f"+38591000020{person}", "identity_id": owner}
            answer(native.post(f"{MESSAGING}/contacts", contact), 201)
            for index in range(each):
                titles.add(registered(native, owner, f"document {person} {index}", day(5))["naslov"])
            if person % 3 == 2:
                other.kill()
                other.start()

        def told() -> Counter[str]:
            # Whoever dies may have sent without having written it down: one message has one key.
            keys = {one["key"]: one["Body"].split(":")[0] for one in provider.got}
            return Counter(keys.values())

        # What a process had on lease that was killed is another's after a minute.
        until(lambda: set(told()) == titles, lambda: f"{sorted(titles - set(told()))} of {len(provider.got)}", 150)
        time.sleep(3)
        assert set(told().values()) == {1}, told()
