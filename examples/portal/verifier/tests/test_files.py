"""What the page takes the chosen files for, and what it gets out of a PDF."""

from __future__ import annotations

import random
import time
from typing import Any

import pdfs
import pytest
from conftest import Module
from samples import ACKNOWLEDGED, INVOICE, of_portal

EVIDENCE = of_portal().text.encode()
RECEIPT = [("acknowledgement.json", ACKNOWLEDGED), ("acknowledgement.evidence.json", EVIDENCE)]
Files = list[tuple[str, bytes]]


def taken(module: Module, files: Files) -> Any:
    return module.ask("sorted", files=[[name, data.hex()] for name, data in files])


def inside(module: Module, pdf: bytes) -> list[bytes]:
    return [bytes.fromhex(one) for one in module.ask("attachments", pdf_hex=pdf.hex())]


@pytest.mark.parametrize("dense", [True, False])
def test_attachments_as_programs_write_them(module: Module, dense: bool) -> None:
    pdf = pdfs.attached(RECEIPT, dense=dense)
    assert EVIDENCE not in pdf
    assert sorted(inside(module, pdf)) == sorted(data for _, data in RECEIPT)


@pytest.mark.parametrize("form", ["plain", "length elsewhere", "no length"])
def test_attachments_as_few_write_them(module: Module, form: str) -> None:
    assert [data.strip() for data in inside(module, pdfs.by_hand(EVIDENCE, form))] == [EVIDENCE.strip()]


@pytest.mark.parametrize("form", ["cut off", "lies about its length", "not deflated", "rare filter"])
def test_what_cannot_be_read_out_is_left_to_a_reader_of_pdf(module: Module, form: str) -> None:
    pdf = pdfs.by_hand(EVIDENCE, form)
    assert taken(module, [("receipt.pdf", pdf)]) == {"problem": "no_evidence_in_pdf"}


def test_an_encrypted_pdf_is_left_to_a_reader_of_pdf(module: Module) -> None:
    assert taken(module, [("receipt.pdf", pdfs.encrypted(RECEIPT))]) == {"problem": "no_evidence_in_pdf"}


def test_an_attachment_that_grows_without_end_is_not_read(module: Module) -> None:
    before = time.monotonic()
    assert inside(module, pdfs.bomb()) == []
    assert time.monotonic() - before < 20


def test_what_only_looks_like_attachments_is_not_searched_for_without_end(module: Module) -> None:
    before = time.monotonic()
    assert inside(module, b"%PDF-1.7\n1 0 obj\n" + b"/Type /EmbeddedFile\n" * 400_000) == []
    assert time.monotonic() - before < 20


def test_no_mutated_pdf_stops_it(module: Module) -> None:
    draw = random.Random(19)
    good = bytearray(pdfs.attached([("a", b"some words"), ("b", EVIDENCE[:2000])], dense=False))
    got = 0
    for _ in range(300):
        pdf = bytearray(good)
        for _ in range(draw.randrange(1, 12)):
            at = draw.randrange(len(pdf))
            pdf[at : at + draw.randrange(3)] = draw.randbytes(draw.randrange(3))
        got += len(inside(module, bytes(pdf[: draw.randrange(len(pdf))] if draw.random() < 0.2 else pdf)))
    assert got > 100


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ([], "nothing_chosen"),
        ([("a.pdf", INVOICE)], "no_evidence_in_pdf"),
        ([("a.txt", b"words"), ("b.json", b"{}")], "no_evidence"),
        ([("a.evidence.json", EVIDENCE)], "no_document"),
        ([("a.evidence.json", EVIDENCE), ("b.json", EVIDENCE)], "two_evidences"),
        ([("a.evidence.json", EVIDENCE), ("b.evidence.json", b"garbage"), ("c", b"")], "two_evidences"),
        ([("two.pdf", pdfs.attached([("a", EVIDENCE), ("b", EVIDENCE + b" ")]))], "two_evidences"),
        ([("alone.pdf", pdfs.attached(RECEIPT[1:]))], "no_document"),
        ([(f"{number}", b"") for number in range(17)], "too_many"),
        ([("a.evidence.json", b" " * ((1 << 24) + 1)), ("b", b"")], "evidence_too_big"),
    ],
)
def test_what_is_missing_is_said(module: Module, files: Files, problem: str) -> None:
    assert taken(module, files) == {"problem": problem}


def test_evidence_is_known_by_its_name_or_its_form(module: Module) -> None:
    for name, data in (("any name", EVIDENCE), ("x.evidence.json", b"garbage"), ("X.EVIDENCE.JSON", EVIDENCE)):
        found = taken(module, [("contract", b"words"), (name, data)])
        assert (found["evidence"], found["documents"]) == (data.hex(), [["contract", b"words".hex(), True]])


def test_a_receipt_is_its_evidence_and_its_document(module: Module) -> None:
    receipt = ("receipt.pdf", pdfs.attached(RECEIPT))
    of_receipt = ["receipt.pdf", ACKNOWLEDGED.hex(), False]
    assert taken(module, [receipt]) == {"evidence": EVIDENCE.hex(), "documents": [of_receipt]}
    # With the invoice: both may be the document.
    both = taken(module, [("invoice.pdf", INVOICE), receipt])["documents"]
    assert sorted(both) == sorted([["invoice.pdf", INVOICE.hex(), True], of_receipt])
    # Beside evidence of its own, a PDF is a document, whatever is in it.
    alone = taken(module, [("x.evidence.json", EVIDENCE), receipt])
    assert alone["documents"] == [["receipt.pdf", receipt[1].hex(), True]]
