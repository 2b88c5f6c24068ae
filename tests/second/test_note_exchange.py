"""Notes, cosignatures, proofs and growth go both ways between the library and this implementation."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Iterator

import pytest
from conftest import cases
from dualseal_second import note, tree
from dualseal_second.encodings import FormatError, Refused
from evidence_log import drawn
from programs import ROOT, program

ORIGIN, LEAVES = "log.example/notes", [b"%d" % number for number in range(40)]
Ask = Callable[..., str]


@pytest.fixture(scope="module")
def rust() -> Iterator[Ask]:
    """`tests/src/bin/log_peer.rs`, whose commands stand at the top of its source."""
    pipe = subprocess.PIPE
    with subprocess.Popen([program("log_peer")], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin and process.stdout
        stdin, stdout = process.stdin, process.stdout

        def ask(*words: object) -> str:
            stdin.write(" ".join(map(str, words)) + "\n")
            stdin.flush()
            return stdout.readline().rstrip("\n")

        yield ask
        stdin.close()


@pytest.fixture(scope="module")
def codes() -> dict[str, str]:
    """The number of each refusal, by its name."""
    table = (ROOT / "docs/ERRORS.md").read_text(encoding="utf-8")
    return {name: number for number, name in re.findall(r"^\| (\d+) \| `([a-z0-9-]+)` \|", table, re.MULTILINE)}


def root(size: int) -> str:
    return tree.root(LEAVES[:size]).hex()


def hexed(text: str) -> str:
    return text.encode().hex()


def listed(path: list[bytes]) -> str:
    return ",".join(one.hex() for one in path) or "-"


def same(answer: str, codes: dict[str, str], run: Callable[[], str]) -> None:
    """What this implementation does is what the library answered."""
    try:
        said = run()
    except FormatError:
        assert answer.startswith("error 1") or answer == "error not UTF-8"
    except Refused as refused:
        assert answer == f"error {codes[refused.name]}"
    else:
        assert answer == said


def test_both_make_one_note(rust: Ask) -> None:
    for size in (0, 1, 7, 40):
        log, witness = drawn(f"log {size}"), drawn(f"witness {size}")
        made = note.sign(ORIGIN, size, root(size), log)
        key = note.Key(ORIGIN, note.public_of(log), note.LOG)
        assert rust("sign", log.hex(), ORIGIN, size, root(size)) == f"{key.text()} {hexed(made.text())}"
        assert rust("open", key.text(), hexed(made.text())) == f"{ORIGIN} {size} {root(size)}"
        seen = note.cosign(made, "witness.example", witness, 1795255200)
        by = note.Key("witness.example", note.public_of(witness), note.WITNESS)
        answer = rust("cosign", witness.hex(), by.name, 1795255200, hexed(made.text()))
        assert answer == f"{by.text()} {hexed(seen.text())}"
        assert rust("judge", 1, by.text(), hexed(seen.text())) == "1 1795255200"


def test_both_make_one_proof(rust: Ask) -> None:
    log = drawn("log")
    key = note.Key(ORIGIN, note.public_of(log), note.LOG)
    for size in (1, 2, 3, 7, 16, 21, 40):
        signed = note.sign(ORIGIN, size, root(size), log)
        for index in range(size):
            extra = None if index % 3 == 0 else LEAVES[index] * (index % 3)
            made = note.make_proof(signed, index, tree.path(LEAVES[:size], index), extra)
            shown = "none" if extra is None else extra.hex()
            assert rust("prove", log.hex(), ORIGIN, size, index, shown) == hexed(made)
            leaf = tree.leaf_hash(LEAVES[index]).hex()
            assert rust("place", key.text(), leaf, hexed(made)) == f"{index} {shown}"


def test_both_make_one_proof_of_growth(rust: Ask) -> None:
    for size in (0, 1, 2, 3, 7, 16, 21, 40):
        for first in range(size + 1):
            path = tree.consistency(LEAVES[:size], first)
            assert rust("growth", first, size) == listed(path)
            for wrong in (path, path[1:], [*path, bytes(32)], [bytes(32), *path[1:]]):
                roots = root(first), root(size)
                holds = tree.is_consistent((first, size), (bytes.fromhex(roots[0]), bytes.fromhex(roots[1])), wrong)
                answer = rust("holds-growth", roots[0], first, roots[1], size, listed(wrong))
                assert answer == ("yes" if holds else "no")


def altered(rng: random.Random, text: str) -> str:
    """One character of a text, or one of its lines."""
    if rng.random() < 0.6:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice(["", "0", "A", "=", "\n", " ", "+", "\u2014", "\u00a0"]) + text[at + 1 :]
    lines = text.split("\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[first]
        case 1:
            lines.insert(first, lines[second])
        case _:
            lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


@pytest.mark.parametrize("case", cases(60, 600))
def test_both_say_the_same_of_any_note(rust: Ask, codes: dict[str, str], case: int) -> None:
    rng = random.Random(case)
    size, log = rng.randrange(1, 41), drawn("log")
    names = [rng.choice(["one.example", "two.example", "log.example/notes"]) for _ in range(3)]
    made = note.sign(ORIGIN, size, root(size), log)
    keys = []
    for number, name in enumerate(names):
        seed = drawn(f"witness {rng.randrange(2)}")
        keys.append(note.Key(name, note.public_of(seed), note.WITNESS))
        if rng.random() < 0.8:
            seconds = rng.choice([0, 1, 1795255200 + number, 253402300799, 253402300800, 2**64 - 1])
            made = note.cosign(made, name, seed, seconds)
    text = made.text() if rng.random() < 0.3 else altered(rng, made.text())
    key = note.Key(ORIGIN, note.public_of(log), note.LOG)

    def opened() -> str:
        read = note.parse(text)
        if read.origin != ORIGIN:
            raise Refused("note-unsigned")
        note.check_signed(read, key.public_key)
        return f"{read.origin} {read.size} {read.root}"

    def judged() -> str:
        note.check_needed(keys, needed)
        times = note.seen(note.parse(text), keys)
        moment, _ = note.witnessed(note.parse(text), keys, needed)
        seconds = next((each for each in sorted(times.values()) if note.at_second(each) == moment), 0)
        return f"{len(times)} {seconds}"

    same(rust("open", key.text(), hexed(text)), codes, opened)
    needed = rng.randrange(len({each.public_key for each in keys}) + 1)
    same(rust("judge", needed, ",".join(each.text() for each in keys), hexed(text)), codes, judged)


@pytest.mark.parametrize("case", cases(60, 600))
def test_both_say_the_same_of_any_proof(rust: Ask, codes: dict[str, str], case: int) -> None:
    rng = random.Random(1000 + case)
    size, log = rng.randrange(1, 41), drawn("log")
    index = rng.randrange(size)
    signed = note.sign(ORIGIN, size, root(size), log)
    text = altered(rng, note.make_proof(signed, index, tree.path(LEAVES[:size], index), rng.choice([None, b"", b"x"])))
    key = note.Key(ORIGIN, note.public_of(log), note.LOG)

    def placed() -> str:
        read, _, _, extra = note.parse_proof(text)
        if read.origin != ORIGIN:
            raise Refused("note-unsigned")
        return f"{note.check_proof(text, key.public_key, LEAVES[index])} {'none' if extra is None else extra.hex()}"

    same(rust("place", key.text(), tree.leaf_hash(LEAVES[index]).hex(), hexed(text)), codes, placed)
