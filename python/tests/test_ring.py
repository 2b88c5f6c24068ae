"""The ring: its changes, its JSON and its two faces."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable

import pytest
from dualseal import (
    CheckedRing,
    Head,
    HighWaterMark,
    KeyRing,
    KeyState,
    Krunica,
    MalformedError,
    MisuseError,
    PublicRing,
    RejectedError,
    RingKey,
    SigningKey,
    VerdictKind,
)

from conftest import ORIGIN, Deployment, head_at, minute


def test_a_change_gives_the_entry_that_vouches_for_it(deployment: Deployment) -> None:
    ring = CheckedRing(ORIGIN, deployment.authority)
    public = deployment.key.public_key
    entry, head = ring.add(deployment.identity, public, head=Head.EMPTY, time=minute(0))
    assert (ring.origin, ring.revision, ring.identities()) == (ORIGIN, 1, [deployment.identity])
    covered = (
        f'[{{"algoritam":"ML-DSA-65","bela_stanje":"istina","generirano":"{minute(0)}",'
        f'"identity_id":"{deployment.identity}","javni_kljuc":"{public.hex}","opozvan_od":null,'
        '"povijest":[[0,"istina"]],"retired":null,"role":"current"}]'
    )

    def keyed(message: str) -> str:
        return hmac.new(bytes([9]) * 32, message.encode(), "sha3_512").hexdigest()[:64]

    said = f"1::{keyed('DUALSEAL-SIGN::RING::1::DUALSEAL' + covered)}::{ring.public().root}"
    mac = keyed(f"DUALSEAL-SIGN::ENTRY::{'0' * 128}::{deployment.identity}::{said}::DUALSEAL")
    assert entry.message == f"DUALSEAL-SIGN::RING::{said}::{mac}::DUALSEAL"
    assert (entry.identity_id, entry.seq, entry.time) == (deployment.identity, 0, minute(0))
    assert (head.size, head.top) == (1, entry.hash)


def test_rotation_retires_the_old_key(deployment: Deployment) -> None:
    new = SigningKey.generate()
    entry = deployment.rotate(new.public_key)
    keys = json.loads(deployment.file())["keys"]
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


def test_the_keys_of_an_identity(deployment: Deployment) -> None:
    ring, identity, first = deployment.ring, deployment.identity, deployment.key.public_key
    assert ring.keys(identity) == [(first, KeyState.VALID)]
    second, third = SigningKey.generate().public_key, SigningKey.generate().public_key
    deployment.rotate(second)
    deployment.set_state(KeyState.REVOKED, first.hash)
    deployment.rotate(third)
    deployment.set_state("oboje")
    keys = [(third, KeyState.DECOY), (second, KeyState.VALID), (first, KeyState.REVOKED)]
    assert ring.keys(identity) == keys
    assert ring.public().keys(identity) == [(third, KeyState.VALID), *keys[1:]]
    assert KeyRing.pinned(identity, second).keys(identity) == [(second, KeyState.VALID)]
    assert ring.keys("0" * 64) == []
    with pytest.raises(MalformedError):
        ring.keys("0" * 63)


def test_the_public_ring_shows_no_decoy(deployment: Deployment) -> None:
    ring = deployment.ring
    decoy = SigningKey.generate().public_key
    deployment.add_decoy(decoy)
    deployment.set_state(KeyState.DECOY)
    assert (ring.decoy_count, ring.revision) == (1, 2)
    assert decoy.hash in deployment.file()
    public = ring.public()
    assert public.revision == 2
    assert decoy.hash not in public.to_json()
    assert "oboje" not in public.to_json()
    assert "oboje" in deployment.file()
    assert "decoy" not in repr(ring)
    assert PublicRing.from_json(public.to_json()).root == public.root
    for other in (public, KeyRing.pinned(deployment.identity, decoy)):
        assert not hasattr(other, "add")
        assert not hasattr(other, "to_stored_json")


def test_a_ring_is_stated_where_it_was_followed_to(deployment: Deployment) -> None:
    """Somebody else may have revoked a key in an entry that nobody looked at."""
    stale = deployment.resume(deployment.file())
    plain = deployment.chain.append(deployment.domain, deployment.identity, "plain", minute(2))
    with pytest.raises(MisuseError) as unread:
        HighWaterMark.first(ORIGIN, deployment.head, ring=stale)
    assert unread.value.code == 343
    stale.follow(plain, masters=[])
    assert HighWaterMark.first(ORIGIN, deployment.head, ring=stale).ring is not None
    with pytest.raises(MisuseError) as past:
        stale.follow(plain, masters=[])
    assert past.value.code == 307
    deployment.ring.follow(plain, masters=[])
    deployment.set_state(KeyState.REVOKED)
    with pytest.raises(RejectedError) as changed:
        stale.follow(deployment.chain[3], masters=[])
    assert (changed.value.code, stale.revision, deployment.ring.revision) == (207, 1, 2)
    with pytest.raises(MisuseError):
        HighWaterMark.first(ORIGIN, deployment.head, ring=stale)
    assert HighWaterMark.first(ORIGIN, deployment.head, ring=deployment.ring).ring is not None


def test_a_stale_ring_changes_stores_and_traps_nothing(deployment: Deployment) -> None:
    """Another process has revoked the key: what this one writes must not lose that, nor its file tell otherwise."""
    file, identity = deployment.file(), deployment.identity
    stale = deployment.resume(file)
    deployment.set_state(KeyState.REVOKED)
    sealed = deployment.chain.append(deployment.domain, identity, "sealed", minute(6))
    other, fresh = Krunica(), SigningKey.generate().public_key
    for number in range(2):
        other.append(deployment.domain, identity, "another log's", minute(number))
    heads = [head_at(list(deployment.chain)[:3]), deployment.head, other.head]
    calls: list[Callable[[Head], object]] = [
        lambda at: stale.add("0" * 64, fresh, head=at, time=minute(7)),
        lambda at: stale.rotate(identity, fresh, head=at, time=minute(7)),
        lambda at: stale.set_state(identity, KeyState.SUSPENDED, head=at, time=minute(7)),
        lambda at: stale.to_stored_json(at),
        lambda at: stale.add_decoy(fresh, sealed),
    ]
    for call in calls:
        for head in heads:
            with pytest.raises(MisuseError) as caught:
                call(head)
            assert caught.value.code == 343
    # It is as it was, and its file still an old one.
    at = head_at(list(deployment.chain)[:2])
    assert (stale.revision, stale.known_to, stale.decoy_count, stale.to_stored_json(at)) == (1, 2, 0, file)
    with pytest.raises(RejectedError) as old:
        deployment.resume(file)
    assert old.value.code == 207
    again = deployment.resume(deployment.file())
    info = again.info(identity)
    assert info is not None
    assert info["bela_stanje"] == "laz"
    entry, head = again.add("0" * 64, fresh, head=deployment.head, time=minute(7))
    deployment.chain.push(entry)
    assert deployment.resume(again.to_stored_json(head)).revision == 3


def test_since_when_a_key_counts_as_compromised(deployment: Deployment) -> None:
    def stands() -> int | None:
        since: int | None = json.loads(deployment.file())["keys"][0]["opozvan_od"]
        return since

    def revoke(compromised_from: int | None) -> None:
        entry, _ = deployment.ring.set_state(
            deployment.identity,
            KeyState.REVOKED,
            head=deployment.head,
            time=minute(5),
            compromised_from=compromised_from,
        )
        deployment.chain.push(entry)

    assert stands() is None
    for asked, expected in ((99, 2), (1, 1), (None, 1), (2, 1), (0, 0)):
        revoke(asked)
        assert stands() == expected
    deployment.set_state(KeyState.VALID)
    assert stands() == 0
    with pytest.raises(MalformedError):
        deployment.ring.set_state(
            deployment.identity, KeyState.VALID, head=deployment.head, time=minute(5), compromised_from=1
        )


def test_json_round_trip(deployment: Deployment) -> None:
    text = deployment.ring.public().to_json()
    for form in (text, text.encode(), bytearray(text, "utf-8"), json.dumps(json.loads(text), indent=2)):
        assert PublicRing.from_json(form).to_json() == text
    file = deployment.file()
    for form in (file, json.dumps(json.loads(file), indent=2)):
        assert deployment.resume(form).to_stored_json(deployment.head) == file


def test_a_pinned_ring(deployment: Deployment) -> None:
    ring = KeyRing.pinned(deployment.identity, deployment.key.public_key)
    assert (ring.origin, ring.revision) == (None, 0)
    info = ring.info(deployment.identity)
    assert info is not None
    assert info["generirano"] is None


def test_misuse_leaves_the_ring_as_it_was(deployment: Deployment) -> None:
    ring, at = deployment.ring, deployment.head
    before = deployment.file()
    known, fresh = deployment.key.public_key, SigningKey.generate().public_key
    ana, nobody, entry = deployment.identity, "0" * 64, deployment.signed.entry
    calls: list[tuple[int, Callable[[], object]]] = [
        (304, lambda: ring.add(ana, fresh, head=at, time=10**11)),
        (303, lambda: ring.add(nobody, known, head=at, time=10**11)),
        (301, lambda: ring.rotate(nobody, fresh, head=at, time=10**11)),
        (303, lambda: ring.rotate(ana, known, head=at, time=10**11)),
        (301, lambda: ring.set_state(nobody, "laz", head=at, time=10**11)),
        (302, lambda: ring.set_state(ana, "laz", head=at, time=10**11, key_hash=fresh.hash)),
        (303, lambda: ring.add_decoy(known, entry)),
        (307, lambda: ring.to_stored_json(Head.EMPTY)),
    ]
    for code, call in calls:
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == code
    assert deployment.file() == before


def test_a_stale_head_and_a_decoys_state(deployment: Deployment) -> None:
    ring = deployment.ring
    decoy = SigningKey.generate().public_key
    deployment.add_decoy(decoy)
    with pytest.raises(MisuseError) as caught:
        deployment.set_state(KeyState.VALID, decoy.hash)
    assert caught.value.code == 305
    first, second = SigningKey.generate().public_key, SigningKey.generate().public_key
    ring.rotate(deployment.identity, first, head=deployment.head, time=minute(4))
    with pytest.raises(MisuseError) as caught:
        ring.rotate(deployment.identity, second, head=Head.EMPTY, time=minute(5))
    assert caught.value.code == 307


def test_a_ring_key_belongs_to_a_domain(deployment: Deployment) -> None:
    assert deployment.authority.to_bytes() == bytes([9]) * 32
    with pytest.raises(MalformedError) as caught:
        RingKey(deployment.domain, b"short")
    assert (caught.value.field, caught.value.code) == ("ring key", 100)


def test_where_the_changes_of_a_ring_stand(deployment: Deployment) -> None:
    ring, first = deployment.ring, deployment.key.public_key.hash
    pinned = KeyRing.pinned(deployment.identity, deployment.key.public_key)

    def told(ring: KeyRing, key_hash: str = first) -> tuple[int | None, int | None, int | None]:
        of = (deployment.identity, key_hash)
        return ring.retired_at(*of), ring.counts_until(*of), ring.last_change

    assert (told(ring), told(pinned)) == ((None, None, 0), (None, None, None))
    deployment.rotate(SigningKey.from_seed(bytes([8]) * 32).public_key)
    assert told(ring) == told(ring.public()) == (2, 2, 2)
    # Another's key, and one that the ring has not.
    assert ring.retired_at("00" * 32, first) is None
    assert told(ring, "00" * 32) == (None, None, 2)
    with pytest.raises(MalformedError):
        ring.counts_until("x", first)


def test_up_to_where_a_key_counts(deployment: Deployment) -> None:
    key_hash = deployment.key.public_key.hash

    def until() -> list[int | None]:
        rings: tuple[KeyRing, ...] = (deployment.ring, deployment.ring.public())
        return [ring.counts_until(deployment.identity, key_hash) for ring in rings]

    states: list[tuple[KeyState, list[int | None]]] = [
        (KeyState.SUSPENDED, [2, 2]),
        (KeyState.VALID, [None, None]),
        # Outsiders are not told of a decoy.
        (KeyState.DECOY, [4, None]),
        (KeyState.REVOKED, [4, 5]),
    ]
    for state, expected in states:
        deployment.set_state(state)
        assert until() == expected, state
    entry, _ = deployment.ring.set_state(
        deployment.identity, KeyState.REVOKED, head=deployment.head, time=minute(9), compromised_from=1
    )
    assert entry.seq == 6
    assert until() == [1, 1]


def test_a_ring_is_counted_asked_and_compared(deployment: Deployment) -> None:
    ring, ana = deployment.ring, deployment.identity
    bob = deployment.domain.identity_id(b"", "bob", "")
    assert len(ring) == len(ring.identities()) == 1
    assert ana in ring and bob not in ring
    with pytest.raises(MalformedError):
        "ana" in ring  # noqa: B015
    with pytest.raises(TypeError):
        7 in ring  # type: ignore[operator] # noqa: B015
    pinned = KeyRing.pinned(ana, deployment.key.public_key)
    assert pinned == KeyRing.pinned(ana, deployment.key.public_key)
    assert pinned != KeyRing.pinned(bob, deployment.key.public_key) and pinned != ring and pinned != "ring"
    public = ring.public()
    assert public == PublicRing.from_json(public.to_json()) and len(public) == 1
    same = ring
    assert ring == same
    deployment.rotate(SigningKey.generate().public_key)
    assert public != deployment.ring.public() and len(deployment.ring) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(ring)
