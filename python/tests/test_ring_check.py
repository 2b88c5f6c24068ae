"""A ring file against its chain: an old ring and an edited one are found out, and only what was checked is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    CheckedRing,
    Domain,
    Head,
    KeyState,
    MisuseError,
    RejectedError,
    RingKey,
    SigningKey,
    VerifiedCheckpoint,
)

from conftest import Deployment, Log, followed, minute


def check(
    deployment: Deployment, checkpoint: VerifiedCheckpoint, file: str, authority: RingKey | None = None
) -> CheckedRing:
    reader = ChainReader(Domain(), under=checkpoint)
    watched = reader.ring(authority or deployment.authority, file, masters=[])
    for members, entry in zip(deployment.chain.to_list(), deployment.chain, strict=True):
        if entry.seq % 2:
            reader.push(entry)
        else:
            assert reader.push_json(json.dumps(members)) == entry
    proofs = reader.finish()
    assert proofs[watched].ignored == {"entries": [], "more": 0}
    assert proofs[watched].ring is proofs[watched].ring
    return proofs[watched].ring


def edited(file: str, **changes: Any) -> str:
    members = json.loads(file)
    members["keys"][0] |= changes
    return json.dumps(members)


def test_the_ring_of_the_chain(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head, followed(deployment.ring, deployment.chain))
    deployment.set_state(KeyState.SUSPENDED)
    for ring in (check(deployment, checkpoint, deployment.file()), deployment.resume(deployment.file())):
        assert ring.to_stored_json(deployment.head) == deployment.file()
        # What was checked is changed, without the chain before it.
        entry, head = ring.add("0" * 64, SigningKey.generate().public_key, head=deployment.head, time=minute(6))
        assert (ring.revision, head.size) == (3, entry.seq + 1)


def test_an_old_ring(deployment: Deployment, log: Log) -> None:
    old = deployment.file()
    checkpoint = log.covering(deployment.head, followed(deployment.ring, deployment.chain))
    deployment.set_state(KeyState.REVOKED)
    deployment.set_state(KeyState.SUSPENDED)
    acts: list[Callable[[], object]] = [
        lambda: check(deployment, checkpoint, old),
        lambda: deployment.resume(old),
    ]
    for act in acts:
        with pytest.raises(RejectedError) as caught:
            act()
        error = caught.value
        assert (error.code, error.found, error.needed, error.identity_id) == (207, 1, 3, None)


def test_an_edited_ring(deployment: Deployment, log: Log) -> None:
    deployment.set_state(KeyState.REVOKED)
    deployment.add_decoy(SigningKey.generate().public_key)
    checkpoint, file = log.covering(deployment.head, followed(deployment.ring, deployment.chain)), deployment.file()
    keys = json.loads(file)["keys"]
    trap = keys[1] | {"javni_kljuc": "f" * 64, "povijest": [[1, "oboje"]]}
    forged = [
        edited(file, bela_stanje="istina", povijest=[[0, "istina"], [2, "istina"]], opozvan_od=None),
        edited(file, opozvan_od=0),
        edited(file, javni_kljuc=SigningKey.generate().public_key.hex),
        edited(file, generirano=minute(1)),
        # A decoy put in, so that a stranger's record passes in public, and one taken out.
        json.dumps(json.loads(file) | {"keys": [*keys, trap]}),
        json.dumps(json.loads(file) | {"keys": keys[:1]}),
    ]
    acts: list[Callable[[str], object]] = [
        lambda ring: check(deployment, checkpoint, ring),
        deployment.resume,
    ]
    for ring in forged:
        for act in acts:
            with pytest.raises(RejectedError) as caught:
                act(ring)
            error = caught.value
            assert (error.code, error.identity_id, error.found, error.needed) == (208, None, None, None)
    with pytest.raises(RejectedError) as caught:
        check(deployment, checkpoint, file, RingKey(deployment.domain, bytes([1]) * 32))
    assert caught.value.code == 208
    assert check(deployment, checkpoint, file).decoy_count == 1


def test_what_anybody_writes_is_listed_and_stops_nothing(deployment: Deployment, log: Log) -> None:
    good = deployment.chain[0].message
    junk = "::".join(["DUALSEAL-SIGN::RING::2", *["0" * 64] * 3, "DUALSEAL"])
    for message in (good, junk, "DUALSEAL-SIGN::RING::"):
        deployment.chain.append(Domain("ELSEWHERE"), deployment.identity, message, minute(7))
    reader = ChainReader(Domain(), under=log.covering(deployment.head, followed(deployment.ring, deployment.chain)))
    watched = reader.ring(deployment.authority, deployment.file(), masters=[])
    found = reader.read(deployment.chain)[watched]
    assert found.ignored == {
        "entries": [{"reason": reason, "seq": seq} for seq, reason in ((2, "tag"), (3, "tag"), (4, "form"))],
        "more": 0,
    }
    assert found.ring.revision == 1


def test_what_a_ring_check_refuses(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head, followed(deployment.ring, deployment.chain))
    other = CheckedRing("example.org/other", deployment.authority).to_stored_json(Head.EMPTY)
    with pytest.raises(MisuseError) as caught:
        check(deployment, checkpoint, other)
    assert caught.value.code == 311
    cut = ChainReader(Domain(), under=checkpoint)
    cut.ring(deployment.authority, deployment.file(), masters=[])
    cut.push(deployment.chain[0])
    with pytest.raises(RejectedError) as rejected:
        cut.finish()
    assert (rejected.value.code, rejected.value.needed, rejected.value.found) == (204, 2, 1)
    with pytest.raises(MisuseError) as caught:
        cut.finish()
    assert caught.value.code == 321
