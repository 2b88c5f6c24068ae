"""What `manage.py check` says of a demo where it has no place."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage, Error, register
from django.db import DatabaseError

# Name and password of the demo's superuser.
NAME = "ana"
HERE = {"localhost", "127.0.0.1", "::1"}


@register("portal")
def demo_elsewhere(**_: Any) -> list[CheckMessage]:
    """A demo is for the machine that it runs on."""
    host = urlsplit(settings.BASE_URL).hostname
    if not settings.DEMO or host in HERE:
        return []
    hint = "Set PORTAL_DEMO=false, or PORTAL_BASE_URL to an address of this machine."
    return [Error(f"A demo, over plain HTTP, is to be reached as {host}.", hint, id="portal.E001")]


@register("portal", deploy=True)
def demo_superuser(**_: Any) -> list[CheckMessage]:
    """Whoever knows the demo is no superuser here."""
    try:
        user = get_user_model().objects.filter(username=NAME, is_active=True).first()
    except DatabaseError:
        # Nothing is migrated yet, and nobody is there.
        return []
    if user is None or not user.check_password(NAME):
        return []
    hint = f"Change the password of {NAME}, or begin with another PORTAL_HOME."
    return [Error("The demo's superuser has the password that everybody knows.", hint, id="portal.E002")]
