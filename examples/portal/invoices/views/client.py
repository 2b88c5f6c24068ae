"""A client's pages, behind the token of his link."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe
from portal.errors import ChangedError, ClosedError, ConflictError
from portal.views import changed, failed, not_found

from .. import selectors
from ..forms import DeclineForm
from ..models import Acknowledgement, ClientToken, Decline, Invoice, Voiding
from ..models.responses import Response, existing
from ..services import evidence as evidences
from ..services import frozen, responding
from .common import NoAddressError, View, attached, whose


def of_token(view: View) -> View:
    """Gives a view the link's row; without one everybody gets the same page."""

    @wraps(view)
    def found(request: HttpRequest, token: str) -> HttpResponseBase:
        try:
            link = selectors.token_find(token)
            return not_found(request) if link is None else view(request, token, link)
        except ClosedError:
            return not_found(request)
        except ChangedError:
            return changed(request)
        except NoAddressError:
            return failed(request)

    return found


def of_answered(view: View) -> View:
    """As `of_token`, for what is there once the document is confirmed, or declined."""

    @wraps(view)
    @of_token
    def found(request: HttpRequest, token: str, link: ClientToken) -> HttpResponseBase:
        row = existing(link.invoice, Acknowledgement) or existing(link.invoice, Decline)
        return not_found(request) if row is None else view(request, row)

    return found


@require_safe
@of_token
def page(request: HttpRequest, token: str, link: ClientToken) -> HttpResponseBase:
    """The document, and what the client may do with it."""
    # A browser that fetches pages ahead has shown nobody anything.
    if request.method == "GET" and "prefetch" not in request.headers.get("Sec-Purpose", ""):
        ip, ua = whose(request)
        responding.view_record(token=link, ip=ip, ua=ua)
    return render(request, "invoices/page.html", context(link.invoice, token))


@require_POST
@of_token
def acknowledge(request: HttpRequest, token: str, link: ClientToken) -> HttpResponseBase:
    """Confirms receipt: for a form a page, for a script JSON."""
    ip, ua = whose(request)
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
def decline(request: HttpRequest, token: str, link: ClientToken) -> HttpResponseBase:
    """Declines with a reason."""
    form = DeclineForm(request.POST)
    ip, ua = whose(request)
    if not form.is_valid():
        return render(request, "invoices/page.html", context(link.invoice, token, form=form), status=422)
    try:
        responding.decline(token=link, ip=ip, ua=ua, **form.cleaned_data)
    except ConflictError as error:
        return render(request, "invoices/page.html", context(link.invoice, token, error=str(error)), status=409)
    return redirect("client", token=token)


@require_safe
@of_token
def document(request: HttpRequest, token: str, link: ClientToken) -> HttpResponseBase:
    """The frozen bytes."""
    invoice = link.invoice
    frozen.hold(invoice=invoice)
    return attached(bytes(invoice.pdf or b""), f"{evidences.file_name(invoice)}.pdf", "application/pdf")


@require_safe
@of_answered
def receipt(request: HttpRequest, row: Response) -> HttpResponseBase:
    """The receipt as PDF, in the page's language."""
    content = evidences.receipt(row=row, language=get_language() or "hr")
    return attached(content, f"receipt-{evidences.file_name(row.invoice)}.pdf", "application/pdf")


@require_safe
@of_answered
def bundle(request: HttpRequest, row: Response) -> HttpResponseBase:
    """All of it in a folder."""
    return attached(evidences.bundle(row=row), f"evidence-{evidences.file_name(row.invoice)}.zip", "application/zip")


@require_safe
@of_answered
def statement(request: HttpRequest, row: Response) -> HttpResponseBase:
    """What was sealed."""
    frozen.hold(invoice=row.invoice)
    return attached(row.sealed_content(), evidences.response_name(row), "application/json")


@require_safe
@of_answered
def evidence(request: HttpRequest, row: Response) -> HttpResponseBase:
    """The evidence of it."""
    frozen.hold(invoice=row.invoice)
    content = evidences.response_evidence(row=row).to_json().encode()
    return attached(content, evidences.response_name(row) + evidences.EVIDENCE, "application/json")


def context(invoice: Invoice, token: str, **more: Any) -> dict[str, Any]:
    """What a client's page shows: the frozen document, and how it stands.

    :raises ChangedError: it is not what was signed.
    """
    frozen.hold(invoice=invoice)
    data = invoice.frozen
    existing_ack = existing(invoice, Acknowledgement)
    return {
        "invoice": invoice,
        "data": data,
        "token": token,
        "can_acknowledge": invoice.is_open and existing_ack is None,
        "existing_ack": existing_ack,
        "declined": existing(invoice, Decline),
        "voided": existing(invoice, Voiding),
        "base_url": settings.BASE_URL,
        "decline_form": more.pop("form", None) or DeclineForm(initial={"hash": invoice.hash}),
    } | more
