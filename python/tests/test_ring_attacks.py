"""What somebody does to a ring file or writes into its log: edits and old files are refused, junk stops nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    CheckedRing,
    Domain,
    KeyState,
    MisuseError,
    RejectedError,
    SigningKey,
    VaultMaster,
)

from archive import Archive, minute
from conftest import followed


def file_of(archive: Archive) -> str:
    return followed(archive.ring, archive.chain).to_stored_json(archive.chain.head)


def checked(archive: Archive, file: str, masters: Sequence[VaultMaster]) -> CheckedRing:
    """Against the chain from the first entry on."""
    reader = ChainReader(Domain(), under=archive.checkpoint())
    watched = reader.ring(archive.authority, file, masters=masters)
    return reader.read(archive.chain)[watched].ring


def resumed(archive: Archive, file: str, masters: Sequence[VaultMaster]) -> CheckedRing:
    """From where the file was written on: what the next change begins with."""
    reader = ChainReader.from_ring_file(Domain(), file, up_to=archive.chain.head)
    watched, later = reader.ring(archive.authority, file, masters=masters), reader.size
    return reader.read(entry for entry in archive.chain if entry.seq >= later)[watched].ring


WAYS: list[Callable[[Archive, str, Sequence[VaultMaster]], CheckedRing]] = [checked, resumed]


def refused(archive: Archive, file: str, code: int) -> None:
    for way in WAYS:
        with pytest.raises(RejectedError) as caught:
            way(archive, file, [archive.master])
        assert caught.value.code == code


@pytest.fixture
def archive() -> Archive:
    archive = Archive()
    archive.seal()
    archive.seal()
    return archive


def test_an_old_file_with_its_old_mac_is_refused(archive: Archive) -> None:
    """From before a document was sealed: its decoy is not in the file."""
    old = file_of(archive)
    archive.seal()
    refused(archive, old, 207)
    other = VaultMaster(archive.domain, bytes([4]) * 32)
    for way in WAYS:
        assert way(archive, file_of(archive), [other, archive.master]).decoy_count == 3
        # A master of another log's vault tells nothing, and neither does none.
        for masters in ([], [other]):
            assert way(archive, old, masters).decoy_count == 2
    with pytest.raises(TypeError, match="masters"):
        ChainReader(Domain(), under=archive.checkpoint()).ring(archive.authority, old)  # type: ignore[call-arg]


def test_a_ring_file_restored_with_its_mac_is_a_rollback(archive: Archive) -> None:
    old = file_of(archive)
    archive.set_state(KeyState.REVOKED)
    refused(archive, old, 207)
    for way in WAYS:
        way(archive, file_of(archive), [archive.master])


def test_a_decoy_row_put_into_the_ring_is_forged(archive: Archive) -> None:
    """A stranger's key as a decoy of hers would make what he signs a public pass."""
    archive.chain.append(archive.domain, archive.identity, "a message", minute(2))
    members: dict[str, Any] = json.loads(file_of(archive))
    place = next(at for at, key in enumerate(members["keys"]) if key["role"] == "decoy")
    row = members["keys"][place] | {"javni_kljuc": "0" * 64, "povijest": [[3, "oboje"]]}
    members["keys"].insert(place, row)
    refused(archive, json.dumps(members), 208)


def test_laz_edited_to_istina_is_not_blessed_by_the_next_change(archive: Archive) -> None:
    """Nobody gets a ring to change out of an edited file."""
    archive.set_state(KeyState.REVOKED)
    text = file_of(archive)
    members = json.loads(text)
    held = next(key for key in members["keys"] if key["role"] == "current")
    held |= {"bela_stanje": "istina", "opozvan_od": None, "povijest": [[0, "istina"], [3, "istina"]]}
    refused(archive, json.dumps(members), 208)
    ring = resumed(archive, text, [archive.master])
    entry, head = ring.add("0" * 64, SigningKey.generate().public_key, head=archive.chain.head, time=minute(6))
    archive.chain.push(entry)
    assert ring.to_stored_json(head) == resumed(archive, ring.to_stored_json(head), []).to_stored_json(head)
    info = ring.info(archive.identity)
    assert info is not None
    assert info["bela_stanje"] == "laz"


def test_junk_ring_messages_by_anybody_stop_nothing(archive: Archive) -> None:
    file, good = file_of(archive), archive.chain[0].message
    zeros = "::".join(["DUALSEAL-SIGN::RING::2", *["0" * 64] * 3, "DUALSEAL"])
    for message in (good, zeros, "DUALSEAL-SIGN::RING::"):
        with pytest.raises(MisuseError):
            archive.chain.append(archive.domain, archive.log, message, minute(7))
        # Another program's append refuses no form.
        archive.chain.append(Domain("ELSEWHERE"), archive.log, message, minute(7))
    reader = ChainReader(Domain(), under=archive.checkpoint())
    watched = reader.ring(archive.authority, file, masters=[archive.master])
    found = reader.read(archive.chain)[watched]
    listed = [{"reason": reason, "seq": seq} for seq, reason in ((3, "tag"), (4, "tag"), (5, "form"))]
    assert found.ignored == {"entries": listed, "more": 0}
    assert found.ring.revision == 1
    assert resumed(archive, file, [archive.master]).revision == 1
