"""Rows under a dual seal and evidence in one file, as the project of docs/DJANGO.md has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Project
from test_django import RAW
from test_vaults import VAULT

CONFIRM = """
from shop.models import Invoice, Receipt
for invoice in Invoice.objects.order_by("number"):
    Receipt.confirm(invoice, "Ana <ana@example.org>")
"""
EVIDENCE = """
import json
from dualseal import EvidenceError, EvidenceFile, VerdictKind
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain, Record
from shop.models import Invoice, Receipt
def shown(file, document, log, signer):
    file = EvidenceFile.from_json(file.to_json())
    try: return file.open(log=log, signer=signer).verify(document).as_of.verdict.kind
    except EvidenceError as error: return str(error)
"""

ADMIN = """
from django.contrib import admin
from dualseal.contrib.django.admin import SealedAdmin, SignedAdmin
from .models import Invoice, Receipt
admin.site.register(Receipt, SealedAdmin)
admin.site.register(Invoice, SignedAdmin)
"""
BUTTON = """
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
from shop.models import Receipt
client = Client()
client.force_login(User.objects.create_superuser("ana", "", "x"))
def verified():
    chosen = {"action": "verify", "_selected_action": [row.pk for row in Receipt.objects.order_by("pk")]}
    answer = client.post("/admin/shop/receipt/", chosen, follow=True)
    return [str(one).split(": ", 1)[1] for one in answer.context["messages"]]
"""


def confirmed(project: Project, count: int = 2) -> None:
    project.python(*project.issue(1, count))
    project.run(CONFIRM)


def test_sealed_rows_are_audited(project: Project) -> None:
    confirmed(project)
    assert "2 sealed rows: 2 valid" in project.manage("dualseal_audit", "main")
    project.run("from dualseal.contrib.django.models import Chain\nChain.objects.checkpoint('main')")
    project.manage("dualseal_rotate_key", "main", project.identity_id)
    # By a key that was retired since, whose place a checkpoint from before shows.
    project.manage("dualseal_checkpoint", "main")
    assert "2 sealed rows: 2 valid" in project.manage("dualseal_audit", "main")


@pytest.mark.parametrize(("statement", "fault"), [
    ("UPDATE shop_receipt SET client = 'Eva' WHERE id = 2", "entry 4: shop.Receipt 2: its seal is not over what it"),
    ("DELETE FROM shop_receipt WHERE id = 2", "entry 4: its sealed row is missing"),
    ("UPDATE shop_receipt SET seal = (SELECT seal FROM shop_receipt WHERE id = 1) WHERE id = 2",
     "entry 4: shop.Receipt 2: its seal is another's"),
    ("UPDATE shop_receipt SET entry_id = (SELECT id FROM dualseal_entry WHERE seq = 0) WHERE id = 2",
     "there are 2 sealed rows, of which 1 have an entry"),
    ("UPDATE shop_receipt SET seal = (SELECT hash FROM dualseal_node LIMIT 1) WHERE id = 2",
     "entry 4: shop.Receipt 2: it does not read"),
    ("UPDATE shop_receipt SET signer = seal WHERE id = 2", "entry 4: shop.Receipt 2: it does not read"),
])  # fmt: skip
def test_the_audit_names_a_sealed_row_that_was_changed(project: Project, statement: str, fault: str) -> None:
    confirmed(project)
    project.run(RAW, statement)
    assert fault in project.manage("dualseal_audit", "main", code=1)


ONE_OF = """
from dualseal.contrib.django import signatures
from shop.models import Invoice
print(*(fault for row in Invoice.objects.order_by("pk") for fault in signatures.faults_of(row)), sep="\\n")
"""


@pytest.mark.parametrize(("statement", "fault"), [
    ("UPDATE shop_invoice SET pdf = (SELECT pdf FROM shop_invoice WHERE id = 1) WHERE id = 2",
     "its record is not over what it says"),
    ("UPDATE shop_invoice SET issuer = (SELECT krunica_hash FROM dualseal_record LIMIT 1) WHERE id = 2",
     "its record is another signer's"),
    ("UPDATE shop_invoice SET number = 9 WHERE id = 2", "its number is not the one that was signed"),
    ("UPDATE shop_invoice SET number = 99 WHERE id = 2", "it does not read: no such number"),
])  # fmt: skip
def test_the_audit_names_a_signed_row_that_was_changed(project: Project, statement: str, fault: str) -> None:
    with (project.folder / "shop/models.py").open("a") as models:
        models.write("""
def faults(self):
    if self.number == 99: raise ValueError("no such number")
    if bytes(self.pdf) != b"invoice %d" % self.number: yield "its number is not the one that was signed"
Invoice.faults = faults
""")
    project.python(*project.issue(1, 2))
    assert project.run(ONE_OF).strip() == ""
    project.manage("dualseal_audit", "main")
    project.run(RAW, statement)
    assert f"entry 2: shop.Invoice 2: {fault}" in project.manage("dualseal_audit", "main", code=1)
    assert fault in project.run(ONE_OF)


def test_the_audit_names_a_signature_whose_row_is_gone(project: Project) -> None:
    with (project.folder / "shop/models.py").open("a") as models:
        models.write("Invoice.may_be_unsigned = lambda self: self.number == 3\n")
    project.python(*project.issue(1, 3))
    project.run(RAW, "UPDATE shop_invoice SET record_id = NULL WHERE id = 3")
    said = project.manage("dualseal_audit", "main", code=1)
    assert "entry 3: the row that it signed is missing" in said and "no record" not in said
    back = "(SELECT record_id + 2 FROM shop_invoice WHERE id = 1)"
    project.run(RAW, f"UPDATE shop_invoice SET record_id = {back} WHERE id = 3")
    project.manage("dualseal_audit", "main")
    project.run(RAW, "UPDATE shop_invoice SET record_id = NULL WHERE id = 1")
    assert "shop.Invoice 1: no record signs it" in project.manage("dualseal_audit", "main", code=1)
    project.run(RAW, "DELETE FROM shop_invoice WHERE id = 1")
    assert "entry 1: the row that it signed is missing" in project.manage("dualseal_audit", "main", code=1)


def test_a_row_without_a_record_is_no_pass(project: Project, tmp_path: Path) -> None:
    (project.folder / "shop/admin.py").write_text(ADMIN)
    project.python(*project.issue(1, 2))
    kept = tmp_path / "checkpoint.json"
    kept.write_text(project.manage("dualseal_checkpoint", "main"))
    project.run(RAW, "UPDATE shop_invoice SET record_id = NULL, pdf = issuer WHERE number = 2")
    of_the_first = "SELECT 3, issuer, pdf FROM shop_invoice WHERE number = 1"
    project.run(RAW, f"INSERT INTO shop_invoice (number, issuer, pdf) {of_the_first}")
    unsigned = [f"shop.Invoice {row}: no record signs it" for row in (2, 3)]
    said = project.manage("dualseal_audit", "main", code=1)
    assert all(fault in said for fault in (*unsigned, "entry 2: the row that it signed is missing")), said
    said = project.manage("dualseal_audit", "main", "--since", str(kept), code=1)
    assert all(fault in said for fault in unsigned), said
    # Whoever says that a row is a draft has the audit pass it by, and nobody rely on it.
    with (project.folder / "shop/models.py").open("a") as models:
        models.write("Invoice.may_be_unsigned = lambda self: self.number == 3\n")
    said = project.manage("dualseal_audit", "main", code=1)
    assert [fault in said for fault in unsigned] == [True, False], said
    script = BUTTON + """
from dualseal.contrib.django import signatures
from shop.models import Invoice
rows = Invoice.objects.order_by("pk")
faults = [signatures.faults_of(row) for row in rows]
assert faults == [[], ["no record signs it"], ["no record signs it"]], faults
chosen = {"action": "verify", "_selected_action": [row.pk for row in rows]}
answer = client.post("/admin/shop/invoice/", chosen, follow=True)
said = sorted((str(one), one.level_tag) for one in answer.context["messages"])
unsigned = [(f"Invoice object ({row}): no record signs it", "error") for row in (2, 3)]
assert said == [("Invoice object (1): valid", "success"), *unsigned], said
"""
    project.run(script)


def test_the_audit_names_a_signed_row_with_a_record_that_is_no_signature(project: Project) -> None:
    project.python(*project.issue(1, 1))
    project.run(VAULT + "sealed(b'one'); sealed(b'two')", project.identity_id)
    project.manage("dualseal_audit", "main")
    for number in (2, 3):
        forged = f"SELECT {number}, identity_id, stored, id FROM dualseal_record WHERE id = {number}"
        project.run(RAW, f"INSERT INTO shop_invoice (number, issuer, pdf, record_id) {forged}")
    said = project.manage("dualseal_audit", "main", code=1)
    for number in (2, 3):
        assert f"entry {number}: shop.Invoice {number}: its record is not over what it says" in said, said


def test_one_signed_row_is_valid_by_its_log(project: Project) -> None:
    project.python(*project.issue(1, 1))
    project.run("from dualseal.contrib.django.models import Chain\nChain.objects.checkpoint('main')")
    project.manage("dualseal_rotate_key", "main", project.identity_id)
    project.manage("dualseal_checkpoint", "main")
    assert project.run(ONE_OF).strip() == "", "by a key that was retired since"
    script = """
import json
from django.db import connection
from dualseal import SignatureRecord
from dualseal.contrib.django.testing import without_triggers
from shop.models import Invoice
record = json.loads(Invoice.objects.get().record.record.to_json())
signature = record["potpis"]
record["potpis"] = ("00" if signature[:2] != "00" else "11") + signature[2:]
with without_triggers(), connection.cursor() as cursor:
    stored = SignatureRecord.from_json(json.dumps(record)).to_bytes()
    cursor.execute("UPDATE dualseal_record SET stored = %s", [stored])
"""
    project.run(script)
    assert "its signature is not valid" in project.run(ONE_OF)


def test_the_state_of_a_seals_key_is_told(project: Project) -> None:
    """Not by the verdict alone, which is a pass to whoever asks whether it is invalid."""
    (project.folder / "shop/admin.py").write_text(ADMIN)
    confirmed(project)
    script = BUTTON + """
from django.core.management import call_command
from dualseal import KeyState
from dualseal.contrib.django import seals, signatures
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain
from shop.models import Invoice
def button(model, rows):
    chosen = {"action": "verify", "_selected_action": [row.pk for row in rows]}
    answer = client.post(f"/admin/shop/{model}/", chosen, follow=True)
    return [str(one).split(": ", 1)[1] for one in answer.context["messages"]]
for state, said in ((KeyState.SUSPENDED, "suspended"), (KeyState.REVOKED, "revoked"), (KeyState.DECOY, "valid")):
    with Chain.objects.step("main") as step: step.set_state(sys.argv[1], state)
    report = audit(Chain.objects, "main")
    assert (report.faults, report.seals, report.seal_kinds) == ([], 2, {state.name.lower(): 2}), report
    in_public = [] if said == "valid" else [said]
    for model, faults_of, rows in (
        ("invoice", signatures.faults_of, Invoice.objects.all()), ("receipt", seals.faults_of, Receipt.objects.all()),
    ):
        # The project's own code is told a decoy, before it relies on a row.
        assert [faults_of(row) for row in rows] == [[state.name.lower()]] * 2, (model, state)
        assert [faults_of(row, public=True) for row in rows] == [in_public] * 2, (model, state)
        assert button(model, rows) == [said] * 2, (model, state)
call_command("dualseal_audit", "main")
"""
    assert "2 sealed rows: 2 decoy" in project.run(script, project.identity_id)


def test_a_seal_is_the_steps_or_is_not(project: Project) -> None:
    project.python(*project.issue(1, 1))
    script = """
from dualseal.contrib.django.models import Chain, Entry
from dualseal.contrib.django import conf
from django.core.exceptions import ImproperlyConfigured
who = sys.argv[1]
size = Chain.objects.get().size
try:
    with Chain.objects.step("main") as step:
        sealed = step.dual_seal(who, b"x")
        try: sealed.row
        except RuntimeError: pass
        else: raise SystemExit("a row before the end")
        1 / 0
except ZeroDivisionError: pass
assert Chain.objects.get().size == size
try:
    with Chain.objects.step("main") as step: step.dual_seal("ab" * 32, b"x")
except ImproperlyConfigured as error: assert "has no key" in str(error)
else: raise SystemExit("sealed without a key")
assert Chain.objects.get().size == size
"""
    project.run(script, project.identity_id)


def test_evidence_in_one_file_is_verified_by_a_stranger(project: Project) -> None:
    confirmed(project)
    script = EVIDENCE + """
chain, receipt, invoice = Chain.objects.get(), Receipt.objects.last(), Invoice.objects.last()
assert receipt.evidence() is None, "no checkpoint covers it"
assert chain.evidence(invoice.record.record) is None
Chain.objects.checkpoint("main")
log, who = chain.fingerprint, invoice.issuer
assert who in chain.public_ring
for _ in range(2):
    chain.refresh_from_db()
    sealed, signed = receipt.evidence(), chain.evidence(invoice.record.record)
    assert shown(sealed, receipt.sealed_content(), log, who) == VerdictKind.VALID
    assert shown(sealed, receipt.sealed_content() + b" ", log, who) == "the record does not hold: signature"
    assert shown(signed, bytes(invoice.pdf), log, who) == VerdictKind.VALID
    assert shown(signed, b"another", log, who) == "the record does not hold: content"
    # Once more by a key that was retired.
    from django.core.management import call_command
    call_command("dualseal_rotate_key", "main", who)
    log = chain.fingerprint
Chain.objects.add_identity("main", conf.domain().identity_id(b"", "ana", ""))
assert receipt.evidence() is None, "no checkpoint covers the change of the ring"
"""
    project.run(script)


def test_the_admin_verifies_sealed_rows(project: Project) -> None:
    (project.folder / "shop/admin.py").write_text(ADMIN)
    confirmed(project)
    script = BUTTON + """
assert verified() == ["valid", "valid"], verified()
from django.db import connection
connection.cursor().execute("UPDATE shop_receipt SET client = 'Eva' WHERE id = 1")
assert sorted(verified()) == ["its seal is not over what it says", "valid"], verified()
assert client.get("/admin/shop/receipt/add/").status_code == 403
def one(model, key):
    page = client.get(f"/admin/shop/{model}/{key}/change/").content.decode()
    assert f'action="/admin/shop/{model}/{key}/verify/"' in page, page
    answer = client.post(f"/admin/shop/{model}/{key}/verify/", follow=True)
    return [str(one).split(": ", 1)[1] for one in answer.context["messages"]]
assert one("receipt", 1) == ["its seal is not over what it says"], one("receipt", 1)
assert one("receipt", 2) == one("invoice", 2) == ["valid"], one("invoice", 2)
connection.cursor().execute("UPDATE shop_invoice SET issuer = (SELECT krunica_hash FROM dualseal_record LIMIT 1)")
assert one("invoice", 2) == ["its record is another signer's"], one("invoice", 2)
assert client.get("/admin/shop/invoice/2/verify/").status_code == 405
"""
    project.run(script)


def test_a_seal_master_that_others_may_read_is_named(project: Project) -> None:
    master = project.folder / "seal.key"
    master.chmod(0o644)
    assert "dualseal.E007" in project.manage("check", code=1)
    master.unlink()
    assert "seal.key is not there" in project.manage("check")


def test_a_further_identity_has_its_key_before_the_ring_has_it(project: Project) -> None:
    script = """
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain
from shop.models import Invoice
ana = conf.domain().identity_id(b"", "ana", "")
Chain.objects.add_identity("main", ana)
assert conf.signing_keys().path(ana).stat().st_mode & 0o777 == 0o600
with Chain.objects.step("main") as step:
    ticket = step.sign(ana, b"one")
Invoice.objects.create(number=1, issuer=ana, pdf=b"one", record=ticket.row)
assert ticket.record.identity_id == ana
size = Chain.objects.get().size
try: Chain.objects.add_identity("main", ana)
except Exception as error: print(type(error).__name__)
assert Chain.objects.get().size == size
"""
    assert project.run(script).strip().endswith("Error")
    project.manage("dualseal_audit", "main")
