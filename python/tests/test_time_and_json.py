"""Moments in every accepted form, and dictionaries as strict JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from enum import IntEnum, StrEnum
from typing import Any

import dualseal
import pytest
from dualseal import Domain, Ed25519SigningKey, Head, MalformedError, NodeShards, Statement

NINE = 1_795_251_600_000


def wire(domain: Domain, timestamp: Any) -> str:
    return Head.EMPTY.append(domain, "0" * 64, "m", timestamp)[0].time


def test_one_moment_in_every_form(domain: Domain) -> None:
    text = "2026-11-21T09:00:00.000Z"
    plus_five = timezone(timedelta(hours=5, minutes=30))
    forms = [
        text,
        NINE,
        datetime(2026, 11, 21, 9, tzinfo=timezone.utc),
        datetime(2026, 11, 21, 14, 30, tzinfo=plus_five),
    ]
    for form in forms:
        assert wire(domain, form) == text
        if isinstance(form, datetime):
            assert wire(domain, form.isoformat()) == text
    for written in ("2026-11-21T09:00:00Z", "2026-11-21 14:30:00.000999+05:30", "20261121T090000+0000"):
        assert wire(domain, written) == text


def test_a_datetime_is_cut_to_milliseconds(domain: Domain) -> None:
    last = datetime(2026, 11, 21, 9, 0, 0, 999_999, tzinfo=timezone.utc)
    assert wire(domain, last) == "2026-11-21T09:00:00.999Z"
    assert wire(domain, datetime.max.replace(tzinfo=timezone.utc)) == "9999-12-31T23:59:59.999Z"
    assert wire(domain, 10**11) == "1973-03-03T09:46:40.000Z"


@pytest.mark.parametrize(
    ("timestamp", "code"),
    [
        ("2026-11-21T09:00:00", 105),
        ("2026-11-21", 105),
        ("2026-11-21T09:00:00.000Y", 105),
        ("1969-12-31T23:59:59+00:00", 106),
        ("\ud800", 102),
        (datetime(2026, 11, 21, 9), 105),
        (-1, 106),
        (10**11 - 1, 106),
        (1_795_251_600, 106),  # seconds
        (2**63, 106),
        (253_402_300_800_000, 106),
        (datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc), 106),
    ],
)
def test_moments_that_are_refused(domain: Domain, timestamp: Any, code: int) -> None:
    with pytest.raises(MalformedError) as caught:
        wire(domain, timestamp)
    assert (caught.value.field, caught.value.code) == ("time", code)


def test_a_refusal_says_what_was_wrong(domain: Domain) -> None:
    naive = datetime(2026, 11, 21, 9)
    for given in (naive, naive.isoformat()):
        with pytest.raises(MalformedError, match="time: a naive datetime"):
            wire(domain, given)
    with pytest.raises(MalformedError, match="time: 1795251600 is no number of milliseconds .* seconds"):
        wire(domain, int(NINE / 1000))


def test_a_refusal_names_the_argument(domain: Domain) -> None:
    login, key = Statement.login("ana", "0" * 64, "noble"), Ed25519SigningKey.generate()
    given: list[tuple[str, Callable[[Any], object]]] = [
        ("expiry", lambda moment: login.sign(domain, key, nonce="0" * 64, expiry=moment)),
        ("told", lambda moment: NodeShards(None).expire(in_force="0" * 64, told=moment)),
    ]
    for name, call in given:
        for moment in (7, "yesterday", "2026-11-21T09:00:00", datetime(2026, 11, 21, 9)):
            with pytest.raises(MalformedError, match=f"^{name}: ") as caught:
                call(moment)
            assert caught.value.field == name
        with pytest.raises(TypeError, match=f"^{name}: "):
            call(None)


@pytest.mark.parametrize("timestamp", [None, True, 1.0, b"2026-11-21T09:00:00.000Z"])
def test_what_is_no_moment_is_a_type_error(domain: Domain, timestamp: Any) -> None:
    with pytest.raises(TypeError, match="aware datetime"):
        wire(domain, timestamp)


class Colour(StrEnum):
    RED = "red"


class Count(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("document", "canonical"),
    [
        ({}, b"{}"),
        ([], b"[]"),
        ({"b": [1, True, None, False], "a": "\u20ac\n"}, '{"a":"€\\n","b":[1,true,null,false]}'.encode()),
        ({"\ufb33": 2, "\U0001f600": 1}, '{"\U0001f600":1,"\ufb33":2}'.encode()),
        ({"n": 2**53 - 1, "m": -(2**53 - 1)}, b'{"m":-9007199254740991,"n":9007199254740991}'),
        ({Colour.RED: Count.ONE}, b'{"red":1}'),
        ('{ "b" : 1, "a": [ ] }', b'{"a":[],"b":1}'),
        (bytearray(b' "text" '), b'"text"'),
        ("3", b"3"),
    ],
)
def test_canonical_json(document: Any, canonical: bytes) -> None:
    assert dualseal.canonical_json(document) == canonical


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["again"] = [value]
    return value


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"a": 1.0}, 114),
        ({"a": float("nan")}, 114),
        ({"a": 2**53}, 114),
        ({"a": -(2**53)}, 114),
        ({"a": 10**40}, 114),
        ({"a": "\ud800"}, 115),
        ({"\udfff": 1}, 115),
        ({1: "a"}, 111),
        ({None: "a"}, 111),
        ({"a": (1, 2)}, 111),
        ({"a": b"bytes"}, 111),
        ({"a": {1, 2}}, 111),
        (nested(33), 113),
        (cyclic(), 113),
        ("\ud800", 102),
        ("", 112),
        ('{"a":1,"a":2}', 110),
        ('{"a":1.0}', 114),
        ('"\\ud800"', 115),
        (b"\xef\xbb\xbf{}", 116),
        (b"\xff", 102),
    ],
)
def test_documents_that_are_refused(document: Any, code: int) -> None:
    with pytest.raises(MalformedError) as caught:
        dualseal.canonical_json(document)
    assert (caught.value.field, caught.value.code) == ("json", code)


def test_the_deepest_document() -> None:
    assert dualseal.canonical_json(nested(32)) == b"[" * 32 + b"]" * 32


@pytest.mark.parametrize("document", [None, 5, 1.5, True, (1,), {1}])
def test_other_documents_are_type_errors(document: Any) -> None:
    with pytest.raises(TypeError, match="expected JSON"):
        dualseal.canonical_json(document)
