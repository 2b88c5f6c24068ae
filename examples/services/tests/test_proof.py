"""Proofs over HTTP: each holds its evidence and is signed over it, and none says more than there is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import Make
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import encoded, identity
from harness.present import Person, alive
from harness.trustd import OPERATOR, Trustd
from test_driver import DOK, FLEET, inspection
from test_witness import note_key

PROOF = "/api/v1/proof"
PDF = {"Accept": "application/pdf"}
# Checkpoints come when something asks for one.
SETTINGS: dict[str, Any] = {"log": {"checkpoint_every": "1h"}, "trust": {"enrolment_counts_after": "0s"}}
DAY = {"od": "2026-01-05T00:00:00.000Z", "do": "2026-01-06T00:00:00.000Z"}


def covered(office: Client) -> None:
    """Has a checkpoint signed: that of a key which is suspended."""
    answer(office.post("/api/v1/dsa/bela", {"identity_id": identity(office, "nobody"), "stanje": "nijedno"}))


def holds(client: Client, proof: dict[str, Any]) -> bool:
    """Whether the evidence of a proof holds over its text, as anybody is told."""
    text = json.dumps(proof["tekst"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    body = {"evidence": proof["dokaz"], "identity_id": proof["dokaz"]["record"]["identity_id"]}
    told = answer(client.post("/api/v1/dsa/provjeri", body | {"content_b64": encoded(text.encode())}))
    return bool(told["validan"])


def answering(asked: dict[str, Any], seed: bytes) -> dict[str, Any]:
    """What a key answers to a challenge."""
    return {"izazov_id": asked["izazov_id"], "odgovor": alive(asked, seed)}


def journey(at: House) -> dict[str, Any]:
    office, ana, bo, owner = at.office, at.ana, at.bo, at.owner
    vehicle = {"registracija": "ZG 77-ZD", "maticna_drzava": "HR", "vlasnik_id": owner}
    vehicle_id = str(answer(office.post(f"{FLEET}/vehicles", vehicle), 201)["vehicle_id"])
    asks = {"identity_id": owner, "vehicle_id": vehicle_id} | DAY
    first = inspection(vehicle_id, oil="defect")
    answer(ana.post(f"{DOK}/create", first), 201)
    assert "border" in problem(ana.post(f"{PROOF}/put", asks), 409, "missing-evidence")["detail"]
    for state, time in (("AT", "14:00"), ("SI", "12:00")):
        body = {"dokument_id": first["dokument_id"][:-4] + time.replace(":", ""), "tip": "BORDER_CROSSING"}
        body |= {"vehicle_id": vehicle_id, "vrijeme": f"2026-01-05T{time}:00.000Z", "drzava": state}
        answer(ana.post(f"{DOK}/create", body), 201)
    # No checkpoint covers them, and nobody proves another's journey, or one that has not been.
    assert ana.post(f"{PROOF}/put", asks).headers["Retry-After"]
    problem(ana.post(f"{PROOF}/put", asks), 409, "not-covered-yet")
    problem(bo.post(f"{PROOF}/put", asks), 404, "unknown-id")
    problem(ana.post(f"{PROOF}/put", asks | {"do": "2999-01-01T00:00:00.000Z"}), 422, "invalid-field", "/do")
    covered(office)
    proof = answer(ana.post(f"{PROOF}/put", asks), 201)
    records = [one["dokument"] for one in proof["tekst"]["tvrdnja"]["zapisi"]]
    assert [one["dokument"].get("drzava") for one in records] == [None, "SI", "AT"]
    assert proof["pecat"] and proof["pecat_seq"] == proof["seq"] + 1
    assert {one["vozac"] for one in records} == {owner} and holds(at.service.client(), proof)
    # It is shown as it was made, whatever the log has become; and nothing prints it yet.
    link = f"{PROOF}/{proof['dokaz_id']}"
    covered(office)
    assert answer(ana.get(link)) == proof and proof["poveznica"].endswith(link)
    problem(bo.get(link), 404, "unknown-id")
    problem(ana.get(link, headers=PDF), 406, "no-printer")
    problem(ana.post(f"{PROOF}/put", asks, headers=PDF), 406, "no-printer")
    return dict(proof)


def pages(at: House, proof: dict[str, Any]) -> None:
    """What prints is a program, which gets the two texts and nothing else."""

    def prints(script: str) -> None:
        at.printer.write_text(f"#!/bin/sh\n{script}\n")
        at.printer.chmod(0o755)

    ana, link = at.ana, f"{PROOF}/{proof['dokaz_id']}"
    prints('printf "%s %s " "$*" "$(/usr/bin/env | /bin/grep -c TRUSTD)"; exec /bin/cat')
    page = ana.get(f"{link}?jezik=de", headers=PDF)
    assert page.headers["Content-Type"] == "application/pdf" and page.headers["Content-Location"].endswith(link)
    assert page.text.startswith("- de - 0 ")
    text, evidence = json.loads(page.text.removeprefix("- de - 0 "))
    assert (json.loads(text), json.loads(evidence)) == (proof["tekst"], proof["dokaz"])
    prints("exit 1")
    problem(ana.get(link, headers=PDF), 500, "internal")
    prints("exit 3")
    problem(ana.get(link, headers=PDF), 409, "unprintable")
    # What could not be printed is made all the same: it is named, listed and erased.
    vehicle = proof["tekst"]["tvrdnja"]["zapisi"][0]["dokument"]["dokument"]["vehicle_id"]
    unprinted = ana.post(f"{PROOF}/put", {"identity_id": at.owner, "vehicle_id": vehicle} | DAY, headers=PDF)
    problem(unprinted, 409, "unprintable")
    kept = unprinted.headers["Content-Location"]
    listed = answer(ana.get(f"{PROOF}/?vrsta=PUT"))["items"]
    assert [one["poveznica"] for one in listed] == [kept, proof["poveznica"]]
    assert listed[1] == {name: proof[name] for name in listed[1]}
    first = answer(ana.get(f"{PROOF}/?limit=1"))
    assert first["items"] == listed[:1]
    assert answer(ana.get(f"{PROOF}/?limit=1&after={first['next']}"))["items"] == listed[1:]
    assert answer(ana.get(f"{PROOF}/?vrsta=ISTINA"))["items"] == answer(at.bo.get(f"{PROOF}/"))["items"] == []
    assert answer(at.office.get(f"{PROOF}/?identity_id={at.owner}"))["items"] == listed
    problem(at.bo.get(f"{PROOF}/?identity_id={at.owner}"), 404, "unknown-id")
    name = listed[0]["dokaz_id"]
    assert answer(ana.get(f"{PROOF}/{name}"))["poveznica"] == kept
    assert ana.request("DELETE", f"{PROOF}/{name}").status_code == 204
    assert answer(ana.get(f"{PROOF}/"))["items"] == listed[1:]
    at.printer.unlink()


def erased(at: House, proof: dict[str, Any]) -> None:
    """What a driver filed goes with the proofs of it, and those of something else stay."""
    ana, asks = at.ana, {"identity_id": at.owner}
    vehicle = proof["tekst"]["tvrdnja"]["zapisi"][0]["dokument"]["dokument"]["vehicle_id"]
    others = [answer(ana.post(f"{PROOF}/svjedok", asks), 201)["dokaz_id"] for _ in range(2)]
    assert at.office.request("DELETE", f"{DOK}/vozac/{at.owner}").status_code == 204
    problem(ana.get(f"{PROOF}/{proof['dokaz_id']}"), 404, "unknown-id")
    problem(ana.post(f"{PROOF}/put", asks | {"vehicle_id": vehicle} | DAY), 409, "missing-evidence")
    problem(at.bo.request("DELETE", f"{PROOF}/{others[0]}"), 404, "unknown-id")
    assert ana.request("DELETE", f"{PROOF}/{others[0]}").status_code == 204
    problem(ana.get(f"{PROOF}/{others[0]}"), 404, "unknown-id")
    assert answer(ana.get(f"{PROOF}/{others[1]}"))["dokaz_id"] == others[1]


def signature(at: House) -> dict[str, Any]:
    office, ana, owner = at.office, at.ana, at.owner
    sign = {"identity_id": owner, "content_b64": encoded(b"We agree.")}
    record = answer(office.post("/api/v1/dsa/potpisi", sign), 201)
    asks = {"identity_id": owner, "record": record}
    problem(ana.post(f"{PROOF}/istina", asks), 409, "not-covered-yet")
    other = answer(office.post("/api/v1/dsa/potpisi", sign | {"identity_id": identity(office, "cy")}), 201)
    problem(ana.post(f"{PROOF}/istina", asks | {"record": other}), 422, "invalid-field", "/record")
    covered(office)
    proof = answer(ana.post(f"{PROOF}/istina", asks), 201)
    assert proof["tekst"]["tvrdnja"]["dokaz"]["record"] == record and holds(at.service.client(), proof)
    # A record that does not hold is no proof that somebody signed, whatever its entry is.
    forged = record | {"potpis": ("1" if record["potpis"][0] == "0" else "0") + record["potpis"][1:]}
    problem(ana.post(f"{PROOF}/istina", asks | {"record": forged}), 409, "missing-evidence")
    absent = record | {"krunica_hash": "ab" * 32}
    problem(ana.post(f"{PROOF}/istina", asks | {"record": absent}), 409, "missing-evidence")
    answer(office.post("/api/v1/dsa/bela", {"identity_id": owner, "stanje": "laz"}))
    problem(ana.post(f"{PROOF}/istina", asks), 409, "missing-evidence")
    return dict(proof)


def presence_of(at: House) -> tuple[Person, dict[str, Any]]:
    office, ana, bo, owner = at.office, at.ana, at.bo, at.owner
    person = Person(at.service, at.native, owner)
    asked = answer(ana.post(f"{PROOF}/zivot/challenge", {"identity_id": owner}), 201)
    problem(bo.post(f"{PROOF}/zivot/challenge", {"identity_id": owner}), 404, "unknown-id")
    right, wrong = answering(asked, person.seed), answering(asked, b"\x07" * 32)
    problem(ana.post(f"{PROOF}/zivot", right, headers=PDF), 406, "no-printer")
    problem(ana.post(f"{PROOF}/zivot", wrong), 422, "invalid-field", "/odgovor")
    problem(bo.post(f"{PROOF}/zivot", right), 409, "request-closed")
    problem(ana.post(f"{PROOF}/zivot", right), 409, "not-covered-yet")
    covered(office)
    proof = answer(ana.post(f"{PROOF}/zivot", right), 201)
    claim = proof["tekst"]["tvrdnja"]
    assert claim["upis"]["entry"]["poruka"].endswith(right["odgovor"]["public_key"])
    assert claim["izazov"]["nonce"] == asked["nonce"] and holds(at.service.client(), proof)
    # One answer is one proof.
    problem(ana.post(f"{PROOF}/zivot", right), 409, "request-closed")
    return person, dict(proof)


def witnesses(at: House) -> dict[str, Any]:
    service, argv, ana, asks = at.service, at.argv, at.ana, {"identity_id": at.owner}
    problem(ana.post(f"{PROOF}/svjedok", asks), 409, "missing-evidence")
    [unseen] = answer(service.client().get(f"{PROOF}/svjedoci"))["items"]
    assert (unseen["ime"], unseen["velicina"], unseen["vrijeme"]) == ("ivo.example", None, None)
    argv[2] = service.address
    seen = service.command(*argv)
    assert seen.returncode == 0, seen
    proof = answer(ana.post(f"{PROOF}/svjedok", asks), 201)
    claim = proof["tekst"]["tvrdnja"]
    assert [one["ime"] for one in claim["svjedoci"]] == ["ivo.example"] and holds(service.client(), proof)
    told = service.client().get(f"{PROOF}/svjedoci")
    [known] = answer(told)["items"]
    assert told.headers["Cache-Control"] == "public, max-age=60"
    assert (known["velicina"], known["vrijeme"]) == (claim["kontrolna_tocka"]["size"], claim["svjedoci"][0]["vrijeme"])
    problem(ana.post(f"{PROOF}/svjedok", asks | {"najmanje": 2}), 409, "missing-evidence")
    return dict(proof)


@dataclass
class House:
    """A service that a witness follows, and who asks it. Nothing lies at `printer` yet."""

    service: Trustd
    printer: Path
    argv: list[str]
    office: Client
    native: Client
    ana: Client
    bo: Client
    owner: str


def house(backend: Backend, make: Make, folder: Path) -> House:
    service = make(backend, SETTINGS).start()
    first = service.first_token()
    # The log's key signs a first checkpoint before anybody follows.
    covered(service.client(service.token(OPERATOR, "native", "trust")))
    argv = ["witness", "--address", service.address, "--log", note_key(service), "--name", "ivo.example"]
    argv += ["--in", str(folder / "watch")]
    key = service.command(*argv, "--show-key").stdout.strip()
    service.stop()
    printer = folder / "printer"
    settings = SETTINGS | {"log": SETTINGS["log"] | {"witnesses": [key]}, "proof": {"printer": str(printer)}}
    service = make(backend, settings, name="with-witness").start()
    office = service.client(service.token(OPERATOR, "native", "fleet trust driver proof"))
    names = [identity(office, name) for name in ("ana", "bo")]
    ana, bo = (service.client(service.token(name, "noble", "driver proof")) for name in names)
    return House(service, printer, argv, office, service.client(first), ana, bo, names[0])


def test_proofs_hold_their_evidence_and_say_no_more(own_backend: Backend, make: Make, tmp_path: Path) -> None:
    at = house(own_backend, make, tmp_path)
    proof = journey(at)
    pages(at, proof)
    presence_of(at)
    witnesses(at)
    erased(at, proof)
    signature(at)
    at.service.run("chain verify")
