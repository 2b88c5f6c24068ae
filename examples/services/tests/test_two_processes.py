"""Two processes append to one log without a fork, and what either promised is proved by both."""

from __future__ import annotations

import time
from typing import Any

from conftest import Make
from dualseal_second import krunica, place
from dualseal_second.domain import Domain
from harness.configuration import Backend
from harness.http import Client, answer
from harness.load import Signers, entry, identity
from harness.trustd import OPERATOR

# The name of a deployment that was given none.
DOMAIN = Domain.named("TRUST")
CALLERS = 16
EACH = 20
LOG = {"log": {"checkpoint_entries": 50, "checkpoint_every": "2s"}}


def test_two_processes_do_not_fork(shared_backend: Backend, make: Make) -> None:
    one = make(shared_backend, LOG, name="one").start()
    other = make(shared_backend, LOG, name="other").start()
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
        checkpoint = proof["checkpoint"]
        assert krunica.is_signed(DOMAIN, krunica.parse_checkpoint(checkpoint))
        assert not krunica.is_fork(checkpoint, checkpoints[0])
        assert place.verify(checkpoint, proof).entry["h"] == found["h"]


def covering(client: Client, seq: int) -> dict[str, Any]:
    """The first checkpoint that covers an entry, once it is signed."""
    end = time.monotonic() + 30
    while True:
        checkpoint: dict[str, Any] = answer(client.get("/api/v1/log/checkpoint"))
        if checkpoint["size"] > seq:
            return checkpoint
        assert time.monotonic() < end, f"no checkpoint covers entry {seq}: {checkpoint['size']}"
        time.sleep(0.2)
