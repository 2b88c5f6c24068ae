"""What the page takes the chosen files for, and what it gets out of a PDF."""

from __future__ import annotations

import io
import random
import struct
import time
import warnings
import zipfile
from typing import Any

import pdfs
import pytest
from conftest import Module
from samples import ACKNOWLEDGED, INVOICE, of_portal

EVIDENCE = of_portal().text.encode()
RECEIPT = [("acknowledgement.json", ACKNOWLEDGED), ("acknowledgement.evidence.json", EVIDENCE)]
Files = list[tuple[str, bytes]]


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED, streamed: bool = False) -> bytes:
    """A folder as programs write it; `streamed` without going back to say the lengths."""
    out = io.BytesIO()
    if streamed:
        out.seek = out.tell = lambda *_: (_ for _ in ()).throw(OSError())  # type: ignore[assignment]
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(out, "w", method) as folder:
        for name, data in files:
            folder.writestr(name, data)
    return out.getvalue()


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
        ([("a.evidence.json", EVIDENCE), ("b.json", EVIDENCE)], "no_document"),
        ([("two.pdf", pdfs.attached([("a", EVIDENCE), ("b", EVIDENCE + b" ")]))], "no_document"),
        ([("all.zip", zipped([(f"{number}", b"") for number in range(17)]))], "too_many"),
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
        assert (found["evidence"], found["documents"]) == ([data.hex()], [["contract", b"words".hex(), True]])


def test_a_receipt_is_its_evidence_and_its_document(module: Module) -> None:
    receipt = ("receipt.pdf", pdfs.attached(RECEIPT))
    of_receipt = ["receipt.pdf", ACKNOWLEDGED.hex(), False]
    assert taken(module, [receipt]) == {"evidence": [EVIDENCE.hex()], "documents": [of_receipt]}
    # With the invoice: both may be the document.
    both = taken(module, [("invoice.pdf", INVOICE), receipt])["documents"]
    assert sorted(both) == sorted([["invoice.pdf", INVOICE.hex(), True], of_receipt])
    # Beside evidence of its own, a PDF is a document, whatever is in it.
    alone = taken(module, [("x.evidence.json", EVIDENCE), receipt])
    assert alone["documents"] == [["receipt.pdf", receipt[1].hex(), True]]


BOTH = [*RECEIPT, ("invoice.pdf", INVOICE), ("invoice.pdf.evidence.json", EVIDENCE), ("README.txt", b"words")]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_zip_is_what_is_in_it(module: Module, method: int, streamed: bool) -> None:
    files = [("empty/", b""), *((f"bundle/{name}", data) for name, data in BOTH)]
    found = taken(module, [("all.zip", zipped(files, method, streamed))])
    assert found["evidence"] == [EVIDENCE.hex()] * 2
    documents = {"acknowledgement.json": ACKNOWLEDGED, "invoice.pdf": INVOICE, "README.txt": b"words"}
    assert found["documents"] == [[f"bundle/{name}", data.hex(), True] for name, data in documents.items()]


def test_beside_evidence_of_its_own_a_zip_is_a_document(module: Module) -> None:
    document = ("letter.docx", zipped(BOTH))
    alone = taken(module, [("letter.docx.evidence.json", EVIDENCE), document])
    assert alone == {"evidence": [EVIDENCE.hex()], "documents": [["letter.docx", document[1].hex(), True]]}
    # And one without evidence in it stays whole beside what holds some.
    office = ("letter.docx", zipped([("word/document.xml", b"<w/>")]))
    found = taken(module, [office, ("receipt.pdf", pdfs.attached(RECEIPT))])
    assert ["letter.docx", office[1].hex(), True] in found["documents"]


def ambiguous() -> dict[str, bytes]:
    """What two programs unpack to other files each."""
    good = zipped(RECEIPT, zipfile.ZIP_STORED)
    name = RECEIPT[0][0].encode()
    central, end = good.index(b"PK\x01\x02"), good.index(b"PK\x05\x06")
    lies = struct.pack("<I", len(ACKNOWLEDGED) + 1)
    return {
        "a name twice": zipped([*RECEIPT, RECEIPT[0]]),
        "a name in two cases": zipped([*RECEIPT, ("ACKNOWLEDGEMENT.json", b"other")]),
        "another name before the file": good.replace(name, name.upper(), 1),
        "something before": b"PK\x03\x04 before" + good,
        "something between": good[:central] + b"between" + good[central:],
        "something behind": good + b"behind",
        "a file that no list has": zipped([("x", b"y")], zipfile.ZIP_STORED).partition(b"PK\x01\x02")[0] + good,
        "fewer than it says": good[: end + 8] + b"\x01\x00\x01\x00" + good[end + 12 :],
        "a false length": good[: central + 24] + lies + good[central + 28 :],
        "encrypted": good[: central + 8] + b"\x01\x00" + good[central + 10 :],
        "not deflated": good[: central + 10] + b"\x08\x00" + good[central + 12 :],
        "cut off": good[:-4],
    }


@pytest.mark.parametrize("form", ambiguous())
def test_a_zip_that_can_be_read_in_two_ways_is_not_read(module: Module, form: str) -> None:
    assert "evidence" in taken(module, [("all.zip", zipped(RECEIPT, zipfile.ZIP_STORED))])
    assert taken(module, [("all.zip", ambiguous()[form])]) == {"problem": "no_evidence"}


def test_no_mutated_zip_stops_it(module: Module) -> None:
    draw = random.Random(20)
    good = bytearray(zipped([("a", b"some words"), ("b.evidence.json", EVIDENCE[:2000])]))
    read = 0
    for _ in range(300):
        folder = bytearray(good)
        for _ in range(draw.randrange(1, 3)):
            folder[draw.randrange(len(folder))] = draw.randrange(256)
        read += "evidence" in taken(module, [("a.zip", bytes(folder))])
    assert 10 < read < 290
    bomb = zipped([("a.evidence.json", bytes(1 << 27))])
    assert taken(module, [("a.zip", bomb)]) == {"problem": "no_evidence"}
