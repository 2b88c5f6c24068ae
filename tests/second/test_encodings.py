"""Strict JSON, its canonical form against two oracles, timestamps, short text and domains."""

from __future__ import annotations

import random
from typing import Any

import pytest
import rfc8785
from dualseal_second import encodings
from dualseal_second.domain import DEFAULT, Domain, Row
from dualseal_second.encodings import FormatError, canonical, parse

# RFC 8785 section 3.2.3, without its fractions, and the control and sorting examples of its appendices.
RFC_8785_SORTING = '{"\\u20ac":"Euro Sign","\\r":"Carriage Return",\
"\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",\
"\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}'
RFC_8785_ORDER = [
    "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign", "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
]  # fmt: skip


def test_rfc_8785_sorts_by_utf16_code_units() -> None:
    written = canonical(parse(RFC_8785_SORTING.encode()))
    positions = [written.index(name.encode()) for name in RFC_8785_ORDER]
    assert positions == sorted(positions)
    assert list(parse(written).values()) == RFC_8785_ORDER


def test_rfc_8785_string_example() -> None:
    string = b'"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"'
    value = parse(b'{"string":' + string + b',"literals":[null, true, false]}')
    expected = '{"literals":[null,true,false],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert canonical(value) == expected.encode()


def random_value(random_source: random.Random, depth: int) -> Any:
    kind = random_source.randrange(7 if depth else 5)
    if kind < 3:
        ranges = ((0, 0x20), (0x20, 0x80), (0x80, 0xD800), (0xE000, 0x10000), (0x10000, 0x110000))
        starts = [random_source.choice(ranges) for _ in range(random_source.randrange(6))]
        return "".join(chr(random_source.randrange(*bounds)) for bounds in starts)
    if kind == 3:
        return random_source.choice([None, True, False])
    if kind == 4:
        return random_source.randint(-(2**53) + 1, 2**53 - 1) >> random_source.randrange(53)
    if kind == 5:
        return [random_value(random_source, depth - 1) for _ in range(random_source.randrange(4))]
    members = (str(random_value(random_source, 0)) for _ in range(random_source.randrange(8)))
    return {name: random_value(random_source, depth - 1) for name in members}


def test_canonical_form_equals_the_rfc8785_package_and_reads_back() -> None:
    random_source = random.Random(8785)
    for _ in range(2000):
        value = random_value(random_source, 4)
        written = canonical(value)
        assert written == rfc8785.dumps(value)
        assert parse(written) == value


@pytest.mark.parametrize(
    "text",
    [
        b"-0", b"[-0]", b"1.0", b"1e3", b"01", b"+1", b"9007199254740992", b"-9007199254740992", b"NaN", b"Infinity",
        b"1" * 5000, b'"\\ud800"', b'"\\udc00\\ud800"', b'{"\\ud800":1}', b'"\x01"', b'"\\x"', b'"\xff"',
        b'"\xed\xa0\x80"', b"\xef\xbb\xbf{}", b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"a":{"b":1,"b":1}}',
        b"[1,]", b"{} {}", b"",
        b"[" * 33 + b"]" * 33, b'{"a":' * 33 + b"1" + b"}" * 33, b"[" * 200_000, b"nul", b"'a'", b"\x0b1", b"\xa01",
    ],
)  # fmt: skip
def test_strict_json_refuses(text: bytes) -> None:
    with pytest.raises(FormatError):
        parse(text)


def test_strict_json_accepts_its_bounds() -> None:
    assert parse(b"[" * 32 + b"]" * 32) is not None
    assert parse(b" \t\r\n9007199254740991 ") == 2**53 - 1
    assert parse(b"-9007199254740991") == -(2**53) + 1
    assert parse('"\uffff\\ud83d\\ude00[[[\\"{{"'.encode()) == '\uffff😀[[["{{'
    assert parse(b'"' + b"[" * 1000 + b'"') == "[" * 1000


@pytest.mark.parametrize("value", [1.5, 2**53, {"a": b""}, "\ud800", {"\udfff": 1}, (1,), {1: 2}])
def test_canonical_form_refuses(value: Any) -> None:
    with pytest.raises(FormatError):
        canonical(value)


def test_canonical_form_has_the_same_depth_bound() -> None:
    value: Any = []
    for _ in range(31):
        value = [value]
    assert parse(canonical(value)) == value
    with pytest.raises(FormatError):
        canonical([value])


@pytest.mark.parametrize("text", ["1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2024-02-29T12:00:00.500Z"])
def test_timestamps_accepted(text: str) -> None:
    assert encodings.timestamp(text, "t") == text


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T09:00:00Z", "2026-11-21T09:00:00.0000Z", "2026-11-21T09:00:00.000z", "2026-11-21t09:00:00.000Z",
        "2026-11-21T09:00:00.000+00:00", "2026-11-21 09:00:00.000Z", "2026-11-21T24:00:00.000Z",
        "2026-11-21T09:60:00.000Z", "2026-11-21T09:00:60.000Z", "2026-02-29T09:00:00.000Z", "2026-13-01T09:00:00.000Z",
        "2026-00-01T09:00:00.000Z", "2026-01-00T09:00:00.000Z", "1969-12-31T23:59:59.999Z", "0000-01-01T00:00:00.000Z",
        "20261121T090000.000Z", "2026-11-21T09:00:00.000Z\n", "", "٢٠٢٦-11-21T09:00:00.000Z", 0, None,
    ],
)  # fmt: skip
def test_timestamps_refused(text: object) -> None:
    with pytest.raises(FormatError):
        encodings.timestamp(text, "t")


@pytest.mark.parametrize("text", ["A" * 64, "a" * 63, "a" * 65, "0x" + "a" * 62, "g" * 64, "a" * 63 + "\n", None, 1])
def test_hex_is_lowercase_and_of_the_exact_length(text: object) -> None:
    with pytest.raises(FormatError):
        encodings.hex_text(text, 64, "field")


def test_short_text_rule() -> None:
    for good in ("", "a", "a:", "a:b", "č"):
        assert encodings.short_text(good, "creator") == good
    for bad in ("a::b", ":a", "::", ":", "\ud800"):
        with pytest.raises(FormatError):
            encodings.short_text(bad, "creator")
    assert encodings.origin("x" * 255, "origin") == "x" * 255
    for bad in ("", "x" * 256, "č" * 128, "a\nb", "a\x7f", "a\x85"):
        with pytest.raises(FormatError):
            encodings.origin(bad, "origin")


@pytest.mark.parametrize("name", ["", "abc", "0", "A:B", "A B", "Č", "A\x7f", "a\n"])
def test_domain_names_refused(name: str) -> None:
    with pytest.raises(FormatError):
        Domain.named(name)


def test_domains_keep_uses_apart() -> None:
    rows = dict(DEFAULT.rows)
    shared = rows | {"vault": Row(rows["general"].prefix, "S", rows["vault"].labels)}
    with pytest.raises(FormatError):
        Domain(shared)
    assert Domain(shared, shared_prefixes=True)["vault"].prefix == "DUALSEAL-ID"
    with pytest.raises(FormatError):
        Domain(rows | {"presence": Row("P", "S", rows["presence"].labels | {"ED25519": "rebuild"})})
    with pytest.raises(FormatError):
        Domain(rows | {"signature": Row("P", "S", rows["signature"].labels | {"CONTENT": "X", "STATEMENT": "X"})})
    assert DEFAULT.reserves("DUALSEAL-SHARD::anything")
    assert not DEFAULT.reserves("DUALSEAL-SHARD:anything")
