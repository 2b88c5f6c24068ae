"""An issuer's pages, behind a login. What is somebody else's is not there."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from portal.errors import ChangedError, ConflictError
from portal.views import changed, not_found

from .. import selectors
from ..forms import InvoiceForm, LineForms
from ..models import Acknowledgement, Invoice
from ..models.responses import existing
from ..services import delivery, issuing
from ..services import evidence as evidences
from ..tables import formula_safe

View = Callable[..., HttpResponse]


def of_invoice(view: View) -> View:
    """Gives a view the document, where it is of one of the person's issuers."""

    @wraps(view)
    @login_required
    def found(request: HttpRequest, pk: int) -> HttpResponse:
        invoice = selectors.invoice_of(request.user, pk)
        try:
            return not_found(request) if invoice is None else view(request, invoice)
        except ChangedError:
            return changed(request)

    return found


def changes(view: View) -> View:
    """A button: what it does, then the document's page with a word of it."""

    @wraps(view)
    @require_POST
    @of_invoice
    def done(request: HttpRequest, invoice: Invoice) -> HttpResponse:
        try:
            messages.success(request, view(request, invoice))
        except ConflictError as error:
            messages.error(request, str(error))
        return redirect("issued", pk=invoice.pk)

    return done


@require_safe
@login_required
def documents(request: HttpRequest) -> HttpResponse:
    """All documents, newest first."""
    page = Paginator(selectors.invoices_of(request.user), 50).get_page(request.GET.get("page"))
    return render(request, "issuer/documents.html", {"page": page})


@require_http_methods(["GET", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """A new document, from lines or from a PDF."""
    posted: Any = (request.POST, request.FILES) if request.method == "POST" else ()
    form = InvoiceForm(*posted, issuers=selectors.issuers_of(request.user))
    lines = LineForms(*posted[:1], prefix="lines")
    if request.method == "POST" and form.is_valid() and lines.is_valid():
        wanted = [one.cleaned_data for one in lines if one.has_changed()]
        try:
            invoice = issuing.invoice_create(lines=wanted, **form.values())
        except ConflictError as error:
            form.add_error(None, str(error))
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            return redirect("issued", pk=invoice.pk)
    status = 422 if request.method == "POST" else 200
    return render(request, "issuer/create.html", {"form": form, "lines": lines}, status=status)


@require_safe
@of_invoice
def document(request: HttpRequest, invoice: Invoice) -> HttpResponse:
    """One document: who opened it, and what the client answered."""
    shown = {
        "invoice": invoice,
        "views": invoice.views.all()[:50],
        "tokens": invoice.tokens.filter(revoked_at=None).count(),
        "waiting": invoice.outgoing.exists(),
        "acknowledged": existing(invoice, Acknowledgement),
        "declined": getattr(invoice, "decline", None),
        "link": request.session.pop("link", None),
    }
    return render(request, "issuer/document.html", shown)


@require_safe
@of_invoice
def pdf(request: HttpRequest, invoice: Invoice) -> HttpResponse:
    """The frozen bytes."""
    if invoice.pdf is None:
        return not_found(request)
    response = HttpResponse(bytes(invoice.pdf), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{evidences.file_name(invoice)}.pdf"'
    return response


@require_safe
@of_invoice
def receipt(request: HttpRequest, invoice: Invoice) -> HttpResponse:
    """The client's receipt."""
    row = existing(invoice, Acknowledgement)
    if row is None:
        return not_found(request)
    content = evidences.receipt(row=row, language=get_language() or "hr")
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="receipt-{evidences.file_name(invoice)}.pdf"'
    return response


@changes
def send(request: HttpRequest, invoice: Invoice) -> str:
    """Freezes and sends it."""
    issuing.invoice_send(invoice=invoice)
    return _("The document is frozen and signed, and its mail is on the way.")


@changes
def remind(request: HttpRequest, invoice: Invoice) -> str:
    """A further mail."""
    issuing.invoice_remind(invoice=invoice)
    return _("A reminder with a new link is on the way.")


@changes
def new_link(request: HttpRequest, invoice: Invoice) -> str:
    """A link for who has no mail, shown once."""
    if invoice.status == Invoice.Status.DRAFT:
        raise ConflictError(_("A draft has no link."))
    request.session["link"] = delivery.link(delivery.token_issue(invoice=invoice), invoice.language)
    return _("Here is a new link. It is shown once.")


@changes
def revoke(request: HttpRequest, invoice: Invoice) -> str:
    """Closes every link."""
    delivery.tokens_revoke(invoice=invoice)
    return _("No link opens this document any more.")


@changes
def void(request: HttpRequest, invoice: Invoice) -> str:
    """Declares it void."""
    issuing.invoice_void(invoice=invoice)
    return _("The document is void. What the client answered stays.")


@require_safe
@login_required
def table(request: HttpRequest) -> HttpResponse:
    """The documents for a spreadsheet, in which no text is a formula."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="documents.csv"'
    writer = csv.writer(response)
    writer.writerow(["number", "kind", "status", "client", "total", "currency", "hash", "acknowledged", "seal_id"])
    for row in selectors.invoices_of(request.user).iterator(chunk_size=500):
        answer = existing(row, Acknowledgement)
        acknowledged = (answer.created_at.isoformat(), answer.seal_id) if answer else ("", "")
        facts = (row.number, row.kind, row.status, row.client_name, row.total, row.currency, row.hash, *acknowledged)
        writer.writerow([formula_safe(str(fact)) for fact in facts])
    return response
