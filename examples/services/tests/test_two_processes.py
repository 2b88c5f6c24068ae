"""Two processes append to one log without a fork, what either promised is proved by both, and what one of them began
the other ends."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conftest import Make
from dualseal_second import krunica, place
from dualseal_second.domain import Domain
from harness import configuration
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import Signers, checkpoint, encoded, entry, identity
from harness.nodes import Node, until
from harness.trustd import OPERATOR, Trustd

# The name of a deployment that was given none.
DOMAIN = Domain.named("TRUST")
CALLERS = 16
EACH = 20
LOG = {"log": {"checkpoint_entries": 50, "checkpoint_every": "2s"}}


def both_of(backend: Backend, make: Make, settings: configuration.Settings) -> tuple[Trustd, Trustd]:
    """Two, as on two machines: the master was brought there, everything else is in the database and the bucket."""
    one = make(backend, settings, name="one").start()
    master: configuration.Settings = {"keys": {"master": str(one.data / "master.pem")}}
    return one, make(backend, configuration.merged(settings, master), name="other", host="another").start()


def test_two_processes_do_not_fork(shared_backend: Backend, make: Make) -> None:
    one, other = both_of(shared_backend, make, LOG)
    assert other.first_token_file is None
    token = one.token(OPERATOR, "native", "trust")
    both = [one.client(token), other.client(token)]
    signer = identity(both[0], "signer")
    promises = Signers([both[number % 2].another() for number in range(CALLERS)], signer, each=EACH).wait()
    assert promises.others == [], promises.others[0]
    assert len(set(promises.records)) == CALLERS * EACH

    # Whichever process is asked, a record's entry is the same, and says itself where it stands.
    entries = [entry(both[number % 2], handle) for number, handle in enumerate(promises.records)]
    for found, handle in zip(entries, promises.records, strict=True):
        h = krunica.entry_hash(*(found[name] for name in ("w3", "poruka", "prev", "seq")))
        assert (found["h"], krunica.krunica_hash(h)) == (h, handle)
    by_place = {int(found["seq"]): found for found in entries}
    assert len(by_place) == len({found["prev"] for found in entries}) == CALLERS * EACH
    linked = [seq for seq in by_place if seq - 1 in by_place]
    assert len(linked) > CALLERS
    for seq in linked:
        assert by_place[seq]["prev"] == by_place[seq - 1]["h"]
    one.run("chain verify")

    checkpoints = [covering(client.anonymous(), max(by_place)) for client in both]
    assert not krunica.is_fork(*checkpoints)
    for number, found in enumerate(entries[:: len(entries) // 40]):
        proof = answer(both[number % 2].anonymous().get(f"/api/v1/log/proof/{found['seq']}"))
        under = proof["checkpoint"]
        assert krunica.is_signed(DOMAIN, krunica.parse_checkpoint(under))
        assert not krunica.is_fork(under, checkpoints[0])
        assert place.verify(under, proof).entry["h"] == found["h"]

    # A stranger who reads the log from its beginning, some of it from each, arrives at what both have signed.
    chain: list[Any] = []
    while len(chain) < max(signed["size"] for signed in checkpoints):
        portion = both[len(chain) % 2].anonymous().get("/api/v1/log/entries", params={"from": len(chain)})
        assert portion.status_code == 200 and portion.content, portion.text
        chain += krunica.parse_export(portion.content)
    for signed in checkpoints:
        assert krunica.agrees(chain, signed)


def covering(client: Client, seq: int) -> dict[str, Any]:
    """The first checkpoint that covers an entry, once it is signed."""
    end = time.monotonic() + 30
    while True:
        found = checkpoint(client)
        if found["size"] > seq:
            return found
        assert time.monotonic() < end, f"no checkpoint covers entry {seq}: {found['size']}"
        time.sleep(0.2)


THRESHOLD, QT = "/api/v1/threshold", "/api/v1/qt"
LABELS = [f"node-{number}" for number in range(1, 4)]


@dataclass
class Custodian:
    """A node of a session, whose calls a proxy sends to whichever process it likes."""

    number: int
    subject: str
    processes: list[Client]
    # By splitting, its share's value.
    held: dict[str, str] = field(default_factory=dict)

    def client(self) -> Client:
        """Each time another."""
        self.processes.reverse()
        return self.processes[0]

    def take(self, session_id: str) -> None:
        """Pulls what waits, and says that it has it."""
        for waiting in answer(self.client().get(f"{THRESHOLD}/requests"))["udjeli"]:
            assert (waiting["session_id"], waiting["indeks"]) == (session_id, self.number)
            pulled = self.client().get(f"{THRESHOLD}/udio/{session_id}/{self.number}")
            assert pulled.headers["Split-Id"] == waiting["split_id"]
            self.held[waiting["split_id"]] = answer(pulled)[1]
            said = {"split_id": waiting["split_id"], "udio_sidra": waiting["zapis"]["udio_sidra"][self.number - 1]}
            answer(self.client().post(f"{THRESHOLD}/udio/{session_id}/ack", said | {"indeks": self.number}))

    def give(self, request: dict[str, Any], split_id: str) -> None:
        """Gives its share back for a request."""
        own = {"split_id": split_id, "indeks": self.number, "vrijednost_hex": self.held[split_id]}
        asked = {name: request[name] for name in ("request_id", "session_id")}
        answer(self.client().post(f"{THRESHOLD}/udio", asked | own | {"identity_id": self.subject}))


def test_what_one_prepared_the_other_commits(shared_backend: Backend, make: Make) -> None:
    one, other = both_of(shared_backend, make, {})
    token = one.token(OPERATOR, "native", "trust")
    here, there = one.client(token), other.client(token)
    nodes = []
    for number, label in enumerate(LABELS, start=1):
        subject = identity(here, label)
        one.run("node add", "--label", label, "--subject", subject)
        own = one.run("token issue", "--node", label).strip()
        nodes.append(Custodian(number, subject, [one.client(own), other.client(own)]))
    founded = answer(here.post(f"{THRESHOLD}/sesija", {"n": 3, "k": 2, "vlasnici": LABELS}), 201)
    session_id, split_id = founded["session_id"], founded["split_id"]
    for node in nodes:
        node.take(session_id)
    asked = {"session_id": session_id, "identity_id": OPERATOR}
    # Each time the one that prepared is another, and is gone when the other commits.
    for preparing, committing, gone in ((here, there, one), (there, here, other)):
        request = answer(preparing.post(f"{THRESHOLD}/requests", asked | {"namjena": "obnova"}), 201)
        for node in nodes[:2]:
            node.give(request, split_id)
        prepare = asked | {"request_id": request["request_id"]}
        prepared = answer(covered(preparing, f"{THRESHOLD}/refresh/prepare", prepare), 201)
        for node in nodes:
            node.take(session_id)
        gone.kill()
        commit = {"session_id": session_id, "split_id": prepared["split_id"]}
        committed = answer(committing.post(f"{THRESHOLD}/refresh/commit", commit))
        assert (committed["split_id"], committed["stanje"]) == (prepared["split_id"], "active")
        gone.start()
        preparing.address = gone.address
        for node in nodes:
            node.processes = [Client(process.address, node.processes[0].token) for process in (one, other)]
        problem(preparing.post(f"{THRESHOLD}/refresh/commit", commit), 409, "conflict")
        split_id = prepared["split_id"]
        # Any process tells nodes that the older shares go.
        for node in nodes:
            order = {"split_id": split_id, "nonce": secrets.token_hex(32)}
            told = answer(covered(node.client(), f"{THRESHOLD}/udio/{session_id}/order", order))
            assert (told["split_id"], told["zapis"]["prethodni"]) == (split_id, committed["zapis"]["prethodni"])
        pairs = [[node.number, node.held[split_id]] for node in nodes[1:]]
        signing = asked | {"poruka_b64": encoded(b"resolution 9"), "udjeli": pairs, "split_id": split_id}
        assert answer(there.post(f"{THRESHOLD}/potpisi", signing), 201)["ok"] is True
    one.run("chain verify")


def test_what_one_split_anew_the_other_puts_in_force(shared_backend: Backend, make: Make, tmp_path: Path) -> None:
    one, other = both_of(shared_backend, make, {})
    token = one.token(OPERATOR, "native", "trust")
    here, there = one.client(token), other.client(token)
    owner = identity(here, "owner")
    addresses = [other, one, other]
    nodes = [
        Node(tmp_path / label, one, label, identity(here, label), process.address)
        for label, process in zip(LABELS, addresses, strict=True)
    ]
    sealing = {"payload_b64": encoded(b"Ugovor"), "type": "CONTRACT", "identity_id": owner}
    vault_id = answer(here.post("/api/v1/vault/seal", sealing), 201)["vault_id"]
    whole = {"vault_id": vault_id, "identity_id": owner, "node_urls": LABELS}
    answer(here.post(f"{QT}/split", whole | {"m": 2, "n": 3}), 201)
    prepared = answer(covered(here, f"{QT}/refresh/prepare", whole), 201)["split"]
    for node in nodes:
        node.start()
    commit = {"vault_id": vault_id, "split_id": prepared["split_id"]}
    found = {}

    def committed() -> bool:
        found["answer"] = there.post(f"{QT}/refresh/commit", commit)
        return found["answer"].status_code == 200

    until(committed, lambda: found["answer"].text)
    assert answer(found["answer"])["state"] == "force"
    problem(here.post(f"{QT}/refresh/commit", commit), 409, "conflict")
    shards = {shard["shard_id"] for shard in prepared["shards"]}
    until(lambda: {node.shard(vault_id)["shard_id"] for node in nodes} == shards, lambda: "the old ones are kept")
    for node in nodes:
        node.stop()
    one.run("chain verify")


def covered(client: Client, path: str, body: dict[str, Any]) -> Any:
    """What is answered once a checkpoint covers what it is about."""
    found = {}

    def is_covered() -> bool:
        found["answer"] = client.post(path, body)
        return not (found["answer"].status_code == 409 and found["answer"].json()["code"] == "not-covered-yet")

    until(is_covered, lambda: str(found["answer"].text))
    return found["answer"]
