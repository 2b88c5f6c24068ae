"""An issuer's pages, behind a login. What is somebody else's is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from dualseal.contrib.django.models import Chain
from portal.errors import ChangedError, ConflictError
from portal.views import changed, not_found

from .. import selectors
from ..forms import InvoiceForm, LineForm, LineForms
from ..models import Acknowledgement, Decline, Invoice, Voiding
from ..models.responses import existing
from ..services import delivery, frozen, issuing
from ..services import evidence as evidences
from ..tables import lines
from .common import View, attached, whose


def of_invoice(view: View) -> View:
    """Gives a view the document, where it is of one of the person's issuers."""

    @wraps(view)
    @login_required
    def found(request: HttpRequest, pk: int) -> HttpResponseBase:
        try:
            invoice = selectors.invoice_of(request.user, pk)
            return not_found(request) if invoice is None else view(request, invoice)
        except ChangedError:
            return changed(request)

    return found


def changes(view: Callable[[HttpRequest, Invoice], str]) -> View:
    """A button: what it does, then the document's page with a word of it."""

    @wraps(view)
    @require_POST
    @of_invoice
    def done(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
        try:
            messages.success(request, view(request, invoice))
        except ConflictError as error:
            messages.error(request, str(error))
        return redirect("issued", pk=invoice.pk)

    return done


@require_safe
@login_required
def documents(request: HttpRequest) -> HttpResponseBase:
    """All documents, newest first."""
    page = Paginator(selectors.invoices_of(request.user), 50).get_page(request.GET.get("page"))
    return render(request, "issuer/documents.html", {"page": page})


@require_http_methods(["GET", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponseBase:
    """A new document, from lines or from a PDF."""
    return _draft(request, None)


@require_http_methods(["GET", "POST"])
@of_invoice
def change(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """A draft, once more."""
    return _draft(request, invoice) if invoice.status == Invoice.Status.DRAFT else redirect("issued", pk=invoice.pk)


def _draft(request: HttpRequest, invoice: Invoice | None) -> HttpResponseBase:
    posted: Any = (request.POST, request.FILES) if request.method == "POST" else ()
    form = InvoiceForm(*posted, issuers=selectors.issuers_of(request.user), instance=invoice)
    there = list(invoice.lines.values(*LineForm.Meta.fields)) if invoice else []
    rows = LineForms(*posted[:1], prefix="lines", initial=there)
    if request.method == "POST" and form.is_valid() and rows.is_valid():
        wanted: dict[str, Any] = {"lines": rows.values(), **form.values()}
        try:
            if invoice is None:
                made = issuing.invoice_create(**wanted)
            else:
                made = issuing.invoice_change(invoice=invoice, **wanted)
        except ConflictError as error:
            form.add_error(None, str(error))
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            return redirect("issued", pk=made.pk)
    status = 422 if request.method == "POST" else 200
    shown = {"form": form, "lines": rows, "is_new": invoice is None}
    return render(request, "issuer/create.html", shown, status=status)


@require_POST
@of_invoice
def delete(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """Deletes a draft."""
    try:
        issuing.invoice_delete(invoice=invoice)
    except ConflictError as error:
        messages.error(request, str(error))
        return redirect("issued", pk=invoice.pk)
    messages.success(request, _("The draft is deleted."))
    return redirect("issuer")


@require_safe
@of_invoice
def preview(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """A draft as its client would get it."""
    if invoice.status != Invoice.Status.DRAFT:
        return not_found(request)
    name = f"draft-{evidences.file_name(invoice)}.pdf"
    try:
        return attached(issuing.invoice_preview(invoice=invoice), name, "application/pdf")
    except ConflictError as error:
        messages.error(request, str(error))
        return redirect("issued", pk=invoice.pk)


@require_safe
@of_invoice
def document(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """One document: who opened it, and what the client answered."""
    return _shown(request, invoice)


def _shown(request: HttpRequest, invoice: Invoice, link: str | None = None) -> HttpResponseBase:
    shown = {
        "invoice": invoice,
        "views": invoice.views.all()[:50],
        "tokens": invoice.tokens.filter(revoked_at=None).count(),
        "waiting": invoice.outgoing.exists(),
        "acknowledged": existing(invoice, Acknowledgement),
        "declined": existing(invoice, Decline),
        "voided": existing(invoice, Voiding),
        "link": link,
        # The log's own, and not what a column says of it.
        "fingerprint": Chain.objects.get(name=settings.LOG).fingerprint if link else "",
    }
    return render(request, "issuer/document.html", shown)


@require_safe
@of_invoice
def pdf(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """The frozen bytes."""
    if invoice.pdf is None:
        return not_found(request)
    frozen.hold(invoice=invoice)
    return attached(bytes(invoice.pdf), f"{evidences.file_name(invoice)}.pdf", "application/pdf")


@require_safe
@of_invoice
def receipt(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """The client's receipt, or his refusal."""
    row = existing(invoice, Acknowledgement) or existing(invoice, Decline)
    if row is None:
        return not_found(request)
    content = evidences.receipt(row=row, language=get_language() or "hr")
    return attached(content, f"receipt-{evidences.file_name(invoice)}.pdf", "application/pdf")


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


@require_POST
@of_invoice
def new_link(request: HttpRequest, invoice: Invoice) -> HttpResponseBase:
    """A link for who has no mail. It stands in this answer and nowhere else."""
    if invoice.status == Invoice.Status.DRAFT:
        messages.error(request, _("A draft has no link."))
        return redirect("issued", pk=invoice.pk)
    frozen.hold(invoice=invoice, thoroughly=True)
    messages.success(request, _("Here is a new link. It is shown once."))
    return _shown(request, invoice, delivery.link(delivery.token_issue(invoice=invoice), invoice.language))


@changes
def revoke(request: HttpRequest, invoice: Invoice) -> str:
    """Closes every link."""
    delivery.tokens_revoke(invoice=invoice)
    return _("No link opens this document any more.")


@changes
def void(request: HttpRequest, invoice: Invoice) -> str:
    """Declares it void."""
    ip, ua = whose(request)
    issuing.invoice_void(invoice=invoice, by=request.user.get_username(), ip=ip, ua=ua)
    return _("The document is void. What the client answered stays.")


@require_safe
@login_required
def table(request: HttpRequest) -> HttpResponseBase:
    """The documents for a spreadsheet, in which no text is a formula."""
    return attached(lines(_rows(request.user)), "documents.csv", "text/csv; charset=utf-8")


def _rows(user: Any) -> Iterator[Any]:
    yield "number", "kind", "status", "client", "total", "currency", "hash", "acknowledged", "seal_id"
    for row in selectors.invoices_of(user).iterator(chunk_size=500):
        answer = existing(row, Acknowledgement)
        acknowledged = (answer.created_at.isoformat(), answer.seal_id) if answer else ("", "")
        yield row.number, row.kind, row.status, row.client_name, row.total, row.currency, row.hash, *acknowledged
