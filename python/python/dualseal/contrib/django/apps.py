"""The application."""

from __future__ import annotations

from django.apps import AppConfig


class DualsealConfig(AppConfig):
    """``dualseal.contrib.django``."""

    name = "dualseal.contrib.django"
    label = "dualseal"
    verbose_name = "Log"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Registers the system checks."""
        from . import checks  # noqa: F401, PLC0415
