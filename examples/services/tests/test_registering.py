"""Another service registers: its proof is of itself, and holds once."""

from __future__ import annotations

import os
import subprocess
import time

from conftest import Make
from harness import configuration
from harness.http import answer, problem
from harness.peers import registering
from harness.trustd import OPERATOR, Trustd, program

PEERS = "/api/v1/peers"
NAME, ADDRESS = "split.example", "https://trust.split.example/"
# Seconds between two turns. They are ten minutes where nothing else is set, and a peer is known everywhere in thirty.
EVERY = 3


def test_a_proof_holds_once_and_for_what_it_says(service: Trustd) -> None:
    anyone, seed = service.client(), os.urandom(32)
    native = service.client(service.token(OPERATOR, "native", "ops"))

    def challenge() -> dict[str, str]:
        return dict(answer(anyone.post(f"{PEERS}/challenge", {"agent_id": NAME})))

    other = registering(challenge(), NAME, ADDRESS, os.urandom(32))
    others = [{"url": "https://evil.example/"}, {"agent_id": "evil.example"}, {"public_key": other["public_key"]}]
    for changed in others:
        sent = registering(challenge(), NAME, ADDRESS, seed, **changed)
        problem(anyone.post(f"{PEERS}/register", sent), 403, "bad-signature")
    # A challenge that somebody made for himself.
    drawn = challenge() | {"nonce": os.urandom(32).hex()}
    problem(anyone.post(f"{PEERS}/register", registering(drawn, NAME, ADDRESS, seed)), 403, "bad-signature")
    sent = registering(challenge(), NAME, ADDRESS, seed)
    assert answer(anyone.post(f"{PEERS}/register", sent), 202)["state"] == "pending"
    problem(anyone.post(f"{PEERS}/register", sent), 403, "bad-signature")
    problem(anyone.post(f"{PEERS}/register", registering(challenge(), NAME, ADDRESS, os.urandom(32))), 409, "conflict")
    assert answer(native.get(PEERS))["items"] == []
    # Who waits is for natives alone.
    noble = service.client(service.token(OPERATOR, "noble", "ops"))
    for state in ("pending", "heard"):
        problem(noble.get(PEERS, params={"state": state}), 403, "tier-too-low")
    made = answer(native.post(f"{PEERS}/{NAME}/approve"))
    entry = answer(anyone.get("/api/v1/log/entry", params={"krunica_hash": made["krunica_hash"]}))
    assert sent["public_key"] in entry["poruka"] and "peer-added" in entry["poruka"]
    assert [one["agent_id"] for one in answer(native.get(PEERS))["items"]] == [NAME]
    assert native.request("DELETE", f"{PEERS}/{NAME}").status_code == 204
    problem(native.request("DELETE", f"{PEERS}/{NAME}"), 404, "unknown-id")


def test_a_peer_is_heard_of_when_every_token_has_ended(make: Make) -> None:
    # A token lives for two seconds where the peer is approved, which is what a day is otherwise.
    first = make(configuration.local(), {"tokens": {"noble": "2s"}}, host="first").start()
    logins = first.folder.parent / "logins"
    pulls = {"from": [first.address], "logins": str(logins), "every": f"{EVERY}s"}
    second = make(configuration.local(), {"peers": pulls}, host="second")
    code = first.run("invite", "--subject", "5e" * 32, "--tier", "noble", "--scope", "ops")
    enrol = [program(), "peers", "enrol", first.address, "--config", str(second.config)]
    drawn = ""
    # Whom nobody enrolled asks again with the key that he drew; where a login is there, no other takes its place.
    for given, ended in (("ab" * 32, 2), (code, 0), (code, 2)):
        said = subprocess.run(enrol, input=given, capture_output=True, text=True)
        assert said.returncode == ended, said.stderr
        [kept] = logins.iterdir()
        drawn = drawn or kept.read_text()
        assert drawn in kept.read_text()
    second.start()
    time.sleep(2.2)
    anyone, native = first.client(), first.client(first.token(OPERATOR, "native", "ops"))
    asked = answer(anyone.post(f"{PEERS}/challenge", {"agent_id": NAME}))
    answer(anyone.post(f"{PEERS}/register", registering(dict(asked), NAME, ADDRESS, os.urandom(32))), 202)
    answer(native.post(f"{PEERS}/{NAME}/approve"))
    end = time.monotonic() + 3 * EVERY
    there = second.client(second.token(OPERATOR, "native", "ops"))
    while not (heard := answer(there.get(PEERS, params={"state": "heard"}))["items"]):
        assert time.monotonic() < end, second.log.read_text()[-2000:]
        time.sleep(0.1)
    assert [(one["agent_id"], one["url"]) for one in heard] == [(NAME, ADDRESS)]
