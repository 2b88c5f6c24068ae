"""The service and its peers for every test below.

`service` runs one process a test module on each backend; `make` gives a test processes of its own. Peers of later
modules (an MTA) get a file in `harness/` and a fixture beside these.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness import browser, configuration, objects, postgres
from harness.configuration import Backend, Settings, merged
from harness.http import Client
from harness.machine import Machine, founded
from harness.objects import S3
from harness.postgres import Postgres
from harness.trustd import Trustd
from playwright.sync_api import Browser, Page

# What counts the problems that were answered.
pytest_plugins = ["harness.counted"]
BACKENDS = ("sqlite+folder", "postgres+s3")

# What takes longest, much of it by waiting, begins first, each on a worker for itself: none is waited for at the end.
LONGEST = [
    "test_no_change_is_answered_when_it_is_done",
    "test_the_service_keeps_its_contract",
    "test_the_time_of_an_answer_tells_no_thief",
    "test_two_processes_of_which_one_is_killed_tell_each_once",
    "test_acknowledged_records_survive_kills",
    "test_an_idle_or_slow_caller_does_not_keep_it_from_ending",
    "test_a_thief_is_answered_as_anybody_else",
    "test_nodes_bring_a_document_back_whatever_log_a_restore_began",
    "test_a_witness_cosigns_what_only_grew",
]

Make = Callable[..., Trustd]
Host = Callable[..., Trustd]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one module on one backend share a service, and so a worker of `--dist loadgroup`."""
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        kind = parameters.get("backend") or parameters.get("own_backend") or "any"
        name = called(item)
        group = name if name in LONGEST else item.path.stem
        item.add_marker(pytest.mark.xdist_group(f"{group}-{kind}"))
    items.sort(key=lambda item: LONGEST.index(called(item)) if called(item) in LONGEST else len(LONGEST))


def called(item: pytest.Item) -> str:
    """A test's name, without its parameters."""
    return item.name.partition("[")[0]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """PostgreSQL, for this test process."""
    with postgres.server() as server:
        yield server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3]:
    """An S3 server, for this test process."""
    with objects.server() as server:
        yield server


@contextlib.contextmanager
def backend_named(name: str, request: pytest.FixtureRequest) -> Iterator[Backend]:
    """An empty backend. Only the second kind starts the servers."""
    if name == "sqlite+folder":
        yield configuration.local()
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    s3: S3 = request.getfixturevalue("s3_server")
    with server.database() as database, s3.bucket() as bucket:
        yield configuration.fleet((server.url(database), server.url(database, postgres.OWNER)), s3, bucket)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """One that releases are put on, on SQLite."""
    return founded(tmp_path)


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """A backend of each kind, fresh for each test module."""
    with backend_named(request.param, request) as made:
        yield made


@pytest.fixture(params=BACKENDS)
def own_backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """A backend of each kind, fresh for each test."""
    with backend_named(request.param, request) as made:
        yield made


@pytest.fixture
def shared_backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """What several processes can share, fresh for each test."""
    with backend_named("postgres+s3", request) as made:
        yield made


@pytest.fixture(scope="module")
def service(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trustd]:
    """A running service, fresh for each test module and backend."""
    running = Trustd(tmp_path_factory.mktemp("trustd"), backend).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def native(service: Trustd) -> Client:
    """Whoever holds the first token."""
    return service.client(service.first_token())


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser, for each test module that asks for one."""
    with browser.browser() as started:
        yield started


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A window of a phone's size, with nothing kept from another test."""
    context = chromium.new_context(viewport=browser.PHONE, locale="en-GB")
    context.set_default_timeout(browser.MILLISECONDS)
    yield context.new_page()
    context.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Prepares processes of the service for one test: `make(backend, settings, name=…, host=…)`. Those of one host have
    one data folder."""
    made: list[Trustd] = []

    def one(backend: Backend, settings: Settings | None = None, name: str = "trustd", host: str = "host") -> Trustd:
        made.append(Trustd(tmp_path / host, backend, settings, name))
        return made[-1]

    yield one
    for process in made:
        process.close()


@pytest.fixture
def host(own_backend: Backend, make: Make, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Host]:
    """Prepares an empty host that has the master of another, and what lies apart from its database as it is now."""
    with contextlib.ExitStack() as open_backends:
        count = 0

        def one(of: Trustd, more: Settings | None = None) -> Trustd:
            nonlocal count
            count += 1
            empty = open_backends.enter_context(backend_named(own_backend.name, request))
            apart = own_backend.settings.get("keys", {"apart": str(tmp_path / f"host-{count}" / "apart")})
            assert isinstance(apart, dict)
            settings = {"keys": {"master": str(of.data / "master.pem"), **apart}}
            made = make(empty, merged(settings, more or {}), name="trustd", host=f"host-{count}")
            made.data.mkdir(mode=0o700)
            if own_backend.bucket is None:
                shutil.copytree(of.data / "apart", tmp_path / f"host-{count}" / "apart")
            return made

        yield one
