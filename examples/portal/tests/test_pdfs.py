"""PDFs, uploaded and typeset: what is refused, what is put inside, and letters that no font has."""

from __future__ import annotations

import io
import json
import zlib
from decimal import Decimal
from typing import Any

import pikepdf
import pytest
from conftest import answer, blank_pdf, draft, sent
from django.test import Client
from invoices.documents import uploads
from invoices.models import Invoice
from invoices.services import delivery, evidence
from pikepdf import Array, Dictionary, Name
from portal.errors import ConflictError

pytestmark = pytest.mark.django_db
UBL = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
XML = f'<?xml version="1.0" encoding="UTF-8"?><Invoice xmlns="{UBL}"><ID>1</ID></Invoice>'.encode()
CII = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
FACTUR_X = f'<r:CrossIndustryInvoice xmlns:r="{CII}"><r:ExchangedDocument/></r:CrossIndustryInvoice>'.encode()
XHTML = b'<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'
SCRIPT = Dictionary(S=Name.JavaScript, JS="app.alert(1)")


def root(**members: Any) -> bytes:
    """With these in its catalogue."""
    return blank_pdf(lambda pdf: pdf.Root.update({f"/{name}": value for name, value in members.items()}))


def page(**members: Any) -> bytes:
    """With these in its page."""
    return blank_pdf(lambda pdf: pdf.pages[0].obj.update({f"/{name}": value for name, value in members.items()}))


def note(**members: Any) -> bytes:
    """With an annotation."""
    rect = Array([0, 0, 1, 1])
    return page(Annots=Array([Dictionary(Type=Name.Annot, Rect=rect, **{"Subtype": Name.Link} | members)]))


def attached(name: str, content: bytes, **members: Any) -> bytes:
    """With a file inside."""

    def change(pdf: pikepdf.Pdf) -> None:
        pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, content, filename=name)
        for stream in (one for one in pdf.objects if isinstance(one, pikepdf.Stream)):
            if stream.get("/Type") == Name.EmbeddedFile:
                stream.write(content, **members)

    return blank_pdf(change, compress_streams=False)


def hidden() -> bytes:
    """In an object that nothing refers to but the file's own list, beside streams of objects."""

    def change(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Extra = pdf.make_indirect(Array([Array([Dictionary(Deep=pdf.make_indirect(SCRIPT))])]))

    return blank_pdf(change, object_stream_mode=pikepdf.ObjectStreamMode.generate)


ACTIVE = {
    "at once": root(OpenAction=SCRIPT),
    "at last": root(OpenAction=Dictionary(S=Name.GoTo, D=Array([0]), Next=SCRIPT)),
    "among names": root(Names=Dictionary(JavaScript=Dictionary(Names=Array(["x", SCRIPT])))),
    "as it closes": root(AA=Dictionary(WC=SCRIPT)),
    "as a page opens": page(AA=Dictionary(O=Dictionary(S=Name.URI, URI="https://x.example"))),
    "as it is clicked": note(A=SCRIPT),
    "a program": note(A=Dictionary(S=Name.Launch, F="a.exe")),
    "a form": note(A=Dictionary(S=Name.SubmitForm, F="https://x.example")),
    "another file": note(A=Dictionary(S=Name.GoToR, F="a.pdf", D=Array([0]))),
    "a field": root(AcroForm=Dictionary(Fields=Array([Dictionary(T="x", FT=Name.Tx, AA=Dictionary(K=SCRIPT))]))),
    "XFA": root(AcroForm=Dictionary(XFA="<x/>")),
    "media": note(Subtype=Name.RichMedia),
    "a file beside": note(Subtype=Name.FileAttachment),
    "a file inside": attached("a.exe", b"MZ"),
    "a program named as XML": attached("a.xml", b"MZ"),
    "XML named as a program": attached("a.exe", XML),
    "XML with entities": attached("a.xml", b'<!DOCTYPE x [<!ENTITY y "z">]>' + FACTUR_X),
    "XML of a page": attached("a.xml", XHTML),
    "XML of a page around an invoice": attached("a.xml", b"<x>" + FACTUR_X + b"</x>"),
    "XML without end": attached("a.xml", zlib.compress(FACTUR_X + b" " * (1 << 21)), filter=Name.FlateDecode),
    "XML that is cut": attached("a.xml", zlib.compress(XML)[:-9], filter=Name.FlateDecode),
    "XML packed otherwise": attached("a.xml", XML.hex().encode(), filter=Name.ASCIIHexDecode),
    "hidden": hidden(),
}


@pytest.mark.parametrize("name", ACTIVE)
def test_a_pdf_that_does_something_is_refused(issuer: Any, name: str) -> None:
    with pytest.raises(ConflictError, match="Sadrži|sadrži"):
        draft(issuer, lines=(), upload=ACTIVE[name], total=1)
    assert not Invoice.objects.exists()


@pytest.mark.parametrize("upload", [
    b"hello", b"%PDF-1.7 hello", b"x" + blank_pdf(), blank_pdf()[:200],
    blank_pdf(encryption=pikepdf.Encryption(owner="x", user="y")),
])  # fmt: skip
def test_what_is_no_pdf_is_refused(issuer: Any, upload: bytes) -> None:
    with pytest.raises(ConflictError):
        draft(issuer, lines=(), upload=upload, total=1)


@pytest.mark.parametrize("upload", [
    root(Names=7), root(Names=Array([])), root(OpenAction=Array([0, Name.Fit])), root(AcroForm=Name.X),
    note(A=Dictionary(S=Name.URI, URI="https://x.example")), note(A=Dictionary(S=Name.GoTo, D=Array([0]))),
    root(OpenAction=Dictionary(S=Name.GoTo, D=Array([0]), Next=Array([1]))),
])  # fmt: skip
def test_what_is_odd_and_calm_is_taken(issuer: Any, upload: bytes) -> None:
    invoice = sent(issuer, lines=(), upload=upload, total=1)
    assert uploads.data_of(bytes(invoice.pdf)) == invoice.data


@pytest.mark.parametrize(("xml", "upload"), [
    (FACTUR_X, attached("factur-x.xml", FACTUR_X)),
    (XML, attached("racun.XML", zlib.compress(XML), filter=Name.FlateDecode)),
])  # fmt: skip
def test_an_electronic_invoice_keeps_its_xml(issuer: Any, xml: bytes, upload: bytes) -> None:
    invoice = sent(issuer, lines=(), upload=upload, total=1)
    with pikepdf.open(io.BytesIO(bytes(invoice.pdf))) as opened:
        inside = {name: file.get_file().read_bytes() for name, file in opened.attachments.items()}
    assert inside.pop("document.json").decode() == invoice.data
    assert list(inside.values()) == [xml]


def test_one_file_that_is_named_often_is_read_a_few_times(issuer: Any) -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        stream = pdf.make_stream(XML, Type=Name.EmbeddedFile)
        file = Dictionary(F="a.xml", EF=Dictionary(F=stream))
        pdf.Root.Extra = Array([file] * (uploads.MOST_FILES + 1))

    with pytest.raises(ConflictError, match="EF"):
        draft(issuer, lines=(), upload=blank_pdf(change), total=1)


def test_files_of_too_many_parts_are_refused(issuer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_OBJECTS", 2)
    with pytest.raises(ConflictError):
        draft(issuer, lines=(), upload=blank_pdf(), total=1)


def test_a_pdf_that_was_uploaded_carries_its_data(issuer: Any) -> None:
    invoice = sent(issuer, lines=(), upload=blank_pdf(), total=Decimal("12.30"))
    with pikepdf.open(io.BytesIO(bytes(invoice.pdf))) as opened:
        assert json.loads(opened.attachments["document.json"].get_file().read_bytes())["total"] == "12.30"
    assert Invoice.objects.get().upload is None


@pytest.mark.parametrize("letters", ["中文", "a 😀", "\U0001f9fe"])
def test_letters_that_no_font_has_are_told_at_once(client: Client, issuer: Any, letters: str) -> None:
    for fields in ({"client_name": letters}, {"note": letters}, {"number": letters}):
        with pytest.raises(ConflictError, match="znak"):
            draft(issuer, **fields)
    assert not Invoice.objects.exists(), "and the number is free"
    made = draft(issuer)
    issuer.name = letters
    issuer.save()
    client.login(username="ana", password="ana")
    answer = client.post(f"/hr/izdavatelj/{made.pk}/posalji/", follow=True)
    assert [message.tags for message in answer.context["messages"]] == ["error"]


def test_a_client_of_such_a_name_gets_his_receipt(client: Client, issuer: Any) -> None:
    invoice = sent(issuer, lines=(), upload=blank_pdf(), total=1, client_name="王 Ćup 😀")
    row = answer(invoice)
    pdf = evidence.receipt(row=row, language="hr")
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        inside = opened.attachments["acknowledgement.json"].get_file().read_bytes()
    assert inside == row.sealed_content() and "王 Ćup 😀" in inside.decode()
    url = f"/hr/ponuda/{delivery.token_issue(invoice=invoice)}/"
    assert client.get(f"{url}potvrda.pdf").status_code == 200
