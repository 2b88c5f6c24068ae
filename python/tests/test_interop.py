"""Other implementations of ML-DSA: pyca/cryptography over its native library, and dilithium-py in plain Python."""

from __future__ import annotations

import hmac
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PrivateKey, MLDSA65PublicKey
from dilithium_py.ml_dsa import ML_DSA_65  # type: ignore[import-untyped]
from dualseal import (
    MalformedError,
    Checkpoint,
    CheckpointVerifier,
    PublicKey,
    Seal,
    Sealer,
    SealKey,
    SealOutcome,
    SealVerifier,
    SignatureRecord,
    Signer,
    SigningKey,
    VerdictKind,
    Verifier,
)

from conftest import CONTENT, Deployment, Log, followed, minute

SEED = bytes(range(1, 33))


def statement(record: SignatureRecord) -> bytes:
    """What a record's signature is over, written from the format's description."""
    members = record.to_dict()
    parts = [
        "DUALSEAL-SIGN",
        "STATEMENT",
        members["algoritam"],
        members["verzija"],
        members["identity_id"],
        members["sadrzaj_hash"],
        members["krunica_hash"],
        members["timestamp"],
        "DUALSEAL",
    ]
    return "::".join(parts).encode()


@pytest.mark.parametrize("deterministic", [True, False])
def test_others_verify_our_signature(deployment: Deployment, deterministic: bool) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    record = signer.sign(CONTENT, head=deployment.head, time=minute(3), deterministic=deterministic).record
    public = MLDSA65PublicKey.from_public_bytes(record.public_key.to_bytes())
    public.verify(record.signature, statement(record))
    assert ML_DSA_65.verify(record.public_key.to_bytes(), statement(record), record.signature)
    other = statement(record).replace(b"::1::", b"::2::", 1)
    with pytest.raises(InvalidSignature):
        public.verify(record.signature, other)
    assert not ML_DSA_65.verify(record.public_key.to_bytes(), other, record.signature)


def test_we_verify_a_signature_of_another(deployment: Deployment) -> None:
    theirs = MLDSA65PrivateKey.from_seed_bytes(deployment.key.seed())
    members = deployment.signed.record.to_dict() | {"timestamp": minute(9)}
    draft = SignatureRecord.from_dict(members)
    made = members | {"potpis": theirs.sign(statement(draft)).hex()}
    verifier = Verifier(deployment.domain, deployment.ring)
    assert verifier.verify(record=made, signer=deployment.identity, content=CONTENT).kind is VerdictKind.VALID
    assert verifier.verify(record=draft, signer=deployment.identity, content=CONTENT).reason == "signature"
    in_context = members | {"potpis": theirs.sign(statement(draft), b"context").hex()}
    assert verifier.verify(record=in_context, signer=deployment.identity, content=CONTENT).reason == "signature"


def test_the_deterministic_variant_is_the_standard_one(deployment: Deployment) -> None:
    record = deployment.signed.record
    public, private = ML_DSA_65.key_derive(deployment.key.seed())
    assert public == record.public_key.to_bytes()
    assert private == deployment.key.expand().to_bytes()
    assert ML_DSA_65.sign(private, statement(record), deterministic=True) == record.signature


def checkpoint_statement(members: dict[str, Any]) -> bytes:
    ring = members["ring"] or {"revision": "-", "root": "-"}
    parts = ["DUALSEAL-KRUNICA", "CHECKPOINT", "2", *(str(members[name]) for name in ("origin", "size", "top", "root"))]
    parts += [str(ring["revision"]), ring["root"], members["nota"] or "-", members["time"], members["identity_id"]]
    parts.append("DUALSEAL")
    return "::".join(parts).encode()


def test_checkpoints_pass_both_ways(deployment: Deployment, log: Log) -> None:
    ours = log.sign(deployment.head, followed(deployment.ring, deployment.chain))
    assert ours.ring == (1, ours.to_dict()["ring"]["root"])
    public = MLDSA65PublicKey.from_public_bytes(ours.public_key.to_bytes())
    public.verify(ours.signature, checkpoint_statement(ours.to_dict()))
    assert ML_DSA_65.verify(ours.public_key.to_bytes(), checkpoint_statement(ours.to_dict()), ours.signature)

    theirs = MLDSA65PrivateKey.from_seed_bytes(log.key.seed())
    members = ours.to_dict() | {"time": minute(10), "size": 7}
    verifier = CheckpointVerifier(log.domain, log.pins(7))
    made = members | {"potpis": theirs.sign(checkpoint_statement(members)).hex()}
    assert verifier.verify(made).verified().checkpoint == Checkpoint.from_dict(made)
    assert verifier.verify(members).reason == "signature"
    in_context = members | {"potpis": theirs.sign(checkpoint_statement(members), b"context").hex()}
    assert verifier.verify(in_context).reason == "signature"


def test_seals_pass_both_ways(deployment: Deployment) -> None:
    domain, identity = deployment.domain, deployment.identity
    key = SealKey.from_bytes(bytes(range(1, 33)))

    def layer_a(payload: bytes) -> str:
        return hmac.new(key.to_bytes(), payload.hex().encode(), "sha3_512").hexdigest()

    def layer_b_statement(payload: bytes) -> bytes:
        return f"{payload.hex()}::{layer_a(payload)}::{identity}::DUALSEAL".encode()

    _, hmac_hex, signature_hex = str(Sealer(domain, identity, key, deployment.key).seal(CONTENT)).split("::")
    assert hmac_hex == layer_a(CONTENT)
    public = MLDSA65PublicKey.from_public_bytes(deployment.key.public_key.to_bytes())
    public.verify(bytes.fromhex(signature_hex), layer_b_statement(CONTENT))
    with pytest.raises(InvalidSignature):
        public.verify(bytes.fromhex(signature_hex), layer_b_statement(b""))

    theirs = MLDSA65PrivateKey.from_seed_bytes(deployment.key.seed())
    verifier = SealVerifier(domain, deployment.ring)
    for payload in (b"", CONTENT, bytes(70_000)):
        text = f"SEAL-DUAL::{layer_a(payload)}::{theirs.sign(layer_b_statement(payload)).hex()}"
        report = verifier.verify(text, payload, identity, policy="both", seal_key=key)
        assert report.verdict is not None
        assert report.verdict.verified() == Seal.parse(text)
        other = verifier.verify(text, payload + b"x", identity, policy="layer_b")
        assert other.internal() == SealOutcome.REJECTED
    legacy = verifier.verify(
        f"SEAL-L5::{layer_a(CONTENT)}", CONTENT, identity, policy="layer_a", seal_key=key, allow_legacy=True
    )
    assert legacy.internal() == SealOutcome.OK


def test_private_keys_pass_both_ways() -> None:
    ours, theirs = SigningKey.from_seed(SEED), MLDSA65PrivateKey.from_seed_bytes(SEED)
    der = theirs.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem = theirs.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    assert SigningKey.from_pkcs8_der(der).seed() == SEED
    assert SigningKey.from_pkcs8_pem(pem.decode()).seed() == SEED
    assert ours.to_pkcs8_der() == der
    assert ours.to_pkcs8_pem() == pem.decode()
    for read in (
        serialization.load_der_private_key(ours.to_pkcs8_der(), None),
        serialization.load_pem_private_key(ours.to_pkcs8_pem().encode(), None),
    ):
        assert isinstance(read, MLDSA65PrivateKey)
        assert read.private_bytes_raw() == SEED


def test_encrypted_private_keys_pass_both_ways() -> None:
    ours, theirs = SigningKey.from_seed(SEED), MLDSA65PrivateKey.from_seed_bytes(SEED)
    for password in ("correct horse", "lozinka č"):
        pem = theirs.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(password.encode()),
        )
        assert SigningKey.from_pkcs8_pem(pem, password=password).seed() == SEED
        assert SigningKey.from_pkcs8_pem(pem.decode(), password=bytearray(password.encode())).seed() == SEED
        written = ours.to_pkcs8_pem(password=password)
        assert written.startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----") and written != ours.to_pkcs8_pem(
            password=password
        )
        read = serialization.load_pem_private_key(written.encode(), password.encode())
        assert isinstance(read, MLDSA65PrivateKey) and read.private_bytes_raw() == SEED
        assert SigningKey.from_pkcs8_pem(written, password=password).seed() == SEED


def test_a_password_is_asked_for_where_it_is_needed() -> None:
    key = SigningKey.from_seed(SEED)
    sealed, plain = key.to_pkcs8_pem(password="correct horse"), key.to_pkcs8_pem()
    with pytest.raises(TypeError, match="is encrypted: give its password"):
        SigningKey.from_pkcs8_pem(sealed)
    with pytest.raises(TypeError, match="is not encrypted"):
        SigningKey.from_pkcs8_pem(plain, password="correct horse")
    body = sealed.splitlines()
    body[-2] = body[-2][:4] + ("A" if body[-2][4] != "A" else "B") + body[-2][5:]
    for pem, password in (
        (sealed, "wrong horse"),
        ("\n".join(body) + "\n", "correct horse"),
        ("-----BEGIN", "x"),
        (sealed.replace("ENCRYPTED PRIVATE", "RSA PRIVATE"), "correct horse"),
    ):
        with pytest.raises(MalformedError, match="^private key: ") as refused:
            SigningKey.from_pkcs8_pem(pem, password=password)
        assert refused.value.field == "private key"
    with pytest.raises(MalformedError) as broken:
        SigningKey.from_pkcs8_pem(sealed, password=b"\xff")
    assert broken.value.field == "password"
    for refuses in ({"password": 7}, {"password": object()}):
        with pytest.raises(TypeError):
            SigningKey.from_pkcs8_pem(sealed, **refuses)
        with pytest.raises(TypeError):
            key.to_pkcs8_pem(**refuses)


def test_public_keys_pass_both_ways() -> None:
    ours = SigningKey.from_seed(SEED).public_key
    theirs = MLDSA65PrivateKey.from_seed_bytes(SEED).public_key()
    info = serialization.PublicFormat.SubjectPublicKeyInfo
    der = theirs.public_bytes(serialization.Encoding.DER, info)
    pem = theirs.public_bytes(serialization.Encoding.PEM, info).decode()
    assert PublicKey.from_spki_pem(pem.encode()) == PublicKey.from_spki_pem(bytearray(pem.encode())) == ours
    assert ours.to_bytes() == theirs.public_bytes_raw()
    assert PublicKey.from_spki_der(der) == PublicKey.from_spki_pem(pem) == ours
    assert (ours.to_spki_der(), ours.to_spki_pem()) == (der, pem)
    for read in (
        serialization.load_der_public_key(ours.to_spki_der()),
        serialization.load_pem_public_key(ours.to_spki_pem().encode()),
    ):
        assert isinstance(read, MLDSA65PublicKey)
        assert read.public_bytes_raw() == ours.to_bytes()
