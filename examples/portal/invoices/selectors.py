"""What is read: never written here."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import DataError
from django.db.models import Count, Max, Model, QuerySet
from django.utils import timezone
from portal.errors import ChangedError
from portal.tokens import hashed, plain

from .models import ClientToken, Invoice, Issuer

Row = TypeVar("Row", bound=Model)


def token_find(token: str) -> ClientToken | None:
    """The link that a token opens. What is unknown, expired, revoked or no token at all is found alike: by one query,
    and not.

    :raises ChangedError: its document does not read.
    """
    return _first(
        ClientToken.objects.filter(hash=hashed(plain(token)), revoked_at=None, expires_at__gt=timezone.now())
        .select_related("invoice__issuer", "invoice__acknowledgement", "invoice__decline")
        .defer("invoice__pdf", "invoice__upload")
    )


def issuers_of(user: Any) -> QuerySet[Issuer]:
    """Those that a person may send for."""
    return Issuer.objects.filter(members=user)


def invoices_of(user: Any) -> QuerySet[Invoice]:
    """The documents of a person's issuers, with who looked at them."""
    rows = Invoice.objects.filter(issuer__in=issuers_of(user)).defer("pdf", "upload", "data")
    rows = rows.select_related("issuer", "acknowledgement", "decline")
    return rows.annotate(seen=Count("views"), last_seen=Max("views__created_at")).order_by("-created_at", "-pk")


def invoice_of(user: Any, pk: int) -> Invoice | None:
    """One of them.

    :raises ChangedError: it does not read.
    """
    return _first(invoices_of(user).filter(pk=pk))


def _first(rows: QuerySet[Row]) -> Row | None:
    try:
        return rows.first()
    except (TypeError, ValueError, ArithmeticError, DataError) as error:
        # What a database was told by SQL to hold, and no row is made of.
        raise ChangedError from error
