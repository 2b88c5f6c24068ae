"""The application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class InvoicesConfig(AppConfig):
    """Documents and what clients answer."""

    name = "invoices"
    verbose_name = _("Documents")
