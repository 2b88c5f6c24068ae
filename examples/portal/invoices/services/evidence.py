"""What a client takes with him: his receipt, which stands without the portal."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from django.conf import settings
from django.template.loader import render_to_string
from dualseal import EvidenceFile, SignatureRecord
from dualseal.contrib.django.models import Chain

from ..documents.typeset import receipt_pdf
from ..models import Invoice
from ..models.responses import Response
from .frozen import hold

EVIDENCE = ".evidence.json"


def response_evidence(*, row: Response) -> EvidenceFile:
    """Of an answer, by a checkpoint that covers it: one is signed where none does yet."""
    return row.evidence() or _after_checkpoint(row.evidence)


def invoice_evidence(*, invoice: Invoice) -> EvidenceFile:
    """Of the issuer's signature over the document."""
    record = invoice.record.record if invoice.record else None
    if not isinstance(record, SignatureRecord):
        raise ValueError("the document has no signature")
    chain = Chain.objects.get(name=settings.LOG)

    def made() -> EvidenceFile | None:
        chain.refresh_from_db()
        return chain.evidence(record)

    return made() or _after_checkpoint(made)


def response_name(row: Response) -> str:
    """The file that is sealed: `acknowledgement.json`."""
    return f"{row._meta.model_name}.json"


def document_name(invoice: Invoice) -> str:
    """The frozen document as a file."""
    return f"{file_name(invoice)}.pdf"


def files_of(*, invoice: Invoice) -> dict[str, bytes]:
    """The document, and the evidence of its signature."""
    name = document_name(invoice)
    return {name: bytes(invoice.pdf or b""), name + EVIDENCE: invoice_evidence(invoice=invoice).to_json().encode()}


def files_of_response(*, row: Response) -> dict[str, bytes]:
    """What was sealed, and its evidence."""
    name = response_name(row)
    return {name: row.sealed_content(), name + EVIDENCE: response_evidence(row=row).to_json().encode()}


def bundle(*, row: Response) -> bytes:
    """A folder as ZIP that `dualseal audit` verifies: document, answer, and evidence of both."""
    invoice = row.invoice
    hold(invoice=invoice)
    facts = {"name": response_name(row), "document": document_name(invoice)}
    files = files_of(invoice=invoice) | files_of_response(row=row)
    files["README.txt"] = render_to_string("bundle.txt", facts).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as folder:
        for path, content in files.items():
            # The same evidence is the same file, whenever it is fetched.
            info = zipfile.ZipInfo(path, row.created_at.utctimetuple()[:6])
            info.external_attr = 0o644 << 16
            folder.writestr(info, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def receipt(*, row: Response, language: str) -> bytes:
    """The receipt for people, in their language, with the evidence inside."""
    hold(invoice=row.invoice)
    return receipt_pdf(row, response_evidence(row=row).to_json(), response_name(row), language)


def file_name(invoice: Invoice) -> str:
    """Of letters and digits that every system takes."""
    number = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in invoice.number)
    return f"{invoice.kind}-{number.strip('-') or invoice.pk}"


def _after_checkpoint(made: Callable[[], EvidenceFile | None]) -> EvidenceFile:
    Chain.objects.checkpoint(settings.LOG)
    found = made()
    if found is None:
        raise RuntimeError("a checkpoint was signed, and does not cover what stood there before")
    return found
