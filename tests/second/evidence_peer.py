"""The library, asked about evidence, and this implementation's answer to the same request."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dualseal_second import evidence, note
from dualseal_second.domain import Domain
from dualseal_second.encodings import FormatError, Refused
from programs import ROOT, program

Asked = dict[str, Any]
Answer = dict[str, Any]


class Peer:
    """Answers requests; what they are stands at the top of tests/src/bin/evidence_peer.rs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin and process.stdout
        self.stdin, self.stdout = process.stdin, process.stdout

    def ask(self, op: str, **members: Any) -> Answer:
        self.stdin.write(json.dumps({"op": op} | members) + "\n")
        self.stdin.flush()
        answer: Answer = json.loads(self.stdout.readline())
        return answer

    def verify(self, text: str, document: bytes, asked: Asked) -> Answer:
        return self.ask("verify", evidence=text, document_hex=document.hex(), policy=asked)

    def compare(self, texts: tuple[str, str], documents: tuple[bytes, bytes], asked: Asked) -> Answer:
        hexed = [document.hex() for document in documents]
        return self.ask("compare", evidence=list(texts), document_hex=hexed, policy=asked)


@contextmanager
def peer() -> Iterator[Peer]:
    pipe = subprocess.PIPE
    with subprocess.Popen([program("evidence_peer")], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        yield Peer(process)
        assert process.stdin
        process.stdin.close()


def asks(fingerprint: str, witnesses: tuple[note.Key, ...] = (), **more: Any) -> Asked:
    """A policy as both sides are told it."""
    texts = [key.text() for key in witnesses]
    nothing = {"least_size": 0, "needed": 0, "signer": None, "after": None, "log_until": None}
    return nothing | {"fingerprint": fingerprint, "witnesses": texts} | more


def key_of(text: str) -> note.Key:
    """Of a witness, as it is published."""
    name, _, encoded = text.split("+", 2)
    raw = note.decoded(encoded)
    key = note.Key(name, raw[1:], raw[:1])
    assert key.text() == text and key.kind == note.WITNESS
    return key


def domain_of(value: Any) -> Domain | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Domain.named(value)
    rows = Domain.named(value["name"]).rows
    row = rows["krunica"]
    return Domain(rows | {"krunica": type(row)(value["krunica"], row.suffix, row.labels)})


def refusing(answer: Callable[[], Answer]) -> Answer:
    try:
        return answer()
    except FormatError:
        return {"refused": "malformed", "reason": None}
    except Refused as refused:
        return {"refused": refused.name, "reason": refused.reason}


def policy_of(asked: Asked) -> evidence.Policy:
    return evidence.Policy(
        asked["fingerprint"],
        domain_of(asked.get("domain")),
        asked["signer"][1] if asked["signer"] else None,
        asked["least_size"],
        tuple(map(key_of, asked["witnesses"])),
        asked["needed"],
        asked["after"],
        asked["log_until"],
    )


def here(text: str, document: bytes, asked: Asked) -> Answer:
    """What this implementation says."""
    policy = policy_of(asked)
    return refusing(lambda: {"report": evidence.verify(evidence.read(text.encode()), document, policy)})


def compared(texts: tuple[str, str]) -> Answer:
    """Of files that were both found good."""

    def answer() -> Answer:
        evidence.compare(*(evidence.read(text.encode()) for text in texts))
        return {"stands": True}

    return refusing(answer)
