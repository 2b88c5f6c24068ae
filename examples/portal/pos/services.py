"""What is done with receipts and tills."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.translation import gettext as _
from dualseal.contrib.django import conf
from portal.errors import ConflictError
from portal.tokens import hashed

from . import qr, zki
from .models import Receipt, Terminal


def receipt_fiscalise(*, receipt: Receipt) -> Receipt:
    """Gives a draft its ZKI and its QR code.

    :raises ConflictError: it is no draft, or the settings make no ZKI that the profile takes, or not for this issuer.
    """
    is_demo = settings.FISCAL_DEMO_MODE
    if is_demo and settings.FISCAL_PROFILE == "cis":
        raise ConflictError(_("The tax authority's form is not for demo receipts."))
    # What takes long comes before the transaction.
    certified = None if is_demo else _certified()
    with transaction.atomic():
        rows = Receipt.objects.select_for_update(of=("self",)).select_related("terminal__issuer")
        receipt = rows.get(pk=receipt.pk)
        if receipt.status != Receipt.Status.DRAFT:
            raise ConflictError(_("Only a draft is fiscalised."))
        terminal, issuer = receipt.terminal, receipt.terminal.issuer
        facts: dict[str, Any] = {"number": receipt.number, "premises": terminal.premises, "device": terminal.device}
        at, total = receipt.issued_at, receipt.total
        if certified is None:
            receipt.zki = zki.demo_zki(receipt.pk)
        else:
            _check(certified, issuer.oib)
            receipt.zki = zki.zki(certified.key, oib=issuer.oib, issued_at=at, total=total, **facts)
        receipt.is_demo, receipt.status = is_demo, Receipt.Status.FISCALISED
        _draw(receipt)
        receipt.save()
    return receipt


def receipt_take_jir(*, receipt: Receipt, jir: UUID | None) -> Receipt:
    """Notes the JIR that the authority gave, which the QR code carries from then on where the profile has it."""
    with transaction.atomic():
        rows = Receipt.objects.select_for_update(of=("self",)).select_related("terminal__issuer")
        receipt = rows.get(pk=receipt.pk)
        if receipt.status != Receipt.Status.FISCALISED or receipt.is_demo:
            raise ConflictError(_("Only a fiscalised receipt has a JIR."))
        receipt.jir = jir
        _draw(receipt)
        receipt.save()
    return receipt


def receipt_cancel(*, receipt: Receipt) -> None:
    """It stays, and its code with it."""
    if not Receipt.objects.filter(pk=receipt.pk, status=Receipt.Status.FISCALISED).update(
        status=Receipt.Status.CANCELLED
    ):
        raise ConflictError(_("Only a fiscalised receipt is cancelled."))


def terminal_token(*, terminal: Terminal) -> str:
    """A new token for a till, told here alone. The one before is none any more."""
    token = secrets.token_urlsafe(32)
    terminal.token_hash = hashed(token)
    terminal.save(update_fields=["token_hash"])
    return token


def _certified() -> zki.Certified:
    try:
        return zki.certified()
    except (OSError, ValueError, ImproperlyConfigured) as error:
        raise ConflictError(_("The certificate does not read: %(error)s") % {"error": error}) from None


def _check(certified: zki.Certified, oib: str) -> None:
    try:
        certified.check(oib)
    except ValueError as error:
        raise ConflictError(_("The certificate makes no code for this issuer: %(error)s") % {"error": error}) from None


def _draw(receipt: Receipt) -> None:
    issuer = receipt.terminal.issuer
    at = receipt.issued_at
    if settings.FISCAL_PROFILE == "cis":
        url = qr.cis_url(zki=receipt.zki, jir=receipt.jir, issued_at=at, total=receipt.total)
    else:
        url = qr.default_url(settings.FISCAL_VERIFY_URL, zki=receipt.zki, issued_at=at, oib=issuer.oib)
    receipt.fiscal_qr_url = url
    # A code that says something else is another picture, under another name: browsers keep the first for good.
    receipt.identity_id = conf.domain().identity_id(url.encode(), issuer.oib, f"receipt/{receipt}")
    receipt.fiscal_qr_image.save(f"{receipt.identity_id}.png", ContentFile(qr.png(url)), save=False)
