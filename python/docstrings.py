"""Writes the docstrings of the type stubs: those that the built module has, which are the Rust sources' comments.

``cargo xtask generate`` runs it with the wheel installed, and a test of the wheel fails where it would change a stub.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STUBS = Path(__file__).parent / "python/dualseal"
WIDTH = 120
Stub = ast.ClassDef | ast.FunctionDef


class Undocumented(Exception):
    """A public name says nothing of itself."""


def documented(path: Path) -> str:
    """The stub with the docstrings of what it declares."""
    source = path.read_text(encoding="utf-8")
    name = "dualseal" if path.stem == "__init__" else f"dualseal.{path.stem}"
    lines = source.splitlines()
    for node, documentation in reversed(list(_documented(ast.parse(source), importlib.import_module(name), name))):
        _write(lines, node, documentation)
    return "\n".join(lines) + "\n"


def _documented(tree: ast.Module | ast.ClassDef, owner: Any, name: str) -> Iterator[tuple[Stub, str]]:
    """Every class, function and member of it with what it says, in the order of the stub."""
    overloaded = ""
    for node in tree.body:
        if not isinstance(node, Stub) or node.name.startswith("_"):
            continue
        found = inspect.getattr_static(owner, node.name)
        # A static method of the module says of itself what staticmethod is.
        says = found.__func__ if isinstance(found, staticmethod) else found
        documentation = inspect.cleandoc(says.__doc__ or "")
        if not documentation:
            raise Undocumented(f"{name}.{node.name}")
        # Of several forms the first has it.
        if node.name != overloaded:
            yield node, documentation
        overloaded = node.name
        if isinstance(node, ast.ClassDef):
            yield from _documented(node, found, f"{name}.{node.name}")


def _write(lines: list[str], node: Stub, documentation: str) -> None:
    first = node.body[0]
    indent = " " * (node.col_offset + 4)
    text = _docstring(documentation, indent)
    value = first.value.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else None
    if isinstance(value, str):
        lines[first.lineno - 1 : first.end_lineno] = text
    elif value is ...:
        lines[first.lineno - 1 : first.end_lineno] = [lines[first.lineno - 1][: first.col_offset].rstrip(), *text]
    else:
        decorators = getattr(first, "decorator_list", [])
        above = min([first.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        lines[above:above] = text


def _docstring(documentation: str, indent: str) -> list[str]:
    """Its lines, filled to the width; what is indented, a list or a table stays as it is."""
    begin = indent + ('r"""' if "\\" in documentation else '"""')
    filled: list[str] = []
    for part in re.split(r"\n\s*\n", documentation):
        if filled:
            filled.append("")
        if re.search(r"^(\s|[-*|] )", part, re.MULTILINE):
            filled += [(indent if filled else begin) + line for line in part.splitlines()]
            continue
        filled += textwrap.wrap(
            " ".join(part.split()),
            WIDTH,
            initial_indent=indent if filled else begin,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    fits = len(filled) == 1 and len(filled[0]) + 3 <= WIDTH and not filled[0].endswith('"')
    return [filled[0] + '"""'] if fits else [*filled, indent + '"""']


def main() -> None:
    """Every stub of the package."""
    for path in sorted(STUBS.glob("*.pyi")):
        path.write_text(documented(path), encoding="utf-8")


if __name__ == "__main__":
    main()
