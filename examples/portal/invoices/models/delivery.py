"""How a document reaches its client: tokens of links, mail that waits, and what was looked at."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .documents import Invoice


class ClientToken(models.Model):
    """A link to a document's page. The token itself is in the link alone; here is its hash."""

    invoice = models.ForeignKey(Invoice, models.PROTECT, related_name="tokens")
    hash = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.invoice} · {self.created_at:%Y-%m-%d}"


class View(models.Model):
    """That a page was opened before it was confirmed. It proves nothing: a filter of mail opens links, too."""

    invoice = models.ForeignKey(Invoice, models.PROTECT, related_name="views")
    token = models.ForeignKey(ClientToken, models.PROTECT, related_name="+")
    ip = models.GenericIPAddressField(_("address"))
    ua = models.CharField(_("agent"), max_length=512, blank=True)
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.invoice} · {self.ip}"


class Outgoing(models.Model):
    """A mail that is to be sent. Its link is made as it leaves, so that no token waits in a table."""

    class Kind(models.TextChoices):
        """What it says."""

        SENT = "sent"
        REMINDER = "reminder"
        RENEWAL = "renewal"

    invoice = models.ForeignKey(Invoice, models.CASCADE, related_name="outgoing")
    kind = models.CharField(max_length=8, choices=Kind)
    created_at = models.DateTimeField(auto_now_add=True)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["invoice", "kind"], name="invoices_outgoing_once"),)

    def __str__(self) -> str:
        return f"{self.kind}: {self.invoice}"


class RenewalRequest(models.Model):
    """That somebody asked for a new link in place of one, whatever it was. Who answers looks at it later, so that the
    answer tells nothing of it, neither by what it says nor by its time.
    """

    hash = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return bytes(self.hash).hex()
