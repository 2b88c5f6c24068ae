"""A small deployment, made by the second implementation itself."""

from __future__ import annotations

import copy
import itertools
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from dualseal_second import ids, krunica, primitives, ring, signature
from dualseal_second.domain import DEFAULT, Domain
from programs import ROOT, program

ORIGIN = "log.example/krunica"
RING_KEY = bytes([9]) * 32
FIRST_SEED, SECOND_SEED, LOG_SEED, DECOY_SEED = (bytes([n]) * 32 for n in (1, 2, 3, 4))
CONTENT = b"articles of association"

Ask = Callable[..., dict[str, Any]]


def cases(few: int, many: int) -> range:
    """The numbers of drawn cases: few in `cargo xtask test`, many in `cargo xtask assure second-long`."""
    return range(many if os.environ.get("DUALSEAL_LONG") else few)


def at(minute: int) -> str:
    return f"2026-11-21T10:{minute:02}:00.000Z"


def key_entry(identity: str, seed: bytes, when: str, seq: int = 0) -> dict[str, Any]:
    """A current key that an entry at `seq` added."""
    return {
        "algoritam": "ML-DSA-65",
        "bela_stanje": "istina",
        "generirano": when,
        "identity_id": identity,
        "javni_kljuc": primitives.public_key_of_seed(seed).hex(),
        "opozvan_od": None,
        "povijest": [[seq, "istina"]],
        "retired": None,
        "role": "current",
    }


def give_state(key: dict[str, Any], state: str) -> None:
    """As if the key had had this state for long: a revoked one for a while only, at a seq that nothing else has."""
    seq = key["povijest"][0][0]
    later = 10**6 + seq
    key["bela_stanje"] = state
    key["povijest"] = [[seq, "istina"], [later, state]] if state == "laz" else [[seq, state]]
    key["opozvan_od"] = later if state == "laz" else None


def settled(keys: list[dict[str, Any]], log: str, domain: Domain = DEFAULT) -> dict[str, Any]:
    """The file of a ring with these keys, states and retirements, as its operator would have come to it."""
    made, unused, taken = sorted(copy.deepcopy(keys), key=ring.order), itertools.count(1000), set[int]()
    came: dict[str, int] = {}
    for key in reversed(made):
        first = next(unused)
        if key["role"] != "decoy":
            if key["role"] == "retired":
                first = next(seq for seq in range(key["retired"] - 1, -1, -1) if seq not in taken)
            first = came.get(key["identity_id"], first)
            came[key["identity_id"]] = key["retired"]
        taken.add(first)
        state = key["bela_stanje"]
        key["povijest"] = [[first, "istina"], [next(unused), state]] if state == "laz" else [[first, state]]
        key["opozvan_od"] = key["povijest"][-1][0] if state == "laz" else None
    revision = sum(len(key["povijest"]) for key in made if key["role"] != "decoy")
    whole = {"keys": made, "origin": log, "revision": revision}
    return ring.parse_ring(ring.sealed(domain, RING_KEY, whole, 10**7, "0" * 128))


@dataclass
class Deployment:
    """A ring with one identity, its chain (the ring's entry, then a signature) and the signed record."""

    domain: Domain
    identity: str
    ring: dict[str, Any]
    chain: list[dict[str, str]]
    head: krunica.Head
    record: dict[str, Any]

    def change(self, keys: list[dict[str, Any]], when: str) -> None:
        """Replaces the keys and appends the ring's entry."""
        after = {"keys": keys, "origin": ORIGIN, "revision": self.ring["revision"] + 1}
        message = ring.change_message(self.domain, RING_KEY, self.head.top, self.identity, after)
        entry, self.head = krunica.append(self.head, self.identity, message, when)
        self.chain.append(entry)
        self.keep(after)

    def keep(self, after: dict[str, Any]) -> None:
        """Writes the ring file."""
        self.ring = ring.sealed(self.domain, RING_KEY, after, self.head.size, self.head.top)

    def set_state(self, state: str, index: int = 0) -> None:
        """As if the key had had this state for long."""
        give_state(self.ring["keys"][index], state)

    def rotate(self) -> None:
        retired = self.ring["keys"][0] | {"retired": self.head.size, "role": "retired"}
        self.change([key_entry(self.identity, SECOND_SEED, at(5), self.head.size), retired], at(5))

    def checkpoint(self) -> dict[str, Any]:
        fields: dict[str, Any] = self.head.stated() | {
            "origin": ORIGIN,
            "time": at(30),
            "identity_id": "a" * 64,
            "algoritam": "ML-DSA-65",
            "javni_kljuc": primitives.public_key_of_seed(LOG_SEED).hex(),
        }
        statement = krunica.checkpoint_statement(self.domain, fields)
        return fields | {"potpis": primitives.sign(LOG_SEED, statement).hex()}

    def pins(self) -> krunica.Pins:
        return krunica.Pins(ORIGIN, "a" * 64, primitives.h3(primitives.public_key_of_seed(LOG_SEED)))

    def verdict(self, located: krunica.Located | None = None, **changes: Any) -> tuple[str, str | None, str | None]:
        signer = changes.get("identity_id", self.identity)
        return signature.verify(self.domain, signer, CONTENT, self.record | changes, self.ring, located)


@pytest.fixture
def deployment() -> Deployment:
    identity = ids.identity_id(DEFAULT, b"someone", "notary", "2026")
    made = Deployment(DEFAULT, identity, {"revision": 0}, [], krunica.Head(), {})
    made.change([key_entry(identity, FIRST_SEED, at(0))], at(0))
    made.record, entry, made.head = signature.make(DEFAULT, FIRST_SEED, identity, CONTENT, at(1), made.head)
    made.chain.append(entry)
    return made


@pytest.fixture(scope="session")
def ask() -> Iterator[Ask]:
    """`tests/src/bin/exchange.rs`, which answers for the library."""
    pipe = subprocess.PIPE
    with subprocess.Popen([program("exchange")], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin and process.stdout
        stdin, stdout = process.stdin, process.stdout

        def request(op: str, **members: Any) -> dict[str, Any]:
            stdin.write(json.dumps({"op": op, "domain": "DUALSEAL"} | members) + "\n")
            stdin.flush()
            answer: dict[str, Any] = json.loads(stdout.readline())
            return answer

        yield request
        stdin.close()
