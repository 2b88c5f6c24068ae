"""Every text has its translation, and every text of the code stands in the catalogues."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from portal import catalogues
from served import PORTAL

LANGUAGES = ("hr", "de", "en")
HOLE = re.compile(r"%\(\w+\)s|%%")


def catalogue(folder: Path, language: str) -> dict[tuple[str | None, str], str]:
    with (folder / f"locale/{language}/LC_MESSAGES/django.po").open("rb") as file:
        found = read_po(file)
    assert not any(message.fuzzy for message in found if message.id)
    return {(message.context, str(message.id)): str(message.string) for message in found if message.id}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_its_translation(language: str) -> None:
    texts = catalogue(PORTAL, language)
    assert len(texts) > 150
    assert [key for key, text in texts.items() if not text.strip()] == []
    for (_, text), translated in texts.items():
        assert sorted(HOLE.findall(text)) == sorted(HOLE.findall(translated)), text
    if language != "en":
        same = [text for (_, text), translated in texts.items() if text == translated]
        assert set(same) <= {"OIB", "IBAN", "Status", "status", "Name", "Browser"}, same


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The portal as it is in a fresh clone."""
    ignore = shutil.ignore_patterns("data", "tests", "verifier", "__pycache__", "*.mo", "*.new")
    return Path(shutil.copytree(PORTAL, tmp_path / "portal", ignore=ignore))


@pytest.mark.parametrize("start", ["from portal import wsgi", "import django; django.setup()"])
def test_the_first_process_in_a_fresh_clone_speaks_them_all(copy: Path, start: str) -> None:
    script = f"""{start}
from django.utils.translation import gettext, override
for language in {LANGUAGES}:
    with override(language): print(gettext("Confirm receipt"))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["Potvrdi primitak", "Empfang bestätigen", "Confirm receipt"], done.stderr


def test_every_text_of_the_code_stands_there(copy: Path) -> None:
    words = ["-m", "django", "makemessages", "-v0", "--no-location", *(f"-l{language}" for language in LANGUAGES)]
    done = subprocess.run([sys.executable, *words], cwd=copy, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for language in LANGUAGES:
        assert set(catalogue(copy, language)) == set(catalogue(PORTAL, language))


def test_two_who_start_at_once_both_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "hr/LC_MESSAGES/django.po"
    source.parent.mkdir(parents=True)
    shutil.copy(PORTAL / "locale/hr/LC_MESSAGES/django.po", source)
    other = f"from pathlib import Path; from portal.catalogues import compile_all; compile_all(Path({str(tmp_path)!r}))"

    def meanwhile(file: object, found: object) -> None:
        write_mo(file, found)
        subprocess.run([sys.executable, "-c", other], cwd=PORTAL, check=True, timeout=60)

    monkeypatch.setattr(catalogues, "write_mo", meanwhile)
    assert catalogues.compile_all(tmp_path) == 1
    assert [path.name for path in sorted(source.parent.iterdir())] == ["django.mo", "django.po"]
