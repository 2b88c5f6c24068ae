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
    made = [line if isinstance(line, InvoiceLine) else InvoiceLine(**line) for line in lines]
    if bool(made) == (upload is not None):
        raise ConflictError(_("A document has lines, or a PDF and its total."))
    for line in made:
        line.clean_fields(exclude=["invoice"])
    if upload is not None:
        uploads.check(upload)
    else:
        fields["total"] = total_of(made)
    invoice = Invoice(issuer=issuer, upload=upload, **fields)
    invoice.full_clean()
    with transaction.atomic():
        invoice.save()
        for line in made:
            line.invoice = invoice
            line.save()
        if made:
            # That it can be set: a draft that cannot be sent would keep its number.
            data = statement(invoice)
            invoice_pdf(data, as_text(data))
    return invoice


def invoice_send(*, invoice: Invoice) -> Invoice:
    """Freezes a draft, has the issuer sign it, and hands it to the mail."""
    with transaction.atomic():
        invoice = _locked(invoice, {Status.DRAFT}, _("It was sent already."))
        data = statement(invoice)
        text = as_text(data)
        # Before the step, which holds the log.
        if invoice.upload is not None:
            pdf = uploads.with_data(bytes(invoice.upload), text)
        else:
            pdf = invoice_pdf(data, text)
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
