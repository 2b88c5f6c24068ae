"""The audit of docs/BULK.md over planted faults: each is found as what it is, and none is invented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dualseal import SealVerifier
from dualseal.arrow import verify_seals

BULK = Path(__file__).parents[2] / "examples/bulk"
sys.path.append(str(BULK))

import make  # noqa: E402

# `cargo xtask assure columns` has a million.
ROWS = int(os.environ.get("DUALSEAL_BULK_ROWS", "20000"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[make.Made, Path]:
    folder = tmp_path_factory.mktemp("bulk")
    return make.make(folder, ROWS), folder


@pytest.mark.parametrize("engine", ["here", "spark"])
def test_every_planted_fault_is_found(made: tuple[make.Made, Path], tmp_path: Path, engine: str) -> None:
    world, folder = made
    out = tmp_path / "out"
    options = ["--threads", "2"] if engine == "here" else ["--spark", "local-cluster[2,1,1024]"]
    command = [sys.executable, str(BULK / "audit.py"), str(folder), str(out), *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr[-4000:]
    summary = json.loads((out / "summary.json").read_text())
    print(engine, summary)
    assert summary["rows"] == ROWS

    suspects = pq.read_table(out / "suspects").sort_by("id")
    told = {row["id"]: row for row in suspects.select(["id", "verdict", "reason", "error", "watched"]).to_pylist()}
    assert len(told) == suspects.num_rows
    expected: dict[int, tuple[str, str | None]] = {row["id"]: (row["verdict"], row["reason"]) for row in world.expected}
    kinds = {*expected.values()}
    assert len(world.expected) >= ROWS // make.PLANTED - ROWS // make.PLANTED // 24 - 1 and len(kinds) >= 10
    assert told.keys() == expected.keys()
    for number, row in told.items():
        verdict, reason = expected[number]
        if verdict == "decoy":
            assert (row["verdict"], row["watched"]) == ("valid", True)
        else:
            assert (row["verdict"], row["reason"]) == (verdict, reason), number
            assert (row["error"] is not None) == (verdict == "malformed" or reason == "place-foreign"), number
    counted = {verdict: number for verdict, number in summary["verdicts"].items() if verdict != "valid"}
    workers = [row["verdict"] for row in told.values() if row["verdict"] != "valid"]
    assert counted == {verdict: workers.count(verdict) for verdict in {*workers}}

    # The operator's own ring says what the suspects are, decoys among them.
    operator = SealVerifier(world.world.domain, world.world.ring)
    place: dict[str, Any] = {"place": "place", "checkpoint": make.log_of(world.world)}
    again = pa.table(verify_seals(operator, suspects, policy="layer_b", keep=["id"], **place))
    found = zip(*(again[name].to_pylist() for name in ("id", "verdict", "reason")), strict=True)
    assert {number: (verdict, reason) for number, verdict, reason in found} == expected


def test_a_ring_that_the_checkpoint_does_not_state_is_refused(made: tuple[make.Made, Path], tmp_path: Path) -> None:
    _, folder = made
    forged = tmp_path / "given"
    forged.mkdir()
    (forged / "seals").symlink_to(folder / "seals")
    for name in ("checkpoint.json", "log.json"):
        (forged / name).write_text((folder / name).read_text())
    ring = json.loads((folder / "ring.json").read_text())
    revoked = [key for key in ring["keys"] if key["bela_stanje"] == "laz"]
    assert revoked
    revoked[0]["bela_stanje"] = "istina"
    revoked[0]["povijest"] = revoked[0]["povijest"][:1]
    (forged / "ring.json").write_text(json.dumps(ring))
    command = [sys.executable, str(BULK / "audit.py"), str(forged), str(tmp_path / "out")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode not in (0,) and "Error" in ended.stderr and not (tmp_path / "out/summary.json").exists()
