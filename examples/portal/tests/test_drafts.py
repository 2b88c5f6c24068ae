"""Drafts: looked at, changed and deleted before they are frozen, and never afterwards."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pikepdf
import pytest
from conftest import blank_pdf, draft, sent
from django.test import Client
from dualseal.contrib.django.models import Chain
from invoices.models import Invoice
from invoices.services import issuing
from portal.errors import ConflictError

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client: Client, issuer: Any) -> Client:
    client.login(username="ana", password="ana")
    return client


def posted(page: Any, **changes: Any) -> dict[str, Any]:
    """What a browser sends of a form, with changes."""
    form, lines = page.context["form"], page.context["lines"]
    found = {bound.html_name: bound.value() for one in (form, *lines, lines.management_form) for bound in one}
    return {name: "" if value is None else value for name, value in (found | changes).items()}


def test_a_draft_is_changed(member: Client, issuer: Any) -> None:
    invoice = draft(issuer, due_on="2026-12-24", note="Hvala")
    place = f"/hr/izdavatelj/{invoice.pk}/"
    page = member.get(f"{place}uredi/")
    same = posted(page)
    assert member.post(f"{place}uredi/", same)["Location"] == place
    before = Invoice.objects.filter(pk=invoice.pk).values().get()
    assert str(before["total"]) == "7.56" and invoice.lines.count() == 1 and str(before["due_on"]) == "2026-12-24"
    new = {"lines-0-quantity": "4", "client_name": "Druga", "lines-1-description": "Sol", "lines-1-quantity": "1",
           "lines-1-unit_price": "1", "lines-1-vat_rate": "25"}  # fmt: skip
    member.post(f"{place}uredi/", same | new)
    invoice.refresh_from_db()
    assert (str(invoice.total), invoice.client_name) == ("11.33", "Druga")
    page = member.get(f"{place}uredi/")
    member.post(f"{place}uredi/", posted(page, **{"lines-0-DELETE": "on"}))
    invoice.refresh_from_db()
    assert (str(invoice.total), invoice.lines.get().description) == ("1.25", "Sol")
    taken = draft(issuer, number="taken")
    for wrong in ({"number": taken.number}, {"lines-0-DELETE": "on"}, {"client_name": "😀"}):
        page = member.get(f"{place}uredi/")
        assert member.post(f"{place}uredi/", posted(page, **wrong)).status_code == 422, wrong
    invoice.refresh_from_db()
    assert (str(invoice.total), invoice.lines.count(), invoice.number) == ("1.25", 1, "2026-1")


def test_a_pdf_stays_or_is_exchanged(member: Client, issuer: Any) -> None:
    first = blank_pdf()
    invoice = draft(issuer, lines=(), upload=first, total=Decimal("5.00"))
    place = f"/hr/izdavatelj/{invoice.pk}/uredi/"
    page = member.get(place)
    same = {name: value for name, value in posted(page).items() if name != "upload"}
    assert member.post(place, same | {"client_name": "Druga"}).status_code == 302
    invoice.refresh_from_db()
    assert (invoice.client_name, str(invoice.total), bytes(invoice.upload)) == ("Druga", "5.00", first)
    assert member.post(place, same | {"total": "9.99"}).status_code == 302
    invoice.refresh_from_db()
    assert (str(invoice.total), bytes(invoice.upload)) == ("9.99", first)
    assert member.post(place, same | {"total": ""}).status_code == 422
    invoice.refresh_from_db()
    assert str(invoice.total) == "9.99"
    other = io.BytesIO(blank_pdf(lambda pdf: pdf.add_blank_page()))
    other.name = "a.pdf"
    assert member.post(place, same | {"upload": other}).status_code == 302
    line = {"lines-0-description": "Sol", "lines-0-quantity": "1", "lines-0-unit_price": "1", "lines-0-vat_rate": "0"}
    invoice.refresh_from_db()
    with pikepdf.open(io.BytesIO(bytes(invoice.upload))) as pdf:
        assert len(pdf.pages) == 2
    assert member.post(place, same | line).status_code == 302
    invoice.refresh_from_db()
    assert (invoice.upload, str(invoice.total)) == (None, "1.00")
    new = {name: value for name, value in same.items() if name != "total"} | {"number": "new"}
    for total, status in (({}, 422), ({"total": "0"}, 302)):
        upload = io.BytesIO(first)
        upload.name = "a.pdf"
        page = member.post("/hr/izdavatelj/novi/", new | total | {"upload": upload})
        assert page.status_code == status, total


@pytest.mark.parametrize("fields", [{}, {"lines": (), "upload": blank_pdf(), "total": 1}])
def test_a_draft_is_looked_at_unsigned(member: Client, issuer: Any, fields: dict[str, Any]) -> None:
    invoice, size = draft(issuer, **fields), Chain.objects.get().size
    page = member.get(f"/hr/izdavatelj/{invoice.pk}/pregled.pdf")
    assert page["Content-Disposition"].startswith('attachment; filename="draft-')
    with pikepdf.open(io.BytesIO(page.content)) as pdf:
        assert "document.json" in pdf.attachments
    assert Chain.objects.get().size == size
    frozen = bytes(issuing.invoice_send(invoice=invoice).pdf)
    assert frozen == page.content, "what is frozen is what was looked at"


def test_a_draft_is_deleted_and_its_number_is_free(member: Client, issuer: Any) -> None:
    invoice = draft(issuer)
    assert member.post(f"/hr/izdavatelj/{invoice.pk}/obrisi/")["Location"] == "/hr/izdavatelj/"
    assert not Invoice.objects.exists()
    draft(issuer)


def test_what_was_sent_is_neither_changed_nor_deleted(member: Client, issuer: Any) -> None:
    invoice = sent(issuer)
    before = Invoice.objects.filter(pk=invoice.pk).values().get()
    place = f"/hr/izdavatelj/{invoice.pk}/"
    assert member.get(f"{place}pregled.pdf").status_code == 404
    assert member.get(f"{place}uredi/")["Location"] == member.post(f"{place}obrisi/")["Location"] == place
    line = {"description": "x", "quantity": 1, "unit_price": 9}
    for refused in (lambda: issuing.invoice_change(invoice=invoice, lines=[line], client_name="x"),
                    lambda: issuing.invoice_delete(invoice=invoice)):  # fmt: skip
        with pytest.raises(ConflictError):
            refused()
    assert Invoice.objects.filter(pk=invoice.pk).values().get() == before


def test_others_drafts_are_not_there(client: Client, issuer: Any, django_user_model: Any) -> None:
    invoice = draft(issuer)
    django_user_model.objects.create_user("eva", password="eva")
    client.login(username="eva", password="eva")
    place = f"/hr/izdavatelj/{invoice.pk}/"
    pages = [client.get(f"{place}uredi/"), client.get(f"{place}pregled.pdf"), client.post(f"{place}obrisi/")]
    assert [page.status_code for page in pages] == [404] * 3 and Invoice.objects.exists()
