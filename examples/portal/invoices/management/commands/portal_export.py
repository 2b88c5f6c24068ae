"""Writes what an auditor takes with him."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from invoices.models import Issuer
from invoices.services.export import export


class Command(BaseCommand):
    """``manage.py portal_export FOLDER``."""

    help = "Writes documents, answers and evidence into a new folder that `dualseal audit` verifies."

    def add_arguments(self, parser: Any) -> None:
        """Where to, and of whom."""
        parser.add_argument("folder", type=Path)
        parser.add_argument("--issuer", metavar="OIB", help="of this issuer alone")

    def handle(self, *_: Any, **options: Any) -> None:
        """Says how it is verified."""
        try:
            issuer = Issuer.objects.get(oib=options["issuer"]) if options["issuer"] else None
            report = export(options["folder"], issuer)
        except Issuer.DoesNotExist as error:
            raise CommandError(f"there is no issuer {options['issuer']}") from error
        except FileExistsError as error:
            raise CommandError(f"{options['folder']} is there: name a new folder") from error
        self.stdout.write(f"{report.documents} documents, {report.responses} answers")
        self.stdout.write(f"dualseal audit {options['folder']} --ring {report.ring} --log {report.fingerprint}")
        self.stdout.write("Give the auditor the ring and the fingerprint by another way than the folder.")
