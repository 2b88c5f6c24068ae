"""The monitor, beside a service that is dead or played: each check fails alone, all together, and who is told."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Make
from harness import configuration, process
from harness.http import answer
from harness.monitor import Monitor, monitor
from harness.neighbours import neighbours, ran

PAGE = (Path(__file__).parents[3] / "docs/OPERATIONS.md").read_text()
HEALTH = re.compile(r'\("(\w+)", "(/[\w/]+/health)"\)')
SOURCES = Path(__file__).parent.parent / "trustd/src"
NINE = dict(HEALTH.findall((SOURCES / "mesh/rules.rs").read_text()))
# Those that this program serves.
MODULES = {name: path for name, path in NINE.items() if f'"{path}"' in (SOURCES / "table.rs").read_text()}
OTHERS = {
    "portal", "database", "head", "checkpoint", "objects", "disk", "clock", "certificate", "outbox", "peers", "sources",
}  # fmt: skip
BOT = "/bottoken/sendMessage"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Monitor]:
    """One for all tests of what is found."""
    folder = tmp_path_factory.mktemp("monitor")
    (folder / "mail").mkdir()
    with monitor(folder) as made:
        yield made


Break = Callable[[Monitor], Callable[[], object]]


def asked(path: str, status: int = 503, said: Any = None) -> Break:
    """Somebody answers otherwise."""

    def change(one: Monitor) -> Callable[[], object]:
        one.around.broken[path] = (status, said)
        return lambda: one.around.broken.pop(path)

    return change


def said(**mesh: Any) -> Break:
    """A setting that nothing comes up to."""

    def change(one: Monitor) -> Callable[[], object]:
        one.write(**mesh)
        return one.write

    return change


def moved(path: str, instead: Callable[[Path], object] = lambda _: None) -> Break:
    """Something is not where it was."""

    def change(one: Monitor) -> Callable[[], object]:
        there, away = one.folder / path, one.folder / f"away-{path.replace('/', '-')}"
        shutil.move(there, away)
        instead(there)

        def back() -> None:
            there.unlink(missing_ok=True)
            shutil.move(away, there)

        return back

    return change


def written(statement: str, undo: str) -> Break:
    """Rows of the database."""

    def change(one: Monitor) -> Callable[[], object]:
        def run(text: str) -> None:
            database = sqlite3.connect(one.folder / "data/trustd.sqlite")
            with database:
                database.executescript(text)
            database.close()

        run(statement)
        return lambda: run(undo)

    return change


def slow(one: Monitor) -> Callable[[], object]:
    """The clock of somebody else is an hour ahead."""
    one.around.off = 3600

    def back() -> None:
        one.around.off = 0

    return back


WAITS = (
    "INSERT INTO messages_out (id, recipient, rank, ways, way, subject, body, created, due_at, expires, leased_until, "
    "attempts, state, changed, world) VALUES ('w', 'x', 0, '', 0, '', '', 0, 0, 0, 0, 0, 'queued', 0, 0)"
)
# As the service leaves it, which does not run here.
READ = f"UPDATE jobs SET well_run = {time.time_ns() // 1_000_000}"
# Of what the service found of all of the chain.
FOUND = "UPDATE jobs SET fault = 'unhealthy' WHERE name = 'verify-chain'"
# It was not read since long, nor found well; nor is anything known of it once it has begun again.
UNREAD = "UPDATE jobs SET well_run = 1 WHERE name = 'verify-chain'"
UNKNOWN = "UPDATE jobs SET well_run = NULL WHERE name = 'verify-chain'"
GONE = "UPDATE jobs SET name = 'gone' WHERE name = 'verify-chain'"
BACK = "UPDATE jobs SET name = 'verify-chain' WHERE name = 'gone'"
BREAKS: dict[str, list[Break]] = {
    **{module: [asked(path)] for module, path in MODULES.items()},
    "portal": [asked("/portal"), asked("/portal", 302, "/ping")],
    "database": [moved("data/trustd.sqlite")],
    "head": [
        moved("data/apart/high-water-mark"),
        written(FOUND, "UPDATE jobs SET fault = NULL"),
        written(UNREAD, READ),
        written(UNKNOWN, READ),
        written(GONE, BACK),
    ],
    "objects": [moved("data/objects", lambda path: path.write_text("no folder"))],
    "disk": [said(disk_free=100)],
    "clock": [slow],
    "certificate": [said(certificate_days=30), said(ca_file=None)],
    "outbox": [written(WAITS, "DELETE FROM messages_out")],
    "peers": [
        asked("/api/v1/mesh/health"),
        # A silent monitor, one that never ran, one that says anything, and a peer that leads elsewhere.
        asked("/api/v1/mesh/health", 200, ran(2 * 3600 + 400)),
        asked("/api/v1/mesh/health", 200, {"status": "ok", "last_run": None}),
        asked("/api/v1/mesh/health", 200, ran(-7200)),
        asked("/api/v1/mesh/health", 200, "x" * 70_000),
        asked("/api/v1/mesh/health", 302, "/ping"),
    ],
    "sources": [moved("src/dsa/rules.rs"), moved("src/threshold.rs", lambda path: path.write_text("// empty\n"))],
}


def test_there_are_twenty_and_none_is_left_out() -> None:
    assert len(NINE) == 9 and len(NINE.keys() | OTHERS) == 20
    # Of the last one a test of its own knows: it wants time to pass.
    assert BREAKS.keys() | {"checkpoint"} == MODULES.keys() | OTHERS
    for name in OTHERS | {"modules"}:
        assert re.search(rf"^### Check {name}$", PAGE, re.MULTILINE), name


def test_where_all_is_well_nobody_is_told(watched: Monitor) -> None:
    before = len(watched.around.told), len(watched.mailed()), watched.around.pinged
    found = watched.check(0)
    assert set(found.values()) == {"ok"} and found.keys() >= OTHERS, found
    assert (len(watched.around.told), len(watched.mailed()), watched.around.pinged - 1) == before


@pytest.mark.parametrize("name", BREAKS)
def test_each_fails_alone(watched: Monitor, name: str) -> None:
    if name not in watched.check(0):
        pytest.fail(f"{name} is not looked at")
    for change in BREAKS[name]:
        told = len(watched.around.told)
        back = change(watched)
        assert watched.failed() == {name}
        [alert] = watched.around.told[told:]
        head, line, link = alert.splitlines()
        assert re.fullmatch(r"trustd berlin-1 \d{4}-\d\d-\d\dT[\d:.]+Z: 1 of \d\d checks failed", head)
        assert line.startswith(f"{name}: ") and len(line) > len(name) + 8
        anchor = "modules" if name in MODULES else name
        assert link.strip().endswith(f"docs/OPERATIONS.md#check-{anchor}")
        back()
        # One word, and no more.
        watched.check(0)
        watched.check(0)
        [again] = watched.around.told[told + 1 :]
        assert again.endswith("all is well again")


def test_a_checkpoint_that_is_due_for_long(watched: Monitor) -> None:
    watched.settings["log"] = {"checkpoint_every": "1s"}
    watched.write()
    watched.check(0)
    added = watched.command("node", "add", "--label", "https://node.example", "--subject", "ab" * 32)
    assert added.returncode == 0, added.stderr
    time.sleep(2.5)
    assert watched.failed() == {"checkpoint"}
    assert watched.command("checkpoint", "rotate-key").returncode == 0
    watched.check(0)


def test_an_entry_waits_since_a_run_saw_it_first(watched: Monitor) -> None:
    """By its own date it may wait since no time at all, where the clock that dated it was ahead."""
    added = watched.command("node", "add", "--label", "https://node-2.example", "--subject", "cd" * 32)
    assert added.returncode == 0, added.stderr
    watched.check(0)
    file = watched.folder / "data/mesh.json"
    left = json.loads(file.read_text())
    file.write_text(json.dumps(left | {"waits": [left["waits"][0], 1]}))
    assert watched.failed() == {"checkpoint"}
    assert watched.command("checkpoint", "rotate-key").returncode == 0
    watched.check(0)


def test_all_together_by_relay_then_by_mail(watched: Monitor) -> None:
    known = watched.check(0).keys()
    # Where the database is gone, what hangs on it is not looked at.
    hang = {"database": {"head", "outbox", "objects", "checkpoint"}}
    backs = [BREAKS[name][0](watched) for name in known if name in BREAKS and name not in hang["database"]]
    # Nobody hears of it at first.
    watched.around.broken[BOT] = (500, {})
    pings = watched.around.pinged
    try:
        watched.write(disk_free=100, certificate_days=30)
        mails, told = len(watched.mailed()), len(watched.around.told)
        assert watched.failed() == known - hang["database"]
        [alert] = watched.mailed()[mails:]
        assert "berlin-1" in alert and all(f"{name}: " in alert for name in known - hang["database"])
        assert len(watched.around.told) == told and watched.around.pinged == pings + 1
        # Neither way: that is an error, which peers and the switch outside hear of, since no run is noted.
        watched.write(disk_free=100, certificate_days=30, mail_to=None)
        assert watched.command("mesh", "check").returncode == 2
        assert watched.around.pinged == pings + 1
    finally:
        del watched.around.broken[BOT]
        for back in reversed(backs):
            back()
        watched.write()
    watched.check(0)
    assert watched.around.told[-1].endswith("all is well again")


def test_while_somebody_works_there_nobody_is_told(watched: Monitor) -> None:
    assert watched.command("mesh", "quiet", "--for", "2d").returncode == 2
    assert watched.command("mesh", "quiet", "--for", "5m").returncode == 0
    told = len(watched.around.told)
    back = BREAKS["portal"][0](watched)
    assert watched.failed() == {"portal"} and len(watched.around.told) == told
    back()
    watched.check(0)
    assert watched.command("mesh", "quiet", "--for", "0s").returncode == 0
    watched.check(0)
    assert len(watched.around.told) == told


def test_a_service_that_is_dead_is_told_of_and_alive_says_when_its_monitor_ran(make: Make, tmp_path: Path) -> None:
    [port] = process.free_ports(1)
    with neighbours() as around:
        token = configuration.secret(tmp_path / "token", "token")
        messaging = {"relay_url": around.address, "relay_token_file": token}
        mesh = {"relay_to": "7", "disk_free": 0, "node": "berlin-1"}
        settings = {"listen": f"127.0.0.1:{port}", "base_url": "http://localhost", "messaging": messaging, "mesh": mesh}
        service = make(configuration.local(), settings).start()
        assert answer(service.client().get("/api/v1/mesh/health")) == {"status": "ok", "last_run": None}
        service.run("mesh check")
        assert answer(service.client().get("/api/v1/mesh/health"))["last_run"] is not None and not around.told
        service.kill()
        found = service.run("mesh check", code=1)
        [alert] = around.told
        modules = [line for line in found.splitlines() if "FAILED" in line]
        assert "dsa: FAILED: no answer" in modules[0]
        assert f": {len(modules)} of {len(MODULES) + len(OTHERS)} checks failed" in alert
        assert {line.split(":")[0] for line in modules} == set(MODULES)
        service.start()
        service.run("mesh check")
        assert around.told[1:] and around.told[-1].endswith("all is well again")
