"""The portal's own code has the types that it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from served import PORTAL


@pytest.mark.pages
def test_types_hold(tmp_path: Path) -> None:
    words = ["--config-file", "mypy.ini", "--cache-dir", str(tmp_path), "-p", "invoices", "-p", "pos", "-p", "portal"]
    argv = [sys.executable, "-m", "mypy", *words]
    done = subprocess.run(argv, cwd=PORTAL, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
