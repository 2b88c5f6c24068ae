"""A Python program as a log's witness: it follows, compares every tile, cosigns what only grew, and nothing else."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field
from typing import Any

import pytest
from dualseal import (
    Ed25519SigningKey,
    EntryBundle,
    FollowedLog,
    Following,
    Head,
    MisuseError,
    Note,
    RejectedError,
    Tile,
    TileGrowth,
)

from bundle import Registry, ed25519, minute, note_key_text, note_text, raw, witness, witness_name, witnesses
from conftest import ORIGIN

LOG_KEY = note_key_text(ORIGIN, 1, ed25519(90))


@dataclass
class Served:
    """A folder of tiles, bundles and the log's note, as a web server has it."""

    registry: Registry
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def publish(self) -> Note:
        growth, chain = TileGrowth(), list(self.registry.chain)
        tiles = [written for entry in chain for written in growth.push(entry.leaf_hash)] + growth.partial()
        for tile, data in tiles:
            self.files[tile.path] = data
            if tile.level == 0:
                bundle = EntryBundle(tile.index, tile.width)
                leaves = [entry.leaf.encode() for entry in chain[tile.index * 256 :][: tile.width]]
                self.files[bundle.path] = EntryBundle.encode(leaves)
                assert bundle.decode(self.files[bundle.path]) == leaves
        return Note.parse(note_text(self.registry.checkpoint()))

    def read(self, place: Tile | EntryBundle) -> bytes:
        self.asked.append(place.path)
        return self.files[place.path]

    def begin(self, note: Note, head: Head) -> Following:
        return Following(note, LOG_KEY, head=head, tiles=self.read, entries=self.read)

    def follow(self, note: Note, head: Head) -> FollowedLog:
        following = self.begin(note, head)
        for entry in list(self.registry.chain)[head.size :]:
            assert following.push_json(entry.to_json_line().rstrip("\n")) is True
        return following.finish()


@pytest.fixture
def served() -> Served:
    registry = Registry()
    registry.fill(300)
    return Served(registry)


def test_a_witness_follows_and_cosigns(served: Served) -> None:
    note = served.publish()
    followed = served.follow(note, Head.EMPTY)
    assert (followed.head, followed.note) == (served.registry.chain.head, note)
    kept = Head.from_json(followed.head.to_json())
    key = Ed25519SigningKey.from_seed(bytes([91]) * 32)
    cosigned = note.with_signature(followed.cosign(witness_name(1), key, minute(7)))
    assert str(cosigned) == note_text(served.registry.checkpoint(), [(1, 7)])
    assert witnesses(1).judge(cosigned).seen == {raw(witness(1)).hex(): minute(7)}
    # The next time he reads what is new, and the right edge.
    served.registry.fill(5)
    note = served.publish()
    served.asked.clear()
    assert served.follow(note, kept).head.size == 305
    assert "tile/0/000" not in served.asked and "tile/entries/000" not in served.asked
    # What is beyond the note is not looked at.
    following = served.begin(note, served.registry.chain.head)
    assert following.push_json(b"anything") is False
    assert following.finish().head == served.registry.chain.head


def refused(act: Any, name: str) -> RejectedError:
    with pytest.raises(RejectedError) as caught:
        act()
    assert caught.value.name == name
    return caught.value


def test_a_fork_is_not_cosigned(served: Served) -> None:
    note = served.publish()
    kept = served.follow(note, Head.EMPTY).head
    forked = Served(Registry())
    forked.registry.fill(299)
    forked.registry.fill(1, "ivan")
    other = forked.publish()
    refused(lambda: forked.follow(other, kept), "note-fork")
    forked.registry.fill(9)
    other = forked.publish()
    refused(lambda: forked.follow(other, kept), "note-fork")
    # The log's old tiles, and entries that go on from another one.
    later = {path: forked.files[path] for path in forked.files if "/001" in path}
    mixed = Served(forked.registry, served.files | later)
    refused(lambda: mixed.follow(other, kept), "note-fork")
    shorter = Served(Registry())
    shorter.registry.fill(299)
    assert refused(lambda: shorter.follow(shorter.publish(), kept), "note-shrunk").needed == 300


def test_what_the_log_serves_beside_its_note_is_compared(served: Served) -> None:
    note = served.publish()
    for path in list(served.files):
        good = served.files[path]
        served.files[path] = good[:-1] + bytes([good[-1] ^ 1])
        error = refused(lambda: served.follow(note, Head.EMPTY), "note-tile")
        assert path in str(error)
        served.files[path] = good
    # A root that is not that of the entries.
    lied = Note.parse(note_text(served.registry.checkpoint()))
    served.registry.fill()
    longer = Note.parse(note_text(served.registry.checkpoint()))
    following = served.begin(longer, Head.EMPTY)
    for entry in list(served.registry.chain)[:299]:
        following.push_json(entry.to_json_line().rstrip("\n"))
    error = refused(following.finish, "note-incomplete")
    assert (error.needed, error.found) == (301, 299)
    with pytest.raises(MisuseError):
        following.finish()
    with pytest.raises(RejectedError) as unsigned:
        Following(lied, note_key_text(ORIGIN, 1, ed25519(1)), head=Head.EMPTY, tiles=served.read, entries=served.read)
    assert unsigned.value.name == "note-unsigned"


def test_a_broken_chain_ends_the_reading(served: Served) -> None:
    note = served.publish()
    following = served.begin(note, Head.EMPTY)
    lines = [entry.to_json_line().rstrip("\n") for entry in served.registry.chain]
    assert following.push_json(lines[0].encode())
    with pytest.raises(RejectedError):
        following.push_json(lines[2])
    # The right one after it does not mend it.
    refused(lambda: following.push_json(lines[1]), "note-incomplete")
    for broken in ("{}", "", b"\xff"):
        with pytest.raises(RejectedError):
            served.begin(note, Head.EMPTY).push_json(broken)


def giving(answer: Any) -> Any:
    return lambda _: answer


def test_what_a_reader_raises_is_raised(served: Served) -> None:
    note = served.publish()

    class Gone(Exception):
        pass

    def gone(_: object) -> bytes:
        raise Gone

    lines = [entry.to_json_line().rstrip("\n") for entry in served.registry.chain]
    for tiles, entries in ((gone, served.read), (served.read, gone)):
        following = Following(note, LOG_KEY, head=Head.EMPTY, tiles=tiles, entries=entries)
        with pytest.raises(Gone):
            for line in lines:
                following.push_json(line)
        refused(following.finish, "note-incomplete")
    with pytest.raises(Gone):
        Following(note, LOG_KEY, head=served.registry.chain.head, tiles=gone, entries=gone)
    wrong: Any
    for wrong in (7, None):
        with pytest.raises(TypeError):
            Following(note, LOG_KEY, head=served.registry.chain.head, tiles=giving(wrong), entries=gone)
        with pytest.raises(TypeError):
            Following(note, wrong, head=Head.EMPTY, tiles=gone, entries=gone)
    with pytest.raises(TypeError):
        Following(str(note), LOG_KEY, head=Head.EMPTY, tiles=gone, entries=gone)  # type: ignore[arg-type]


def test_a_reader_cannot_use_what_is_reading(served: Served) -> None:
    note = served.publish()
    used: list[Following] = []

    def tiles(tile: Tile) -> bytes:
        if used:
            used[0].push_json("{}")
        return served.read(tile)

    following = Following(note, LOG_KEY, head=Head.EMPTY, tiles=tiles, entries=served.read)
    used.append(following)
    assert repr(following) == "Following(open=True)"
    with pytest.raises(MisuseError):
        for entry in served.registry.chain:
            following.push_json(entry.to_json_line().rstrip("\n"))


def test_what_was_followed_is_not_copied(served: Served) -> None:
    note = served.publish()
    following = served.begin(note, Head.EMPTY)
    followed = served.follow(note, Head.EMPTY)
    value: Any
    for value in (following, followed):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(value)
        with pytest.raises(TypeError, match="pickle"):
            copy.copy(value)
    made: Any = FollowedLog
    with pytest.raises(TypeError):
        made()
