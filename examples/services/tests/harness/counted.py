"""A run of all tests fails where the service lists a problem that it answered to none of them; which those are stands
at the end of the run."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from . import met
from .trustd import Trustd

MADE = pytest.StashKey[tempfile.TemporaryDirectory[str]]()
UNMET = pytest.StashKey[set[met.Pair]]()
# What leaves tests out, where it is given.
CHOICES = ("keyword", "markexpr", "deselect", "lf", "stepwise", "collectonly")


def is_whole(config: pytest.Config) -> bool:
    """Whether every test runs."""
    chosen = [name for name in CHOICES if config.getoption(name, None)]
    return config.args_source is pytest.Config.ArgsSource.INVOCATION_DIR and not chosen


def pytest_configure(config: pytest.Config) -> None:
    """What starts the other processes makes the folder, which they find in their environment."""
    if not hasattr(config, "workerinput"):
        config.stash[MADE] = tempfile.TemporaryDirectory()
        os.environ[met.FOLDER] = config.stash[MADE].name


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Behind the last test of all processes. Where one failed, what it would have met is not known."""
    folder = session.config.stash.get(MADE, None)
    if folder is not None and session.exitstatus == pytest.ExitCode.OK and is_whole(session.config):
        listed = json.loads(Trustd.command("openapi").stdout)["x-problems"]
        unmet = {(one["status"], one["code"]) for one in listed} - met.noted(Path(folder.name))
        session.config.stash[UNMET] = unmet
        if unmet or not listed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Which they are."""
    unmet = config.stash.get(UNMET, None)
    if unmet is not None:
        said = ", ".join(f"{status} {code}" for status, code in sorted(unmet)) or "none"
        terminalreporter.write_line(f"problems that no test was answered: {said}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """The folder goes."""
    folder = config.stash.get(MADE, None)
    if folder is not None:
        folder.cleanup()
