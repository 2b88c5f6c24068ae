"""krunica, checkpoints, located entries and the ring: what holds, and each change that is found."""

from __future__ import annotations

import copy
import hashlib
import hmac
from typing import Any

import pytest
from conftest import DECOY_SEED, LOG_SEED, RING_KEY, SECOND_SEED, Deployment, at, key_entry
from dualseal_second import ids, krunica, primitives, ring
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError, canonical


def test_identifiers_by_hand() -> None:
    acme = Domain.named("ACME")
    hello = hashlib.sha3_256(b"ACME-ID::hello::alice::demo::ACME").hexdigest()
    assert ids.identity_id(acme, b"hello", "alice", "demo") == hello
    vault = hashlib.sha3_256(b"ACME-VAULT::68656c6c6f::alice::demo::0::ACME").hexdigest()
    assert ids.vault_id(acme, b"hello", "alice", "demo", 0) == vault
    content = hashlib.sha3_256(f"ACME-SIGN::CONTENT::{hello}::ACMEhello".encode()).hexdigest()
    assert ids.content_hash(acme, hello, b"hello") == content
    digest = hashlib.sha3_512(b"message").hexdigest()
    bound = hashlib.sha3_256(f"ACME-THRESHOLD::BINDING::{hello}::{digest}::ACME".encode()).hexdigest()
    assert ids.binding(acme, hello, b"message") == bound
    for seq in (-1, 2**53):
        with pytest.raises(FormatError):
            ids.vault_id(acme, b"", "", "", seq)


def test_chain_by_hand(deployment: Deployment) -> None:
    second = deployment.chain[1]
    text = f"{second['w3']}|{second['poruka']}|{deployment.chain[0]['h']}|1"
    assert second["h"] == hashlib.sha3_512(text.encode()).hexdigest()
    assert krunica.krunica_hash(second["h"]) == hashlib.sha3_256(second["h"].encode("ascii")).hexdigest()
    time_hash = "0" * 128
    for entry in deployment.chain:
        time_hash = hashlib.sha3_512(f"{time_hash}|{entry['h']}|{entry['t']}".encode()).hexdigest()
    assert deployment.head == krunica.Head(2, second["h"], time_hash)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"w3": "0" * 64}, "h"), ({"poruka": "x"}, "h"), ({"h": "0" * 128}, "h"), ({"prev": "0" * 128}, "prev"),
        ({"prev": "x"}, "prev"), ({"w3": "A" * 64}, "format"), ({"t": "2026"}, "format"), ({"h": "x"}, "format"),
        ({"seq": 1}, "members"), ({"poruka": 1}, "format"), ({"h": None}, "format"), ({"prev": 1}, "prev"),
    ],
)  # fmt: skip
def test_first_bad_entry_is_named(deployment: Deployment, changes: dict[str, Any], what: str) -> None:
    with pytest.raises(krunica.ChainError) as error:
        krunica.heads([deployment.chain[0], deployment.chain[1] | changes])
    assert (error.value.index, error.value.what) == (1, what)


def test_exports_are_an_array_or_lines(deployment: Deployment) -> None:
    lines = b"".join(canonical(entry) + b"\n" for entry in deployment.chain)
    assert krunica.parse_export(lines) == krunica.parse_export(canonical(deployment.chain)) == deployment.chain
    assert krunica.parse_export(b"") == krunica.parse_export(b"[]") == []
    for bad in (lines[:-1], lines + b"\n", b"\n" + lines):
        with pytest.raises(FormatError):
            krunica.parse_export(bad)


def test_checkpoint_covers_hashes_and_times(deployment: Deployment) -> None:
    checkpoint = krunica.verify_checkpoint(DEFAULT, deployment.checkpoint(), deployment.pins())
    assert krunica.agrees(deployment.chain, checkpoint)
    assert not krunica.agrees(deployment.chain[:1], checkpoint)
    late = deployment.chain[:1] + [deployment.chain[1] | {"t": at(59)}]
    krunica.heads(late)  # h does not cover t, so the chain alone shows nothing
    assert not krunica.agrees(late, checkpoint)
    assert krunica.is_fork(checkpoint, checkpoint | {"time_top": "0" * 128})
    assert not krunica.is_fork(checkpoint, checkpoint | {"size": 3, "top": "0" * 128})
    for signer in ({"identity_id": "0" * 64}, {"javni_kljuc": "0" * 3904}):  # who may be anybody
        assert not krunica.is_fork(checkpoint, checkpoint | {"top": "0" * 128} | signer)


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "other"}, {"size": 1}, {"top": "0" * 128}, {"time_top": "0" * 128}, {"time": at(31)},
        {"identity_id": "b" * 64}, {"algoritam": "ML-DSA-87"}, {"potpis": "00" * 3309}, {"extra": 1}, {"size": True},
        {"javni_kljuc": primitives.public_key_of_seed(SECOND_SEED).hex()}, {"size": 0},
    ],
)  # fmt: skip
def test_checkpoint_refuses_each_change(deployment: Deployment, changes: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        krunica.verify_checkpoint(DEFAULT, deployment.checkpoint() | changes, deployment.pins())


def test_checkpoint_refuses_an_older_view_and_another_domain(deployment: Deployment) -> None:
    pins = krunica.Pins(**(vars(deployment.pins()) | {"least_size": 3}))
    with pytest.raises(FormatError, match="fewer"):
        krunica.verify_checkpoint(DEFAULT, deployment.checkpoint(), pins)
    with pytest.raises(FormatError, match="signature"):
        krunica.verify_checkpoint(Domain.named("ACME"), deployment.checkpoint(), deployment.pins())


def test_checkpoint_by_another_key_is_not_the_pinned_one(deployment: Deployment) -> None:
    fields = deployment.checkpoint() | {"javni_kljuc": primitives.public_key_of_seed(SECOND_SEED).hex()}
    fields["potpis"] = primitives.sign(SECOND_SEED, krunica.checkpoint_statement(DEFAULT, fields)).hex()
    with pytest.raises(FormatError, match="pinned"):
        krunica.verify_checkpoint(DEFAULT, fields, deployment.pins())


def test_ring_tag_by_hand(deployment: Deployment) -> None:
    key = deployment.ring["keys"][0]
    covered = (
        f'[{{"algoritam":"ML-DSA-65","bela_stanje":"istina","generirano":"{at(0)}",'
        f'"identity_id":"{key["identity_id"]}","javni_kljuc":"{key["javni_kljuc"]}","retired":null,"role":"current"}}]'
    )
    message = b"DUALSEAL-SIGN::RING::1::DUALSEAL" + covered.encode()
    expected = hmac.new(RING_KEY, message, hashlib.sha3_512).hexdigest()[:64]
    assert deployment.chain[0]["poruka"] == f"DUALSEAL-SIGN::RING::1::{expected}::DUALSEAL"


def test_ring_check_finds_every_difference(deployment: Deployment) -> None:
    deployment.rotate()
    decoy = key_entry(deployment.identity, DECOY_SEED, at(6)) | {"bela_stanje": "oboje", "role": "decoy"}
    decoy["javni_kljuc"] = primitives.h3(bytes.fromhex(decoy["javni_kljuc"]))
    deployment.ring["keys"].append(decoy)  # decoys are not chained
    good = ring.parse_ring(deployment.ring)
    ring.check(DEFAULT, good, RING_KEY, deployment.chain)

    def kind(edited: dict[str, Any], chain: list[dict[str, str]] = deployment.chain, key: bytes = RING_KEY) -> str:
        with pytest.raises(ring.RingError) as error:
            ring.check(DEFAULT, edited, key, chain)
        return error.value.kind

    unchained = [key_entry("0" * 64, LOG_SEED, at(7)), *good["keys"]]
    assert kind(ring.parse_ring(good | {"keys": unchained})) == "RingForged"
    assert kind(good | {"revision": 1}) == "RingRollback"
    assert kind(good | {"revision": 3}) == "RingForged"
    assert kind(good, deployment.chain[:2]) == "RingForged"
    assert kind(good, key=bytes(32)) == "RingForged"
    assert kind(good | {"keys": good["keys"][2:]}) == "RingForged"
    # Revisions stand in the chain in order: a change that was made on a restored ring repeats one.
    for poruka in (
        deployment.chain[-1]["poruka"],
        deployment.chain[0]["poruka"],
        "DUALSEAL-SIGN::RING::",
        f"DUALSEAL-SIGN::RING::03::{'0' * 64}::DUALSEAL",
    ):
        later = [*deployment.chain, deployment.chain[-1] | {"poruka": poruka}]
        assert kind(good, later) == "RingForged"
        earlier = [deployment.chain[0] | {"poruka": poruka}, *deployment.chain]
        assert kind(good, earlier) == "RingForged"
    for index in (0, 1):
        for changes in ({"bela_stanje": "laz"}, {"generirano": at(9)}, {"identity_id": "0" * 64}):
            edited = copy.deepcopy(good)
            edited["keys"][index] |= changes
            assert kind(edited) == "RingForged"


def test_ring_order_and_uniqueness(deployment: Deployment) -> None:
    deployment.rotate()
    current, retired = deployment.ring["keys"]
    other = key_entry("f" * 64, LOG_SEED, at(7))
    assert ring.parse_ring(deployment.ring | {"keys": [current, retired, other]})
    later = retired | {"javni_kljuc": other["javni_kljuc"], "retired": retired["retired"] + 8}
    assert ring.parse_ring(deployment.ring | {"keys": [current, later, retired]})
    for keys in (
        [retired, current],
        [other, current],
        [current, current],
        [current, retired, later],
        [current, retired, retired | {"javni_kljuc": other["javni_kljuc"]}],
        [current, other | {"javni_kljuc": current["javni_kljuc"]}],
        [current | {"retired": 1}],
        [retired | {"retired": None}],
        [current | {"role": "decoy"}],
        [current | {"bela_stanje": "valid"}],
    ):
        with pytest.raises(FormatError):
            ring.parse_ring(deployment.ring | {"keys": keys})
    decoy = primitives.h3(bytes.fromhex(current["javni_kljuc"]))
    twice = current | {"bela_stanje": "oboje", "role": "decoy", "javni_kljuc": decoy}
    with pytest.raises(FormatError, match="twice"):
        ring.parse_ring(deployment.ring | {"keys": [current, retired, twice]})


def test_revision_zero_means_no_chained_keys(deployment: Deployment) -> None:
    assert ring.parse_ring({"keys": [], "origin": "log", "revision": 0})
    for keys, revision in ((deployment.ring["keys"], 0), ([], 1)):
        with pytest.raises(FormatError, match="revision"):
            ring.parse_ring({"keys": keys, "origin": "log", "revision": revision})


def test_public_ring_shows_no_decoy(deployment: Deployment) -> None:
    decoy = deployment.ring["keys"][0] | {"role": "decoy", "bela_stanje": "oboje", "javni_kljuc": "0" * 64}
    deployment.ring["keys"].append(decoy)
    deployment.set_state("oboje")
    shown = ring.public(ring.parse_ring(deployment.ring))
    assert b"oboje" not in canonical(shown) and b"decoy" not in canonical(shown)
    assert [key["bela_stanje"] for key in shown["keys"]] == ["istina"]
    assert deployment.ring["keys"][0]["bela_stanje"] == "oboje"
