"""Signed notes, cosignatures and proofs for other programs."""

from __future__ import annotations

import pytest
from dualseal_second import note, tree
from dualseal_second.encodings import FormatError, Refused
from evidence_log import drawn

NAME = "log.example/notes"
LOG, WITNESS = drawn("the log of notes"), drawn("a witness of notes")
LEAVES = [b"%d" % number for number in range(7)]
ROOT = tree.root(LEAVES).hex()


def signed() -> note.Note:
    return note.sign(NAME, len(LEAVES), ROOT, LOG)


def refusal(run: object, *arguments: object) -> str:
    assert callable(run)
    with pytest.raises(Refused) as refused:
        run(*arguments)
    return refused.value.name


def test_a_note_is_read_as_it_is_written() -> None:
    made = note.cosign(signed(), "witness.example", WITNESS, 1795255200)
    text = made.text()
    assert note.parse(text) == made
    assert text.startswith(f"{NAME}\n7\n") and text.count("\n\n\u2014 ") == 1 and text.endswith("\n")
    note.check_signed(made, note.public_of(LOG))
    keys = [note.Key("witness.example", note.public_of(WITNESS), note.WITNESS)]
    assert note.witnessed(made, keys, 1)[0] == "2026-11-21T10:00:00.000Z"


def test_other_spellings_are_refused() -> None:
    text = signed().text()
    line = text.split("\n")[4]
    for other in (
        text[:-1], text + "\n", text + "\n\n", "\n" + text,
        text.replace("\n7\n", "\n07\n"), text.replace("\n7\n", "\n+7\n"),
        text.replace("\n7\n", "\n9007199254740992\n"), text.replace("\n\n", "\n"), text.replace("\n\n", "\nmore\n\n"),
        text.replace("=\n\n", "\n\n"), text.replace("\u2014", "-"), text.replace("\u2014 ", "\u2014"), text + text,
        text.replace(f"{line}\n", ""), text + f"{line}\n" * 64, text + "\u2014 witness.example AAAA\n",
        text.replace(NAME, ""), text.replace(NAME, "log+example"), text.replace(NAME, "log example"),
        text.replace(NAME, "log\u00a0example"), text.replace(NAME, "log\texample"), text.replace("\n", "\r\n"),
    ):  # fmt: skip
        with pytest.raises(FormatError):
            note.parse(other)
            pytest.fail(repr(other))
    assert len(note.parse(text + f"{line}\n" * 63).lines) == 64


def test_the_logs_own_line() -> None:
    key = note.public_of(LOG)
    made = signed()
    assert refusal(note.check_signed, made, note.public_of(WITNESS)) == "note-unsigned"
    unsigned = note.Note(NAME, 7, ROOT, (note.Line("another", made.lines[0].key_id, made.lines[0].signature),))
    assert refusal(note.check_signed, unsigned, key) == "note-unsigned"
    grown = note.Note(NAME, 8, ROOT, made.lines)
    assert refusal(note.check_signed, grown, key) == "note-signature"
    # Each line of the log's has to hold, and those of others are passed over.
    both = note.Note(NAME, 7, ROOT, (*made.lines, note.Line(NAME, made.lines[0].key_id, b"another")))
    assert refusal(note.check_signed, both, key) == "note-signature"
    others = note.Note(NAME, 7, ROOT, (note.Line(NAME, b"abcd", b"another"), *made.lines))
    note.check_signed(others, key)


def test_cosignatures_that_do_not_hold() -> None:
    key = note.Key("witness.example", note.public_of(WITNESS), note.WITNESS)
    good = note.cosign(signed(), key.name, WITNESS, 1795255200)
    for number in (0, 7, 8, 71):
        raw = bytearray(good.lines[1].signature)
        raw[number] ^= 1
        bad = note.Note(NAME, 7, ROOT, (note.Line(key.name, key.id(), bytes(raw)),))
        assert refusal(note.witnessed, bad, [key], 1) == "witness-signature"
    # At no time, at one that no timestamp has, and of another length.
    for seconds in (0, 253402300800, 2**64 - 1):
        never = note.cosign(signed(), key.name, WITNESS, seconds)
        assert refusal(note.witnessed, never, [key], 1) == "witness-signature"
    short = note.Note(NAME, 7, ROOT, (note.Line(key.name, key.id(), b"short"),))
    assert refusal(note.witnessed, short, [key], 1) == "witness-signature"
    # A key of another kind is nobody's.
    log_key = note.Key(NAME, note.public_of(LOG), note.WITNESS)
    assert refusal(note.witnessed, signed(), [log_key], 1) == "too-few-witnesses"


def test_a_proof_for_other_programs() -> None:
    key = note.public_of(LOG)
    for index, leaf in enumerate(LEAVES):
        for extra in (None, b"", b"the entry"):
            text = note.make_proof(signed(), index, tree.path(LEAVES, index), extra)
            assert note.check_proof(text, key, leaf) == index
            assert note.parse_proof(text)[3] == extra
            assert refusal(note.check_proof, text, key, b"another") == "note-no-place"
        path = tree.path(LEAVES, index)
        for wrong in (path[1:], [*path, path[0]], [bytes(32), *path[1:]]):
            text = note.make_proof(signed(), index, wrong)
            assert refusal(note.check_proof, text, key, leaf) == "note-no-place"
        text = note.make_proof(signed(), index + 7, path)
        assert refusal(note.check_proof, text, key, leaf) == "note-no-place"
    good = note.make_proof(signed(), 3, tree.path(LEAVES, 3), b"x")
    assert refusal(note.check_proof, good, note.public_of(WITNESS), LEAVES[3]) == "note-unsigned"
    for other in (
        good.replace("@v1", "@v2"), good.replace("index 3", "index 03"), good.replace("index 3\n", ""),
        good.replace("extra eA==", "extra eA"), good.replace("extra eA==\n", "").replace("index 3", "extra eA=="),
        good.replace("\n\n", "\n", 1), good[1:], good.replace("index 3\n", "index 3\nAAAA\n"),
        good.replace("index 3\n", "index 3\n" + f"{note.encoded(bytes(32))}\n" * 64),
    ):  # fmt: skip
        with pytest.raises(FormatError):
            note.check_proof(other, key, LEAVES[3])
            pytest.fail(repr(other))
