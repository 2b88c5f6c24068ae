"""Links and the mail that brings them: what was closed stays closed, also for who waited."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import answer, void
from django.core import mail
from django.db import OperationalError
from django.test import Client
from invoices.models import Acknowledgement, ClientToken, RenewalRequest
from invoices.selectors import token_find
from invoices.services import delivery, issuing, responding
from portal.errors import ClosedError

pytestmark = pytest.mark.django_db


def revoke(invoice: Any) -> None:
    delivery.tokens_revoke(invoice=invoice)


@pytest.mark.parametrize("close", [revoke, void])
def test_a_mail_that_waits_brings_no_link_to_what_was_closed(invoice: Any, mailoutbox: list[Any], close: Any) -> None:
    issuing.invoice_remind(invoice=invoice)
    assert invoice.outgoing.count() == 2
    close(invoice=invoice)
    assert invoice.outgoing.count() == 0
    assert delivery.outgoing_send() == 0 and mailoutbox == []
    assert not ClientToken.objects.filter(revoked_at=None).exists()


@pytest.mark.parametrize("close", [revoke, void])
def test_what_is_closed_while_mails_are_sent_is_not_sent(
    invoice: Any, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch, close: Any
) -> None:
    issuing.invoice_remind(invoice=invoice)
    send = mail.EmailMessage.send

    def meanwhile(message: Any) -> Any:
        close(invoice=invoice)
        return send(message)

    monkeypatch.setattr(mail.EmailMessage, "send", meanwhile)
    delivery.outgoing_send()
    assert len(mailoutbox) == 1, "the one that was on its way"
    if close is revoke:
        assert not ClientToken.objects.filter(revoked_at=None).exists(), "and it opens nothing"


def test_a_wish_for_a_link_that_is_closed_meanwhile_is_none(link: str, invoice: Any) -> None:
    delivery.renewal_request(token=link.split("/")[3])
    revoke(invoice)
    assert delivery.renewals_answer() == 0 and RenewalRequest.objects.count() == 0


def test_who_waited_while_links_were_closed_is_answered_as_by_none(
    client: Client, link: str, invoice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_find(link.split("/")[3])
    revoke(invoice)
    facts = {"hash": invoice.hash, "ip": "192.0.2.7", "ua": ""}
    with pytest.raises(ClosedError):
        responding.acknowledge(token=token, **facts)
    with pytest.raises(ClosedError):
        responding.decline(token=token, reason="x", **facts)
    monkeypatch.setattr("invoices.selectors.token_find", lambda _: token)
    pages = [client.get(link), client.post(f"{link}prihvati/", {"hash": invoice.hash})]
    assert [page.status_code for page in pages] == [404, 404]
    assert not Acknowledgement.objects.exists()


@pytest.mark.parametrize("error", [ValueError("address"), OperationalError("gone"), ConnectionRefusedError()])
def test_a_mail_that_fails_holds_up_no_other(
    invoice: Any, order: Any, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    send = mail.EmailMessage.send

    def refused(message: Any) -> Any:
        if "2026-1" in message.subject:
            raise error
        return send(message)

    monkeypatch.setattr(mail.EmailMessage, "send", refused)
    assert delivery.outgoing_send() == 1 and "PO-1" in mailoutbox[0].subject
    assert (invoice.outgoing.count(), order.outgoing.count()) == (1, 0)
    answer(order)
