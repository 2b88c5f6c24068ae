"""PDFs that an issuer uploads: looked at before they are taken, and given the document's data when they are sent."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from xml.parsers import expat

import pikepdf
from django.conf import settings
from django.utils.translation import gettext as _
from portal.errors import ConflictError

MOST_PAGES = 500
MOST_OBJECTS = 100_000
# Electronic invoices are XML of these: EN 16931 in both its syntaxes.
INVOICES = {
    "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100 CrossIndustryInvoice",
    "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2 Invoice",
    "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2 CreditNote",
}
MOST_FILES, MOST_XML_BYTES = 8, 1 << 20
# Actions at events, scripts, forms that are programs.
ACTIVE_KEYS = ("/AA", "/JS", "/XFA", "/RichMediaContent")
ACTIVE_NAMES = {
    "/S": {"/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Rendition",
           "/RichMediaExecute", "/Movie", "/Sound", "/ResetForm", "/Hide"},
    "/Subtype": {"/RichMedia", "/Screen", "/Movie", "/Sound", "/3D", "/FileAttachment"},
}  # fmt: skip
DATA = "document.json"


def check(content: bytes) -> None:
    """A PDF that is read without a password, runs nothing, and holds no file but an invoice's XML.

    :raises ConflictError: what is wrong with it.
    """
    if len(content) > settings.UPLOAD_MOST_BYTES:
        raise ConflictError(_("The PDF has more than 10 MiB."))
    if not content.startswith(b"%PDF-"):
        raise ConflictError(_("This is no PDF."))
    try:
        with _opened(content) as pdf:
            if len(pdf.pages) > MOST_PAGES or len(pdf.objects) > MOST_OBJECTS:
                raise ConflictError(_("The PDF has too many pages."))
            found = _first_active(_dictionaries(pdf))
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
        raise ConflictError(_("The PDF does not read.")) from error
    if found is not None:
        raise ConflictError(_("The PDF holds what runs, or another file: %(name)s") % {"name": found})


def _dictionaries(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Every dictionary of a file, also in others and in streams, whatever refers to it."""
    waiting = list(pdf.objects)
    while waiting:
        one = waiting.pop()
        if isinstance(one, pikepdf.Array):
            inner = list(one)
        elif isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
            yield one
            inner = [value for _, value in one.items()]
        else:
            continue
        # What is indirect is an object of its own.
        waiting += [value for value in inner if isinstance(value, pikepdf.Object) and not value.is_indirect]


def _first_active(dictionaries: Iterator[pikepdf.Object]) -> str | None:
    """What one of them has that may run or bring something when the file is opened, looked at or clicked. Each file
    inside is unpacked and read, so that they are few.
    """
    files = 0
    for one in dictionaries:
        files += "/EF" in one
        if (active := _active(one)) is not None:
            return active
        if "/EF" in one and (files > MOST_FILES or not _is_invoice(one)):
            return "/EF"
    return None


def _active(one: pikepdf.Object) -> str | None:
    for key in ACTIVE_KEYS:
        if key in one:
            return key
    for key, names in ACTIVE_NAMES.items():
        value = one.get(key)
        if isinstance(value, pikepdf.Name) and str(value) in names:
            return str(value)
    return None


def _is_invoice(file: pikepdf.Object) -> bool:
    """Whether a file inside is an invoice's XML, as electronic ones have it beside their pages (ZUGFeRD, Factur-X)."""
    names = [str(file[key]) for key in ("/F", "/UF") if key in file]
    is_named = bool(names) and all(name.lower().endswith(".xml") for name in names)
    return is_named and all(_is_invoice_xml(_unpacked(stream)) for _, stream in file["/EF"].items())


def _unpacked(stream: pikepdf.Object) -> bytes:
    """A stream's bytes, of which there may be more than memory; none where it is packed as no invoice is."""
    raw, packed = stream.read_raw_bytes(), stream.get("/Filter")
    if packed is None:
        return raw if len(raw) <= MOST_XML_BYTES else b""
    if packed != pikepdf.Name.FlateDecode or "/DecodeParms" in stream:
        return b""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(raw, MOST_XML_BYTES)
    except zlib.error:
        return b""
    return content if unpacking.eof else b""


def _is_invoice_xml(content: bytes) -> bool:
    """An invoice by its root, well-formed, without a document type, whose entities grow and bring files."""
    roots: list[str] = []

    def refuse(*_declared: object) -> None:
        raise ValueError

    def begin(name: str, _attributes: object) -> None:
        roots.append(name)
        parser.StartElementHandler = None

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = begin
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError):
        return False
    return roots[0] in INVOICES


def with_data(content: bytes, text: str) -> bytes:
    """The PDF with the document's data embedded, the same from the same bytes."""
    with _opened(content) as pdf:
        no_times = {"creation_date": "", "mod_date": "", "description": ""}
        file = pikepdf.AttachedFileSpec(pdf, text.encode(), filename=DATA, mime_type="application/json", **no_times)
        pdf.attachments[DATA] = file
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
    return out.getvalue()


def data_of(content: bytes) -> str:
    """The document's data that is embedded in a PDF, set or uploaded.

    :raises ValueError: there is none.
    """
    try:
        with pikepdf.open(io.BytesIO(content)) as pdf:
            return pdf.attachments[DATA].get_file().read_bytes().decode()
    except (pikepdf.PdfError, KeyError) as error:
        raise ValueError("its PDF holds no data") from error


def _opened(content: bytes) -> pikepdf.Pdf:
    try:
        return pikepdf.open(io.BytesIO(content))
    except pikepdf.PasswordError as error:
        raise ConflictError(_("The PDF is encrypted.")) from error
    except pikepdf.PdfError as error:
        raise ConflictError(_("The PDF does not read.")) from error
