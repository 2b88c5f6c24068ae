"""What `manage.py check` says of the fiscal settings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.utils.timezone import now

from .zki import certified

SOON = timedelta(days=30)


@register("pos")
def fiscal_settings(**_: Any) -> list[CheckMessage]:
    """A profile that exists, and a certificate where receipts are real."""
    found: list[CheckMessage] = []
    if settings.FISCAL_PROFILE not in {"default", "cis"}:
        found.append(Error(f"FISCAL_HR_PROFILE is default or cis, not {settings.FISCAL_PROFILE!r}.", id="pos.E001"))
    if settings.FISCAL_DEMO_MODE:
        if settings.FISCAL_PROFILE == "cis":
            hint = "Set FISCAL_HR_DEMO_MODE=false, with a certificate."
            found.append(Error("The tax authority's form is not for demo receipts.", hint, id="pos.E002"))
        return found
    try:
        fiscal = certified()
    except (OSError, ValueError, ImproperlyConfigured) as error:
        hint = "FISCAL_HR_P12_PATH and FISCAL_HR_P12_PASS name the certificate."
        found.append(Error(f"No ZKI can be made: {error}", hint, id="pos.E003"))
        return found
    # No error: it would stop the audit, checkpoints and mail as well. Fiscalising refuses by itself.
    for message, at in (("No ZKI can be made", now()), ("Soon no ZKI can be made", now() + SOON)):
        try:
            fiscal.check(at=at)
        except ValueError as error:
            found.append(Warning(f"{message}: {error}", "Fetch a new certificate.", id="pos.W001"))
            break
    return found
