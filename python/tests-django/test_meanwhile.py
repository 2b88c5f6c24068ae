"""What an audit says of a log that goes on meanwhile."""

from __future__ import annotations

from pathlib import Path

from conftest import Project

# One process that signs and seals so many times.
WRITER = """import django, sys; django.setup()
from shop.models import Invoice, Receipt
for _ in range(int(sys.argv[2])):
    number = Invoice.objects.count() + 1
    Receipt.confirm(Invoice.issue(number, sys.argv[1], b"invoice"), "Ana")
"""
AUDITS = """
import subprocess
from django.db import connection
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain
who, writer = sys.argv[1:]
def write(count): return subprocess.Popen([sys.executable, "-c", writer, who, str(count)])
def audited():
    # Another process writes between the look under the lock and the end.
    report = audit(Chain.objects, "main", progress=lambda *_: write(1).wait())
    return report.entries, report.records, report.seals, *report.faults
assert write(2).wait() == 0
for expected in ((5, 2, 2), (7, 3, 3)):
    found = audited()
    assert found == expected, found
running, rounds = write(20), 0
while running.poll() is None:
    report, rounds = audit(Chain.objects, "main"), rounds + 1
    assert report.faults == [], report
assert (running.returncode, rounds > 1) == (0, True), rounds
PLANT = "INSERT INTO dualseal_record (krunica_hash, identity_id, is_vault, stored, chain_id) "
PLANT += "SELECT hash, identity_id, is_vault, stored, one.chain_id FROM dualseal_record one, dualseal_node two "
connection.cursor().execute(PLANT + "WHERE one.id = 1 AND two.level = 0 AND two.place = 0")
found = audited()
assert found == (49, 24, 24, "there are 25 records, of which 24 have an entry"), found
"""


def test_an_audit_holds_while_others_sign_and_seal(project: Project) -> None:
    project.run(AUDITS, project.identity_id, WRITER)


TIMES = """
from datetime import datetime
from dualseal.contrib.django import store
from dualseal.contrib.django.base import BackwardsError
from dualseal.contrib.django.models import Chain, Entry
who, later, earlier = sys.argv[1], "2036-11-21T09:00:00.500Z", "2036-11-21T09:00:00.499Z"
def append(time):
    with Chain.objects.step("main", time=time) as step: step.append(who, "a message")
def sign(time): Chain.objects.checkpoint("main", time=time)
append(later)
moment = datetime.fromisoformat(earlier)
for time in (earlier, round(moment.timestamp() * 1000), moment):
    for act in (append, sign):
        try: act(time)
        except BackwardsError as error: assert earlier in str(error) and later in str(error), error
        else: raise SystemExit(f"{act} at {time!r}")
assert Chain.objects.get().size == 2
for time in (None, later): append(time); sign(time)
assert [row.entry.time for row in Entry.objects.order_by("seq")][1:] == [later] * 3
print(Chain.objects.get().checkpoint.to_json())
# As a program would that does not ask.
store.now = lambda chain, batch, time: time
append(earlier)
"""


def test_no_time_goes_back(project: Project, tmp_path: Path) -> None:
    kept = tmp_path / "checkpoint.json"
    kept.write_text(project.run(TIMES, project.identity_id))
    for since in ([], ["--since", str(kept)]):
        said = project.manage("dualseal_audit", "main", *since)
        assert "Beware: 1 times go backwards, first that of entry 4." in said and "All of it holds." in said, said


LAST = """
import json
from django.db import connection
from dualseal import Entry as Made
from dualseal.contrib.django.models import Chain, Entry
from dualseal.contrib.django.store import BrokenError
from dualseal.contrib.django.testing import without_triggers
who, far = sys.argv[1], "9999-01-01T00:00:00.000Z"
def append():
    with Chain.objects.step("main") as step: step.append(who, "a message")
def later(row):
    return Made.from_json(json.dumps(json.loads(row.entry.to_json()) | {"t": far}))
def years(): return {row.entry.time[:2] for row in Entry.objects.filter(seq__lt=1000)}
for _ in range(3): append()
# What is put beside the chain, which meets no trigger: this process knows the log's state, and reads it no more.
row = Entry.objects.get(seq=3)
Entry.objects.create(chain_id=row.chain_id, seq=1000, krunica_hash="00" * 32, entry=later(row))
for _ in range(5): append()
assert years() == {"20"}, years()
# The last entry itself with another time, which its hash does not cover and the tree does: by odd and even sizes.
for _ in range(9):
    row = Entry.objects.filter(seq__lt=1000).order_by("-seq")[0]
    def put(entry):
        with without_triggers(), connection.cursor() as cursor:
            cursor.execute("UPDATE dualseal_entry SET entry = %s WHERE id = %s", [entry.to_bytes(), row.pk])
    put(later(row))
    try: append()
    except BrokenError as error: assert f"entry {row.seq}" in str(error), error
    else: raise SystemExit(f"after {row.seq}: {years()}")
    put(row.entry)
    append()
"""


def test_a_row_beside_the_chain_dates_nothing(project: Project) -> None:
    project.run(LAST, project.identity_id)
