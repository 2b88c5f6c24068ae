"""Filters: what `portal.formats` makes."""

from __future__ import annotations

from decimal import Decimal

from django import template
from invoices.documents.typeset import kind_name
from portal import formats

register = template.Library()

register.filter("day", formats.day)
register.filter("moment", formats.moment)
register.filter("groups", formats.groups)
register.filter("decimal", formats.number)
register.filter("kind_name", kind_name)


@register.filter
def amount(value: Decimal | str, currency: str) -> str:
    """With its currency."""
    return formats.amount(value, currency)


@register.filter
def seal_hash(seal_id: str) -> str:
    """The hash of a seal's identifier."""
    return seal_id.rpartition("::")[2]
