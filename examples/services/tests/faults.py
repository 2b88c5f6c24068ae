"""The service over a disk and a database that fail at one operation, at each in turn: what was answered is there, the
rest is wholly there or not at all, the chain holds, and the service goes on, or ends with a reason and starts again.

The suite `services-faults` of `cargo xtask assure` runs this.
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Make
from harness import configuration, cut, disk, process
from harness.configuration import Backend
from harness.faulty import ACTS, GOES_ON, STILL, TABLES, House, Rows, Undermined, once, one_by_one
from harness.postgres import OWNER, Postgres
from harness.process import tail

# Of a first start's operations, most of which are of the schema, one in so many.
EACH = 10
COUNTS = [f"SELECT count(*) FROM {table}" for table in TABLES]


def rows_of(data: Path) -> Rows:
    """Of SQLite's file in a data folder."""
    [file] = data.glob("*.sqlite")
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return tuple(database.execute(count).fetchone()[0] for count in COUNTS)


@pytest.fixture
def on_disk(make: Make, tmp_path: Path) -> Iterator[Callable[[str], Undermined]]:
    """Makes services on SQLite and a folder, one a name."""
    made = []

    def one(name: str) -> Undermined:
        trustd = make(configuration.local(), STILL, host=name)
        beneath = disk.Disk(trustd.folder, trustd.data)
        made.append(beneath)
        return Undermined(trustd, lambda: rows_of(trustd.data), beneath.environment, beneath=beneath)

    yield one
    for beneath in made:
        beneath.mend()


@pytest.fixture
def on_server(make: Make, postgres_server: Postgres) -> Iterator[Undermined]:
    """On PostgreSQL and a folder."""
    with postgres_server.database() as name, cut.before(postgres_server.folder) as beneath:
        there = Postgres(beneath.folder)
        settings = {"database": there.url(name), "database_owner": postgres_server.url(name, OWNER)}

        def rows() -> Rows:
            with postgres_server.connect(name) as admin:
                return tuple(int(str(admin.execute(count).fetchone()[0])) for count in COUNTS)  # type: ignore

        trustd = make(Backend("postgres+folder", settings), STILL)
        yield Undermined(trustd, rows, {}, beneath=beneath).start()
        beneath.mend()
        trustd.close()


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("fault", disk.FAULTS, ids=lambda fault: fault.name)
def test_over_a_disk_an_act_is_done_or_not(on_disk: Callable[[str], Undermined], fault: disk.Fault, name: str) -> None:
    house = on_disk("one").start()
    operations, unheard = one_by_one(house, ACTS[name], fault)
    # What is read is in memory.
    assert fault.reads or operations > 3
    print(f"{name}: {operations} operations of the disk ({fault.name}), at {unheard} done and not heard of")
    house.holds()
    house.trustd.stop()
    house.start().holds()


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("fault", cut.FAULTS, ids=lambda fault: fault.name)
def test_on_a_server_an_act_is_done_or_not(on_server: Undermined, fault: cut.Fault, name: str) -> None:
    operations, unheard = one_by_one(on_server, ACTS[name], fault)
    assert operations > 10
    # The answer to COMMIT was lost.
    assert unheard > 0 or not fault.answers
    print(f"{name}: {operations} messages ({fault.name}), at {unheard} done and not heard of")
    on_server.holds()


def has_begun(house: House) -> bool:
    """Whether it came up; else it ended, and told why or was killed."""
    try:
        house.trustd.start(house.environment)
    except process.Died:
        assert house.trustd.ended != 0
        return False
    return True


def begins(house: Undermined, fault: disk.Fault, at: int) -> int:
    """It starts over what fails at one of the operations, how many of which did is told; or ends, and starts over what
    does not fail."""
    house.beneath.arm(fault, at)
    begun = has_begun(house)
    failed = house.beneath.mend()
    if not begun or house.trustd.has_ended(GOES_ON if fault.kills and failed > 0 else 0):
        assert fault.kills or house.said_why(), f"{fault.name} at {at}: {tail(house.trustd.log)}"
        house.trustd.start(house.environment)
    return failed


STARTS = [fault for fault in disk.FAULTS if not fault.reads]


@pytest.mark.parametrize("fault", STARTS, ids=lambda fault: fault.name)
def test_over_a_disk_a_start_and_an_end_are_done_or_done_again(
    on_disk: Callable[[str], Undermined], fault: disk.Fault
) -> None:
    house, ends = on_disk("one").start(), 0
    for at in itertools.count(1):
        when = f"{fault.name} at {at}"
        house.goes_on(when)
        house.beneath.arm(fault, at)
        # It puts into the database's file what was written beside it.
        with contextlib.suppress(AssertionError):
            house.trustd.stop()
        failed = house.beneath.mend()
        assert fault.kills or house.trustd.ended >= 0, f"{when}: it did not end"
        ends += failed > 0
        failed += begins(house, fault, at)
        if failed == 0:
            break
    print(f"{at - 1} operations of a start ({fault.name}), {ends} of an end")
    assert ends > 0
    house.holds()


@pytest.mark.parametrize("fault", STARTS, ids=lambda fault: fault.name)
def test_over_a_disk_a_first_start_is_done_or_begun_again(
    on_disk: Callable[[str], Undermined], fault: disk.Fault
) -> None:
    for at in itertools.count(1, EACH):
        house = on_disk(f"first-{at}")
        failed = begins(house, fault, at)
        house.enter().goes_on(f"{fault.name} at {at}")
        house.trustd.stop()
        if failed == 0:
            break
    print(f"{at - 1} operations of a first start ({fault.name}), one in {EACH} tried")
    assert at > 10 * EACH


# Pages that are left of a disk. A signature takes some ten of them.
LEFT = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64]


def test_on_a_tmpfs_without_room_nothing_is_lost(make: Make, tmp_path: Path) -> None:
    trustd = make(configuration.local(), STILL)
    with disk.room(trustd.data) as left:
        house = House(trustd, lambda: rows_of(trustd.data), {}).start()
        tried: list[bool] = []
        for pages in LEFT:
            for name, act in ACTS.items():
                left.leave(pages)
                tried.append(once(house, act, f"{name} with {pages} pages", left.mend)[0])
                house.goes_on(f"after {pages} pages")
        assert 10 < sum(tried) < len(tried) - 10
        house.holds()
        ended = 0
        for pages in LEFT:
            trustd.stop()
            left.leave(pages)
            if has_begun(house):
                once(house, ACTS["sign"], f"begun with {pages} pages", left.mend)
            else:
                assert house.said_why(), tail(trustd.log)
                ended += 1
                left.mend()
                house.start()
            house.goes_on(f"after it began with {pages} pages")
        house.holds()
        print(f"{len(tried)} acts, {tried.count(False)} in vain; {len(LEFT)} starts, {ended} in vain")
        trustd.stop()
