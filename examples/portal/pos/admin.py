"""The admin: what tills sell, and their receipts. Who is no superuser sees those of his own issuers alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from invoices.owned import Owned
from portal.errors import ConflictError

from . import services
from .models import Category, Product, Receipt, Terminal


class Rows(Owned):
    """Rows of issuers."""

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """What the form changed, and not what others changed meanwhile."""
        if change:
            obj.save(update_fields=[name for name in form.changed_data if name in form.cleaned_data])
        else:
            obj.save()


@admin.register(Category)
class CategoryAdmin(Rows):
    """Groups of products."""


@admin.register(Product)
class ProductAdmin(Rows):
    """Products."""

    to_issuer = "category__issuer"


@admin.register(Terminal)
class TerminalAdmin(Rows):
    """Tills."""

    list_display = ("name", "issuer", "premises", "device")
    actions = ("token",)

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        """What fiscalised receipts say of their till."""
        is_used = obj is not None and obj.receipts.exclude(status=Receipt.Status.DRAFT).exists()
        return ("issuer", "premises", "device") if is_used else ()

    @admin.action(description=_("Give a new token"), permissions=["change"])
    def token(self, request: Any, rows: Any) -> Any:
        """In this answer alone: a message would wait in a cookie, or in the table of sessions."""
        tokens = [(row, services.terminal_token(terminal=row)) for row in rows]
        shown = self.admin_site.each_context(request) | {"title": _("Give a new token"), "tokens": tokens}
        return TemplateResponse(request, "admin/tokens.html", shown)


@admin.register(Receipt)
class ReceiptAdmin(Rows):
    """Receipts. Of one that is fiscalised the JIR is noted, which the authority gave."""

    to_issuer = "terminal__issuer"
    list_display = ("__str__", "issued_at", "total", "status", "is_demo", "zki")
    list_filter = ("status", "is_demo")
    actions = ("fiscalise", "cancel")

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        """All but the JIR, and of a draft all that fiscalising makes."""
        made = ("status", "is_demo", "zki", "fiscal_qr_url", "fiscal_qr_image", "identity_id")
        if obj is None or obj.status == Receipt.Status.DRAFT:
            return (*made, "jir")
        return (*made, "terminal", "number", "issued_at", "total")

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        """Of a draft, and of what has or may have a JIR."""
        is_open = obj is None or obj.status == Receipt.Status.DRAFT
        is_real = obj is not None and obj.status == Receipt.Status.FISCALISED and not obj.is_demo
        return super().has_change_permission(request, obj) and (is_open or is_real)

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        """Of a draft."""
        return super().has_delete_permission(request, obj) and obj is not None and obj.status == Receipt.Status.DRAFT

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Under the row's lock: what was fiscalised meanwhile is no draft any more."""
        if change and "jir" in form.cleaned_data:
            services.receipt_take_jir(receipt=obj, jir=form.cleaned_data["jir"])
            return
        if change and not Receipt.objects.select_for_update().filter(pk=obj.pk, status=Receipt.Status.DRAFT).exists():
            raise PermissionDenied
        super().save_model(request, obj, form, change)

    @admin.action(description=_("Fiscalise"), permissions=["change"])
    def fiscalise(self, request: Any, rows: Any) -> None:
        """Drafts."""
        self._each(request, rows, services.receipt_fiscalise)

    @admin.action(description=_("Cancel"), permissions=["change"])
    def cancel(self, request: Any, rows: Any) -> None:
        """Fiscalised ones."""
        self._each(request, rows, services.receipt_cancel)

    def _each(self, request: Any, rows: Any, act: Any) -> None:
        for row in rows:
            try:
                act(receipt=row)
            except ConflictError as error:
                messages.error(request, f"{row}: {error}")
            else:
                messages.success(request, f"{row}")
