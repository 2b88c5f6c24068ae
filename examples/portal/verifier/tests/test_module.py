"""The module gives the verdicts of the cross-language vectors, and nothing that is handed to it stops it."""

from __future__ import annotations

import json

import pytest
from conftest import Answer, Module
from samples import ACKNOWLEDGED, Shown, known_answers, of_another_log, of_portal

from evidence_lies import lies, malformed
from evidence_log import Log, of_every_kind, witness_keys

SEEN = {"witness-1.example": 115, "witness-2.example": 100, "witness-3.example": 110}
OUTCOMES = {"valid": "valid", "revoked": "revoked", "suspended": "suspended"}


def test_known_answers(module: Module) -> None:
    answered = known_answers()
    for one in answered:
        answer = module.of(one.shown, **one.question)
        assert answer["report"] == one.report
        assert answer["verdict"] in OUTCOMES and answer["pinned"]
        claimed = one.report["as_of"]["claimed"] or one.report["as_of"]["revoked_then"] is not None
        is_doubtful = claimed and answer["verdict"] == "valid"
        assert answer["outcome"] == ("doubtful" if is_doubtful else OUTCOMES[answer["verdict"]])
    assert len(answered) == 11
    assert {one.report["vrsta"] for one in answered} == {"potpis", "pecat", "trezor", "kvorum", "brisanje"}


@pytest.mark.parametrize("kind", ["potpis", "pecat", "trezor", "kvorum", "brisanje"])
def test_every_lie_is_refused_by_its_name(module: Module, kind: str) -> None:
    log = Log()
    kept = of_every_kind(log)[kind]
    file, told = log.show(kept, SEEN), 0
    witnesses = [key.text() for key in witness_keys()]
    for lie in lies(file, kept.document):
        asked = {"fingerprint": log.fingerprint(), "witnesses": witnesses, "needed": 2}
        named = {} if lie.asked.get("needed") else {"needed": 0, "witnesses": []}
        signer = lie.asked.get("signer")
        more = lie.asked | ({"signer": signer[1]} if signer else {})
        answer = module.verify(json.dumps(lie.file), lie.document, **(asked | named | more))
        assert answer["outcome"] == "invalid", (lie.what, answer)
        assert (answer["error"]["name"], answer["error"]["reason"]) == (lie.refused, lie.reason), lie.what
        told += 1
    for what, other in malformed(file):
        answer = module.verify(json.dumps(other), kept.document, fingerprint=log.fingerprint())
        assert (answer["outcome"], answer["part"]) == ("unreadable", "evidence"), what
        told += 1
    assert told > 60


@pytest.mark.parametrize("state", ["valid", "revoked", "suspended", "doubtful"])
def test_without_a_fingerprint_nothing_is_valid(module: Module, state: str) -> None:
    shown = of_portal(state)
    pinned, alone = module.of(shown), module.of(shown, fingerprint=None)
    assert (pinned["outcome"], pinned["pinned"]) == (state, True)
    assert (alone["outcome"], alone["pinned"]) == ("consistent" if state == "valid" else state, False)
    # All else is checked and told alike.
    assert alone["report"] == pinned["report"] and alone["report"]["log"] == shown.fingerprint
    for question in ({"fingerprint": None}, {}):
        assert module.verify(shown.text, b"another document", **question)["outcome"] == "invalid"


def test_a_log_of_somebody_elses(module: Module) -> None:
    other = of_another_log()
    assert module.of(other, fingerprint=None)["outcome"] == "consistent"
    answer = module.of(other, fingerprint=of_portal().fingerprint)
    assert (answer["outcome"], answer["error"]["name"]) == ("invalid", "evidence-log")
    assert answer["log"] == other.fingerprint


def test_who_must_have_signed(module: Module) -> None:
    shown = of_portal()
    for signer in (shown.key, shown.identity):
        assert module.of(shown, signer=signer)["outcome"] == "valid"
    other = module.of(shown, signer=shown.fingerprint)
    assert (other["outcome"], other["error"]["name"]) == ("invalid", "evidence-signer")


def test_witnesses_who_are_named_must_have_seen_it(module: Module) -> None:
    shown = of_portal()
    one, two, _ = (key.text() for key in witness_keys())
    seen = module.of(shown, witnesses=[one])
    assert (seen["outcome"], seen["report"]["before"]) == ("valid", "2026-11-21T11:40:00.000Z")
    unseen = module.of(shown, witnesses=[one, two])
    assert (unseen["outcome"], unseen["error"]["name"]) == ("invalid", "too-few-witnesses")


@pytest.mark.parametrize("part", ["fingerprint", "signer"])
@pytest.mark.parametrize("text", ["x", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "č" * 64], ids=range(6))
def test_what_is_no_fingerprint_is_not_taken_for_none(module: Module, part: str, text: str) -> None:
    answer = module.of(of_portal(), **{part: text})
    assert (answer["outcome"], answer["part"]) == ("unreadable", part)


@pytest.mark.parametrize("keys", [["x"], ["a+00000000+AA=="], 2])
def test_what_is_no_witness(module: Module, keys: list[str] | int) -> None:
    twice = [witness_keys()[0].text()] * 2
    answer = module.of(of_portal(), witnesses=twice if keys == 2 else keys)
    assert (answer["outcome"], answer["part"]) == ("unreadable", "witnesses")


DEEP = ["[" * 100_000, '{"a":' * 100_000, "9" * 10**6]
GARBAGE = ["", "{}", "[]", "null", "\0", "\ufeff{}", '{"vrsta":"potpis"}', *DEEP]


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_unreadable(module: Module, text: str) -> None:
    answer = module.verify(text)
    assert (answer["outcome"], answer["part"]) == ("unreadable", "evidence")


def test_what_a_page_could_get_wrong(module: Module) -> None:
    def broken(question: object) -> Answer:
        answer: Answer = module.ask("verify", evidence=of_portal().text, document_hex="", question=question)
        return answer

    for question in ([], "x", {"after": "yesterday"}, {"domain": "no::name"}, {"needed": -1, "after": "x"}):
        answer = broken(question)
        assert (answer["outcome"], answer["part"]) == ("unreadable", "page"), question
    assert broken({})["outcome"] == "invalid"


@pytest.mark.parametrize("number", range(4))
def test_no_mutation_stops_it_or_is_believed(module: Module, number: int) -> None:
    """2,000 in all: what is accepted says what the file said before, and says no more."""
    shown: Shown = [of_portal(), *(one.shown for one in known_answers() if one.report["vrsta"] != "pecat")][number]
    request = {"evidence": shown.text, "document_hex": shown.document.hex(), "seed": 7 + number, "rounds": 500}
    answer = module.ask("mutated", **request, question={"fingerprint": shown.fingerprint, "witnesses": []})
    assert answer["accepted"] == []
    assert sum(answer["said"].values()) == 500
    # They reach far behind the reading of it.
    assert {"evidence-log", "evidence-checkpoint"} <= set(answer["said"]) and len(answer["said"]) > 15, answer["said"]
