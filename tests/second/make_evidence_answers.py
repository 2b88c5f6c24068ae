"""Prints known answers of evidence as JSON; tests/vectors/known_answers_evidence.json is its output.

    python make_evidence_answers.py > ../vectors/known_answers_evidence.json

As make_known_answers.py: nothing is computed by the library that is tested with it, and every run gives the same. A
file of evidence is told by its hash, and by what it is made of: whoever puts the same parts together has its bytes.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from evidence_log import WITNESSES, Kept, Log, drawn, of_every_kind, witness_keys
from make_known_answers import deterministic

from dualseal_second import evidence, primitives, ring
from dualseal_second.domain import Domain, Row

# Minutes, not in the order of the names.
SEEN = dict(zip(WITNESSES, (115, 100, 110)))
NEEDED = 2
BY_HAND = "KRUNICA-BY-HAND"


def by_hand() -> Domain:
    rows = Domain.named("DUALSEAL").rows
    row = rows["krunica"]
    return Domain(rows | {"krunica": Row(BY_HAND, row.suffix, row.labels)})


def seeds_for_keys(shown: dict[str, Any], seeds: dict[str, bytes]) -> dict[str, Any]:
    """A public ring with the seed in the place of each key."""
    keys = [
        {name: value for name, value in key.items() if name != "javni_kljuc"}
        | {"seed_hex": seeds[key["javni_kljuc"]].hex()}
        for key in shown["keys"]
    ]
    return shown | {"keys": keys}


def state(log: Log, kept: list[Kept], seeds: dict[str, bytes]) -> dict[str, Any]:
    """What the log shows of its records now."""
    files = [log.show(each, SEEN) for each in kept]
    policy = log.policy(witnesses=witness_keys(), needed=NEEDED)
    for file, each in zip(files, kept):
        # One checkpoint for all of them.
        file |= {"checkpoint": files[0]["checkpoint"], "note": files[0]["note"]}
        assert evidence.parse_file(file) is file and each.kind == file["vrsta"]
    return {
        "checkpoint": files[0]["checkpoint"],
        "note": files[0]["note"],
        "ring": seeds_for_keys(ring.public(log.domain, log.ring_key, log.ring), seeds),
        "ring_entry": log.ring_entry(),
        "ring_path": files[0]["ring"]["path"],
        "files": [
            {
                "key": file["key"],
                "path": file["path"],
                "json_sha3_256": hashlib.sha3_256(evidence.write(file)).hexdigest(),
                "report": evidence.verify(file, each.document, policy),
            }
            for file, each in zip(files, kept)
        ],
    }


def answer(log: Log, kept: list[Kept], states: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "domena": log.name,
        "krunica_prefix": log.domain["krunica"].prefix,
        "log_seed_hex": log.log_seed.hex(),
        "note_seed_hex": log.note_seed.hex(),
        "fingerprint": log.fingerprint(),
        "chain": log.chain,
        "records": [
            {
                "vrsta": each.kind,
                "seq": each.seq,
                "seed_hex": each.seed.hex(),
                "document_hex": each.document.hex(),
                "record": each.record,
            }
            for each in kept
        ],
        "states": states,
    }


def by_key(seeds: list[bytes]) -> dict[str, bytes]:
    return {primitives.public_key_of_seed(seed).hex(): seed for seed in seeds}


def of_all_kinds() -> dict[str, Any]:
    """At 13 entries all keys are valid; at 19 they are revoked since before, suspended, revoked, and valid again."""
    log = Log(sign=deterministic)
    kept = of_every_kind(log)
    records = list(kept.values())
    seeds = by_key([*(each.seed for each in records), drawn("seed of another"), drawn("the next seed")])
    states = [state(log, records, seeds)]
    log.set_state(kept["potpis"].seed, "laz", since=2)
    log.set_state(kept["pecat"].seed, "nijedno")
    log.set_state(kept["trezor"].seed, "laz")
    log.set_state(kept["kvorum"].seed, "laz", since=0)
    log.set_state(kept["kvorum"].seed, "oboje")
    log.rotate("signer kvorum", drawn("the next seed"))
    return answer(log, records, [*states, state(log, records, seeds)])


def of_a_domain_by_hand() -> dict[str, Any]:
    """Three entries, the place among them in the middle."""
    log, seed = Log(domain=by_hand(), name=None, sign=deterministic), drawn("seed by hand")
    log.add("signer", seed)
    kept = [log.signed("signer", seed, b"a deed by hand")]
    log.plain("what follows")
    return answer(log, kept, [state(log, kept, by_key([seed]))])


def known_answers() -> dict[str, Any]:
    return {
        "about": "made by tests/second/make_evidence_answers.py; formats: docs/FORMAT.md sections 7, 9, 10 and 18",
        "witnesses": [
            {"seed_hex": drawn(name).hex(), "key": key.text(), "minute": SEEN[name]}
            for name, key in zip(WITNESSES, witness_keys())
        ],
        "needed": NEEDED,
        "logs": [of_all_kinds(), of_a_domain_by_hand()],
    }


def text() -> str:
    return json.dumps(known_answers(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
