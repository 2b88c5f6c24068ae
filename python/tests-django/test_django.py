"""`dualseal.contrib.django`, as the project of docs/DJANGO.md has it."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest
from dualseal import Checkpoint

from conftest import Project, made

RAW = "from django.db import connection\nwith connection.cursor() as c: c.execute(sys.argv[1])\n"
DROP = """
from django.db import connection
from dualseal.contrib.django import operations
with connection.cursor() as c:
    for table in ("dualseal_entry", "dualseal_node", "dualseal_record", "dualseal_kept"):
        for statement in operations.drop(connection.vendor, table): c.execute(statement)
"""
COUNTS = """
from dualseal.contrib.django.models import Chain, Entry, Record
from shop.models import Invoice
print(Chain.objects.get().size, Entry.objects.count(), Record.objects.count(), Invoice.objects.count())
"""


def counts(project: Project) -> list[int]:
    return [int(number) for number in project.run(COUNTS).split()]


def test_eight_processes_write_without_a_fork(project: Project) -> None:
    started = [project.start(*project.issue(first, 100)) for first in range(0, 800, 100)]
    for process in started:
        out, err = process.communicate(timeout=300)
        assert (process.returncode, len(out.split())) == (0, 100), err
    assert counts(project) == [801, 801, 800, 800]
    assert "801 entries, 800 records; signatures: 800 valid" in project.manage("dualseal_audit", "main")


def test_killed_in_the_middle_it_loses_nothing_that_it_said(project: Project) -> None:
    moments, promised = random.Random(7), 0
    for kill in range(6):
        process = project.start(*project.issue(kill * 1000, 1000))
        assert process.stdout
        process.stdout.readline()
        time.sleep(moments.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        promised += 1 + len(process.communicate()[0].split())
        assert process.returncode == -signal.SIGKILL
    size, entries, records, invoices = counts(project)
    assert size == entries == records + 1 == invoices + 1
    # One of each kill may have been written and not been said.
    assert promised <= records <= promised + 6
    project.manage("dualseal_audit", "main")


@pytest.mark.parametrize("statement", [
    "UPDATE dualseal_entry SET seq = 99 WHERE seq = 1",
    "DELETE FROM dualseal_node WHERE level = 0",
    "UPDATE dualseal_record SET is_vault = true",
])  # fmt: skip
def test_the_database_refuses_changes_of_a_log(project: Project, statement: str) -> None:
    project.python(*project.issue(1, 2))
    assert "are appended" in project.run(RAW, statement, code=1)
    row = "dualseal_record SELECT id, krunica_hash, identity_id, is_vault, stored, chain_id FROM dualseal_record"
    columns = "(id, krunica_hash, identity_id, is_vault, stored, chain_id)"
    if not project.is_postgresql:
        # Of the same id, and of another under which the same handle stands.
        for place in ("id", "id + 100"):
            replaced = row.replace("_record SELECT id", f"_record {columns} SELECT {place}")
            assert "are appended" in project.run(RAW, f"INSERT OR REPLACE INTO {replaced}", code=1)
    else:
        assert "are appended" in project.run(RAW, "TRUNCATE dualseal_node CASCADE", code=1)
    project.manage("dualseal_audit", "main")


@pytest.mark.parametrize(("statement", "fault"), [
    ("UPDATE dualseal_entry SET krunica_hash = (SELECT hash FROM dualseal_node WHERE level = 0 AND place = 0) "
     "WHERE seq = 2", "entry 2: its columns say otherwise"),
    ("DELETE FROM shop_invoice; DELETE FROM dualseal_record WHERE id = 2", "entry 2: its record is missing"),
    ("UPDATE dualseal_record SET stored = (SELECT stored FROM dualseal_record WHERE id = 1) WHERE id = 2", "another's"),
    ("UPDATE dualseal_node SET hash = (SELECT hash FROM dualseal_node WHERE place = 0 AND level = 0) "
     "WHERE level = 1 AND place = 0", "node 1/0 of the tree"),
    ("UPDATE dualseal_entry SET entry = (SELECT hash FROM dualseal_node WHERE level = 0 AND place = 0) WHERE seq = 2",
     "entry 2: its row does not read"),
    ("UPDATE dualseal_chain SET state = replace(state, '4', '5')", "the log is refused"),
    ("DELETE FROM dualseal_entry WHERE seq = 3", "the log is refused (chain-cut)"),
    ("UPDATE dualseal_ringrow SET json = replace(json, 'a', 'b')", "the log is refused"),
])  # fmt: skip
def test_without_its_triggers_the_audit_names_a_change(project: Project, statement: str, fault: str) -> None:
    project.python(*project.issue(1, 3))
    project.run(DROP)
    for one in statement.split("; "):
        project.run(RAW, one)
    assert fault in project.manage("dualseal_audit", "main", code=1)


def test_a_block_that_raises_leaves_nothing(project: Project) -> None:
    script = """
from django.db import transaction
from dualseal.contrib.django.models import Chain
from shop.models import Invoice
who = sys.argv[1]
try:
    with Chain.objects.step("main") as step:
        step.sign(who, b"x")
        1 / 0
except ZeroDivisionError: pass
try:
    with transaction.atomic():
        with Chain.objects.step("main") as step: step.sign(who, b"x")
        1 / 0
except ZeroDivisionError: pass
with Chain.objects.step("main"): pass
Invoice.issue(1, who, b"one")
"""
    project.run(script, project.identity_id)
    assert counts(project) == [2, 2, 1, 1]
    project.manage("dualseal_audit", "main")


def test_no_checkpoint_is_signed_in_a_transaction_that_may_be_rolled_back(project: Project) -> None:
    script = """
from django.db import transaction
from dualseal.contrib.django.models import Chain
try:
    with transaction.atomic():
        with Chain.objects.step("main") as step: step.sign(sys.argv[1], b"x")
        Chain.objects.checkpoint("main")
except RuntimeError as error: assert "durable" in str(error), error
else: raise SystemExit("it was signed")
"""
    project.run(script, project.identity_id)
    # The log goes on, in a process that has seen nothing of it.
    project.manage("dualseal_checkpoint", "main")
    project.manage("dualseal_audit", "main")


def test_two_steps_in_one_transaction(project: Project) -> None:
    script = """
from django.db import transaction
from dualseal import SigningKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain
from shop.models import Invoice
ana, key = conf.domain().identity_id(b"", "ana", ""), SigningKey.generate()
path = conf.signing_keys().path(ana)
path.touch(0o600); path.write_text(key.to_pkcs8_pem())
with transaction.atomic():
    with Chain.objects.step("main") as step: step.add_key(ana, key.public_key)
    with Chain.objects.step("main") as step: ticket = step.sign(ana, b"one")
    Invoice.objects.create(number=1, issuer=ana, pdf=b"one", record=ticket.row)
assert ticket.record.identity_id == ana
signed = Chain.objects.checkpoint("main")
proof = Chain.objects.get().place(ticket.record.krunica_hash)
assert proof.entry.seq == 2 and proof.checkpoint == signed
"""
    project.run(script)
    assert "3 entries" in project.manage("dualseal_audit", "main")


def test_an_old_backup_is_refused(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    database = project.folder / "db.sqlite3"
    project.run("from django.db import connection; connection.cursor().execute('PRAGMA wal_checkpoint(TRUNCATE)')")
    backup = database.read_bytes()
    project.python(*project.issue(1, 3))
    project.manage("dualseal_checkpoint", "main")
    for left in project.folder.glob("db.sqlite3-*"):
        left.unlink()
    database.write_bytes(backup)
    assert "(restored)" in project.manage("dualseal_audit", "main", code=1)
    assert "RefusedError" in project.python(*project.issue(9, 1), code=1)


def test_keys_are_rotated_and_what_they_signed_holds(project: Project, tmp_path: Path) -> None:
    project.python(*project.issue(1, 2))
    kept = tmp_path / "checkpoint.json"
    kept.write_text(project.manage("dualseal_checkpoint", "main"))
    assert Checkpoint.from_json(kept.read_bytes()).size == 3
    before = (project.folder / f"keys/{project.identity_id}.pem").read_text()
    project.manage("dualseal_rotate_key", "main", project.identity_id)
    assert (project.folder / f"keys/{project.identity_id}.pem").read_text() != before
    project.python(*project.issue(3, 2))
    said = project.manage("dualseal_audit", "main")
    assert "6 entries, 4 records; signatures: 4 valid" in said
    assert "3 entries, 2 records" in project.manage("dualseal_audit", "main", "--since", str(kept))


def test_checks_name_what_is_wrong(project: Project) -> None:
    assert "no issues" in project.manage("check")
    key = project.folder / f"keys/{project.identity_id}.pem"
    key.chmod(0o644)
    assert "dualseal.E003" in project.manage("check", code=1)
    key.chmod(0o600)
    settings = project.folder / "settings.py"
    whole = settings.read_text()
    lines = 'DATABASES["default"] = {"ENGINE": "django.db.backends.sqlite3", "NAME": HOME / "x"}\nUSE_TZ = False\n'
    settings.write_text(whole + lines + 'DUALSEAL["MARKS"] = 1\n')
    said = project.manage("check", code=1)
    assert all(number in said for number in ("E002", "E006", "W001")), said
    assert "has no 'MARKS'" in said
    settings.write_text(whole + lines)
    project.manage("migrate", "-v0", "--skip-checks")
    assert "transaction_mode" in project.run(
        "from dualseal.contrib.django.models import Chain\nwith Chain.objects.step('main'): pass", code=1
    )


def test_models_and_fields_hold_their_forms(project: Project) -> None:
    project.python(*project.issue(1, 1))
    script = """
from django.core.exceptions import ValidationError
from django.core import serializers
from dualseal import MalformedError, SignatureRecord, Seal
from dualseal.contrib.django import fields
from dualseal.contrib.django.base import AppendOnlyError
from dualseal.contrib.django.models import Entry, Record, Node
from shop.models import Invoice
row = Invoice.objects.get()
assert isinstance(row.record.record, SignatureRecord) and row.record.record.identity_id == row.issuer
assert Invoice.objects.filter(issuer=row.issuer).count() == 1
row.full_clean()
def refused(kind, call):
    try: call()
    except kind: return
    raise AssertionError("not refused")
entry = Entry.objects.first()
for call in (entry.save, entry.delete, Entry.objects.all().delete, lambda: Entry.objects.update(seq=1),
             lambda: Entry.objects.bulk_create([entry], update_conflicts=True, unique_fields=["id"]),
             lambda: Record.objects.bulk_update([], []), lambda: Node.objects.update_or_create(level=1)):
    refused(AppendOnlyError, call)
for stored in (b"", b"x", bytes(33)): refused(MalformedError, lambda: fields.IdentityIdField().from_db_value(stored))
for value in ("A" * 64, "0" * 63, b"0"): refused(ValidationError, lambda: fields.IdentityIdField().to_python(value))
for field in (fields.SignatureRecordField(), fields.SealField(), fields.EntryField()):
    for value in (b"", b"DSB1", "{}", 7): refused(ValidationError, lambda: field.to_python(value))
    assert field.to_python(None) is None and field.get_prep_value(None) is None
seal = Seal.parse("SEAL-L5::" + "00" * 64)
assert fields.SealField().to_python(str(seal)) == fields.SealField().to_python(seal.to_bytes()) == seal
for model in (Invoice, Entry):
    text = serializers.serialize("json", model.objects.all())
    [back, *_] = serializers.deserialize("json", text)
    assert back.object == model.objects.first()
    for field in model._meta.concrete_fields:
        assert getattr(back.object, field.attname) == getattr(model.objects.first(), field.attname), field
"""
    project.run(script)


def test_identities_that_the_ring_does_not_know_are_named(project: Project) -> None:
    project.python(*project.issue(1, 1))
    project.manage("dualseal_lint_ids", "main")
    project.run("from shop.models import Invoice; Invoice.objects.update(issuer='ab' * 32)")
    assert f"shop.Invoice.issuer: {'ab' * 32}" in project.manage("dualseal_lint_ids", "main", code=1)


def test_the_admin_shows_and_verifies_and_changes_nothing(project: Project) -> None:
    project.python(*project.issue(1, 2))
    script = """
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
from dualseal.contrib.django.models import Entry, Record
client = Client()
client.force_login(User.objects.create_superuser("ana", "", "x"))
assert b"::SIGNED::" in client.get("/admin/dualseal/entry/").content
first = Entry.objects.first().pk
assert client.get(f"/admin/dualseal/entry/{first}/change/").status_code == 200
assert client.post(f"/admin/dualseal/entry/{first}/delete/", {"post": "yes"}).status_code == 403
assert client.get("/admin/dualseal/record/add/").status_code == 403
chosen = {"action": "verify", "_selected_action": [row.pk for row in Record.objects.all()]}
answer = client.post("/admin/dualseal/record/", chosen, follow=True)
assert [str(one).split(": ")[1] for one in answer.context["messages"]] == ["valid", "valid"]
"""
    project.run(script)


def test_the_fixture_founds_a_log_in_the_tests_transaction(project: Project) -> None:
    (project.folder / "test_shop.py").write_text("""
import pytest
from django.test import TransactionTestCase
from dualseal.contrib.django.models import Chain, Entry
from dualseal.contrib.django.testing import EmptiesLog, founded_log
from shop.models import Invoice

pytest_plugins = ["dualseal.contrib.django.pytest_plugin"]

@pytest.mark.parametrize("time", [1, 2])
def test_issue(dualseal_log, time):
    assert Chain.objects.count() == 1
    Invoice.issue(1, dualseal_log.identity_id, b"x")
    assert Entry.objects.count() == 2

class Emptied(EmptiesLog, TransactionTestCase):
    def test_issue(self):
        import tempfile, pathlib
        with tempfile.TemporaryDirectory() as folder, founded_log(pathlib.Path(folder)) as log:
            Invoice.issue(1, log.identity_id, b"x")
    test_again = test_issue
""")
    assert "4 passed" in project.python("-m", "pytest", "-q", "--ds=settings", "test_shop.py")
