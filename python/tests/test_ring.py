"""The ring: its changes, its JSON and its two faces."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable

import pytest
from dualseal import Head, KeyRing, KeyState, MalformedError, MisuseError, RingKey, SigningKey, VerdictKind

from conftest import ORIGIN, Deployment, minute


def test_a_change_gives_the_entry_that_vouches_for_it(deployment: Deployment) -> None:
    ring = KeyRing(ORIGIN)
    public = deployment.key.public_key
    entry, head = ring.add(
        deployment.identity, public, head=Head.EMPTY, time=minute(0), authority=deployment.authority
    )
    assert (ring.origin, ring.revision, ring.identities()) == (ORIGIN, 1, [deployment.identity])
    covered = (
        f'[{{"algoritam":"ML-DSA-65","bela_stanje":"istina","generirano":"{minute(0)}",'
        f'"identity_id":"{deployment.identity}","javni_kljuc":"{public.hex}","retired":null,"role":"current"}}]'
    )
    tagged = b"DUALSEAL-SIGN::RING::1::DUALSEAL" + covered.encode()
    tag = hmac.new(bytes([9]) * 32, tagged, "sha3_512").hexdigest()[:64]
    assert entry.message == f"DUALSEAL-SIGN::RING::1::{tag}::DUALSEAL"
    assert (entry.identity_id, entry.seq, entry.time) == (deployment.identity, 0, minute(0))
    assert (head.size, head.top) == (1, entry.hash)


def test_rotation_retires_the_old_key(deployment: Deployment) -> None:
    new = SigningKey.generate()
    entry = deployment.rotate(new.public_key)
    keys = json.loads(deployment.ring.to_json())["keys"]
    assert [(key["role"], key["retired"]) for key in keys] == [("current", None), ("retired", entry.seq)]
    assert keys[0]["javni_kljuc"] == new.public_key.hex
    assert deployment.verify().reason == "retired key"
    deployment.sign_with(new)
    assert deployment.verify().kind is VerdictKind.VALID


def test_the_state_of_a_retired_key_is_set_by_its_hash(deployment: Deployment) -> None:
    deployment.rotate(SigningKey.generate().public_key)
    deployment.set_state(KeyState.REVOKED, deployment.key.public_key.hash)
    assert deployment.verify().kind is VerdictKind.REVOKED
    info = deployment.ring.info(deployment.identity)
    assert info is not None
    assert info["bela_stanje"] == "istina"


def test_info_and_what_outsiders_see_of_it(deployment: Deployment) -> None:
    ring, identity = deployment.ring, deployment.identity
    expected = {
        "algoritam": "ML-DSA-65",
        "bela_stanje": "istina",
        "generirano": minute(0),
        "identity_id": identity,
        "javni_kljuc": deployment.key.public_key.hex,
    }
    assert ring.info(identity) == ring.public_info(identity) == expected
    deployment.set_state("oboje")
    assert ring.info(identity) == expected | {"bela_stanje": "oboje"}
    assert ring.public_info(identity) == expected
    assert ring.info("0" * 64) is None
    assert ring.public_info("0" * 64) is None


def test_the_public_ring_shows_no_decoy(deployment: Deployment) -> None:
    ring = deployment.ring
    decoy = SigningKey.generate().public_key
    ring.add_decoy(deployment.identity, decoy, time=minute(2))
    deployment.set_state(KeyState.DECOY)
    assert (ring.decoy_count, ring.revision) == (1, 2)
    assert decoy.hash in ring.to_json()
    public = ring.public()
    assert (public.decoy_count, public.revision) == (0, 2)
    assert decoy.hash not in public.to_json()
    assert "oboje" not in public.to_json()
    assert "oboje" in ring.to_json()
    assert "decoy" not in repr(ring)


def test_json_round_trip(deployment: Deployment) -> None:
    text = deployment.ring.to_json()
    for form in (text, text.encode(), bytearray(text, "utf-8"), json.dumps(json.loads(text), indent=2)):
        assert KeyRing.from_json(form).to_json() == text


def test_a_pinned_ring(deployment: Deployment) -> None:
    ring = KeyRing.pinned(deployment.identity, deployment.key.public_key)
    assert (ring.origin, ring.revision) == (None, 0)
    info = ring.info(deployment.identity)
    assert info is not None
    assert info["generirano"] is None
    with pytest.raises(MisuseError, match="pinned"):
        ring.to_json()


def test_misuse_leaves_the_ring_as_it_was(deployment: Deployment) -> None:
    ring, at, authority = deployment.ring, deployment.head, deployment.authority
    before = ring.to_json()
    known, fresh = deployment.key.public_key, SigningKey.generate().public_key
    ana, nobody = deployment.identity, "0" * 64
    pinned = KeyRing.pinned(ana, known)
    calls: list[tuple[int, Callable[[], object]]] = [
        (304, lambda: ring.add(ana, fresh, head=at, time=10**11, authority=authority)),
        (303, lambda: ring.add(nobody, known, head=at, time=10**11, authority=authority)),
        (301, lambda: ring.rotate(nobody, fresh, head=at, time=10**11, authority=authority)),
        (303, lambda: ring.rotate(ana, known, head=at, time=10**11, authority=authority)),
        (301, lambda: ring.set_state(nobody, "laz", head=at, time=10**11, authority=authority)),
        (302, lambda: ring.set_state(ana, "laz", head=at, time=10**11, authority=authority, key_hash=fresh.hash)),
        (303, lambda: ring.add_decoy(ana, known, time=10**11)),
        (306, lambda: pinned.add(nobody, fresh, head=at, time=10**11, authority=authority)),
        (306, lambda: pinned.add_decoy(nobody, fresh, time=10**11)),
    ]
    for code, call in calls:
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == code
    assert ring.to_json() == before


def test_a_stale_head_and_a_decoys_state(deployment: Deployment) -> None:
    ring, authority = deployment.ring, deployment.authority
    decoy = SigningKey.generate().public_key
    ring.add_decoy(deployment.identity, decoy, time=minute(2))
    with pytest.raises(MisuseError) as caught:
        deployment.set_state(KeyState.VALID, decoy.hash)
    assert caught.value.code == 305
    first, second = SigningKey.generate().public_key, SigningKey.generate().public_key
    ring.rotate(deployment.identity, first, head=deployment.head, time=minute(4), authority=authority)
    with pytest.raises(MisuseError) as caught:
        ring.rotate(deployment.identity, second, head=Head.EMPTY, time=minute(5), authority=authority)
    assert caught.value.code == 307


def test_a_ring_key_belongs_to_a_domain(deployment: Deployment) -> None:
    assert deployment.authority.to_bytes() == bytes([9]) * 32
    with pytest.raises(MalformedError) as caught:
        RingKey(deployment.domain, b"short")
    assert (caught.value.field, caught.value.code) == ("ring key", 100)
