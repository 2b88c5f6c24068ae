"""The application of what belongs to no other."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    """The whole portal."""

    name = "portal"

    def ready(self) -> None:
        """Registers the system checks."""
        from . import checks  # noqa: F401, PLC0415
