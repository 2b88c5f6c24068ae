"""The service as a process: what a fresh machine has to do to run it, and how it ends."""

from __future__ import annotations

import json
import socket
import stat
import time
from pathlib import Path
from urllib.parse import urlsplit

import requests
from conftest import Make
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import Signers, entry, identity
from harness.process import free_ports
from harness.trustd import Trustd

SAID = {"listening", "docs", "first_token_file"}
ENDS_WITHIN = 35


def test_a_first_start_makes_all_it_needs(own_backend: Backend, make: Make) -> None:
    trustd = make(own_backend).start()
    assert set(trustd.said) == SAID
    where = urlsplit(trustd.address)
    assert where.hostname in ("127.0.0.1", "localhost") and where.port
    assert trustd.said["docs"].rstrip("/").endswith("/docs")
    assert mode(trustd.data) == 0o700
    for path in trustd.data.rglob("*"):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), f"{path}: {mode(path):o}"
    signer = identity(trustd.client(trustd.first_token()), "signer")
    assert len(signer) == 64


def test_the_first_token_is_shown_once(own_backend: Backend, make: Make) -> None:
    trustd = make(own_backend).start()
    token = trustd.first_token()
    answer(trustd.client(token).get(f"/api/v1/dsa/status/{identity(trustd.client(token), 'signer')}"))
    trustd.restart()
    assert set(trustd.said) == SAID - {"first_token_file"}
    assert token not in trustd.log.read_text()
    # It is no other kind of token: what it opened before the restart it opens after.
    answer(trustd.client(token).get(f"/api/v1/dsa/status/{identity(trustd.client(token), 'signer')}"))


def test_what_was_promised_outlives_a_restart(service: Trustd, native: Client) -> None:
    signer = identity(native, "restarted")
    promised = Signers([native.another()], signer, each=5).wait()
    assert promised.others == []
    service.restart()
    for handle in promised.records:
        entry(service.client(), handle)
    service.run("chain verify")


def test_it_ends_while_callers_go_on(own_backend: Backend, make: Make) -> None:
    trustd = make(own_backend).start()
    token = trustd.first_token()
    signer = identity(trustd.client(token), "signer")
    signers = Signers([trustd.client(token) for _ in range(8)], signer)
    time.sleep(0.5)
    trustd.stop()
    promised = signers.end()
    # Whoever was answered was promised something; whoever came too late is told to come again.
    assert promised.records
    assert {other.split()[0] for other in promised.others} <= {"503"}
    trustd.start()
    for handle in promised.records:
        entry(trustd.client(), handle)


def test_an_idle_or_slow_caller_does_not_keep_it_from_ending(own_backend: Backend, make: Make) -> None:
    trustd = make(own_backend).start()
    where = urlsplit(trustd.address)
    assert where.port is not None
    opened = [socket.create_connection(("127.0.0.1", where.port)) for _ in range(3)]
    try:
        opened[1].sendall(b"GET /api/v1/dsa/health HTTP/1.1\r\nHost: localhost\r\n")
        opened[2].sendall(b"POST /api/v1/dsa/provjeri HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        time.sleep(0.2)
        assert trustd.stop() < ENDS_WITHIN
    finally:
        for one in opened:
            one.close()


def test_a_taken_port_is_told(own_backend: Backend, make: Make) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        trustd = make(own_backend, {"listen": f"127.0.0.1:{port}"})
        done = trustd.command("serve", "--config", str(trustd.config))
        assert done.returncode != 0
        assert str(port) in done.stderr
        assert "panicked" not in done.stderr


def test_metrics_are_on_their_own_address(own_backend: Backend, make: Make) -> None:
    [port] = free_ports(1)
    trustd = make(own_backend, {"metrics": f"127.0.0.1:{port}"}).start()
    metrics = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=10)
    assert metrics.status_code == 200
    assert metrics.headers["Content-Type"].startswith("text/plain")
    assert "# TYPE " in metrics.text
    problem(trustd.client().get("/metrics"), 404, "unknown-path")


def test_the_documentation_needs_no_other_host(service: Trustd) -> None:
    document = answer(service.client().get("/openapi.json"))
    assert document["openapi"].startswith("3.1")
    printed = service.run("openapi")
    assert document["paths"].keys() == json.loads(printed)["paths"].keys()
    page = requests.get(f"{service.address}/docs", timeout=10)
    assert page.status_code == 200
    for outside in ('src="http', "src='http", 'href="http', 'src="//', "@import"):
        assert outside not in page.text


def mode(path: Path) -> int:
    """The permissions of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)
