"""Makes ready what the server needs: tables, the log with its keys, static files."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from dualseal.contrib.django.models import Chain


class Command(BaseCommand):
    """``manage.py portal_prepare``, before each start of the server."""

    help = "Migrates, founds the log where there is none, collects static files."

    # What it makes is what they look for.
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        """All of it; what is done already is left."""
        call_command("migrate", verbosity=0, skip_checks=True)
        if not Chain.objects.filter(name=settings.LOG).exists():
            host = urlsplit(settings.BASE_URL).hostname
            call_command("dualseal_init", settings.LOG, origin=f"{host}/log", creator="portal", stdout=self.stdout)
        call_command("collectstatic", interactive=False, verbosity=0)
        self.check(include_deployment_checks=not settings.DEMO)
