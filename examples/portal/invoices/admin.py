"""The admin: evidence is looked at and verified; documents are made and sent on the issuer's pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from dualseal.contrib.django import signatures
from dualseal.contrib.django.admin import ReadOnly, SealedAdmin, SignedAdmin

from .models import Acknowledgement, ClientToken, Decline, Invoice, Issuer, View, Voiding
from .owned import Owned


@admin.register(Acknowledgement)
class AcknowledgementAdmin(Owned, SealedAdmin):
    """Proofs of receipt, with the button that verifies them."""

    to_issuer = "invoice__issuer"
    list_display = ("invoice", "created_at", "ip", "hash", "seal_id")
    search_fields = ("invoice__number", "hash", "seal_id")
    more: tuple[str, ...] = ()
    show_full_result_count = False

    def get_fields(self, request: Any, obj: Any = None) -> Any:
        """The columns, and what is sealed of them."""
        shown = ("invoice", "created_at", "ip", "ua", "hash", "identity_id", "seal_id", "signer", "statement")
        return (*shown, *self.more)

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        """All of them."""
        return self.get_fields(request, obj)

    @admin.display(description="statement")
    def statement(self, row: Any) -> str:
        """What is sealed, where the document that it is about is the one that was signed."""
        return "; ".join(signatures.faults(row.invoice)) or str(row.sealed_content().decode())


@admin.register(Decline)
class DeclineAdmin(AcknowledgementAdmin):
    """Refusals, likewise."""

    more = ("reason",)


@admin.register(Voiding)
class VoidingAdmin(AcknowledgementAdmin):
    """Who declared what void."""

    more = ("by",)


@admin.register(Invoice)
class InvoiceAdmin(Owned, SignedAdmin):
    """Documents, with the button that holds them against what was signed."""

    list_display = ("number", "kind", "issuer", "client_name", "status", "total", "currency")
    list_filter = ("status", "kind")
    search_fields = ("number", "client_name")
    fields = (
        "issuer",
        "kind",
        "number",
        "status",
        "client_name",
        "client_email",
        "total",
        "currency",
        "sent_at",
        "hash",
    )
    readonly_fields = fields


@admin.register(Issuer)
class IssuerAdmin(Owned):
    """Issuers. One is made by `manage.py portal_issuer`, which draws its key; its members a superuser names."""

    to_issuer = "pk"
    list_display = ("name", "oib", "email")
    fields = ("name", "address", "oib", "iban", "email", "identity_id", "members")
    filter_horizontal = ("members",)

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        """Who is a member sees what an issuer has."""
        return ("oib", "identity_id") if request.user.is_superuser else ("oib", "identity_id", "members")

    def has_add_permission(self, *_: Any) -> bool:
        """Nobody: an issuer has a key."""
        return False

    def has_delete_permission(self, *_: Any) -> bool:
        """Nobody: its signatures stay."""
        return False


@admin.register(View)
class ViewAdmin(Owned, ReadOnly):
    """Who opened what."""

    to_issuer = "invoice__issuer"
    list_display = ("invoice", "created_at", "ip", "ua")


@admin.register(ClientToken)
class ClientTokenAdmin(Owned, ReadOnly):
    """Links, of which the database has no token."""

    to_issuer = "invoice__issuer"
    list_display = ("invoice", "created_at", "expires_at", "revoked_at")
    fields = list_display
    readonly_fields = fields
