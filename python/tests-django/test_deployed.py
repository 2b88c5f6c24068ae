"""A log as it is deployed: workers that run for long, replicas, tables that are remade, keys that are rotated."""

from __future__ import annotations

from pathlib import Path

from conftest import Project, made
from test_django import DROP, RAW


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
Invoice.objects.create(number=9, issuer=ana, pdf=b"x", record=ticket.row)
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
# What the project itself reads from the replica for a sealed row, and is not there, is named.
Receipt.confirm(Invoice.objects.using("default").get(number=2), "Eva")
[fault] = audit(Chain.objects, "main").faults
assert "it does not read: Invoice matching query" in fault, fault
"""
    project.run(script, project.identity_id)
    project.manage("dualseal_rotate_key", "main", project.identity_id)


REMAKE = """
from django.db import connection, models
from dualseal.contrib.django.models import Entry
# As a later migration does it, for most of what it may change of a table.
with connection.schema_editor() as editor: editor._remake_table(Entry)
"""
ENTRY = (
    "INSERT INTO dualseal_entry (seq, krunica_hash, entry, chain_id) "
    "SELECT -1, (SELECT hash FROM dualseal_node LIMIT 1), entry, chain_id FROM dualseal_entry WHERE seq = 1"
)
NODE = (
    "INSERT INTO dualseal_node (level, place, hash, chain_id) "
    "SELECT 0, 4, hash, chain_id FROM dualseal_node WHERE level = 0 AND place = 1"
)


def test_a_table_that_lost_its_triggers_is_named(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    migration = next((project.folder / "shop/migrations").glob("0001*.py"))
    migration.with_name("0002_kept.py").write_text(f"""
from django.db import migrations
from dualseal.contrib.django.operations import AppendOnly
class Migration(migrations.Migration):
    dependencies = [("shop", "{migration.stem}")]
    operations = [AppendOnly("Receipt"), AppendOnly("Receipt")]
""")
    check = ("check", "--database", "default")
    assert "shop.Receipt: no trigger" in project.manage(*check)
    # Once more at the end of another migration, it makes them anew.
    project.manage("migrate", "-v0")
    assert "no issues" in project.manage(*check)
    project.manage("dualseal_audit", "main")
    project.run(REMAKE)
    assert "dualseal.Entry: no trigger" in project.manage(*check)
    assert "dualseal.Entry: no trigger" in project.manage("dualseal_audit", "main", code=1)


# Each with the statements of one change.
OF_SQLITE = [
    ['DROP TRIGGER "dualseal_entry_no_update"'],
    ['DROP TRIGGER "dualseal_entry_no_delete"'],
    ['DROP TRIGGER "dualseal_entry_no_replace"'],
    [
        'DROP TRIGGER "dualseal_entry_no_delete"',
        'CREATE TRIGGER "dualseal_entry_no_delete" BEFORE DELETE ON "dualseal_entry" BEGIN SELECT 1; END',
    ],
]
REPLACED = [
    "DROP TRIGGER dualseal_append_only ON dualseal_entry",
    "CREATE TRIGGER dualseal_append_only BEFORE {} ON dualseal_entry FOR EACH ROW {} "
    "EXECUTE FUNCTION dualseal_append_only()",
]
OF_POSTGRESQL = [
    ["DROP TRIGGER dualseal_append_only ON dualseal_entry"],
    ["DROP TRIGGER dualseal_no_truncate ON dualseal_entry"],
    ["ALTER TABLE dualseal_entry DISABLE TRIGGER dualseal_append_only"],
    ["ALTER TABLE dualseal_entry DISABLE TRIGGER dualseal_no_truncate"],
    [
        "CREATE OR REPLACE FUNCTION dualseal_append_only() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN RETURN NEW; END $$",
    ],
    [one.format("UPDATE", "") for one in REPLACED],
    [one.format("UPDATE OR DELETE", "WHEN (OLD.seq > 99)") for one in REPLACED],
    [one.format("DELETE OR UPDATE OF seq", "") for one in REPLACED],
]
REMADE = """
from django.db import connection
from dualseal.contrib.django import operations
from dualseal.contrib.django.models import Entry
operations.lift("default", [Entry])()
"""


def test_each_trigger_is_asked_for_and_what_it_does(project: Project) -> None:
    check = ("check", "--database", "default")
    for change in OF_POSTGRESQL if project.is_postgresql else OF_SQLITE:
        assert "dualseal.Entry" not in project.manage(*check), change
        for statement in change:
            project.run(RAW, statement)
        assert "dualseal.Entry: no trigger" in project.manage(*check), change
        # Made anew, it is whole.
        project.run(REMADE)
    assert "All of it holds" in project.manage("dualseal_audit", "main")


def test_a_database_that_shows_what_was_is_named(postgresql: Project) -> None:
    check, settings = ("check", "--database", "default"), postgresql.folder / "settings.py"
    assert "E010" not in postgresql.manage(*check)
    whole = settings.read_text()
    for options in ({"isolation_level": 3}, {"options": "-c default_transaction_isolation=serializable"}):
        settings.write_text(f"{whole}DATABASES['default']['OPTIONS'] = {options}\n")
        assert "dualseal.E010" in postgresql.manage(*check, code=1)


def test_the_audit_counts_what_is_beside_the_chain(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    project.python(*project.issue(1, 3))
    project.manage("dualseal_audit", "main")
    project.run(RAW, NODE)
    said = project.manage("dualseal_audit", "main", code=1)
    assert "there are 5 nodes of level 0 in the tree, and the log has 4" in said
    project.run(DROP)
    for statement, fault in (
        ("UPDATE dualseal_chain SET size = 9", "the log's row says 9 entries, and its state 4"),
        (ENTRY, "there are 5 entries, and the log has 4"),
        ("DELETE FROM dualseal_node WHERE level > 0", "of the tree is missing"),
    ):
        project.run(RAW, statement)
        said = project.manage("dualseal_audit", "main", code=1)
        assert fault in said and "Traceback" not in said, said
    for command in ("audit", "checkpoint", "lint_ids"):
        assert "there is no log 'other'" in project.manage(f"dualseal_{command}", "other", code=1)


def test_what_a_retired_key_signed_holds_at_once(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = """
from django.core.management import call_command
from dualseal import HashedContent, KeyState, VerdictKind
from dualseal.contrib.django import conf, store
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain
from dualseal.contrib.django.rings import RingStore
from shop.models import Invoice
ana, eva = (conf.domain().identity_id(b"", name, "") for name in ("ana", "eva"))
for identity in (ana, eva): Chain.objects.add_identity("main", identity)
with Chain.objects.step("main") as step: first, trap = step.sign(ana, b"x"), step.sign(eva, b"x")
for number, who, ticket in ((1, ana, first), (2, eva, trap)):
    Invoice.objects.create(number=number, issuer=who, pdf=b"x", record=ticket.row)
call_command("dualseal_rotate_key", "main", ana)
report = audit(Chain.objects, "main")
assert (report.faults, report.kinds) == ([], {"valid": 2}), report
rings = RingStore("main")
def verdict(record):
    return rings.verdict(record, HashedContent.from_parts(record.identity_id, record.content_hash)).kind
assert verdict(first.record) == VerdictKind.VALID
with Chain.objects.step("main") as step: step.set_state(eva, KeyState.DECOY)
assert verdict(trap.record) == VerdictKind.DECOY

from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
client = Client()
client.force_login(User.objects.create_superuser("bob", "", "x"))
chosen = {"action": "verify", "_selected_action": [first.row.pk, trap.row.pk]}
answer = client.post("/admin/dualseal/record/", chosen, follow=True)
said = [str(one).split(": ", 1)[1] for one in answer.context["messages"]]
assert said == ["valid", "valid"], said
"""
    project.run(script)


def test_a_rotation_that_was_cut_off_stops_nobody(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = """
from dualseal import SigningKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain
from shop.models import Invoice, Receipt
who, keys, new = sys.argv[1], conf.signing_keys(), SigningKey.generate()
def all_of_it(number):
    Invoice.issue(number, who, b"x")
    Receipt.confirm(Invoice.objects.get(number=number), "Ana")
    Chain.objects.checkpoint("main")
conf.draw(keys.next_path(who), new.to_pkcs8_pem)
all_of_it(1)
with Chain.objects.step("main") as step: step.rotate(who, new.public_key)
all_of_it(2)
"""
    project.run(script, project.identity_id)
    assert (project.folder / f"keys/{project.identity_id}.next").exists()
    project.manage("dualseal_rotate_key", "main", project.identity_id)
    assert [path.suffix for path in (project.folder / "keys").iterdir()] == [".pem"]
    project.python(*project.issue(3, 1))
    project.manage("dualseal_audit", "main")


def test_triggers_know_what_a_model_has_once(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = """
from django.db import DatabaseError, NotSupportedError, connection, models
from django.db.models.functions import Lower
from dualseal.contrib.django import operations
class Pair(models.Model):
    a = models.IntegerField()
    b = models.IntegerField(db_column="other")
    class Meta:
        app_label = "shop"
        unique_together = [("a", "b")]
class Sometimes(models.Model):
    a = models.TextField()
    is_void = models.BooleanField()
    class Meta:
        app_label = "shop"
        constraints = [
            models.UniqueConstraint(fields=["a"], condition=models.Q(is_void=False), name="sometimes"),
            models.UniqueConstraint(Lower("a"), "is_void", name="lower"),
        ]
for model in (Pair, Sometimes):
    with connection.schema_editor() as editor: editor.create_model(model)
    with connection.cursor() as c:
        for one in operations.create("sqlite", model._meta.db_table, operations.unique_columns(model)): c.execute(one)
def write(statement):
    try: connection.cursor().execute(statement)
    except DatabaseError as error: return "are appended" in str(error)
    return False
assert not write("INSERT INTO shop_pair (a, other) VALUES (1, 2)")
assert write("INSERT OR REPLACE INTO shop_pair (a, other) VALUES (1, 2)")
assert not write("INSERT INTO shop_pair (a, other) VALUES (1, 3)")
assert not write("INSERT INTO shop_sometimes (id, a, is_void) VALUES (1, 'x', false)")
assert not write("INSERT INTO shop_sometimes (id, a, is_void) VALUES (2, 'x', true)")
assert write("INSERT OR REPLACE INTO shop_sometimes (id, a, is_void) VALUES (1, 'y', true)")
try: operations.create("mysql", "shop_pair", [])
except NotSupportedError as error: assert "mysql" in str(error)
else: raise AssertionError("triggers of a database that nobody wrote any for")
"""
    project.run(script)
