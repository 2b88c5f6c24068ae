"""Links and the mail that brings them. A token is in its link alone; the database has its hash."""

from __future__ import annotations

import hashlib
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
from portal.errors import ChangedError

from ..models import ClientToken, Invoice, Outgoing, RenewalRequest
from .frozen import hold

logger = logging.getLogger("portal")

# Of requests that nobody has looked at yet. Beyond that further ones are answered as all are, and forgotten.
MOST_REQUESTS = 10_000
# Nobody's mailbox is filled by somebody who has an old link.
BETWEEN_RENEWALS = timedelta(hours=1)
CLAIMED = timedelta(minutes=10)


def token_hash(token: str) -> bytes:
    """What the database has of a token. It has 122 random bits, so that nobody finds it from this."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def token_issue(*, invoice: Invoice) -> str:
    """A new link's token, which is told here and nowhere else."""
    token = str(uuid.uuid4())
    expires = timezone.now() + timedelta(days=settings.TOKEN_DAYS)
    ClientToken.objects.create(invoice=invoice, hash=token_hash(token), expires_at=expires)
    return token


def tokens_revoke(*, invoice: Invoice) -> int:
    """Closes every link of a document; how many there were."""
    return invoice.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def link(token: str, language: str) -> str:
    """The address of a client's page."""
    with translation.override(language):
        return settings.BASE_URL + reverse("client", args=[token])


def renewal_request(*, token: str) -> None:
    """Notes that somebody asks for a new link: one row, whatever the token is."""
    with transaction.atomic():
        if RenewalRequest.objects.count() < MOST_REQUESTS:
            RenewalRequest.objects.bulk_create([RenewalRequest(hash=token_hash(token))], ignore_conflicts=True)


def renewals_answer() -> int:
    """Looks at what was asked for; how many get a mail."""
    answered = 0
    for request in RenewalRequest.objects.order_by("pk")[:MOST_REQUESTS]:
        with transaction.atomic():
            RenewalRequest.objects.filter(pk=request.pk).delete()
            token = ClientToken.objects.select_related("invoice").filter(hash=request.hash, revoked_at=None).first()
            if token is None or token.invoice.status in {Invoice.Status.DRAFT, Invoice.Status.VOID}:
                continue
            recent = token.invoice.tokens.filter(created_at__gt=timezone.now() - BETWEEN_RENEWALS)
            if recent.exclude(pk=token.pk).exists():
                continue
            Outgoing.objects.get_or_create(invoice=token.invoice, kind=Outgoing.Kind.RENEWAL)
            answered += 1
    return answered


def outgoing_send() -> int:
    """Sends the mail that is due; how many left. One that fails waits longer each time."""
    sent = 0
    for mail in Outgoing.objects.filter(due_at__lte=timezone.now()).select_related("invoice__issuer"):
        # Claimed for a while: no other process sends it, and after a crash it is sent again.
        now = timezone.now()
        if not Outgoing.objects.filter(pk=mail.pk, due_at__lte=now).update(due_at=now + CLAIMED, tries=F("tries") + 1):
            continue
        token = token_issue(invoice=mail.invoice)
        try:
            message(mail.invoice, mail.kind, token).send()
        except (OSError, ChangedError):
            logger.exception("a mail of document %s was not sent", mail.invoice_id)
            ClientToken.objects.filter(hash=token_hash(token)).update(revoked_at=timezone.now())
            later = timezone.now() + timedelta(minutes=2 ** min(mail.tries, 10))
            Outgoing.objects.filter(pk=mail.pk).update(due_at=later)
            continue
        Outgoing.objects.filter(pk=mail.pk).delete()
        sent += 1
    return sent


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
