"""PDFs that an issuer uploads: looked at before they are taken, and given the document's data when they are sent."""

from __future__ import annotations

import io

import pikepdf
from django.conf import settings
from django.utils.translation import gettext as _
from portal.errors import ConflictError

MOST_PAGES = 500


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
        name = "document.json"
        file = pikepdf.AttachedFileSpec(pdf, text.encode(), filename=name, mime_type="application/json")
        pdf.attachments[name] = file
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
    return out.getvalue()


def _opened(content: bytes) -> pikepdf.Pdf:
    try:
        return pikepdf.open(io.BytesIO(content))
    except pikepdf.PasswordError as error:
        raise ConflictError(_("The PDF is encrypted.")) from error
    except pikepdf.PdfError as error:
        raise ConflictError(_("The PDF does not read.")) from error
