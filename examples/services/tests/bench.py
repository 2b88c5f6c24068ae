"""The service under load, by wrk: `cargo xtask bench services`. One table: requests a second, milliseconds at the
median and at the 99th percentile, the server's own processor time for each request, its greatest memory.

SERVICES_SECONDS is how long each row is measured. The limits of a public service are off, and PostgreSQL forces to the
disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import configuration, postgres
from harness.configuration import Backend
from harness.http import answer
from harness.load import Signers, checkpoint, encoded, entry, identity
from harness.trustd import Trustd

SECONDS = int(os.environ.get("SERVICES_SECONDS", "10"))
SCRIPT = Path(__file__).with_name("load.lua")
CONTENT = b"document " * 100
# Entries below the places that are asked for.
ENTRIES = 2000
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


def measure(trustd: Trustd, row: Row) -> str:
    """One row of the table. An answer that was a refusal, or none, is an error: its time says nothing."""
    given = {"METHOD": row.method, "TARGET": row.target, "BODY": row.body, "TOKEN": row.token}
    environment = {name: value for name, value in given.items() if value is not None}
    environment |= {"FIRST": str(row.first), "SPAN": str(row.span)}
    before = cpu(trustd.pid)
    done = subprocess.run(
        ["wrk", "-t1", f"-c{row.callers}", f"-d{SECONDS}s", "--timeout", "30s", "-s", str(SCRIPT), trustd.address],
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
    numbers = f"{rate:>9.0f} {said['p50']:>8.2f} {said['p99']:>8.2f} {each:>9.0f} {memory(trustd.pid):>8.0f}"
    return f"{trustd.backend.name:<13} {row.name:<24} {row.callers:>7} {numbers}"


def rows(trustd: Trustd) -> Iterator[Row]:
    """The requests, with what they need made before."""
    token = trustd.first_token()
    client = trustd.client(token)
    signer = identity(client, "bench")
    content = encoded(CONTENT)
    signed = client.post("/api/v1/dsa/potpisi", {"identity_id": signer, "content_b64": content})
    record = answer(signed, 201)
    sign = json.dumps({"identity_id": signer, "content_b64": "%COUNT%"})
    verify = json.dumps({"record": record, "identity_id": signer, "content_b64": content})
    yield Row("health", "GET", "/api/v1/dsa/health", 16)
    yield Row("verify", "POST", "/api/v1/dsa/provjeri", 16, verify)
    yield Row("sign, one caller", "POST", "/api/v1/dsa/potpisi", 1, sign, token)
    yield Row("sign, 32 callers", "POST", "/api/v1/dsa/potpisi", 32, sign, token, first=1 << 41)
    callers = [trustd.client(token) for _ in range(16)]
    promised = Signers(callers, signer, each=ENTRIES // len(callers)).wait()
    if promised.others:
        raise RuntimeError(promised.others[0])
    covered = int(checkpoint(trustd.client())["size"])
    last = min(covered, int(entry(client, promised.records[-1])["seq"]))
    yield Row("place", "GET", "/api/v1/log/proof/%COUNT%", 16, span=last)


@contextlib.contextmanager
def backends() -> Iterator[list[Backend]]:
    """SQLite, and PostgreSQL with documents in a folder: the databases are what is compared."""
    with postgres.server(durable=True) as server, server.database() as name:
        yield [configuration.local(), Backend("postgres", {"database": server.url(name)})]


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
    with backends() as all_backends:
        for backend in all_backends:
            with tempfile.TemporaryDirectory() as folder:
                trustd = Trustd(Path(folder), backend, {"log": {"checkpoint_entries": 1000}}).start()
                for row in rows(trustd):
                    print(measure(trustd, row), flush=True)
                trustd.stop()


if __name__ == "__main__":
    main()
