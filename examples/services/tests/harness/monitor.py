"""The monitor of a service that is played, with all that stands around it."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import configuration, mail
from .mail import MailServer
from .neighbours import Neighbours, neighbours
from .trustd import Trustd


@dataclass
class Monitor:
    """A monitor whose service is played."""

    folder: Path
    around: Neighbours
    secure: Neighbours
    box: MailServer
    settings: dict[str, Any]

    def write(self, **mesh: Any) -> None:
        """Its file of settings, some of them otherwise."""
        given = self.settings["mesh"] | mesh
        given = self.settings | {"mesh": {name: value for name, value in given.items() if value is not None}}
        configuration.write(self.folder / "trustd.toml", given)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        return Trustd.command(*words, "--config", str(self.folder / "trustd.toml"))

    def check(self, code: int) -> dict[str, str]:
        """One run: what it found of each."""
        done = self.command("mesh", "check")
        assert done.returncode == code, done.stdout + done.stderr
        found = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
        return {name: what for name, what in found.items() if " " not in name}

    def failed(self) -> set[str]:
        """One run that finds something: which."""
        return {name for name, what in self.check(1).items() if what.startswith("FAILED")}

    def mailed(self) -> list[str]:
        return [text.replace("=\r\n", "") for _, text, _ in self.box.box.taken]


@contextmanager
def monitor(folder: Path) -> Iterator[Monitor]:
    """One that finds all well."""
    with neighbours() as around, neighbours(folder) as secure, mail.mail_server(folder / "mail") as box:
        for module in ("dsa", "threshold"):
            (folder / "src" / module).mkdir(parents=True)
            (folder / "src" / f"{module}.rs").write_text("// a module\n" * 500)
            (folder / "src" / module / "rules.rs").write_text("// its rules\n" * 500)
        settings: dict[str, Any] = {
            "data": str(folder / "data"),
            "listen": around.listen,
            "base_url": secure.address,
            "messaging": {
                "relay_url": around.address,
                "relay_token_file": configuration.secret(folder / "token", "token"),
                "smtp_host": "localhost",
                "smtp_port": box.port,
                "smtp_ca_file": str(box.certificate),
                "mail_from": "trustd@trust.example",
            },
            "mesh": {
                "node": "berlin-1",
                "relay_to": "7",
                "mail_to": "ops@trust.example",
                "portal": f"{around.address}/portal",
                "peers": [around.address],
                "clock": f"{around.address}/clock",
                "certificate_days": 1,
                "ca_file": str(folder / "root.pem"),
                "disk_free": 0,
                "sources": str(folder / "src"),
                "ping_url": f"{around.address}/ping",
            },
        }
        made = Monitor(folder, around, secure, box, settings)
        made.write()
        assert made.command("init").returncode == 0
        # Once a service ran here, it has read all of the chain.
        with closing(sqlite3.connect(folder / "data/trustd.sqlite")) as database, database:
            read = ("verify-chain", 86_400_000, time.time_ns() // 1_000_000)
            database.execute("INSERT INTO jobs (name, every, due_at, well_run) VALUES (?, ?, ?3, ?3)", read)
        yield made
