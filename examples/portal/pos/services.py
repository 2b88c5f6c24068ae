"""What is done with receipts and tills."""

from __future__ import annotations

import hashlib
import secrets

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.translation import gettext as _
from dualseal.contrib.django import conf
from portal.errors import ConflictError

from . import qr, zki
from .models import Receipt, Terminal


def receipt_fiscalise(*, receipt: Receipt) -> Receipt:
    """Gives a draft its ZKI and its QR code.

    :raises ConflictError: it is no draft, or the settings make no ZKI that the profile takes.
    """
    is_demo = settings.FISCAL_DEMO_MODE
    if is_demo and settings.FISCAL_PROFILE == "cis":
        raise ConflictError(_("The tax authority's form is not for demo receipts."))
    # What takes long comes before the transaction.
    key = None if is_demo else zki.key_of(settings.FISCAL_P12_PATH, settings.FISCAL_P12_PASS)
    with transaction.atomic():
        rows = Receipt.objects.select_for_update(of=("self",)).select_related("terminal__issuer")
        receipt = rows.get(pk=receipt.pk)
        if receipt.status != Receipt.Status.DRAFT:
            raise ConflictError(_("Only a draft is fiscalised."))
        terminal, issuer = receipt.terminal, receipt.terminal.issuer
        facts = {"number": receipt.number, "premises": terminal.premises, "device": terminal.device}
        at, total = receipt.issued_at, receipt.total
        if key is None:
            receipt.zki = zki.demo_zki(receipt.pk)
        else:
            receipt.zki = zki.zki(key, oib=issuer.oib, issued_at=at, total=total, **facts)
        receipt.is_demo, receipt.status = is_demo, Receipt.Status.FISCALISED
        _draw(receipt)
        receipt.save()
    return receipt


def receipt_take_jir(*, receipt: Receipt, jir: object) -> Receipt:
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
    terminal.token_hash = token_hash(token)
    terminal.save(update_fields=["token_hash", "updated_at"])
    return token


def token_hash(token: str) -> bytes:
    """What the database has of a till's token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


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
