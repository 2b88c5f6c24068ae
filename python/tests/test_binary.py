"""The binary forms of record, entry and seal."""

from __future__ import annotations

from pathlib import Path

import pytest
from dualseal import Domain, Entry, MalformedError, PublicKey, Seal, SealKey, Sealer, SignatureRecord, SigningKey

from conftest import Deployment


def test_record_entry_and_seal_come_back(deployment: Deployment, domain: Domain) -> None:
    record, entry = deployment.signed.record, deployment.signed.entry
    seal = Sealer(domain, deployment.identity, SealKey.from_bytes(bytes([1]) * 32), SigningKey.generate()).seal(b"x")
    assert SignatureRecord.from_bytes(bytearray(record.to_bytes())) == record
    short = record.to_bytes(with_key=False)
    assert (len(record.to_bytes()), len(short)) == (5371, 3419)
    assert SignatureRecord.from_bytes(memoryview(short), public_key=record.public_key) == record
    assert Entry.from_bytes(entry.to_bytes()) == entry
    assert Seal.from_bytes(seal.to_bytes()) == seal
    with pytest.raises(MalformedError, match="javni_kljuc"):
        SignatureRecord.from_bytes(short)
    for read in (SignatureRecord.from_bytes, Entry.from_bytes, Seal.from_bytes):
        with pytest.raises(MalformedError):
            read(b"DSB1")


def test_a_record_knows_its_entry(deployment: Deployment, domain: Domain) -> None:
    signed = deployment.signed
    assert signed.record.is_of(domain, signed.entry)
    assert signed.entry.claims_record(domain)
    plain, _ = signed.head.append(domain, deployment.identity, "hello", signed.record.time)
    assert not signed.record.is_of(domain, plain)
    assert not plain.claims_record(domain)


def test_known_answers() -> None:
    vectors = Path(__file__).parents[2] / "tests/vectors/known_answers_binary.tsv"
    lines = vectors.read_text(encoding="utf-8").splitlines()
    for line in lines:
        kind, hexadecimal, key, text = line.split("\t")
        data = bytes.fromhex(hexadecimal)
        if kind == "entry":
            assert (Entry.from_bytes(data).to_json(), Entry.from_json(text).to_bytes()) == (text, data)
        elif kind == "seal":
            assert (str(Seal.from_bytes(data)), Seal.parse(text).to_bytes()) == (text, data)
        else:
            with_key = kind == "record"
            record = SignatureRecord.from_bytes(data, public_key=None if with_key else PublicKey.from_hex(key))
            assert (record.to_json(), SignatureRecord.from_json(text).to_bytes(with_key=with_key)) == (text, data)
    assert len(lines) == 20
