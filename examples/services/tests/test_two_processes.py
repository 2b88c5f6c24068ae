"""Two processes append to one log without a fork, and what either promised is proved by both."""

from __future__ import annotations

import time
from typing import Any

from conftest import Make
from dualseal_second import krunica, place
from dualseal_second.domain import Domain
from harness import configuration
from harness.configuration import Backend
from harness.http import Client, answer
from harness.load import Signers, checkpoint, entry, identity
from harness.trustd import OPERATOR

# The name of a deployment that was given none.
DOMAIN = Domain.named("TRUST")
CALLERS = 16
EACH = 20
LOG = {"log": {"checkpoint_entries": 50, "checkpoint_every": "2s"}}


def test_two_processes_do_not_fork(shared_backend: Backend, make: Make) -> None:
    one = make(shared_backend, LOG, name="one").start()
    # As on another machine: the master was brought there, everything else is in the database and the bucket.
    master = {"keys": {"master": str(one.data / "master.pem")}}
    other = make(shared_backend, configuration.merged(LOG, master), name="other", host="another").start()
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
