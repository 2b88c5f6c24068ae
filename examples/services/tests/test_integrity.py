"""Files that are watched: beside AIDE over a tree of 2,000, and at the address that shows how they stand."""

from __future__ import annotations

import json
import os
import platform
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Make
from harness import configuration, process
from harness.http import answer, problem
from harness.load import identity
from harness.nodes import until
from harness.trustd import Trustd, program

STATUS = "/api/v1/integrity/status"
SEED = 20261127
NOBODY = 65534
WORDS = {"added", "removed", "changed"}


def test_aide_beside_it_finds_the_same(tmp_path: Path) -> None:
    assert process.is_root(), "files are given to others"
    draw = random.Random(SEED)
    tree, files = planted(tmp_path / "tree", draw)
    config = watched(tmp_path, [str(tree), f"{tree}/**"])
    database = tmp_path / "aide.db"
    rules = tmp_path / "aide.conf"
    rules.write_text(
        f"database_in=file:{database}\ndatabase_out=file:{database}\nreport_format=json\nreport_url=stdout\n"
        f"{tree} p+u+g+ftype+l+sha512\n"
    )
    assert subprocess.run(["aide", f"--config={rules}", "--init"], capture_output=True).returncode == 0
    run(config, "sign", "--key", str(tmp_path / "deployer.pem"))
    assert found_by_aide(rules) == found(config) == {word: set() for word in WORDS}
    for change in (content, mode, owner, link, other_kind, gone, new):
        for path in [files.pop(draw.randrange(len(files))) for _ in range(25)]:
            change(path)
    (tree / "7").chmod(0o700)
    seen = found(config)
    assert seen == found_by_aide(rules)
    assert [len(seen[word]) for word in ("changed", "added", "removed")] == [5 * 25 + 1, 2 * 25, 25]
    # What is accepted is well, and the rest is not.
    accepted = sorted(seen["changed"])[0]
    run(config, "accept", "--key", str(tmp_path / "deployer.pem"), accepted)
    assert found(config)["changed"] == seen["changed"] - {accepted}


def test_a_baseline_that_was_tampered_with_is_said(make: Make, tmp_path: Path) -> None:
    assert process.is_root(), "the pinned key is root's"
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/a").write_text("one")
    config = watched(tmp_path, [f"{tmp_path}/tree/*"])
    settings = settings_of(tmp_path, [f"{tmp_path}/tree/*"]) | {"every": "1s"}
    service = make(configuration.local(), {"integrity": settings}).start()
    noble = service.client(service.token(identity(service.client(service.first_token()), "office"), "noble", "ops"))
    problem(service.client().get(STATUS), 401, "no-token")

    def stands(word: str) -> dict[str, Any]:
        until(lambda: answer(noble.get(STATUS))["status"] == word, lambda: noble.get(STATUS).text)
        return dict(answer(noble.get(STATUS)))

    until(lambda: answer(noble.get(STATUS))["modules"] == 1, lambda: noble.get(STATUS).text)
    assert "there is none" in stands("unsigned")["reason"]
    (tmp_path / "tree/a").write_text("two")
    [anomaly] = stands("anomaly")["anomalies"]
    assert (anomaly["type"], anomaly["label"], anomaly["path"]) == ("hash_anomaly", "TAMPER", f"{tmp_path}/tree/a")
    run(config, "sign", "--key", str(tmp_path / "deployer.pem"))
    assert stands("ok")["signed"]
    # The proxied address is the same one.
    assert answer(noble.get("/integrity/status"))["status"] == "ok"
    problem(service.client().get("/vault/"), 401, "no-token")
    manifest = tmp_path / "manifest"
    manifest.write_text(manifest.read_text().replace('"number":1', '"number":2', 1))
    said = stands("anomaly")
    assert not said["signed"] and "does not hold" in said["reason"]
    native = service.client(service.token("0f" * 32, "native", "trust"))

    def told() -> list[str]:
        alarms = answer(native.get("/api/v1/dsa/alarms"))["items"]
        return [one["subject"] for one in alarms if one["kind"] == "integrity"]

    each = {f"{platform.node()}:{path}" for path in (manifest, tmp_path / "tree/a")}
    until(lambda: set(told()) == each, lambda: str(told()))
    assert len(told()) == 2


def test_the_program_is_watched_unless_files_are_named(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "trustd"
    shutil.copy(program(), copy)
    monkeypatch.setenv("TRUSTD", str(copy))
    service = make(configuration.local(), {"integrity": {"files": [], "every": "1s"}}).start()
    noble = service.client(service.token(identity(service.client(service.first_token()), "office"), "noble", "ops"))
    until(lambda: answer(noble.get(STATUS))["modules"] == 1, lambda: noble.get(STATUS).text)
    copy.chmod(0o700)
    until(lambda: answer(noble.get(STATUS))["anomalies"], lambda: noble.get(STATUS).text)
    assert [one["path"] for one in answer(noble.get(STATUS))["anomalies"]] == [str(copy)]


def planted(tree: Path, draw: random.Random) -> tuple[Path, list[Path]]:
    """2,000 names: in 40 folders files, and links among them."""
    paths = []
    for number in range(1960):
        path = tree / str(number % 40) / f"{number:04d}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(draw.randbytes(draw.randrange(4096)))
        paths.append(path)
    return tree, paths


def content(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")


def mode(path: Path) -> None:
    path.chmod(0o4711)


def owner(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY)


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


def other_kind(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def gone(path: Path) -> None:
    path.unlink()


def new(path: Path) -> None:
    folder = path.with_name(f"{path.name}-new")
    folder.mkdir()
    (folder / "file").write_text("new")


def settings_of(folder: Path, files: list[str]) -> dict[str, Any]:
    """What a service's file says of them, with the pin of a key that was drawn."""
    return {"files": files, "manifest": str(folder / "manifest"), "key_file": str(folder / "pin")}


def watched(folder: Path, files: list[str]) -> Path:
    """A file of settings for the commands."""
    config = folder / "watched.toml"
    configuration.write(config, {"data": str(folder / "none"), "integrity": settings_of(folder, files)})
    (folder / "pin").write_text(run(config, "key", str(folder / "deployer.pem")))
    (folder / "pin").chmod(0o644)
    return config


def run(config: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    done = Trustd.command("integrity", *arguments, "--config", str(config))
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def found(config: Path) -> dict[str, set[str]]:
    """What `trustd integrity diff` finds."""
    lines = [line.split("\t") for line in run(config, "diff", codes=(0, 1)).splitlines() if "\t" in line]
    words = {"missing": "removed"}
    return {word: {line[1] for line in lines if words.get(line[0], line[0]) == word} for word in WORDS}


def found_by_aide(rules: Path) -> dict[str, set[str]]:
    """What AIDE finds."""
    done = subprocess.run(["aide", f"--config={rules}", "--check"], capture_output=True, text=True)
    assert done.returncode < 8, done.stdout + done.stderr
    said = json.loads(done.stdout)
    return {word: set(said.get(word, {})) for word in WORDS}
