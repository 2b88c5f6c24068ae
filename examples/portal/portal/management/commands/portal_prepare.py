"""Makes ready what the server needs: tables, the log with its keys, catalogues, static files."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from dualseal.contrib.django.models import Chain

from portal.catalogues import compile_all


class Command(BaseCommand):
    """``manage.py portal_prepare``, before each start of the server."""

    help = "Migrates, founds the log where there is none, compiles catalogues, collects static files."

    # What it makes is what they look for.
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        """All of it; what is done already is left."""
        for path in settings.LOCALE_PATHS:
            compile_all(path)
        call_command("migrate", verbosity=0, skip_checks=True)
        if not Chain.objects.filter(name=settings.LOG).exists():
            host = urlsplit(settings.BASE_URL).hostname
            call_command("dualseal_init", settings.LOG, origin=f"{host}/log", creator="portal", stdout=self.stdout)
        call_command("collectstatic", interactive=False, verbosity=0)
        self.check()
