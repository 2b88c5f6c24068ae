"""krunica, checkpoints, located entries and the ring: what holds, and each change that is found."""

from __future__ import annotations

import copy
import hashlib
import hmac
from typing import Any

import pytest
from conftest import DECOY_SEED, LOG_SEED, ORIGIN, RING_KEY, SECOND_SEED, Deployment, at, give_state, key_entry
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
    leaves = [
        f'{{"h":"{entry["h"]}","seq":{seq},"t":"{entry["t"]}"}}'.encode() for seq, entry in enumerate(deployment.chain)
    ]
    assert deployment.head == krunica.Head(2, second["h"], tuple(leaves))
    left, right = (hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves)
    assert deployment.head.root == hashlib.sha256(b"\1" + left + right).hexdigest()


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
    assert krunica.is_fork(checkpoint, checkpoint | {"root": "0" * 64})
    of_one, of_two = ({"revision": revision, "root": "0" * 64} for revision in (1, 2))
    assert krunica.is_fork(checkpoint, checkpoint | {"ring": of_one})
    assert krunica.is_fork(checkpoint | {"ring": of_one}, checkpoint | {"size": 3, "ring": None})
    assert krunica.is_fork(checkpoint | {"ring": of_two}, checkpoint | {"size": 3, "ring": of_one})
    assert krunica.is_fork(checkpoint | {"ring": of_one}, checkpoint | {"size": 3, "ring": of_one | {"root": "1" * 64}})
    assert not krunica.is_fork(checkpoint | {"ring": of_one}, checkpoint | {"size": 3, "ring": of_two})
    assert not krunica.is_fork(checkpoint, checkpoint | {"size": 3, "top": "0" * 128})
    for signer in ({"identity_id": "0" * 64}, {"javni_kljuc": "0" * 3904}):  # who may be anybody
        assert not krunica.is_fork(checkpoint, checkpoint | {"top": "0" * 128} | signer)


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "other"}, {"size": 1}, {"top": "0" * 128}, {"root": "0" * 64}, {"time": at(31)},
        {"nota": "0" * 64}, {"ring": {"revision": 1, "root": "0" * 64}}, {"ring": {"revision": 3, "root": "0" * 64}},
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


def test_ring_entry_by_hand(deployment: Deployment) -> None:
    key = deployment.ring["keys"][0]

    def keyed(message: str) -> str:
        return hmac.new(RING_KEY, message.encode(), hashlib.sha3_512).hexdigest()[:64]

    begin = f'{{"algoritam":"ML-DSA-65","bela_stanje":"istina","generirano":"{at(0)}",'
    begin += f'"identity_id":"{key["identity_id"]}"'
    end = '"opozvan_od":null,"povijest":[[0,"istina"]],"retired":null,"role":"current"'
    tag = keyed(f'DUALSEAL-SIGN::RING::1::DUALSEAL[{begin},"javni_kljuc":"{key["javni_kljuc"]}",{end}}}]')
    hashed = hashlib.sha3_256(bytes.fromhex(key["javni_kljuc"])).hexdigest()
    salt = keyed(f"DUALSEAL-SIGN::SALT::1::{hashed}::DUALSEAL")
    leaf = hashlib.sha256(f'\0{begin},"javni_kljuc":"{hashed}",{end},"salt":"{salt}"}}'.encode()).digest()
    root = hashlib.sha256(b"\2" + (1).to_bytes(8, "big") + leaf).hexdigest()
    said = f"1::{tag}::{root}"
    mac = keyed(f"DUALSEAL-SIGN::ENTRY::{'0' * 128}::{key['identity_id']}::{said}::DUALSEAL")
    assert deployment.chain[0]["poruka"] == f"DUALSEAL-SIGN::RING::{said}::{mac}::DUALSEAL"
    stored = hashlib.sha256(f'\0{begin},"javni_kljuc":"{key["javni_kljuc"]}",{end}}}'.encode()).digest()
    none = hashlib.sha256(b"").digest()
    state = hashlib.sha256(b"\3" + (1).to_bytes(8, "big") + stored + bytes(8) + none).hexdigest()
    deployment.keep(deployment.ring)
    head = deployment.head
    mac = keyed(f"DUALSEAL-SIGN::STATE::{ORIGIN}::1::{head.size}::{head.top}::{state}::DUALSEAL")
    assert deployment.ring["ovjera"] == {"mac": mac, "size": 2, "top": head.top}


def test_ring_check_finds_every_difference(deployment: Deployment) -> None:
    deployment.rotate()
    decoy = key_entry(deployment.identity, DECOY_SEED, at(6), 1) | {"bela_stanje": "oboje", "role": "decoy"}
    decoy |= {"javni_kljuc": primitives.h3(bytes.fromhex(decoy["javni_kljuc"])), "povijest": [[1, "oboje"]]}
    deployment.ring["keys"].append(decoy)  # decoys are not chained
    deployment.keep(deployment.ring)
    good = ring.parse_ring(deployment.ring)
    assert ring.check(DEFAULT, good, RING_KEY, deployment.chain) == []

    def kind(edited: dict[str, Any], chain: list[dict[str, str]] = deployment.chain, key: bytes = RING_KEY) -> str:
        with pytest.raises(ring.RingError) as error:
            ring.check(DEFAULT, edited, key, chain)
        return error.value.kind

    def resealed(**changes: Any) -> dict[str, Any]:
        seal = good["ovjera"]
        return ring.sealed(DEFAULT, RING_KEY, good | changes, seal["size"], seal["top"])

    # Whatever is edited, decoys too, is under the MAC.
    for name in good:
        assert kind(good | {name: {"keys": good["keys"][:-1], "revision": 3, "origin": "other"}.get(name, good[name])}
                    if name != "ovjera" else good | {name: good[name] | {"size": 2}}) == "RingForged"
    assert kind(good, key=bytes(32)) == "RingForged"
    # Somebody who has the ring key: the chain says otherwise.
    assert kind(resealed(revision=1)) == "RingRollback"
    assert kind(resealed(revision=3)) == "RingForged"
    assert kind(good, deployment.chain[:2]) == "RingForged"
    assert kind(resealed(keys=good["keys"][2:])) == "RingForged"
    unchained = [key_entry("0" * 64, LOG_SEED, at(7), 7), *good["keys"]]
    assert kind(resealed(keys=unchained)) == "RingForged"
    for index in (0, 1):
        for changes in ({"bela_stanje": "laz"}, {"generirano": at(9)}, {"identity_id": "0" * 64}):
            edited = copy.deepcopy(good["keys"])
            edited[index] |= changes
            assert kind(resealed(keys=edited)) == "RingForged"


def test_what_anybody_writes_stops_no_ring(deployment: Deployment) -> None:
    deployment.rotate()
    good, size = ring.parse_ring(deployment.ring), deployment.head.size
    for poruka in (
        deployment.chain[-1]["poruka"],
        deployment.chain[0]["poruka"],
        "DUALSEAL-SIGN::RING::",
        f"DUALSEAL-SIGN::RING::3::{'0' * 64}::{'0' * 64}::{'0' * 64}::DUALSEAL",
    ):
        entry, _ = krunica.append(deployment.head, deployment.identity, poruka, at(9))
        assert ring.check(DEFAULT, good, RING_KEY, [*deployment.chain, entry]) == [size]
    # A change on a restored ring, and a ring file from before a change or a vault record, with its own good MAC.
    old, chain = copy.deepcopy(good), list(deployment.chain)
    deployment.set_state("laz")
    deployment.change(deployment.ring["keys"], at(10))
    deployment.ring, entries = old, deployment.chain
    deployment.change(old["keys"], at(11))
    for file, kind in ((old, "RingRollback"), (deployment.ring, "RingForged")):
        with pytest.raises(ring.RingError) as error:
            ring.check(DEFAULT, file, RING_KEY, entries)
        assert error.value.kind == kind
    entry, _ = krunica.append(krunica.heads(chain)[-1], deployment.identity, "sealed", at(9))
    with pytest.raises(ring.RingError) as error:
        ring.check(DEFAULT, old, RING_KEY, [*chain, entry], lambda entry: entry["poruka"] == "sealed")
    assert error.value.kind == "RingRollback"


def test_ring_order_and_uniqueness(deployment: Deployment) -> None:
    deployment.rotate()
    current, retired = deployment.ring["keys"]

    def parsed(keys: list[dict[str, Any]]) -> dict[str, Any]:
        seal = deployment.ring["ovjera"] | {"size": 10**7}
        revision = sum(len(key["povijest"]) for key in keys if key["role"] != "decoy")
        return ring.parse_ring(deployment.ring | {"keys": keys, "ovjera": seal, "revision": revision})

    other = key_entry("f" * 64, LOG_SEED, at(7), 7)
    assert parsed([current, retired, other])
    # A rotation between the two: the key of that time came at 1 and was retired at 2.
    early = retired | {"retired": 1}
    between = retired | {"javni_kljuc": other["javni_kljuc"], "povijest": [[1, "istina"]]}
    assert parsed([current, between, early])
    with_state = copy.deepcopy(current)
    give_state(with_state, "laz")
    assert parsed([with_state, retired])
    from_when = with_state["opozvan_od"]
    for keys in (
        [retired, current],
        [other, current],
        [current, current],
        [current, early, between],
        [current, between, retired],
        [current, retired, retired | {"javni_kljuc": other["javni_kljuc"]}],
        [current, other | {"javni_kljuc": current["javni_kljuc"]}],
        [current | {"retired": 1}],
        [retired | {"retired": None}],
        [retired | {"retired": 0}],
        [current | {"role": "decoy"}],
        [current | {"bela_stanje": "valid"}],
        [current, early],
        [current, retired, other | {"povijest": [[2, "istina"]]}],
        [current | {"povijest": []}],
        [current | {"povijest": [[2, "istina"], [2, "istina"]]}],
        [current | {"povijest": [[2, "istina"], [1, "istina"]]}],
        [current | {"povijest": [[2, "laz"], [3, "istina"]], "opozvan_od": 2}],
        [current | {"povijest": [[2, "oboje"]]}],
        [current | {"povijest": [[2, "istina", 1]]}],
        [current | {"opozvan_od": 2}],
        [with_state | {"opozvan_od": None}],
        [with_state | {"opozvan_od": from_when + 1}],
    ):
        with pytest.raises(FormatError):
            parsed(keys)
    decoy = primitives.h3(bytes.fromhex(current["javni_kljuc"]))
    twice = current | {"bela_stanje": "oboje", "role": "decoy", "javni_kljuc": decoy, "povijest": [[9, "oboje"]]}
    with pytest.raises(FormatError, match="twice"):
        parsed([current, retired, twice])
    assert parsed([current, retired, twice | {"javni_kljuc": "0" * 64}])
    with pytest.raises(FormatError, match="no changes"):
        parsed([current, retired, twice | {"povijest": [[8, "oboje"], [9, "oboje"]]}])
    with pytest.raises(FormatError, match="beyond"):
        ring.parse_ring(deployment.ring | {"ovjera": deployment.ring["ovjera"] | {"size": 2}})


def test_revision_is_the_number_of_changes(deployment: Deployment) -> None:
    empty = deployment.ring | {"keys": [], "revision": 0}
    assert ring.parse_ring(empty)
    for keys, revision in ((deployment.ring["keys"], 0), (deployment.ring["keys"], 2), ([], 1)):
        with pytest.raises(FormatError, match="revision"):
            ring.parse_ring(empty | {"keys": keys, "revision": revision})


def test_public_ring_shows_no_decoy(deployment: Deployment) -> None:
    decoy = deployment.ring["keys"][0] | {"role": "decoy", "bela_stanje": "oboje", "javni_kljuc": "0" * 64}
    deployment.ring["keys"].append(decoy | {"povijest": [[1, "oboje"]]})
    deployment.set_state("oboje")
    deployment.ring["keys"][0]["povijest"] = [[0, "istina"], [3, "oboje"], [4, "nijedno"], [5, "oboje"]]
    shown = ring.public(DEFAULT, RING_KEY, deployment.ring)
    assert b"oboje" not in canonical(shown) and b"decoy" not in canonical(shown)
    assert [key["bela_stanje"] for key in shown["keys"]] == ["istina"]
    assert shown["keys"][0]["povijest"] == [[0, "istina"], [4, "nijedno"], [5, "istina"]]
    assert deployment.ring["keys"][0]["bela_stanje"] == "oboje"
    assert ring.parse_public(shown | {"revision": 4})
    for changes in (
        {"povijest": [[0, "istina"], [3, "istina"]]},
        {"povijest": [[0, "oboje"], [3, "istina"]]},
        {"bela_stanje": "oboje", "povijest": [[0, "oboje"]]},
        {"role": "decoy", "javni_kljuc": "0" * 64},
        {"salt": "0"},
    ):
        with pytest.raises(FormatError):
            ring.parse_public(shown | {"keys": [shown["keys"][0] | changes], "revision": 4})
    with pytest.raises(FormatError, match="revision"):
        ring.parse_public(shown | {"revision": 2})
