"""What a document says, as data: frozen with its bytes, and all that its pages show."""

from __future__ import annotations

import json
from collections import defaultdict
from decimal import Decimal
from typing import Any

from django.conf import settings
from dualseal.contrib.django.models import Chain

from .models import Invoice
from .models.documents import cents


def total_of(lines: list[Any]) -> Decimal:
    """With tax."""
    return sum((line.net + line.vat for line in lines), Decimal("0.00"))


def statement(invoice: Invoice) -> dict[str, Any]:
    """Everything about a document that its client is to rely on."""
    issuer, lines, chain = invoice.issuer, list(invoice.lines.all()), Chain.objects.get(name=settings.LOG)
    bases: dict[Decimal, Decimal] = defaultdict(Decimal)
    taxes: dict[Decimal, Decimal] = defaultdict(Decimal)
    for line in lines:
        bases[line.vat_rate] += line.net
        taxes[line.vat_rate] += line.vat
    return {
        "version": 1,
        "kind": invoice.kind,
        "number": invoice.number,
        "issued_on": invoice.issued_on.isoformat(),
        "due_on": invoice.due_on.isoformat() if invoice.due_on else None,
        "currency": invoice.currency,
        "language": invoice.language,
        "note": invoice.note,
        "issuer": {
            "name": issuer.name,
            "address": issuer.address,
            "oib": issuer.oib,
            "iban": issuer.iban,
            "email": issuer.email,
            "identity_id": issuer.identity_id,
        },
        "client": {"name": invoice.client_name, "address": invoice.client_address, "email": invoice.client_email},
        "lines": [
            {
                "description": line.description,
                "quantity": _plain(line.quantity),
                "unit_price": str(cents(line.unit_price)),
                "vat_rate": _plain(line.vat_rate),
                "net": str(line.net),
            }
            for line in lines
        ],
        "vat": [{"rate": _plain(rate), "base": str(bases[rate]), "tax": str(taxes[rate])} for rate in sorted(bases)],
        "total": str(cents(total_of(lines) if lines else invoice.total)),
        "log": {"origin": chain.origin, "fingerprint": chain.fingerprint},
    }


def as_text(data: dict[str, Any]) -> str:
    """The file that is embedded in the document's PDF."""
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _plain(number: Decimal) -> str:
    """Without zeros at the end."""
    return f"{number.normalize():f}"
