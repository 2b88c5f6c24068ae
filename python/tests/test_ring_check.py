"""A ring against its chain: an old ring and an edited one are found out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dualseal import (
    AgreedChain,
    KeyRing,
    KeyState,
    MisuseError,
    RejectedError,
    RingCheck,
    RingKey,
    SigningKey,
    VerifiedCheckpoint,
)

from conftest import Deployment, Log, minute


def check(
    deployment: Deployment, checkpoint: VerifiedCheckpoint, ring: KeyRing, authority: RingKey | None = None
) -> AgreedChain:
    check = RingCheck(authority or deployment.authority, checkpoint)
    for members, entry in zip(deployment.chain.to_list(), deployment.chain, strict=True):
        if entry.seq % 2:
            check.push(entry)
        else:
            assert check.push_json(json.dumps(members)) == entry
    return check.finish(ring)


def edited(ring: KeyRing, **changes: Any) -> KeyRing:
    members = json.loads(ring.to_json())
    members["keys"][0] |= changes
    return KeyRing.from_json(json.dumps(members))


def test_the_ring_of_the_chain(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head)
    deployment.set_state(KeyState.SUSPENDED)
    agreed = check(deployment, checkpoint, deployment.ring)
    assert (agreed.covered, agreed.head) == (2, deployment.head)
    assert check(deployment, checkpoint, KeyRing.from_json(deployment.ring.to_json())).head == deployment.head


def test_an_old_ring(deployment: Deployment, log: Log) -> None:
    old = KeyRing.from_json(deployment.ring.to_json())
    checkpoint = log.covering(deployment.head)
    deployment.set_state(KeyState.REVOKED)
    deployment.set_state(KeyState.SUSPENDED)
    with pytest.raises(RejectedError) as caught:
        check(deployment, checkpoint, old)
    error = caught.value
    assert (error.code, error.found, error.needed, error.identity_id) == (207, 1, 3, None)


def test_an_edited_ring(deployment: Deployment, log: Log) -> None:
    deployment.set_state(KeyState.REVOKED)
    checkpoint = log.covering(deployment.head)
    forged = [
        edited(deployment.ring, bela_stanje="istina"),
        edited(deployment.ring, javni_kljuc=SigningKey.generate().public_key.hex),
        edited(deployment.ring, generirano=minute(1)),
    ]
    for ring in forged:
        with pytest.raises(RejectedError) as caught:
            check(deployment, checkpoint, ring)
        error = caught.value
        assert (error.code, error.identity_id, error.found, error.needed) == (208, deployment.identity, None, None)
    with pytest.raises(RejectedError) as caught:
        check(deployment, checkpoint, deployment.ring, RingKey(deployment.domain, bytes([1]) * 32))
    assert caught.value.identity_id == deployment.identity


def test_a_revision_of_nowhere(deployment: Deployment, log: Log) -> None:
    members = json.loads(deployment.ring.to_json()) | {"revision": 9}
    with pytest.raises(RejectedError) as caught:
        check(deployment, log.covering(deployment.head), KeyRing.from_json(json.dumps(members)))
    assert (caught.value.code, caught.value.identity_id) == (208, None)


def test_what_a_ring_check_refuses(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head)
    for other in (KeyRing("example.org/other"), KeyRing.pinned(deployment.identity, deployment.key.public_key)):
        with pytest.raises(MisuseError) as caught:
            check(deployment, checkpoint, other)
        assert caught.value.code == 311
    cut = RingCheck(deployment.authority, checkpoint)
    cut.push(deployment.chain[0])
    with pytest.raises(RejectedError) as rejected:
        cut.finish(deployment.ring)
    assert (rejected.value.code, rejected.value.needed, rejected.value.found) == (204, 2, 1)
    with pytest.raises(MisuseError) as caught:
        cut.finish(deployment.ring)
    assert caught.value.code == 321
