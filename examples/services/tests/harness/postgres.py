"""Debian's PostgreSQL: one server a test process, on a unix socket alone; one database a test module."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from . import process

# Where Debian keeps the programs of each major version.
VERSIONS = Path("/usr/lib/postgresql")
# The service's role has nothing in its database; another has the tables, and passes by row-level security to copy them.
# Neither is a superuser: what works only for one must fail here.
ROLE, OWNER = "trustd", "trustd_owner"


class Postgres:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def connect(self, database: str, user: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        """A connection that commits each statement by itself."""
        return psycopg.connect(host=str(self.folder), dbname=database, user=user, autocommit=True)

    def url(self, database: str, role: str = ROLE) -> str:
        """As the service's configuration names a database of this server."""
        return f"postgres://{role}@{quote(str(self.folder), safe='')}/{database}"

    def allow_databases(self) -> None:
        """Lets both roles make databases, for tests that do so by themselves."""
        with self.connect("postgres") as admin:
            for role in (ROLE, OWNER):
                admin.execute(sql.SQL("ALTER ROLE {} CREATEDB").format(sql.Identifier(role)))

    @contextlib.contextmanager
    def database(self, owner: str = OWNER) -> Iterator[str]:
        """The name of an empty database, which is dropped with whoever is still connected."""
        name = f"t{uuid.uuid4().hex}"
        with self.connect("postgres") as admin:
            admin.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(owner)))
        try:
            yield name
        finally:
            with self.connect("postgres") as admin:
                admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def programs() -> Path:
    """The folder of the newest PostgreSQL on this machine."""
    found = {int(path.parent.parent.name): path.parent for path in VERSIONS.glob("*/bin/initdb")}
    if not found:
        raise RuntimeError(f"missing: initdb below {VERSIONS}; install the Debian package postgresql")
    return found[max(found)]


@contextlib.contextmanager
def server(*, durable: bool = False) -> Iterator[Postgres]:
    """A server with data of its own, which are removed with it. Unless it is to be durable, it forces nothing to the
    disk: in tests the service is killed, and never the machine or this server."""
    # A socket's path may have 107 bytes, and the server's user must get to it: no folder of pytest will do.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    user = None
    if process.is_root():
        user = "postgres"
        shutil.chown(folder, user, user)
    data, log = folder / "data", folder / "log"
    try:
        _make(data, user)
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(folder),
            "fsync": "on" if durable else "off",
            "max_connections": "200",
        }
        words = [f"-c{name}={value}" for name, value in settings.items()]
        running = process.start([programs() / "postgres", "-D", data, *words], log, user=user)
        try:
            made = Postgres(folder)
            process.wait_until(lambda: _answers(made), running, log, 60)
            with made.connect("postgres") as admin:
                admin.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(ROLE)))
                admin.execute(sql.SQL("CREATE ROLE {} LOGIN BYPASSRLS").format(sql.Identifier(OWNER)))
            yield made
        finally:
            # At once, without waiting for whoever is connected.
            running.send_signal(signal.SIGQUIT)
            running.wait(30)
    finally:
        shutil.rmtree(folder)


def _make(data: Path, user: str | None) -> None:
    words = [] if user is None else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--"]
    initdb = [
        str(programs() / "initdb"),
        "--no-sync",
        "-U",
        "postgres",
        "--auth=trust",
        "--encoding=UTF8",
        # As a server is that an operator gets: its texts are not in the order of their bytes.
        "--locale=C.UTF-8",
        "--locale-provider=icu",
        "--icu-locale=en-US",
    ]
    done = subprocess.run([*words, *initdb, "-D", str(data)], capture_output=True, text=True, cwd="/")
    if done.returncode != 0:
        raise process.Died(f"initdb: {done.stdout}{done.stderr}")


def _answers(made: Postgres) -> bool:
    try:
        with made.connect("postgres") as one:
            row = one.execute("SHOW server_version").fetchone()
    except psycopg.OperationalError:
        return False
    return row is not None and re.match(r"\d+", str(row[0])) is not None
