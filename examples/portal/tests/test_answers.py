"""What stands of a refusal and of a declaration of being void: sealed, in the log, and in hands that are not the
issuer's.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import answer, void
from django.core.management import call_command
from django.db import connection
from django.test import Client
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain
from dualseal.contrib.django.testing import without_triggers
from invoices.models import Acknowledgement, Decline, Voiding
from test_evidence import dualseal, run

pytestmark = pytest.mark.django_db


def faults() -> list[str]:
    return audit(Chain.objects, "main").faults


@pytest.fixture
def declined(client: Client, link: str, invoice: Any) -> Decline:
    client.post(f"{link}odbij/", {"hash": invoice.hash, "reason": "Krivi iznos"})
    return Decline.objects.get()


def test_who_declines_holds_his_refusal(client: Client, link: str, declined: Decline, tmp_path: Path) -> None:
    page = client.get(link).content.decode()
    for name in ("potvrda.pdf", "dokazi.zip", "izjava.json", "dokaz.json"):
        assert f'href="{link}{name}"' in page and client.get(link + name).status_code == 200, name
    assert "decline.json.evidence.json" in page
    (tmp_path / "refusal.pdf").write_bytes(client.get(f"{link}potvrda.pdf").content)
    assert "Obavijest o odbijanju" in run("pdftotext", "-layout", tmp_path / "refusal.pdf", "-")
    with pikepdf.open(tmp_path / "refusal.pdf") as pdf:
        inside = {name: file.get_file().read_bytes() for name, file in pdf.attachments.items()}
    assert inside["decline.json"] == declined.sealed_content() == client.get(f"{link}izjava.json").content
    assert json.loads(inside["decline.json"])["reason"] == "Krivi iznos"
    with zipfile.ZipFile(io.BytesIO(client.get(f"{link}dokazi.zip").content)) as folder:
        folder.extractall(tmp_path)
    log = Chain.objects.get().fingerprint
    for name in ("decline.json", "RACUN-2026-1.pdf"):
        words = ["verify", tmp_path / name, "--evidence", tmp_path / f"{name}.evidence.json", "--log", log]
        assert "valid" in dualseal(*words, "--identity", declined.signer, home=tmp_path).lower()
    client.login(username="ana", password="ana")
    assert client.get(f"/hr/izdavatelj/{declined.invoice_id}/potvrda.pdf").status_code == 200
    void(invoice=declined.invoice)
    assert client.get(f"{link}potvrda.pdf").status_code == 200, "also when the document is void"
    assert f'href="{link}potvrda.pdf"' in client.get(link).content.decode()


@pytest.mark.parametrize("reason", ["ok\u038b", "\u03a2 \u038d", "中 😀\u038b", "\u0488\u0530", "\x85\xad\u2028"])
def test_whatever_he_writes_he_holds_it(client: Client, link: str, invoice: Any, reason: str) -> None:
    assert client.post(f"{link}odbij/", {"hash": invoice.hash, "reason": reason}).status_code == 302
    page = client.get(f"{link}potvrda.pdf")
    assert page.status_code == 200
    with pikepdf.open(io.BytesIO(page.content)) as pdf:
        inside = pdf.attachments["decline.json"].get_file().read_bytes()
    assert json.loads(inside)["reason"] == Decline.objects.get().reason


@pytest.mark.parametrize(("statement", "fault"), [
    ("UPDATE invoices_decline SET reason = 'Sve je u redu'", "its seal is not over what it says"),
    ("UPDATE invoices_decline SET ip = '198.51.100.1'", "its seal is not over what it says"),
    ("UPDATE invoices_invoice SET status = 'sent'", "the document is sent"),
    ("DELETE FROM invoices_decline", "its sealed row is missing"),
])  # fmt: skip
def test_a_refusal_that_was_changed_is_named(declined: Decline, statement: str, fault: str) -> None:
    assert faults() == []
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert any(fault in found for found in faults()), faults()


def test_who_declared_what_void_is_sealed(client: Client, link: str, invoice: Any, tmp_path: Path) -> None:
    row = answer(invoice)
    client.login(username="ana", password="ana")
    client.post(f"/hr/izdavatelj/{invoice.pk}/storniraj/", REMOTE_ADDR="192.0.2.9")
    voiding = Voiding.objects.get()
    stated = json.loads(voiding.sealed_content())
    assert (stated["by"], stated["ip"], stated["statement"]) == ("ana", "192.0.2.9", "declared void")
    assert stated["hash"] == row.hash and faults() == []
    page = client.get(link).content.decode()
    assert f'datetime="{voiding.created_at:%Y-%m-%d}' in page and "Primitak potvrđen" in page
    assert "192.0.2.9" in client.get(f"/hr/izdavatelj/{invoice.pk}/").content.decode()
    call_command("portal_export", tmp_path / "audit")
    assert (tmp_path / f"audit/{invoice.pk:06}-RACUN-2026-1/voiding.json").read_bytes() == voiding.sealed_content()


@pytest.mark.parametrize("status", ["sent", "viewed"])
@pytest.mark.parametrize("is_void", [False, True])
def test_what_was_void_or_declined_is_not_confirmed(
    client: Client, link: str, invoice: Any, status: str, is_void: bool
) -> None:
    if is_void:
        void(invoice=invoice)
    else:
        client.post(f"{link}odbij/", {"hash": invoice.hash, "reason": "ne"})
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute("UPDATE invoices_invoice SET status = %s", [status])
    assert client.get(link).status_code == 409
    assert client.post(f"{link}prihvati/", {"hash": invoice.hash}).status_code == 409
    assert not Acknowledgement.objects.exists()
    word = "declared void" if is_void else "declined"
    assert any(f"invoices.Invoice {invoice.pk}: it was {word}, and is not" in found for found in faults())


def test_what_was_changed_is_not_declared_void(client: Client, invoice: Any) -> None:
    client.login(username="ana", password="ana")
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute("UPDATE invoices_invoice SET data = replace(data, %s, 'Netko drugi')", [invoice.client_name])
    assert client.post(f"/hr/izdavatelj/{invoice.pk}/storniraj/").status_code == 409
    assert not Voiding.objects.exists()


@pytest.mark.parametrize(("statement", "fault"), [
    ("UPDATE invoices_invoice SET status = 'sent'", "the document is sent"),
    ("UPDATE invoices_voiding SET by = 'eva'", "its seal is not over what it says"),
    ("DELETE FROM invoices_voiding", "it is void, and nobody declared it void"),
])  # fmt: skip
def test_a_declaration_that_was_changed_is_named(invoice: Any, statement: str, fault: str) -> None:
    void(invoice=invoice)
    assert faults() == []
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert any(fault in found for found in faults()), faults()
