"""What is shown under a checkpoint without the chain: places, keys of the ring, and the ring."""

from __future__ import annotations

from typing import Any

import pytest
from dualseal_second import key_proof, place, primitives, ring
from dualseal_second.encodings import Refused
from evidence_lies import put
from evidence_log import DOCUMENTS, Log, at, drawn, of_every_kind


def test_places_are_those_of_the_chain() -> None:
    log = Log()
    of_every_kind(log)
    checkpoint = log.checkpoint()
    for seq in range(len(log.chain)):
        proof = place.prove(log.chain, checkpoint, seq)
        located = place.verify(checkpoint, proof)
        assert (located.origin, located.seq, located.entry) == (log.origin, seq, log.chain[seq])
        for lie, name in (
            ({"checkpoint": checkpoint | {"origin": "another"}}, "place-foreign"),
            ({"checkpoint": checkpoint | {"size": 14}}, "place-size"),
            ({"entry": proof["entry"] | {"seq": 13}}, "place-beyond"),
            ({"path": proof["path"][1:]}, "path-length"),
            ({"path": [*proof["path"], "0" * 64]}, "path-length"),
            ({"entry": proof["entry"] | {"w3": "7" * 64}}, "chain-hash"),
            ({"entry": proof["entry"] | {"t": at(59)}}, "path-elsewhere"),
        ):
            with pytest.raises(Refused) as refused:
                place.verify(checkpoint, proof | lie)
            assert refused.value.name == name


def test_every_key_is_proved_and_the_ring_attested() -> None:
    log = Log()
    seeds = [drawn(f"seed {number}") for number in range(7)]
    for number, seed in enumerate(seeds):
        log.add(f"signer {number % 3}", seed) if number < 3 else log.rotate(f"signer {number % 3}", seed)
        shown, checkpoint = ring.public(log.domain, log.ring_key, log.ring), log.checkpoint()
        assert key_proof.attest(ring.parse_public(shown), checkpoint) == len(log.chain)
        for key in shown["keys"]:
            proof = key_proof.prove(shown, ring.key_hash(key))
            assert key_proof.verify(checkpoint, proof) == key | {"javni_kljuc": ring.key_hash(key)}
            for path in ("path", "seq", "size"):
                moved = dict(proof)
                put(path, [*proof["path"], "0" * 64] if path == "path" else proof[path] + 1)(moved)
                with pytest.raises(Refused):
                    key_proof.verify(checkpoint, moved)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"origin": "another"}, "ring-foreign"),
        ({"revision": 1}, "ring-rollback"),
        ({"revision": 3}, "ring-mismatch"),
        ({"keys": 0}, "ring-mismatch"),
    ],
)
def test_an_edited_or_older_or_foreign_ring(change: dict[str, Any], name: str) -> None:
    log = Log()
    log.add("signer", drawn("one"))
    log.rotate("signer", drawn("two"))
    shown, checkpoint = ring.public(log.domain, log.ring_key, log.ring), log.checkpoint()
    if "keys" in change:
        change = {"keys": [shown["keys"][0] | {"salt": "0" * 64}, shown["keys"][1]]}
    with pytest.raises(Refused) as refused:
        key_proof.attest(shown | change, checkpoint)
    assert refused.value.name == name


def test_a_change_beyond_the_checkpoint_is_none_that_it_can_state() -> None:
    log, seed = Log(), drawn("seed")
    log.add("signer", seed)
    kept = log.signed("signer", seed, DOCUMENTS["potpis"])
    head = log.head
    log.set_state(seed, "laz")
    shown = ring.public(log.domain, log.ring_key, log.ring)
    proof = key_proof.prove(shown, primitives.h3(primitives.public_key_of_seed(kept.seed)))
    stated = log.checkpoint()
    assert key_proof.verify(stated, proof)["bela_stanje"] == "laz"
    log.head = head
    dated_back = log.checkpoint()
    for refused_by in (lambda: key_proof.attest(shown, dated_back), lambda: key_proof.verify(dated_back, proof)):
        with pytest.raises(Refused):
            refused_by()


def test_before_the_first_change_only_the_empty_ring_is_attested() -> None:
    log = Log()
    log.plain("founded")
    assert key_proof.attest({"keys": [], "origin": log.origin, "revision": 0}, log.checkpoint()) == 1
    log.add("signer", drawn("seed"))
    with pytest.raises(Refused) as refused:
        key_proof.attest({"keys": [], "origin": log.origin, "revision": 0}, log.checkpoint())
    assert refused.value.name == "ring-rollback"
