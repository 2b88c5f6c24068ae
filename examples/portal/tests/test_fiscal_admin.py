"""Receipts and tills in the admin: who may do what, whose certificate it is, and where a JIR is noted."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import transaction
from django.test import Client
from invoices.services.issuing import issuer_create
from portal.errors import ConflictError
from portal.tokens import hashed
from pos import services, zki
from pos.checks import fiscal_settings
from pos.models import Category, Product, Receipt, Terminal
from test_fiscal import certify, key, p12, read, receipt, terminal

__all__ = ["key", "p12", "terminal"]
pytestmark = pytest.mark.django_db
Staff = Callable[..., Any]


@pytest.fixture
def staff(django_user_model: Any, issuer: Any) -> Staff:
    """Somebody of the issuer's who may look, and do what is named."""

    def made(*also: str) -> Any:
        user = django_user_model.objects.create_user("iva", password="iva", is_staff=True)
        names = [f"view_{name}" for name in ("receipt", "terminal", "product", "category")]
        user.user_permissions.set(Permission.objects.filter(codename__in=[*names, *also]))
        issuer.members.add(user)
        return user

    return made


def chosen(client: Client, model: str, action: str, row: Any) -> list[str]:
    page = client.post(f"/admin/pos/{model}/", {"action": action, "_selected_action": [row.pk]}, follow=True)
    return [message.tags for message in page.context["messages"]]


def test_who_may_look_does_nothing(client: Client, terminal: Terminal, staff: Staff) -> None:
    client.force_login(staff())
    token = services.terminal_token(terminal=terminal)
    draft, done = receipt(terminal), services.receipt_fiscalise(receipt=receipt(terminal, number=8))
    for model, action, row in (("terminal", "token", terminal), ("receipt", "fiscalise", draft),
                               ("receipt", "cancel", done)):  # fmt: skip
        assert "success" not in chosen(client, model, action, row)
    assert set(Receipt.objects.values_list("number", "status")) == {(7, "draft"), (8, "fiscalised")}
    asked = {"Authorization": f"Bearer {token}"}
    assert client.get("/pos/api/kasa/offline-bundle/", headers=asked).status_code == 200


def test_who_may_change_does(client: Client, terminal: Terminal, staff: Staff) -> None:
    client.force_login(staff("change_receipt", "change_terminal"))
    row = receipt(terminal)
    assert chosen(client, "receipt", "fiscalise", row) == chosen(client, "receipt", "cancel", row) == ["success"]
    page = client.post("/admin/pos/terminal/", {"action": "token", "_selected_action": [terminal.pk]})
    [token] = re.findall(r"<code>([\w-]{43})</code>", page.content.decode())
    asked = {"Authorization": f"Bearer {token}"}
    assert client.get("/pos/api/kasa/offline-bundle/", headers=asked).status_code == 200
    assert page.status_code == 200 and "messages" not in page.cookies and "no-store" in page["Cache-Control"]
    assert token not in client.get("/admin/pos/terminal/").content.decode()
    assert all(token not in str(session.get_decoded()) for session in Session.objects.all())


def test_others_rows_are_not_there(client: Client, terminal: Terminal, staff: Staff, admin_user: Any) -> None:
    other = issuer_create(name="Druga", address="Split", oib="69435151530", email="d@example.org")
    theirs = Terminal.objects.create(issuer=other, name="Tuđa", premises="X", device=1)
    category = Category.objects.create(issuer=other, name="Tuđe")
    rows = [theirs, category, Product.objects.create(category=category, name="Tuđi", price=1), receipt(theirs)]
    names = [f"{verb}_{row._meta.model_name}" for row in rows for verb in ("change", "add")]
    client.force_login(staff(*names))
    for row in rows:
        place = f"/admin/pos/{row._meta.model_name}/"
        assert client.get(place).context["cl"].result_count == (1 if row == theirs else 0)
        assert client.get(f"{place}{row.pk}/change/").status_code == 302
        assert "Tuđ" not in client.get(f"{place}add/").content.decode()
        assert "Druga" not in client.get(f"{place}add/").content.decode()
    facts = {"terminal": theirs.pk, "number": 9, "issued_at_0": "2026-01-01", "issued_at_1": "12:00", "total": "1"}
    assert client.post("/admin/pos/receipt/add/", facts).status_code == 200, "it is no choice"
    client.force_login(admin_user)
    assert client.get("/admin/pos/terminal/").context["cl"].result_count == 2


def test_a_till_that_fiscalised_stays_where_it_is(client: Client, terminal: Terminal, admin_user: Any) -> None:
    client.force_login(admin_user)
    place = f"/admin/pos/terminal/{terminal.pk}/change/"
    facts = {"name": "Nova", "premises": "DRUGDJE", "device": 9, "issuer": terminal.issuer_id}
    token = services.terminal_token(terminal=terminal)
    assert client.post(place, facts).status_code == 302
    terminal.refresh_from_db()
    assert terminal.premises == "DRUGDJE", "nothing was fiscalised yet"
    services.receipt_fiscalise(receipt=receipt(terminal))
    client.post(place, facts | {"name": "Opet", "premises": "TREĆE"})
    terminal.refresh_from_db()
    assert (terminal.name, terminal.premises) == ("Opet", "DRUGDJE")
    assert bytes(terminal.token_hash) == hashed(token)


def test_a_draft_that_was_fiscalised_meanwhile_is_not_written_over(
    client: Client, terminal: Terminal, admin_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pos.admin import ReceiptAdmin

    row, saved = receipt(terminal), ReceiptAdmin.save_model

    def meanwhile(self: Any, *arguments: Any) -> None:
        services.receipt_fiscalise(receipt=row)
        saved(self, *arguments)

    monkeypatch.setattr(ReceiptAdmin, "save_model", meanwhile)
    client.force_login(admin_user)
    facts = {"terminal": terminal.pk, "number": 7, "issued_at_0": "2026-01-01", "issued_at_1": "12:00", "total": "1"}
    assert client.post(f"/admin/pos/receipt/{row.pk}/change/", facts).status_code == 403


@pytest.mark.parametrize("profile", ["default", "cis"])
def test_a_jir_is_noted_where_the_receipt_is(
    client: Client, terminal: Terminal, p12: Path, admin_user: Any, settings: Any, profile: str
) -> None:
    settings.FISCAL_PROFILE = profile
    row, jir = services.receipt_fiscalise(receipt=receipt(terminal)), uuid4()
    client.force_login(admin_user)
    assert client.post(f"/admin/pos/receipt/{row.pk}/change/", {"jir": str(jir), "total": "1"}).status_code == 302
    row.refresh_from_db()
    assert (row.jir, str(row.total), row.status) == (jir, "1234.50", "fiscalised")
    assert row.fiscal_qr_image.name == f"pos/qr/{row.identity_id}.png"
    assert client.get(row.fiscal_qr_image.url).status_code == 200
    assert read(row.fiscal_qr_image.path) == row.fiscal_qr_url
    assert (f"jir={jir}" in row.fiscal_qr_url) == (profile == "cis")
    services.receipt_cancel(receipt=row)
    assert client.post(f"/admin/pos/receipt/{row.pk}/change/", {"jir": ""}).status_code == 403


def test_a_code_of_a_fiscalisation_that_was_rolled_back_is_written_over(terminal: Terminal, p12: Path) -> None:
    row = receipt(terminal)
    with pytest.raises(RuntimeError), transaction.atomic():
        services.receipt_fiscalise(receipt=row)
        raise RuntimeError
    row = services.receipt_fiscalise(receipt=row)
    assert row.fiscal_qr_image.name == f"pos/qr/{row.identity_id}.png"
    assert [path.name for path in Path(row.fiscal_qr_image.path).parent.iterdir()] == [f"{row.identity_id}.png"]


@pytest.mark.parametrize(("owner", "days", "word"), [
    ("Druga d.o.o. HR69435151530", 1, "of OIB 69435151530"), ("Pekara d.o.o.", 1, "of OIB –"),
    ("HR12345678903 HR69435151530", 1, "not of"), ("Pekara d.o.o. HR12345678903", -1, "expired"),
])  # fmt: skip
def test_a_certificate_of_somebody_else_makes_no_code(
    terminal: Terminal, p12: Path, key: rsa.RSAPrivateKey, owner: str, days: int, word: str
) -> None:
    certify(p12, key, owner, days)
    with pytest.raises(ConflictError, match=word):
        services.receipt_fiscalise(receipt=receipt(terminal))
    assert Receipt.objects.get().status == "draft"


@pytest.mark.parametrize(("days", "word"), [(-1, "No ZKI can be made: the"), (29, "Soon no ZKI"), (31, "")])
def test_a_certificate_that_expires_is_told_and_stops_nothing_else(
    p12: Path, key: rsa.RSAPrivateKey, issuer: Any, settings: Any, days: int, word: str
) -> None:
    settings.BASE_URL = "http://localhost:8000"
    certify(p12, key, days=days)
    said = [(message.id, message.msg) for message in fiscal_settings()]
    assert len(said) == bool(word) and all(id_ == "pos.W001" and word in text for id_, text in said)
    for command in (["dualseal_checkpoint", "main"], ["dualseal_audit", "main"], ["portal_mail"]):
        call_command(*command, skip_checks=False)


def test_the_organisation_s_identifier_counts_too(key: rsa.RSAPrivateKey, p12: Path) -> None:
    certify(p12, key, "VATHR-12345678903")
    zki.certified().check("12345678903")


def test_the_certificate_is_its_owner_s_alone(terminal: Terminal, p12: Path, settings: Any) -> None:
    p12.chmod(0o640)
    with pytest.raises(ConflictError, match="chmod 600"):
        services.receipt_fiscalise(receipt=receipt(terminal))
    with pytest.raises(SystemCheckError, match="chmod 600"):
        call_command("check", tags=["pos"])
    p12.chmod(0o600)
    settings.FISCAL_P12_PASS = "not-the-password"
    with pytest.raises(ValueError) as failed:
        zki.certified()
    shown = traceback.TracebackException.from_exception(failed.value, capture_locals=True)
    [frame] = [frame for frame in shown.stack if frame.filename.endswith("zki.py")]
    assert "not-the-password" not in str(frame.locals)


def test_the_banner_is_where_receipts_are(client: Client, issuer: Any, admin_user: Any, settings: Any) -> None:
    client.force_login(admin_user)
    place = "/admin/pos/receipt/"
    assert "FISKALNI DEMO" in client.get(place).content.decode().upper()
    settings.FISCAL_DEMO_MODE = False
    assert "FISKALNI DEMO" not in client.get(place).content.decode().upper()
