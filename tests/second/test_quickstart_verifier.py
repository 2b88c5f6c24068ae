"""The command verify_quickstart.py, over a quickstart that the second implementation writes itself."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import verify_quickstart
from conftest import CONTENT, FIRST_SEED, RING_KEY, Deployment
from dualseal_second import krunica, primitives, ring, signature
from dualseal_second.domain import Domain

Files = dict[str, Any]


def quickstart_files(deployment: Deployment) -> Files:
    key = deployment.ring["keys"][0]
    info = {name: key[name] for name in ("identity_id", "javni_kljuc", "algoritam", "bela_stanje", "generirano")}
    verdicts = {"as signed": deployment.verdict(), "other content": ("invalid", "istina", "content")}
    for state in ("laz", "oboje", "nijedno"):
        deployment.set_state(state)
        verdicts[f"state {state}"] = deployment.verdict()
    deployment.set_state("istina")
    verdicts["stranger"] = deployment.verdict(identity_id="0" * 64)
    results: dict[bool, list[Any]] = {True: [], False: []}
    for public, items in results.items():
        for case, verdict in verdicts.items():
            record = deployment.record | ({"identity_id": "0" * 64} if case == "stranger" else {})
            # The kind tells a decoy from a pass, so it is the operator's alone.
            kind = {} if public else {"kind": verdict[0]}
            items.append({"case": case, "result": signature.result(record, verdict, public=public)} | kind)
    deployment.rotate()
    identity = {"content": "someone", "creator": "notary", "context": "2026", "domain": "DUALSEAL"}
    return {
        "public/identity.json": identity | {"identity_id": deployment.identity},
        "public/keypair.json": info,
        "public/record.json": deployment.record,
        "public/chain.json": deployment.chain,
        "public/checkpoint.json": checkpoint(deployment),
        "public/ring.json": ring.public(deployment.domain, RING_KEY, deployment.ring),
        "public/results.json": results[True],
        "operator/ring.json": deployment.ring,
        "operator/results.json": results[False],
        "operator/ring-key.hex": RING_KEY.hex(),
        "operator/seed.hex": FIRST_SEED.hex(),
    }


def checkpoint(deployment: Deployment) -> dict[str, Any]:
    """By a log with a key of its own."""
    seed, head = bytes([7]) * 32, krunica.heads(deployment.chain)[-1]
    fields = head.stated() | {
        "origin": deployment.ring["origin"],
        "time": "2026-11-21T11:00:00.000Z",
        "identity_id": "b" * 64,
        "algoritam": "ML-DSA-65",
        "javni_kljuc": primitives.public_key_of_seed(seed).hex(),
    }
    statement = krunica.checkpoint_statement(Domain.named("DUALSEAL"), fields)
    return fields | {"potpis": primitives.sign(seed, statement).hex()}


def run(directory: Path, files: Files, content: bytes = CONTENT) -> int:
    for name, value in files.items():
        path = directory / "out" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value + "\n" if isinstance(value, str) else json.dumps(value, indent=2), encoding="utf-8")
    (directory / "signed.txt").write_bytes(content)
    return verify_quickstart.main([str(directory / "out"), str(directory / "signed.txt")])


def test_a_good_quickstart_passes(
    deployment: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, quickstart_files(deployment)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok  ") for line in lines[:-1])
    assert lines[-1] == f"all {len(lines) - 1} checks hold"


def edit(name: str, *path: str | int, value: Any) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        target = files[name]
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value

    return apply


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (edit("public/identity.json", "creator", value="notary2"), "identity_id"),
        (edit("public/identity.json", "identity_id", value="0" * 64), "identity_id"),
        (edit("public/identity.json", "domain", value="ACME"), "identity_id"),
        (edit("public/record.json", "timestamp", value="2026-11-21T10:02:00.000Z"), "no entry of the chain"),
        (edit("public/record.json", "krunica_hash", value="0" * 64), "no entry of the chain"),
        (edit("public/record.json", "potpis", value="00" * 3309), "potpis"),
        (edit("public/record.json", "verzija", value="2"), "verzija"),
        (edit("public/chain.json", 1, "poruka", value="0" * 64), "entry 1: h"),
        (edit("public/chain.json", 2, "prev", value="0" * 128), "entry 2: prev"),
        (edit("public/chain.json", 2, "t", value="2026-11-21T10:06:00.000Z"), "rotation"),
        (edit("public/ring.json", "revision", value=9), "public form"),
        (edit("operator/ring.json", "origin", value="other"), "RingForged"),
        (edit("operator/ring.json", "keys", 1, "generirano", value="2026-11-21T10:09:00.000Z"), "RingForged"),
        (edit("public/keypair.json", "generirano", value="2026-11-21T10:09:00.000Z"), "generirano"),
        (edit("public/results.json", 1, "result", "razlog", value="content"), "case other content"),
        (edit("public/results.json", 3, "result", "bela_stanje", value="oboje"), "case state oboje"),
        (edit("public/results.json", 4, "result", "validan", value=False), "case state nijedno"),
        (edit("operator/results.json", 0, "result", "validan", value=False), "case as signed"),
        (edit("operator/results.json", 5, "result", "bela_stanje", value="istina"), "case stranger"),
        (lambda files: files.update({"operator/seed.hex": "11" * 32}), "seed"),
        (lambda files: files.update({"operator/ring-key.hex": "11" * 32}), "RingForged"),
        (lambda files: files.update({"public/notes.json": FIRST_SEED.hex()}), "secret"),
        (lambda files: files.pop("public/record.json"), "missing"),
    ],
)
def test_the_first_difference_is_named(
    deployment: Deployment,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Files], None],
    expected: str,
) -> None:
    files = copy.deepcopy(quickstart_files(deployment))
    change(files)
    assert run(tmp_path, files) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("DIFFERENT  ") and expected in last


def test_other_content_and_missing_files_are_told(
    deployment: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = quickstart_files(deployment)
    assert run(tmp_path, files, CONTENT + b"!") == 1
    assert "sadrzaj_hash" in capsys.readouterr().out.splitlines()[-1]
    assert verify_quickstart.main([str(tmp_path / "absent"), str(tmp_path / "signed.txt")]) == 2
    assert verify_quickstart.main([]) == 2
