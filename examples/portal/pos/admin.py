"""The admin: what tills sell, and their receipts."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.utils.translation import gettext_lazy as _
from portal.errors import ConflictError

from . import services
from .models import Category, Product, Receipt, Terminal

admin.site.register([Category, Product])


@admin.register(Terminal)
class TerminalAdmin(admin.ModelAdmin):
    """Tills."""

    list_display = ("name", "issuer", "premises", "device")
    actions = ("token",)

    @admin.action(description=_("Give a new token"))
    def token(self, request: Any, rows: Any) -> None:
        """Shown once."""
        for row in rows:
            messages.warning(request, f"{row}: {services.terminal_token(terminal=row)}")


@admin.register(Receipt)
class ReceiptAdmin(admin.ModelAdmin):
    """Receipts."""

    list_display = ("__str__", "issued_at", "total", "status", "is_demo", "zki")
    list_filter = ("status", "is_demo")
    readonly_fields = ("status", "is_demo", "zki", "jir", "fiscal_qr_url", "fiscal_qr_image", "identity_id")
    actions = ("fiscalise", "cancel")

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        """Of a draft."""
        return super().has_change_permission(request, obj) and (obj is None or obj.status == Receipt.Status.DRAFT)

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        """Of a draft."""
        return super().has_delete_permission(request, obj) and obj is not None and obj.status == Receipt.Status.DRAFT

    @admin.action(description=_("Fiscalise"))
    def fiscalise(self, request: Any, rows: Any) -> None:
        """Drafts."""
        self._each(request, rows, services.receipt_fiscalise)

    @admin.action(description=_("Cancel"))
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
