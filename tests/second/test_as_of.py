"""What a key's history says beside a verdict, against the rule written out over every seq."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import cases
from dualseal_second import as_of, place, ring
from evidence_log import DOCUMENTS, Kept, Log, drawn

SEEDS = [drawn(f"seed {number}") for number in range(4)]


def states_by_seq(history: list[Any], size: int) -> list[str | None]:
    """The key's state after each entry."""
    changes, states = dict(map(tuple, history)), list[str | None]()
    for seq in range(size):
        states.append(changes.get(seq, states[-1] if states else None))
    return states


def began(states: list[str | None], seq: int) -> int | None:
    """Where the run of `laz` began that is there at a seq."""
    if states[seq] != "laz":
        return None
    while states[seq - 1] == "laz":
        seq -= 1
    return seq


def history(rng: random.Random) -> tuple[Log, list[Kept], dict[str, int]]:
    """Records by whichever key is current, changes of any key, and the date that was asked for each."""
    log, kept, used = Log(), list[Kept](), 1
    lowest: dict[str, int] = {}
    log.add("signer", SEEDS[0])
    for _ in range(rng.randrange(4, 14)):
        match rng.randrange(5):
            case 0 if used < len(SEEDS):
                log.rotate("signer", SEEDS[used])
                used += 1
            case 1 | 2:
                number = rng.randrange(used)
                state, since = rng.choice(ring.STATES), rng.choice([None, *range(log.head.size + 2)])
                if state == "laz":
                    said = (log.head.size, lowest.get(SEEDS[number].hex()), since)
                    lowest[SEEDS[number].hex()] = min(seq for seq in said if seq is not None)
                log.set_state(SEEDS[number], state, since)
            case _:
                content = DOCUMENTS["potpis"] if rng.random() < 0.8 else b"another"
                kept.append(log.signed("signer", SEEDS[rng.randrange(used)], content))
    return log, kept, lowest


@pytest.mark.parametrize("case", cases(40, 400))
def test_any_history(case: int) -> None:
    rng = random.Random(case)
    log, kept, lowest = history(rng)
    size, checkpoint = len(log.chain), log.checkpoint()
    operators, shown = log.ring, ring.public(log.domain, log.ring_key, log.ring)
    signer = log.identity("signer")
    for each in kept:
        located = place.verify(checkpoint, place.prove(log.chain, checkpoint, each.seq))
        told = {
            public: as_of.verify(
                log.domain, signer, DOCUMENTS["potpis"], each.record, ring_of, located, size, public=public
            )
            for public, ring_of in ((False, operators), (True, shown))
        }
        key = ring.find(operators, signer, each.record["javni_kljuc"])
        assert key is not None
        states = states_by_seq(key["povijest"], size)
        since = lowest.get(each.seed.hex())
        late = key["role"] == "retired" and each.seq >= key["retired"]
        failed = "content" if each.document != DOCUMENTS["potpis"] else "retired key" if late else None
        expected = {
            "claimed": failed is None and since is not None and each.seq >= since,
            "opozvan_od": since,
            "place": None if failed else each.seq,
            "revoked_now": began(states, size - 1),
            "revoked_then": None if failed else began(states, each.seq),
            "size": size,
        }
        for public, said in told.items():
            assert {name: said[name] for name in expected} == expected
            assert said["failed"] == (failed and ("rejected" if public else failed))
        state = key["bela_stanje"]
        validan = {"laz": False, "nijedno": None, "istina": failed is None, "oboje": False}[state]
        assert told[False]["result"]["validan"] is validan
        assert told[True]["result"]["validan"] is (failed is None if state == "oboje" else validan)


def test_of_a_key_that_is_nobodys_nothing_is_told() -> None:
    log = Log()
    log.add("signer", SEEDS[0])
    kept = log.signed("signer", SEEDS[0], DOCUMENTS["potpis"])
    foreign = log.signed("signer", SEEDS[1], DOCUMENTS["potpis"])
    stranger = log.signed("stranger", SEEDS[2], DOCUMENTS["potpis"])
    log.set_state(SEEDS[0], "laz", since=0)
    checkpoint = log.checkpoint()
    for each, signer, failed in (
        (kept, "stranger", "other signer"),
        (foreign, "signer", "foreign key"),
        (stranger, "stranger", "unknown identity"),
    ):  # fmt: skip
        located = place.verify(checkpoint, place.prove(log.chain, checkpoint, each.seq))
        told = as_of.verify(
            log.domain, log.identity(signer), DOCUMENTS["potpis"], each.record, log.ring, located, 5, public=False
        )
        nothing = dict.fromkeys(("opozvan_od", "place", "revoked_now", "revoked_then"))
        assert {name: told[name] for name in nothing} == nothing
        assert (told["claimed"], told["failed"], told["size"]) == (False, failed, 5)
        assert (told["result"]["validan"], told["result"]["bela_stanje"]) == (False, None)
