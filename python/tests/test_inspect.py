"""What a text is, and what is wrong with its form."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from dualseal import (
    Checkpoint,
    DualsealError,
    Entry,
    Finding,
    Krunica,
    MalformedError,
    PublicRing,
    Seal,
    SealKey,
    Sealer,
    SignatureRecord,
    inspect,
)

from conftest import Deployment, Log, minute


@pytest.fixture
def texts(deployment: Deployment, log: Log) -> dict[str, str]:
    key = SealKey.derive(deployment.domain, bytes([9]) * 32, deployment.identity)
    sealer = Sealer(deployment.domain, deployment.identity, key, deployment.key)
    return {
        "signature record": deployment.signed.record.to_json(),
        "chain entry": deployment.signed.entry.to_json(),
        "chain": deployment.chain.to_json(),
        "chain (JSON lines)": deployment.chain.to_json_lines(),
        "checkpoint": log.sign(deployment.head).to_json(),
        "key ring": deployment.ring.public().to_json(),
        "ring file": deployment.file(),
        "key pair info": json.dumps(deployment.ring.info(deployment.identity)),
        "verification result": deployment.verify().internal().to_json(),
        "dual seal": str(sealer.seal(b"hi")),
        "legacy seal": str(sealer.seal_legacy(b"hi")),
    }


def test_every_kind_is_known(texts: dict[str, str]) -> None:
    versions = {"signature record": "1", "checkpoint": "2", "dual seal": "SEAL-DUAL", "legacy seal": "SEAL-L5"}
    counts = {"chain": 2, "chain (JSON lines)": 2, "key ring": 1, "ring file": 1}
    for kind, text in texts.items():
        for form in (text, text.encode(), memoryview(text.encode())):
            found = inspect(form)
            assert (found.kind, found.findings) == (kind, [])
            assert (found.version, found.count) == (versions.get(kind), counts.get(kind))


def test_what_is_unknown() -> None:
    cases: list[tuple[str | bytes, int]] = [("", 112), ("[1", 112), ("{}", 107), ("7", 111), ("SEAL-X", 107)]
    for text, code in [*cases, (b"\xff", 102)]:
        found = inspect(text)
        assert (found.kind, found.version, found.count) == ("unknown", None, None)
        assert [finding.code for finding in found.findings] == [code]
    with pytest.raises(MalformedError):
        inspect("\ud800")
    with pytest.raises(TypeError):
        inspect({})  # type: ignore[arg-type]


def test_every_bad_field_is_named(texts: dict[str, str]) -> None:
    members = json.loads(texts["signature record"])
    members |= {"potpis": "00", "verzija": "2", "extra": 1}
    del members["timestamp"]
    found = inspect(json.dumps(members))
    assert (found.kind, found.version) == ("signature record", "2")
    assert {(finding.field, finding.code) for finding in found.findings} == {
        ("potpis", 100),
        ("verzija", 107),
        ("timestamp", 108),
        ("signature record", 109),
    }


def test_a_finding_is_what_the_reader_raises(texts: dict[str, str], deployment: Deployment) -> None:
    readers: dict[str, Any] = {
        "signature record": SignatureRecord.from_json,
        "chain entry": Entry.from_json,
        "checkpoint": Checkpoint.from_json,
        "key ring": PublicRing.from_json,
        "ring file": deployment.resume,
        "dual seal": Seal.parse,
        "legacy seal": Seal.parse,
        "chain": Krunica.from_json,
        "chain (JSON lines)": Krunica.from_json_lines,
    }
    for kind, reader in readers.items():
        # Digits in the midst of others, so that no number is broken and the text stays JSON.
        bad = re.sub("(?<=[0-9a-f])0(?=[0-9a-f])", "G", texts[kind]).replace("ML-DSA", "RSA")
        with pytest.raises(DualsealError) as caught:
            reader(bad)
        found = inspect(bad)
        assert found.kind == kind
        raised = caught.value
        assert (raised.code, str(raised)) in {(finding.code, finding.message) for finding in found.findings}


def test_the_first_bad_entry_of_a_chain(deployment: Deployment) -> None:
    deployment.chain.append(deployment.domain, deployment.identity, "paid", minute(8))
    entries = deployment.chain.to_list()
    entries[1]["poruka"] = "refused"
    found = inspect(json.dumps(entries))
    assert (found.kind, found.count) == ("chain", 3)
    [finding] = found.findings
    assert (finding.code, finding.field, finding.index) == (203, None, 1)
    assert finding.message == "chain entry 1 was altered: its hash does not match"
    [again] = inspect(json.dumps(entries)).findings
    assert isinstance(again, Finding)
    assert again == finding


def test_the_first_500_findings_are_told_and_the_rest_counted() -> None:
    ring = json.dumps({"keys": [0] * 1200, "origin": "o", "revision": 1})
    found = inspect(ring)
    assert (found.kind, found.count) == ("key ring", 1200)
    assert (len(found.findings), found.omitted) == (500, 700)
    assert inspect("[]").omitted == 0
