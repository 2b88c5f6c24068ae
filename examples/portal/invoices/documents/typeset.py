"""PDFs: PDF/A-3b, typeset by typst, the same from the same data. What is set is data, never markup."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import segno
import typst
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from portal import formats
from portal.errors import ConflictError

from ..models import Acknowledgement, Decline
from ..models.responses import Response
from .uploads import DATA

HERE = Path(__file__).parent
# What typst says of a letter that no font has, which PDF/A does not allow.
MISSING = "could not be displayed with font"
# Beyond Latin, Greek and Cyrillic letters, punctuation and currencies.
RARE = re.compile("[^\\n\x20-\u024f\u0384-\u0481\u048a-\u04ff\u2010-\u2027\u2030-\u203a\u20a0-\u20bf]")

# Where one of those is of no font either: nothing but Latin letters.
RARER = re.compile("[^\\n\\x20-\\x7e\\xa0-\\u017f]")


def invoice_pdf(data: dict[str, Any], text: str) -> bytes:
    """A document in its client's language, with its own data inside."""
    language = data["language"]
    with translation.override(language):
        shown = {
            "lang": language,
            "labels": {
                "title": f"{kind_name(data['kind'])} {data['number']}",
                "kind": kind_name(data["kind"]),
                "oib": _("OIB"),
                "iban": _("IBAN"),
                "for": pgettext("addressee", "For"),
                "date": _("Date"),
                "due": _("Due"),
                "description": _("Description"),
                "quantity": _("Quantity"),
                "price": _("Unit price"),
                "vat": _("VAT"),
                "net": _("Net"),
                "total": _("Total"),
                "base": _("Base"),
                "signer": _("Identity of the issuer, which signs documents and receipts."),
                "log": _("Fingerprint of the log in which this document stands. Receipts are verified with it."),
            },
            "data": data | {"lines": [_line(line, data["currency"]) for line in data["lines"]]},
            "issued": formats.day(data["issued_on"]),
            "day": data["issued_on"],
            "due": formats.day(data["due_on"]) if data["due_on"] else "",
            "total": formats.amount(data["total"], data["currency"]),
            "vat": [
                {
                    "rate": f"{formats.number(row['rate'])} %",
                    "base": formats.amount(row["base"], data["currency"]),
                    "tax": formats.amount(row["tax"], data["currency"]),
                }
                for row in data["vat"]
            ],
            "fingerprint": formats.groups(data["log"]["fingerprint"]),
            "signer": formats.groups(data["issuer"]["identity_id"]),
            "files": [{"name": DATA, "text": text}],
        }
    return _set("invoice.typ", shown)


def receipt_pdf(row: Response, evidence: str, name: str, language: str) -> bytes:
    """A client's receipt, with the sealed statement and its evidence inside."""
    data = row.invoice.frozen
    with translation.override(language):
        confirmed = isinstance(row, Acknowledgement)
        facts = [
            (_("Document"), f"{kind_name(data['kind'])} {data['number']}"),
            (_("Issuer"), f"{data['issuer']['name']}, {_('OIB')} {data['issuer']['oib']}"),
            (_("Client"), data["client"]["name"]),
            (_("Total"), formats.amount(data["total"], data["currency"])),
            (_("Time"), formats.moment(row.created_at)),
            (_("Address"), row.ip),
            (_("Agent"), row.ua or "–"),
        ]
        if isinstance(row, Decline):
            facts.append((_("Reason"), row.reason))
        verify = f"{settings.BASE_URL}/provjera/#{language}"
        shown = {
            "lang": language,
            "title": _("Confirmation of receipt") if confirmed else _("Notice of refusal"),
            "lead": (
                _("The client confirmed that he has the document below.")
                if confirmed
                else _("The client declined the document below.")
            ),
            "facts": facts,
            "day": row.created_at.date().isoformat(),
            "hashes": [
                {"label": _("SHA-256 of the document"), "groups": formats.groups(row.hash)},
                {"label": _("Seal"), "groups": ["SEAL-DUAL::", *formats.groups(row.seal_id.rpartition("::")[2])]},
                {"label": _("Identifier"), "groups": formats.groups(row.identity_id)},
            ],
            "qr": qr_svg(verify),
            "how": [
                _("This file holds the sealed statement and its evidence as attachments."),
                _("It is verified without the portal, offline: on the page of the code, or by “dualseal verify”."),
                _("Take the fingerprint of the log from the document or from the mail that brought it."),
            ],
            "link": verify,
            "files": [
                {"name": name, "text": row.sealed_content().decode()},
                {"name": f"{name}.evidence.json", "text": evidence},
            ],
        }
    # A client's name, what his browser says, or his reason may be of letters that no font here has. He gets his
    # receipt: what is sealed is inside, as it is.
    for rare in (RARE, RARER):
        try:
            return _set("receipt.typ", shown)
        except ConflictError:
            shown["facts"] = [(label, rare.sub("?", text)) for label, text in facts]
    return _set("receipt.typ", shown)


def kind_name(kind: str) -> str:
    """Of a frozen document."""
    return _("Invoice") if kind == "RACUN" else _("Order")


def qr_svg(text: str) -> str:
    """A QR code, error correction level M."""
    out = io.BytesIO()
    segno.make(text, error="m", boost_error=False).save(out, kind="svg", border=0)
    return out.getvalue().decode()


def _line(line: dict[str, str], currency: str) -> dict[str, str]:
    return line | {
        "quantity": formats.number(line["quantity"]),
        "unit_price": formats.amount(line["unit_price"], currency),
        "vat_rate": f"{formats.number(line['vat_rate'])} %",
        "net": formats.amount(line["net"], currency),
    }


def _set(template: str, shown: dict[str, Any]) -> bytes:
    try:
        made = typst.compile(
            str(HERE / template),
            root=str(HERE),
            sys_inputs={"data": json.dumps(shown)},
            pdf_standards=["a-3b"],
            ignore_system_fonts=True,
        )
    except typst.TypstError as error:
        if MISSING not in str(error):
            raise
        raise ConflictError(_("It has a letter that the portal's fonts do not have: %(text)s") % {
            "text": " ".join(re.findall('"([^"]*)"', str(error))[:1])
        }) from error  # fmt: skip
    return bytes(made)
