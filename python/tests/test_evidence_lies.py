"""Ten ways to lie with a file of evidence, and some more, each with the name under which it is refused."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from dualseal import (
    Checkpoint,
    CheckpointSigner,
    Entry,
    EvidenceError,
    EvidenceFile,
    EvidenceReport,
    HighWaterMark,
    KeyState,
    Krunica,
    MalformedError,
    OpenEvidence,
    RejectedError,
    SigningKey,
    VerdictKind,
)

from bundle import (
    DOCUMENT,
    Contracts,
    Registry,
    cosignature,
    key,
    key_proof,
    minute,
    note_text,
    witness,
    witness_name,
    witnesses,
)
from bundle import raw as public_half
from conftest import ORIGIN, followed

Bundle = dict[str, Any]


@pytest.fixture
def contracts() -> Contracts:
    return Contracts()


@pytest.fixture
def good(contracts: Contracts) -> Bundle:
    return contracts.bundle()


LOG = Registry().fingerprint


def opened(bundle: Bundle, **asked: Any) -> OpenEvidence:
    policy: dict[str, Any] = {"log": LOG} | asked
    if "signer" not in asked and "key" not in asked:
        policy["any_signer"] = True
    return EvidenceFile.from_dict(bundle).open(**policy)


def verify(bundle: Bundle, document: bytes = DOCUMENT, **asked: Any) -> EvidenceReport:
    return opened(bundle, **asked).verify(document)


def refused(bundle: Bundle, document: bytes = DOCUMENT, **asked: Any) -> RejectedError:
    with pytest.raises(RejectedError) as caught:
        verify(bundle, document, **asked)
    assert isinstance(caught.value, EvidenceError) is (caught.value.code > 270)
    return caught.value


def altered(bundle: Bundle, pointer: str, value: object) -> Bundle:
    other = copy.deepcopy(bundle)
    *parents, last = pointer.split("/")
    inner: Any = other
    for name in parents:
        inner = inner[int(name) if isinstance(inner, list) else name]
    inner[int(last) if isinstance(inner, list) else last] = value
    return other


def test_another_document(good: Bundle) -> None:
    verify(good)
    error = refused(good, b"another")
    assert (error.name, error.code, error.reason) == ("evidence-record", 288, "content")
    assert "content" in str(error)


def test_another_log(contracts: Contracts, good: Bundle) -> None:
    assert refused(good, log="07" * 32).name == "evidence-log"
    # The same log under another name, signer, key or domain is another one.
    for pointer, value in (
        ("checkpoint/origin", "example.org/log2"),
        ("checkpoint/identity_id", contracts.ivan),
        ("checkpoint/javni_kljuc", key(9).public_key.hex),
        ("domena", "ACME"),
    ):
        assert refused(altered(good, pointer, value)).name == "evidence-log", pointer
    # And what the log's signer did not sign.
    for pointer, value in (
        ("checkpoint/root", "00" * 32),
        ("checkpoint/top", "00" * 64),
        ("checkpoint/ring/root", "00" * 32),
        ("checkpoint/nota", public_half(witness(1)).hex()),
        ("checkpoint/time", minute(180)),
    ):
        assert refused(altered(good, pointer, value)).name == "evidence-checkpoint", pointer
    assert refused(altered(good, "checkpoint/size", 5)).name == "evidence-checkpoint"


def test_a_cut_path(good: Bundle) -> None:
    path = good["path"]
    error = refused(altered(good, "path", path[:1]))
    assert (error.name, error.needed, error.found) == ("path-length", 2, 1)
    error = refused(altered(good, "path", path[::-1]))
    assert (error.name, error.index) == ("path-elsewhere", 2)
    assert refused(altered(good, "ring/path", good["ring"]["path"][:1])).name == "evidence-ring-place"


def test_an_old_checkpoint(good: Bundle) -> None:
    error = refused(good, least_size=5)
    assert (error.name, error.needed, error.found) == ("evidence-old", 5, 4)
    verify(good, least_size=4, witnesses=witnesses(2), witnessed_after=minute(140))
    assert refused(good, witnesses=witnesses(2), witnessed_after=minute(141)).name == "not-witnessed-after"
    # No witness, no time.
    assert refused(good, witnessed_after=minute(1)).name == "not-witnessed-after"


def test_a_checkpoint_from_after_the_logs_key_was_retired(contracts: Contracts) -> None:
    """Whoever has the key since can sign any checkpoint of more entries."""
    registry = contracts.registry
    registry.enter(registry.log, registry.log_key.public_key)
    before = contracts.bundle()
    registry.fill(2, "ivan")
    followed(registry.ring, registry.chain)
    _, head = registry.ring.rotate(
        registry.log, key(77).public_key, head=registry.chain.head, time=registry.time
    )
    until = registry.ring.counts_until(registry.log, registry.log_key.public_key.hash)
    assert (until, head.size) == (7, 8)
    for size in (5, 7):
        verify(before, log_until=size)
    error = refused(before, log_until=4)
    assert (error.name, error.code, error.needed, error.found) == ("evidence-late", 291, 4, 5)
    for wrong in (-1, 1 << 64):
        with pytest.raises(MalformedError) as caught:
            opened(before, log_until=wrong)
        assert caught.value.field == "log_until"


def test_an_edited_ring_leaf(contracts: Contracts, good: Bundle) -> None:
    contracts.registry.set_state("ana", KeyState.REVOKED, compromised_from=0)
    edited = contracts.bundle()
    leaf = edited["key"]["leaf"]
    assert leaf["bela_stanje"] == "laz"
    leaf["bela_stanje"], leaf["opozvan_od"], leaf["povijest"] = "istina", None, leaf["povijest"][:1]
    assert refused(edited).name == "key-path"
    # The leaf of the ring before the revocation.
    assert refused(contracts.bundle() | {"key": good["key"]}).name == "key-path"
    # Another key in the place of the record's own, or of the leaf's.
    assert refused(altered(good, "record/javni_kljuc", key(2).public_key.hex)).name == "key-other"
    ivans = key_proof(Contracts().registry.ring, key(2).public_key.hash)
    assert refused(good | {"key": ivans}).name == "key-other"


def test_a_foreign_witness(contracts: Contracts, good: Bundle) -> None:
    # Nobody whom the verifier knows, and twice the same witness, who is one.
    for cosigned in ([(1, 130), (4, 131), (5, 131)], [(1, 130), (1, 131)]):
        error = refused(contracts.bundle(cosigned=cosigned), witnesses=witnesses(2))
        assert (error.name, error.needed, error.found) == ("too-few-witnesses", 2, 1)
    # A key under two names is one witness.
    assert refused(good, witnesses=witnesses(3, [1, 2, 4])).name == "too-few-witnesses"
    # A cosignature of another note under the name of a witness.
    checkpoint = Checkpoint.from_dict(good["checkpoint"])
    body = note_text(checkpoint).split("\n\n")[0] + "\n"
    replayed = cosignature(body.replace(ORIGIN, "example.org/other"), 1, 130)
    error = refused(good | {"note": note_text(checkpoint, [(2, 130), (3, 131)]) + replayed}, witnesses=witnesses(2))
    assert error.name == "witness-signature"
    assert witness_name(1) in str(error)
    # A time of zero is none.
    never = cosignature(body, 1, -1795251600 // 60)
    assert refused(good | {"note": note_text(checkpoint) + never}, witnesses=witnesses(1)).name == "witness-signature"
    # A note of another size, and one that the log's key did not sign.
    later = note_text(checkpoint).replace("\n4\n", "\n5\n")
    assert refused(good | {"note": later}).name == "evidence-note"
    unsigned = note_text(checkpoint).replace("\N{EM DASH} example.org/log ", "\N{EM DASH} example.org/xyz ")
    assert refused(good | {"note": unsigned}).name == "note-unsigned"


def test_revoked_since_before() -> None:
    """The key was revoked before the record was made, and is valid again."""
    contracts = Contracts()
    registry = contracts.registry
    registry.set_state("ana", KeyState.REVOKED)
    contracts.record = registry.sign("ana", key(1))
    as_of = verify(contracts.bundle(5)).as_of
    assert (as_of.verdict.kind, as_of.revoked_then, as_of.claimed) == (VerdictKind.REVOKED, 4, True)
    registry.set_state("ana", KeyState.VALID)
    as_of = verify(contracts.bundle(5)).as_of
    assert (as_of.verdict.kind, as_of.revoked_then, as_of.claimed) == (VerdictKind.VALID, 4, True)


def test_another_date_of_the_compromise(contracts: Contracts) -> None:
    """Edited by the maker of the file; or told anew by the log's signer, whom an earlier file convicts."""
    contracts.registry.set_state("ana", KeyState.REVOKED, compromised_from=1)
    early = contracts.bundle()
    assert refused(altered(early, "key/leaf/opozvan_od", 3)).name == "key-path"
    earlier, first = opened(early), verify(early)
    # A log whose signer says something else of the same key, at a later size: under the same revision, which convicts
    # him by itself, and under a later one.
    for others_changed in (False, True):
        retold = Contracts()
        assert retold.record == contracts.record
        retold.registry.set_state("ana", KeyState.REVOKED, compromised_from=3)
        if others_changed:
            retold.registry.set_state("ivan", KeyState.SUSPENDED)
        else:
            retold.registry.fill()
        late = retold.bundle()
        revisions = [bundle["checkpoint"]["ring"]["revision"] for bundle in (early, late)]
        assert revisions == [3, 4 if others_changed else 3]
        later, second = opened(late), verify(late)
        assert (first.as_of.claimed, second.as_of.claimed) == (True, False)
        # Also for whoever has not the document.
        compared: list[Callable[[], None]] = [
            lambda: first.compare(second),
            lambda: second.compare(first),
            lambda: earlier.compare(later),
            lambda: later.compare(earlier),
        ]
        for compare in compared:
            with pytest.raises(EvidenceError) as caught:
                compare()
            assert (caught.value.name, caught.value.code) == ("evidence-retold", 290)
    # What only grew, and was lowered, is no contradiction.
    contracts.registry.set_state("ana", KeyState.VALID)
    contracts.registry.set_state("ana", KeyState.REVOKED, compromised_from=0)
    lowered = verify(contracts.bundle())
    assert lowered.as_of.compromised_from == 0
    lowered.compare(first)
    first.compare(lowered)
    opened(contracts.bundle()).compare(earlier)


def test_a_change_dated_back_behind_an_earlier_file(contracts: Contracts) -> None:
    contracts.registry.fill(2)
    early = verify(contracts.bundle())

    def revoked(registry: Registry) -> None:
        registry.set_state("ana", KeyState.REVOKED)

    def retired(registry: Registry) -> None:
        registry.rotate("ana", key(77))

    changes: list[Callable[[Registry], None]] = [revoked, retired]
    for change in changes:
        for fillers, honest_first in ((4, False), (1, False), (1, True)):
            retold = Contracts()
            retold.registry.fill(2 if honest_first else 0)
            change(retold.registry)
            retold.registry.fill(fillers)
            late = verify(retold.bundle())
            for one, other in ((late, early), (early, late)):
                if honest_first:
                    one.compare(other)
                    continue
                with pytest.raises(EvidenceError) as caught:
                    one.compare(other)
                assert caught.value.name == "evidence-retold"


def test_reports_of_other_keys_and_logs_are_not_compared(contracts: Contracts, good: Bundle) -> None:
    report = verify(good)
    registry = contracts.registry
    record = registry.sign("ivan", key(2))
    ivans = verify(registry.bundle(record.to_dict(), 4, key_hash=key(2).public_key.hash))
    elsewhere = Contracts(Registry(log_key=SigningKey.from_seed(bytes([6]) * 32)))
    there = verify(elsewhere.bundle(), log=elsewhere.registry.fingerprint)
    for other, name in ((ivans, "key-other"), (there, "evidence-log")):
        with pytest.raises(EvidenceError) as caught:
            report.compare(other)
        assert caught.value.name == name


def test_the_place_of_another_record(contracts: Contracts, good: Bundle) -> None:
    error = refused(contracts.bundle(3))
    assert (error.name, error.reason) == ("evidence-record", "located")
    # The good file with another record of the same key in it.
    swapped = good | {"record": contracts.other.to_dict()}
    assert refused(swapped).reason == "content"
    assert refused(swapped, b"another").reason == "located"
    # A revoked key hides nothing of it.
    contracts.registry.set_state("ana", KeyState.REVOKED)
    assert refused(contracts.bundle(3)).reason == "located"


def test_a_key_path_of_another_size(good: Bundle) -> None:
    for pointer, value in (("size", 3), ("size", 1), ("seq", 1), ("path", [])):
        assert refused(altered(good, f"key/{pointer}", value)).name == "key-path", (pointer, value)


def test_another_ring_under_a_witnessed_root(contracts: Contracts, good: Bundle) -> None:
    """The log's key states another ring under an old root that witnesses saw: its entry is not in the tree."""
    registry = contracts.registry
    old = HighWaterMark.first(ORIGIN, registry.chain.head, ring=None)
    registry.set_state("ana", KeyState.REVOKED)
    now = contracts.bundle()
    members = old.to_dict() | {"ring": now["checkpoint"]["ring"]}
    forged = registry.checkpoint(HighWaterMark.from_dict(members)).to_dict()
    file = good | {"checkpoint": forged, "key": now["key"]}
    assert refused(file).name == "evidence-ring"
    # Or the new one's entry, which the old tree has not.
    beyond = file | {"ring": now["ring"]}
    assert refused(beyond).name == "evidence-ring-place"
    misplaced = altered(file, "ring/entry", now["ring"]["entry"])
    assert refused(misplaced).name == "evidence-ring-place"


def test_a_ring_entry_from_before_the_change_that_it_states() -> None:
    """Whoever holds the log's keys sets a key's last change behind the ring entry that is to state it."""
    contracts = Contracts()
    registry = contracts.registry
    elsewhere = Krunica.from_json(registry.chain.to_json())
    for _ in range(3):
        elsewhere.append(registry.domain, contracts.ivan, "plain", minute(9))
    ring = followed(registry.ring, elsewhere)
    change, _ = ring.set_state(contracts.ana, KeyState.SUSPENDED, head=elsewhere.head, time=minute(9))
    assert change.seq == 7
    # The same message at 4, with a hash of its own that holds.
    head = registry.chain.head
    h = hashlib.sha3_512(f"{contracts.ana}|{change.message}|{head.top}|{head.size}".encode()).hexdigest()
    early = change.to_dict() | {"h": h, "prev": head.top, "seq": head.size}
    registry.chain.push(Entry.from_dict(early))
    registry.fill(5)
    members = HighWaterMark.first(ORIGIN, registry.chain.head, ring=None).to_dict()
    members["ring"] = {"revision": 3, "root": change.message.split("::")[4]}
    checkpoint = registry.checkpoint(HighWaterMark.from_dict(members))
    key_hash = key(1).public_key.hash
    file = registry.bundle(contracts.record.to_dict(), 2, key_hash=key_hash, checkpoint=checkpoint)
    assert (file["ring"]["entry"]["seq"], file["key"]["leaf"]["povijest"]) == (4, [[0, "istina"], [7, "nijedno"]])
    assert refused(file).name == "evidence-ring"


def test_another_signer(contracts: Contracts, good: Bundle) -> None:
    """Every identity of a ring can sign any document."""
    verify(good, signer=contracts.ana)
    verify(good, key=key(1).public_key.hash)
    assert refused(good, signer=contracts.ivan).name == "evidence-signer"
    assert refused(good, key=key(2).public_key.hash).name == "evidence-signer"


def test_a_checkpoint_that_states_no_ring(contracts: Contracts, good: Bundle) -> None:
    signer = CheckpointSigner(
        contracts.registry.domain, ORIGIN, contracts.registry.log, contracts.registry.log_key
    )
    mark = HighWaterMark.first(ORIGIN, contracts.registry.chain.head, ring=None)
    bare = signer.sign(mark, time=minute(120))
    file = good | {"checkpoint": bare.to_dict(), "ring": None, "note": None}
    assert refused(file).name == "evidence-ring"
