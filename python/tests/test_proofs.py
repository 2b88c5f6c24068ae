"""Proofs of place and of growth from nodes and tiles, and rings and keys that a checkpoint attests."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from dualseal import (
    AttestedKey,
    AttestedRing,
    ChainReader,
    Domain,
    Entry,
    EvidenceError,
    Follower,
    Growth,
    Head,
    HighWaterMark,
    KeyProof,
    KeyRing,
    KeyState,
    Krunica,
    MalformedError,
    MisuseError,
    PathFinder,
    PlaceProof,
    PublicRing,
    RejectedError,
    RingChanges,
    RingKey,
    StatedRing,
    Tile,
    TileGrowth,
    VerdictKind,
    VerifiedCheckpoint,
    Verifier,
    inspect,
    leaf_hash,
    prove_growth,
    prove_leaf,
)

from bundle import DOCUMENT, Contracts, Registry, key, key_proof, log_leaf, minute, tree_path, tree_root
from conftest import ORIGIN, head_at, places


def filled(size: int) -> Registry:
    registry = Registry()
    for number in range(size):
        if number == 3:
            registry.add("ana", key(1))
        else:
            registry.fill()
    return registry


class Nodes:
    """Every full subtree of a chain, by hashlib."""

    def __init__(self, chain: Krunica) -> None:
        self.leaves = [log_leaf(entry) for entry in chain]
        self.asked: list[tuple[int, int]] = []

    def __call__(self, level: int, index: int) -> str:
        self.asked.append((level, index))
        subtree = self.leaves[index << level : (index + 1) << level]
        assert len(subtree) == 1 << level
        return tree_root(subtree).hex()


def tiles_of(chain: Krunica) -> dict[str, bytes]:
    growth, files = TileGrowth(), {}
    for entry in chain:
        for tile, data in growth.push(entry.leaf_hash):
            files[tile.path] = data
    assert (growth.size, growth.root) == (chain.head.size, chain.head.root)
    for tile, data in growth.partial():
        files[tile.path] = data
    return files


def test_leaves_and_roots_are_those_of_the_standard() -> None:
    chain = filled(9).chain
    for entry in chain:
        assert entry.leaf.encode() == log_leaf(entry)
        assert entry.leaf_hash == leaf_hash(entry.leaf.encode()) == tree_root([log_leaf(entry)]).hex()
    assert chain.head.root == tree_root([log_leaf(entry) for entry in chain]).hex()


@pytest.mark.parametrize("size", [1, 2, 3, 8, 9, 15, 33])
def test_a_proof_gives_the_place_that_the_chain_gives(size: int) -> None:
    registry = filled(size)
    checkpoint = registry.checkpoint()
    verified, nodes, files = registry.verified(checkpoint), Nodes(registry.chain), tiles_of(registry.chain)
    leaves = [log_leaf(entry) for entry in registry.chain]
    for entry in registry.chain:
        path = tree_path(leaves, entry.seq)
        assert prove_leaf(size, entry.seq, nodes=nodes) == path
        assert prove_leaf(size, entry.seq, tiles=lambda tile: files[tile.path]) == path
        mapping = {asked: bytes.fromhex(nodes(*asked)) for asked in {*nodes.asked}}
        assert prove_leaf(size, entry.seq, nodes=mapping) == path
        finder = PathFinder(size, entry.seq)
        for each in registry.chain:
            finder.push(each)
        assert finder.finish() == path
        proof = PlaceProof.make(checkpoint, entry, nodes=nodes)
        assert proof == PlaceProof(checkpoint, entry, path)
        assert (proof.path, proof.entry, proof.checkpoint) == (path, entry, checkpoint)
        read = PlaceProof.from_json(proof.to_json())
        assert read == proof == PlaceProof.from_dict(proof.to_dict())
        assert inspect(proof.to_json()).kind == "place proof"
        [located] = places(verified, registry.chain, [entry.krunica_hash])
        assert read.verify(verified) == located
    assert prove_leaf(size, size, nodes=nodes) is None
    with pytest.raises(MalformedError):
        PathFinder(size, size)


def place_proofs(
    registry: Registry, under: VerifiedCheckpoint, hashes: list[str], *, begin: Head | None = None
) -> list[PlaceProof]:
    reader = ChainReader(registry.domain, begin=begin, under=under)
    watched = reader.place_proofs(hashes)
    return reader.read([*registry.chain][begin.size if begin else 0 :])[watched]


@pytest.mark.parametrize("size", [1, 2, 3, 8, 9, 15, 33])
def test_one_pass_gives_the_proofs_of_many_places(size: int) -> None:
    registry = filled(size)
    checkpoint = registry.checkpoint()
    verified, entries = registry.verified(checkpoint), [*registry.chain]
    leaves = [log_leaf(entry) for entry in entries]
    registry.fill()
    expected = []
    for entry in entries:
        finder = PathFinder(size, entry.seq)
        for each in entries:
            finder.push(each)
        path = finder.finish()
        assert path == tree_path(leaves, entry.seq)
        expected.append(PlaceProof(checkpoint, entry, path))
    # Whatever the order in which they are asked for; the entry beyond the checkpoint has no proof.
    hashes = [entry.krunica_hash for entry in registry.chain]
    assert place_proofs(registry, verified, hashes[::-1]) == expected
    assert place_proofs(registry, verified, hashes[::2]) == expected[: size : 2]
    assert place_proofs(registry, verified, [hashes[size], "0" * 64]) == []
    assert place_proofs(registry, verified, [hashes[size - 1], "0" * 64]) == expected[-1:]
    # From a head that was stored nothing before it is found again.
    begin = head_at(entries[: size // 2])
    assert place_proofs(registry, verified, hashes, begin=begin) == expected[size // 2 :]
    # A ring entry is of the ring that the checkpoint states.
    of_ring = [proof for proof in expected if checkpoint.is_ring_of(registry.domain, proof.entry)]
    assert [proof.entry.seq for proof in of_ring] == ([3] if size > 3 else [])
    reader = ChainReader(registry.domain, under=verified)
    of_none, watched = reader.place_proofs([]), reader.ring_place()
    proofs = reader.read(registry.chain)
    assert (proofs[of_none], proofs[watched]) == ([], of_ring[0] if of_ring else None)


def test_the_entry_of_a_ring_is_the_one_that_the_checkpoint_states() -> None:
    registry = filled(5)
    registry.rotate("ana", key(2))
    stated = registry.checkpoint()
    named = [entry.seq for entry in registry.chain if stated.is_ring_of(registry.domain, entry)]
    assert named == [registry.last_ring_entry()] == [5]
    acme = Domain("ACME")
    assert not any(stated.is_ring_of(acme, entry) for entry in registry.chain)
    registry.set_state("ana", KeyState.SUSPENDED)
    assert not stated.is_ring_of(registry.domain, registry.chain[6])
    assert registry.checkpoint().is_ring_of(registry.domain, registry.chain[6])
    with pytest.raises(TypeError):
        stated.is_ring_of(registry.domain, registry.chain[5].to_dict())  # type: ignore[arg-type]


def test_a_stated_ring_is_found_without_the_ring_key() -> None:
    registry = filled(5)
    early = registry.verified()
    registry.rotate("ana", key(2))
    entries = [*registry.chain]

    def found(under: VerifiedCheckpoint) -> StatedRing:
        reader = ChainReader(registry.domain, under=under)
        watched = reader.stated_ring()
        return reader.read(entries)[watched]

    before, now = found(early), found(registry.verified())
    assert before.entry is not None
    assert now.entry is not None
    assert (before.entry.origin, before.entry.entry, now.entry.entry) == (ORIGIN, entries[3], entries[5])
    assert before.unverified == {"entries": [{"reason": "unverified", "seq": 5}], "more": 0}
    assert now.unverified == {"entries": [], "more": 0}
    assert repr(before) == "StatedRing(unverified=1)"
    with pytest.raises(MisuseError):
        ChainReader(registry.domain).stated_ring()


def test_checkpoints_are_held_against_the_changes_of_a_ring() -> None:
    registry = filled(5)
    authority = RingKey(registry.domain, bytes([9]) * 32)
    early = registry.verified()
    registry.rotate("ana", key(2))
    late = registry.verified()
    registry.fill()

    def changes(key: RingKey, entries: list[Entry], begin: Head | None = None) -> RingChanges:
        reader = ChainReader(registry.domain, begin=begin)
        watched = reader.ring_changes(key)
        return reader.read(entries)[watched]

    found = changes(authority, [*registry.chain])
    found.check(early)
    found.check(late)
    # The same heads, with each other's ring and with none.
    for checkpoint, other in ((early, late), (late, early), (early, None)):
        members = HighWaterMark.of(checkpoint).to_dict()
        members["ring"] = None if other is None else HighWaterMark.of(other).to_dict()["ring"]
        misstated = registry.verified(registry.checkpoint(HighWaterMark.from_dict(members)))
        with pytest.raises(RejectedError) as caught:
            found.check(misstated)
        assert caught.value.name == "ring-misstated"
    with pytest.raises(RejectedError) as caught:
        changes(authority, [*registry.chain][:5]).check(late)
    assert caught.value.name == "chain-truncated"
    with pytest.raises(MisuseError):
        changes(authority, [*registry.chain][5:], head_at([*registry.chain][:5])).check(early)
    # Another key's changes are none.
    with pytest.raises(RejectedError):
        changes(RingKey(registry.domain, bytes([8]) * 32), [*registry.chain]).check(early)
    with pytest.raises(TypeError, match="pickle"):
        copy.copy(found)


def test_places_are_proven_under_a_checkpoint_alone() -> None:
    registry = filled(6)
    verified, wanted = registry.verified(), registry.chain[4].krunica_hash
    for open_end in (ChainReader(registry.domain), ChainReader(registry.domain, up_to=registry.chain.head)):
        for ask in (lambda reader: reader.place_proofs([wanted]), ChainReader.ring_place):
            with pytest.raises(MisuseError) as misused:
                ask(open_end)
            assert misused.value.name == "no-end"
    reader = ChainReader(registry.domain, under=verified)
    reader.push(registry.chain[0])
    with pytest.raises(MisuseError) as late:
        reader.place_proofs([wanted])
    assert late.value.name == "late-start"
    with pytest.raises(MalformedError):
        ChainReader(registry.domain, under=verified).place_proofs(["0" * 63])
    cut = ChainReader(registry.domain, under=verified)
    cut.place_proofs([wanted])
    cut.ring_place()
    with pytest.raises(RejectedError):
        cut.read([*registry.chain][:5])


def test_a_proof_reads_a_few_nodes_alone() -> None:
    registry = filled(300)
    nodes = Nodes(registry.chain)
    path = prove_leaf(300, 7, nodes=nodes)
    assert path == tree_path(nodes.leaves, 7) and len(path) == 9
    assert len(nodes.asked) < 20
    asked: list[Tile] = []
    files = tiles_of(registry.chain)

    def tile(of: Tile) -> bytes:
        asked.append(of)
        return files[of.path]

    assert prove_leaf(300, 7, tiles=tile) == path
    assert sorted({of.path for of in asked}) == sorted(["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"][:2])
    assert len({*asked}) == len(asked)
    assert PathFinder(300, 7).finish() is None


def test_whatever_is_wrong_with_a_proof_has_its_name() -> None:
    registry = filled(13)
    checkpoint = registry.checkpoint()
    verified = registry.verified(checkpoint)
    good = PlaceProof.make(checkpoint, registry.chain[5], nodes=Nodes(registry.chain)).to_dict()
    path = good["path"]

    def refused(**changes: Any) -> RejectedError:
        with pytest.raises(RejectedError) as caught:
            PlaceProof.from_dict(good | changes).verify(verified)
        return caught.value

    for cut, found in ((path[1:], 3), ([*path, path[0]], 5), ([], 0)):
        error = refused(path=cut)
        assert (error.name, error.needed, error.found) == ("path-length", 4, found)
    error = refused(path=[path[1], path[0], *path[2:]])
    assert (type(error), error.name, error.index) == (EvidenceError, "path-elsewhere", 5)
    assert refused(checkpoint=good["checkpoint"] | {"origin": "example.org/other"}).name == "place-foreign"
    assert refused(checkpoint=good["checkpoint"] | {"size": 12}).name == "place-size"
    assert refused(entry=good["entry"] | {"seq": 13}).name == "place-beyond"
    # Another time, which the hash does not cover and the leaf does, and another message.
    assert refused(entry=good["entry"] | {"t": minute(200)}).name == "path-elsewhere"
    assert refused(entry=good["entry"] | {"poruka": "another"}).code in range(200, 204)
    with pytest.raises(EvidenceError):
        PlaceProof(checkpoint, registry.chain[5], path[1:])
    with pytest.raises(EvidenceError) as beyond:
        registry.fill()
        PlaceProof.make(checkpoint, registry.chain[13], nodes=Nodes(registry.chain))
    assert (beyond.value.name, beyond.value.index, beyond.value.needed) == ("place-beyond", 13, 13)


def test_what_a_store_raises_is_raised() -> None:
    class Lost(Exception):
        pass

    def lost(*_: object) -> str:
        raise Lost

    store: Any
    for store in ({"nodes": lost}, {"tiles": lost}):
        with pytest.raises(Lost):
            prove_leaf(5, 2, **store)
        with pytest.raises(Lost):
            prove_growth(2, 5, **store)
    with pytest.raises(KeyError):
        prove_leaf(5, 2, nodes={})
    for store in ({"nodes": lambda *_: 7}, {"tiles": lambda _: None}, {"nodes": 7}, {}, {"nodes": {}, "tiles": lost}):
        with pytest.raises(TypeError):
            prove_leaf(5, 2, **store)
    for store in ({"nodes": lambda *_: "00"}, {"nodes": lambda *_: bytes(31)}, {"tiles": lambda _: bytes(33)}):
        with pytest.raises(MalformedError):
            prove_leaf(5, 2, **store)
    with pytest.raises(MalformedError) as caught:
        TileGrowth.resume(lambda _: bytes(31), 5)
    assert (caught.value.field, caught.value.index) == ("tile", 0)


def test_tiles_go_on_from_what_was_written() -> None:
    registry = filled(260)
    files = tiles_of(registry.chain)
    growth = TileGrowth.resume(lambda tile: files[tile.path], 260)
    assert (growth.size, growth.root) == (260, registry.chain.head.root)
    registry.fill(3)
    for entry in list(registry.chain)[260:]:
        assert growth.push(bytes.fromhex(entry.leaf_hash)) == []
    assert growth.root == registry.chain.head.root
    assert [tile.path for tile, _ in growth.partial()] == ["tile/0/001.p/7", "tile/1/000.p/1"]
    assert Tile(0, 1_234_067, 7).path == "tile/0/x001/x234/067.p/7"
    assert (Tile(1, 2), hash(Tile(1, 2))) == (Tile(1, 2, 256), hash(Tile(1, 2, 256)))
    for width in (0, 257, -1):
        with pytest.raises(MalformedError):
            Tile(0, 0, width)


def test_growth_is_proven_without_the_entries() -> None:
    registry = filled(9)
    nodes = Nodes(registry.chain)
    heads = [head_at(list(registry.chain)[:size]) for size in range(10)]
    for before in range(10):
        for size in range(before, 10):
            mark = HighWaterMark.first(ORIGIN, heads[before], ring=None)
            path = prove_growth(before, size, nodes=nodes)
            assert path is not None
            growth = Growth.by_proof(mark, heads[size], path)
            assert mark.next(growth, ring=None) == HighWaterMark.first(ORIGIN, heads[size], ring=None)
            if 0 < before < size:
                with pytest.raises(RejectedError) as caught:
                    Growth.by_proof(mark, heads[size], [*path, path[0]])
                assert (caught.value.name, caught.value.needed) == ("not-grown", before)
    assert prove_growth(3, 2, nodes=nodes) is None
    # A follower takes the same proof.
    registry = Registry()
    registry.fill(3)
    follower = Follower(registry.verified())
    registry.fill(4)
    path = prove_growth(3, 7, nodes=Nodes(registry.chain))
    assert path is not None
    assert follower.follow(registry.verified(), path=path) == "grown"
    other = Registry()
    other.fill(3, "ivan")
    other.fill(7)
    with pytest.raises(RejectedError):
        follower.follow(other.verified(), path=prove_growth(7, 10, nodes=Nodes(other.chain)) or [])


@pytest.fixture
def contracts() -> Contracts:
    return Contracts()


def edited(ring: PublicRing, index: int, **members: object) -> PublicRing:
    json_ring = json.loads(ring.to_json())
    json_ring["keys"][index] |= members
    return PublicRing.from_json(json.dumps(json_ring))


def test_laz_edited_to_istina_in_an_exported_ring_is_a_mismatch(contracts: Contracts) -> None:
    registry = contracts.registry
    registry.set_state("ana", KeyState.REVOKED)
    verified = registry.verified()
    ring = registry.ring.public()
    index = next(i for i, k in enumerate(json.loads(ring.to_json())["keys"]) if k["bela_stanje"] == "laz")
    history = json.loads(ring.to_json())["keys"][index]["povijest"]
    lie = edited(ring, index, bela_stanje="istina", opozvan_od=None, povijest=history[:1])
    [place] = places(verified, registry.chain, [contracts.record.krunica_hash])

    def kind(ring: KeyRing) -> VerdictKind:
        verifier = Verifier(registry.domain, ring)
        return verifier.verify(record=contracts.record, signer=contracts.ana, content=DOCUMENT, place=place).kind

    assert kind(lie) is VerdictKind.VALID, "an unattested ring is anybody's word"
    with pytest.raises(EvidenceError) as caught:
        AttestedRing(lie, verified)
    assert (caught.value.name, caught.value.needed, caught.value.found) == ("ring-mismatch", 3, 3)
    attested = AttestedRing(ring, verified)
    assert kind(attested) is VerdictKind.REVOKED
    assert (attested.known_to, ring.known_to) == (5, None)
    assert attested.public.to_json() == ring.to_json()
    assert (attested.origin, attested.revision) == (ORIGIN, 3)


def test_older_newer_and_foreign_rings_are_told_apart(contracts: Contracts) -> None:
    registry = contracts.registry
    old, then = registry.ring.public(), registry.verified()
    registry.set_state("ivan", KeyState.SUSPENDED)
    new, now = registry.ring.public(), registry.verified()
    AttestedRing(old, then)
    AttestedRing(new, now)
    foreign = PublicRing.from_json(json.dumps(json.loads(new.to_json()) | {"origin": "example.org/other"}))
    for ring, checkpoint, name, family in (
        (old, now, "ring-rollback", RejectedError),
        (new, then, "ring-mismatch", EvidenceError),
        (foreign, now, "ring-foreign", EvidenceError),
        (edited(new, 0, salt="00" * 32), now, "ring-mismatch", EvidenceError),
    ):
        with pytest.raises(RejectedError) as caught:
            AttestedRing(ring, checkpoint)
        assert (type(caught.value), caught.value.name) == (family, name)
    checked: Any = registry.ring
    with pytest.raises(TypeError):
        AttestedRing(checked, now)
    unverified: Any = now.checkpoint
    with pytest.raises(TypeError):
        AttestedRing(new, unverified)


def test_every_key_of_a_ring_has_a_proof(contracts: Contracts) -> None:
    registry = contracts.registry
    registry.rotate("ana", key(3))
    verified, ring = registry.verified(), registry.ring.public()
    for number, name in ((1, "ana"), (2, "ivan"), (3, "ana")):
        public_key = key(number).public_key
        proof = ring.prove(public_key.hash)
        assert proof is not None
        assert proof.to_dict() == key_proof(registry.ring, public_key.hash)
        assert (proof.identity_id, proof.key_hash) == (registry.identity(name), public_key.hash)
        assert (proof.state, inspect(proof.to_json()).kind) == (KeyState.VALID, "key proof")
        assert KeyProof.from_json(proof.to_json()) == KeyProof.from_dict(proof.to_dict()) == proof
        held = AttestedKey(proof, public_key, verified)
        assert (held.identities(), held.known_to, held.origin) == ([proof.identity_id], 5, ORIGIN)
        with pytest.raises(EvidenceError) as caught:
            AttestedKey(proof, key(9).public_key, verified)
        assert caught.value.name == "key-other"
        bent: list[dict[str, Any]] = [{"size": 4}, {"seq": 7}, {"path": []}]
        for changes in bent:
            with pytest.raises(EvidenceError) as path:
                AttestedKey(KeyProof.from_dict(proof.to_dict() | changes), public_key, verified)
            assert path.value.name == "key-path"
    assert ring.prove(key(9).public_key.hash) is None
    # Of one key alone everything else is unknown.
    proof = ring.prove(key(2).public_key.hash)
    assert proof is not None
    only = Verifier(registry.domain, AttestedKey(proof, key(2).public_key, verified))
    assert only.verify(record=contracts.record, signer=contracts.ana, content=DOCUMENT).kind is VerdictKind.INVALID
    changed: Any = AttestedRing(ring, verified)
    with pytest.raises(AttributeError):
        changed.set_state(registry.identity("ana"), KeyState.VALID, head=Head.EMPTY, time=minute(1))


def test_an_entry_says_what_stands_in_the_tree(contracts: Contracts) -> None:
    entry: Entry = contracts.registry.chain[2]
    assert json.loads(entry.leaf) == {"h": entry.hash, "seq": 2, "t": entry.time}
    finder = PathFinder(1, 0)
    assert repr(finder) == "PathFinder(open=True)"
    finder.push(contracts.registry.chain[0])
    assert (finder.finish(), repr(finder)) == ([], "PathFinder(open=False)")
    with pytest.raises(MisuseError):
        finder.finish()
