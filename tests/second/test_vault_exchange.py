"""Vault records and ledgers, live: of whatever is altered, moved or left out, the library and this implementation name
the same layer and the same place.
"""

from __future__ import annotations

import copy
import functools
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import FIRST_SEED, LOG_SEED, ORIGIN, SECOND_SEED, Ask, at, cases, key_entry, settled
from dualseal_second import krunica, primitives, ring, stream, vault
from dualseal_second.domain import DEFAULT
from dualseal_second.encodings import FormatError
from dualseal_second.presence import public_key_of

ANA, EVA, LOG = "c" * 64, "1" * 64, "a" * 64
EVA_SEED = bytes([9]) * 32
SEEDS = {ANA: FIRST_SEED, EVA: EVA_SEED}
MASTER, OTHER_MASTER = bytes([0x4D]) * 32, bytes([0x4E]) * 32
TIER_SEEDS = {"noble": bytes([61]) * 32, "native": bytes([62]) * 32}
OURS, THEIRS = "1" * 64, "2" * 64
PINS: dict[str, Any] = {
    "origin": ORIGIN, "identity_id": LOG, "key_hash": primitives.h3(primitives.public_key_of_seed(LOG_SEED)),
    "least_size": 0,
}  # fmt: skip
LENGTH = 4

# What this implementation calls a reason, in the library's words.
REASONS = {
    "genesis": "zeros before it, and not the first of its ledger, or the first without them",
    "previous": "does not follow the record before it",
    "hash": "not the hash of the stored bytes and the record before",
    "another master": "another master",
    "hmac": "the HMAC does not hold",
    "baseline": "the stored bytes were changed",
    "length": "the stored bytes have another length",
    "vault_id": "not the identifier of these bytes at this place",
    "tier": "a lower tier than was asked for",
    "key": "no key that is held for this identity and tier",
    "signature": "the signature of the tier does not hold",
    "unknown identity": "unknown identity",
    "layer A": "layer A does not hold",
    "layer B": "layer B does not hold",
    "retired key": "retired key",
    "seal_id": "another seal_id",
    "handle": "not the handle of the chain entry",
    "digest": "not the digest of the fragment",
    "fragment": "another fragment",
    "entry": "not the chain entry of this record",
    "located": "stands elsewhere in the chain",
    "no master": "no master given",
    "no keys given": "no keys given",
    "not located": "not located under a checkpoint",
}

# Members whose layer no other one covers, and those that say where a record stands.
TELLING = [
    tuple(path.split("."))
    for path in (
        "sealed.header.seq", "sealed.header.ledger", "sealed.layers.L3.baseline", "L6", "L7.fragment", "L8.prev",
        "L8.t",
    )
]  # fmt: skip

Kept = tuple[dict[str, Any], bytes]


@dataclass
class Ledger:
    """Records that hold, the chain with an entry before them, and their decoys."""

    name: str
    master: bytes = MASTER
    kept: list[Kept] = field(default_factory=list)
    chain: list[dict[str, str]] = field(default_factory=list)
    head: krunica.Head = field(default_factory=krunica.Head)
    decoys: list[dict[str, Any]] = field(default_factory=list)

    def append(self, message: str) -> None:
        entry, self.head = krunica.append(self.head, ANA, message, at(0))
        self.chain.append(entry)

    def entry(self, master: bytes, seq: int, seal_text: str) -> str:
        """What an entry at the head of the chain says of a seal."""
        header = {"ledger": self.name, "seq": seq}
        return vault.entry_message(DEFAULT, master, ANA, header, seal_text, self.head.top)

    def make(self, seq: int, prev: str, data: bytes) -> tuple[Kept, krunica.Head]:
        """Any record that holds by itself, at the head of the chain."""
        tier, identity = ("native", "public", "noble", "public")[seq % 4], EVA if seq == 2 else ANA
        secret = bytes([seq + 1]) * 32
        stored = data if seq % 2 else stream.encrypt(DEFAULT, secret, identity, "DEED", bytes(32), data)
        owner = vault.Owner(DEFAULT, self.master, SEEDS[identity], identity, tier, TIER_SEEDS.get(tier))
        place = vault.Place(self.name, seq, prev, self.head, at(seq + 1), "note")
        record, head = vault.make(owner, place, stored, "DEED", encrypted=seq % 2 == 0, tag=bytes([seq]) * 16)
        return (record, stored), head

    def keep(self, seq: int, prev: str, data: bytes) -> str:
        """Keeps one, with its entry, and gives its L0.hash."""
        kept, self.head = self.make(seq, prev, data)
        record = kept[0]
        self.kept.append(kept)
        self.chain.append({name: value for name, value in record["L8"].items() if name != "seq"})
        fragment = bytes.fromhex(record["L7"]["fragment"])
        decoy = {"bela_stanje": "oboje", "role": "decoy"}
        decoy["javni_kljuc"] = primitives.h3(primitives.public_key_of_seed(fragment))
        self.decoys.append(key_entry(record["sealed"]["header"]["identity_id"], FIRST_SEED, at(seq + 1)) | decoy)
        top: str = record["sealed"]["layers"]["L0"]["hash"]
        return top

    @classmethod
    def of_four(cls, name: str, master: bytes = MASTER) -> Ledger:
        made = cls(name, master)
        made.append("plain")
        prev = vault.ZEROS
        for seq in range(LENGTH):
            prev = made.keep(seq, prev, bytes([seq]) * (7, 0, 300, 40)[seq])
        return made


def covering(chain: list[dict[str, str]], size: int) -> dict[str, Any]:
    """The chain with a checkpoint over its first entries."""
    head = krunica.heads(chain)[size]
    fields = head.stated() | {
        "origin": ORIGIN, "time": at(30),
        "identity_id": LOG, "algoritam": "ML-DSA-65", "javni_kljuc": primitives.public_key_of_seed(LOG_SEED).hex(),
    }  # fmt: skip
    signed = fields | {"potpis": primitives.sign(LOG_SEED, krunica.checkpoint_statement(DEFAULT, fields)).hex()}
    return {"pins": PINS, "checkpoint": signed, "chain": chain}


@dataclass
class World:
    """Our ledger, one of another name, one of another master, what an insider can seal besides, and where a chain has
    our records: in order, under a checkpoint from before the last ones, and beside entries that do not belong there."""

    ours: Ledger
    others: list[Ledger]
    insiders: list[Kept]
    places: list[dict[str, Any]]
    odd_places: list[dict[str, Any]]

    def any_kept(self, rng: random.Random) -> Kept:
        return rng.choice([kept for ledger in (self.ours, *self.others) for kept in ledger.kept] + self.insiders)

    def any_place(self, rng: random.Random) -> dict[str, Any]:
        return rng.choice(self.places if rng.random() < 0.7 else self.odd_places)


@pytest.fixture(scope="module")
def world() -> World:
    ours = Ledger.of_four(OURS)
    tops = [vault.ZEROS, *(record["sealed"]["layers"]["L0"]["hash"] for record, _ in ours.kept)]
    insiders = [
        ours.make(seq, tops[before], b"another")[0]
        for seq, before in ((0, 0), (2, 2), (3, 3), (4, 4), (1, 3), (2, 1), (6, 4))
    ]
    whole = len(ours.chain)
    odd = [covering(ours.chain, whole - 2)]
    # Two entries for one place, two such pairs, one that is there already, and a place that nobody sealed; then what
    # anybody can write: the same with another master's tag, a good one repeated, and entries without the form of one.
    own, another = ours.kept[2][0]["L5"], ours.kept[0][0]["L5"]
    vault_row = f"DUALSEAL-VAULT::L8::{OURS}::"
    for messages in (
        [(MASTER, 2, another)],
        [(MASTER, 3, another), (MASTER, 1, another)],
        [(MASTER, 2, own)],
        [(MASTER, 2**53 - 1, another)],
        [(OTHER_MASTER, 2, another), (OTHER_MASTER, 9, own)],
        [ours.chain[3]["poruka"]],
        [f"{vault_row}01::{'0' * 64}::{'0' * 64}::DUALSEAL"],
        [f"{vault_row}{2**53}::{'0' * 64}::{'0' * 64}::DUALSEAL", f"{vault_row}0::{'0' * 64}::DUALSEAL"],
    ):
        longer = copy.deepcopy(ours)
        for message in messages:
            longer.append(message if isinstance(message, str) else longer.entry(*message))
        odd += [covering(longer.chain, len(longer.chain)), covering(longer.chain, whole)]
    others = [Ledger.of_four(THEIRS), Ledger.of_four(OURS, OTHER_MASTER)]
    return World(ours, others, insiders, [covering(ours.chain, whole)], odd)


def paths(value: object, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every member of a record, those of objects too."""
    if not isinstance(value, dict):
        return []
    return [path for name in value for path in [(*above, name), *paths(value[name], (*above, name))]]


def at_path(record: dict[str, Any], path: tuple[str, ...]) -> Any:
    return functools.reduce(lambda value, name: value[name], path, record)


def bent(rng: random.Random, value: Any) -> Any:
    """A member with a digit, its length, its kind or its number changed."""
    if isinstance(value, str) and value:
        place = rng.randrange(len(value))
        digit = rng.choice("0123456789abcdef" * 4 + "gZ\u202e")
        changed = value[:place] + digit + value[place + 1 :]
        return rng.choice([changed] * 20 + [value[:-1], value + "0", None])
    if isinstance(value, int):
        return rng.choice([*range(6), value + 1, value + 1, -1, 2**53 - 1, 2**53])
    if isinstance(value, list):
        return rng.choice([value[:-1], [*value, "L1"], value[::-1], []])
    return rng.choice(["0" * 64, "0" * 128, None])


def altered(world: World, rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """Up to three members bent, or taken from another record."""
    record = copy.deepcopy(record)
    every = paths(record)
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        path = rng.choice(every if rng.random() < 0.6 else TELLING)
        holder = at_path(record, path[:-1])
        if not isinstance(holder, dict):
            continue
        if rng.random() < 0.4 or isinstance(holder[path[-1]], dict):
            holder[path[-1]] = copy.deepcopy(at_path(world.any_kept(rng)[0], path))
        else:
            holder[path[-1]] = bent(rng, holder[path[-1]])
    return record


def any_ring(world: World, rng: random.Random) -> dict[str, Any]:
    """States, rotations, an unknown identity, decoys that are missing, and another log."""
    keys = list(world.ours.decoys)
    if rng.random() < 0.1:
        del keys[rng.randrange(LENGTH)]
    for identity, seed in SEEDS.items():
        state = rng.choice(["istina"] * 8 + list(ring.STATES))
        held = key_entry(identity, seed, at(0)) | {"bela_stanje": state}
        if rng.random() < 0.15:
            held |= {"retired": rng.randrange(1, 7), "role": "retired"}
            if identity == ANA:
                successor = {"bela_stanje": rng.choice(ring.STATES)}
                keys.append(key_entry(identity, SECOND_SEED, at(5)) | successor)
        if rng.random() < 0.95:
            keys.append(held)
    return settled(keys, rng.choice([ORIGIN] * 12 + ["other.example/krunica"]))


def any_policy(rng: random.Random) -> dict[str, Any]:
    whole = [[identity, tier, public_key_of(TIER_SEEDS[tier])] for identity in SEEDS for tier in TIER_SEEDS]
    some = [row for row in whole if rng.random() < 0.7]
    mixed = [[identity, tier, key] for (identity, tier, _), (_, _, key) in zip(whole, whole[1:])]
    return {
        "master_hex": rng.choice([None] * 4 + [MASTER.hex()] * 6 + [OTHER_MASTER.hex()]),
        "keys": rng.choice([None, some, mixed] + [whole] * 9),
        "least": rng.choice(["public"] * 10 + ["noble", "native"]),
    }


def policy_of(request: dict[str, Any]) -> vault.Policy:
    given = request["policy"]
    master = None if given["master_hex"] is None else bytes.fromhex(given["master_hex"])
    if given["keys"] is None:
        return vault.Policy(master, None, given["least"])
    keys: dict[tuple[str, str], set[str]] = {}
    for identity, tier, key in given["keys"]:
        keys.setdefault((identity, tier), set()).add(key)
    return vault.Policy(master, keys, given["least"])


def shown(outcome: str) -> dict[str, str | None]:
    word, _, reason = outcome.removesuffix(")").partition("(")
    return {"outcome": word, "reason": REASONS[reason] if reason else None}


def record_here(request: dict[str, Any]) -> dict[str, Any]:
    """This implementation's answer to `verify_record`."""
    place, previous = request.get("place"), request.get("previous")
    located = None
    if place:
        checkpoint = krunica.verify_checkpoint(DEFAULT, place["checkpoint"], krunica.Pins(**PINS))
        located = krunica.locate(place["chain"], checkpoint, place["seq"])
    report = vault.verify(
        DEFAULT, request["record"], bytes.fromhex(request["stored_hex"]), ring.parse_ring(request["ring"]),
        policy_of(request), located=located, previous=previous and vault.parse_record(previous),
    )  # fmt: skip
    layers = {layer: shown(outcome) for layer, outcome in report.outcomes.items()}
    return {"layers": layers, "outcome": [report.verdict, report.reason]}


def ledger_here(request: dict[str, Any]) -> dict[str, Any]:
    """This implementation's answer to `check_ledger`."""
    kept = [(vault.parse_record(record), bytes.fromhex(stored)) for record, stored in request["records"]]
    parsed, policy = ring.parse_ring(request["ring"]), policy_of(request)
    try:
        places = vault.NO_PLACES
        if place := request.get("place"):
            checkpoint = krunica.verify_checkpoint(DEFAULT, place["checkpoint"], krunica.Pins(**PINS))
            places = vault.vouched(DEFAULT, OURS, place["chain"], checkpoint, policy.master)
        verdicts, unverified = vault.check_ledger(DEFAULT, OURS, kept, parsed, policy, places)
    except vault.LedgerError as error:
        return {"fault": [error.seq, error.fault]}
    counts = [verdicts[verdict] for verdict in ("valid", "revoked", "suspended", "decoy")]
    return {"summary": [len(kept), *counts], "unverified": unverified}


def test_both_say_the_same_of_any_record(ask: Ask, world: World) -> None:
    seen: Counter[str] = Counter()
    for case in cases(200, 400):
        rng = random.Random(case)
        seq = rng.randrange(LENGTH)
        record, stored = world.ours.kept[seq] if rng.random() < 0.9 else world.any_kept(rng)
        if rng.random() < 0.6:
            record = altered(world, rng, record)
        if rng.random() < 0.15:
            stored = rng.choice([stored + b"\0", stored[:-1], b"", world.any_kept(rng)[1]])
        if rng.random() < 0.2:
            record = record | {"L7": {"fragment": None}}
        request: dict[str, Any] = {
            "ring": any_ring(world, rng), "policy": any_policy(rng), "record": record, "stored_hex": stored.hex(),
        }  # fmt: skip
        if rng.random() < 0.85:
            request["place"] = world.any_place(rng) | {"seq": seq + 1 if rng.random() < 0.9 else rng.randrange(7)}
        if rng.random() < 0.6:
            before = rng.choice(world.ours.kept) if rng.random() < 0.1 else world.ours.kept[seq - 1] if seq else None
            if before:
                request["previous"] = before[0]
        answer = ask("verify_record", **request)
        try:
            expected = record_here(request)
        except FormatError:
            assert "error" in answer, case
            seen["error"] += 1
            continue
        assert answer == expected, case
        verdict, reason = expected["outcome"]
        seen[reason or verdict] += 1
    # Otherwise the cases would say little.
    assert seen.keys() >= {"error", "valid", "revoked", "suspended", "decoy", "unknown identity", *vault.ORDER}, seen


def any_order(world: World, rng: random.Random) -> list[Kept]:
    """The records of the ledger, cut, moved, doubled, left out or exchanged for others."""
    kept = list(world.ours.kept)
    place = rng.randrange(LENGTH)
    match rng.randrange(12):
        case 0:
            del kept[place:]
        case 1:
            del kept[place]
        case 2:
            rng.shuffle(kept)
        case 3:
            kept.insert(rng.randrange(LENGTH + 1), kept[place])
        case 4:
            kept[place] = rng.choice([ledger.kept[place] for ledger in world.others])
        case 5:
            kept[place] = world.any_kept(rng)
        case 6:
            seq = rng.choice([0, 2, 3])
            kept[seq] = next(own for own in world.insiders if own[0]["sealed"]["header"]["seq"] == seq)
        case 7:
            kept.append(rng.choice(world.insiders))
        case 8:
            # The bytes alone.
            kept[place] = kept[place][0], world.any_kept(rng)[1]
        case _:
            pass
    return kept


def test_both_say_the_same_of_any_ledger(ask: Ask, world: World) -> None:
    seen: Counter[str] = Counter()
    for case in cases(100, 300):
        rng = random.Random(10_000 + case)
        kept = any_order(world, rng)
        if kept and rng.random() < 0.4:
            place = rng.randrange(len(kept))
            kept[place] = altered(world, rng, kept[place][0]), kept[place][1]
        request: dict[str, Any] = {
            "ring": any_ring(world, rng), "policy": any_policy(rng), "ledger": OURS,
            "records": [[record, stored.hex()] for record, stored in kept],
        }  # fmt: skip
        if rng.random() < 0.85:
            request["place"] = world.any_place(rng)
        answer = ask("check_ledger", **request)
        try:
            expected = ledger_here(request)
        except FormatError:
            assert "error" in answer, case
            seen["error"] += 1
            continue
        assert answer == expected, case
        seen[expected["fault"][1] if "fault" in expected else "unverified" if expected["unverified"] else "holds"] += 1
    faults = {"another ledger", "fork", "truncated", "no decoy", "unverified"}
    assert seen.keys() >= {"error", "holds", *faults, *vault.ORDER}, seen
