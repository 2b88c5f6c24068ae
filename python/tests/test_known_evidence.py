"""Every answer of tests/vectors/known_answers_evidence.json, which another implementation made, by the wheel: the same
parts give the same files, and the files the same reports."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dualseal import (
    Checkpoint,
    Domain,
    Entry,
    EvidenceError,
    EvidenceFile,
    Krunica,
    Note,
    PlaceProof,
    PublicKey,
    PublicRing,
    QuorumEvidence,
    SealEvidence,
    SignatureRecord,
    SigningKey,
    ThresholdResult,
    VaultRecord,
    VerdictKind,
    Witnesses,
    log_fingerprint,
)

from bundle import log_leaf, tree_path, tree_root
from known import counts, read, sha3

ANSWERS = read("known_answers_evidence.json")


def public_key(of: dict[str, Any]) -> PublicKey:
    return SigningKey.from_seed(bytes.fromhex(of["seed_hex"])).public_key


def record_of(kept: dict[str, Any]) -> SignatureRecord | SealEvidence | VaultRecord | QuorumEvidence:
    record = kept["record"]
    match kept["vrsta"]:
        case "potpis":
            return SignatureRecord.from_dict(record)
        case "pecat":
            key = PublicKey.from_bytes(bytes.fromhex(record["javni_kljuc"]))
            return SealEvidence(record["seal"], identity_id=record["identity_id"], public_key=key)
        case "kvorum":
            key = PublicKey.from_bytes(bytes.fromhex(record["javni_kljuc"]))
            result = ThresholdResult.from_dict(record["result"]).signed
            assert result is not None
            of = {"session_id": record["session_id"], "identity_id": record["identity_id"]}
            return QuorumEvidence(result, public_key=key, **of)
    return VaultRecord.from_dict(record)


class State:
    """What a log shows at one size."""

    def __init__(self, log: dict[str, Any], state: dict[str, Any]) -> None:
        self.log, self.state = log, state
        by_hand = {"krunica": log["krunica_prefix"]}
        self.domain = Domain(log["domena"]) if log["domena"] else Domain(prefixes=by_hand)
        self.checkpoint = Checkpoint.from_json(json.dumps(state["checkpoint"]))
        self.chain: list[Entry] = list(Krunica.from_json(json.dumps(log["chain"][: self.checkpoint.size])))
        keys = [
            {name: value for name, value in key.items() if name != "seed_hex"} | {"javni_kljuc": public_key(key).hex}
            for key in state["ring"]["keys"]
        ]
        self.ring = PublicRing.from_json(json.dumps(state["ring"] | {"keys": keys}))

    def place(self, seq: int) -> PlaceProof:
        leaves = [log_leaf(entry) for entry in self.chain]
        assert tree_root(leaves).hex() == self.checkpoint.root
        return PlaceProof(self.checkpoint, self.chain[seq], tree_path(leaves, seq))

    def file(self, kept: dict[str, Any]) -> EvidenceFile:
        record, key, ring = record_of(kept), public_key(kept), self.place(self.state["ring_entry"])
        proof = self.ring.prove(key.hash)
        assert proof is not None
        assert ring.path == self.state["ring_path"]
        return EvidenceFile(
            record,
            domain=self.domain,
            name=self.log["domena"],
            place=self.place(kept["seq"]),
            ring=ring,
            key=proof,
            note=Note.parse(self.state["note"]),
            public_key=key if isinstance(record, VaultRecord) else None,
        )


def test_the_same_parts_give_the_same_files_and_reports() -> None:
    assert counts(ANSWERS) == {"witnesses": 3, "logs": 2}
    verdicts: set[VerdictKind] = set()
    files = 0
    witnesses = Witnesses([one["key"] for one in ANSWERS["witnesses"]], ANSWERS["needed"])
    for log in ANSWERS["logs"]:
        for state in (State(log, one) for one in log["states"]):
            stated = state.checkpoint
            said = log_fingerprint(state.domain, stated.origin, stated.identity_id, stated.public_key)
            assert said == log["fingerprint"]
            of: dict[str, Any] = {"log": said, "any_signer": True}
            if log["domena"] is None:
                of["domain"] = state.domain
            for kept, expected in zip(log["records"], state.state["files"], strict=True):
                document, made = bytes.fromhex(kept["document_hex"]), state.file(kept)
                assert sha3(made.to_json().encode()) == expected["json_sha3_256"], kept["vrsta"]
                members = made.to_dict()
                assert (members["key"], members["path"]) == (expected["key"], expected["path"])
                evidence = EvidenceFile.from_json(made.to_json()).open(witnesses=witnesses, **of)
                report = evidence.verify(document)
                assert report.to_dict() == expected["report"], kept["vrsta"]
                with pytest.raises(EvidenceError):
                    evidence.verify(document + b".")
                with pytest.raises(EvidenceError):
                    made.open(**of | {"log": "01" * 32})
                verdicts.add(report.as_of.verdict.kind)
                files += 1
    assert (files, verdicts) == (11, {VerdictKind.VALID, VerdictKind.REVOKED, VerdictKind.SUSPENDED})
