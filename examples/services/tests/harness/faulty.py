"""A service with something beneath it that fails at one operation, at each in turn, and what must hold after each."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import requests

from . import configuration
from .http import TELL_TALES, Client
from .load import SIGN, encoded, entry, identity
from .process import tail
from .stored import BYTES, sealed, verifies
from .trustd import OPERATOR, Trustd

# Nothing is written but what is asked for.
STILL: configuration.Settings = {"log": {"checkpoint_every": "1h"}}
SEAL, KEY = "/api/v1/vault/seal", "/api/v1/dsa/keypair"
# Whoever comes so long after a fault is served.
GOES_ON = 5.0
# Each act writes to some of these.
TABLES = ("entries", "records", "vault_records", "ring")
HANDLE, DOCUMENT = "krunica_hash", "vault_id"
Rows = tuple[int, ...]


class Fault(Protocol):
    """What becomes of an operation."""

    @property
    def name(self) -> str:
        """For messages."""

    @property
    def goes_on(self) -> bool:
        """Whether all that comes after it fails as well, until it is mended."""


class Beneath(Protocol):
    """What a service stands on."""

    def arm(self, fault: Any, at: int) -> None:
        """Its `at`-th operation from now on, counted from 1, fails."""

    def mend(self) -> int:
        """Nothing fails any more; how many operations have failed."""


@dataclass
class House:
    """A service, and what it has promised. `rows` counts what each of the tables has, as another program reads it."""

    trustd: Trustd
    rows: Callable[[], Rows]
    environment: dict[str, str]
    token: str = ""
    signer: str = ""
    # What answers named, by the name that they have for it.
    promised: dict[str, list[str]] = field(default_factory=lambda: {HANDLE: [], DOCUMENT: []})

    @property
    def native(self) -> Client:
        """On a connection of its own."""
        return self.trustd.client(self.token)

    def start(self) -> Self:
        """With nothing that fails."""
        self.trustd.start(self.environment)
        return self.enter()

    def enter(self) -> Self:
        """With whoever signs below."""
        if not self.token:
            self.token = self.trustd.token(OPERATOR, "native", "trust")
            self.signer = identity(self.native, "signer")
        return self

    def sign(self) -> requests.Response:
        """One document."""
        return self.native.post(SIGN, {"identity_id": self.signer, "content_b64": encoded(os.urandom(8))})

    def seal(self) -> requests.Response:
        """One that is a row and an object."""
        body = {"payload_b64": encoded(os.urandom(BYTES)), "type": "document", "identity_id": self.signer}
        return self.native.post(SEAL, body)

    def key(self) -> requests.Response:
        """Of a new identity."""
        body = {"content_b64": encoded(os.urandom(8)), "creator": "tests", "context": "services"}
        return self.native.post(KEY, body)

    def goes_on(self, when: str) -> None:
        """It signs again."""
        end = time.monotonic() + GOES_ON
        while (signed := self.sign()).status_code != 201:
            assert time.monotonic() < end, f"{when}: it does not go on: {signed.text}\n{tail(self.trustd.log)}"
            time.sleep(0.05)
        self.promised[HANDLE].append(signed.json()[HANDLE])

    def holds(self) -> None:
        """All that was promised is there, each in a place of its own, and so is all that is listed."""
        self.trustd.run("chain verify")
        stranger = self.trustd.client()
        handles, documents = self.promised[HANDLE], set(sealed(self.native))
        assert len({entry(stranger, handle)["seq"] for handle in handles}) == len(handles)
        assert documents >= set(self.promised[DOCUMENT])
        assert all(verifies(stranger, vault_id) for vault_id in documents)

    def said_why(self) -> bool:
        """Whether the one that ended by itself told why, and did not fall over."""
        said = tail(self.trustd.log)
        return self.trustd.ended > 0 and "panicked" not in said and ("rror" in said or "trustd: " in said)


@dataclass(kw_only=True)
class Undermined(House):
    """One beneath which an operation can be made to fail."""

    beneath: Beneath


@dataclass(frozen=True)
class Act:
    """What is asked for, what of the answer names what was made, and how many rows more each table has then."""

    ask: Callable[[House], requests.Response]
    more: Rows
    named: str | None = None


ACTS = {
    "sign": Act(House.sign, (1, 1, 0, 0), HANDLE),
    "seal": Act(House.seal, (1, 1, 1, 1), DOCUMENT),
    "key": Act(House.key, (1, 0, 0, 1)),
}


def once(house: House, act: Act, when: str, mend: Callable[[], int]) -> tuple[bool, bool, int]:
    """Asks for it, and mends what is beneath: whether it was answered as done, whether it is, and how many operations
    failed."""
    before = house.rows()
    after = tuple(map(sum, zip(before, act.more, strict=True)))
    try:
        answered = act.ask(house)
    except requests.RequestException:
        answered = None
    failed = mend()
    if answered is None:
        assert house.trustd.has_ended(GOES_ON), f"{when}: it answers nothing\n{tail(house.trustd.log)}"
        assert house.trustd.ended < 0 or house.said_why(), f"{when}: {tail(house.trustd.log)}"
        house.start()
    found = house.rows()
    assert found in (before, after), f"{when}: {before} {found}"
    is_told = answered is not None and answered.status_code == 201
    if answered is not None and is_told:
        assert found == after, f"{when}: it was answered, and is not there"
        if act.named is not None:
            house.promised[act.named].append(answered.json()[act.named])
    elif answered is not None:
        assert failed > 0, f"{when}: {answered.text}"
        says_little(answered)
    return is_told, found == after, failed


def one_by_one(house: Undermined, act: Act, fault: Fault) -> tuple[int, int]:
    """The act with a fault at its first operation, at its second, until none is left: how many there were, and after
    how many of them it was done and nobody heard that it was."""
    unheard = 0
    for at in itertools.count(1):
        when = f"{fault.name} at {at}"
        house.beneath.arm(fault, at)
        is_told, is_done, failed = once(house, act, when, house.beneath.mend)
        if failed == 0:
            return at - 1, unheard
        unheard += is_done and not is_told
        house.goes_on(when)
    raise AssertionError("it has no end")


def says_little(response: requests.Response) -> None:
    """A refusal says that something failed, and nothing of where."""
    assert response.status_code in (500, 503), response.text
    assert response.headers["Content-Type"].startswith("application/problem+json")
    assert TELL_TALES.search(response.text) is None, response.text
