"""What a client takes with him, held against what others make of it: the command line, the wheel, readers of PDF."""

from __future__ import annotations

import io
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import answer, draft, sent
from django.core.management import CommandError, call_command
from django.db import connection
from dualseal import EvidenceFile, VerdictKind
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain
from dualseal.contrib.django.testing import without_triggers
from invoices.models import Invoice
from invoices.services import evidence, responding
from invoices.services.delivery import token_issue
from invoices.services.export import export

pytestmark = pytest.mark.django_db


def run(*words: object, code: int = 0) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def dualseal(*words: object, home: Path, code: int = 0) -> str:
    return run(os.environ["DUALSEAL"], *words, "--home", home / "nowhere", code=code)


@pytest.fixture
def row(acknowledged: Any) -> Any:
    return acknowledged


def test_the_bundle_is_verified_by_the_command_line(row: Any, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(evidence.bundle(row=row))) as folder:
        folder.extractall(tmp_path)
    log, signer = Chain.objects.get().fingerprint, row.signer
    for name in ("acknowledgement.json", "RACUN-2026-1.pdf"):
        words = ["verify", tmp_path / name, "--evidence", tmp_path / f"{name}.evidence.json", "--log", log]
        assert "valid" in dualseal(*words, "--identity", signer, home=tmp_path).lower()
        dualseal(*words[:-1], "0" * 64, "--identity", signer, home=tmp_path, code=1)
    (tmp_path / "acknowledgement.json").write_bytes(row.sealed_content().replace(b"192.0.2.7", b"192.0.2.8"))
    words = ["verify", tmp_path / "acknowledgement.json", "--log", log, "--identity", signer]
    said = subprocess.run([os.environ["DUALSEAL"], *map(str, words), "--evidence",
                           str(tmp_path / "acknowledgement.json.evidence.json")], capture_output=True)  # fmt: skip
    assert said.returncode != 0


def test_the_bundle_is_verified_by_the_wheel(row: Any) -> None:
    file = EvidenceFile.from_json(evidence.response_evidence(row=row).to_json())
    opened = file.open(log=Chain.objects.get().fingerprint, signer=row.signer)
    assert opened.verify(row.sealed_content()).as_of.verdict.kind == VerdictKind.VALID
    statement = json.loads(row.sealed_content())
    assert statement["hash"] == row.invoice.hash and statement["ip"] == "192.0.2.7"


@pytest.mark.parametrize(("language", "title"), [
    ("hr", "Potvrda primitka"), ("de", "Empfangsbestätigung"), ("en", "Confirmation of receipt"),
])  # fmt: skip
def test_the_receipt_is_a_pdf_a_with_the_bundle_inside(row: Any, tmp_path: Path, language: str, title: str) -> None:
    path = tmp_path / "receipt.pdf"
    path.write_bytes(evidence.receipt(row=row, language=language))
    assert evidence.receipt(row=row, language=language) == path.read_bytes()
    run("qpdf", "--check", path)
    text = run("pdftotext", "-layout", path, "-")
    assert title in text and "Kavana Ćup" in text
    assert row.hash in "".join(text.split()) and row.seal_id.rpartition("::")[2] in "".join(text.split())
    assert b"<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B<" in path.read_bytes()
    run("pdfdetach", "-saveall", "-o", tmp_path, path)
    assert (tmp_path / "acknowledgement.json").read_bytes() == row.sealed_content()
    words = ["acknowledgement.json", "--evidence", tmp_path / "acknowledgement.json.evidence.json"]
    log = Chain.objects.get().fingerprint
    dualseal("verify", tmp_path / words[0], *words[1:], "--log", log, "--identity", row.signer, home=tmp_path)
    run("pdftoppm", "-r", "150", "-png", "-singlefile", path, tmp_path / "page")
    assert f"http://testserver/provjera/#{language}" in run("zbarimg", "-q", tmp_path / "page.png")


def test_the_document_names_what_it_is_verified_with(row: Any, tmp_path: Path) -> None:
    path = tmp_path / "document.pdf"
    path.write_bytes(bytes(row.invoice.pdf))
    text = "".join(run("pdftotext", "-layout", path, "-").split())
    assert Chain.objects.get().fingerprint in text and row.signer in text
    run("qpdf", "--check", path)


def test_an_auditor_verifies_the_export(row: Any, issuer: Any, tmp_path: Path, capsys: Any) -> None:
    order = sent(issuer, kind="PO", number="=1+1", client_name="@SUM(A1)")
    token = token_issue(invoice=order)
    from invoices.selectors import token_find

    responding.decline(token=token_find(token), hash=order.hash, ip="192.0.2.9", ua="=cmd|' /C calc'!A0", reason="no")
    draft(issuer, number="draft")
    folder = tmp_path / "audit"
    call_command("portal_export", folder)
    assert "2 documents, 2 answers" in capsys.readouterr().out
    ring, log = f"{folder}.ring.json", Chain.objects.get().fingerprint
    said = dualseal("audit", folder, "--ring", ring, "--log", log, home=tmp_path, code=0)
    assert said.startswith("Valid: everything here that can be verified holds (4 files).")
    table = (folder / "answers.csv").read_text()
    assert "'=1+1" in table and "'=cmd" in table and ",=" not in table
    [one] = folder.glob("*/acknowledgement.json")
    one.write_bytes(one.read_bytes() + b" ")
    assert dualseal("audit", folder, "--ring", ring, "--log", log, home=tmp_path, code=1)
    with pytest.raises(CommandError):
        call_command("portal_export", folder)
    with pytest.raises(FileExistsError):
        export(folder)


@pytest.mark.parametrize(("statement", "fault"), [
    ("UPDATE invoices_acknowledgement SET ip = '198.51.100.1'", "its seal is not over what it says"),
    ("UPDATE invoices_acknowledgement SET ua = 'another'", "its seal is not over what it says"),
    ("UPDATE invoices_acknowledgement SET created_at = '2020-01-01 00:00:00+00:00'", "its seal is not over"),
    ("UPDATE invoices_acknowledgement SET seal_id = 'SEAL-DUAL::0'", "its seal_id is another seal's"),
    ("UPDATE invoices_invoice SET pdf = upload WHERE pdf IS NOT NULL", "the document: its record is not over what"),
    ("UPDATE invoices_invoice SET hash = replace(hash, substr(hash, 1, 8), '')", "its hash is not the document's"),
    ("UPDATE invoices_invoice SET data = replace(data, '7.56', '9.99')", "the document: its data is not what its PDF"),
    ("DELETE FROM invoices_acknowledgement", "its sealed row is missing"),
])  # fmt: skip
def test_a_row_that_was_changed_by_sql_is_named(row: Any, statement: str, fault: str) -> None:
    report = audit(Chain.objects, "main")
    assert report.faults == [] and report.seals == 1
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute("UPDATE invoices_invoice SET hash = hash || '' ")
        cursor.execute(statement)
    faults = audit(Chain.objects, "main").faults
    assert any(fault in found for found in faults), faults


def test_the_database_refuses_changes_of_answers(row: Any) -> None:
    from django.db import DatabaseError, transaction

    for statement in ("UPDATE invoices_acknowledgement SET ip = ''", "DELETE FROM invoices_acknowledgement"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_an_order_that_is_not_accepted_any_more_is_named(order: Any) -> None:
    answer(order)
    Invoice.objects.update(status="sent")
    assert any("the order is sent" in fault for fault in audit(Chain.objects, "main").faults)
