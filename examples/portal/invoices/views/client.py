"""A client's pages, behind the token of his link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe
from portal.errors import ChangedError, ClosedError, ConflictError
from portal.views import changed, not_found

from .. import selectors
from ..forms import DeclineForm
from ..models import Acknowledgement, ClientToken, Invoice
from ..models.responses import existing
from ..services import evidence as evidences
from ..services import frozen, responding

View = Callable[..., HttpResponse]


def of_token(view: View) -> View:
    """Gives a view the link's row; without one everybody gets the same page."""

    @wraps(view)
    def found(request: HttpRequest, token: str) -> HttpResponse:
        link = selectors.token_find(token)
        try:
            return not_found(request) if link is None else view(request, token, link)
        except ClosedError:
            return not_found(request)
        except ChangedError:
            return changed(request)

    return found


def of_acknowledged(view: View) -> View:
    """As `of_token`, for what is there once receipt is confirmed."""

    @wraps(view)
    @of_token
    def found(request: HttpRequest, token: str, link: ClientToken) -> HttpResponse:
        row = existing(link.invoice, Acknowledgement)
        return not_found(request) if row is None else view(request, row)

    return found


@require_safe
@of_token
def page(request: HttpRequest, token: str, link: ClientToken) -> HttpResponse:
    """The document, and what the client may do with it."""
    # A browser that fetches pages ahead has shown nobody anything.
    if request.method == "GET" and "prefetch" not in request.headers.get("Sec-Purpose", ""):
        ip, ua = _whose(request)
        responding.view_record(token=link, ip=ip, ua=ua)
    return render(request, "invoices/page.html", context(link.invoice, token))


@require_POST
@of_token
def acknowledge(request: HttpRequest, token: str, link: ClientToken) -> HttpResponse:
    """Confirms receipt: for a form a page, for a script JSON."""
    ip, ua = _whose(request)
    is_script = request.accepts("application/json") and not request.accepts("text/html")
    try:
        row, made = responding.acknowledge(token=link, hash=request.POST.get("hash", ""), ip=ip, ua=ua)
    except ConflictError as error:
        if is_script:
            return JsonResponse({"error": str(error)}, status=409)
        return render(request, "invoices/page.html", context(link.invoice, token, error=str(error)), status=409)
    if not is_script:
        return redirect("client", token=token)
    shown = context(row.invoice, token)
    answer = row.statement() | {"seal_id": row.seal_id, "made": made}
    answer["html"] = render_to_string("invoices/answer.html", shown, request)
    return JsonResponse(answer, status=201 if made else 200)


@require_POST
@of_token
def decline(request: HttpRequest, token: str, link: ClientToken) -> HttpResponse:
    """Declines with a reason."""
    form = DeclineForm(request.POST)
    ip, ua = _whose(request)
    if not form.is_valid():
        return render(request, "invoices/page.html", context(link.invoice, token, form=form), status=422)
    try:
        responding.decline(token=link, ip=ip, ua=ua, **form.cleaned_data)
    except ConflictError as error:
        return render(request, "invoices/page.html", context(link.invoice, token, error=str(error)), status=409)
    return redirect("client", token=token)


@require_safe
@of_token
def document(request: HttpRequest, token: str, link: ClientToken) -> HttpResponse:
    """The frozen bytes."""
    invoice = link.invoice
    return _file(bytes(invoice.pdf or b""), f"{evidences.file_name(invoice)}.pdf", "application/pdf")


@require_safe
@of_acknowledged
def receipt(request: HttpRequest, row: Acknowledgement) -> HttpResponse:
    """The receipt as PDF, in the page's language."""
    content = evidences.receipt(row=row, language=get_language() or "hr")
    return _file(content, f"receipt-{evidences.file_name(row.invoice)}.pdf", "application/pdf")


@require_safe
@of_acknowledged
def bundle(request: HttpRequest, row: Acknowledgement) -> HttpResponse:
    """All of it in a folder."""
    return _file(evidences.bundle(row=row), f"evidence-{evidences.file_name(row.invoice)}.zip", "application/zip")


@require_safe
@of_acknowledged
def statement(request: HttpRequest, row: Acknowledgement) -> HttpResponse:
    """What was sealed."""
    return _file(row.sealed_content(), evidences.response_name(row), "application/json")


@require_safe
@of_acknowledged
def evidence(request: HttpRequest, row: Acknowledgement) -> HttpResponse:
    """The evidence of it."""
    content = evidences.response_evidence(row=row).to_json().encode()
    return _file(content, evidences.response_name(row) + evidences.EVIDENCE, "application/json")


def context(invoice: Invoice, token: str, **more: Any) -> dict[str, Any]:
    """What a client's page shows: the frozen document, and how it stands.

    :raises ChangedError: it is not what was signed.
    """
    frozen.hold(invoice=invoice)
    data = invoice.frozen
    acknowledged = existing(invoice, Acknowledgement)
    return {
        "invoice": invoice,
        "data": data,
        "token": token,
        "can_acknowledge": invoice.is_open and acknowledged is None,
        "existing_ack": acknowledged,
        "declined": getattr(invoice, "decline", None) if invoice.status == Invoice.Status.DECLINED else None,
        "base_url": settings.BASE_URL,
        "decline_form": more.pop("form", None) or DeclineForm(initial={"hash": invoice.hash}),
    } | more


def _whose(request: HttpRequest) -> tuple[str, str]:
    return request.client_address, request.headers.get("User-Agent", "")


def _file(content: bytes, name: str, kind: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
