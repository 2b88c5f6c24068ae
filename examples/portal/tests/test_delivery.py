"""Links and the mail that brings them: what was closed stays closed, also for who waited."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from conftest import answer, void
from django.core import mail
from django.core.management import call_command
from django.db import InterfaceError, OperationalError
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


class EnoughError(Exception):
    """Ends the loop."""


@pytest.mark.parametrize("error", [OperationalError("restarts"), InterfaceError("closed")])
def test_a_database_that_starts_anew_is_waited_for(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    turns: list[Exception | int] = [error, 2, EnoughError()]

    def turn() -> int:
        found = turns.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr("invoices.management.commands.portal_mail.close_old_connections", lambda: None)
    monkeypatch.setattr(delivery, "outgoing_send", turn)
    with pytest.raises(EnoughError):
        call_command("portal_mail", watch=0.01)
    assert turns == []
    turns.append(error)
    with pytest.raises(type(error)):
        call_command("portal_mail")


def test_a_mail_server_that_says_nothing_is_not_waited_for(invoice: Any, settings: Any) -> None:
    assert 0 < settings.EMAIL_TIMEOUT <= 60
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = silent.getsockname()
        settings.EMAIL_TIMEOUT = 0.3
        assert delivery.outgoing_send() == 0
    assert invoice.outgoing.get().tries == 1
