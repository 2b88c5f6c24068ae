"""Encodings (FORMAT.md section 3): hexadecimal, timestamps, short text, strict JSON and its RFC 8785 form."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32
TIMESTAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z")
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


class FormatError(ValueError):
    """The bytes are not of the format."""


class Refused(ValueError):
    """The bytes are of the format and do not hold. `name` is what the page calls the fault; `reason` is the check of a
    record that failed."""

    def __init__(self, name: str, reason: str | None = None) -> None:
        super().__init__(name if reason is None else f"{name}: {reason}")
        self.name, self.reason = name, reason


def hex_text(value: object, length: int, name: str) -> str:
    """A string of exactly `length` lowercase hex characters."""
    if not isinstance(value, str) or len(value) != length or not set(value) <= set("0123456789abcdef"):
        raise FormatError(f"{name}: not {length} lowercase hex characters")
    return value


def integer(value: object, name: str, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= MAX_INTEGER:
        raise FormatError(f"{name}: not an integer from {least} to 2^53-1")
    return value


def timestamp(value: object, name: str) -> str:
    """The one form of a time; the date must exist."""
    match = TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise FormatError(f"{name}: not a timestamp")
    fields = [int(group) for group in match.groups()]
    try:
        datetime.datetime(*fields)  # type: ignore[arg-type]
    except ValueError as error:
        raise FormatError(f"{name}: {error}") from None
    if fields[0] < 1970:
        raise FormatError(f"{name}: before 1970")
    assert isinstance(value, str)
    return value


def short_text(value: object, name: str) -> str:
    """The rule for `creator` and `context`: under it a preimage can be read from the right in one way only."""
    text = utf8(value, name)
    if "::" in text or text.startswith(":"):
        raise FormatError(f"{name}: contains '::' or begins with ':'")
    return text


def origin(value: object, name: str) -> str:
    text = short_text(value, name)
    if not 1 <= len(text.encode()) <= 255:
        raise FormatError(f"{name}: not 1 to 255 bytes")
    if any(c < "\x20" or "\x7f" <= c <= "\x9f" for c in text):
        raise FormatError(f"{name}: holds a control character")
    return text


def utf8(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise FormatError(f"{name}: not a string")
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise FormatError(f"{name}: a lone surrogate")
    return value


def members(value: object, names: set[str], what: str) -> dict[str, Any]:
    """An object with exactly these members."""
    if not isinstance(value, dict):
        raise FormatError(f"{what}: not an object")
    if value.keys() != names:
        differing = ", ".join(sorted(value.keys() ^ names))
        raise FormatError(f"{what}: unknown or missing members: {differing}")
    return value


def parse(data: bytes) -> Any:
    """Strict JSON."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8: {error.reason}") from None
    if text.startswith("\ufeff"):
        raise FormatError("a byte order mark")
    check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=unique_members,
            parse_int=parse_integer,
            parse_float=refuse("a fraction or an exponent"),
            parse_constant=refuse("not a JSON number"),
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error}") from None
    check_strings(value)
    return value


def check_depth(text: str) -> None:
    """Before the recursive parser sees it, so that depth is a refusal and never a stack overflow."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text, re.DOTALL):
        if token[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise FormatError(f"nested deeper than {MAX_DEPTH}")
        elif token[0] in "]}":
            depth -= 1


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise FormatError("a member occurs twice")
    return result


def parse_integer(literal: str) -> int:
    if literal == "-0" or len(literal) > 17 or not literal.isascii():
        raise FormatError("an integer that is not canonical or out of range")
    value = int(literal)
    if abs(value) > MAX_INTEGER:
        raise FormatError("an integer out of range")
    return value


def refuse(reason: str) -> Callable[[str], NoReturn]:
    def hook(_literal: str) -> NoReturn:
        raise FormatError(reason)

    return hook


def check_strings(value: Any) -> None:
    if isinstance(value, str):
        utf8(value, "JSON string")
    elif isinstance(value, list):
        for item in value:
            check_strings(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            utf8(name, "JSON member name")
            check_strings(item)


def canonical(value: Any) -> bytes:
    """RFC 8785 over strings, integers, booleans, null, arrays and objects."""
    return write(value, 0).encode("utf-8")


def write(value: Any, depth: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise FormatError("an integer out of range")
        return str(value)
    if isinstance(value, str):
        return quote(utf8(value, "JSON string"))
    if depth == MAX_DEPTH:
        raise FormatError(f"nested deeper than {MAX_DEPTH}")
    if isinstance(value, list):
        return "[" + ",".join(write(item, depth + 1) for item in value) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: utf8(name, "JSON member name").encode("utf-16-be"))
        return "{" + ",".join(f"{quote(name)}:{write(value[name], depth + 1)}" for name in names) + "}"
    raise FormatError(f"not a JSON value of the format: {type(value).__name__}")


def quote(text: str) -> str:
    return '"' + "".join(ESCAPES.get(c, c if c >= "\x20" else f"\\u{ord(c):04x}") for c in text) + '"'
