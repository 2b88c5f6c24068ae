"""Documents with an end by the hundred thousand and vehicles by the ten thousand, written straight into the tables; how
long a look at them takes."""

from __future__ import annotations

import datetime
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg
import requests

from .trustd import Trustd

OWNERS, DAYS = 10_000, 1095
SECONDS = 600
CONTACTS = ("id", "name", "identity_id", "relay", "language", "on_call", "state", "version", "changed", "world")
DOCUMENTS = (
    *("identity_id", "world", "vlasnik_id", "tip", "naslov", "vrijedi_do", "zona", "archived", "kontekst", "version"),
    *("date_version", "next_due", "plan", "krunica", "created", "changed"),
)
VEHICLES = (
    *("id", "world", "registracija", "maticna", "vlasnik_id", "retired", "version", "left_at", "told", "next_due"),
    *("plan", "krunica", "created", "changed"),
)
AT_HOME, WEEK = 9223372036854775807, 7 * 86_400_000


class Tables:
    """The database of a service, beside it."""

    def __init__(self, trustd: Trustd) -> None:
        address = str(trustd.backend.settings.get("database_owner", ""))
        self.server = psycopg.connect(address, autocommit=True) if address else None
        self.file = None if address else sqlite3.connect(trustd.data / "trustd.sqlite", timeout=60)

    def fill(self, table: str, columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
        """Adds rows."""
        names = ", ".join(columns)
        if self.server is not None:
            with self.server.cursor().copy(f"COPY {table} ({names}) FROM STDIN".encode()) as copy:
                for row in rows:
                    copy.write_row(row)
            self.server.execute(f"ANALYZE {table}".encode())
        if self.file is not None:
            marks = ", ".join("?" * len(columns))
            with self.file:
                self.file.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)

    def run(self, text: str) -> list[Any]:
        """One statement; what it gives."""
        if self.server is not None:
            cursor = self.server.execute(text.encode())
            return cursor.fetchall() if cursor.description else []
        assert self.file is not None
        with self.file:
            return self.file.execute(text).fetchall()

    def close(self) -> None:
        """Ends the connection."""
        for connection in (self.server, self.file):
            if connection is not None:
                connection.close()


def fill(tables: Tables, count: int) -> None:
    """So many documents of some owners, each of whom has a contact; their last days are spread over three years."""
    today = datetime.datetime.now(datetime.UTC).date()
    contacts = (
        (f"{owner:08x}-0000-7000-8000-{owner:012x}", "n", f"{owner:064x}", str(owner), "en", 0, "active", 1, 0, 0)
        for owner in range(OWNERS)
    )
    tables.fill("contacts", CONTACTS, contacts)

    def documents() -> Iterator[tuple[object, ...]]:
        for number in range(count):
            last = (today + datetime.timedelta(days=number * 7919 % DAYS)).isoformat()
            own = (f"{number + (1 << 200):064x}", 0, f"{number % OWNERS:064x}", "MEDICAL", f"document {number}")
            yield (*own, last, "Europe/Zagreb", 0, "00" * 16, 1, 1, None, "none", "00" * 32, number, 0)

    tables.fill("documents", DOCUMENTS, documents())


def vehicles(tables: Tables, count: int) -> None:
    """So many vehicles: a third is at home, the others left within ten weeks, and their levels were told."""
    now = int(time.time() * 1000)

    def rows() -> Iterator[tuple[object, ...]]:
        for number in range(count):
            away = number * 7919 % (10 * WEEK // 1000) * 1000
            left_at = AT_HOME if number % 3 == 0 else now - away
            level = ["ok", "warning", "critical", "violation"][max(0, min(away // WEEK - 5, 3)) if number % 3 else 0]
            own = (f"{number:08x}-0000-7000-8000-{number:012x}", 0, f"ZG{number}", "HR", f"{number % OWNERS:064x}", 0)
            yield (*own, 1, left_at, level, None, "6 7 8", "00" * 32, number, 0)

    tables.fill("vehicles", VEHICLES, rows())


def own(tables: Tables, owner: str, count: int) -> None:
    """Somebody has the first so many of the vehicles and of the documents."""
    for table in ("vehicles", "documents"):
        tables.run(f"UPDATE {table} SET vlasnik_id = '{owner}' WHERE created < {count}")


def looked(trustd: Trustd, tables: Tables, metrics: str) -> tuple[float, int]:
    """Has the service look now; the seconds that it took, and how many were told."""
    before = told(metrics)
    ended = "SELECT COUNT(*) FROM jobs WHERE name = 'documents' AND due_at > 0 AND ended_run = last_run"
    tables.run("UPDATE jobs SET due_at = 0, ended_run = NULL WHERE name = 'documents'")
    end = time.monotonic() + SECONDS
    while tables.run(ended)[0][0] == 0:
        assert time.monotonic() < end and trustd.is_healthy(), "the look does not end"
        time.sleep(0.05)
    return measure(metrics, "trustd_documents_loop_seconds"), told(metrics) - before


def a_day_later(tables: Tables) -> None:
    """Every document ends a day sooner: tomorrow, as the service sees it."""
    sooner = "date(vrijedi_do, '-1 day')" if tables.file is not None else "CAST(CAST(vrijedi_do AS date) - 1 AS text)"
    tables.run(f"UPDATE documents SET vrijedi_do = {sooner}, next_due = next_due - 86400000")


def all_at_once(tables: Tables) -> None:
    """Every document gets a date, a week from now, of which nothing was told."""
    last = (datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=6)).isoformat()
    anew = "date_version = date_version + 1, told_to = NULL, next_due = 1"
    tables.run(f"UPDATE documents SET vrijedi_do = '{last}', {anew}")


def told(metrics: str) -> int:
    """How many thresholds were told."""
    return int(measure(metrics, 'trustd_document_alarms_total{outcome="sent"}'))


def measure(metrics: str, name: str) -> float:
    """A measure of the service; none where it never measured it."""
    page = requests.get(metrics, timeout=10).text
    found = re.search(rf"^{re.escape(name)} (\S+)$", page, re.MULTILINE)
    return float(found[1]) if found else 0.0
