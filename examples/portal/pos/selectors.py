"""What a till reads."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.conf import settings
from django.db.models import Count, Max

from .models import Category, Product, Terminal
from .services import token_hash


def terminal_of(authorization: str) -> Terminal | None:
    """The till of a header `Authorization: Bearer TOKEN`."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        return None
    return Terminal.objects.select_related("issuer").filter(token_hash=token_hash(token.strip())).first()


def bundle_version(terminal: Terminal) -> str:
    """Changes with what the bundle says. It reads no row's contents, so that a till asks often."""
    counts = [
        rows.aggregate(count=Count("pk"), last=Max("updated_at"))
        for rows in (
            Category.objects.filter(issuer=terminal.issuer),
            Product.objects.filter(category__issuer=terminal.issuer),
        )
    ]
    seen = [terminal.pk, terminal.updated_at, terminal.issuer.name, settings.FISCAL_DEMO_MODE, counts]
    return hashlib.sha256(json.dumps(seen, default=str).encode()).hexdigest()[:32]


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
