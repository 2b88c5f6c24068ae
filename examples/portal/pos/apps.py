"""The application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PosConfig(AppConfig):
    """Fiscal receipts of tills."""

    name = "pos"
    verbose_name = _("Tills")

    def ready(self) -> None:
        """Registers the system checks."""
        from . import checks  # noqa: F401, PLC0415
