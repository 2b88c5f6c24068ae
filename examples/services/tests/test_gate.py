"""A release is put in place by deploy.sh, or ends where it fails: the steps that were taken, and what runs then."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import BACKENDS, backend_named
from harness.configuration import Backend
from harness.machine import DEPLOY, WHOLE, Machine
from harness.postgres import Postgres
from harness.trustd import Trustd, program

def test_a_release_is_put_in_place_and_back(machine: Machine) -> None:
    assert machine.deploy(str(machine.release("first"))) == WHOLE
    assert machine.deploy(str(machine.release("second"))) == WHOLE
    assert machine.runs() == "second" and machine.restarts() == ["restart trustd"] * 2

    def differs() -> str:
        return Trustd.command("integrity", "diff", "--config", str(machine.config)).stdout

    # What came through the gate raises nothing, and a change behind it does.
    assert differs().startswith("as it was signed")
    back = machine.deploy("--roll-back")
    assert back == ["roll-back", "compare", "gate releases", "sign", "turn", "restart", "done"]
    assert machine.runs() == "first" and differs().startswith("as it was signed")
    with (machine.folder / "root/current/bin/trustd").open("a") as program_of:
        program_of.write("# somebody else's\n")
    assert differs().startswith("changed\t")
    # Nothing is put in place that would not run.
    (machine.folder / "installed").write_text("#!/bin/sh\n")
    elsewhere = {"DEPLOY_PROGRAM": str(machine.folder / "installed")}
    assert machine.deploy(str(machine.folder / "second"), ends=False, more=elsewhere) == ["elsewhere"]
    # A link to what runs now would go on running it.
    (machine.folder / "linked").symlink_to((machine.folder / "root/current").resolve() / "bin/trustd")
    elsewhere = {"DEPLOY_PROGRAM": str(machine.folder / "linked")}
    assert machine.deploy(str(machine.folder / "second"), ends=False, more=elsewhere) == ["elsewhere"]
    # What was changed is not gone back to.
    machine.deploy(str(machine.release("third")))
    assert machine.deploy("--roll-back", ends=False) == ["roll-back", "compare", "failed"]
    assert machine.runs() == "third"


@pytest.mark.parametrize("fails", ["module", "settings", "migration", "portal", "link", "late"])
def test_what_fails_goes_no_further(machine: Machine, fails: str) -> None:
    machine.deploy(str(machine.release("good")))
    before = machine.restarts()
    script, portal, expected = "", "false", ["stage", "hash", "gate staging", "failed"]
    if fails == "module":
        script = "echo 'error while loading shared libraries: libmodule.so' >&2; exit 127"
    elif fails == "late":
        # It runs in staging, and not in its place.
        script = f'case $0 in */staging/*) exec {program()} "$@" ;; esac; exit 1'
        expected = [*WHOLE[:5], "failed"]
    elif fails == "settings":
        machine.config.write_text(machine.config.read_text() + "\n[rate]\nburst = 0\n")
    elif fails == "migration":
        # The last of them runs again, over what it made.
        with sqlite3.connect(machine.folder / "data/trustd.sqlite") as database:
            database.execute("DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)")
    bad = machine.release("bad", script)
    if fails == "portal":
        (bad / "portal").mkdir()
        portal = "false"
    elif fails == "link":
        (bad / "bin/more").symlink_to("/etc/passwd")
        expected = ["stage", "failed"]
    assert machine.deploy(str(bad), ends=False, portal=portal) == expected
    assert machine.runs() == "good" and machine.restarts() == before


@pytest.mark.parametrize("fails", ["restart", "well"])
def test_what_does_not_come_up_is_turned_back(machine: Machine, fails: str) -> None:
    for name in ("first", "second"):
        machine.deploy(str(machine.release(name)))
    if fails == "restart":
        machine.instead("systemctl", f'echo "$@" >>{machine.folder}/systemctl.log; exit 1')
    else:
        (machine.folder / "well").unlink()
    before = len(machine.restarts())
    steps = [*WHOLE[:8], "gate releases", "turn-back", "sign", "failed"]
    if fails == "restart":
        steps.insert(-1, "not-started")
    assert machine.deploy(str(machine.release("third")), ends=False) == steps
    assert machine.runs() == "second"
    assert machine.restarts()[before:] == ["restart trustd", "stop trustd", "restart trustd"]
    assert Trustd.command("integrity", "diff", "--config", str(machine.config)).stdout.startswith("as it was signed")
    # The way back is the one that it was.
    (machine.folder / "well").touch()
    machine.instead("systemctl", "true")
    machine.deploy("--roll-back")
    assert machine.runs() == "first"


def test_nothing_is_turned_back_over_a_schema_that_it_does_not_know(machine: Machine) -> None:
    machine.deploy(str(machine.release("first")))
    database = machine.folder / "data/trustd.sqlite"
    # A later program: its gate says so, its start migrates, and it is never well.
    says = 'case "$*" in *gate) echo "migrations: ok, the schema changes"; exit 0 ;; esac; exit 1'
    done = "INSERT INTO _sqlx_migrations VALUES (9999, 'of a later one', 0, TRUE, x'00', 0)"
    migrates = f'import sqlite3\nwith sqlite3.connect("{database}") as one:\n    one.execute("{done}")\n'
    (machine.folder / "migrates.py").write_text(migrates)
    migrates = f'case "$1" in restart) {sys.executable} {machine.folder}/migrates.py ;; esac'
    machine.instead("systemctl", f'echo "$@" >>{machine.folder}/systemctl.log\n{migrates}')
    (machine.folder / "well").unlink()
    before = len(machine.restarts())
    steps = [*WHOLE[:5], "backup", *WHOLE[5:8], "gate releases", "stays", "failed"]
    assert machine.deploy(str(machine.release("second", says)), ends=False) == steps
    assert machine.runs() == "second" and machine.restarts()[before:] == ["restart trustd", "start trustd"]
    [backup] = (machine.folder / "backups").iterdir()
    assert (backup / "backup.json").exists()
    assert machine.deploy("--roll-back", ends=False) == ["roll-back", "compare", "gate releases", "failed"]
    # Where what was there before is back, so is the way.
    for more in ("-wal", "-shm"):
        database.with_name(database.name + more).unlink(missing_ok=True)
    shutil.copy(backup / "trustd.sqlite", database)
    machine.instead("systemctl", "true")
    (machine.folder / "well").touch()
    assert "turn" in machine.deploy("--roll-back") and machine.runs() == "first"


def test_whoever_dies_meanwhile_leaves_a_way_back(machine: Machine) -> None:
    root = machine.folder / "root"
    machine.deploy(str(machine.release("first")))
    [sums] = (root / "releases").glob("*.sums")
    # Who put the bytes there died before their sums were there.
    sums.unlink()
    machine.deploy(str(machine.folder / "first"))
    machine.instead("mv", 'case "$*" in *root/current) exit 1 ;; esac; exec /bin/mv "$@"')
    assert machine.deploy(str(machine.release("second")), ends=False)[-2:] == ["turn", "failed"]
    assert machine.runs() == "first" and "# first" in (root / "previous/bin/trustd").read_text()
    machine.instead("mv", 'exec /bin/mv "$@"')
    machine.deploy(str(machine.folder / "second"))
    machine.deploy("--roll-back")
    assert machine.runs() == "first"


def test_a_new_program_has_no_key(machine: Machine) -> None:
    stolen = machine.folder / "stolen"
    key = (machine.folder / "deployer.pem").read_text()
    machine.deploy(str(machine.release("first")))
    thief = f'case "$*" in *gate) cat >>{stolen} ;; esac\nexec {program()} "$@"'
    assert machine.deploy(str(machine.release("second", thief)), key="-", given=key) == WHOLE
    assert machine.deploy(str(machine.release("third"))) == WHOLE
    machine.deploy("--roll-back")
    # Whoever is gone back to ran here.
    assert machine.signed_by() == ["first", "first", "second", "second"] and stolen.read_text() == ""


def test_a_link_that_comes_with_the_copy_is_seen(machine: Machine) -> None:
    machine.deploy(str(machine.release("good")))
    machine.instead("cp", '/bin/cp "$@" && ln -s /etc/passwd "$3/bin/more"')
    assert machine.deploy(str(machine.release("bad")), ends=False) == ["stage", "failed"]
    assert machine.runs() == "good"


def test_the_gate_changes_nothing(machine: Machine) -> None:
    def whole() -> dict[str, bytes]:
        files = [path for path in (machine.folder / "data").rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}

    before = whole()
    done = Trustd.command("gate", "--config", str(machine.config))
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert [line.split(":")[0] for line in said] == ["settings", "master", "migrations", "modules"]
    assert said[2] == "migrations: ok, the schema stays"
    assert whole() == before


def test_the_gate_says_that_the_schema_changes(machine: Machine) -> None:
    database, first = machine.folder / "data/trustd.sqlite", min((DEPLOY.parent / "migrations").iterdir())
    with sqlite3.connect(database) as made:
        [table] = made.execute("SELECT sql FROM sqlite_schema WHERE name = '_sqlx_migrations'").fetchone()
        row = made.execute("SELECT * FROM _sqlx_migrations WHERE version = 1").fetchone()
    database.unlink()
    with sqlite3.connect(database) as made:
        made.executescript(f"{first.read_text()};{table}")
        made.execute("INSERT INTO _sqlx_migrations VALUES (?, ?, ?, ?, ?, ?)", row)
    done = Trustd.command("gate", "--config", str(machine.config))
    assert "migrations: ok, the schema changes\n" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", [BACKENDS[1]])
def test_the_gate_copies_the_schema_of_a_server(
    name: str, request: pytest.FixtureRequest, make: Callable[..., Trustd]
) -> None:
    with backend_named(name, request) as backend:
        service = make(backend)
        service.run("init")
        server: Postgres = request.getfixturevalue("postgres_server")
        server.allow_databases()
        assert "modules:" in service.run("gate")
        with server.connect("postgres") as admin:
            left = admin.execute("SELECT datname FROM pg_database WHERE datname LIKE 'trustd\\_gate%'").fetchall()
        assert left == []
        # Who serves copies nothing.
        alone = {key: value for key, value in backend.settings.items() if key != "database_owner"}
        serving = make(Backend("postgres", alone), name="serving")
        said = serving.run("gate")
        assert "not tried" in said and "modules:" in said
        with server.connect(str(backend.settings["database"]).rpartition("/")[2]) as admin:
            admin.execute("DELETE FROM _sqlx_migrations WHERE version > 1")
        done = serving.command("gate", "--config", str(serving.config))
        assert done.returncode == 2 and "`database_owner`" in done.stderr and len(done.stderr.splitlines()) == 1


def test_units_have_nothing_that_systemd_complains_of(tmp_path: Path) -> None:
    units = [Path(shutil.copy(unit, tmp_path)) for unit in DEPLOY.iterdir() if unit.suffix in (".service", ".timer")]
    assert len(units) == 3
    for unit in units:
        unit.write_text(unit.read_text().replace("/usr/local/bin/trustd", str(program())))
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
