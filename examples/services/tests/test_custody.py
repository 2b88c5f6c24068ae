"""A document's secret among five nodes of which three bring it back: the service destroys its copy, two nodes are lost
for good, and whoever is present gets the document all the same. What a node must not let go, it does not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from dualseal_second.primitives import h3
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import encoded, identity
from harness.nodes import Middle, Node, until
from harness.present import Person, challenge
from harness.trustd import Trustd

QT = "/api/v1/qt"
DOCUMENT = b"Ugovor o prijevozu, 5 primjeraka"
LABELS = [f"https://node-{number}.example" for number in range(1, 6)]
SETTINGS = {"trust": {"enrolment_counts_after": "0s"}}


@dataclass
class House:
    """A service with five nodes, the first of which reaches it through somebody in the middle."""

    service: Trustd
    native: Client
    owner: str
    middle: Middle
    nodes: list[Node]
    person: Person

    def custody(self) -> tuple[str, dict[str, Any]]:
        """Seals a document, and splits its secret until the nodes alone have it."""
        body = {"payload_b64": encoded(DOCUMENT), "type": "CONTRACT", "identity_id": self.owner}
        vault_id = answer(self.native.post("/api/v1/vault/seal", body), 201)["vault_id"]
        assert unsealed(self.native, vault_id, self.owner).content == DOCUMENT
        asked = {"vault_id": vault_id, "identity_id": self.owner, "m": 3, "n": 5, "node_urls": LABELS}
        split = answer(self.native.post(f"{QT}/split", asked), 201)
        assert (split["m"], split["n"], split["custody"]) == (3, 5, False)
        until(lambda: self.split(vault_id)["custody"], lambda: json.dumps(self.split(vault_id), indent=1))
        assert [shard["state"] for shard in self.split(vault_id)["shards"]] == ["acknowledged"] * 5
        return vault_id, split

    def split(self, vault_id: str) -> dict[str, Any]:
        """The vault's split, as it is listed."""
        items = answer(self.native.get(f"{QT}/vaults"))["items"]
        [found] = [item for item in items if item["vault_id"] == vault_id]
        return dict(found)

    def reconstruct(self, vault_id: str) -> dict[str, Any]:
        """Opens a request, as soon as a checkpoint covers the split."""
        body = {"vault_id": vault_id, "identity_id": self.owner}
        found: list[requests.Response] = []

        def covered() -> bool:
            found[:] = [self.native.post(f"{QT}/reconstruct", body)]
            return found[0].status_code != 409

        until(covered, lambda: found[0].text)
        return dict(answer(found[0], 201))

    def prove(self, request: dict[str, Any], proof: dict[str, Any]) -> requests.Response:
        """Sends a proof for a request."""
        return self.native.post(f"{QT}/requests/{request['request_id']}/proofs", proof)

    def show(self, request: dict[str, Any]) -> dict[str, Any]:
        """What became of a request."""
        return dict(answer(self.native.get(f"{QT}/requests/{request['request_id']}")))

    def given(self, request: dict[str, Any], count: int) -> dict[str, bool]:
        """Whether what each node released holds, when so many did."""
        until(lambda: len(self.show(request)["shards"]) >= count, lambda: json.dumps(self.show(request), indent=1))
        return {shard["node_url"]: shard["holds"] for shard in self.show(request)["shards"]}

    def document(self, request: dict[str, Any]) -> requests.Response:
        """What comes of a request."""
        return self.native.get(f"{QT}/requests/{request['request_id']}/document")


@pytest.fixture(scope="module")
def house(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("custody")
    service = Trustd(folder, backend, SETTINGS).start()
    middle = Middle(service.address)
    nodes: list[Node] = []
    try:
        native = service.client(service.first_token())
        owner = identity(native, "owner")
        for number, label in enumerate(LABELS):
            who = identity(native, f"keeper {number}")
            address = middle.address if number == 0 else None
            nodes.append(Node(folder / f"node-{number}", service, label, who, address).start())
        yield House(service, native, owner, middle, nodes, Person(service, native, owner))
        for node in nodes:
            node.close()
    finally:
        middle.close()
        service.close()


def unsealed(native: Client, vault_id: str, owner: str) -> requests.Response:
    """The document, from the service alone."""
    return native.post(f"/api/v1/vault/{vault_id}/unseal", {"identity_id": owner})


def test_the_nodes_alone_have_it_and_three_bring_it_back(house: House) -> None:
    vault_id, split = house.custody()
    problem(unsealed(house.native, vault_id, house.owner), 409, "in-custody")
    for node, shard in zip(house.nodes, split["shards"], strict=True):
        kept = node.shard(vault_id)
        assert (kept["shard_id"], kept["node_url"]) == (shard["shard_id"], node.label)
    request = house.reconstruct(vault_id)
    assert request["challenge"] == challenge(request)
    # Nobody is present yet.
    house.middle.turns(2)
    assert house.show(request)["shards"] == []
    problem(house.document(request), 409, "conflict")
    # The fifth node's disk is not what it was: what it gives does not hold, and it is named.
    fifth = house.nodes[4]
    damage(fifth.kept(vault_id))
    answer(house.prove(request, house.person.proof(request)))
    assert house.given(request, 5) == {label: label != LABELS[4] for label in LABELS}
    assert house.document(request).content == DOCUMENT
    problem(house.document(request), 409, "request-closed")

    # It is lost for good, and the one before it.
    for node in house.nodes[3:]:
        node.kill()
    problem(unsealed(house.native, vault_id, house.owner), 409, "in-custody")
    request = house.reconstruct(vault_id)
    answer(house.prove(request, house.person.proof(request)))
    assert house.given(request, 3) == dict.fromkeys(LABELS[:3], True)
    found = house.document(request)
    assert (found.status_code, found.content) == (200, DOCUMENT)
    for node in house.nodes[3:]:
        node.start()
    house.service.run("chain verify")


def test_a_node_whose_shard_is_no_shard_any_more_keeps_nothing_else_back(house: House) -> None:
    broken, _ = house.custody()
    whole, _ = house.custody()
    third = house.nodes[2]
    assert third.shard(broken)["node_url"] == third.label
    third.kept(broken).write_text("{")
    of_broken = house.reconstruct(broken)
    answer(house.prove(of_broken, house.person.proof(of_broken)))
    of_whole = house.reconstruct(whole)
    answer(house.prove(of_whole, house.person.proof(of_whole)))
    # Four bring back the one, five the other; the node says itself what it does not read.
    assert house.given(of_broken, 4) == {label: True for label in LABELS if label != third.label}
    assert house.given(of_whole, 5) == dict.fromkeys(LABELS, True)
    third.says("is not what a node writes")
    for request in (of_broken, of_whole):
        assert house.document(request).content == DOCUMENT


def test_a_release_is_for_the_service_that_was_pinned(house: House) -> None:
    vault_id, _ = house.custody()
    house.middle.turns(2)
    request = house.reconstruct(vault_id)
    id_, own = request["request_id"], request["request"]["primatelj"]
    other = h3(os.urandom(1952))
    assert other != own

    # Somebody has the person approve that his own key receives the shards, and forwards that to the node.
    def forwarded(told: dict[str, Any]) -> dict[str, Any]:
        for asked in told["requests"]:
            if asked["request_id"] == id_:
                asked["request"]["primatelj"] = other
                asked["proofs"] = [house.person.proof(request, primatelj=other)]
        return told

    for node in house.nodes[1:]:
        node.stop()
    with_change(house, forwarded, lambda: answer(house.prove(request, house.person.proof(request))))
    house.nodes[0].says("other-request")
    assert id_ not in house.middle.released()

    # The same proof does not make another recipient's of it either, where the request is the service's.
    def only_proof(told: dict[str, Any]) -> dict[str, Any]:
        for asked in told["requests"]:
            asked["proofs"] = [house.person.proof(request, primatelj=other)]
        return told

    with_change(house, only_proof, lambda: None)
    assert id_ not in house.middle.released() and house.show(request)["shards"] == []
    # As the service asks it, the node lets it go.
    assert house.given(request, 1) == {LABELS[0]: True}
    for node in house.nodes[1:]:
        node.start()
    house.given(request, 5)
    assert house.document(request).content == DOCUMENT


def test_a_proof_serves_once(house: House) -> None:
    vault_id, _ = house.custody()
    told: list[dict[str, Any]] = []

    def listened(poll: dict[str, Any]) -> dict[str, Any]:
        told.extend(asked for asked in poll["requests"] if asked["request"]["vault_id"] == vault_id)
        return poll

    house.middle.change = listened
    request = house.reconstruct(vault_id)
    proof = house.person.proof(request)
    assert answer(house.prove(request, proof))["proofs"] == 1
    house.given(request, 5)
    # The same key again is the same person.
    assert answer(house.prove(request, proof))["proofs"] == 1
    assert house.document(request).content == DOCUMENT
    problem(house.prove(request, proof), 409, "request-closed")
    later = house.reconstruct(vault_id)
    problem(house.prove(later, proof), 422, "invalid-field")
    # A request of the same vault under the nonce that was answered is not what the service asks.
    problem(house.prove(later, house.person.proof(later, nonce=request["nonce"])), 422, "invalid-field")
    assert house.show(later)["state"] == "open"

    # The node was told of it once, and is told again, in the middle of its life and after another start.
    asked = next(asked for asked in told if asked["request_id"] == request["request_id"])
    house.middle.change = lambda poll: poll | {"requests": [*poll["requests"], asked]}
    assert house.middle.released().count(request["request_id"]) == 1
    house.middle.turns(2)
    house.nodes[0].says("nonce-used")
    house.nodes[0].stop()
    house.nodes[0].start()
    house.middle.turns(2)
    house.middle.change = lambda poll: poll
    assert house.middle.released().count(request["request_id"]) == 1


def damage(kept: Path) -> None:
    """Changes a digit of the value of a shard that a node keeps."""
    file = json.loads(kept.read_text())
    shard = json.loads(file["current"])
    value = shard["vrijednost_hex"]
    shard["vrijednost_hex"] = value[:-1] + ("0" if value[-1] != "0" else "1")
    file["current"] = json.dumps(shard, separators=(",", ":"), ensure_ascii=False)
    kept.write_text(json.dumps(file))


def with_change(house: House, change: Callable[[dict[str, Any]], dict[str, Any]], do: Callable[[], object]) -> None:
    """Has the node be told something else for some turns."""
    house.middle.change = change
    try:
        do()
        house.middle.turns(3)
    finally:
        house.middle.change = lambda told: told
