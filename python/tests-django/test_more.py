"""Rings for who verifies, keys that are elsewhere, tables of one's own, and what is seen at a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from dualseal import Checkpoint

from conftest import Project, made
from test_vaults import VAULT

ELSEWHERE = """
DUALSEAL |= {
    "RING_KEY": {"credential": "ring"},
    "SIGNING_KEYS": {"callable": "shop.elsewhere.signing"},
    "MARK": {"callable": "shop.elsewhere.marks"},
}
"""
CALLABLES = """
import json
from pathlib import Path
from django.conf import settings
from dualseal import SigningKey

def signing(identity_id):
    path = settings.HOME / "vault.json"
    seeds = json.loads(path.read_text()) if path.exists() else {}
    return SigningKey.from_seed(bytes.fromhex(seeds[identity_id])) if identity_id in seeds else None

class Marks:
    def read(self, name):
        path = settings.HOME / f"{name}.elsewhere"
        return path.read_text() if path.exists() else None
    def write(self, name, text):
        (settings.HOME / f"{name}.elsewhere").write_text(text)

marks = Marks

def ring_key(): return bytes([8]) * 32
"""
OWN = """
from django.db import models
from dualseal.contrib.django import base

class Ledger(base.AbstractChain):
    keeper = models.CharField(max_length=9, default="ana")

def chain(name): return models.ForeignKey(Ledger, models.PROTECT, related_name=name)

class Line(base.AbstractEntry):
    chain = chain("entries")
class Node(base.AbstractNode):
    chain = chain("nodes")
class RingRow(base.AbstractRingRow):
    chain = chain("ring_rows")
class Record(base.AbstractRecord):
    chain = chain("records")
class Secret(base.AbstractSecret):
    chain = chain("secrets")
"""
KEPT = """
class Kept(base.AbstractKept):
    chain = chain("kept")
"""
OWN_MIGRATION = """
from django.db import migrations
from dualseal.contrib.django.operations import AppendOnly
class Migration(migrations.Migration):
    dependencies = [("own", "0001_initial")]
    operations = [AppendOnly(name) for name in ("Line", "Node", "Record", "Kept")]
"""


# By a process that ends before it raises the mark.
TRAP = "import django, sys; django.setup()\n" + VAULT + """
from dualseal.contrib.django import store
store._after_ring_change = lambda *_: None
sealed(b'one')
"""


def test_a_ring_is_read_again_where_it_changed(project: Project) -> None:
    (project.folder / "shop/elsewhere.py").write_text(CALLABLES)
    project.python(*project.issue(1, 1))
    script = """
import json, subprocess
from django.conf import settings
from django.db import connection
from django.test import override_settings
from dualseal import VerdictKind
from dualseal.contrib.django import operations
from dualseal.operator import RefusedError
from dualseal.contrib.django.models import Chain, Record, RingRow
from dualseal.contrib.django.rings import RingStore
who, words, words_of_trap = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
rings, record = RingStore("main"), Record.objects.first().record
def verdict(): return rings.verifier().verify(record=record, signer=who, content=b"invoice 1").kind
def elsewhere(*words): subprocess.run([sys.executable, *words], check=True, capture_output=True)
first = rings.ring
assert verdict() == VerdictKind.VALID and rings.ring is first and first.revision == 1
elsewhere(*words)
assert rings.ring is first, "what was signed changes no ring"
# A trap, whose row has no revision, is told by its count alone where the mark was not raised.
elsewhere("-c", words_of_trap, who)
trapped = rings.ring
assert trapped is not first and (first.decoy_count, trapped.decoy_count) == (0, 1) and trapped.revision == 1
# The mark vouches for the ring, and the ring key for all of it.
with Chain.objects.step("main") as step: step.append(who, "said")
assert rings.ring is trapped
elsewhere("manage.py", "dualseal_checkpoint", "main")
marked = rings.ring
assert marked is not trapped and rings.ring is marked
with override_settings(DUALSEAL=settings.DUALSEAL | {"RING_KEY": {"callable": "shop.elsewhere.ring_key"}}):
    try: rings.ring
    except RefusedError as error: print(error.name)
    else: raise SystemExit("another ring key")
assert rings.ring is not marked and rings.ring.revision == 1
before = Chain.objects.values("state", "ring_seal", "size", "checkpoint_json").get(), list(RingRow.objects.values())
elsewhere("manage.py", "dualseal_rotate_key", "main", who)
second = rings.ring
assert second is not first and second.revision == 2 and first.revision == 1
# By the key that is retired, and without its place.
assert verdict() == VerdictKind.INVALID
# Whoever writes the database puts back what it was before.
Chain.objects.update(**before[0])
for row in before[1]: RingRow.objects.filter(pk=row["id"]).update(json=row["json"])
def refused():
    try: rings.ring
    except RefusedError as error: print(error.name)
    else: raise SystemExit("an old ring")
refused()
# Even with all entries since: the mark is not in the database.
with connection.cursor() as c:
    for statement in operations.drop(connection.vendor, "dualseal_entry"): c.execute(statement)
    c.execute(f"DELETE FROM dualseal_entry WHERE seq >= {before[0]['size']}")
refused()
refused()
"""
    said = project.run(script, project.identity_id, json.dumps(project.issue(2, 1)), TRAP)
    assert said.split() == ["state-edited", "chain-longer", "restored", "restored"]


def test_keys_and_marks_that_are_elsewhere(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    (project.folder / "shop/elsewhere.py").write_text(CALLABLES)
    settings = project.folder / "settings.py"
    settings.write_text(settings.read_text() + ELSEWHERE)
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    assert "systemd gives 'ring'" in project.manage("check", code=1)
    project.environment["CREDENTIALS_DIRECTORY"] = str(credentials)
    ring_key = credentials / "ring"
    ring_key.touch(0o600)
    ring_key.write_text("07" * 32 + "\n")
    script = """
import json
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain
from shop.models import Invoice
who = conf.domain().identity_id(b"", "ana", "elsewhere")
assert conf.signing_keys()(who) is None
(conf.settings.HOME / "vault.json").write_text(json.dumps({who: "09" * 32}))
Chain.objects.found("other", origin="shop.example/other", identity_id=who)
with Chain.objects.step("other") as step: ticket = step.sign(who, b"x")
Invoice.objects.create(number=1, issuer=who, pdf=b"x", record=ticket.row)
Chain.objects.checkpoint("other")
assert ticket.record.identity_id == who
print(who)
"""
    who = project.run(script).strip()
    assert "2 entries, 1 records; signatures: 1 valid" in project.manage("dualseal_audit", "other")
    assert "other.elsewhere" in os.listdir(project.folder)
    # The command draws into a folder; what is elsewhere is rotated there.
    assert "rotated by it" in project.manage("dualseal_rotate_key", "other", who, code=1)
    # The group's bit is the mask of an access list, by which systemd lets the service's user read it.
    ring_key.chmod(0o440)
    assert "no issues" in project.manage("check")
    ring_key.chmod(0o444)
    assert "dualseal.E002" in project.manage("check", code=1)


def test_each_setting_is_looked_at(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = """
from django.conf import settings
from django.core.checks import run_checks
from django.test import override_settings
home, whole = settings.HOME, settings.DUALSEAL
wrong = [
    ({"CACHE_BYTES": 4096}, "E005"), ({"CACHE_BYTES": "much"}, "E005"), ({"DOMAIN": "a:b"}, "E001"),
    ({"RING_KEY": {"file": home / "ring.key", "credential": "ring"}}, "E002"), ({"RING_KEY": "ring.key"}, "E002"),
    ({"RING_KEY": {"callable": "shop.nowhere.at_all"}}, "E002"),
    ({"RING_KEY": {"callable": "shop.models.nothing"}}, "E002"),
    ({"SIGNING_KEYS": {"folder": home / "manage.py"}}, "E003"), ({"MARK": {"credential": "mark"}}, "E004"),
]
assert run_checks() == []
for change, number in wrong:
    with override_settings(DUALSEAL=whole | change):
        found = [one.id for one in run_checks()]
        # A domain is part of other keys, too.
        assert found[:1] == ["dualseal." + number] and (len(found) == 1 or "DOMAIN" in change), (change, found)
with override_settings(DUALSEAL=None):
    assert {one.id for one in run_checks()} >= {f"dualseal.E00{n}" for n in range(1, 6)}
"""
    project.run(script)


def test_what_takes_long_shows_a_bar_at_a_terminal(project: Project) -> None:
    project.python(*project.issue(1, 3))
    for words, what in (("dualseal_audit", "of 4 entries"), ("dualseal_lint_ids", "of 1 identities")):
        primary, terminal = os.openpty()
        argv = [sys.executable, "manage.py", words, "main"]
        plain = subprocess.run(argv, cwd=project.folder, env=project.environment, capture_output=True, check=True)
        assert b"%" not in plain.stderr
        subprocess.run(argv, cwd=project.folder, env=project.environment, stderr=terminal, check=True)
        os.close(terminal)
        seen = os.read(primary, 1 << 16).decode()
        os.close(primary)
        assert "100%" in seen and what in seen and "###" in seen


def test_the_button_on_a_records_page_verifies_it(project: Project) -> None:
    project.python(*project.issue(1, 2))
    script = """
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
from django.db import connection
from dualseal.contrib.django import operations
from dualseal.contrib.django.models import Record
client, key = Client(enforce_csrf_checks=False), Record.objects.order_by("pk").first().pk
client.force_login(User.objects.create_superuser("ana", "", "x"))
page, button = f"/admin/dualseal/record/{key}/change/", f"/admin/dualseal/record/{key}/verify/"
assert f'action="{button}"'.encode() in client.get(page).content
answer = client.post(button, follow=True)
assert [str(one).split(": ")[1] for one in answer.context["messages"]] == ["valid"], answer.context["messages"]
# Another's record in its row is none of it, whoever signed that, and what does not read breaks no page.
with connection.cursor() as c:
    for statement in operations.drop(connection.vendor, "dualseal_record"): c.execute(statement)
    other = f"(SELECT stored FROM dualseal_record WHERE id <> {key})"
    c.execute(f"UPDATE dualseal_record SET stored = {other} WHERE id = {key}")
def said(): return [str(one).split(": ")[1] for one in client.post(button, follow=True).context["messages"]]
assert said() == ["its record is another's"], said()
with connection.cursor() as c: c.execute("UPDATE dualseal_record SET stored = krunica_hash")
assert said() == ["its record does not read"], said()
# Nothing is done for who only looks, for a stranger, or for one who may not see records.
assert client.get(button).status_code == 405
assert client.post("/admin/dualseal/record/none/verify/").status_code == 302
bob = User.objects.create_user("bob", "", "x", is_staff=True)
other = Client(); other.force_login(bob)
assert other.post(button).status_code == 403
assert "/login/" in Client().post(button).url
"""
    project.run(script)


def test_migrations_are_what_the_models_are(project: Project) -> None:
    assert "No changes" in project.manage("makemigrations", "--check", "--dry-run", "dualseal")


def test_tables_of_ones_own(project: Project) -> None:
    own = project.folder / "own"
    own.mkdir()
    (own / "__init__.py").touch()
    (own / "models.py").write_text(OWN)
    settings = project.folder / "settings.py"
    settings.write_text(settings.read_text() + 'INSTALLED_APPS += ["own"]\n')
    assert "own.Ledger: no model refers to it as kept" in project.manage("check", code=1)
    (own / "models.py").write_text(OWN + KEPT)
    project.manage("makemigrations", "own")
    (own / "migrations/0002_append_only.py").write_text(OWN_MIGRATION)
    project.manage("migrate", "-v0")
    script = """
from django.db import DatabaseError, connection
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.rings import RingStore
from own.models import Ledger
who = sys.argv[1]
log = Ledger.objects.found("own", origin="shop.example/own", identity_id=who)
with Ledger.objects.step("own") as step: ticket = step.sign(who, b"x")
Ledger.objects.checkpoint("own")
assert log.keeper == "ana" and ticket.row.chain == log
assert Ledger.objects.get().place(ticket.record.krunica_hash).entry.seq == 1
verdict = RingStore("own", chains=Ledger.objects).verifier().verify(record=ticket.record, signer=who, content=b"x")
verdict.verified()
report = audit(Ledger.objects, "own")
assert (report.entries, report.records, report.faults) == (2, 1, []), report
try: connection.cursor().execute("UPDATE own_line SET seq = 9")
except DatabaseError as error: assert "are appended" in str(error)
else: raise SystemExit("changed")
"""
    project.run(script, project.identity_id)
    # The commands as they are of the other log.
    own_log = ("--chains", "own.Ledger")
    said = project.manage("dualseal_init", "second", "--origin", "o.example/2", "--creator", "Ana", *own_log)
    [second] = re.findall(r"^identity ([0-9a-f]{64})$", said, re.MULTILINE)
    before = (project.folder / f"keys/{second}.pem").read_text()
    project.manage("dualseal_rotate_key", "second", second, *own_log)
    assert (project.folder / f"keys/{second}.pem").read_text() != before
    assert Checkpoint.from_json(project.manage("dualseal_checkpoint", "second", *own_log)).origin == "o.example/2"
    assert "2 entries, 0 records" in project.manage("dualseal_audit", "second", *own_log)
    assert "2 entries, 1 records; signatures: 1 valid" in project.manage("dualseal_audit", "own", *own_log)
    assert "0 nodes were taken away, and 0 put there" in project.manage("dualseal_mend_tree", "own", *own_log)
    # What has 32 bytes in a log's tables is a hash, or an identity of its own ring.
    project.manage("dualseal_lint_ids", "second", *own_log)
    project.manage("dualseal_lint_ids", "main")
    assert "there is no log 'own'" in project.manage("dualseal_audit", "own", code=1)
    for wrong, said in (("own.Line", "derives from no AbstractChain"), ("own.None", "no such"), ("own", "no such")):
        assert said in project.manage("dualseal_audit", "own", "--chains", wrong, code=1)
