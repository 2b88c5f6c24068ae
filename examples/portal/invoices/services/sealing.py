"""What seals a row: one step of the log, in the transaction that makes it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain

from ..models import Invoice


def seal(row: Any) -> Any:
    """Seals what a row states and places it in the log, in the transaction that makes it."""
    invoice: Invoice = row.invoice
    row.signer = invoice.issuer.identity_id
    context = f"{row._meta.model_name}/{invoice.number}"
    row.identity_id = conf.domain().identity_id(bytes.fromhex(row.hash), invoice.issuer.oib, _context(context))
    with Chain.objects.step(settings.LOG) as step:
        row.created_at = datetime.fromisoformat(step.time)
        sealed = step.dual_seal(row.signer, row.sealed_content())
    row.seal, row.seal_id, row.entry = sealed.seal, sealed.seal.seal_id, sealed.row
    row.save()
    return row


def agent(text: str) -> str:
    """What a browser says of itself, as one line that a column takes."""
    return "".join(letter for letter in text if letter.isprintable())[:512]


def _context(text: str) -> str:
    """The parts of an identifier are joined by two colons, so that none may hold them."""
    return text.replace(":", "%3A")
