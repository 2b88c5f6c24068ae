"""A log as it is deployed: workers that run for long, replicas, tables that are remade, keys that are rotated."""

from __future__ import annotations

from pathlib import Path

from conftest import Project, made


def test_a_worker_that_runs_on_refuses_an_old_backup(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = """
import subprocess
from django.db import connection
from dualseal.operator import RefusedError
from dualseal.contrib.django.models import Chain
from django.conf import settings
who, words = sys.argv[1], sys.argv[2:]
def sign():
    with Chain.objects.step("main") as step: step.sign(who, b"contract")
sign()
connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.close()
database = settings.HOME / "db.sqlite3"
backup = database.read_bytes()
for argv in (words, ["manage.py", "dualseal_checkpoint", "main"]):
    subprocess.run([sys.executable, *argv], check=True, capture_output=True)
for left in settings.HOME.glob("db.sqlite3-*"): left.unlink()
database.write_bytes(backup)
for _ in range(2):
    try: sign()
    except RefusedError as error: print(error.name)
    else: raise SystemExit("it signed on the old copy")
"""
    said = project.run(script, project.identity_id, *project.issue(1, 3))
    assert said.split() == ["restored", "restored"]
