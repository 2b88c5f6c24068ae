"""Every text has its translation, and every text of the code stands in the catalogues."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
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


def test_every_text_of_the_code_stands_there(tmp_path: Path) -> None:
    copy = tmp_path / "portal"
    shutil.copytree(PORTAL, copy, ignore=shutil.ignore_patterns("data", "tests", "verifier", "__pycache__", "*.mo"))
    words = ["-m", "django", "makemessages", "-v0", "--no-location", *(f"-l{language}" for language in LANGUAGES)]
    done = subprocess.run([sys.executable, *words], cwd=copy, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for language in LANGUAGES:
        assert set(catalogue(copy, language)) == set(catalogue(PORTAL, language))
