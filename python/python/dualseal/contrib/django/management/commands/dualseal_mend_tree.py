"""Makes the nodes of a log's tree anew, from its entries."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from dualseal import DualsealError
from dualseal.contrib.django import store, tree
from dualseal.contrib.django.management.log import LogCommand
from dualseal.contrib.django.management.progress import Progress
from dualseal.operator import RefusedError


class Command(LogCommand):
    """``manage.py dualseal_mend_tree main``."""

    help = "Puts the nodes that a log's entries make in the place of those that stand there. Nobody appends meanwhile."

    def handle(self, *_: Any, **options: Any) -> None:
        """Of a log whose chain, state and mark hold; of any other nothing is made."""
        try:
            gone, put = tree.mend(self.chains, options["name"], Progress(self.stderr, "entries"))
        except (DualsealError, RefusedError, store.BrokenError) as error:
            raise CommandError(f"the tree is left as it is: {error}") from error
        self.stdout.write(f"{gone} nodes were taken away, and {put} put there")
