"""A portal as it runs: its own home and database, gunicorn, and what is asked of it over HTTP."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import requests

PORTAL = Path(__file__).parents[1]
LINK = re.compile(r"^(RACUN|PO) +(\S+)$", re.MULTILINE)


class Served:
    """A running portal with its demo documents."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir(mode=0o700)
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        self.url = f"http://localhost:{port}"
        self.port = port
        self.environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
            "PORTAL_HOME": str(self.home),
            "PORTAL_DEMO": "true",
            "PORTAL_BASE_URL": self.url,
            "PORTAL_MAIL_FOLDER": str(self.home / "mail"),
            "DJANGO_SETTINGS_MODULE": "portal.settings",
        }
        self._made = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        key = self.home / "secret.key"
        key.touch(0o600)
        key.write_text(secrets.token_urlsafe(50))
        if server := os.environ.get("PORTAL_TEST_SERVER"):
            from harness import postgres

            running = postgres.Postgres(Path(server))
            self.environment["DATABASE_URL"] = running.url(self._made.enter_context(running.database(postgres.ROLE)))
        self.manage("portal_prepare")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._made.close()

    def manage(self, *words: str, code: int = 0) -> str:
        """A command of Django; what it says."""
        argv = [sys.executable, "manage.py", *words]
        done = subprocess.run(argv, cwd=PORTAL, env=self.environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def python(self, script: str) -> str:
        """Lines with the portal set up; what they print."""
        argv = [sys.executable, "-c", "import django; django.setup()\n" + script]
        done = subprocess.run(argv, cwd=PORTAL, env=self.environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        """The server, once it answers."""
        argv = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}", "--threads", "8"]
        argv += ["--workers", "2", "--log-level", "error", "portal.wsgi"]
        self._process = subprocess.Popen(argv, cwd=PORTAL, env=self.environment, start_new_session=True)
        for _ in range(300):
            with contextlib.suppress(requests.ConnectionError):
                if requests.get(f"{self.url}/zdravlje/", timeout=10).ok:
                    return
            time.sleep(0.1)
        raise RuntimeError("the portal does not answer")

    def kill(self) -> None:
        """Every process of the server, at once."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def links(self) -> dict[str, str]:
        """The demo's documents, by kind: new links each time."""
        return {kind: url for kind, url in LINK.findall(self.manage("portal_demo"))}


class Client:
    """A client's browser without a script."""

    def __init__(self, url: str) -> None:
        self.url, self.session = url, requests.Session()
        # The server closes what is idle, also as somebody asks by it.
        self.session.headers["Connection"] = "close"
        page = self.session.get(url, timeout=30)
        self.csrf = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[0]
        self.hash = (re.findall(r'name="hash" value="([0-9a-f]{64})"', page.text) or [""])[0]

    def confirm(self, **options: Any) -> requests.Response:
        """Presses the button."""
        data = {"csrfmiddlewaretoken": self.csrf, "hash": self.hash}
        headers = {"Accept": "application/json", "Referer": self.url}
        return self.session.post(f"{self.url}prihvati/", data=data, headers=headers, timeout=60, **options)
