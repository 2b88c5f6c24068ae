"""Where keys lie: names of files, what a traceback shows, and what is drawn."""

from __future__ import annotations

from pathlib import Path

from conftest import made

TRACED = """
import traceback
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from dualseal import DualsealError, SigningKey
from dualseal.contrib.django import conf
home, whole = conf.settings.HOME, conf.settings.DUALSEAL
def traced(call):
    try: call()
    except (DualsealError, ImproperlyConfigured, OSError, ValueError) as error:
        return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    raise SystemExit("not refused")
"""


def test_an_identity_is_no_path(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = TRACED + """
from dualseal.contrib.django.models import Chain
for name in ("../evil", "A" * 64, "a" * 63, "", "a" * 64 + chr(10)):
    assert "is no identity" in traced(lambda: Chain.objects.add_identity("main", name))
    assert "is no identity" in traced(lambda: conf.signing_keys()(name))
"""
    project.run(script)
    assert not (project.folder / "evil.pem").exists()


def test_no_traceback_shows_a_secret(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    secret = "5ec2e7" * 10
    (project.folder / "shop/elsewhere.py").write_text(f"""
def text(*_): return "{secret}"
def key(*_): return bytes.fromhex("{secret}")
def number(*_): return 32
def zeros(*_): return bytes(32)
""")
    script = TRACED + f"""
secret = "{secret}"
kept = (secret, repr(bytes.fromhex(secret))[2:-1])
path = home / "wrong"
path.touch(0o600)
def look(change, call):
    with override_settings(DUALSEAL=whole | change): found = traced(call)
    assert not any(one in found for one in kept), found
for text in (secret + "zzzz", secret, secret + "é" * 4):
    path.write_text(text, encoding="utf-8")
    look({{"RING_KEY": {{"file": path}}}}, conf.ring_key)
    look({{"SEAL_MASTER": {{"file": path}}}}, conf.seal_master)
    key = home / "keys" / ("a" * 64 + ".pem")
    key.touch(0o600)
    key.write_text(text, encoding="utf-8")
    look({{}}, lambda: conf.signing_keys()("a" * 64))
for name in ("text", "key", "number", "zeros"):
    look({{"SEAL_MASTER": {{"callable": "shop.elsewhere." + name}}}}, conf.seal_master)
path.write_text("0" * 64)
look({{"SEAL_MASTER": {{"file": path}}}}, conf.seal_master)
with override_settings(DUALSEAL=whole | {{"SEAL_MASTER": {{"callable": "shop.elsewhere.text"}}}}):
    assert "dualseal.E007" in [one.id for one in run_checks()]
look({{"RING_KEY": {{"callable": "shop.elsewhere.key"}}}}, conf.ring_key)
look({{"RING_KEY": {{"callable": "shop.elsewhere.text"}}}}, conf.ring_key)
look({{"SIGNING_KEYS": {{"callable": "shop.elsewhere.text"}}}}, lambda: conf.signing_keys()("a" * 64))
"""
    project.run(script)


def test_a_key_is_drawn_whole_and_never_over_another(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    script = TRACED + """
from unittest import mock
folder, pem = home / "drawn", SigningKey.generate().to_pkcs8_pem()
class Kept:
    def make(self): return pem
def draw(): conf.draw(folder / "a.pem", Kept().make)
with mock.patch("os.fsync", side_effect=OSError("no space")): assert repr(pem)[1:60] not in traced(draw)
assert list(folder.iterdir()) == []
conf.draw(folder / "a.pem", lambda: pem)
assert (folder / "a.pem").read_text() == pem and (folder / "a.pem").stat().st_mode & 0o777 == 0o600
assert "FileExistsError" in traced(lambda: conf.draw(folder / "a.pem", lambda: "other"))
assert (folder / "a.pem").read_text() == pem and len(list(folder.iterdir())) == 1
"""
    project.run(script)


def test_checks_look_at_the_folder_and_at_keys_to_come(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    keys = project.folder / "keys"
    keys.chmod(0o770)
    assert "may be written by others" in project.manage("check", code=1)
    keys.chmod(0o700)
    next_ = keys / ("a" * 64 + ".next")
    next_.touch(0o644)
    next_.chmod(0o644)
    assert "may be read by others" in project.manage("check", code=1)


def test_checks_know_which_database_has_a_log(tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    settings = project.folder / "settings.py"
    other = 'DATABASES["other"] = {"ENGINE": "django.db.backends.sqlite3", "NAME": HOME / "other"}\n'
    settings.write_text(settings.read_text() + other)
    assert "no issues" in project.manage("check")
    (project.folder / "ring.key").unlink()
    # Without a log it is drawn yet; with one it is lost.
    project.manage("check", "--database", "other")
    assert "dualseal.E008" in project.manage("check", "--database", "default", code=1)
