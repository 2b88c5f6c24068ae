"""Evidence in one file: of every kind, in every state, and each fault by its name."""

from __future__ import annotations

from typing import Any

import pytest
from dualseal_second import evidence, note, place, primitives
from dualseal_second.domain import Domain
from dualseal_second.encodings import FormatError, Refused
from evidence_lies import lies, malformed
from evidence_log import DOCUMENTS, WITNESSES, Kept, Log, at, dated_ahead, drawn, of_every_kind, witness_keys

KINDS = ("potpis", "pecat", "trezor", "kvorum", "brisanje")
SEEN = dict(zip(WITNESSES, (95, 100, 97)))
Logged = tuple[Log, dict[str, Kept]]


@pytest.fixture(scope="module")
def logged() -> Logged:
    log = Log()
    return log, of_every_kind(log)


def refusal(file: object, document: bytes, policy: evidence.Policy) -> tuple[str, str | None]:
    with pytest.raises(Refused) as refused:
        evidence.verify(file, document, policy)
    return refused.value.name, refused.value.reason


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_who_and_since_when(logged: Logged, kind: str) -> None:
    log, kept = logged
    shown = kept[kind]
    file = log.show(shown, SEEN)
    assert evidence.read(evidence.write(file)) == file
    told = evidence.verify(file, shown.document, log.policy(witnesses=witness_keys(), needed=2))
    assert (told["vrsta"], told["state"], told["log"]) == (kind, "istina", log.fingerprint())
    assert told["key"] == primitives.h3(primitives.public_key_of_seed(shown.seed))
    assert told["as_of"]["result"]["validan"] is True
    assert (told["as_of"]["place"], told["as_of"]["size"]) == (shown.seq, len(log.chain))
    # The second of the three times.
    assert told["before"] == at(97) and len(told["witnesses"]) == 3
    erased = kept["trezor"].record["sealed"]["header"]["vault_id"]
    assert told["vault_id"] == (erased if kind == "brisanje" else None)


@pytest.mark.parametrize("kind", KINDS)
def test_every_lie_has_its_name(logged: Logged, kind: str) -> None:
    log, kept = logged
    for lie in lies(log.show(kept[kind], SEEN), kept[kind].document):
        asked: dict[str, Any] = dict(lie.asked)
        if "signer" in asked:
            asked["signer"] = asked["signer"][1]
        # Whoever names witnesses needs some of them.
        asked["witnesses"] = witness_keys() if asked.get("needed") else ()
        assert refusal(lie.file, lie.document, log.policy(**asked)) == (lie.refused, lie.reason), lie.what


@pytest.mark.parametrize("kind", KINDS)
def test_another_form_is_malformed(logged: Logged, kind: str) -> None:
    log, kept = logged
    for what, file in malformed(log.show(kept[kind], SEEN)):
        with pytest.raises(FormatError):
            evidence.verify(file, kept[kind].document, log.policy())
            pytest.fail(what)


@pytest.mark.parametrize("kind", KINDS)
def test_the_place_of_another_entry(logged: Logged, kind: str) -> None:
    log, kept = logged
    good = log.show(kept[kind])
    for other in (*KINDS, "plain"):
        if other == kind:
            continue
        seq = kept[other].seq if other in kept else len(log.chain) - 2
        proof = place.prove(log.chain, good["checkpoint"], seq)
        name = "L6" if kind in ("trezor", "brisanje") else "located"
        moved = good | {"entry": proof["entry"], "path": proof["path"]}
        assert refusal(moved, kept[kind].document, log.policy()) == ("evidence-record", name), other


def test_the_state_of_the_key_and_its_dates() -> None:
    log, seed = Log(), drawn("seed")
    log.add("signer", seed)
    kept = log.signed("signer", seed, DOCUMENTS["potpis"])

    def told() -> dict[str, Any]:
        said: dict[str, Any] = evidence.verify(log.show(kept), kept.document, log.policy())
        dates = {name: said["as_of"][name] for name in ("claimed", "opozvan_od", "revoked_now", "revoked_then")}
        return {"razlog": said["as_of"]["result"]["razlog"], "since": said["since"]} | dates

    nothing = {"razlog": None, "since": 0, "claimed": False, "opozvan_od": None, "revoked_now": None}
    assert told() == nothing | {"revoked_then": None}
    log.set_state(seed, "nijedno")
    assert told() == nothing | {"revoked_then": None, "razlog": "suspended", "since": 2}
    log.set_state(seed, "laz")
    revoked = {"razlog": "revoked", "since": 3, "opozvan_od": 3, "revoked_now": 3, "revoked_then": None}
    assert told() == revoked | {"claimed": False}
    # A revoked key hides nothing of a record that does not hold.
    assert refusal(log.show(kept), b"another", log.policy()) == ("evidence-record", "content")
    log.set_state(seed, "laz", since=1)
    assert told() == revoked | {"opozvan_od": 1, "claimed": True}
    log.set_state(seed, "istina")
    assert told() == nothing | {"revoked_then": None, "since": 5, "opozvan_od": 1, "claimed": True}
    # Made while the key was revoked, and shown after it.
    log.set_state(seed, "laz")
    kept = log.signed("signer", seed, DOCUMENTS["potpis"])
    log.set_state(seed, "oboje")
    assert told() == nothing | {"revoked_then": 6, "since": 8, "opozvan_od": 1, "claimed": True}


def test_a_retired_key() -> None:
    log, old, new = Log(), drawn("old"), drawn("new")
    log.add("signer", old)
    before = log.signed("signer", old, DOCUMENTS["potpis"])
    log.rotate("signer", new)
    after = log.signed("signer", old, b"signed by a key that is retired")
    evidence.verify(log.show(before), before.document, log.policy())
    assert refusal(log.show(after), after.document, log.policy()) == ("evidence-record", "retired key")
    new_one = log.signed("signer", new, b"signed by the new key")
    evidence.verify(log.show(new_one), new_one.document, log.policy())


def test_a_domain_by_hand_is_the_verifiers() -> None:
    named = Domain.named("DUALSEAL")
    rows = named.rows | {"krunica": type(named["krunica"])("BY-HAND", "HERE", named["krunica"].labels)}
    log = Log(domain=Domain(rows), name=None)
    kept = of_every_kind(log)["potpis"]
    file = log.show(kept)
    evidence.verify(file, kept.document, log.policy())
    with pytest.raises(FormatError):
        evidence.verify(file, kept.document, evidence.Policy(log.fingerprint()))
    assert refusal(file, kept.document, log.policy(domain=named)) == ("evidence-log", None)
    with pytest.raises(FormatError):
        evidence.verify(file | {"domena": "DUALSEAL"}, kept.document, log.policy())
    assert refusal(file | {"domena": "DUALSEAL"}, kept.document, log.policy(domain=None)) == ("evidence-log", None)


def test_witnesses_are_counted_by_their_keys(logged: Logged) -> None:
    log, kept = logged
    shown, keys = kept["potpis"], witness_keys()

    def asked(seen: dict[str, int], needed: int, names: tuple[str, ...] = WITNESSES) -> str | None:
        policy = log.policy(witnesses=witness_keys(names if needed else ()), needed=needed)
        told: str | None = evidence.verify(log.show(shown, seen), shown.document, policy)["before"]
        return told

    assert [asked(SEEN, needed) for needed in range(4)] == [None, at(95), at(97), at(100)]
    file = log.show(shown, {WITNESSES[0]: 95, "foreign": 96})
    policy = log.policy(witnesses=keys, needed=2)
    assert refusal(file, shown.document, policy) == ("too-few-witnesses", None)
    # One key under two names is one witness, at the earlier of its times.
    seed, named = drawn(WITNESSES[0]), ("witness-1.example", "alias.example")
    twice = log.note(file["checkpoint"], {})
    for name, second in zip(named, (1795261500, 1795261400)):
        twice = note.cosign(twice, name, seed, second)
    aliases = tuple(note.Key(name, keys[0].public_key, note.WITNESS) for name in named)
    file = file | {"note": twice.text()}
    policy = log.policy(witnesses=aliases, needed=2)
    assert refusal(file, shown.document, policy) == ("too-few-witnesses", None)
    told = evidence.verify(file, shown.document, log.policy(witnesses=aliases, needed=1))
    assert told["before"] == note.at_second(1795261400)
    # What a witness said of another log's note.
    other = log.note(file["checkpoint"] | {"origin": "another.example"}, SEEN)
    mixed = note.parse(log.show(shown, {})["note"])
    mixed = note.Note(mixed.origin, mixed.size, mixed.root, (*mixed.lines, *other.lines[1:]))
    file = file | {"note": mixed.text()}
    assert refusal(file, shown.document, log.policy(witnesses=keys, needed=1)) == ("witness-signature", None)


def retold(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """In both orders."""
    names = set()
    for pair in ((one, other), (other, one)):
        try:
            evidence.compare(*pair)
            names.add(False)
        except Refused as refused:
            assert refused.name == "evidence-retold"
            names.add(True)
    assert len(names) == 1
    return names.pop()


def test_a_history_only_grows_and_a_date_only_falls() -> None:
    seed, files = drawn("seed"), {}
    for name, states, fillers in (
        ("untouched", [], 2),
        ("suspended later", [(None, 2), ("nijedno", None)], 2),
        ("revoked later", [(None, 2), ("laz", None)], 2),
        ("revoked later since before", [(None, 2), ("laz", 0)], 2),
        ("revoked", [("laz", 2)], 1),
        ("revoked and lowered", [("laz", 2), ("laz", 1)], 1),
        ("revoked at once, and valid again", [("laz", 2), (None, 1), ("istina", None)], 2),
        ("revoked, later since", [("laz", None), (None, 1)], 1),
    ):
        log = Log()
        log.add("signer", seed)
        log.add("another", drawn("another"))
        kept = log.signed("signer", seed, DOCUMENTS["potpis"])
        for state, since in states:
            if state is None:
                for _ in range(since or 0):
                    log.plain("filler")
            else:
                log.set_state(seed, state, since)
        for _ in range(fillers):
            log.plain("filler")
        files[name] = log.show(kept)
    early = files["untouched"]
    assert early["checkpoint"]["size"] == 5
    for name in ("suspended later", "revoked later", "revoked later since before"):
        assert not retold(early, files[name]), name
    # Below the earlier size, or of one size.
    for name in ("revoked", "revoked and lowered", "revoked at once, and valid again"):
        assert retold(early, files[name]), name
    assert not retold(files["revoked"], files["revoked at once, and valid again"])
    assert retold(files["revoked and lowered"], files["revoked at once, and valid again"])
    assert retold(files["revoked"], files["revoked, later since"])
    assert not retold(early, early)


def test_files_of_other_logs_and_keys_are_not_compared(logged: Logged) -> None:
    log, kept = logged
    another = Log(origin="log.example/another")
    files = [log.show(kept["potpis"]), another.show(of_every_kind(another)["potpis"]), log.show(kept["pecat"])]
    for other, name in ((files[1], "evidence-log"), (files[2], "key-other")):
        with pytest.raises(Refused) as refused:
            evidence.compare(files[0], other)
        assert refused.value.name == name


def test_another_ring_under_a_witnessed_root(logged: Logged) -> None:
    """Witnesses sign the root alone: the log's key states a ring to its liking under an old one."""
    log = Log()
    kept = of_every_kind(log)["potpis"]
    good = log.show(kept, SEEN)
    chain, head = list(log.chain), log.head
    log.set_state(kept.seed, "laz", since=0)
    later = log.show(kept)
    log.head = head
    forged = log.checkpoint()
    assert forged["root"] == good["checkpoint"]["root"] and forged["ring"] != good["checkpoint"]["ring"]
    lie = good | {"checkpoint": forged, "key": later["key"] | {}}
    assert refusal(lie, kept.document, log.policy()) == ("evidence-ring", None)
    lie["ring"] = later["ring"] | {"path": good["ring"]["path"]}
    assert refusal(lie, kept.document, log.policy()) == ("evidence-ring-place", None)
    # An entry of another kind, which does stand there.
    plain = place.prove(chain, forged, 0)
    lie["ring"] = {"entry": plain["entry"], "path": plain["path"]}
    assert refusal(lie, kept.document, log.policy()) == ("evidence-ring", None)


def test_a_ring_entry_states_no_change_that_comes_after_it() -> None:
    log = Log()
    kept = dated_ahead(log)
    assert refusal(log.show(kept), kept.document, log.policy()) == ("evidence-ring", None)


def test_before_the_first_change_there_is_no_key() -> None:
    log, seed = Log(), drawn("seed")
    kept = log.signed("signer", seed, DOCUMENTS["potpis"])
    assert log.ring_entry() is None
    other = Log()
    other.add("signer", seed)
    proof = other.show(other.signed("signer", seed, DOCUMENTS["potpis"]))["key"]
    stated = log.checkpoint()
    at_zero = place.prove(log.chain, stated, kept.seq)
    file = evidence.make("potpis", kept.record, at_zero, None, proof, domena="DUALSEAL")
    assert refusal(file, kept.document, log.policy()) == ("key-path", None)
