"""Evidence in one file: what it shows to a stranger, of every kind of record, in memory and in parts."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import pickle
from datetime import UTC, datetime
from typing import Any

import dualseal
import pytest
from dualseal import (
    Domain,
    EvidenceError,
    EvidenceFile,
    EvidenceKind,
    EvidenceReport,
    Founding,
    KeyRing,
    KeyState,
    MalformedError,
    MisuseError,
    OpenEvidence,
    QuorumEvidence,
    RejectedError,
    Seal,
    SealEvidence,
    SealKey,
    Sealer,
    SignatureRecord,
    VaultRecord,
    VerdictKind,
    Witnesses,
    inspect,
    message_hash,
)

from bundle import (
    DOCUMENT,
    Contracts,
    Registry,
    erased_archive,
    key,
    key_proof,
    minute,
    raw,
    witness,
    witnesses,
)
from conftest import ORIGIN


@pytest.fixture
def contracts() -> Contracts:
    return Contracts()


def opened(bundle: dict[str, Any], contracts: Contracts, **asked: Any) -> OpenEvidence:
    policy: dict[str, Any] = {"log": contracts.registry.fingerprint, "signer": contracts.ana}
    return EvidenceFile.from_dict(bundle).open(**policy | asked)


def test_a_file_says_who_by_which_key_since_when_and_who_saw_it(contracts: Contracts) -> None:
    bundle = contracts.bundle()
    found = inspect(json.dumps(bundle))
    assert (found.kind, found.version, found.findings) == ("evidence", "1", [])
    file = EvidenceFile.from_json(json.dumps(bundle, indent=1))
    assert (file.to_dict(), json.loads(file.to_json())) == (bundle, bundle)
    assert EvidenceFile.from_json(file.to_json().encode()).to_json() == file.to_json()
    assert file.kind is EvidenceKind.SIGNATURE
    evidence = file.open(
        log=contracts.registry.fingerprint,
        signer=contracts.ana,
        least_size=4,
        witnesses=witnesses(2),
        witnessed_after=minute(140),
    )
    assert evidence.kind is EvidenceKind.SIGNATURE
    report = evidence.verify(DOCUMENT)
    assert report.kind is EvidenceKind.SIGNATURE
    as_of = report.as_of
    assert as_of.verdict.kind is VerdictKind.VALID
    record = as_of.verdict.verified()
    assert isinstance(record, SignatureRecord) and record == contracts.record
    assert (as_of.size, as_of.place, as_of.failed, as_of.claimed) == (4, 2, None, False)
    assert (as_of.revoked_then, as_of.revoked_now, as_of.compromised_from) == (None, None, None)
    assert (report.identity_id, report.key) == (contracts.ana, key(1).public_key.hash)
    assert (report.state, report.since, report.origin) == (KeyState.VALID, 0, ORIGIN)
    assert (report.log, report.checkpoint.to_dict()) == (contracts.registry.fingerprint, bundle["checkpoint"])
    assert report.checkpoint.fingerprint(Domain()) == report.log
    assert report.before == minute(140)
    assert report.witnessed == {raw(witness(number)).hex(): minute(120 + 10 * number) for number in (1, 2, 3)}
    assert (report.vault_id, report.not_shown) == (None, None)
    told = report.to_dict()
    assert (json.loads(report.to_json()), told["as_of"]) == (told, as_of.to_dict())
    assert (told["before"], told["vrsta"], told["state"]) == (minute(140), "potpis", "istina")
    assert json.loads(as_of.to_json()) == json.loads(as_of.to_public_json()) == as_of.to_dict()
    # Of the witnesses who are not asked for nothing is said.
    assert opened(bundle, contracts).verify(DOCUMENT).before is None


def test_a_document_in_parts_and_from_a_file(contracts: Contracts) -> None:
    evidence = opened(contracts.bundle(), contracts)
    whole = evidence.verify(DOCUMENT).to_json()
    for form in (bytearray(DOCUMENT), memoryview(DOCUMENT)):
        assert evidence.verify(form).to_json() == whole
    check = evidence.stream()
    for byte in DOCUMENT:
        check.update(bytes([byte]))
    assert check.finish().to_json() == whole
    for again in (lambda: check.update(b""), check.finish):
        with pytest.raises(MisuseError):
            again()
    read = hashlib.file_digest(io.BytesIO(DOCUMENT), evidence.stream)  # type: ignore[arg-type]
    assert read.finish().to_json() == whole  # type: ignore[attr-defined]
    altered = evidence.stream()
    altered.update(DOCUMENT[:-1])
    with pytest.raises(EvidenceError) as caught:
        altered.finish()
    assert (caught.value.name, caught.value.code, caught.value.reason) == ("evidence-record", 288, "content")
    # A document of many parts: larger than what is hashed under the interpreter's lock.
    large = bytes(range(256)) * 2048
    contracts.record = contracts.registry.sign("ana", key(1), large)
    evidence = opened(contracts.bundle(4), contracts)
    assert evidence.verify(bytearray(large)).to_json() == evidence.verify(large).to_json()


def test_a_file_without_a_note_shows_no_time(contracts: Contracts) -> None:
    bundle = contracts.bundle() | {"note": None}
    assert opened(bundle, contracts).verify(DOCUMENT).before is None
    assert opened(bundle, contracts, witnesses=Witnesses([], 0)).verify(DOCUMENT).witnessed == {}
    with pytest.raises(RejectedError) as caught:
        opened(bundle, contracts, witnesses=witnesses(1)).verify(DOCUMENT)
    assert (caught.value.name, caught.value.needed, caught.value.found) == ("too-few-witnesses", 1, 0)


def test_a_revoked_key_is_told_with_its_dates(contracts: Contracts) -> None:
    contracts.registry.set_state("ana", KeyState.REVOKED, compromised_from=3)
    report = opened(contracts.bundle(), contracts).verify(DOCUMENT)
    as_of = report.as_of
    assert (as_of.verdict.kind, report.state, report.since) == (VerdictKind.REVOKED, KeyState.REVOKED, 4)
    assert (as_of.place, as_of.revoked_now, as_of.compromised_from, as_of.claimed) == (2, 4, 3, False)
    with pytest.raises(dualseal.RevokedError):
        as_of.verdict.verified()
    contracts.record = contracts.other
    later = opened(contracts.bundle(3), contracts).verify(b"another")
    assert (later.as_of.place, later.as_of.claimed) == (3, True)


def seal_bundle() -> tuple[Registry, dict[str, Any], int, bytes, str]:
    registry = Registry()
    registry.add("ana", key(1))
    ana = registry.identity("ana")
    seal = Sealer(registry.domain, ana, SealKey.derive(registry.domain, bytes([8]) * 32, ana), key(1)).seal(DOCUMENT)
    entry, _ = seal.append_to(registry.chain.head, registry.domain, ana, minute(1))
    registry.chain.push(entry)
    record = {"identity_id": ana, "javni_kljuc": key(1).public_key.hex, "seal": str(seal)}
    return registry, record, entry.seq, DOCUMENT, key(1).public_key.hash


def test_a_seal() -> None:
    registry, record, seq, document, key_hash = seal_bundle()
    bundle = registry.bundle(record, seq, "pecat", key_hash=key_hash)
    evidence = EvidenceFile.from_dict(bundle).open(log=registry.fingerprint, key=key_hash)
    verdict = evidence.verify(document).as_of.verdict
    verified = verdict.verified()
    assert isinstance(verified, SealEvidence) and isinstance(verified.seal, Seal)
    assert (str(verified.seal), verified.identity_id) == (record["seal"], registry.identity("ana"))
    assert verified.public_key == key(1).public_key
    with pytest.raises(EvidenceError) as caught:
        evidence.verify(b"another")
    assert (caught.value.name, caught.value.reason) == ("evidence-record", "signature")


def test_a_vault_record_and_its_erasure() -> None:
    archive, kept, erased, registry = erased_archive()
    for record, kind, vault_id, not_shown in (
        (kept, EvidenceKind.VAULT, None, None),
        (erased, EvidenceKind.ERASURE, kept.record.vault_id, "completeness of splits not shown"),
    ):
        bundle = registry.bundle(
            record.record.redacted().to_dict(),
            record.record.entry.seq,
            kind.value,
            key_hash=archive.key.public_key.hash,
            public_key=archive.key.public_key.hex,
        )
        file = EvidenceFile.from_dict(bundle)
        assert (file.kind, file.to_dict()) == (kind, bundle)
        evidence = file.open(log=registry.fingerprint, signer=archive.identity)
        report = evidence.verify(record.stored)
        verified_record = report.as_of.verdict.verified()
        assert isinstance(verified_record, VaultRecord) and verified_record.is_redacted
        assert (report.vault_id, report.not_shown) == (vault_id, not_shown)
        with pytest.raises(EvidenceError) as caught:
            evidence.verify(record.stored + b".")
        assert (caught.value.name, caught.value.reason) == ("evidence-record", "L0")


def test_a_result_of_a_quorum() -> None:
    registry = Registry()
    owners = [registry.identity(name) for name in ("ana", "ivo", "eva")]
    board = registry.identity("board")
    founding = Founding(registry.domain, board, owners, k=2, head=registry.chain.head, time=minute(0))
    founded = founding.mldsa(board)
    registry.chain.push(founded.entry)
    public_key = founded.session.public_key
    assert public_key is not None
    session = registry.in_force(founded.session, founded.entry.krunica_hash, KeyRing.pinned(board, public_key))
    signed = session.sign(
        message_hash(b"resolution 7"), owners[0], founded.shares, head=registry.chain.head, time=minute(1)
    )
    registry.chain.push(signed.entry)
    registry.enter(board, public_key)
    record = {
        "identity_id": board,
        "javni_kljuc": public_key.hex,
        "result": signed.result.to_dict(),
        "session_id": founded.session.session_id,
    }
    bundle = registry.bundle(record, 1, "kvorum", key_hash=public_key.hash)
    evidence = EvidenceFile.from_dict(bundle).open(log=registry.fingerprint, signer=board)
    report = evidence.verify(b"resolution 7")
    assert (report.kind, report.not_shown) == (EvidenceKind.QUORUM, "session in force not shown")
    verified = report.as_of.verdict.verified()
    assert isinstance(verified, QuorumEvidence) and verified.result == signed.result
    assert (verified.session_id, verified.identity_id) == (founded.session.session_id, board)
    assert verified.public_key == public_key
    with pytest.raises(EvidenceError) as caught:
        evidence.verify(b"resolution 8")
    assert (caught.value.name, caught.value.reason) == ("evidence-record", "signature")


def test_whose_record_it_must_be_is_said_in_one_way(contracts: Contracts) -> None:
    file, log = EvidenceFile.from_dict(contracts.bundle()), contracts.registry.fingerprint
    key_hash = key(1).public_key.hash
    ways: list[dict[str, Any]] = [{"signer": contracts.ana}, {"key": key_hash}, {"any_signer": True}]
    for way in ways:
        assert file.open(log=log, **way).verify(DOCUMENT).identity_id == contracts.ana
    wrong: list[dict[str, Any]] = [{}, {"any_signer": False}, ways[0] | ways[1], ways[0] | ways[2], ways[1] | ways[2]]
    for way in wrong:
        with pytest.raises(TypeError, match="exactly one of signer, key and any_signer"):
            file.open(log=log, **way)


def test_wrong_types_and_forms_are_told(contracts: Contracts) -> None:
    file, log = EvidenceFile.from_dict(contracts.bundle()), contracts.registry.fingerprint
    wrong: list[dict[str, Any]] = [
        {"log": bytes(32)},
        {"signer": 7},
        {"least_size": "4"},
        {"witnesses": [witness(1)]},
        {"witnessed_after": b""},
        {"domain": "DUALSEAL"},
    ]
    for changes in wrong:
        with pytest.raises(TypeError):
            file.open(**{"log": log, "signer": contracts.ana} | changes)
    malformed: list[tuple[dict[str, Any], str]] = [
        ({"log": log[:-1]}, "log"),
        ({"signer": "ana"}, "identity_id"),
        ({"least_size": -1}, "size"),
        ({"witnessed_after": "yesterday"}, "witnessed_after"),
        ({"domain": Domain("ACME")}, "domena"),
    ]
    for changes, field in malformed:
        with pytest.raises(MalformedError) as caught:
            file.open(**{"log": log, "signer": contracts.ana} | changes)
        assert caught.value.field == field
    with pytest.raises(TypeError):
        file.open(log, signer=contracts.ana)  # type: ignore[call-arg]
    evidence = file.open(log=log, signer=contracts.ana, witnessed_after=datetime(2026, 11, 1, tzinfo=UTC))
    document: Any
    for document in ("one contract", None, 7):
        with pytest.raises(TypeError):
            evidence.verify(document)
    with pytest.raises(MalformedError) as caught:
        EvidenceFile.from_json("{}")
    assert caught.value.name == "missing-member"


def test_a_report_is_no_bool_and_proofs_are_not_copied(contracts: Contracts) -> None:
    evidence = opened(contracts.bundle(), contracts)
    report = evidence.verify(DOCUMENT)
    for told in (report, report.as_of):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(told)
    value: Any
    for value in (evidence, report, report.as_of):
        with pytest.raises(TypeError):
            type(value)()
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(value)
        with pytest.raises(TypeError, match="pickle"):
            copy.copy(value)
    assert "potpis" in repr(evidence) and report.to_json() in repr(report)


def test_a_domain_without_a_name_is_the_verifiers(contracts: Contracts) -> None:
    bundle = contracts.bundle() | {"domena": None}
    with pytest.raises(MalformedError) as caught:
        opened(bundle, contracts)
    assert (caught.value.field, caught.value.name) == ("domena", "missing-member")
    report: EvidenceReport = opened(bundle, contracts, domain=Domain()).verify(DOCUMENT)
    assert report.as_of.verdict.kind is VerdictKind.VALID
    with pytest.raises(EvidenceError) as other:
        opened(bundle, contracts, domain=Domain("OTHER"))
    assert other.value.name == "evidence-log"


def test_the_proof_of_a_key_is_the_one_of_its_ring(contracts: Contracts) -> None:
    """The leaf of another key of the same ring, with its own good path."""
    bundle = contracts.bundle() | {"key": key_proof(contracts.registry.ring, key(2).public_key.hash)}
    with pytest.raises(EvidenceError) as caught:
        opened(bundle, contracts)
    assert (caught.value.name, caught.value.code) == ("key-other", 274)
