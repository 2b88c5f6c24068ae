"""Evidence as a log's operator makes it, from a store of the tree's nodes: a stranger verifies it end to end."""

from __future__ import annotations

from typing import Any

import pytest
from dualseal import (
    ChainReader,
    Domain,
    Ed25519SigningKey,
    Encryption,
    EvidenceError,
    EvidenceFile,
    EvidenceKind,
    Founding,
    KeyProof,
    KeyRing,
    KeyState,
    MalformedError,
    MisuseError,
    Note,
    PlaceProof,
    PublicKey,
    QuorumEvidence,
    Seal,
    SealEvidence,
    SealKey,
    Sealer,
    SignatureRecord,
    VaultRecord,
    VerdictKind,
    Witnesses,
    message_hash,
)

from bundle import (
    DOCUMENT,
    Contracts,
    Registry,
    erased_archive,
    key,
    log_leaf,
    minute,
    note_key_text,
    note_text,
    tree_path,
    tree_root,
    witness,
    witness_name,
    witnesses,
)
from conftest import ORIGIN

Record = SignatureRecord | SealEvidence | VaultRecord | QuorumEvidence


@pytest.fixture
def contracts() -> Contracts:
    return Contracts()


def parts(registry: Registry, record: Record, seq: int, public_key: PublicKey) -> dict[str, Any]:
    """All but the record, as the operator has them after a checkpoint."""
    checkpoint = registry.checkpoint()
    leaves = [log_leaf(entry) for entry in registry.chain]
    place, ring = (
        PlaceProof(checkpoint, registry.chain[at], tree_path(leaves, at)) for at in (seq, registry.last_ring_entry())
    )
    return {
        "domain": registry.domain,
        "name": "DUALSEAL",
        "place": place,
        "ring": ring,
        "key": registry.ring.prove(public_key.hash),
        "note": Note.parse(note_text(checkpoint, [(1, 130), (2, 140), (3, 150)])),
        "public_key": public_key if isinstance(record, VaultRecord) else None,
    }


def shows(
    registry: Registry, record: Record, seq: int, public_key: PublicKey, document: bytes, kind: EvidenceKind
) -> EvidenceFile:
    made = parts(registry, record, seq, public_key)
    file = EvidenceFile(record, **made)
    text = file.to_json()
    assert len(text) < 32_000
    # What the wheel makes is what another implementation makes.
    other = registry.bundle(
        file.to_dict()["record"],
        seq,
        kind.value,
        key_hash=public_key.hash,
        public_key=public_key.hex if isinstance(record, VaultRecord) else None,
        checkpoint=made["place"].checkpoint,
    )
    assert file.to_dict() == other
    # The stranger has the text, the document and the fingerprint, and trusts two of three witnesses.
    evidence = EvidenceFile.from_json(text).open(
        log=registry.fingerprint, key=public_key.hash, witnesses=witnesses(2), witnessed_after=minute(140)
    )
    report = evidence.verify(document)
    assert (report.kind, report.as_of.verdict.kind) == (kind, VerdictKind.VALID)
    assert (report.as_of.place, report.before) == (seq, minute(140))
    with pytest.raises(EvidenceError):
        evidence.verify(document + b".")
    return file


def test_a_signature_from_end_to_end(contracts: Contracts) -> None:
    shows(contracts.registry, contracts.record, 2, key(1).public_key, DOCUMENT, EvidenceKind.SIGNATURE)


def test_from_one_pass_over_the_chain(contracts: Contracts) -> None:
    registry, record, public_key = contracts.registry, contracts.record, key(1).public_key
    registry.fill(4)
    made = parts(registry, record, 2, public_key)
    checkpoint = made["place"].checkpoint
    reader = ChainReader(registry.domain, under=registry.verified(checkpoint))
    wanted, of_ring = reader.place_proofs([record.krunica_hash]), reader.ring_place()
    proofs = reader.read(registry.chain)
    [place], ring = proofs[wanted], proofs[of_ring]
    assert ring is not None
    assert (place, ring) == (made["place"], made["ring"])
    file = EvidenceFile(record, **made | {"place": place, "ring": ring})
    assert file.to_json() == EvidenceFile(record, **made).to_json()
    evidence = EvidenceFile.from_json(file.to_json()).open(log=registry.fingerprint, signer=contracts.ana)
    assert evidence.verify(DOCUMENT).as_of.verdict.verified() == record


def test_copies_of_the_rings_message_are_not_its_place(contracts: Contracts) -> None:
    registry, record = contracts.registry, contracts.record
    seq = registry.last_ring_entry()
    for _ in range(20):
        registry.chain.append(Domain("ELSEWHERE"), registry.identity("eve"), registry.chain[seq].message, registry.time)
    verified = registry.verified()
    reader = ChainReader(registry.domain, under=verified)
    wanted, of_ring = reader.place_proofs([record.krunica_hash]), reader.ring_place()
    proofs = reader.read(registry.chain)
    [place], ring = proofs[wanted], proofs[of_ring]
    assert ring is not None
    assert ring.entry.seq == seq
    made = parts(registry, record, 2, key(1).public_key) | {"place": place, "ring": ring, "note": None}
    evidence = EvidenceFile.from_json(EvidenceFile(record, **made).to_json()).open(
        log=registry.fingerprint, signer=contracts.ana
    )
    assert evidence.verify(DOCUMENT).as_of.verdict.verified() == record


def test_a_seal() -> None:
    registry = Registry()
    registry.add("ana", key(1))
    ana = registry.identity("ana")
    seal = Sealer(registry.domain, ana, SealKey.derive(registry.domain, bytes([8]) * 32, ana), key(1)).seal(DOCUMENT)
    entry, _ = seal.append_to(registry.chain.head, registry.domain, ana, minute(1))
    registry.chain.push(entry)
    for form in (seal, str(seal)):
        record = SealEvidence(form, identity_id=ana, public_key=key(1).public_key)
        shows(registry, record, 1, key(1).public_key, DOCUMENT, EvidenceKind.SEAL)
    with pytest.raises(MalformedError):
        SealEvidence("SEAL-L5::" + "0" * 128, identity_id=ana, public_key=key(1).public_key)
    with pytest.raises(TypeError):
        SealEvidence(7, identity_id=ana, public_key=key(1).public_key)  # type: ignore[arg-type]
    assert isinstance(seal, Seal)


def test_a_vault_record_and_its_erasure() -> None:
    archive, kept, erased, registry = erased_archive()
    public_key = archive.key.public_key
    for record, kind in ((kept, EvidenceKind.VAULT), (erased, EvidenceKind.ERASURE)):
        seq = record.record.entry.seq
        file = shows(registry, record.record, seq, public_key, record.stored, kind)
        # The fragment is a trap, which nobody gives away.
        assert not record.record.is_redacted and file.to_dict()["record"] == record.record.redacted().to_dict()
    made = parts(registry, kept.record, kept.record.entry.seq, public_key)
    with pytest.raises(MalformedError) as caught:
        EvidenceFile(kept.record, **made | {"public_key": None})
    assert (caught.value.field, caught.value.name) == ("javni_kljuc", "missing-member")


def test_a_result_of_a_quorum() -> None:
    registry = Registry()
    board, owners = registry.identity("board"), [registry.identity(name) for name in ("ana", "ivo", "eva")]
    founding = Founding(registry.domain, board, owners, k=2, head=registry.chain.head, time=minute(0))
    founded = founding.mldsa(board)
    registry.chain.push(founded.entry)
    public_key = founded.session.public_key
    assert public_key is not None
    session = registry.in_force(founded.session, founded.entry.krunica_hash, KeyRing.pinned(board, public_key))
    message = message_hash(b"resolution 7")
    signed = session.sign(message, owners[0], founded.shares, head=registry.chain.head, time=minute(1))
    registry.chain.push(signed.entry)
    registry.enter(board, public_key)
    record = QuorumEvidence(
        signed.result, session_id=founded.session.session_id, identity_id=board, public_key=public_key
    )
    assert (record.session_id, record.result) == (founded.session.session_id, signed.result)
    shows(registry, record, 1, public_key, b"resolution 7", EvidenceKind.QUORUM)


def test_parts_that_do_not_belong_together_are_not_put_together(contracts: Contracts) -> None:
    registry, record, public_key = contracts.registry, contracts.record, key(1).public_key
    early = parts(registry, record, 2, public_key)
    EvidenceFile(record, **early)
    registry.fill()
    later = parts(registry, record, 2, public_key)
    ivans = registry.ring.public().prove(key(2).public_key.hash)
    other_place = PlaceProof.make(later["place"].checkpoint, registry.chain[4], nodes=nodes_of(registry))
    rejected: list[tuple[dict[str, Any], str]] = [
        ({"ring": later["ring"]}, "evidence-ring-place"),
        ({"note": later["note"]}, "evidence-note"),
        ({"key": ivans}, "key-other"),
        (later | {"ring": other_place}, "evidence-ring"),
    ]
    for changes, name in rejected:
        with pytest.raises(EvidenceError) as caught:
            EvidenceFile(record, **early | changes)
        assert caught.value.name == name
    with pytest.raises(MalformedError) as other:
        EvidenceFile(record, **early | {"name": "ACME"})
    assert other.value.field == "domena"
    with pytest.raises(TypeError, match="vault record alone"):
        EvidenceFile(record, **early | {"public_key": public_key})
    wrong: list[dict[str, Any]] = [{"note": str(early["note"])}, {"place": None}, {"key": {}}, {"domain": "DUALSEAL"}]
    for changes in wrong:
        with pytest.raises(TypeError):
            EvidenceFile(record, **early | changes)
    with pytest.raises(TypeError, match="SignatureRecord, SealEvidence, VaultRecord or QuorumEvidence"):
        EvidenceFile(record.to_dict(), **early)  # type: ignore[arg-type]
    # Without a name the verifier has to know the domain; without a note nobody saw the log.
    bare = EvidenceFile(record, **early | {"name": None, "note": None})
    assert (bare.to_dict()["domena"], bare.to_dict()["note"]) == (None, None)
    evidence = bare.open(log=registry.fingerprint, signer=contracts.ana, domain=registry.domain)
    assert evidence.verify(DOCUMENT).before is None


def nodes_of(registry: Registry) -> dict[tuple[int, int], str]:
    leaves = [log_leaf(entry) for entry in registry.chain]
    nodes = {}
    for level in range(len(leaves).bit_length()):
        for index in range(len(leaves) >> level):
            nodes[level, index] = tree_root(leaves[index << level : (index + 1) << level]).hex()
    return nodes


def test_the_wheels_own_notes_serve_as_well(contracts: Contracts) -> None:
    """The log's note, and a cosignature, made by the library: nothing but the wheel."""
    registry, record = contracts.registry, contracts.record
    made = parts(registry, record, 2, key(1).public_key)
    checkpoint = made["place"].checkpoint
    log_key, witness_key = (Ed25519SigningKey.from_seed(bytes([number]) * 32) for number in (90, 91))
    note = Note.sign(log_key, origin=ORIGIN, size=checkpoint.size, root=checkpoint.root)
    note = note.with_signature(note.cosign(witness_name(1), witness_key, minute(130)))
    assert str(note) == note_text(checkpoint, [(1, 130)])
    file = EvidenceFile(record, **made | {"note": note})
    trusted = Witnesses([note_key_text(witness_name(1), 4, witness(1))], 1)
    report = file.open(log=registry.fingerprint, signer=contracts.ana, witnesses=trusted).verify(DOCUMENT)
    assert report.before == minute(130)
    proof: KeyProof = made["key"]
    assert proof.key_hash == report.key


def test_no_evidence_is_made_of_a_decoy(contracts: Contracts) -> None:
    """Outsiders would read what a stolen honeypot key signed as a pass."""
    registry, public_key = contracts.registry, key(1).public_key
    assert registry.ring.prove(public_key.hash) == registry.ring.public().prove(public_key.hash)
    archive = erased_archive()[0]
    sealed, _ = archive.vault.seal(
        b"", "CONTRACT", encryption=Encryption.NONE, ledger=archive.ledger, head=archive.chain.head, time=minute(3)
    )
    archive.keep(sealed, b"")
    registry.set_state("ana", KeyState.DECOY)
    for ring, of_a_decoy in ((registry.ring, public_key), (archive.ring, sealed.decoy)):
        with pytest.raises(MisuseError) as caught:
            ring.prove(of_a_decoy.hash)
        assert (caught.value.code, caught.value.name) == (344, "decoy-key")
    with pytest.raises(MisuseError) as unknown:
        registry.ring.prove(key(9).public_key.hash)
    assert unknown.value.code == 302
    # Others make it themselves, and it tells them nothing.
    shown = registry.ring.public().prove(public_key.hash)
    assert shown is not None
    assert shown.state is KeyState.VALID
