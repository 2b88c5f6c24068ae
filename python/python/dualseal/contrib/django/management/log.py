"""What the commands on a log have in common."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError

from dualseal.contrib.django.base import AbstractChain


class LogCommand(BaseCommand):
    """``manage.py COMMAND NAME [--chains APP.MODEL]``: of a log that is there."""

    # The manager of the model of chains.
    chains: Any

    def add_arguments(self, parser: Any) -> None:
        """The name of the log, and the model that has it."""
        parser.add_argument("name", help="the log")
        words = "the project's own model of chains that has the log"
        parser.add_argument("--chains", default="dualseal.Chain", metavar="APP.MODEL", help=words)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Says that there is none, where there is none."""
        model = _model(options["chains"])
        self.chains = model.objects
        try:
            return super().execute(*args, **options)
        except model.DoesNotExist as error:
            raise CommandError(f"there is no log {options['name']!r} in {options['chains']}") from error


def _model(label: str) -> Any:
    try:
        model = apps.get_model(label)
    except (LookupError, ValueError) as error:
        raise CommandError(f"--chains {label}: there is no such model") from error
    if not issubclass(model, AbstractChain):
        raise CommandError(f"--chains {label}: it derives from no AbstractChain")
    return model
