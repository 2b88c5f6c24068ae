"""`./run`, from an empty folder to a page that a client opens. What it would build first is given to it: the tests' own
environment, newer than every source.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import requests
from served import PORTAL

pytestmark = [pytest.mark.pages, pytest.mark.xdist_group("server")]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    venv = tmp_path / "target/venv-portal-run"
    venv.mkdir(parents=True)
    # The stamps are this one's own: written through a link they would be the tests'.
    for path in (path for path in Path(sys.prefix).iterdir() if path.suffix != ".stamp"):
        (venv / path.name).symlink_to(path)
    (venv / "requirements.stamp").write_text((PORTAL / "requirements.txt").read_text())
    (venv / "wheel.stamp").touch()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PORTAL_", "DJANGO", "DATABASE"))}
    page = tmp_path / "verifier"
    page.mkdir()
    (page / "verify.html").write_text("<!doctype html>")
    own = {"CARGO_TARGET_DIR": str(tmp_path / "target"), "PORTAL_HOME": str(tmp_path / "home"), "PORT": str(port)}
    return kept | own | {"PORTAL_VERIFIER": str(page)}


def started(environment: dict[str, str]) -> tuple[subprocess.Popen[str], str]:
    """The script, once its server answers, and what it said."""
    pipe: Any = subprocess.PIPE
    run = subprocess.Popen(["./run"], cwd=PORTAL, env=environment, stdout=pipe, text=True, start_new_session=True)
    watch = threading.Timer(120, run.kill)
    watch.start()
    said = ""
    assert run.stdout
    for line in run.stdout:
        said += line
        if line.startswith("mail "):
            break
    for _ in range(300):
        try:
            requests.get(f"http://localhost:{environment['PORT']}/zdravlje/", timeout=10).raise_for_status()
            break
        except requests.ConnectionError:
            threading.Event().wait(0.1)
    watch.cancel()
    return run, said


def test_from_nothing_to_a_page_and_again(environment: dict[str, str], tmp_path: Path) -> None:
    for _ in range(2):
        run, said = started(environment)
        try:
            links = dict(re.findall(r"^(RACUN|PO) +(\S+)$", said, re.MULTILINE))
            assert sorted(links) == ["PO", "RACUN"], said
            for kind, url in links.items():
                page = requests.get(url, timeout=30)
                assert page.status_code == 200 and f'<html lang="{"hr" if kind == "RACUN" else "de"}">' in page.text
            [code] = re.findall(r"^QR +(\S+)$", said, re.MULTILINE)
            assert requests.get(code, timeout=30).content.startswith(b"\x89PNG")
        finally:
            os.killpg(run.pid, signal.SIGTERM)
            run.wait(timeout=30)
        with pytest.raises(requests.ConnectionError):
            requests.get(links["PO"], timeout=10)
    home = tmp_path / "home"
    assert (home.stat().st_mode & 0o077, (home / "secret.key").stat().st_mode & 0o077) == (0, 0)
    done = subprocess.run(["./run", "manage", "dualseal_audit", "main"], cwd=PORTAL, env=environment,
                          capture_output=True, text=True, timeout=120)  # fmt: skip
    assert done.returncode == 0 and "All of it holds." in done.stdout, done.stderr
