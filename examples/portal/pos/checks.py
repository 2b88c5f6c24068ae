"""What `manage.py check` says of the fiscal settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from .zki import certified


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
        certified().check()
    except (OSError, ValueError, ImproperlyConfigured) as error:
        hint = "FISCAL_HR_P12_PATH and FISCAL_HR_P12_PASS name the certificate."
        found.append(Error(f"No ZKI can be made: {error}", hint, id="pos.E003"))
    return found
