"""A folder for an auditor: every document that was sent, every answer, and evidence of both."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from dualseal.contrib.django.models import Chain

from ..models import Acknowledgement, Decline, Invoice
from ..tables import formula_safe
from .evidence import EVIDENCE, file_name, invoice_evidence, response_evidence, response_name


@dataclass
class Report:
    """What was written."""

    fingerprint: str
    ring: Path
    documents: int = 0
    responses: int = 0


def export(folder: Path) -> Report:
    """Writes the folder, which must not be there.

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
    rows = []
    for invoice in Invoice.objects.exclude(record=None).select_related("issuer", "record").order_by("pk").iterator(100):
        own = folder / f"{invoice.pk:06}-{file_name(invoice)}"
        own.mkdir()
        name = f"{file_name(invoice)}.pdf"
        (own / name).write_bytes(bytes(invoice.pdf or b""))
        (own / (name + EVIDENCE)).write_text(invoice_evidence(invoice=invoice).to_json())
        report.documents += 1
        for row in _responses(invoice):
            (own / response_name(row)).write_bytes(row.sealed_content())
            (own / (response_name(row) + EVIDENCE)).write_text(response_evidence(row=row).to_json())
            rows.append([invoice.number, row._meta.model_name, row.created_at.isoformat(), row.hash, row.ip, row.ua])
            report.responses += 1
    with (folder / "answers.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["number", "answer", "time", "hash", "ip", "ua"])
        writer.writerows([formula_safe(str(cell)) for cell in row] for row in rows)
    return report


def _responses(invoice: Invoice) -> Iterator[Any]:
    for model in (Acknowledgement, Decline):
        yield from model.objects.filter(invoice=invoice).select_related("entry__chain")
