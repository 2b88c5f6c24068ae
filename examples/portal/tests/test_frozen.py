"""Documents that somebody changed in the database: they are shown to nobody, and the audit names them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from conftest import answer, draft, sent
from django.db import connection
from django.test import Client
from dualseal import KeyState
from dualseal.contrib.django import conf
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.models import Chain
from dualseal.contrib.django.testing import without_triggers
from invoices.models import Acknowledgement, Invoice
from invoices.services import delivery, issuing

pytestmark = pytest.mark.django_db


def tampered(statement: str, *values: Any) -> None:
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def faults() -> list[str]:
    return audit(Chain.objects, "main").faults


CHANGES = {
    "UPDATE invoices_invoice SET data = replace(data, '7.56', '9.99')": "its data is not what its PDF holds",
    "UPDATE invoices_invoice SET data = '{}'": "its data is not what its PDF holds",
    "UPDATE invoices_invoice SET data = '[]'": "its data is not what its PDF holds",
    "UPDATE invoices_invoice SET data = replace(data, '7.56', 'x')": "its data is not what its PDF holds",
    f"UPDATE invoices_invoice SET data = '{'[' * 5000}'": "its data is not what its PDF holds",
    "UPDATE invoices_invoice SET total = 9.99": "its PDF does not say its total",
    "UPDATE invoices_invoice SET kind = 'PO'": "its PDF does not say its kind",
    "UPDATE invoices_invoice SET client_email = 'x@example.org'": "its PDF does not say its client_email",
    "UPDATE invoices_invoice SET due_on = '2030-01-01'": "its PDF does not say its due_on",
    f"UPDATE invoices_invoice SET hash = '{'0' * 64}'": "its hash is not its PDF's",
    "UPDATE invoices_invoice SET status = 'ACCEPTED'": "it is accepted, and is no order or was not confirmed",
    "UPDATE invoices_invoice SET status = 'void'": "it is void, and nobody declared it void",
    "UPDATE invoices_invoice SET status = 'declined'": "it is declined, and nobody declined it",
    "UPDATE invoices_invoice SET status = 'draft'": "it was sent, and is a draft or has no signature",
    "UPDATE invoices_invoice SET record_id = NULL": "it was sent, and is a draft or has no signature",
    "UPDATE invoices_issuer SET oib = '69435151530'": "its PDF is another issuer's",
}


@pytest.mark.parametrize(("statement", "fault"), CHANGES.items(), ids=lambda said: said[:60])
@pytest.mark.parametrize("is_answered", [False, True])
def test_a_document_that_was_changed_by_sql_is_named(
    client: Client, link: str, invoice: Any, statement: str, fault: str, is_answered: bool
) -> None:
    if is_answered:
        answer(invoice)
    assert faults() == []
    tampered(statement)
    named = [found for found in faults() if fault in found]
    assert any(f"invoices.Invoice {invoice.pk}: {fault}" in found for found in named), faults()


# What each database takes, and no row is made of.
UNREAD = {
    "sqlite": ("total = 'x'", "created_at = 'x'"),
    "postgresql": ("due_on = 'infinity'", "created_at = 'infinity'"),
}


def test_a_row_that_does_not_load_is_named_and_hides_no_other(issuer: Any, invoice: Any) -> None:
    other, draft_ = sent(issuer, number="2026-2"), draft(issuer, number="draft")
    first, second = answer(invoice), answer(other)
    of_invoice, of_answer = UNREAD[connection.vendor]
    tampered(f"UPDATE invoices_invoice SET {of_invoice} WHERE id IN (%s, %s)", invoice.pk, draft_.pk)
    tampered("UPDATE invoices_invoice SET note = 'changed' WHERE id = %s", other.pk)
    named = faults()
    for name in (f"Invoice {invoice.pk}", f"Invoice {draft_.pk}", f"Acknowledgement {first.pk}"):
        assert [found for found in named if f"invoices.{name}: it does not read" in found], (name, named)
    for name in (f"Invoice {other.pk}", f"Acknowledgement {second.pk}"):
        assert [found for found in named if f"invoices.{name}: " in found and "its note" in found], (name, named)
    tampered(f"UPDATE invoices_acknowledgement SET {of_answer} WHERE id = %s", first.pk)
    named = faults()
    assert [found for found in named if f"invoices.Acknowledgement {first.pk}: it does not read" in found], named
    assert [found for found in named if f"invoices.Acknowledgement {second.pk}: " in found], named
    assert not [found for found in named if "sealed rows, of which" in found], named


def test_a_row_that_does_not_load_is_shown_to_nobody(client: Client, link: str, invoice: Any, admin_user: Any) -> None:
    tampered(f"UPDATE invoices_invoice SET {UNREAD[connection.vendor][0]}")
    assert client.get(link).status_code == 409
    invoice.issuer.members.add(admin_user)
    client.force_login(admin_user)
    assert client.get(f"/hr/izdavatelj/{invoice.pk}/").status_code == 409


@pytest.mark.parametrize("data", ["'{}'", "'x'", "replace(data, '7.56', 'x')"])
def test_what_does_not_read_is_not_shown(client: Client, link: str, invoice: Any, admin_user: Any, data: str) -> None:
    answer(invoice)
    tampered(f"UPDATE invoices_invoice SET data = {data}")
    assert client.get(link).status_code == 409
    client.force_login(admin_user)
    for row in (invoice, Acknowledgement.objects.get()):
        place = f"/admin/invoices/{row._meta.model_name}/{row.pk}/verify/"
        said = client.post(place, follow=True).context["messages"]
        assert not any(str(one).endswith(": valid") for one in said), [str(one) for one in said]


def test_what_was_changed_is_neither_shown_nor_answered(
    client: Client, link: str, invoice: Any, mailoutbox: list[Any]
) -> None:
    tampered("UPDATE invoices_invoice SET data = replace(data, '7.56', '9.99')")
    pages = [client.get(link), client.post(f"{link}prihvati/", {"hash": invoice.hash})]
    pages.append(client.post(f"{link}odbij/", {"hash": invoice.hash, "reason": "no"}))
    assert [page.status_code for page in pages] == [409] * 3
    for page in pages:
        assert "9,99" not in page.content.decode() and "Ovaj je dokument promijenjen" in page.content.decode()
    assert delivery.outgoing_send() == 0 and mailoutbox == []
    assert not Acknowledgement.objects.exists()


def test_a_receipt_says_nothing_that_was_not_signed(client: Client, link: str, invoice: Any) -> None:
    answer(invoice)
    tampered("UPDATE invoices_invoice SET data = replace(data, '7.56', '9.99')")
    client.login(username="ana", password="ana")
    issued = f"/hr/izdavatelj/{invoice.pk}/"
    own = [f"{link}{name}" for name in ("", "dokument.pdf", "potvrda.pdf", "dokazi.zip", "izjava.json", "dokaz.json")]
    for path in (*own, f"{issued}potvrda.pdf", f"{issued}dokument.pdf"):
        assert client.get(path).status_code == 409, path
    page, tokens = client.post(f"{issued}poveznica/"), invoice.tokens.count()
    assert page.status_code == 409 and invoice.tokens.count() == tokens == 2, "nor is a new link to it given out"
    tampered("UPDATE invoices_invoice SET data = replace(data, '9.99', '7.56')")
    assert client.get(f"{issued}dokument.pdf").status_code == 200


def test_forged_bytes_and_a_forged_fingerprint_are_given_to_nobody(client: Client, link: str, invoice: Any) -> None:
    client.login(username="ana", password="ana")
    log, issued = Chain.objects.get().fingerprint, f"/hr/izdavatelj/{invoice.pk}/"
    assert f"<span>{log[:8]}</span>" in client.post(f"{issued}poveznica/").content.decode().replace(" ", "")
    tampered("UPDATE invoices_invoice SET data = replace(data, %s, %s)", log, "f" * 64)
    page = client.post(f"{issued}poveznica/")
    assert page.status_code == 409 and "ffffffff" not in page.content.decode()
    tampered("UPDATE invoices_invoice SET data = replace(data, %s, %s)", "f" * 64, log)
    tampered("UPDATE invoices_invoice SET pdf = %s", b"%PDF-1.7 forged")
    for path in (f"{link}dokument.pdf", f"{issued}dokument.pdf"):
        assert client.get(path).status_code == 409, path


def test_another_document_in_its_place_is_not_confirmed(client: Client, issuer: Any, link: str, invoice: Any) -> None:
    """Its bytes, data and hash fit each other; the issuer signed others."""
    other = sent(issuer, number="2026-2", lines=[{"description": "x", "quantity": 1, "unit_price": "900"}])
    tampered(
        "UPDATE invoices_invoice SET pdf = %s, data = %s, hash = %s, total = %s, number = 'x' WHERE id = %s",
        bytes(other.pdf), other.data, other.hash, other.total, invoice.pk,
    )  # fmt: skip
    assert client.get(link).status_code == 409
    assert client.post(f"{link}prihvati/", {"hash": other.hash}).status_code == 409
    assert not Acknowledgement.objects.exists()
    assert any("its record is not over what it says" in fault for fault in faults())


def test_a_record_that_nobody_signed_is_not_confirmed(client: Client, link: str, invoice: Any) -> None:
    """All of a document and its record changed, so that they fit: the signature does not."""
    pdf, record = bytes(invoice.pdf) + b"% changed\n", invoice.record.record
    hash_ = hashlib.sha256(pdf).hexdigest()
    forged = conf.domain().content_hash(record.identity_id, pdf).hash
    stored = bytes(invoice.record.stored).replace(bytes.fromhex(record.content_hash), bytes.fromhex(forged))
    tampered("UPDATE invoices_invoice SET pdf = %s, hash = %s WHERE id = %s", pdf, hash_, invoice.pk)
    tampered("UPDATE dualseal_record SET stored = %s WHERE id = %s", stored, invoice.record_id)
    assert client.post(f"{link}prihvati/", {"hash": hash_}).status_code == 409
    assert not Acknowledgement.objects.exists()


@pytest.mark.parametrize(("state", "code"), [(KeyState.SUSPENDED, 409), (KeyState.DECOY, 200)])
def test_pages_tell_a_suspended_key_and_no_decoy(client: Client, invoice: Any, state: KeyState, code: int) -> None:
    with Chain.objects.step("main") as step:
        step.set_state(invoice.record.identity_id, state)
    client.login(username="ana", password="ana")
    assert client.post(f"/hr/izdavatelj/{invoice.pk}/poveznica/").status_code == code


def test_the_admin_says_so_too(client: Client, invoice: Any, admin_user: Any) -> None:
    client.force_login(admin_user)
    said = []
    for _ in range(2):
        page = client.post(f"/admin/invoices/invoice/{invoice.pk}/verify/", follow=True)
        said += [str(one) for one in page.context["messages"]]
        tampered("UPDATE invoices_invoice SET total = 9.99")
    assert said[0].endswith(": valid") and "does not say its total" in said[1]


def test_a_draft_and_what_was_deleted(issuer: Any, invoice: Any) -> None:
    made = draft(issuer, number="draft")
    assert faults() == []
    tampered("UPDATE invoices_invoice SET status = 'sent' WHERE id = %s", made.pk)
    assert any("it was sent, and is a draft or has no signature" in fault for fault in faults())
    made.refresh_from_db()
    Invoice.objects.filter(pk=made.pk).update(status="draft")
    issuing.invoice_send(invoice=made)
    assert faults() == []
    invoice.outgoing.all().delete()
    Invoice.objects.filter(pk=invoice.pk).delete()
    assert any("the row that it signed is missing" in fault for fault in faults())
