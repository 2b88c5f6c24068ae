"""Notes, cosignatures and proofs in the forms of the transparency ecosystem, beside another library's Ed25519."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from dualseal import (
    Ed25519SigningKey,
    LogProof,
    MalformedError,
    Note,
    NoteKey,
    NoteKind,
    RejectedError,
    Witnesses,
    leaf_hash,
)

from bundle import (
    Registry,
    cosignature,
    ed25519,
    log_leaf,
    minute,
    note_key_text,
    note_text,
    raw,
    tree_path,
    tree_root,
    witness,
    witness_name,
    witnesses,
)
from conftest import ORIGIN

LOG_KEY = note_key_text(ORIGIN, 1, ed25519(90))


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    registry.fill(5)
    return registry


def test_keys_are_spelled_as_others_spell_them() -> None:
    for kind, byte in ((NoteKind.LOG, 1), (NoteKind.WITNESS, 4)):
        text = note_key_text(ORIGIN, byte, ed25519(90))
        read, made = NoteKey.parse(text), NoteKey(ORIGIN, kind, raw(ed25519(90)).hex())
        assert (read, str(read), str(made)) == (made, text, text)
        assert (read.name, read.kind, read.public_key) == (ORIGIN, kind, raw(ed25519(90)).hex())
        assert read.key_id == text.split("+")[1]
    assert NoteKey(ORIGIN, "log", raw(ed25519(90)).hex()) == NoteKey.parse(LOG_KEY)
    name, key_id, rest = LOG_KEY.split("+", 2)
    for other in (f"{name}+00000000+{rest}", f"{name}+{key_id}", "", LOG_KEY + "=", f"{name} x+{key_id}+{rest}"):
        with pytest.raises(MalformedError) as caught:
            NoteKey.parse(other)
        assert caught.value.field == "note_key"
    for name in ("", "two words", "a+b", "a::b", "x" * 256):
        with pytest.raises(MalformedError):
            NoteKey(name, NoteKind.LOG, raw(ed25519(90)).hex())
    with pytest.raises(MalformedError):
        NoteKey(ORIGIN, "other", raw(ed25519(90)).hex())


def test_a_note_is_the_one_that_another_library_signs(registry: Registry) -> None:
    checkpoint = registry.checkpoint()
    ours = Note.sign(Ed25519SigningKey.from_seed(bytes([90]) * 32), origin=ORIGIN, size=5, root=checkpoint.root)
    theirs = note_text(checkpoint)
    assert str(ours) == theirs and ours == Note.parse(theirs)
    assert (ours.origin, ours.size, ours.root) == (ORIGIN, 5, registry.chain.head.root)
    assert ours.body == f"{ORIGIN}\n5\n{base64.b64encode(bytes.fromhex(ours.root)).decode()}\n"
    [line] = ours.signatures
    assert (line.name, line.key_id) == (ORIGIN, NoteKey.parse(LOG_KEY).key_id)
    ours.verify(LOG_KEY)
    ours.verify(NoteKey.parse(LOG_KEY))
    cosigned = ours.with_signature(
        ours.cosign(witness_name(1), Ed25519SigningKey.from_seed(bytes([91]) * 32), minute(7))
    )
    assert str(cosigned) == theirs + cosignature(ours.body, 1, 7)
    assert cosigned.by(LOG_KEY) == ours
    for log in (note_key_text(ORIGIN, 1, ed25519(89)), note_key_text("other", 1, ed25519(90))):
        with pytest.raises(RejectedError) as caught:
            ours.verify(log)
        assert (caught.value.name, type(caught.value)) == ("note-unsigned", RejectedError)
    altered = Note.parse(theirs.replace("\n5\n", "\n6\n"))
    with pytest.raises(RejectedError) as caught:
        altered.verify(LOG_KEY)
    assert caught.value.name == "note-signature"
    wrong: Any
    for wrong in (7, None, b""):
        with pytest.raises(TypeError):
            ours.verify(wrong)


def test_what_has_another_form_is_refused(registry: Registry) -> None:
    text = note_text(registry.checkpoint(), [(1, 7)])
    for other in (
        "",
        text[:-1],
        text.replace("\n5\n", "\n05\n"),
        text.replace("\n5\n", "\n-5\n"),
        text.replace("\n\n", "\nextension\n\n"),
        text.replace("\n\n", "\n"),
        text.replace("\N{EM DASH}", "-"),
        text + text.splitlines(keepends=True)[-1] * 63,
    ):
        with pytest.raises(MalformedError) as caught:
            Note.parse(other)
        assert caught.value.field == "note"
        assert caught.value.index is not None
    note = Note.parse(text)
    for _ in range(62):
        note = note.with_signature(note.signatures[1])
    with pytest.raises(MalformedError):
        note.with_signature(note.signatures[1])
    key = Ed25519SigningKey.generate()
    with pytest.raises(MalformedError):
        note.cosign("witness", key, 999)


def test_witnesses_are_counted_by_their_keys(registry: Registry) -> None:
    checkpoint = registry.checkpoint()
    note = Note.parse(note_text(checkpoint, [(2, 9), (1, 7), (2, 8), (4, 1)]))
    witnessed = witnesses(2).judge(note)
    assert witnessed.seen == {raw(witness(1)).hex(): minute(7), raw(witness(2)).hex(): minute(8)}
    assert witnessed.time == minute(8)
    assert witnesses(1).judge(note).time == minute(7)
    assert Witnesses([], 0).judge(note).time is None
    with pytest.raises(MalformedError) as unasked:
        witnesses(0)
    assert unasked.value.field == "witnesses"
    assert witnesses(2).judge(note) == witnessed
    with pytest.raises(RejectedError) as caught:
        witnesses(3).judge(note)
    assert (caught.value.name, caught.value.needed, caught.value.found) == ("too-few-witnesses", 3, 2)
    replayed = cosignature(note.body.replace(ORIGIN, "example.org/other"), 1, 7)
    with pytest.raises(RejectedError) as caught:
        witnesses(1).judge(Note.parse(note_text(checkpoint, [(2, 9)]) + replayed))
    assert caught.value.name == "witness-signature"
    # A key under two names is one witness, and a log's key is none.
    twice = [note_key_text(name, 4, witness(1)) for name in ("one", "two")]
    for keys in (twice, [LOG_KEY]):
        with pytest.raises(MalformedError) as malformed:
            Witnesses(keys, 2)
        assert malformed.value.field == "witnesses"
    Witnesses([NoteKey.parse(twice[0])], 1)
    wrong: Any
    for wrong in ([7], 7, None):
        with pytest.raises(TypeError):
            Witnesses(wrong, 1)


def test_a_proof_in_the_text_of_the_ecosystem(registry: Registry) -> None:
    leaves = [log_leaf(entry) for entry in registry.chain]
    checkpoint = registry.checkpoint()
    note = Note.parse(note_text(checkpoint, [(1, 7)]))
    for index, leaf in enumerate(leaves):
        path = tree_path(leaves, index)
        proof = LogProof(index, path, note, extra=b"entry")
        hashes = "".join(base64.b64encode(bytes.fromhex(each)).decode() + "\n" for each in path)
        assert str(proof) == f"c2sp.org/tlog-proof@v1\nextra ZW50cnk=\nindex {index}\n{hashes}\n{note}"
        read = LogProof.parse(str(proof))
        assert read == proof
        assert (read.index, read.path, read.note, read.extra) == (index, path, note, b"entry")
        read.verify(leaf_hash(leaf), log=LOG_KEY)
        read.verify(registry.chain[index].leaf_hash, log=NoteKey.parse(LOG_KEY))
        assert witnesses(1).judge(read.note).time == minute(7)
        with pytest.raises(RejectedError) as caught:
            read.verify(tree_root([b"another"]).hex(), log=LOG_KEY)
        assert caught.value.name == "note-no-place"
        if path:
            cut = LogProof(index, path[1:], note)
            assert cut.extra is None
            with pytest.raises(RejectedError) as caught:
                cut.verify(leaf_hash(leaf), log=LOG_KEY)
            assert caught.value.name == "note-no-place"
    for other in ("", str(proof).replace("@v1", "@v2"), str(proof).replace("index 4", "index 04")):
        with pytest.raises(MalformedError) as malformed:
            LogProof.parse(other)
        assert malformed.value.field == "tlog_proof"
