"""How often the public may ask, and who counts as one caller."""

from __future__ import annotations

import time
from collections import Counter

from conftest import Make
from harness.configuration import Backend, local
from harness.http import Client, problem
from harness.load import identity
from harness.trustd import Trustd

BURST = 10
HEALTH = "/api/v1/dsa/health"
FEW = {"rate": {"enabled": True, "per_second": 2, "burst": BURST}}
PROXY = {"trusted_proxies": ["127.0.0.1/32"]}


def statuses(client: Client, forwarded: list[str]) -> Counter[int]:
    """How requests that came on behalf of these addresses were answered."""
    return Counter(client.get(HEALTH, headers={"X-Forwarded-For": address}).status_code for address in forwarded)


def rested(trustd: Trustd) -> Trustd:
    """Once whoever waited for its health is forgotten."""
    time.sleep(BURST / 2)
    return trustd


def test_a_caller_who_asks_too_often_is_told_when_to_come_back(own_backend: Backend, make: Make) -> None:
    trustd = rested(make(own_backend, FEW).start())
    stranger = trustd.client()
    answers = [stranger.get(HEALTH) for _ in range(3 * BURST)]
    served = [response.status_code for response in answers].count(200)
    assert BURST <= served < 2 * BURST
    problem(answers[-1], 429, "rate-limited")
    # Pages are texts of the program: phones behind one address open them all at once.
    assert {stranger.get("/driver/app.js").status_code for _ in range(3 * BURST)} == {200}
    time.sleep(int(answers[-1].headers["Retry-After"]) + 0.1)
    assert stranger.get(HEALTH).status_code == 200
    # Whoever has a token is no stranger: what needs one is not counted.
    native = trustd.client(trustd.first_token())
    for number in range(2 * BURST):
        identity(native, f"of {number}")


def test_a_caller_cannot_choose_who_he_is(make: Make) -> None:
    trustd = rested(make(local(), FEW).start())
    others = statuses(trustd.client(), [f"203.0.113.{number}" for number in range(3 * BURST)])
    assert others[429] >= BURST, others


def test_behind_a_proxy_its_word_counts_and_no_further(make: Make) -> None:
    trustd = rested(make(local(), FEW | PROXY).start())
    client = trustd.client()
    each = statuses(client, [f"203.0.113.{number}" for number in range(3 * BURST)])
    assert each == {200: 3 * BURST}
    # What stands left of the proxy's own word is the caller's invention.
    invented = statuses(client, [f"203.0.113.{number}, 198.51.100.7" for number in range(3 * BURST)])
    assert invented[429] >= BURST, invented
    # A household of IPv6 is one caller.
    household = statuses(client, [f"2001:db8:0:1::{number:x}" for number in range(3 * BURST)])
    assert household[429] >= BURST, household
    neighbours = statuses(client, [f"2001:db8:0:{number:x}::1" for number in range(0x10, 0x10 + 3 * BURST)])
    assert neighbours == {200: 3 * BURST}
