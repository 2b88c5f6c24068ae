"""Seals to try the audit on, with faults of every kind: what `audit.py` has to find, and nothing else.

    python make.py FOLDER ROWS

writes what an operator gives into `FOLDER/given/`: `seals/` (Parquet: id, identity_id, payload, seal, place), the
public ring and a checkpoint; beside it `log.json`, which an auditor has of his own (the domain's name, the pins of the
log, the watched identities), and `expected.parquet`, the id, verdict and reason of each planted row. Keys are drawn,
and forgotten but for the operator's own ring and the log's key (`World` of what `make` returns).
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dualseal
import pyarrow as pa
import pyarrow.parquet as pq
from dualseal import CheckedRing, CheckpointSigner, CheckpointVerifier, Head, HighWaterMark, KeyState
from dualseal import Krunica, Pins, RingKey, Seal, Sealer, SealKey, SigningKey

ORIGIN = "bulk.example/log"
MAKERS = 40
# One row of so many is planted, and of each file.
PLANTED, FILE = 100, 50_000
TIMES = (f"2026-11-21T{hour:02}:{minute:02}:00.000Z" for hour in range(24) for minute in range(60))
SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64()),
        pa.field("identity_id", pa.string()),
        pa.field("payload", pa.binary()),
        pa.field("seal", pa.binary()),
        pa.field("place", pa.string()),
    ]
)

Row = dict[str, Any]


@dataclass
class Maker:
    """Who seals: an identity, its seal key, and its current and its first key."""

    identity: str
    seal_key: SealKey
    key: SigningKey
    first: SigningKey


@dataclass
class World:
    """A log's operator."""

    domain: dualseal.Domain = field(default_factory=lambda: dualseal.Domain("BULK"))
    chain: Krunica = field(default_factory=Krunica)
    ring: CheckedRing = field(init=False)
    log_key: SigningKey = field(default_factory=SigningKey.generate)
    makers: list[Maker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ring = CheckedRing(ORIGIN, RingKey.generate(self.domain))

    def enrol(self, name: str) -> Maker:
        identity = self.domain.identity_id(b"", name, "bulk")
        key = SigningKey.generate()
        maker = Maker(identity, SealKey.from_bytes(SigningKey.generate().seed()), key, key)
        self.change(self.ring.add, identity, key.public_key)
        return maker

    def change(self, change: Callable[..., Any], *arguments: Any) -> None:
        entry, _ = change(*arguments, head=self.chain.head, time=next(TIMES))
        self.chain.push(entry)

    def place(self, seal: Seal, identity: str) -> str:
        """Appends the seal's own entry; its handle."""
        entry, _ = seal.append_to(self.chain.head, self.domain, identity, next(TIMES))
        self.chain.push(entry)
        self.ring.follow(entry, masters=[])
        return entry.krunica_hash

    def sealer(self, maker: Maker, key: SigningKey | None = None) -> Sealer:
        return Sealer(self.domain, maker.identity, maker.seal_key, key or maker.key)


@dataclass
class Made:
    """What `make` wrote, and what the operator keeps."""

    world: World
    rows: int
    expected: list[Row]
    watched: list[str]


def payload_of(number: int) -> bytes:
    return f"invoice {number} of {number * 7 % 1000}.00 EUR\n".encode() * 8


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def faults(world: World) -> list[Callable[[int], tuple[Row, str, str | None]]]:
    """A maker of a planted row for each kind of fault: the row, its verdict and its reason. Those of a state are by
    makers of their own, whose every seal is found."""
    revoked, suspended, decoy, rotated = (world.enrol(name) for name in ("revoked", "suspended", "decoy", "rotated"))
    stranger = Maker(world.domain.identity_id(b"", "stranger", ""), rotated.seal_key, rotated.key, rotated.key)
    early = [world.sealer(rotated).seal(payload_of(-number)) for number in (1, 2)]
    handles = [world.place(seal, rotated.identity) for seal in early]
    new = SigningKey.generate()
    world.change(world.ring.rotate, rotated.identity, new.public_key)
    rotated.key = new
    late = world.sealer(rotated, rotated.first).seal(payload_of(-3))
    handles.append(world.place(late, rotated.identity))
    world.change(world.ring.set_state, revoked.identity, KeyState.REVOKED)
    world.change(world.ring.set_state, suspended.identity, KeyState.SUSPENDED)
    world.change(world.ring.set_state, decoy.identity, KeyState.DECOY)
    checkpoint = log_of(world)
    reader = dualseal.ChainReader(world.domain, under=checkpoint)
    watched = reader.place_proofs(handles)
    before, other, after = (proof.to_json() for proof in reader.read(world.chain)[watched])
    good = world.makers[0]

    def row(maker: Maker, number: int, key: SigningKey | None = None, **changes: Any) -> Row:
        payload = payload_of(number)
        seal = world.sealer(maker, key).seal(payload).to_bytes()
        return {"identity_id": maker.identity, "payload": payload, "seal": seal, "place": None} | changes

    def placed(seal: Seal, number: int, place: str | None) -> Row:
        row = {"identity_id": rotated.identity, "payload": payload_of(number), "seal": seal.to_bytes()}
        return row | {"place": place}

    def with_seal(change: Callable[[bytes], bytes | None]) -> Callable[[int], Row]:
        return lambda number: (made := row(good, number)) | {"seal": change(made["seal"])}

    plans: list[tuple[Callable[[int], Row], str, str | None]] = [
        (lambda number: row(good, number, payload=payload_of(number + 1)), "invalid", "signature"),
        (with_seal(lambda seal: flipped(seal, 3000)), "invalid", "signature"),
        (with_seal(lambda seal: flipped(seal, 10)), "invalid", "signature"),
        (with_seal(lambda seal: seal[:-1]), "malformed", None),
        (with_seal(lambda seal: seal + b"\0"), "malformed", None),
        (with_seal(lambda seal: b"SEAL-DUAL::" + seal), "malformed", None),
        (with_seal(lambda seal: b"\xff\xfe"), "malformed", None),
        (with_seal(lambda seal: b""), "malformed", None),
        (with_seal(lambda seal: None), "malformed", None),
        (with_seal(lambda seal: world.sealer(good).seal_legacy(b"x").to_bytes()), "invalid", "legacy seal"),
        (lambda number: row(good, number, payload=None), "malformed", None),
        (lambda number: row(good, number, identity_id=None), "malformed", None),
        (lambda number: row(good, number, identity_id=good.identity.upper()), "malformed", None),
        (lambda number: row(good, number, identity_id=world.makers[1].identity), "invalid", "signature"),
        (lambda number: row(stranger, number), "invalid", "unknown identity"),
        (lambda number: row(revoked, number), "revoked", None),
        (lambda number: row(suspended, number), "suspended", None),
        (lambda number: row(rotated, number, rotated.first), "invalid", "retired key"),
        (lambda _: placed(late, -3, None), "invalid", "retired key"),
        (lambda _: placed(late, -3, after), "invalid", "retired key"),
        (lambda _: placed(early[0], -1, other), "invalid", "retired key"),
        (lambda number: row(good, number, place=before), "invalid", "located"),
        (lambda _: placed(early[0], -1, before.replace(ORIGIN, "other.example/log")), "invalid", "place-foreign"),
        (lambda _: placed(early[0], -1, before[:-1]), "malformed", None),
        (lambda _: placed(early[0], -1, before), "valid", None),
        # To the workers, who have the public ring, it is the seal of a valid key.
        (lambda number: row(decoy, number), "decoy", None),
    ]
    def planted(plan: tuple[Callable[[int], Row], str, str | None]) -> Callable[[int], tuple[Row, str, str | None]]:
        return lambda number: (plan[0](number), plan[1], plan[2])

    return [planted(plan) for plan in plans]


def log_of(world: World) -> dualseal.VerifiedCheckpoint:
    """The checkpoint over all that the chain has, verified."""
    log, key = world.domain.identity_id(b"", "log", "bulk"), world.log_key
    signer = CheckpointSigner(world.domain, ORIGIN, log, key)
    checkpoint = signer.sign(HighWaterMark.first(ORIGIN, world.chain.head, ring=world.ring), time=next(TIMES))
    pins = Pins(origin=ORIGIN, identity_id=log, key_hash=key.public_key.hash, least_size=world.chain.head.size)
    return CheckpointVerifier(world.domain, pins).verify(checkpoint).verified()


def rows_of(made: Made) -> Iterator[Row]:
    """Every row, by makers in turn; one of every PLANTED is planted, of each kind as often as of the others."""
    world, planted = made.world, itertools.cycle(faults(made.world))
    for start in range(0, made.rows, 1000):
        numbers = range(start, min(start + 1000, made.rows))
        maker = world.makers[start // 1000 % len(world.makers)]
        payloads = [payload_of(number) for number in numbers]
        for number, payload, seal in zip(numbers, payloads, world.sealer(maker).seal_many(payloads), strict=True):
            row: Row = {"identity_id": maker.identity, "payload": payload, "seal": seal.to_bytes(), "place": None}
            if number % PLANTED == PLANTED - 1:
                row, verdict, reason = next(planted)(number)
                if verdict != "valid":
                    made.expected.append({"id": number, "verdict": verdict, "reason": reason})
            elif number % 7 == 0:
                # The text of a seal stands in the same column.
                row["seal"] = str(seal).encode()
            yield {"id": number} | row


def make(folder: Path, rows: int) -> Made:
    """Writes all of it."""
    made = Made(World(), rows, [], [])
    world = made.world
    world.makers += [world.enrol(f"maker {number}") for number in range(MAKERS)]
    given = folder / "given"
    (given / "seals").mkdir(parents=True)
    every = rows_of(made)
    for number in range((rows + FILE - 1) // FILE):
        table = pa.Table.from_pylist(list(itertools.islice(every, FILE)), schema=SCHEMA)
        pq.write_table(table, given / "seals" / f"{number:05}.parquet", row_group_size=5000)
    decoy = world.domain.identity_id(b"", "decoy", "bulk")
    made.watched.append(decoy)
    checkpoint = log_of(world).checkpoint
    (given / "ring.json").write_text(world.ring.public().to_json(), encoding="utf-8")
    (given / "checkpoint.json").write_text(checkpoint.to_json(), encoding="utf-8")
    log = {
        "domain": "BULK",
        "origin": ORIGIN,
        "identity_id": checkpoint.identity_id,
        "key_hash": checkpoint.public_key.hash,
        "least_size": world.chain.head.size,
        "watched": made.watched,
    }
    (folder / "log.json").write_text(json.dumps(log), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(made.expected), folder / "expected.parquet")
    return made


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
