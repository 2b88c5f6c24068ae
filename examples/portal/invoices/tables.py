"""Tables that go to spreadsheets."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

# A spreadsheet takes comma, semicolon or tab for what separates cells, by its country and not by the file's: what would
# be computed may begin behind each, and behind quotes and spaces. The last four are wide forms.
BEGINS = re.compile("(^|[;,|])([\\s\"'\xa0]*)(?=[-=+@|%\uff1d\uff0b\uff0d\uff20])")
CONTROL = re.compile("[\x00-\x1f\x7f\u2028\u2029]")


def formula_safe(text: str) -> str:
    """What a spreadsheet would compute begins with an apostrophe, by which it is text, and a cell is one line."""
    return BEGINS.sub(r"\1\2'", CONTROL.sub(" ", text))


def lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The table as text, a line at a time. It begins with the mark by which Excel reads UTF-8."""
    written: list[str] = ["\ufeff"]
    writer = csv.writer(_Into(written))
    for row in rows:
        writer.writerow([formula_safe(str(cell)) for cell in row])
        yield "".join(written)
        written.clear()


class _Into:
    def __init__(self, written: list[str]) -> None:
        self._written = written

    def write(self, text: str) -> None:
        self._written.append(text)
