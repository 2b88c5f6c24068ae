"""What a till sells, and its receipts."""

from __future__ import annotations

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from dualseal.contrib.django.fields import IdentityIdField
from invoices.models import Issuer
from invoices.models.documents import one_line


class Category(models.Model):
    """A group of products."""

    issuer = models.ForeignKey(Issuer, models.CASCADE, related_name="categories")
    name = models.CharField(_("name"), max_length=100, validators=[one_line])
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "pk")
        verbose_name = _("category")
        verbose_name_plural = _("categories")

    def __str__(self) -> str:
        return self.name


class Product(models.Model):
    """Something that is sold."""

    category = models.ForeignKey(Category, models.CASCADE, related_name="products")
    name = models.CharField(_("name"), max_length=200, validators=[one_line])
    price = models.DecimalField(_("price"), max_digits=10, decimal_places=2, validators=[MinValueValidator(0)])
    vat_rate = models.DecimalField(
        _("VAT, %"),
        max_digits=4,
        decimal_places=2,
        default=25,
        validators=[MinValueValidator(0), MaxValueValidator(50)],
    )
    is_active = models.BooleanField(_("is sold"), default=True)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("product")
        verbose_name_plural = _("products")

    def __str__(self) -> str:
        return self.name


class Terminal(models.Model):
    """A till. Its token is in the till alone; here is its hash."""

    issuer = models.ForeignKey(Issuer, models.CASCADE, related_name="terminals")
    name = models.CharField(_("name"), max_length=100, validators=[one_line])
    # As the tax authority has them: letters and digits of the premises, a number of the device.
    premises = models.CharField(_("premises"), max_length=20, validators=[RegexValidator("^[0-9A-Za-z]+$")])
    device = models.PositiveIntegerField(_("device"), validators=[MinValueValidator(1)])
    token_hash = models.BinaryField(max_length=32, unique=True, null=True, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["issuer", "premises", "device"], name="pos_terminal_place"),)
        verbose_name = _("till")
        verbose_name_plural = _("tills")

    def __str__(self) -> str:
        return f"{self.name} ({self.premises}/{self.device})"


class Receipt(models.Model):
    """What a till sold, and once it is fiscalised the code by which its customer checks it."""

    class Status(models.TextChoices):
        """Where it stands."""

        DRAFT = "draft", _("Draft")
        FISCALISED = "fiscalised", _("Fiscalised")
        CANCELLED = "cancelled", _("Cancelled")

    terminal = models.ForeignKey(Terminal, models.PROTECT, related_name="receipts")
    number = models.PositiveIntegerField(_("number"), validators=[MinValueValidator(1)])
    issued_at = models.DateTimeField(_("time"))
    total = models.DecimalField(_("total"), max_digits=12, decimal_places=2, validators=[MinValueValidator(Decimal(0))])
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    is_demo = models.BooleanField(default=False, editable=False)
    zki = models.CharField("ZKI", max_length=32, blank=True, editable=False)
    jir = models.UUIDField("JIR", null=True, blank=True)
    fiscal_qr_url = models.CharField(max_length=500, blank=True, editable=False)
    fiscal_qr_image = models.ImageField(upload_to="pos/qr", null=True, blank=True, editable=False)
    identity_id = IdentityIdField(unique=True, null=True, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["terminal", "number"], name="pos_receipt_number"),)
        ordering = ("-issued_at", "-pk")
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")

    def __str__(self) -> str:
        return f"{self.number}/{self.terminal.premises}/{self.terminal.device}"
