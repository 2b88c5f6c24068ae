"""The project of docs/DJANGO.md, on SQLite and on Debian's PostgreSQL."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "examples/services/tests"))
PAGE = (ROOT / "docs/DJANGO.md").read_text(encoding="utf-8")
MANAGE = """import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
"""
# What every project has beside the page's lines.
SETTINGS = """import os
from pathlib import Path
HOME = Path(os.environ["SHOP_HOME"])
SECRET_KEY = "tests"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
"""
ADMIN = """
INSTALLED_APPS += ["django.contrib." + name for name in ("auth", "admin", "messages", "sessions")]
ROOT_URLCONF = "urls"
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
PROCESSORS = ["template.context_processors.request", "contrib.auth.context_processors.auth"]
PROCESSORS = [f"django.{name}" for name in [*PROCESSORS, "contrib.messages.context_processors.messages"]]
DJANGO = "django.template.backends.django.DjangoTemplates"
TEMPLATES = [{"BACKEND": DJANGO, "APP_DIRS": True, "OPTIONS": {"context_processors": PROCESSORS}}]
"""
URLS = """from django.contrib import admin
from django.urls import path
urlpatterns = [path("admin/", admin.site.urls)]
"""
POSTGRESQL = """
DATABASES = {{"default": {{
    "ENGINE": "django.db.backends.postgresql", "HOST": {host!r}, "NAME": {name!r}, "USER": {user!r},
}}}}
"""


def block(name: str) -> str:
    """The page's lines of a file."""
    [found] = re.findall(rf"```python {name}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


@dataclass
class Project:
    """A folder with `manage.py`."""

    folder: Path
    is_postgresql: bool = False
    identity_id: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.environment = os.environ | {"SHOP_HOME": str(self.folder), "DJANGO_SETTINGS_MODULE": "settings"}

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A process of the project's interpreter."""
        pipe = subprocess.PIPE
        argv = [sys.executable, *words]
        return subprocess.Popen(argv, cwd=self.folder, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def python(self, *words: str, code: int = 0) -> str:
        """What it prints on both outputs."""
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        assert process.returncode == code, f"{words}: {process.returncode}\n{out}{err}"
        return out + err

    def manage(self, *words: str, code: int = 0) -> str:
        """``manage.py``."""
        return self.python("manage.py", *words, code=code)

    def run(self, script: str, *words: str, code: int = 0) -> str:
        """Lines that run with the project set up."""
        setup = "import django, sys; django.setup()\n"
        return self.python("-c", setup + script, *words, code=code)

    def issue(self, first: int, count: int) -> list[str]:
        """The words of a process that issues so many invoices and says each number when it stands."""
        script = "from shop.models import Invoice\n"
        script += "who, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])\n"
        script += "for n in range(first, first + count):\n"
        script += "    Invoice.issue(n, who, b'invoice %d' % n)\n    print(n, flush=True)\n"
        return ["-c", "import django, sys; django.setup()\n" + script, self.identity_id, str(first), str(count)]


def made(folder: Path, database: str = "") -> Project:
    """The page's project in a folder, migrated and founded. On SQLite it is a copy of one that is made once."""
    if database:
        return _founded(folder, database)
    first = _first()
    shutil.copytree(first.folder, folder)
    return Project(folder, identity_id=first.identity_id)


@cache
def _first() -> Project:
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return _founded(Path(folder.name) / "project", "")


def _founded(folder: Path, database: str) -> Project:
    (folder / "shop").mkdir(parents=True)
    (folder / "shop/__init__.py").touch()
    (folder / "shop/models.py").write_text(block("models") + block("receipts"))
    (folder / "settings.py").write_text(SETTINGS + block("settings") + ADMIN + database)
    (folder / "urls.py").write_text(URLS)
    (folder / "manage.py").write_text(MANAGE)
    project = Project(folder, bool(database))
    project.manage("makemigrations", "shop")
    project.manage("migrate", "-v0")
    said = project.manage("dualseal_init", "main", "--origin", "shop.example/log", "--creator", "Shop d.o.o.")
    project.identity_id = re.findall(r"^identity ([0-9a-f]{64})$", said, re.MULTILINE)[0]
    return project


@pytest.fixture(scope="session")
def server() -> Iterator[object]:
    """PostgreSQL, once for a process of tests."""
    from harness import postgres

    with postgres.server() as running:
        # Those that pytest-django makes.
        running.allow_databases()
        yield running


@pytest.fixture
def postgresql(server: Any, tmp_path: Path) -> Iterator[Project]:
    """The project on PostgreSQL."""
    from harness import postgres

    with server.database(postgres.ROLE) as name:
        settings = POSTGRESQL.format(host=str(server.folder), name=name, user=postgres.ROLE)
        yield made(tmp_path / "project", settings)


@pytest.fixture(params=["sqlite", "postgresql"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """The project on each database."""
    found: Project
    found = made(tmp_path / "project") if request.param == "sqlite" else request.getfixturevalue("postgresql")
    return found
