"""A release that ends by itself is not waited for, and one that changes the schema is let do so by whoever has it."""

from __future__ import annotations

import time

import pytest
from harness.machine import WHOLE, Machine
from harness.trustd import program


@pytest.mark.parametrize("said", ["ActiveState=failed", "ActiveState=activating\\nNRestarts=3"])
def test_nobody_waits_for_a_service_that_ends_by_itself(machine: Machine, said: str) -> None:
    machine.deploy(str(machine.release("first")))
    shows = f'case $1 in show) printf "{said}\\n" ;; esac'
    machine.instead("systemctl", f'echo "$@" >>{machine.folder}/systemctl.log\n{shows}')
    (machine.folder / "well").unlink()
    begun = time.monotonic()
    steps = [*WHOLE[:8], "gate releases", "turn-back", "sign", "failed"]
    assert machine.deploy(str(machine.release("second")), ends=False, more={"DEPLOY_PATIENCE": "600"}) == steps
    # A bound of another size: it would have waited all of that.
    assert time.monotonic() - begun < 300 and machine.runs() == "first"
    # And what systemd counted before is forgotten at each start.
    calls = (machine.folder / "systemctl.log").read_text().splitlines()
    starts = [place for place, call in enumerate(calls) if call.split()[0] in ("restart", "start")]
    assert all(calls[place - 1] == "reset-failed trustd" for place in starts)


def test_whoever_has_the_schema_changes_it(machine: Machine) -> None:
    machine.deploy(str(machine.release("first")))
    machine.instead("as-owner", f'echo "$@" >>{machine.folder}/owner.log; exec "$@"')
    owner = {"DEPLOY_AS_OWNER": str(machine.folder / "bin/as-owner")}
    # All of it is within one second.
    machine.instead("date", "echo 20261128T000000Z")

    def later(name: str, ends: int) -> str:
        """One with another schema, whose change ends so."""
        says = f'*gate) echo "migrations: ok, the schema changes"; exit 0 ;; *init) exit {ends} ;;'
        return str(machine.release(name, f'case "$*" in {says} esac; exec {program()} "$@"'))

    before = len(machine.restarts())
    steps = [*WHOLE[:5], "backup", "sign", "turn", "migrate"]
    assert machine.deploy(later("second", 0), more=owner) == [*steps, "restart", "done"]
    assert machine.restarts()[before:] == ["stop trustd", "restart trustd"]
    asked = [line.split() for line in (machine.folder / "owner.log").read_text().splitlines()]
    assert [line[-1] for line in asked if "backup" not in line] == ["gate", "gate", "init"] and len(asked) == 4
    # What cannot change it is turned back, and was never started.
    before = len(machine.restarts())
    back = ["gate releases", "turn-back", "sign", "failed"]
    assert machine.deploy(later("third", 1), ends=False, more=owner) == [*steps, *back]
    assert machine.restarts()[before:] == ["stop trustd", "stop trustd", "restart trustd"]
    assert machine.runs() == "second"
