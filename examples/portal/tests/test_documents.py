"""What services do: freezing, answering, declining, voiding."""

from __future__ import annotations

import hashlib
import io
import json
from decimal import Decimal
from typing import Any

import pikepdf
import pytest
from conftest import answer, blank_pdf, draft, void
from django.core.exceptions import ValidationError
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.base import AppendOnlyError
from dualseal.contrib.django.models import Chain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invoices.models import Acknowledgement, Decline, Invoice, InvoiceLine
from invoices.selectors import token_find
from invoices.services import issuing, responding
from invoices.services.delivery import token_issue, tokens_revoke
from invoices.statement import total_of
from portal.errors import ConflictError


def faults() -> list[str]:
    return audit(Chain.objects, "main").faults


def token(invoice: Any) -> Any:
    return token_find(token_issue(invoice=invoice))


def test_sending_freezes_the_bytes_and_what_they_say(issuer: Any) -> None:
    made = draft(issuer, note="<script>alert(1)</script> #let x = 1")
    invoice = issuing.invoice_send(invoice=made)
    pdf = bytes(invoice.pdf)
    assert invoice.status == "sent" and invoice.hash == hashlib.sha256(pdf).hexdigest()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        embedded = opened.attachments["document.json"].get_file().read_bytes()
    assert json.loads(embedded) == invoice.frozen == json.loads(invoice.data)
    assert invoice.frozen["total"] == "7.56" and invoice.frozen["client"]["name"] == "Kavana Ćup"
    issuer.name = "Another"
    issuer.save()
    assert Invoice.objects.get().frozen["issuer"]["name"] == "Pekara d.o.o."
    with pytest.raises(ConflictError):
        issuing.invoice_send(invoice=invoice)
    assert faults() == []


def test_a_document_has_lines_or_a_pdf(issuer: Any) -> None:
    for fields in ({"lines": ()}, {"upload": blank_pdf(), "total": 1}):
        with pytest.raises(ConflictError):
            draft(issuer, **fields)


@pytest.mark.parametrize("fields", [
    {"client_name": "a\nBcc: x@example.org"}, {"number": "1\u202e2"}, {"client_email": "no"}, {"currency": "eur"},
    {"lines": [{"description": "x", "quantity": 0, "unit_price": 1}]},
    {"lines": [{"description": "x", "quantity": 1, "unit_price": "-1"}]},
    {"lines": [{"description": "x", "quantity": 1, "unit_price": 1, "vat_rate": 51}]},
])  # fmt: skip
def test_fields_hold_their_bounds(issuer: Any, fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        draft(issuer, **fields)


def test_a_racun_keeps_its_status_and_a_po_is_accepted(invoice: Any, order: Any) -> None:
    for document, status in ((invoice, "sent"), (order, "ACCEPTED")):
        row = answer(document)
        document.refresh_from_db()
        assert document.status == status
        assert (row.hash, row.ip, row.ua) == (document.hash, "192.0.2.7", "Browser/1")
        assert row.seal_id.startswith("SEAL-DUAL::") and len(row.identity_id) == 64
    assert faults() == []


def test_repeating_gives_the_one_that_is_there(invoice: Any) -> None:
    first = answer(invoice)
    again, made = responding.acknowledge(token=token(invoice), hash="0" * 64, ip="198.51.100.1", ua="another")
    assert (again, made, Acknowledgement.objects.count()) == (first, False, 1)
    for change in (first.save, first.delete, Acknowledgement.objects.all().delete):
        with pytest.raises(AppendOnlyError):
            change()


def test_what_was_not_shown_is_not_confirmed(invoice: Any) -> None:
    size = Chain.objects.get().size
    for wrong in ("", "0" * 64, invoice.hash.upper()):
        with pytest.raises(ConflictError):
            responding.acknowledge(token=token(invoice), hash=wrong, ip="192.0.2.7", ua="")
    assert (Acknowledgement.objects.count(), Chain.objects.get().size) == (0, size)


def test_a_client_declines_once_and_confirms_no_more(invoice: Any) -> None:
    facts = {"hash": invoice.hash, "ip": "192.0.2.7", "ua": ""}
    row = responding.decline(token=token(invoice), reason="Krivi iznos", **facts)
    assert responding.decline(token=token(invoice), reason="again", **facts) == row
    invoice.refresh_from_db()
    assert (invoice.status, Decline.objects.get().reason) == ("declined", "Krivi iznos")
    with pytest.raises(ConflictError):
        responding.acknowledge(token=token(invoice), **facts)
    assert faults() == []


def test_who_confirmed_declines_no_more_and_void_stays_void(invoice: Any) -> None:
    row = answer(invoice)
    with pytest.raises(ConflictError):
        responding.decline(token=token(invoice), hash=invoice.hash, ip="192.0.2.7", ua="", reason="x")
    void(invoice=invoice)
    invoice.refresh_from_db()
    assert invoice.status == "void" and Acknowledgement.objects.get() == row
    for refused in (void, issuing.invoice_remind):
        with pytest.raises(ConflictError):
            refused(invoice=invoice)
    assert faults() == []


def test_views_are_recorded_until_it_is_confirmed(invoice: Any) -> None:
    link = token(invoice)
    for ua in ("one", "one", "two\x00\n", "x" * 2000):
        responding.view_record(token=link, ip="192.0.2.7", ua=ua)
    invoice.refresh_from_db()
    assert invoice.status == "viewed"
    assert sorted(view.ua for view in invoice.views.all()) == ["one", "two", "x" * 512]
    answer(invoice)
    responding.view_record(token=link, ip="192.0.2.8", ua="later")
    assert invoice.views.count() == 3


def test_links_are_hashed_expire_and_are_closed(invoice: Any, django_assert_num_queries: Any) -> None:
    text = token_issue(invoice=invoice)
    row = token_find(text)
    assert bytes(row.hash) == hashlib.sha256(text.encode()).digest() and text not in str(row.__dict__)
    assert token_find(text.upper()) == token_find(text.replace("-", "")) == row
    for bad in ("", "x", text[:-1], "\x00", "ć" * 9999, f"{text} "):
        with django_assert_num_queries(1):
            assert token_find(bad) is None, bad
    tokens_revoke(invoice=invoice)
    assert token_find(text) is None


amounts = st.lists(
    st.builds(
        InvoiceLine,
        quantity=st.decimals("0.001", "99999", places=3),
        unit_price=st.decimals(0, "99999", places=2),
        vat_rate=st.decimals(0, 50, places=2),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(amounts)
def test_totals_are_whole_cents_and_the_sum_of_what_is_shown(lines: list[InvoiceLine]) -> None:
    total = total_of(lines)
    assert total == total.quantize(Decimal("0.01")) == sum(line.net for line in lines) + sum(line.vat for line in lines)
    for line in lines:
        assert abs(line.net - line.quantity * line.unit_price) <= Decimal("0.005")
        assert abs(line.vat - line.net * line.vat_rate / 100) <= Decimal("0.005")
