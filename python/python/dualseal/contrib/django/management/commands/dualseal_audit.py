"""Reads everything that the database has of a log, and holds it against everything else."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from dualseal import Checkpoint
from dualseal.contrib.django.audit import audit
from dualseal.contrib.django.management.log import LogCommand
from dualseal.contrib.django.management.progress import Progress

# Of a thousand alike the first tell enough.
SHOWN = 50


def _said(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"


class Command(LogCommand):
    """``manage.py dualseal_audit main [--since CHECKPOINT]``. Ends with 1 where something does not hold."""

    help = "Reads a log, its tree, ring, records, secrets and last checkpoint, and names all that does not hold."

    def add_arguments(self, parser: Any) -> None:
        """The name of the log, and from where on."""
        super().add_arguments(parser)
        parser.add_argument("--since", type=Path, help="a checkpoint's file: only what came after it is read")

    def handle(self, *_: Any, **options: Any) -> None:
        """Says what was read and what was found."""
        since = options["since"] and Checkpoint.from_json(options["since"].read_bytes())
        report = audit(self.chains, options["name"], since, Progress(self.stderr, "entries"))
        self.stdout.write(f"{report.entries} entries, {report.records} records; signatures: {_said(report.kinds)}")
        if report.seals:
            self.stdout.write(f"{report.seals} sealed rows: {_said(report.seal_kinds)}")
        if report.vault_kinds:
            self.stdout.write(f"vault records, without their documents: {_said(report.vault_kinds)}")
        if report.secrets:
            self.stdout.write(f"{report.secrets} secrets at rest")
        if report.backwards:
            said = f"{len(report.backwards)} times go backwards, first that of entry {report.backwards[0]}"
            self.stdout.write(self.style.WARNING(f"Beware: {said}. The order of the entries stands."))
        for fault in report.faults[:SHOWN]:
            self.stderr.write(self.style.ERROR(fault))
        if report.faults:
            self.stderr.write(self.style.ERROR(f"{len(report.faults)} do not hold."))
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("All of it holds."))
