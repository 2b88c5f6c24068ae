"""A folder for an auditor: every document that was sent, every answer, and evidence of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from dualseal.contrib.django.models import Chain

from ..models import Acknowledgement, Decline, Invoice, Issuer, Voiding
from ..tables import lines
from .evidence import file_name, files_of, files_of_response

AT_ONCE = 4


@dataclass
class Report:
    """What was written."""

    fingerprint: str
    ring: Path
    documents: int = 0
    responses: int = 0


def export(folder: Path, issuer: Issuer | None = None) -> Report:
    """Writes the folder, which must not be there: of one issuer, or of all.

    :raises FileExistsError: it is.
    """
    folder.mkdir(parents=True)
    # All evidence under one checkpoint, where nothing is sent meanwhile.
    Chain.objects.checkpoint(settings.LOG)
    chain = Chain.objects.get(name=settings.LOG)
    # Beside the folder: keys that lie among what they are to verify are not trusted.
    ring = folder.with_name(folder.name + ".ring.json")
    ring.write_text(chain.public_ring.to_json())
    report = Report(chain.fingerprint, ring)
    rows: list[list[object]] = [["number", "answer", "time", "hash", "ip", "ua"]]
    sent = Invoice.objects.exclude(record=None).select_related("issuer", "record").order_by("pk")
    # Each may have some megabytes.
    for invoice in (sent.filter(issuer=issuer) if issuer else sent).iterator(AT_ONCE):
        own = folder / f"{invoice.pk:06}-{file_name(invoice)}"
        own.mkdir()
        _write(own, files_of(invoice=invoice))
        report.documents += 1
        for row in _responses(invoice):
            _write(own, files_of_response(row=row))
            rows.append([invoice.number, row._meta.model_name, row.created_at.isoformat(), row.hash, row.ip, row.ua])
            report.responses += 1
    with (folder / "answers.csv").open("w", newline="", encoding="utf-8") as file:
        file.writelines(lines(rows))
    return report


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _responses(invoice: Invoice) -> Iterator[Any]:
    for model in (Acknowledgement, Decline, Voiding):
        yield from model.objects.filter(invoice=invoice).select_related("entry__chain")
