"""The service under load, by wrk: `cargo xtask bench services`. One table: requests a second, milliseconds at the
median and at the 99th percentile, the server's own processor time for each request, its greatest memory. Below it what
verifying costs more over HTTP than in a loop, how long a start takes, until it is healthy, how long the daily look at
documents takes, what a page of them and of vehicles costs, and how long a message is on its way in.

SERVICES_SECONDS is how long each row is measured, SERVICES_ENTRIES how many entries the log has when places are asked
for and the service starts, SERVICES_DOCUMENTS how many documents are looked at, SERVICES_VEHICLES how many vehicles
there are, SERVICES_BACKENDS which databases are measured, SERVICES_PARTS which parts: load, documents, fleet. The
limits of a public service are off, and PostgreSQL forces to the disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import configuration, many, office, postgres
from harness.configuration import Backend
from harness.http import answer
from harness.load import checkpoint, encoded, identity
from harness.process import free_ports
from harness.trustd import OPERATOR, Trustd

SECONDS = int(os.environ.get("SERVICES_SECONDS", "10"))
SCRIPT = Path(__file__).with_name("load.lua")
CONTENT = b"document " * 100
ENTRIES = int(os.environ.get("SERVICES_ENTRIES", "20000"))
DOCUMENTS = int(os.environ.get("SERVICES_DOCUMENTS", "100000"))
VEHICLES = int(os.environ.get("SERVICES_VEHICLES", "10000"))
PARTS = os.environ.get("SERVICES_PARTS", "load documents fleet").split()
MESSAGES = 300
BACKENDS = os.environ.get("SERVICES_BACKENDS", "sqlite+folder postgres").split()
VERIFY = "verify"
# The seconds that a log grows before it is looked how far, and by whom.
FILL = 10
SIGNER = (OPERATOR, "native", "trust")
LOOP = Path(os.environ["TRUSTD"]).with_name("examples") / "verify_loop"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Row:
    """What is measured: a request, how many callers send it at once, and with which numbers in it."""

    name: str
    method: str
    target: str
    callers: int
    body: str | None = None
    token: str | None = None
    first: int = 0
    span: int = 1 << 40


@dataclass(frozen=True)
class Measured:
    """What a row gave."""

    row: Row
    backend: str
    rate: float
    p50: float
    p99: float
    cpu: float
    memory: float

    def __str__(self) -> str:
        numbers = f"{self.rate:>9.0f} {self.p50:>8.2f} {self.p99:>8.2f} {self.cpu:>9.1f} {self.memory:>8.0f}"
        return f"{self.backend:<13} {self.row.name:<24} {self.row.callers:>7} {numbers}"


def measure(trustd: Trustd, row: Row, seconds: int = SECONDS) -> Measured:
    """One row of the table. An answer that was a refusal, or none, is an error: its time says nothing."""
    given = {"METHOD": row.method, "TARGET": row.target, "BODY": row.body, "TOKEN": row.token}
    environment = {name: value for name, value in given.items() if value is not None}
    environment |= {"FIRST": str(row.first), "SPAN": str(row.span)}
    before = cpu(trustd.pid)
    done = subprocess.run(
        ["wrk", "-t1", f"-c{row.callers}", f"-d{seconds}s", "--timeout", "30s", "-s", str(SCRIPT), trustd.address],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )
    spent = cpu(trustd.pid) - before
    said = json.loads(done.stdout.splitlines()[-1])
    if said["refused"] or said["broken"] or not said["requests"]:
        raise RuntimeError(f"{row.name}: {said}")
    rate, each = said["requests"] / said["seconds"], spent / said["requests"] * 1e6
    return Measured(row, trustd.backend.name, rate, said["p50"], said["p99"], each, memory(trustd.pid))


class Rows:
    """The requests, with what they need made before."""

    def __init__(self, trustd: Trustd) -> None:
        self.trustd = trustd
        self.token = trustd.first_token()
        client = trustd.client(self.token)
        signer = identity(client, "bench")
        content = encoded(CONTENT)
        record = answer(client.post("/api/v1/dsa/potpisi", {"identity_id": signer, "content_b64": content}), 201)
        self.sign = json.dumps({"identity_id": signer, "content_b64": "%COUNT%"})
        self.verify = json.dumps({"record": record, "identity_id": signer, "content_b64": content})

    def of_a_young_log(self) -> Iterator[Row]:
        """What costs the same at any size."""
        sign = {"method": "POST", "target": "/api/v1/dsa/potpisi", "body": self.sign, "token": self.token}
        yield Row("health", "GET", "/api/v1/dsa/health", 16)
        yield Row(VERIFY, "POST", "/api/v1/dsa/provjeri", 16, self.verify)
        yield Row("sign, one caller", callers=1, **sign)
        yield Row("sign, 32 callers", callers=32, first=1 << 41, **sign)

    def fill(self) -> int:
        """Signs until a checkpoint covers so many entries; their number."""
        first = 1 << 42
        while (size := int(checkpoint(self.trustd.client())["size"])) < ENTRIES:
            row = Row("fill", "POST", "/api/v1/dsa/potpisi", 64, self.sign, self.trustd.token(*SIGNER), first=first)
            measure(self.trustd, row, FILL)
            first += 1 << 32
        return size

    @staticmethod
    def of_an_old_log(size: int) -> Iterator[Row]:
        """What could grow with it."""
        path = "/api/v1/log/proof/%COUNT%"
        yield Row("place, one caller", "GET", path, 1, span=size)
        yield Row("place, 16 callers", "GET", path, 16, span=size)


def in_a_loop(body: str) -> float:
    """The microseconds that the processor needs to verify the same record, over and over, in one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([LOOP, str(SECONDS)], input=body, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent / int(done.stdout) * 1e6


def of(trustd: Trustd) -> None:
    """What one backend gives."""
    rows = Rows(trustd)
    for row in rows.of_a_young_log():
        measured = measure(trustd, row)
        print(measured, flush=True)
        if row.name == VERIFY:
            loop = in_a_loop(rows.verify)
            more = measured.cpu - loop
            said = f"verifying: {measured.cpu:.1f} us over HTTP, {loop:.1f} us in a loop, {more:.1f} more"
            print(f"{trustd.backend.name:<13} {said}", flush=True)
    size = rows.fill()
    for row in rows.of_an_old_log(size):
        print(measure(trustd, row), flush=True)
    trustd.stop()
    begin = time.monotonic()
    trustd.start()
    took = time.monotonic() - begin
    print(f"{trustd.backend.name:<13} start at {size} entries: {took:.2f} s, {memory(trustd.pid):.0f} MiB", flush=True)
    trustd.stop()


def documents(folder: Path, backend: Backend) -> None:
    """How long the service looks at documents: the first time, a day later, and where all of them end at once."""
    metrics = f"127.0.0.1:{free_ports(1)[0]}"
    trustd = Trustd(folder, backend, {"metrics": metrics}).start()
    tables = many.Tables(trustd)
    many.fill(tables, DOCUMENTS)
    for what, before in (("first", None), ("a day later", many.a_day_later), ("all at once", many.all_at_once)):
        if before is not None:
            before(tables)
        took, told = many.looked(trustd, tables, f"http://{metrics}/metrics")
        print(f"{backend.name:<13} look at {DOCUMENTS} documents, {what}: {took:.2f} s, {told} told", flush=True)
    token = trustd.token(OPERATOR, "native", "fleet")
    print(measure(trustd, Row("page of documents", "GET", "/api/v1/lifecycle/dokumenti", 1, token=token)), flush=True)
    tables.close()
    trustd.stop()


def fleet(folder: Path, backend: Backend) -> None:
    """What a page of the overview costs, and how long it takes until a question of somebody who has five vehicles and
    five documents is answered, with its intent stored."""
    with office.provider() as provider:
        trustd = Trustd(folder, backend, {"messaging": office.settings(folder, provider.address)}).start()
        tables = many.Tables(trustd)
        many.fill(tables, DOCUMENTS)
        many.vehicles(tables, VEHICLES)
        token = trustd.token(OPERATOR, "native", "fleet")
        for name, query in (("overview, 50 of them", ""), ("overview, 200 warned", "?limit=200&status=warning")):
            row = Row(name, "GET", f"/api/v1/fleet/fleet-overview{query}", 1, token=token)
            print(measure(trustd, row), flush=True)
        native, stranger = trustd.client(trustd.token(OPERATOR, "native", "messaging")), trustd.client()
        number, owner = "+385910009999", f"{many.OWNERS:064x}"
        many.own(tables, owner, 5)
        contact = {"name": "Ana", "language": "en", "phone": number, "identity_id": owner}
        answer(native.post("/api/v1/messaging/contacts", contact), 201)
        took = []
        for count in range(MESSAGES):
            begin = time.perf_counter()
            said = office.sms(stranger, number, f"status {count}")
            took.append((time.perf_counter() - begin) * 1e3)
            assert said.status_code == 200, said.text
        stored = tables.run("SELECT COUNT(*) FROM messages_in WHERE intent = 'QUERY_STATUS'")[0][0]
        assert stored == MESSAGES, stored
        p50, p99 = statistics.median(took), statistics.quantiles(took, n=100)[98]
        print(f"{backend.name:<13} message to stored intent: p50 {p50:.2f} ms, p99 {p99:.2f} ms", flush=True)
        tables.close()
        trustd.stop()


@contextlib.contextmanager
def backends() -> Iterator[list[Backend]]:
    """SQLite, and PostgreSQL with documents in a folder: the databases are what is compared."""
    with postgres.server(durable=True) as server, server.database() as name:
        settings = {"database": server.url(name), "database_owner": server.url(name, postgres.OWNER)}
        both = [configuration.local(), Backend("postgres", settings)]
        yield [backend for backend in both if backend.name in BACKENDS]


def cpu(pid: int) -> float:
    """The seconds that a process has computed, in user space and in the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> float:
    """The most that it ever had, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    [kib] = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(kib) / 1024


def main() -> None:
    """Prints the table, row by row."""
    numbers = f"{'a second':>9} {'p50 ms':>8} {'p99 ms':>8} {'CPU us':>9} {'MiB':>8}"
    print(f"{'backend':<13} {'operation':<24} {'callers':>7} {numbers}", flush=True)

    def load(folder: Path, backend: Backend) -> None:
        of(Trustd(folder, backend, {"log": {"checkpoint_every": "1h"}}).start())

    for part, measured in (("load", load), ("documents", documents), ("fleet", fleet)):
        with backends() as all_backends:
            for backend in all_backends if part in PARTS else []:
                with tempfile.TemporaryDirectory() as folder:
                    measured(Path(folder), backend)


if __name__ == "__main__":
    main()
