"""Evidence goes both ways: what one side makes the other verifies, and of every lie both say the same."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from conftest import cases
from dualseal_second import as_of, evidence, key_proof, krunica, place, ring
from dualseal_second.encodings import canonical
from evidence_lies import lies, malformed
from evidence_log import DOCUMENTS, WITNESSES, Log, dated_ahead, drawn, of_every_kind, witness_keys
from evidence_peer import Asked, Peer, asks, compared, domain_of, here, key_of, peer, refusing
from test_as_of import history
from test_evidence import KINDS, SEEN

STATES = ("istina", "nijedno", "laz")


@pytest.fixture(scope="module")
def rust() -> Iterator[Peer]:
    with peer() as made:
        yield made


@dataclass(frozen=True)
class Shown:
    """A file, what it is of, and what both sides are asked."""

    text: str
    document: bytes
    asked: Asked

    def both(self, rust: Peer, text: str | None = None) -> dict[str, Any]:
        """What both say of it, or of another file in its place."""
        said = here(self.text if text is None else text, self.document, self.asked)
        assert rust.verify(self.text if text is None else text, self.document, self.asked) == said
        return said


@pytest.fixture(scope="module")
def theirs(rust: Peer) -> dict[str, Shown]:
    """Made by the library, of keys in three states, by kind and state."""
    made = {}
    for state in STATES:
        since = 0 if state == "laz" else None
        answer = rust.ask("files", state=state, since=since, cosigned=[[1, 130], [2, 150], [3, 140]])
        asked = asks(answer["fingerprint"], tuple(map(key_of, answer["witnesses"])), needed=2)
        for kind, file in zip(KINDS, answer["files"]):
            made[f"{kind} {state}"] = Shown(file["evidence"], bytes.fromhex(file["document_hex"]), asked)
    return made


@pytest.fixture(scope="module")
def ours() -> dict[str, Shown]:
    made = {}
    for state in STATES:
        log = Log()
        kept = of_every_kind(log)
        for seed in {each.seed for each in kept.values()}:
            if state != "istina":
                log.set_state(seed, state, since=3)
        asked = asks(log.fingerprint(), witness_keys(), needed=2)
        for kind, each in kept.items():
            text = evidence.write(log.show(each, SEEN)).decode()
            made[f"{kind} {state}"] = Shown(text, each.document, asked)
    return made


CASES = [f"{kind} {state}" for kind in KINDS for state in STATES]


@pytest.mark.parametrize("case", CASES)
def test_both_say_the_same_of_a_good_file(
    rust: Peer, theirs: dict[str, Shown], ours: dict[str, Shown], case: str
) -> None:  # fmt: skip
    kind, state = case.split(" ")
    for shown in (theirs[case], ours[case]):
        report = shown.both(rust)["report"]
        assert (report["vrsta"], report["state"]) == (kind, state)
        assert len(report["witnesses"]) == 3 and report["before"] == sorted(s["time"] for s in report["witnesses"])[1]
        # In any spacing and member order.
        loose = json.dumps(dict(reversed(json.loads(shown.text).items())), indent=2)
        assert shown.both(rust, loose)["report"] == report


@pytest.mark.parametrize("number", range(5))
def test_both_refuse_every_lie_by_one_name(
    rust: Peer, theirs: dict[str, Shown], ours: dict[str, Shown], number: int
) -> None:  # fmt: skip
    kind = KINDS[number]
    for shown in (theirs[f"{kind} {STATES[number % 3]}"], ours[f"{kind} {STATES[(number + 1) % 3]}"]):
        file = json.loads(shown.text)
        for lie in lies(file, shown.document):
            # Whoever names witnesses needs some of them.
            named = {} if lie.asked.get("needed") else {"needed": 0, "witnesses": []}
            told = Shown(json.dumps(lie.file), lie.document, shown.asked | named | lie.asked)
            assert told.both(rust) == {"refused": lie.refused, "reason": lie.reason}, lie.what
        for what, other in malformed(file):
            said = shown.both(rust, json.dumps(other))
            assert said == {"refused": "malformed", "reason": None}, what


PATHS = {"path": "path-elsewhere", "ring": "evidence-ring-place", "key": "key-path"}


def with_path(file: dict[str, Any], name: str, path: list[str]) -> str:
    copied = copy.deepcopy(file)
    (copied if name == "path" else copied[name])["path"] = path
    return json.dumps(copied)


@pytest.mark.parametrize("name", PATHS)
def test_every_byte_and_length_of_every_path(rust: Peer, ours: dict[str, Shown], name: str) -> None:
    shown = ours["potpis istina"]
    # Nothing but the path is in question, and the witnesses cost the most.
    bare = Shown(shown.text, shown.document, shown.asked | {"needed": 0, "witnesses": []})
    file = json.loads(shown.text)
    path: list[str] = (file if name == "path" else file[name])["path"]
    assert len(path) >= 2
    for index, one in enumerate(path):
        for byte in range(32):
            raw = bytearray.fromhex(one)
            raw[byte] ^= 1 << (byte % 8)
            altered = with_path(file, name, [*path[:index], raw.hex(), *path[index + 1 :]])
            assert bare.both(rust, altered)["refused"] == PATHS[name]
    wrong = "path-length" if name == "path" else PATHS[name]
    for length in [*range(len(path)), *range(len(path) + 1, 67)]:
        altered = with_path(file, name, (path + path * 64)[:length])
        assert bare.both(rust, altered)["refused"] == wrong
    for hashes in ([path[0][:-2], *path[1:]], [path[0] + "00", *path[1:]], ["", *path], [path[0].upper(), *path[1:]]):
        assert bare.both(rust, with_path(file, name, hashes))["refused"] == "malformed"


def altered(rng: random.Random, value: Any) -> Any:
    """Another value in the place of one, mostly of the same form."""
    match value:
        case str() if value:
            place = rng.randrange(len(value))
            return value[:place] + rng.choice("0123456789abcdef+= \n") + value[place + 1 :]
        case bool() | None | "":
            return rng.choice([0, "", None, not value])
        case int():
            return value + rng.choice([-value, -1, 1, 2**40])
        case list():
            return rng.choice([value[1:], value + value[:1], value[::-1]])
        case _:
            return rng.choice([None, {}, [value]])


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(value, dict):
        for name, member in value.items():
            yield from places(member, (*at, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*at, index))


@pytest.mark.parametrize("case", cases(30, 600))
def test_both_say_the_same_of_any_alteration(
    rust: Peer, theirs: dict[str, Shown], ours: dict[str, Shown], case: int
) -> None:  # fmt: skip
    rng = random.Random(case)
    for _ in range(5):
        shown = rng.choice([theirs, ours])[rng.choice(CASES)]
        file = json.loads(shown.text)
        *parents, last = rng.choice(list(places(file))[1:])
        at = file
        for name in parents:
            at = at[name]
        at[last] = altered(rng, at[last])
        needed = rng.randrange(4)
        named = {"needed": needed} if needed else {"needed": 0, "witnesses": []}
        told = Shown(json.dumps(file), shown.document, shown.asked | named)
        told.both(rust)
        text = shown.text
        place = rng.randrange(len(text))
        told.both(rust, text[:place] + rng.choice(['"', "}", "\\", " ", "0", ",", ""]) + text[place + 1 :])


def test_a_domain_by_hand(rust: Peer) -> None:
    by_hand = {"name": "DUALSEAL", "krunica": "BY-HAND"}
    domain = domain_of(by_hand)
    assert domain is not None
    log = Log(domain=domain, name=None)
    kept = of_every_kind(log)["trezor"]
    text = evidence.write(log.show(kept, SEEN)).decode()
    asked = asks(log.fingerprint(), witness_keys(), needed=3)
    assert "report" in Shown(text, kept.document, asked | {"domain": by_hand}).both(rust)
    assert Shown(text, kept.document, asked).both(rust)["refused"] == "malformed"
    assert Shown(text, kept.document, asked | {"domain": "DUALSEAL"}).both(rust)["refused"] == "evidence-log"
    named = text.replace('"domena":null', '"domena":"DUALSEAL"')
    assert Shown(named, kept.document, asked).both(rust)["refused"] == "evidence-log"
    assert Shown(named, kept.document, asked | {"domain": by_hand}).both(rust)["refused"] == "malformed"
    for value in ("DUALSEAL", "ANOTHER", by_hand):
        told = rust.ask("fingerprint", domain=value, checkpoint=json.loads(text)["checkpoint"])
        known, checkpoint = domain_of(value), json.loads(text)["checkpoint"]
        assert known is not None
        key = bytes.fromhex(checkpoint["javni_kljuc"])
        said = place.log_fingerprint(known, checkpoint["origin"], checkpoint["identity_id"], key)
        assert told == {"fingerprint": said}


def files_of_one_key(rng: random.Random) -> tuple[list[tuple[str, bytes]], str]:
    """What one log says at several sizes, and what another with the same beginning says of the same key."""
    shown, seed, log = [], drawn("seed"), Log()
    start = rng.randrange(3)
    for _ in range(2):
        log = Log()
        log.add("signer", seed)
        log.add("another", drawn("another"))
        kept = log.signed("signer", seed, DOCUMENTS["potpis"])
        for _ in range(start):
            log.plain("what both logs have")
        for _ in range(rng.randrange(2, 5)):
            match rng.randrange(5):
                case 0:
                    log.plain(rng.choice(["filler", "another filler"]))
                case 1 if log.keys[0]["role"] == "current":
                    log.rotate("signer", drawn("new"))
                case _:
                    log.set_state(seed, rng.choice(ring.STATES), rng.choice([None, 0, 1, 2, 3]))
            if rng.random() < 0.6:
                shown.append((evidence.write(log.show(kept)).decode(), kept.document))
    return shown, log.fingerprint()


@pytest.mark.parametrize("case", cases(30, 200))
def test_both_say_the_same_of_two_files(rust: Peer, case: int) -> None:
    shown, fingerprint = files_of_one_key(random.Random(case))
    for one, document in shown:
        for other, other_document in shown:
            said = compared((one, other))
            assert rust.compare((one, other), (document, other_document), asks(fingerprint)) == said


def test_files_that_are_not_of_one_key(rust: Peer, ours: dict[str, Shown]) -> None:
    one, other = ours["potpis istina"], ours["pecat istina"]
    answer = rust.compare((one.text, other.text), (one.document, other.document), one.asked)
    assert answer == compared((one.text, other.text)) == {"refused": "key-other", "reason": None}


@pytest.mark.parametrize("case", cases(20, 200))
def test_both_say_the_same_as_of_any_size(rust: Peer, case: int) -> None:
    rng = random.Random(case)
    log, kept, _ = history(rng)
    checkpoint, shown = log.checkpoint(), ring.public(log.domain, log.ring_key, log.ring)
    assert rust.ask("attest", checkpoint=checkpoint, ring=shown) == {"known_to": len(log.chain)}
    for each in kept:
        proof = place.prove(log.chain, checkpoint, each.seq)
        signer = log.identity(rng.choice(["signer", "signer", "signer", "another"]))
        asked = {"record": each.record, "content_hex": DOCUMENTS["potpis"].hex(), "signer": signer}
        told = rust.ask("as_of", checkpoint=checkpoint, ring=shown, proof=proof, **asked)
        located = place.verify(checkpoint, proof)
        size = key_proof.attest(shown, checkpoint)
        for name, public in (("internal", False), ("public", True)):
            content = DOCUMENTS["potpis"]
            said = as_of.verify(log.domain, signer, content, each.record, shown, located, size, public=public)
            assert told[name] == said


def seq_of(checkpoint: dict[str, Any], proof: Any) -> dict[str, Any]:
    return {"seq": place.verify(checkpoint, proof).seq}


def known_by_key(checkpoint: dict[str, Any], proof: Any) -> dict[str, Any]:
    key_proof.verify(checkpoint, proof)
    return {"known_to": checkpoint["size"]}


def known_by_ring(checkpoint: dict[str, Any], shown: Any) -> dict[str, Any]:
    return {"known_to": key_proof.attest(ring.parse_public(shown), checkpoint)}


@pytest.mark.parametrize("case", cases(20, 200))
def test_both_say_the_same_of_places_keys_and_rings(rust: Peer, case: int) -> None:
    rng = random.Random(1000 + case)
    log, _, _ = history(rng)
    checkpoint, shown = log.checkpoint(), ring.public(log.domain, log.ring_key, log.ring)
    for _ in range(6):
        proof: dict[str, Any] = copy.deepcopy(place.prove(log.chain, checkpoint, rng.randrange(len(log.chain))))
        name = rng.choice(["entry", "path", "checkpoint", None])
        if name == "path":
            proof["path"] = altered(rng, proof["path"])
        elif name:
            member = rng.choice(sorted(proof[name]))
            proof[name][member] = altered(rng, proof[name][member])
        said = refusing(partial(seq_of, checkpoint, proof))
        assert rust.ask("place", checkpoint=checkpoint, proof=proof) == said

        key = rng.choice(shown["keys"])
        proof = copy.deepcopy(key_proof.prove(shown, ring.key_hash(key)))
        name = rng.choice(["leaf", "path", "seq", "size", None])
        if name == "leaf":
            member = rng.choice(sorted(proof["leaf"]))
            proof["leaf"][member] = altered(rng, proof["leaf"][member])
        elif name:
            proof[name] = altered(rng, proof[name])
        said = refusing(partial(known_by_key, checkpoint, proof))
        assert rust.ask("key", checkpoint=checkpoint, proof=proof, javni_kljuc=key["javni_kljuc"]) == said

        edited = copy.deepcopy(shown)
        if rng.random() < 0.5:
            member = rng.choice(["origin", "revision"])
            edited[member] = altered(rng, edited[member])
        else:
            at = rng.choice(edited["keys"])
            member = rng.choice(sorted(at))
            at[member] = altered(rng, at[member])
        said = refusing(partial(known_by_ring, checkpoint, edited))
        assert rust.ask("attest", checkpoint=checkpoint, ring=edited) == said


def test_a_ring_entry_states_no_change_that_comes_after_it(rust: Peer) -> None:
    log = Log()
    kept = dated_ahead(log)
    text = evidence.write(log.show(kept)).decode()
    said = Shown(text, kept.document, asks(log.fingerprint())).both(rust)
    assert said == {"refused": "evidence-ring", "reason": None}


def test_an_erasure_is_one_by_all_that_it_says(rust: Peer) -> None:
    """Of the type, but encrypted, or of bytes that name no vault."""
    log, seed = Log(), drawn("seed")
    log.add("signer", seed)
    wrong = [canonical({"splits": splits, "vault_id": vault_id}) for splits, vault_id in (([], "0"), (["0"], "0" * 64))]
    for stored in (b"", b"{}", *wrong):
        kept = log.stored("signer", seed, stored, "ERASURE")
        text = evidence.write(log.show(kept)).decode()
        assert Shown(text, stored, asks(log.fingerprint())).both(rust)["refused"] == "malformed"
