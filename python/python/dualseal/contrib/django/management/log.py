"""What the commands on a log have in common."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dualseal.contrib.django.models import Chain


class LogCommand(BaseCommand):
    """``manage.py COMMAND NAME``: of a log that is there."""

    def add_arguments(self, parser: Any) -> None:
        """The name of the log."""
        parser.add_argument("name", help="the log")

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Says that there is none, where there is none."""
        try:
            return super().execute(*args, **options)
        except Chain.DoesNotExist as error:
            raise CommandError(f"there is no log {options['name']!r}") from error
