"""Lies that can be told with one good file, and the name under which each is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dualseal_second import note, vault

Edit = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Lie:
    """What is shown for which document, what the verifier asks for besides, and what he says."""

    what: str
    file: dict[str, Any]
    document: bytes
    refused: str
    reason: str | None = None
    asked: dict[str, Any] = field(default_factory=dict)


def another_digit(text: str, place: int) -> str:
    return text[:place] + ("1" if text[place] == "0" else "0") + text[place + 1 :]


def put(path: str, value: Any) -> Edit:
    def edit(file: dict[str, Any]) -> None:
        *parents, last = path.split("/")
        at: Any = file
        for name in parents:
            at = at[name]
        at[last] = value(at[last]) if callable(value) else value

    return edit


def on_note(change: Callable[[note.Note], note.Note]) -> Edit:
    return put("note", lambda text: change(note.parse(text)).text())


def with_line(kind: bytes, place: int) -> Edit:
    """A wrong byte in the first line of that kind."""

    def change(signed: note.Note) -> note.Note:
        lines = list(signed.lines)
        at = next(index for index, line in enumerate(lines) if (len(line.signature) == 64) == (kind == note.LOG))
        raw = bytearray(lines[at].signature)
        raw[place] ^= 1
        lines[at] = note.Line(lines[at].name, lines[at].key_id, bytes(raw))
        return note.Note(signed.origin, signed.size, signed.root, tuple(lines))

    return on_note(change)


def renamed(signed: note.Note) -> note.Note:
    """The line of the log under another name."""
    lines = tuple(note.Line(f"x{line.name}", line.key_id, line.signature) for line in signed.lines)
    return note.Note(signed.origin, signed.size, signed.root, lines)


# Which check of a record fails over another document, and which under another signature.
REASONS = {
    "potpis": ("content", "signature"),
    "pecat": ("signature", "signature"),
    "trezor": ("L0", "L5"),
    "kvorum": ("signature", "signature"),
    "brisanje": ("L0", "L5"),
}
ZEROS = "0" * 64

EDITS: list[tuple[str, Edit, str]] = [
    # Another log, under another name, signer, key or domain.
    ("another origin", put("checkpoint/origin", "log.example/another"), "evidence-log"),
    ("another signer of the log", put("checkpoint/identity_id", ZEROS), "evidence-log"),
    ("another key of the log", put("checkpoint/javni_kljuc", lambda text: another_digit(text, 0)), "evidence-log"),
    ("another domain", put("domena", "ANOTHER"), "evidence-log"),
    # What the log's signer did not sign.
    ("a greater size", put("checkpoint/size", lambda size: size + 1), "evidence-checkpoint"),
    ("another root", put("checkpoint/root", ZEROS), "evidence-checkpoint"),
    ("another top", put("checkpoint/top", 2 * ZEROS), "evidence-checkpoint"),
    ("another ring root", put("checkpoint/ring/root", ZEROS), "evidence-checkpoint"),
    ("an older revision", put("checkpoint/ring/revision", lambda number: number - 1), "evidence-checkpoint"),
    ("a later time", put("checkpoint/time", "2027-01-01T00:00:00.000Z"), "evidence-checkpoint"),
    ("no key of notes", put("checkpoint/nota", None), "evidence-checkpoint"),
    ("another signature", put("checkpoint/potpis", lambda text: another_digit(text, 0)), "evidence-checkpoint"),
    # The note.
    ("a note of another size", on_note(lambda n: note.Note(n.origin, n.size + 1, n.root, n.lines)), "evidence-note"),
    ("a note of another root", on_note(lambda n: note.Note(n.origin, n.size, ZEROS, n.lines)), "evidence-note"),
    ("a note of another log", on_note(lambda n: note.Note("another", n.size, n.root, n.lines)), "evidence-note"),
    ("a note that others signed", on_note(renamed), "note-unsigned"),
    ("a note that the log did not sign", with_line(note.LOG, 5), "note-signature"),
    # The place.
    ("a seq beyond", put("entry/seq", lambda seq: seq + 1000), "place-beyond"),
    ("a cut path", put("path", lambda path: path[:-1]), "path-length"),
    ("a longer path", put("path", lambda path: [*path, ZEROS]), "path-length"),
    ("another path", put("path", lambda path: [ZEROS, *path[1:]]), "path-elsewhere"),
    ("an edited hash", put("entry/h", lambda text: another_digit(text, 3)), "chain-hash"),
    ("an edited predecessor", put("entry/prev", lambda text: another_digit(text, 3)), "chain-hash"),
    ("an edited identity", put("entry/w3", lambda text: another_digit(text, 3)), "chain-hash"),
    ("an edited message", put("entry/poruka", lambda text: text + " "), "chain-hash"),
    ("an edited time", put("entry/t", "2026-11-21T09:59:00.000Z"), "path-elsewhere"),
    # The ring's entry.
    ("a cut path of the ring", put("ring/path", lambda path: path[1:]), "evidence-ring-place"),
    ("a seq of the ring beyond", put("ring/entry/seq", lambda seq: seq + 1000), "evidence-ring-place"),
    ("an edited entry of the ring", put("ring/entry/poruka", lambda text: text + " "), "evidence-ring-place"),
    ("an edited time of the ring", put("ring/entry/t", "2026-11-21T09:59:00.000Z"), "evidence-ring-place"),
    # The key.
    ("an edited salt", put("key/leaf/salt", lambda text: another_digit(text, 0)), "key-path"),
    ("an edited time of the key", put("key/leaf/generirano", "2026-11-21T09:59:00.000Z"), "key-path"),
    ("a key of another", put("key/leaf/identity_id", ZEROS), "key-path"),
    ("another key", put("key/leaf/javni_kljuc", ZEROS), "key-path"),
    ("a ring of more keys", put("key/size", lambda size: size + 1), "key-path"),
    ("a ring of no key", put("key/size", 0), "key-path"),
    ("another place in the ring", put("key/seq", lambda seq: seq + 1), "key-path"),
    ("a longer path of the key", put("key/path", lambda path: [*path, ZEROS]), "key-path"),
]


def leaf_edits(leaf: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of the state, its history and the date of a compromise."""
    first, last = leaf["povijest"][0][0], leaf["povijest"][-1][0]
    never = {"bela_stanje": "istina", "opozvan_od": None, "povijest": [[first, "istina"]]}
    if leaf["bela_stanje"] != "istina":
        yield "a key that was never touched", never
    if leaf["bela_stanje"] != "nijedno":
        yield "a suspended key", {"bela_stanje": "nijedno", "povijest": [*leaf["povijest"], [last + 1, "nijedno"]]}
    if leaf["opozvan_od"] is None:
        revoked = {"bela_stanje": "laz", "opozvan_od": first, "povijest": [*leaf["povijest"], [last + 1, "laz"]]}
        yield "a revoked key", revoked
    else:
        moved = leaf["opozvan_od"] - 1 if leaf["opozvan_od"] else 1
        yield "another date of the compromise", {"opozvan_od": moved}


def lies(file: dict[str, Any], document: bytes) -> Iterator[Lie]:
    """Of a file that is good for the document, with a note, two witnesses or more, and a path of two hashes or more."""
    kind = file["vrsta"]

    def edited(edit: Edit) -> dict[str, Any]:
        copied = copy.deepcopy(file)
        edit(copied)
        return copied

    yield Lie("another document", file, document + b" ", "evidence-record", REASONS[kind][0])
    for what, edit, refused in EDITS:
        yield Lie(what, edited(edit), document, refused)
    for what, changes in leaf_edits(file["key"]["leaf"]):
        yield Lie(what, edited(put("key/leaf", lambda leaf, changes=changes: leaf | changes)), document, "key-path")
    size = file["checkpoint"]["size"]
    asked = {"fingerprint": "7" * 64}
    yield Lie("a log that nobody asked for", file, document, "evidence-log", asked=asked)
    yield Lie("an old checkpoint", file, document, "evidence-old", asked={"least_size": size + 1})
    yield Lie("a key of the log from before", file, document, "evidence-late", asked={"log_until": size - 1})
    late = {"after": "2027-01-01T00:00:00.000Z"}
    yield Lie("an old note", file, document, "not-witnessed-after", asked={"needed": 2} | late)
    nobody = {"needed": 0, "after": "2026-01-01T00:00:00.000Z"}
    yield Lie("a time that nobody gave", file, document, "not-witnessed-after", asked=nobody)
    none = edited(put("note", None))
    yield Lie("no note", none, document, "too-few-witnesses", asked={"needed": 1})
    for place in (0, 40):
        wrong = edited(with_line(note.WITNESS, place))
        yield Lie("what a witness did not say", wrong, document, "witness-signature", asked={"needed": 1})
    yield Lie("another signer", file, document, "evidence-signer", asked={"signer": ("identity", ZEROS)})
    yield Lie("another key of the signer", file, document, "evidence-signer", asked={"signer": ("key", ZEROS)})
    yield from of_the_record(file, document, edited)


def of_the_record(file: dict[str, Any], document: bytes, edited: Callable[[Edit], dict[str, Any]]) -> Iterator[Lie]:
    kind = file["vrsta"]

    def another(text: str) -> str:
        return another_digit(text, len(text) // 2)

    if kind in ("trezor", "brisanje"):
        key, signer, signed = "javni_kljuc", "record/sealed/header/identity_id", "record/L5"
    else:
        key, signer = "record/javni_kljuc", "record/identity_id"
        signed = {"pecat": "record/seal", "kvorum": "record/result/potpis"}.get(kind, "record/potpis")
    yield Lie("a record by another key", edited(put(key, another)), document, "key-other")
    yield Lie("a record of another", edited(put(signer, ZEROS)), document, "key-other")
    yield Lie("an edited signature", edited(put(signed, another)), document, "evidence-record", REASONS[kind][1])
    if kind == "potpis":
        for name in ("krunica_hash", "timestamp"):
            value = ZEROS if name == "krunica_hash" else "2026-11-21T09:59:00.000Z"
            yield Lie(f"another {name}", edited(put(f"record/{name}", value)), document, "evidence-record", "signature")
    if kind == "kvorum":
        another_session = edited(put("record/session_id", ZEROS))
        yield Lie("another session", another_session, document, "evidence-record", "signature")
    if kind in ("trezor", "brisanje"):
        for name in ("L6", "krunica_hash"):
            wrong = edited(put(f"record/{name}", ZEROS))
            yield Lie(f"another {name}", wrong, document, "evidence-record", "L6")
        wrong = edited(put("record/L8/t", "2026-11-21T09:59:00.000Z"))
        yield Lie("another L8", wrong, document, "evidence-record", "L8")
        wrong = edited(put("record/sealed/layers/L3/baseline", ZEROS))
        yield Lie("another baseline", wrong, document, "evidence-record", "L3")


def malformed(file: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What has not the form, or not the verifier's domain."""
    for name in sorted(file):
        yield f"no {name}", {member: value for member, value in file.items() if member != name}
    others: list[tuple[str, Any]] = [
        ("verzija", "2"), ("verzija", 1), ("vrsta", "record"), ("vrsta", None), ("ring", None), ("domena", "a:b"),
        ("domena", ""), ("domena", None), ("note", ""), ("path", None), ("path", ["00"]), ("path", [None]),
        ("key", None), ("record", None), ("record", {}), ("entry", None), ("checkpoint", {}),
    ]  # fmt: skip
    for name, value in others:
        yield f"{name} {value!r}", file | {name: value}
    for kind in ("potpis", "pecat", "trezor", "kvorum", "brisanje"):
        if kind != file["vrsta"]:
            yield f"vrsta {kind}", file | {"vrsta": kind}
    yield "a member more", file | {"more": 1}
    key = file["checkpoint"]["javni_kljuc"] if file["javni_kljuc"] is None else None
    yield "javni_kljuc", file | {"javni_kljuc": key}
    yield "a state that strangers do not see", file | {
        "key": file["key"] | {"leaf": file["key"]["leaf"] | {"bela_stanje": "oboje"}}
    }
    if file["vrsta"] in ("trezor", "brisanje"):
        assert file["record"] == vault.redacted(file["record"])
        yield "a fragment", file | {"record": file["record"] | {"L7": {"fragment": ZEROS}}}
