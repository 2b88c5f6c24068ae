"""What a till reads."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.conf import settings
from portal.tokens import hashed

from .models import Category, Product, Terminal


def terminal_of(authorization: str) -> Terminal | None:
    """The till of a header `Authorization: Bearer TOKEN`."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        return None
    return Terminal.objects.select_related("issuer").filter(token_hash=hashed(token.strip())).first()


def bundle_version(said: dict[str, Any]) -> str:
    """The same where the bundle says the same, and in no other case: no time of a change tells that, since who began
    first may be seen last.
    """
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:32]


def bundle(terminal: Terminal) -> dict[str, Any]:
    """All that a till needs without a network."""
    issuer = terminal.issuer
    products = Product.objects.filter(category__issuer=issuer, is_active=True)
    return {
        "products": [
            {
                "id": row.pk,
                "name": row.name,
                "category": row.category_id,
                "price": str(row.price),
                "vat_rate": str(row.vat_rate),
            }
            for row in products
        ],
        "categories": [{"id": row.pk, "name": row.name} for row in Category.objects.filter(issuer=issuer)],
        "terminal": {
            "id": terminal.pk,
            "name": terminal.name,
            "premises": terminal.premises,
            "device": terminal.device,
            "issuer": issuer.name,
            "oib": issuer.oib,
        },
        "fiscal_demo_mode": settings.FISCAL_DEMO_MODE,
    }
