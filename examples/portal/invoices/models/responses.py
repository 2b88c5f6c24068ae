"""What a client answered, under a dual seal: that he has the document, or that he declines it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import models
from django.utils.translation import gettext_lazy as _
from dualseal.contrib.django import signatures
from dualseal.contrib.django.fields import IdentityIdField
from dualseal.contrib.django.models import Sealed

from .documents import Invoice


class Response(Sealed):
    """What was done with a document that was sent: with which, when, and from where. Its seal covers all of that."""

    invoice = models.OneToOneField(Invoice, models.PROTECT, related_name="%(class)s")
    ip = models.GenericIPAddressField(_("address"))
    ua = models.CharField(_("agent"), max_length=512, blank=True)
    hash = models.CharField("SHA-256", max_length=64)
    identity_id = IdentityIdField(unique=True)
    seal_id = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField(_("time"))

    class Meta(Sealed.Meta):
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name}: {self.invoice.number}"

    def statement(self) -> dict[str, Any]:
        """What is sealed, by member."""
        document = self.invoice.frozen
        at = self.created_at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {
            "client": document["client"]["name"],
            "created_at": at,
            "document": document["number"],
            "hash": self.hash,
            "id": self.identity_id,
            "ip": self.ip,
            "issuer": document["issuer"]["name"],
            "issuer_oib": document["issuer"]["oib"],
            "kind": document["kind"],
            "ua": self.ua,
        }

    def sealed_content(self) -> bytes:
        """Its statement as a file of JSON, for people to read."""
        return json.dumps(self.statement(), ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"

    def faults(self) -> Iterable[str]:
        """That the document is still the one that was answered, and the columns what the seal says."""
        invoice = self.invoice
        yield from (f"the document: {fault}" for fault in signatures.faults(invoice))
        if self.hash != invoice.hash:
            yield "its hash is not the document's"
        if self.seal_id != self.seal.seal_id:
            yield "its seal_id is another seal's"
        if self.signer != invoice.issuer.identity_id:
            yield "its signer is not the issuer"


class Acknowledgement(Response):
    """That the client has the document: the proof of receipt."""

    class Meta(Response.Meta):
        verbose_name = _("acknowledgement")
        verbose_name_plural = _("acknowledgements")

    def statement(self) -> dict[str, Any]:
        """With what it states."""
        return super().statement() | {"statement": "receipt confirmed"}

    def faults(self) -> Iterable[str]:
        """And that an order that was confirmed is accepted."""
        yield from super().faults()
        invoice = self.invoice
        if invoice.kind == Invoice.Kind.PO and invoice.status not in {Invoice.Status.ACCEPTED, Invoice.Status.VOID}:
            yield f"the order is {invoice.status}"


class Decline(Response):
    """That the client does not take the document, and why."""

    reason = models.TextField(_("reason"), max_length=1000)

    class Meta(Response.Meta):
        verbose_name = _("refusal")
        verbose_name_plural = _("refusals")

    def statement(self) -> dict[str, Any]:
        """With what it states."""
        return super().statement() | {"reason": self.reason, "statement": "declined"}

    def faults(self) -> Iterable[str]:
        """And that the document is declined."""
        yield from super().faults()
        if self.invoice.status not in {Invoice.Status.DECLINED, Invoice.Status.VOID}:
            yield f"the document is {self.invoice.status}"


class Voiding(Response):
    """That the issuer declared the document void, and who did."""

    by = models.CharField(_("by"), max_length=150)

    class Meta(Response.Meta):
        verbose_name = _("declaration of being void")
        verbose_name_plural = _("declarations of being void")

    def statement(self) -> dict[str, Any]:
        """With what it states."""
        return super().statement() | {"by": self.by, "statement": "declared void"}

    def faults(self) -> Iterable[str]:
        """And that the document is void."""
        yield from super().faults()
        if self.invoice.status != Invoice.Status.VOID:
            yield f"the document is {self.invoice.status}"


def existing(invoice: Invoice, model: type[Response]) -> Any:
    """The answer of this kind, or None."""
    try:
        return getattr(invoice, model._meta.model_name or "")
    except ObjectDoesNotExist:
        return None
