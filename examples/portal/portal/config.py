"""What the environment says, read strictly: a setting that is misspelt must not fall back to something laxer."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from dualseal.contrib.django.conf import secret_text

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def flag(name: str, default: bool) -> bool:
    """``true`` or ``false``."""
    text = os.environ.get(name, "").strip().lower()
    if text in {"", "1", "true", "yes", "0", "false", "no"}:
        return default if text == "" else text in {"1", "true", "yes"}
    raise ImproperlyConfigured(f"{name} is true or false, not {text!r}")


def number(name: str, default: int) -> int:
    """Digits."""
    text = os.environ.get(name, "").strip()
    if text and not (text.isascii() and text.isdigit()):
        raise ImproperlyConfigured(f"{name} is a number, not {text!r}")
    return int(text) if text else default


def secret(path: Path) -> str:
    """A secret in a file that its owner alone may read."""
    try:
        return secret_text(path).strip()
    except FileNotFoundError as error:
        raise ImproperlyConfigured(f"{path} is not there: 50 or more random characters, mode 600") from error


def networks(name: str) -> list[Network]:
    """Networks in CIDR, with commas between."""
    found = []
    for text in filter(None, (part.strip() for part in os.environ.get(name, "").split(","))):
        try:
            found.append(ipaddress.ip_network(text))
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {error}") from error
    return found


def databases(home: Path) -> dict[str, object]:
    """PostgreSQL where `DATABASE_URL` names it, else SQLite beside the keys."""
    url = os.environ.get("DATABASE_URL", "")
    if url:
        import dj_database_url  # noqa: PLC0415

        return dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": home / "portal.sqlite3",
        # Writers wait for one another, from the beginning of their transactions on.
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 60, "init_command": "PRAGMA journal_mode=WAL"},
    }
