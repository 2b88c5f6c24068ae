"""What every page has."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

PREFIX = re.compile("^/(hr|de|en)/")
# What answers a post alone, and the page that it belongs to.
BUTTON = re.compile(r"^(/[a-z]{2}/(?:ponuda/[^/]+|izdavatelj/[0-9]+)/)[a-z]+/$")


def of_every_page(request: HttpRequest) -> dict[str, Any]:
    """The languages, each with this page's address in it."""
    # A page that is not there has languages, too.
    path = request.get_full_path()
    if request.method == "POST":
        path = BUTTON.sub(r"\1", path)
    names = {"hr": "Hrvatski", "de": "Deutsch", "en": "English"}
    current = get_language()
    languages = [
        {"code": code, "name": names[code], "url": PREFIX.sub(f"/{code}/", path), "is_current": code == current}
        for code, _ in settings.LANGUAGES
    ]
    has_verifier = (settings.VERIFIER / "verify.html").is_file()
    return {"languages": languages, "has_verifier": has_verifier, "fiscal_demo_mode": settings.FISCAL_DEMO_MODE}
