"""What a client does: he opens the page, confirms that he has the document, or declines it."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from portal.errors import ClosedError, ConflictError

from ..models import Acknowledgement, ClientToken, Decline, Invoice, View
from ..models.responses import existing
from .frozen import hold
from .sealing import agent, seal

# Who opens a page again and again adds no row each time, and nobody more than so many.
AGAIN = timedelta(minutes=10)
MOST_VIEWS = 500


def view_record(*, token: ClientToken, ip: str, ua: str) -> None:
    """That the page was opened, as long as nobody has answered."""
    with transaction.atomic():
        invoice = _locked(token)
        if not invoice.is_open or existing(invoice, Acknowledgement):
            return
        if invoice.status == Invoice.Status.SENT:
            invoice.status = Invoice.Status.VIEWED
            invoice.save(update_fields=["status"])
        seen = invoice.views.filter(token=token, ip=ip, ua=agent(ua), created_at__gt=timezone.now() - AGAIN)
        if not seen.exists() and invoice.views.count() < MOST_VIEWS:
            View.objects.create(invoice=invoice, token=token, ip=ip, ua=agent(ua))


def acknowledge(*, token: ClientToken, hash: str, ip: str, ua: str) -> tuple[Acknowledgement, bool]:
    """Confirms receipt of what was shown, once: whoever comes later gets what is there, and False."""
    with transaction.atomic():
        invoice = _locked(token)
        if found := existing(invoice, Acknowledgement):
            return found, False
        _check(invoice, hash)
        row = seal(Acknowledgement(invoice=invoice, hash=hash, ip=ip, ua=agent(ua)))
        if invoice.kind == Invoice.Kind.PO:
            invoice.status = Invoice.Status.ACCEPTED
            invoice.save(update_fields=["status"])
    return row, True


def decline(*, token: ClientToken, hash: str, ip: str, ua: str, reason: str) -> Decline:
    """Declines what was shown."""
    with transaction.atomic():
        invoice = _locked(token)
        found: Decline | None = existing(invoice, Decline)
        if found is not None:
            return found
        _check(invoice, hash)
        if existing(invoice, Acknowledgement):
            raise ConflictError(_("Its receipt is confirmed."))
        row: Decline = seal(Decline(invoice=invoice, hash=hash, ip=ip, ua=agent(ua), reason=reason))
        invoice.status = Invoice.Status.DECLINED
        invoice.save(update_fields=["status"])
    return row


def _locked(token: ClientToken) -> Invoice:
    """The document, whose links are closed under the same lock. Its bytes are read by who needs them."""
    rows = Invoice.objects.select_for_update(of=("self",)).select_related("issuer").defer("pdf", "upload", "data")
    invoice = rows.get(pk=token.invoice_id)
    if not ClientToken.objects.filter(pk=token.pk, revoked_at=None, expires_at__gt=timezone.now()).exists():
        raise ClosedError
    return invoice


def _check(invoice: Invoice, hash: str) -> None:
    if not invoice.is_open:
        raise ConflictError(_("This document can no longer be answered."))
    if hash != invoice.hash:
        raise ConflictError(_("The page showed another document. Open it again."))
    hold(invoice=invoice, thoroughly=True)
