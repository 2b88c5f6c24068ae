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


REPLICA = """
DATABASES["replica"] = DATABASES["default"] | {"NAME": HOME / "replica.sqlite3"}
DATABASE_ROUTERS = ["shop.routers.Replica"]
"""
ROUTER = """
class Replica:
    def db_for_read(self, model, **hints): return "replica"
    def db_for_write(self, model, **hints): return "default"
    def allow_relation(self, one, other, **hints): return True
"""


def test_a_replica_that_lags_is_asked_for_nothing(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    project.python(*project.issue(1, 1))
    project.run("from django.db import connection; connection.cursor().execute('PRAGMA wal_checkpoint(TRUNCATE)')")
    (project.folder / "replica.sqlite3").write_bytes((project.folder / "db.sqlite3").read_bytes())
    (project.folder / "shop/routers.py").write_text(ROUTER)
    settings = project.folder / "settings.py"
    settings.write_text(settings.read_text() + REPLICA)
    project.python(*project.issue(2, 2))
    script = """
from dualseal.contrib.django import conf
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain, Record
from dualseal.contrib.django.rings import RingStore
from dualseal.operator import Master
from shop.models import Invoice, Receipt
who, master = sys.argv[1], Master(conf.domain(), bytes(range(32)))
rings, ana = RingStore("main"), conf.domain().identity_id(b"", "ana", "")
assert rings.ring.revision == 1
Chain.objects.add_identity("main", ana)
assert rings.ring.revision == 2
with Chain.objects.step("main") as step:
    ticket = step.sign(ana, b"x")
    step.keep(master.seal(b"secret", table="t", row=b"1", purpose="p"))
receipt = Receipt.confirm(Invoice.objects.using("default").get(number=1), "Ana")
Chain.objects.checkpoint("main")
# As it is read from the replica: what is evidence is asked of the log itself.
old = Chain.objects.get()
assert old._state.db == "replica" and old.evidence(ticket.record) is not None and ana in old.public_ring
assert receipt.evidence() is not None
new = Chain.objects.using("default").get()
assert new.place(ticket.record.krunica_hash) is not None and len(list(new.json_lines())) == new.size == 7
report = audit(Chain.objects, "main")
assert (report.entries, report.records, report.seals, report.faults) == (7, 4, 1, []), report
assert Record.objects.count() == 1, "the replica was written to"
"""
    project.run(script, project.identity_id)
    project.manage("dualseal_rotate_key", "main", project.identity_id)
    project.manage("dualseal_audit", "main")
