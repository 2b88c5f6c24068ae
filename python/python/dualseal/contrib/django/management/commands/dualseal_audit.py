"""Reads everything that the database has of a log, and holds it against everything else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from dualseal import Checkpoint
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.management.log import LogCommand
from dualseal.contrib.django.management.progress import Progress
from dualseal.contrib.django.models import Chain

# Of a thousand alike the first tell enough.
SHOWN = 50


class Command(LogCommand):
    """``manage.py dualseal_audit main [--since CHECKPOINT]``. Ends with 1 where something does not hold."""

    help = "Reads a log, its tree, ring, records and last checkpoint, and names all that does not hold."

    def add_arguments(self, parser: Any) -> None:
        """The name of the log, and from where on."""
        super().add_arguments(parser)
        parser.add_argument("--since", type=Path, help="a checkpoint's file: only what came after it is read")

    def handle(self, *_: Any, **options: Any) -> None:
        """Says what was read and what was found."""
        since = options["since"] and Checkpoint.from_json(options["since"].read_bytes())
        report = audit(Chain.objects, options["name"], since, Progress(self.stderr, "entries"))
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(report.kinds.items())) or "none"
        self.stdout.write(f"{report.entries} entries, {report.records} records; signatures: {kinds}")
        if report.seals:
            self.stdout.write(f"{report.seals} sealed rows")
        for fault in report.faults[:SHOWN]:
            self.stderr.write(self.style.ERROR(fault))
        if report.faults:
            self.stderr.write(self.style.ERROR(f"{len(report.faults)} do not hold."))
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("All of it holds."))
