"""Cells of tables that go to spreadsheets."""

from __future__ import annotations


def formula_safe(text: str) -> str:
    """What a spreadsheet would compute begins with an apostrophe, by which it is text."""
    begins = text.lstrip()[:1] or text[:1]
    return "'" + text if begins and begins in "=+-@|%\t\r\n" else text
