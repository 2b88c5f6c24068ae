"""The audit of docs/BULK.md over planted faults: each is found as what it is, and none is invented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from dualseal import SealVerifier
from dualseal.arrow import verify_seals

BULK = Path(__file__).parents[2] / "examples/bulk"
sys.path.append(str(BULK))

import make  # noqa: E402

# `cargo xtask assure columns` has a million.
ROWS = int(os.environ.get("DUALSEAL_BULK_ROWS", "20000"))
ENGINES = {"here": ["--threads", "2"], "spark": ["--spark", "local-cluster[2,1,1024]"]}
SUSPECTS, NO_END = 1, 2


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[make.Made, Path]:
    folder = tmp_path_factory.mktemp("bulk")
    return make.make(folder, ROWS), folder


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> tuple[make.Made, Path]:
    """One planted row of each kind, and its neighbours."""
    folder = tmp_path_factory.mktemp("few")
    return make.make(folder, 26 * make.PLANTED), folder


def audit(given: Path, out: Path, *options: str, log: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BULK / "audit.py"), str(given), str(out), "--log", str(log), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def given_again(folder: Path, to: Path, rows: pa.Table | None = None) -> Path:
    """What the operator gave, once more, with other rows."""
    (to / "seals").mkdir(parents=True)
    for name in ("ring.json", "checkpoint.json"):
        (to / name).write_text((folder / "given" / name).read_text())
    pq.write_table(rows_of(folder) if rows is None else rows, to / "seals/rows.parquet")
    return to


def rows_of(folder: Path) -> pa.Table:
    return pq.read_table(folder / "given/seals")


@pytest.mark.parametrize("engine", ENGINES)
def test_every_planted_fault_is_found(made: tuple[make.Made, Path], tmp_path: Path, engine: str) -> None:
    world, folder = made
    out = tmp_path / "out"
    ended = audit(folder / "given", out, *ENGINES[engine], log=folder / "log.json")
    assert ended.returncode == SUSPECTS, ended.stderr[-4000:]
    summary = json.loads((out / "summary.json").read_text())
    print(engine, summary)
    assert summary["rows"] == ROWS

    suspects = pq.read_table(out / "suspects").sort_by("id")
    told = {row["id"]: row for row in suspects.select(["id", "verdict", "reason", "error", "watched"]).to_pylist()}
    assert len(told) == suspects.num_rows == summary["suspects"]
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


def without_faults(few: tuple[make.Made, Path], *but: str) -> pa.Table:
    """The rows that are valid, and those that were planted as one of these."""
    world, folder = few
    faults = [row["id"] for row in world.expected if row["verdict"] not in but]
    rows = rows_of(folder)
    return rows.filter(pc.invert(pc.is_in(rows["id"], pa.array(faults))))


def test_where_every_row_is_valid_none_is_a_suspect(few: tuple[make.Made, Path], tmp_path: Path) -> None:
    _, folder = few
    rows = without_faults(few)
    ended = audit(given_again(folder, tmp_path / "given", rows), tmp_path / "out", log=folder / "log.json")
    assert ended.returncode == 0, ended.stderr[-4000:]
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    assert (summary["rows"], summary["suspects"], summary["verdicts"]) == (rows.num_rows, 0, {"valid": rows.num_rows})


@pytest.mark.parametrize(
    ("form", "engine"),
    [
        *((form, "here") for form in (pa.string(), pa.string_view(), pa.large_binary(), pa.binary_view())),
        (pa.dictionary(pa.int8(), pa.string()), "here"),
        (pa.binary(64), "here"),
        (pa.binary(32), "here"),
        (pa.binary(32), "spark"),
    ],
    ids=str,
)
def test_decoys_alone_are_suspects_in_every_column(
    few: tuple[make.Made, Path], tmp_path: Path, form: pa.DataType, engine: str
) -> None:
    """To the workers they are valid, so that only the watched identities tell them."""
    world, folder = few
    rows = without_faults(few, "decoy")
    ids = rows["identity_id"].to_pylist()
    if form == pa.binary(64):
        column = pa.array([identity.encode() for identity in ids], form)
    elif pa.types.is_dictionary(form):
        column = pa.array(ids).dictionary_encode().cast(form)
    elif form in (pa.string(), pa.string_view()):
        column = pa.array(ids, form)
    else:
        column = pa.array([bytes.fromhex(identity) for identity in ids], form)
    given = given_again(folder, tmp_path / "given", rows.set_column(1, "identity_id", column))
    ended = audit(given, tmp_path / "out", *ENGINES[engine], log=folder / "log.json")
    assert ended.returncode == SUSPECTS, ended.stderr[-4000:]
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    decoys = [row["id"] for row in world.expected if row["verdict"] == "decoy"]
    assert decoys and (summary["suspects"], summary["verdicts"]) == (len(decoys), {"valid": rows.num_rows})
    assert pq.read_table(tmp_path / "out/suspects")["id"].to_pylist() == decoys


def test_what_did_not_come_to_its_end_is_told_from_suspects(few: tuple[make.Made, Path], tmp_path: Path) -> None:
    _, folder = few
    log = json.loads((folder / "log.json").read_text())
    upper = tmp_path / "upper.json"
    upper.write_text(json.dumps(log | {"watched": [identity.upper() for identity in log["watched"]]}))
    no_seal = given_again(folder, tmp_path / "no_seal", rows_of(folder).drop(["seal"]))
    empty = given_again(folder, tmp_path / "empty")
    (empty / "seals/rows.parquet").unlink()
    for name, given, of, word in (
        ("column", no_seal, folder / "log.json", "seal"),
        ("files", empty, folder / "log.json", "no Parquet file"),
        ("nowhere", folder / "given", tmp_path / "nowhere.json", "nowhere.json"),
        # It would be the identity of no row, and its rows no suspects.
        ("upper", folder / "given", upper, "is no identity"),
    ):
        ended = audit(given, tmp_path / name, log=of)
        assert ended.returncode == NO_END and word in ended.stderr, (name, ended.stderr[-4000:])
        assert not (tmp_path / name / "summary.json").exists()


def test_the_pins_do_not_come_from_whom_they_judge(few: tuple[make.Made, Path], tmp_path: Path) -> None:
    """Somebody who writes the folder signs everything anew, in a log of his own."""
    _, folder = few
    forged = tmp_path / "forged"
    make.make(forged, make.PLANTED)
    ended = audit(forged / "given", tmp_path / "out", log=folder / "log.json")
    assert ended.returncode == NO_END and "invalid: pin" in ended.stderr, ended.stderr[-4000:]
    (forged / "given/log.json").write_text((forged / "log.json").read_text())
    link = tmp_path / "log.json"
    link.symlink_to(forged / "given/log.json")
    for pins in (forged / "given/log.json", link):
        ended = audit(forged / "given", tmp_path / "out", log=pins)
        assert ended.returncode == NO_END and "lies in" in ended.stderr, ended.stderr[-4000:]
    assert not (tmp_path / "out/summary.json").exists()


def test_a_ring_that_the_checkpoint_does_not_state_is_refused(few: tuple[make.Made, Path], tmp_path: Path) -> None:
    _, folder = few
    forged = given_again(folder, tmp_path / "given")
    ring = json.loads((forged / "ring.json").read_text())
    revoked = [key for key in ring["keys"] if key["bela_stanje"] == "laz"]
    assert revoked
    revoked[0]["bela_stanje"] = "istina"
    revoked[0]["povijest"] = revoked[0]["povijest"][:1]
    # Otherwise the ring contradicts itself, and is refused for that.
    revoked[0]["opozvan_od"] = None
    (forged / "ring.json").write_text(json.dumps(ring))
    ended = audit(forged, tmp_path / "out", log=folder / "log.json")
    assert ended.returncode == NO_END and "it was edited" in ended.stderr, ended.stderr[-4000:]
    assert not (tmp_path / "out/summary.json").exists()
