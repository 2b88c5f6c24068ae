"""Columns of evidence, and of records by keys in every state."""

from __future__ import annotations

from typing import Any

import dualseal
import pyarrow as pa
import pytest
from conftest import told
from dualseal import Domain, KeyState, SigningKey, Verifier
from dualseal.arrow import verify_evidence, verify_records
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
