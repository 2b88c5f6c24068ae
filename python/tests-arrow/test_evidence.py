"""Columns of evidence, and of records by keys in every state."""

from __future__ import annotations

from typing import Any

import dualseal
import pyarrow as pa
import pytest
from conftest import told
from dualseal import Domain, Ed25519SigningKey, KeyState, NoteKey, SealKey, Sealer, SealVerifier, SigningKey, Verifier
from dualseal import Witnesses
from dualseal.arrow import verify_evidence, verify_records, verify_seals
from operated import Operated


def test_evidence_is_told_as_of_a_size() -> None:
    log, ana, bob = Operated(), SigningKey.generate(), SigningKey.generate()
    ids = [log.domain.identity_id(b"", name, "") for name in ("ana", "bob")]
    log.add(ids[0], ana)
    log.add(ids[1], bob)
    records = [log.sign(ids[0], ana, b"deed 1"), log.sign(ids[1], bob, b"deed 2")]
    early = log.checkpoint()
    old = log.evidence(early, records[1])
    log.set_state(ids[1], KeyState.REVOKED)
    log.set_state(ids[0], KeyState.SUSPENDED)
    late = log.checkpoint()
    files = [old, *(log.evidence(late, record) for record in records), old]
    columns: dict[str, list[Any]] = {
        "identity_id": [ids[1], ids[0], ids[1], ids[0]],
        "document": [b"deed 2", b"deed 1", b"deed 2", b"deed 2"],
        "evidence": [file.to_json() for file in files],
    }
    data = pa.table(columns)
    stream = verify_evidence(data, log=log.fingerprint, threads=2)
    assert pa.schema(stream).field("as_of").type == pa.uint64()
    found = told(stream)
    assert found[:3] == [
        ("valid", None, None, 4),
        ("suspended", None, None, 6),
        ("revoked", None, None, 6),
    ]
    assert found[3][:2] == ("invalid", "evidence-signer") and found[3][2].startswith("the evidence")
    # An old checkpoint hides the revocation, from whoever does not know better.
    newer = told(verify_evidence(data, log=log.fingerprint, least_size=6))
    assert newer[0][0] == "invalid" and newer[0][3] is None and newer[1:3] == found[1:3]
    changed = pa.table(columns | {"document": [b"deed 3"] * 4})
    refused = told(verify_evidence(changed, log=log.fingerprint))
    assert [row[0] for row in refused] == ["invalid"] * 4 and [row[3] for row in refused[:3]] == [4, 6, 6]
    other = told(verify_evidence(data, log="ab" * 32))
    assert [row[0] for row in other] == ["invalid"] * 4
    foreign = told(verify_evidence(data, log=log.fingerprint, domain=Domain("OTHER")))
    assert all(row[0] != "valid" for row in foreign)
    with pytest.raises(dualseal.MalformedError):
        verify_evidence(data, log="ab")


def test_the_end_of_the_logs_key_and_its_witnesses_are_asked_of_each_row() -> None:
    log, ana, witness = Operated(), SigningKey.generate(), Ed25519SigningKey.generate()
    identity = log.domain.identity_id(b"", "ana", "")
    log.add(identity, ana)
    record = log.sign(identity, ana, b"deed")
    checkpoint = log.checkpoint()
    note = log.note(checkpoint)
    seen = note.with_signature(note.cosign("witness.example", witness, "2026-11-21T12:00:00.000Z"))
    files = [log.evidence(checkpoint, record, by) for by in (seen, note, None)]
    columns: dict[str, list[Any]] = {
        "identity_id": [identity] * 3,
        "document": [b"deed"] * 3,
        "evidence": [file.to_json() for file in files],
    }
    data = pa.table(columns)

    def reasons(**asked: Any) -> list[str | None]:
        rows = told(verify_evidence(data, log=log.fingerprint, **asked))
        assert all((row[0] == "valid") == (row[1] is None) for row in rows)
        return [row[1] for row in rows]

    assert reasons() == reasons(log_until=2) == [None] * 3
    assert reasons(log_until=1) == ["evidence-late"] * 3
    trusted = Witnesses([NoteKey("witness.example", "witness", witness.public_key)], 1)
    unseen = ["too-few-witnesses"] * 2
    assert reasons(witnesses=trusted) == [None, *unseen]
    assert reasons(witnesses=trusted, witnessed_after="2026-11-21T12:00:00.000Z") == [None, *unseen]
    assert reasons(witnesses=trusted, witnessed_after="2026-11-21T12:00:01.000Z") == ["not-witnessed-after", *unseen]
    # Where no witness is asked for there is no time.
    assert reasons(witnessed_after="2026-11-21T12:00:00.000Z") == ["not-witnessed-after"] * 3


def test_seals_by_keys_that_are_retired_hold_by_their_own_places() -> None:
    log, keys = Operated(), [SigningKey.generate() for _ in range(3)]
    identity, seal_key = log.domain.identity_id(b"", "ana", ""), SealKey.from_bytes(b"\3" * 64)
    log.add(identity, keys[0])
    seals, entries = [], []
    for key in keys:
        if key is not keys[0]:
            log.rotate(identity, key)
        seals.append(Sealer(log.domain, identity, seal_key, key).seal(b"deed"))
        entries.append(log.enter(identity, seals[-1]))
    checkpoint = log.checkpoint()
    proofs = [proof.to_json() for proof in log.proofs(checkpoint, entries)]
    columns: dict[str, list[Any]] = {
        "identity_id": [identity] * 3,
        "payload": [b"deed"] * 3,
        "seal": [str(seal) for seal in seals],
        "place": proofs,
    }
    verifier = SealVerifier(log.domain, log.ring)
    retired, valid = ("invalid", "retired key", None), ("valid", None, None)
    assert told(verify_seals(verifier, pa.table(columns), policy="layer_b")) == [retired, retired, valid]

    def placed(places: list[str | None]) -> list[tuple[Any, ...]]:
        data = pa.table(columns | {"place": places})
        return told(verify_seals(verifier, data, policy="layer_b", place="place", checkpoint=checkpoint))

    assert placed(list(proofs)) == [valid] * 3
    # Another's place, which is from before its key was retired, and one of another log.
    assert placed([proofs[1], proofs[0], proofs[2]]) == [retired, retired, valid]
    foreign = placed([proofs[0].replace("example.org", "example.com"), None, proofs[2]])
    assert [row[:2] for row in foreign] == [("invalid", "place-foreign"), retired[:2], valid[:2]]


def test_records_by_keys_in_every_state() -> None:
    log = Operated()
    states = [KeyState.VALID, KeyState.REVOKED, KeyState.SUSPENDED, KeyState.DECOY]
    rows: dict[str, list[Any]] = {"identity_id": [], "content": [], "record": []}
    ids = []
    for state in states:
        key, identity = SigningKey.generate(), log.domain.identity_id(b"", state.value, "")
        log.add(identity, key)
        ids.append(identity)
        rows["record"].append(log.sign(identity, key, b"x").to_bytes())
    rows["identity_id"], rows["content"] = ids, [b"x"] * 4
    verifier = Verifier(log.domain, log.ring)
    data = pa.table(rows)
    stream = verify_records(verifier, data)
    # The verifier sees every change of its ring, until the rows are verified.
    for identity, state in zip(ids[1:], states[1:], strict=True):
        log.set_state(identity, state)
    kinds = ["valid", "revoked", "suspended", "decoy"]
    assert [row[0] for row in told(stream)] == kinds
    one_by_one = [
        verifier.verify(record=dualseal.SignatureRecord.from_bytes(record), signer=identity, content=b"x").kind
        for record, identity in zip(rows["record"], ids, strict=True)
    ]
    assert [kind.name.lower() for kind in one_by_one] == kinds
