"""Links and the mail that brings them. A token is in its link alone; the database has its hash."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from portal.tokens import hashed, plain

from ..models import ClientToken, Invoice, Outgoing, RenewalRequest
from .frozen import hold

logger = logging.getLogger("portal")

# Of requests that nobody has looked at yet. Beyond that further ones are answered as all are, and forgotten.
MOST_REQUESTS = 10_000
# Nobody's mailbox is filled by somebody who has an old link.
BETWEEN_RENEWALS = timedelta(hours=1)
CLAIMED = timedelta(minutes=10)


def token_issue(*, invoice: Invoice) -> str:
    """A new link's token, which is told here and nowhere else."""
    token = str(uuid.uuid4())
    expires = timezone.now() + timedelta(days=settings.TOKEN_DAYS)
    ClientToken.objects.create(invoice=invoice, hash=hashed(token), expires_at=expires)
    return token


def tokens_revoke(*, invoice: Invoice) -> int:
    """Closes every link of a document, those of waiting mails as well; how many there were."""
    with transaction.atomic():
        Invoice.objects.select_for_update(of=("self",)).only("pk").get(pk=invoice.pk)
        invoice.outgoing.all().delete()
        return invoice.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def link(token: str, language: str) -> str:
    """The address of a client's page."""
    with translation.override(language):
        return settings.BASE_URL + reverse("client", args=[token])


def renewal_request(*, token: str) -> None:
    """Notes that somebody asks for a new link: one row, whatever the token is."""
    with transaction.atomic():
        if RenewalRequest.objects.count() < MOST_REQUESTS:
            RenewalRequest.objects.bulk_create([RenewalRequest(hash=hashed(plain(token)))], ignore_conflicts=True)


def renewals_answer() -> int:
    """Looks at what was asked for; how many get a mail."""
    answered = 0
    for request in RenewalRequest.objects.order_by("pk")[:MOST_REQUESTS]:
        with transaction.atomic():
            RenewalRequest.objects.filter(pk=request.pk).delete()
            answered += _renew(request)
    return answered


def _renew(request: RenewalRequest) -> bool:
    """Has a new link sent, where the old one is of a document and was not closed, under that document's lock."""
    tokens = ClientToken.objects.filter(hash=request.hash, revoked_at=None)
    invoice = Invoice.objects.select_for_update(of=("self",)).only("status").filter(tokens__in=tokens).first()
    token = tokens.first()
    if invoice is None or token is None or invoice.status in {Invoice.Status.DRAFT, Invoice.Status.VOID}:
        return False
    recent = invoice.tokens.filter(created_at__gt=timezone.now() - BETWEEN_RENEWALS)
    if recent.exclude(pk=token.pk).exists():
        return False
    Outgoing.objects.get_or_create(invoice=invoice, kind=Outgoing.Kind.RENEWAL)
    return True


def outgoing_send() -> int:
    """Sends the mail that is due; how many left. One that fails waits longer each time, and holds up no other."""
    sent = 0
    for pk in Outgoing.objects.filter(due_at__lte=timezone.now()).values_list("pk", flat=True):
        claimed = _claim(pk)
        if claimed is None:
            continue
        mail, token = claimed
        try:
            message(mail.invoice, mail.kind, token).send()
        except Exception:
            # Whatever it is, as an address that the server or the library does not take: it is this mail's alone.
            logger.exception("a mail of document %s was not sent", mail.invoice_id)
            ClientToken.objects.filter(hash=hashed(token)).update(revoked_at=timezone.now())
            later = timezone.now() + timedelta(minutes=2 ** min(mail.tries, 10))
            Outgoing.objects.filter(pk=pk).update(due_at=later)
            continue
        Outgoing.objects.filter(pk=pk).delete()
        sent += 1
    return sent


def _claim(pk: int) -> tuple[Outgoing, str] | None:
    """A mail and its link's token, under the document's lock: who closes all links closes this one or has no mail left.
    It is claimed for a while: no other process sends it, and after a crash it is sent again.
    """
    with transaction.atomic():
        now = timezone.now()
        mail = Outgoing.objects.filter(pk=pk).first()
        if mail is None:
            return None
        mail.invoice = Invoice.objects.select_for_update(of=("self",)).select_related("issuer").get(pk=mail.invoice_id)
        claims = Outgoing.objects.filter(pk=pk, due_at__lte=now)
        if not claims.update(due_at=now + CLAIMED, tries=F("tries") + 1):
            return None
        mail.tries += 1
        if mail.invoice.status in {Invoice.Status.DRAFT, Invoice.Status.VOID}:
            mail.delete()
            return None
        return mail, token_issue(invoice=mail.invoice)


def message(invoice: Invoice, kind: str, token: str) -> EmailMessage:
    """The mail with a link, in the client's language."""
    hold(invoice=invoice)
    data = invoice.frozen
    with translation.override(invoice.language):
        names = {"document": str(invoice), "issuer": data["issuer"]["name"]}
        subjects = {
            Outgoing.Kind.SENT: _("%(document)s from %(issuer)s"),
            Outgoing.Kind.REMINDER: _("Reminder: %(document)s from %(issuer)s"),
            Outgoing.Kind.RENEWAL: _("A new link: %(document)s from %(issuer)s"),
        }
        context = {"data": data, "invoice": invoice, "kind": kind, "days": settings.TOKEN_DAYS}
        body = render_to_string("mail.txt", context | {"link": link(token, invoice.language)})
        subject = subjects[Outgoing.Kind(kind)] % names
    return EmailMessage(subject, body, to=[data["client"]["email"]], reply_to=[data["issuer"]["email"]])
