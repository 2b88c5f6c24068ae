"""Signs a checkpoint: run it from a timer, once an hour."""

from __future__ import annotations

from typing import Any

from dualseal.contrib.django.management.log import LogCommand


class Command(LogCommand):
    """``manage.py dualseal_checkpoint main > checkpoint.json``."""

    help = "Signs a checkpoint of a log and prints it, for witnesses and whoever keeps one."

    def handle(self, *_: Any, **options: Any) -> None:
        """Prints it."""
        self.stdout.write(self.chains.checkpoint(options["name"]).to_json())
