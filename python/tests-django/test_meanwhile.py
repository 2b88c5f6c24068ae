"""What an audit says of a log that goes on meanwhile."""

from __future__ import annotations

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
