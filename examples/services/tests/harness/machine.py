"""A machine on which deploy.sh puts releases in place: folders, and programs before those of the system."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import configuration
from .trustd import Trustd, program

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
WHOLE = ["stage", "hash", "gate staging", "synchronise", "gate releases", "sign", "turn", "restart", "done"]


@dataclass
class Machine:
    """A machine with a service that was founded, and folders of its own."""

    folder: Path
    config: Path

    def release(self, name: str, script: str = "") -> Path:
        """A release: the program, behind a script where one is given."""
        release = self.folder / name
        (release / "bin").mkdir(parents=True)
        text = script or f'exec {program()} "$@"'
        # It says that it is well while there is that file.
        says = f'case "$*" in *health) exec cat {self.folder}/well ;; esac'
        text = f'echo "{name} $*" >>{self.folder}/calls\n{says}\n{text}'
        (release / "bin/trustd").write_text(f"#!/bin/sh\n# {name}\n{text}\n")
        (release / "bin/trustd").chmod(0o755)
        return release

    def deploy(
        self,
        *arguments: str,
        ends: bool = True,
        portal: str = "false",
        key: str = "",
        given: str = "",
        more: dict[str, str] | None = None,
    ) -> list[str]:
        """Runs it; the steps that it took, without what they are of."""
        log = self.folder / "root/deploy.log"
        log.unlink(missing_ok=True)
        environment = {
            "DEPLOY_ROOT": str(self.folder / "root"),
            "DEPLOY_CONFIG": str(self.config),
            "DEPLOY_AS_UNIT": "env",
            "DEPLOY_PROGRAM": str(self.folder / "started"),
            "DEPLOY_AS_PORTAL": portal,
            "DEPLOY_PATIENCE": "0",
            "DEPLOY_PATIENCE_MIGRATING": "0",
            "DEPLOY_BACKUPS": str(self.folder / "backups"),
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            **(more or {}),
        }
        done = subprocess.run(
            [DEPLOY / "deploy.sh", "--key", key or str(self.folder / "deployer.pem"), *arguments],
            env=os.environ | environment,
            input=given,
            capture_output=True,
            text=True,
        )
        assert (done.returncode == 0) == ends, done.stdout + done.stderr
        steps = [line.split()[1:] for line in log.read_text().splitlines()]
        return [" ".join(step[:2]).split("/")[0] if step[0] == "gate" else step[0] for step in steps]

    def runs(self) -> str:
        """What the service would run now."""
        current = self.folder / "root/current/bin/trustd"
        return current.read_text().splitlines()[1].removeprefix("# ") if current.exists() else ""

    def signed_by(self) -> list[str]:
        """The releases whose program was given the deployer's key."""
        calls = (self.folder / "calls").read_text().splitlines()
        return [call.split()[0] for call in calls if " integrity sign " in call]

    def instead(self, name: str, text: str) -> None:
        """Puts a program before the machine's."""
        (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / "bin" / name).chmod(0o755)

    def restarts(self) -> list[str]:
        """What systemctl was to start and to stop."""
        log = self.folder / "systemctl.log"
        calls = log.read_text().splitlines() if log.exists() else []
        return [call for call in calls if call.split()[0] in ("restart", "start", "stop")]


def founded(folder: Path) -> Machine:
    """One on SQLite."""
    config, current = folder / "trustd.toml", folder / "root/current"
    integrity = {"files": [f"{current}/**"], "manifest": f"{current}/manifest", "key_file": str(folder / "pin")}
    configuration.write(config, {"data": str(folder / "data"), "integrity": integrity})
    assert Trustd.command("init", "--config", str(config)).returncode == 0
    pin = Trustd.command("integrity", "key", str(folder / "deployer.pem"), "--config", str(config)).stdout
    (folder / "pin").write_text(pin)
    (folder / "pin").chmod(0o644)
    (folder / "bin").mkdir()
    (folder / "well").touch()
    (folder / "started").symlink_to(current / "bin/trustd")
    machine = Machine(folder, config)
    machine.instead("systemctl", f'echo "$@" >>{folder}/systemctl.log')
    return machine
