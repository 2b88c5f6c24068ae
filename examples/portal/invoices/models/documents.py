"""An issuer, and the documents that it sends: invoices (RACUN) and orders (PO)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _
from dualseal.contrib.django.fields import IdentityIdField
from dualseal.contrib.django.models import Signed
from stdnum.hr import oib as oib_form

from ..documents.uploads import data_of

CENT = Decimal("0.01")


@deconstructible
class OneLine(RegexValidator):
    """One line of text, without what ends a line of mail or turns the direction in which it is read."""

    regex = r"^[^\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]*\Z"
    message = _("Write it on one line.")


one_line = OneLine()


def valid_oib(text: str) -> None:
    """ISO 7064, MOD 11,10."""
    if len(text) != 11 or not oib_form.is_valid(text):
        raise ValidationError(_("This is no OIB: its check digit is wrong."), code="oib")


class Issuer(models.Model):
    """Who sends documents, with an identity in the log whose key signs them."""

    name = models.CharField(_("name"), max_length=200, validators=[one_line])
    address = models.CharField(_("address"), max_length=300, validators=[one_line])
    oib = models.CharField(_("OIB"), max_length=11, unique=True, validators=[valid_oib])
    iban = models.CharField(_("IBAN"), max_length=34, blank=True, validators=[one_line])
    email = models.EmailField(_("e-mail"))
    identity_id = IdentityIdField(unique=True, editable=False)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="issuers", blank=True)

    class Meta:
        verbose_name = _("issuer")
        verbose_name_plural = _("issuers")

    def __str__(self) -> str:
        return self.name


class Invoice(Signed):
    """A document for a client. Sending freezes it: `pdf` holds its bytes from then on, `data` what they say, and
    `record` the issuer's signature over them.
    """

    of_every_record = True

    class Kind(models.TextChoices):
        """What it is."""

        RACUN = "RACUN", _("Invoice")
        PO = "PO", _("Order")

    class Status(models.TextChoices):
        """Where it stands. An invoice that was confirmed stays as it was, an order is accepted."""

        DRAFT = "draft", _("Draft")
        SENT = "sent", _("Sent")
        VIEWED = "viewed", _("Viewed")
        ACCEPTED = "ACCEPTED", _("Accepted")
        DECLINED = "declined", _("Declined")
        VOID = "void", _("Void")

    class Language(models.TextChoices):
        """In which the client is written to."""

        HR = "hr", "Hrvatski"
        DE = "de", "Deutsch"
        EN = "en", "English"

    issuer = models.ForeignKey(Issuer, models.PROTECT, related_name="invoices", verbose_name=_("issuer"))
    kind = models.CharField(_("kind"), max_length=5, choices=Kind, default=Kind.RACUN)
    number = models.CharField(_("number"), max_length=40, validators=[one_line])
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.DRAFT, editable=False)
    client_name = models.CharField(_("client"), max_length=200, validators=[one_line])
    client_email = models.EmailField(_("client's e-mail"))
    client_address = models.CharField(_("client's address"), max_length=300, blank=True, validators=[one_line])
    language = models.CharField(_("language"), max_length=2, choices=Language, default=Language.HR)
    currency = models.CharField(_("currency"), max_length=3, default="EUR", validators=[RegexValidator("^[A-Z]{3}$")])
    issued_on = models.DateField(_("date"))
    due_on = models.DateField(_("due"), null=True, blank=True)
    note = models.TextField(_("note"), max_length=2000, blank=True)
    # Of a PDF that was uploaded; else the lines have it.
    total = models.DecimalField(_("total"), max_digits=12, decimal_places=2, validators=[MinValueValidator(0)])
    upload = models.BinaryField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, editable=False)
    pdf = models.BinaryField(null=True, editable=False)
    data = models.TextField(blank=True, editable=False)
    hash = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["issuer", "number"], name="invoices_invoice_number"),)
        ordering = ("-created_at", "-pk")
        verbose_name = _("document")
        verbose_name_plural = _("documents")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"

    @property
    def frozen(self) -> dict[str, Any]:
        """What the frozen bytes say, as every page shows it."""
        return dict(json.loads(self.data))

    def signed_by(self) -> str:
        """The issuer."""
        return str(self.issuer.identity_id)

    def signed_content(self) -> bytes:
        """The frozen bytes."""
        return bytes(self.pdf or b"")

    def may_be_unsigned(self) -> bool:
        """A draft."""
        return self.status == self.Status.DRAFT

    def faults(self) -> Iterable[str]:
        """What columns say otherwise than the bytes that were signed."""
        is_draft = self.status == self.Status.DRAFT
        if self.record_id is None or is_draft:
            if not (is_draft and self.record_id is None and self.pdf is None):
                yield "it was sent, and is a draft or has no signature"
            return
        pdf = self.signed_content()
        if hashlib.sha256(pdf).hexdigest() != self.hash:
            yield "its hash is not its PDF's"
        if data_of(pdf) != self.data:
            # Of such data nothing more is read.
            yield "its data is not what its PDF holds"
            return
        for name, said in _columns(self.frozen).items():
            if getattr(self, name) != said:
                yield f"its PDF does not say its {name}"
        issuer = self.frozen["issuer"]
        if (issuer["identity_id"], issuer["oib"]) != (self.issuer.identity_id, self.issuer.oib):
            yield "its PDF is another issuer's"
        if self.status == self.Status.VOID and not hasattr(self, "voiding"):
            yield "it is void, and nobody declared it void"
        if self.status != self.Status.VOID and hasattr(self, "voiding"):
            yield "it was declared void, and is not"
        if self.status == self.Status.DECLINED and not hasattr(self, "decline"):
            yield "it is declined, and nobody declined it"
        if self.status not in {self.Status.DECLINED, self.Status.VOID} and hasattr(self, "decline"):
            yield "it was declined, and is not"
        is_order = self.kind == self.Kind.PO
        if self.status == self.Status.ACCEPTED and not (is_order and hasattr(self, "acknowledgement")):
            yield "it is accepted, and is no order or was not confirmed"

    @property
    def is_open(self) -> bool:
        """Whether the client may answer."""
        return self.status in {self.Status.SENT, self.Status.VIEWED}


class InvoiceLine(models.Model):
    """One line of a document."""

    invoice = models.ForeignKey(Invoice, models.CASCADE, related_name="lines")
    description = models.CharField(_("description"), max_length=300, validators=[one_line])
    quantity = models.DecimalField(
        _("quantity"), max_digits=9, decimal_places=3, default=1, validators=[MinValueValidator(Decimal("0.001"))]
    )
    unit_price = models.DecimalField(
        _("unit price"), max_digits=10, decimal_places=2, validators=[MinValueValidator(0)]
    )
    vat_rate = models.DecimalField(
        _("VAT, %"),
        max_digits=4,
        decimal_places=2,
        default=25,
        validators=[MinValueValidator(0), MaxValueValidator(50)],
    )

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.description

    @property
    def net(self) -> Decimal:
        """Without tax, to the cent."""
        return cents(self.quantity * self.unit_price)

    @property
    def vat(self) -> Decimal:
        """The tax, to the cent."""
        return cents(self.net * self.vat_rate / 100)


def _columns(data: dict[str, Any]) -> dict[str, Any]:
    """What a document's data says of its columns."""
    same = {name: data[name] for name in ("kind", "number", "currency", "language", "note")}
    days = {name: date.fromisoformat(data[name]) if data[name] else None for name in ("issued_on", "due_on")}
    client = {f"client_{name}": data["client"][name] for name in ("name", "address", "email")}
    return same | days | client | {"total": Decimal(data["total"])}


def cents(amount: Decimal) -> Decimal:
    """Half a cent goes up."""
    return amount.quantize(CENT, ROUND_HALF_UP)
