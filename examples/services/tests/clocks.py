"""The clock beneath a service is set back while it runs, and when it starts: nothing in the log is dated before what
stands there, what was given out before counts no longer than it did, and nothing is done twice.

The suite `services-faults` of `cargo xtask assure` runs this.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import Make
from dualseal_second import krunica
from harness import configuration
from harness.clock import Clock
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import SIGN, checkpoint, encoded, identity
from harness.nodes import until
from harness.postgres import OWNER, Postgres
from harness.trustd import OPERATOR, Trustd

HOUR, YEAR = 3600, 365 * 24 * 3600
KEY = {"Idempotency-Key": "once"}


def issued(trustd: Trustd, clock: Clock) -> Client:
    """A caller with a token of the time that the clock tells."""
    words = ["--subject", OPERATOR, "--tier", "native", "--scope", "trust", "--config", str(trustd.config)]
    done = Trustd.command("token", "issue", *words, environment=clock.environment)
    assert done.returncode == 0, done.stderr
    return trustd.client(done.stdout.strip())


def times(trustd: Trustd, count: int) -> tuple[list[str], dict[str, Any]]:
    """Of so many entries, which are all, and of the checkpoint that covers them."""
    found: dict[str, Any] = {}

    def is_covered() -> bool:
        found.update(checkpoint(trustd.client()))
        return bool(found["size"] >= count)

    until(is_covered, lambda: json.dumps(found))
    portion = trustd.client().get("/api/v1/log/entries", params={"from": 0})
    entries = krunica.parse_export(portion.content)
    assert len(entries) == count
    return [entry["t"] for entry in entries], found


def signs(client: Client, signer: str, count: int) -> None:
    for number in range(count):
        answer(client.post(SIGN, {"identity_id": signer, "content_b64": encoded(f"{number}".encode())}), 201)


@pytest.fixture(params=["sqlite", "postgres"])
def with_folder(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """A backend without S3, whose servers take no request of another time than theirs."""
    if request.param == "sqlite":
        yield configuration.local()
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    with server.database() as name:
        settings = {"database": server.url(name), "database_owner": server.url(name, OWNER)}
        yield Backend("postgres+folder", settings)


@pytest.mark.parametrize("back", [HOUR, YEAR])
def test_a_clock_that_is_set_back_dates_nothing_before(
    with_folder: Backend, make: Make, tmp_path: Path, back: int
) -> None:
    clock = Clock(tmp_path)
    trustd = make(with_folder, {"log": {"checkpoint_entries": 1}}).start(clock.environment)
    old = issued(trustd, clock)
    signer = identity(old, "signer")
    once = {"identity_id": signer, "content_b64": encoded(b"once")}
    first = answer(old.post(SIGN, once, headers=KEY), 201)
    signs(old, signer, 2)
    # The log's key and the signer's come before.
    before, signed = times(trustd, 5)

    clock.set(-back)
    latest = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    # A token of a time to come counts for nobody; one that is issued now does.
    problem(old.post(SIGN, once), 401, "bad-token")
    for begun in (False, True):
        if begun:
            trustd.stop()
            trustd.start(clock.environment)
        new = issued(trustd, clock)
        assert answer(new.post(SIGN, once, headers=KEY), 201) == first, "it was done again"
        signs(new, signer, 3)
        after, later = times(trustd, len(before) + 3)
        assert after[: len(before)] == before and after == sorted(after)
        assert max(after[-1], later["time"]) <= latest, "it is dated later than the clock and the log say"
        assert later["time"] >= signed["time"] and later["size"] > signed["size"]
        before, signed = after, later
    # Whoever was sent away is, whatever the clock says.
    words = ["--subject", OPERATOR, "--config", str(trustd.config)]
    revoked = Trustd.command("token", "revoke", *words, environment=clock.environment)
    assert revoked.returncode == 0, revoked.stderr

    clock.set(0)
    for client in (old, new):
        problem(trustd.client(client.token).post(SIGN, once), 401, "bad-token")
    signs(issued(trustd, clock), signer, 1)
    after, later = times(trustd, len(before) + 1)
    assert after == sorted(after) and after[-1] > before[-1] and later["time"] > signed["time"]
    trustd.run("chain verify")
    print(json.dumps({"back": back, "entries": len(after), "last": after[-1]}))
