"""A home for settings and a database of either kind, before pytest-django reads them: a plugin that pyproject.toml
names, since conftest.py is read too late.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "services" / "tests"))
_made = contextlib.ExitStack()


def _prepare() -> None:
    """Once a run: workers have the first process's environment."""
    if "PORTAL_TEST_HOME" in os.environ:
        return
    home = Path(tempfile.mkdtemp(prefix="portal-"))
    _made.callback(shutil.rmtree, home, ignore_errors=True)
    home.chmod(0o755)
    os.environ["PORTAL_TEST_HOME"] = str(home)
    os.environ |= {"PORTAL_HOME": str(home), "PORTAL_DEMO": "true", "PORTAL_BASE_URL": "http://testserver"}
    # All tests ask from one address.
    os.environ["PORTAL_RATE"] = "10000"
    key = home / "secret.key"
    key.touch(0o600)
    key.write_text(secrets.token_urlsafe(50))
    if os.environ.get("PORTAL_DATABASE") == "postgresql":
        from harness import postgres  # noqa: PLC0415

        running = _made.enter_context(postgres.server())
        running.allow_databases()
        os.environ["PORTAL_TEST_SERVER"] = str(running.folder)
        os.environ["DATABASE_URL"] = running.url("postgres")


_prepare()


def pytest_unconfigure() -> None:
    """What the run made."""
    _made.close()
