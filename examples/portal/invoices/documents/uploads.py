"""PDFs that an issuer uploads: looked at before they are taken, and given the document's data when they are sent."""

from __future__ import annotations

import io

import pikepdf
from django.conf import settings
from django.utils.translation import gettext as _
from portal.errors import ConflictError

MOST_PAGES = 500
DATA = "document.json"


def check(content: bytes) -> None:
    """A PDF that is read without a password and runs nothing.

    :raises ConflictError: what is wrong with it.
    """
    if len(content) > settings.UPLOAD_MOST_BYTES:
        raise ConflictError(_("The PDF has more than 10 MiB."))
    if not content.startswith(b"%PDF-"):
        raise ConflictError(_("This is no PDF."))
    with _opened(content) as pdf:
        if len(pdf.pages) > MOST_PAGES:
            raise ConflictError(_("The PDF has too many pages."))
        actions = (pdf.Root.get("/OpenAction"), pdf.Root.get("/Names", pikepdf.Dictionary()).get("/JavaScript"))
        for action in actions:
            kind = action.get("/S", "") if isinstance(action, pikepdf.Dictionary) else ""
            if action is not None and (action is actions[1] or str(kind) not in {"", "/GoTo"}):
                raise ConflictError(_("The PDF runs a program when it is opened."))


def with_data(content: bytes, text: str) -> bytes:
    """The PDF with the document's data embedded, the same from the same bytes."""
    with _opened(content) as pdf:
        file = pikepdf.AttachedFileSpec(pdf, text.encode(), filename=DATA, mime_type="application/json")
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
