"""Another service registers: its proof is of itself, and holds once."""

from __future__ import annotations

import os

from harness.http import answer, problem
from harness.peers import registering
from harness.trustd import OPERATOR, Trustd

PEERS = "/api/v1/peers"
NAME, ADDRESS = "split.example", "https://trust.split.example/"


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
    made = answer(native.post(f"{PEERS}/{NAME}/approve"))
    entry = answer(anyone.get("/api/v1/log/entry", params={"krunica_hash": made["krunica_hash"]}))
    assert sent["public_key"] in entry["poruka"] and "peer-added" in entry["poruka"]
    assert [one["agent_id"] for one in answer(native.get(PEERS))["items"]] == [NAME]
    assert native.request("DELETE", f"{PEERS}/{NAME}").status_code == 204
    problem(native.request("DELETE", f"{PEERS}/{NAME}"), 404, "unknown-id")
