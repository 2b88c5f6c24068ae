"""What people write into every field: it is markup on no page and a formula in no table."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import sent
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from invoices.services import delivery
from invoices.tables import formula_safe, lines
from pos.models import Category, Product, Terminal

MARKUP = ["<script>alert(1)</script>", "'\"><img src=x onerror=alert(1)>", "{{ 7*7 }}{% now 'Y' %}", "#eval(1)[*b*]"]
FORMULAS = ["=1+1", "@SUM(1)", "+1", "-1", "x;=1+1", "x,=1+1", 'x;"=1+1"', "x\t=1+1", " =1", "|x", "＝1+1"]
COMPUTED = tuple("=+-@|%＝＋－＠")


def cells(text: str) -> list[str]:
    """Every cell as some spreadsheet may have it: by any separator, quoted or not."""
    found = []
    for separator in ",;\t":
        found += [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]
    return [*found, *re.split("[,;\t\r\n]", text)]


def calm(text: str) -> bool:
    return not any(cell.strip(" \"\xa0\ufeff").startswith(COMPUTED) for cell in cells(text))


@given(st.lists(st.lists(st.text('=+-@|%,;"\'\t\r\n x\xa0\u2028', max_size=12), min_size=1, max_size=3), max_size=3))
def test_no_cell_is_computed(rows: list[list[str]]) -> None:
    text = "".join(lines(rows))
    assert calm(text), text
    assert [len(row) for row in csv.reader(text.removeprefix("\ufeff").splitlines())] == [len(row) for row in rows]


@pytest.mark.parametrize("text", FORMULAS)
def test_what_would_be_computed_is_text(text: str) -> None:
    assert calm(formula_safe(text)) and not calm(text)
    assert formula_safe("Kavana d.o.o. 1-2 a=b") == "Kavana d.o.o. 1-2 a=b"


@pytest.fixture
def everywhere(issuer: Any, settings: Any, tmp_path: Path) -> Any:
    """A document, an answer and a till whose every text is one."""
    settings.MEDIA_ROOT = tmp_path / "media"

    def made(text: str, kind: str = "PO") -> Any:
        issuer.name, issuer.address, issuer.iban = text, text, text[:34]
        issuer.save()
        category = Category.objects.create(issuer=issuer, name=text)
        Product.objects.create(category=category, name=text, price=1)
        Terminal.objects.create(issuer=issuer, name=text, premises="X", device=1)
        description = [{"description": text, "quantity": 1, "unit_price": 1}]
        fields = {"client_name": text, "client_address": text, "note": text, "number": text[:40]}
        return sent(issuer, kind=kind, lines=description, **fields)

    return made


@pytest.mark.parametrize("text", [*MARKUP, *(text for text in FORMULAS if text.isascii() and text.isprintable())])
@pytest.mark.parametrize("does", ["prihvati", "odbij"])
def test_no_text_is_more_than_text(
    client: Client, everywhere: Any, admin_user: Any, tmp_path: Path, mailoutbox: list[Any], text: str, does: str
) -> None:
    document = everywhere(text)
    url = f"/hr/ponuda/{delivery.token_issue(invoice=document)}/"
    agent = {"User-Agent": text.encode("ascii", "ignore").decode() or "x"}
    assert delivery.outgoing_send() == 1 and text[:40] in mailoutbox[0].body
    pages = [client.get(url, headers=agent)]
    client.post(f"{url}{does}/", {"hash": document.hash, "reason": text}, headers=agent)
    pages += [client.post(f"{url}{does}/", {"hash": document.hash, "reason": ""}), client.get(url)]
    client.force_login(admin_user)
    document.issuer.members.add(admin_user)
    for path in ("hr/izdavatelj/", f"hr/izdavatelj/{document.pk}/", "hr/izdavatelj/novi/", "admin/invoices/invoice/",
                 f"admin/invoices/invoice/{document.pk}/change/", "admin/invoices/issuer/", "admin/pos/product/",
                 "admin/invoices/view/", "admin/invoices/acknowledgement/", "admin/invoices/decline/",
                 "admin/pos/terminal/"):  # fmt: skip
        pages.append(client.get(f"/{path}"))
    for page in pages:
        shown = page.content.decode()
        assert page.status_code in {200, 302, 422} and "<script>alert" not in shown and "<img src=x" not in shown
        assert text not in shown or not set("<>'\"") & set(text)
    table = client.get("/hr/izdavatelj/izvoz.csv").getvalue().decode()
    assert table.startswith("\ufeff") and calm(table) and document.hash in table
    call_command("portal_export", tmp_path / "audit")
    told = (tmp_path / "audit/answers.csv").read_text(encoding="utf-8")
    assert told.startswith("\ufeff") and calm(told) and document.hash in told
    for name in ("dokument.pdf", "potvrda.pdf", "dokazi.zip") if does == "prihvati" else ("dokument.pdf",):
        page = client.get(url + name)
        assert page.status_code == 200 and re.fullmatch(r"[\w .;=\"-]+", page["Content-Disposition"])


@pytest.mark.parametrize("text", ["a\nb", "a\x00b", "a\u202eb", "a\u2028b"])
def test_what_turns_or_ends_a_line_is_no_name(issuer: Any, text: str) -> None:
    for name in ("name", "address", "iban"):
        setattr(issuer, name, text)
        with pytest.raises(ValidationError):
            issuer.full_clean()
        issuer.refresh_from_db()
