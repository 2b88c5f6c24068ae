"""The admin for who is no superuser: rows of his own issuers alone."""

from __future__ import annotations

from typing import Any

from .selectors import issuers_of


class Owned:
    """Beside an admin of Django's: rows by the lookup of each one's issuer."""

    to_issuer = "issuer"

    def get_queryset(self, request: Any) -> Any:
        """Those of the person's issuers."""
        rows = super().get_queryset(request)  # type: ignore[misc]
        if request.user.is_superuser:
            return rows
        return rows.filter(**{f"{self.to_issuer}__in": issuers_of(request.user)})

    def formfield_for_foreignkey(self, field: Any, request: Any, **options: Any) -> Any:
        """What a row may be moved to."""
        if not request.user.is_superuser:
            _, _, further = self.to_issuer.partition("__")
            of = f"{further}__in" if further else "pk__in"
            options["queryset"] = field.remote_field.model._default_manager.filter(**{of: issuers_of(request.user)})
        return super().formfield_for_foreignkey(field, request, **options)  # type: ignore[misc]
