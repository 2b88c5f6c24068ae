"""What a till asks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from . import selectors


@require_safe
def offline_bundle(request: HttpRequest) -> HttpResponse:
    """Products, categories and the till itself, or 304 where the till has them."""
    terminal = selectors.terminal_of(request.headers.get("Authorization", ""))
    if terminal is None:
        refused = JsonResponse({"error": "a till's token is missing or wrong"}, status=401)
        refused["WWW-Authenticate"] = 'Bearer realm="kasa"'
        return refused
    said = selectors.bundle(terminal)
    etag = quote_etag(selectors.bundle_version(said))
    has = [one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")]
    response: HttpResponse = HttpResponse(status=304) if etag in has else JsonResponse(said)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Authorization"
    return response
