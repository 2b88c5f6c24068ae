"""Bad input: for each, the exact exception, its field, its number and its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    CheckedRing,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Domain,
    DualsealError,
    Entry,
    ExpandedSigningKey,
    Growth,
    HashedContent,
    Head,
    HighWaterMark,
    KeyRing,
    MalformedError,
    Pins,
    PublicKey,
    PublicRing,
    RingKey,
    SealKey,
    Sealer,
    SignatureRecord,
    Signer,
    SigningKey,
    Verifier,
)

from conftest import Deployment

LONE = "\ud800"
ID = "0" * 64
KEY = SigningKey.from_seed(bytes([7]) * 32)
DOMAIN = Domain()
AUTHORITY = RingKey(DOMAIN, bytes([9]) * 32)
RING = CheckedRing("example.org/log", AUTHORITY)
AUTHORITY = RingKey(DOMAIN, bytes([9]) * 32)
SIGNER = Signer(DOMAIN, ID, KEY)
PINS = Pins(origin="x", identity_id=ID, key_hash=ID, least_size=0)
HEAD = Head.from_json(json.dumps({"frontier": ["2" * 64], "size": 1, "top": "1" * 128}))
MARK = HighWaterMark.first("x", HEAD, ring=None)
CHECKPOINT = CheckpointSigner(DOMAIN, "x", ID, KEY).sign(MARK, time=10**11).to_dict()
CHANGE: dict[str, Any] = {"head": Head.EMPTY, "time": 10**11}


def broken_expanded(position: int, value: int) -> bytes:
    data = bytearray(KEY.expand().to_bytes())
    data[position] = value
    return bytes(data)


TABLE: list[tuple[Callable[[], Any], str, int, int | None]] = [
    (lambda: Domain("\x7f"), "prefix", 122, 0),
    (lambda: Domain("a:b"), "prefix", 122, 0),
    (lambda: Domain("Å"), "prefix", 122, 0),
    (lambda: Domain(LONE), "name", 102, None),
    (lambda: Domain(prefixes={"ID": "X"}), "row", 107, None),
    (lambda: Domain(suffixes={LONE: "X"}), "row", 102, None),
    (lambda: Domain(prefixes={"vault": "a:b"}), "prefix", 122, 1),
    (lambda: Domain(suffixes={"krunica": "0f"}), "suffix", 122, 7),
    (lambda: Domain(suffixes={"krunica": LONE}), "suffix", 102, None),
    (lambda: Domain(labels={("seal", "CONTENT"): "X"}), "label", 107, None),
    (lambda: Domain(labels={("sea", "KDF"): "X"}), "row", 107, None),
    (lambda: Domain(labels={("signature", "CONTENT"): ""}), "label", 122, 6),
    (lambda: DOMAIN.identity_id(b"", "a::b", ""), "creator", 103, None),
    (lambda: DOMAIN.identity_id(b"", "", ":b"), "context", 103, None),
    (lambda: DOMAIN.identity_id(b"", LONE, ""), "creator", 102, None),
    (lambda: DOMAIN.legacy_identity_id(b"", "", LONE), "context", 102, None),
    (lambda: DOMAIN.vault_id(b"", "", "", -1), "seq", 106, None),
    (lambda: DOMAIN.vault_id(b"", "", "", 2**53), "seq", 106, None),
    (lambda: DOMAIN.vault_id(b"", "", "", 2**64), "seq", 106, None),
    (lambda: DOMAIN.vault_id(b"", ":", "", 0), "creator", 103, None),
    (lambda: DOMAIN.legacy_vault_id(b"", "", "", -1), "seq", 106, None),
    (lambda: DOMAIN.content_hash("0" * 63, b""), "identity_id", 100, None),
    (lambda: DOMAIN.content_hasher("A" * 64), "identity_id", 101, 0),
    (lambda: DOMAIN.threshold_binding("0" * 62, "0" * 128), "session_id", 100, None),
    (lambda: DOMAIN.threshold_binding(ID, ID), "message_hash", 100, None),
    (lambda: PublicKey.from_bytes(b"short"), "javni_kljuc", 100, None),
    (lambda: PublicKey.from_hex("0g" * 1952), "javni_kljuc", 101, 1),
    (lambda: PublicKey.from_hex(LONE), "javni_kljuc", 102, None),
    (lambda: PublicKey.from_spki_der(KEY.public_key.to_spki_der() + b"\0"), "public key", 117, None),
    (lambda: PublicKey.from_spki_pem(KEY.to_pkcs8_pem()), "public key", 118, None),
    (lambda: SigningKey.from_seed(bytes(31)), "seed", 100, None),
    (lambda: SigningKey.from_seed(bytearray(32)), "seed", 119, None),
    (lambda: SigningKey.from_pkcs8_der(b""), "private key", 117, None),
    (lambda: SigningKey.from_pkcs8_pem("-----BEGIN"), "private key", 118, None),
    (lambda: SigningKey.from_pkcs8_pem(LONE), "private key", 102, None),
    (lambda: ExpandedSigningKey.from_bytes(bytes(4031)), "expanded key", 100, None),
    (lambda: ExpandedSigningKey.from_bytes(broken_expanded(200, 0xFF)), "expanded key", 120, None),
    (lambda: ExpandedSigningKey.from_bytes(broken_expanded(64, 0)), "expanded key", 121, None),
    (lambda: RingKey(DOMAIN, bytes(33)), "ring key", 100, None),
    (lambda: CheckedRing("", AUTHORITY), "origin", 106, None),
    (lambda: CheckedRing("a\n", AUTHORITY), "origin", 104, None),
    (lambda: CheckedRing("a::b", AUTHORITY), "origin", 103, None),
    (lambda: KeyRing.pinned("", KEY.public_key), "identity_id", 100, None),
    (lambda: PublicRing.from_json("{}"), "keys", 108, None),
    (lambda: PublicRing.from_json('{"keys":[],"origin":"x","revision":1}'), "revision", 106, None),
    (lambda: PublicRing.from_json('{"keys":[{}],"origin":"x","revision":1}'), "algoritam", 108, 0),
    (lambda: RING.info("x"), "identity_id", 100, None),
    (lambda: RING.public_info(LONE), "identity_id", 102, None),
    (lambda: RING.set_state(ID, "true", **CHANGE), "bela_stanje", 107, None),
    (lambda: RING.set_state(ID, "laz", **CHANGE, key_hash="0"), "javni_kljuc", 100, None),
    (lambda: RING.add("0", KEY.public_key, **CHANGE), "identity_id", 100, None),
    (lambda: ChainReader(DOMAIN, up_to=Head.EMPTY).ring(AUTHORITY, "{}", masters=[]), "keys", 108, None),
    (lambda: ChainReader.from_ring_file(DOMAIN, "{}", up_to=Head.EMPTY), "keys", 108, None),
    (lambda: Head.EMPTY.append(DOMAIN, "w3", "m", 10**11), "identity_id", 100, None),
    (lambda: Head.EMPTY.append(DOMAIN, ID, LONE, 10**11), "poruka", 102, None),
    (lambda: Head.from_json(HEAD.to_json().replace('"size":1', '"size":-1')), "size", 106, None),
    (lambda: Head.from_json(HEAD.to_json().replace('"size":1', '"size":3')), "frontier", 106, None),
    (lambda: Head.from_json(HEAD.to_json().replace("1" * 128, ID)), "top", 100, None),
    (lambda: HighWaterMark.first("a::b", HEAD, ring=None), "origin", 103, None),
    (lambda: HighWaterMark.from_json("{}"), "origin", 108, None),
    (lambda: Growth.by_proof(MARK, HEAD, ["0"]), "root", 100, None),
    (lambda: Entry.from_json("[]"), "entry", 111, None),
    (lambda: Entry.from_dict({}), "h", 108, None),
    (lambda: Entry.from_json('{"a":'), "json", 112, 5),
    (lambda: HashedContent.from_parts("0" * 64, "0" * 63 + "G"), "sadrzaj_hash", 101, 63),
    (lambda: SIGNER.sign_json({"a": 0.5}, head=Head.EMPTY, time=10**11), "json", 114, None),
    (lambda: Signer(DOMAIN, "", KEY), "identity_id", 100, None),
    (lambda: Checkpoint.from_json("[]"), "checkpoint", 111, None),
    (lambda: Checkpoint.from_dict({}), "algoritam", 108, None),
    (lambda: Checkpoint.from_dict(CHECKPOINT | {"size": 0}), "top", 106, None),
    (lambda: Checkpoint.from_dict(CHECKPOINT | {"origin": "a::b"}), "origin", 103, None),
    (lambda: CheckpointVerifier(DOMAIN, PINS).verify("{}"), "algoritam", 108, None),
    (lambda: CheckpointSigner(DOMAIN, ":", ID, KEY), "origin", 103, None),
    (lambda: CheckpointSigner(DOMAIN, LONE, ID, KEY), "origin", 102, None),
    (lambda: CheckpointSigner(DOMAIN, "x", "", KEY), "identity_id", 100, None),
    (lambda: Pins(origin="x", identity_id=ID, key_hash=ID[1:], least_size=0), "javni_kljuc", 100, None),
    (lambda: Pins(origin="x", identity_id="x", key_hash=ID, least_size=0), "identity_id", 100, None),
    (lambda: Pins(origin="x", identity_id=ID, key_hash=ID, least_size=-1), "size", 106, None),
    (lambda: SealKey.from_bytes(bytes(32)), "seal key", 119, None),
    (lambda: SealKey.legacy(b"fifteen bytes.."), "seal key", 100, None),
    (lambda: SealKey.legacy(bytes(20)), "seal key", 119, None),
    (lambda: SealKey.derive(DOMAIN, bytes(31), ID), "master", 100, None),
    (lambda: SealKey.derive(DOMAIN, bytes(32), "x"), "identity_id", 100, None),
    (lambda: Sealer(DOMAIN, "", SealKey.from_bytes(b"k" * 32), KEY), "identity_id", 100, None),
    (lambda: SignatureRecord.from_json("[]"), "signature record", 111, None),
    (lambda: SignatureRecord.from_dict({"a": 1}), "signature record", 109, None),
]


@pytest.mark.parametrize(("call", "field", "code", "index"), TABLE)
def test_bad_input(call: Callable[[], Any], field: str, code: int, index: int | None) -> None:
    with pytest.raises(MalformedError) as caught:
        call()
    error = caught.value
    assert type(error) is MalformedError
    assert (error.field, error.code, error.index) == (field, code, index)
    assert str(error).startswith(field)
    assert isinstance(error, DualsealError)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"algoritam": "ML-DSA-44"}, "algoritam", 107),
        ({"verzija": 1}, "verzija", 111),
        ({"verzija": "2"}, "verzija", 107),
        ({"quantum_ready": False}, "quantum_ready", 107),
        ({"quantum_ready": 1}, "quantum_ready", 107),
        ({"potpis": "00"}, "potpis", 100),
        ({"potpis": None}, "potpis", 111),
        ({"javni_kljuc": "G" * 3904}, "javni_kljuc", 101),
        ({"krunica_hash": "0" * 128}, "krunica_hash", 100),
        ({"timestamp": "2026-11-21T09:00:00Z"}, "timestamp", 105),
        ({"timestamp": 1_795_251_600_000}, "timestamp", 111),
        ({"extra": 1}, "signature record", 109),
    ],
)
def test_bad_records(deployment: Deployment, changes: dict[str, Any], field: str, code: int) -> None:
    members = deployment.signed.record.to_dict() | changes
    verifier = Verifier(deployment.domain, deployment.ring)
    calls: list[Callable[[], object]] = [
        lambda: SignatureRecord.from_dict(members),
        lambda: SignatureRecord.from_json(json.dumps(members)),
        lambda: verifier.verify(record=members, signer=deployment.identity, content=b""),
        lambda: verifier.verify(record=json.dumps(members), signer=deployment.identity, content=b""),
    ]
    for call in calls:
        with pytest.raises(MalformedError) as caught:
            call()
        assert (caught.value.field, caught.value.code) == (field, code)


def test_missing_members(deployment: Deployment) -> None:
    members = deployment.signed.record.to_dict()
    for name in members:
        with pytest.raises(MalformedError) as caught:
            SignatureRecord.from_dict({other: value for other, value in members.items() if other != name})
        assert (caught.value.field, caught.value.code) == (name, 108)


def test_messages_hold_no_secret() -> None:
    secret = "5ec2e7" * 11
    calls: list[Callable[[], object]] = [
        lambda: SigningKey.from_seed(secret.encode()),
        lambda: SigningKey.from_pkcs8_pem(secret),
    ]
    for call in calls:
        with pytest.raises(MalformedError) as caught:
            call()
        assert secret[:6] not in str(caught.value)
