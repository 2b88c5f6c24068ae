"""Pages of the whole portal: the one that is shown for everything that is not there, and what machines ask."""

from __future__ import annotations

import hashlib
import re

from csp.decorators import csp_exempt
from django.conf import settings
from django.db import connection
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import quote_etag
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe
from dualseal.contrib.django.models import Chain
from invoices.services import delivery

QR = re.compile(r"[0-9a-f]{64}\.png")


def home(request: HttpRequest) -> HttpResponse:
    """To an issuer's own page: a client comes by his link."""
    return redirect("issuer")


@ensure_csrf_cookie
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The same page for whatever is not there. Whoever has an old link asks for a new one by it."""
    match = request.resolver_match
    token = match.kwargs.get("token", "") if match else ""
    return render(request, "404.html", {"token": token}, status=404)


def failed(request: HttpRequest) -> HttpResponse:
    """A defect, of which the log has more."""
    return render(request, "500.html", status=500)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A post that did not come from a page of the portal."""
    return render(request, "403.html", status=403)


def changed(request: HttpRequest) -> HttpResponse:
    """A document that is not what its issuer signed."""
    return render(request, "changed.html", status=409)


@require_http_methods(["GET", "HEAD", "POST"])
def renew(request: HttpRequest) -> HttpResponse:
    """Notes the wish for a new link. The answer is the same for everybody, and so is what is done."""
    if request.method != "POST":
        return render(request, "renewed.html")
    delivery.renewal_request(token=request.POST.get("token", "")[:200])
    # To a page that may be read again, in another language too.
    return HttpResponseRedirect(reverse("renew"), status=303)


@require_safe
def qr_image(request: HttpRequest, name: str) -> HttpResponseBase:
    """The QR code of a fiscal receipt. It never changes."""
    path = settings.MEDIA_ROOT / "pos" / "qr" / name
    if not QR.fullmatch(name) or not path.is_file():
        return not_found(request)
    response = FileResponse(path.open("rb"), content_type="image/png")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@require_safe
def verifier(request: HttpRequest) -> HttpResponseBase:
    """The page that verifies receipts in the browser, as it was built, under the policy that was built with it."""
    return _verifier(request) if (settings.VERIFIER / "verify.html").is_file() else not_found(request)


@csp_exempt()
def _verifier(request: HttpRequest) -> HttpResponse:
    content = (settings.VERIFIER / "verify.html").read_bytes()
    etag = quote_etag(hashlib.sha256(content).hexdigest())
    if request.headers.get("If-None-Match") == etag:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(content, content_type="text/html; charset=utf-8")
    response["ETag"], response["Cache-Control"] = etag, "no-cache"
    response["Content-Security-Policy"] = (settings.VERIFIER / "verify.csp").read_text(encoding="ascii").strip()
    response["Referrer-Policy"] = "no-referrer"
    if "download" in request.GET:
        response["Content-Disposition"] = 'attachment; filename="verify.html"'
    return response


def icon(request: HttpRequest) -> HttpResponse:
    """For pages that name none, as the admin's."""
    return redirect(static("portal/icon.svg"))


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """That the database answers and has its log."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    there = Chain.objects.filter(name=settings.LOG).exists()
    return JsonResponse({"status": "ok" if there else "no log"}, status=200 if there else 503)
