"""What an issuer does: it makes a document, sends it, reminds of it, and declares it void."""

from __future__ import annotations

import hashlib
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain
from portal.errors import ConflictError

from ..documents import uploads
from ..documents.typeset import invoice_pdf
from ..models import Acknowledgement, Invoice, InvoiceLine, Issuer, Outgoing, Voiding
from ..models.responses import existing
from ..statement import as_text, statement, total_of
from .frozen import hold
from .sealing import agent, seal

Status = Invoice.Status


def issuer_create(*, members: Any = (), **fields: Any) -> Issuer:
    """An issuer, with an identity and a key in the log."""
    issuer = Issuer(**fields)
    issuer.identity_id = conf.domain().identity_id(b"", issuer.oib, "issuer")
    issuer.full_clean()
    with transaction.atomic():
        issuer.save()
        issuer.members.set(members)
        Chain.objects.add_identity(settings.LOG, issuer.identity_id)
    return issuer


def invoice_create(*, issuer: Issuer, lines: Any = (), upload: bytes | None = None, **fields: Any) -> Invoice:
    """A draft, from lines, or from a PDF and its total."""
    if upload is not None:
        uploads.check(upload)
    return _draft(Invoice(issuer=issuer), lines, upload, fields)


def invoice_change(*, invoice: Invoice, lines: Any = (), upload: bytes | None = None, **fields: Any) -> Invoice:
    """Another draft in its place. A PDF that was uploaded stays where neither lines nor another one are given."""
    if upload is not None:
        uploads.check(upload)
    with transaction.atomic():
        invoice = _locked(invoice, {Status.DRAFT}, _("It was sent already."))
        if upload is None and not lines and invoice.upload is not None:
            upload = bytes(invoice.upload)
        return _draft(invoice, lines, upload, fields)


def invoice_delete(*, invoice: Invoice) -> None:
    """Deletes a draft, whose number is free again."""
    with transaction.atomic():
        _locked(invoice, {Status.DRAFT}, _("It was sent already.")).delete()


def invoice_preview(*, invoice: Invoice) -> bytes:
    """What a draft would be frozen as: nobody has signed it."""
    return _typeset(invoice)[1]


def _draft(invoice: Invoice, lines: Any, upload: bytes | None, fields: dict[str, Any]) -> Invoice:
    made = [InvoiceLine(**line) for line in lines]
    if bool(made) == (upload is not None):
        raise ConflictError(_("A document has lines, or a PDF and its total."))
    for line in made:
        line.clean_fields(exclude=["invoice"])
    if made:
        fields["total"] = total_of(made)
    elif fields.get("total", invoice.total) is None:
        raise ConflictError(_("A document has lines, or a PDF and its total."))
    for name, value in fields.items():
        setattr(invoice, name, value)
    invoice.upload = upload
    invoice.full_clean()
    with transaction.atomic():
        invoice.save()
        invoice.lines.all().delete()
        for line in made:
            line.invoice = invoice
            line.save()
        if made:
            # That it can be set: a draft that cannot be sent would keep its number.
            _typeset(invoice)
    return invoice


def _typeset(invoice: Invoice) -> tuple[str, bytes]:
    """Its data and its PDF."""
    data = statement(invoice)
    text = as_text(data)
    if invoice.upload is not None:
        return text, uploads.with_data(bytes(invoice.upload), text)
    return text, invoice_pdf(data, text)


def invoice_send(*, invoice: Invoice) -> Invoice:
    """Freezes a draft, has the issuer sign it, and hands it to the mail."""
    with transaction.atomic():
        invoice = _locked(invoice, {Status.DRAFT}, _("It was sent already."))
        # Before the step, which holds the log.
        text, pdf = _typeset(invoice)
        with Chain.objects.step(settings.LOG) as step:
            ticket = step.sign(invoice.issuer.identity_id, pdf)
        invoice.pdf, invoice.data, invoice.record = pdf, text, ticket.row
        invoice.hash = hashlib.sha256(pdf).hexdigest()
        invoice.status, invoice.sent_at, invoice.upload = Status.SENT, timezone.now(), None
        invoice.save()
        Outgoing.objects.create(invoice=invoice, kind=Outgoing.Kind.SENT)
    return invoice


def invoice_remind(*, invoice: Invoice) -> None:
    """A further mail, with a further link."""
    with transaction.atomic():
        nothing = _("There is nothing to remind of.")
        invoice = _locked(invoice, {Status.SENT, Status.VIEWED}, nothing)
        if existing(invoice, Acknowledgement):
            raise ConflictError(nothing)
        Outgoing.objects.get_or_create(invoice=invoice, kind=Outgoing.Kind.REMINDER)


def invoice_void(*, invoice: Invoice, by: str, ip: str, ua: str) -> Voiding:
    """Declares void what was sent, under a seal. What the client has answered stays."""
    sent = {Status.SENT, Status.VIEWED, Status.DECLINED, Status.ACCEPTED}
    with transaction.atomic():
        invoice = _locked(invoice, sent, _("Only what was sent can be declared void."))
        # The issuer's seal says whose document it was, and which.
        hold(invoice=invoice, thoroughly=True)
        row: Voiding = seal(Voiding(invoice=invoice, hash=invoice.hash, ip=ip, ua=agent(ua), by=by))
        invoice.status = Status.VOID
        invoice.save(update_fields=["status"])
        invoice.outgoing.all().delete()
    return row


def _locked(invoice: Invoice, allowed: set[Status], otherwise: str) -> Invoice:
    """The row as it is, held until the transaction ends."""
    found = Invoice.objects.select_for_update(of=("self",)).select_related("issuer").get(pk=invoice.pk)
    if found.status not in allowed:
        raise ConflictError(otherwise)
    return found
