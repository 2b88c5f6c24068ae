"""The admin for who is no superuser: rows of his own issuers alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from .selectors import issuers_of


class Owned(admin.ModelAdmin):
    """Rows by the lookup of each one's issuer."""

    to_issuer = "issuer"

    def get_queryset(self, request: Any) -> Any:
        """Those of the person's issuers."""
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        return rows.filter(**{f"{self.to_issuer}__in": issuers_of(request.user)})

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """What a row may be moved to."""
        if not request.user.is_superuser:
            _, _, further = self.to_issuer.partition("__")
            of = f"{further}__in" if further else "pk__in"
            kwargs["queryset"] = db_field.remote_field.model._default_manager.filter(**{of: issuers_of(request.user)})
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
