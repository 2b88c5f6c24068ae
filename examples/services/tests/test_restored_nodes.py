"""What nodes hold outlives the log that it was dealt in: a restore that begins another one loses no document."""

from __future__ import annotations

from pathlib import Path

import requests
from conftest import Host, Make
from harness.configuration import Backend
from harness.http import answer, problem
from harness.load import checkpoint, identity
from harness.nodes import Node, until
from harness.present import Person
from harness.trustd import OPERATOR
from test_restore import DOCUMENT, seal, sign, unseal


def test_nodes_bring_a_document_back_whatever_log_a_restore_began(
    own_backend: Backend, make: Make, host: Host, tmp_path: Path
) -> None:
    present = {"trust": {"enrolment_counts_after": "0s"}}
    trustd = make(own_backend, present).start()
    native = trustd.client(trustd.first_token())
    owner = identity(native, "owner")
    labels = [f"node-{number}" for number in range(3)]
    nodes = [Node(tmp_path / label, trustd, label, identity(native, label)).start() for label in labels]
    person = Person(trustd, native, owner)
    vault_id = seal(native, owner, DOCUMENT)
    session = answer(native.post("/api/v1/threshold/sesija", {"n": 3, "k": 2}), 201)
    split = {"vault_id": vault_id, "identity_id": owner, "m": 2, "n": 3, "node_urls": labels}
    answer(native.post("/api/v1/qt/split", split), 201)

    def in_custody() -> bool:
        return bool(answer(native.get("/api/v1/qt/vaults"))["items"][0]["custody"])

    until(in_custody, lambda: "not in custody")
    for node in nodes:
        assert node.shard(vault_id)["node_url"] == node.label
    backup = tmp_path / "backup"
    trustd.run("backup make", str(backup))
    sign(native, owner, b"lost")
    checkpoint(native)
    for node in nodes:
        node.stop()
    trustd.stop()

    restored = host(trustd, present)
    restored.run("restore", str(backup), "--accept-loss")
    restored.start()
    native = restored.client(restored.token(OPERATOR, "native", "trust"))
    problem(unseal(native, owner, vault_id), 409, "in-custody")
    # A session stands where it was founded, and signs no more.
    asked = {"session_id": session["session_id"], "identity_id": OPERATOR}
    told = answer(native.get(f"/api/v1/threshold/sesija/{session['session_id']}"))
    assert told["stanje"] == "retired"
    shares = {"udjeli": [[1, "0" * 132], [2, "0" * 132]]}
    problem(native.post("/api/v1/threshold/refresh/prepare", asked | shares), 409, "log-ended")
    problem(native.post("/api/v1/threshold/potpisi", asked | shares | {"poruka_b64": ""}), 409, "log-ended")
    problem(native.post("/api/v1/threshold/requests", asked | {"namjena": "obnova"}), 409, "log-ended")
    # The log's key is another, which is what nodes on this machine pin: as it was, they let nothing go.
    for node in nodes[:2]:
        node.pin(restored).start()
    body = {"vault_id": vault_id, "identity_id": owner}
    found: list[requests.Response] = []

    def covered() -> bool:
        found[:] = [native.post("/api/v1/qt/reconstruct", body)]
        return found[0].status_code != 409

    until(covered, lambda: found[0].text)
    request = answer(found[0], 201)
    path = f"/api/v1/qt/requests/{request['request_id']}"
    answer(native.post(f"{path}/proofs", person.proof(request)))
    until(lambda: len(answer(native.get(path))["shards"]) == 2, lambda: native.get(path).text)
    given = native.get(f"{path}/document")
    assert (given.status_code, given.content) == (200, DOCUMENT), given.text

    # What is dealt anew stands in the log that is written to, and continues nothing there.
    whole = body | {"node_urls": labels}
    request = answer(native.post("/api/v1/qt/refresh/prepare", whole), 202)["request"]
    path = f"/api/v1/qt/requests/{request['request_id']}"
    answer(native.post(f"{path}/proofs", person.proof(request)))
    until(lambda: len(answer(native.get(path))["shards"]) == 2, lambda: native.get(path).text)
    asked = whole | {"request_id": request["request_id"]}
    anew = answer(native.post("/api/v1/qt/refresh/prepare", asked), 201)["split"]
    assert anew["previous"] == request["request"]["split_id"]
    commit = {"vault_id": vault_id, "split_id": anew["split_id"], "najmanje": 2}

    def committed() -> bool:
        found[:] = [native.post("/api/v1/qt/refresh/commit", commit)]
        return found[0].status_code == 200

    until(committed, lambda: found[0].text)
    shards = [shard["shard_id"] for shard in anew["shards"]]
    until(lambda: [node.shard(vault_id)["shard_id"] for node in nodes[:2]] == shards[:2], lambda: "old ones are kept")
    until(covered, lambda: found[0].text)
    request = answer(found[0], 201)
    assert request["request"]["split_id"] == anew["split_id"]
    path = f"/api/v1/qt/requests/{request['request_id']}"
    answer(native.post(f"{path}/proofs", person.proof(request)))
    until(lambda: len(answer(native.get(path))["shards"]) == 2, lambda: native.get(path).text)
    assert native.get(f"{path}/document").content == DOCUMENT
    for node in nodes[:2]:
        node.stop()
    restored.run("chain verify")
