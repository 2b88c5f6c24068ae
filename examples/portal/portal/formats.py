"""Amounts, days, times and hashes, as each language writes them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from babel.dates import format_date, format_datetime
from babel.numbers import format_currency, format_decimal
from django.utils import timezone
from django.utils.translation import get_language

# A day is an ordinal in two of them, and in Croatian the year as well.
PATTERNS = {"hr_HR": "d. MMMM y., HH:mm:ss", "de_DE": "d. MMMM y, HH:mm:ss", "en_GB": "d MMMM y, HH:mm:ss"}
LOCALES = {"hr": "hr_HR", "de": "de_DE", "en": "en_GB"}


def _locale(language: str | None) -> str:
    return LOCALES[(language or get_language() or "hr")[:2]]


def amount(value: Decimal | str, currency: str, language: str | None = None) -> str:
    """With its currency."""
    return format_currency(Decimal(value), currency, locale=_locale(language))


def number(value: Decimal | str, language: str | None = None) -> str:
    """With no more digits than it has."""
    return format_decimal(Decimal(value), locale=_locale(language))


def day(value: date | str, language: str | None = None) -> str:
    """A date."""
    found = date.fromisoformat(value) if isinstance(value, str) else value
    return format_date(found, "long", locale=_locale(language))


def moment(value: datetime, language: str | None = None) -> str:
    """A time where the portal is, with its zone."""
    local, locale = timezone.localtime(value), _locale(language)
    return f"{format_datetime(local, PATTERNS[locale], locale=locale)} {local:%Z}"


def groups(text: str, size: int = 8) -> list[str]:
    """A hash in parts that an eye can follow."""
    return [text[at : at + size] for at in range(0, len(text), size)]
