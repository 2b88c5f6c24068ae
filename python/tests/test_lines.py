"""JSON lines: the form of a chain in a file."""

from __future__ import annotations

import json

import pytest
from dualseal import Checker, Domain, JsonLines, Krunica, MalformedError, MisuseError, RejectedError

from conftest import minute


@pytest.fixture
def chain(domain: Domain) -> Krunica:
    chain = Krunica()
    for number in range(4):
        chain.append(domain, "a" * 64, f"step {number}\n€", minute(number))
    return chain


def test_a_chain_as_lines(chain: Krunica) -> None:
    text = chain.to_json_lines()
    assert [json.loads(line) for line in text.splitlines()] == chain.to_list()
    assert text == "".join(entry.to_json_line() for entry in chain)
    for form in (text, text.encode(), bytearray(text.encode())):
        again = Krunica.from_json_lines(form)
        assert (again.head, again.to_json_lines()) == (chain.head, text)
    assert Krunica().to_json_lines() == ""
    assert len(Krunica.from_json_lines(b"")) == 0


def test_what_is_wrong_with_lines(chain: Krunica) -> None:
    lines = chain.to_json_lines().splitlines(keepends=True)
    cases = [("".join(lines)[:-1], 112, 3), (lines[0] + "\n" + lines[1], 112, 1), ("\n", 112, 0)]
    for text, code, index in cases:
        with pytest.raises(MalformedError) as caught:
            Krunica.from_json_lines(text)
        assert (caught.value.field, caught.value.code, caught.value.index) == ("line", code, index)
    with pytest.raises(RejectedError) as rejected:
        Krunica.from_json_lines(lines[0] + lines[2])
    assert (rejected.value.code, rejected.value.index) == (201, 1)


def test_a_stream_of_parts(chain: Krunica) -> None:
    data = chain.to_json_lines().encode()
    for length in (1, 7, 400, len(data)):
        lines, checker = JsonLines(), Checker()
        for start in range(0, len(data), length):
            for line in lines.push(bytearray(data[start : start + length])):
                checker.push_json(line)
        lines.finish()
        assert checker.head == chain.head


def test_a_stream_that_ends_within_a_line() -> None:
    lines = JsonLines()
    assert lines.push(b"{}\n{") == [b"{}"]
    with pytest.raises(MalformedError) as caught:
        lines.finish()
    assert (caught.value.code, caught.value.index) == (112, 1)
    for call in (lines.finish, lambda: lines.push(b"}\n")):
        with pytest.raises(MisuseError) as ended:
            call()
        assert ended.value.code == 321


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    lines = JsonLines(longest=8)
    assert lines.push(b"12345678\n1234") == [b"12345678"]
    with pytest.raises(MalformedError) as caught:
        lines.push(b"56789")
    assert (caught.value.field, caught.value.code, caught.value.index) == ("line", 106, 1)
