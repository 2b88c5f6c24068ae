"""Evidence in the admin: read, and verified at a button; nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from dualseal import DualsealError, HashedContent, SignatureRecord, VerdictKind

from . import seals, signatures
from .models import Chain, Entry, Record
from .rings import RingStore


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that are looked at."""

    def has_add_permission(self, *_: Any) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, *_: Any) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, *_: Any) -> bool:
        """Nobody."""
        return False


@admin.register(Chain)
class ChainAdmin(ReadOnly):
    """Logs."""

    list_display = ("name", "origin", "size")
    fields = ("name", "origin", "identity_id", "size")
    readonly_fields = fields


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """Entries."""

    list_display = ("chain", "seq", "identity", "time", "message")
    list_filter = ("chain",)
    ordering = ("-seq",)
    fields = ("chain", "seq", "krunica_hash", "identity", "time", "message")
    readonly_fields = fields
    # Counting a log of millions for each page costs more than the page.
    show_full_result_count = False

    @admin.display(description="identity")
    def identity(self, row: Entry) -> str:
        """For whom it stands."""
        return str(row.entry.identity_id)

    @admin.display(description="time")
    def time(self, row: Entry) -> str:
        """As its appender said."""
        return str(row.entry.time)

    @admin.display(description="message")
    def message(self, row: Entry) -> str:
        """What it says."""
        return str(row.entry.message)


class Verified(ReadOnly):
    """Rows with a button that verifies them: in the list, and on each one's own page."""

    actions = ("verify",)
    change_form_template = "admin/dualseal/verified/change_form.html"
    show_full_result_count = False

    def get_urls(self) -> list[URLPattern]:
        """With that of the button on a row's own page."""
        one = self.admin_site.admin_view(require_POST(self.verify_one))
        return [path("<path:key>/verify/", one, name=f"{self._name()}_verify"), *super().get_urls()]

    def verify_one(self, request: HttpRequest, key: str) -> HttpResponse:
        """The button."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        rows = self.get_queryset(request).filter(pk=key) if key.isdecimal() else self.model._base_manager.none()
        self.verify(request, rows)
        return redirect(f"admin:{self._name()}_change", key)

    def verify(self, request: Any, rows: Any) -> None:
        """Says of each row whether it holds."""
        raise NotImplementedError

    def _name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"


@admin.register(Record)
class RecordAdmin(Verified):
    """Records, with a button that verifies them."""

    list_display = ("krunica_hash", "identity_id", "chain", "is_vault")
    list_filter = ("chain", "is_vault")
    fields = ("chain", "krunica_hash", "identity_id", "is_vault", "json")
    readonly_fields = fields

    @admin.display(description="record")
    def json(self, row: Record) -> str:
        """As others read it."""
        try:
            return row.record.to_json()
        except DualsealError:
            return "does not read"

    @admin.action(description="Verify the signatures", permissions=["view"])
    def verify(self, request: Any, rows: Any) -> None:
        """By the ring as it is now. A vault's record is verified with its bytes, which are not here."""
        of: dict[str, RingStore] = {}
        for row in rows.select_related("chain"):
            try:
                record = row.record
            except DualsealError:
                messages.error(request, f"{row}: its record does not read")
                continue
            if (record.krunica_hash, record.identity_id) != (row.krunica_hash, row.identity_id):
                messages.error(request, f"{row}: its record is another's")
                continue
            if not isinstance(record, SignatureRecord):
                messages.info(request, f"{row}: a vault's record is verified with its document")
                continue
            rings = of.setdefault(row.chain.name, RingStore(row.chain.name, chains=type(row.chain).objects))
            content = HashedContent.from_parts(record.identity_id, record.content_hash)
            found = rings.verdict(record, content)
            # Whoever may look at records is told no decoy: that is the audit's.
            is_valid = found.kind in (VerdictKind.VALID, VerdictKind.DECOY)
            say = messages.success if is_valid else messages.error
            reason = f" ({found.reason})" if found.reason and not is_valid else ""
            say(request, f"{row}: {'valid' if is_valid else found.kind.name.lower()}{reason}")


class OwnAdmin(Verified):
    """The project's own rows: whether they are still what was signed or sealed, by the ring as it is now."""

    # What of the log a row belongs to, and what does not hold of it.
    belongs: str
    faults_of: Callable[..., list[str]]

    @admin.action(description="Verify", permissions=["view"])
    def verify(self, request: Any, rows: Any) -> None:
        """Says of each row whether it holds, as outsiders are told it: whoever may look at rows is told no decoy."""
        for row in rows.select_related(f"{self.belongs}__chain"):
            faults = self.faults_of(row, public=True)
            say = messages.error if faults else messages.success
            say(request, f"{row}: {'; '.join(faults) or 'valid'}")


class SealedAdmin(OwnAdmin):
    """For the project's own models that are `models.Sealed`, with a button that verifies both layers."""

    belongs = "entry"
    faults_of = staticmethod(seals.faults_of)


class SignedAdmin(OwnAdmin):
    """For the project's own models that are `models.Signed`, with a button that verifies them."""

    belongs = "record"
    faults_of = staticmethod(signatures.faults_of)
