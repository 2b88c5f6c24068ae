"""The docstrings of the stubs are those of the built module, which are the Rust sources' comments."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import dualseal
import pytest

PYTHON = Path(__file__).parents[1]
STUBS = sorted((PYTHON / "python/dualseal").glob("*.pyi"))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docstrings", PYTHON / "docstrings.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.stem)
def test_a_stub_says_what_the_module_says(path: Path, tool: ModuleType) -> None:
    # Where it fails: `cargo xtask generate`.
    assert tool.documented(path) == path.read_text(encoding="utf-8")


def test_a_docstring_is_put_in_and_put_right(tool: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "__init__.pyi"
    bare = "class KeyCache:\n    @property\n    def room(self) -> int: ...\n    def __len__(self) -> int: ...\n"
    path.write_text(bare)
    once: str = tool.documented(path)
    assert 'def room(self) -> int:\n        """' in once and "def __len__(self) -> int: ..." in once
    assert once.startswith('class KeyCache:\n    """')
    path.write_text(once.replace("keys", "locks"))
    assert "locks" in path.read_text() and tool.documented(path) == once


def test_what_says_nothing_is_refused(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dualseal.KeyCacheWarning, "__doc__", None)
    path = tmp_path / "__init__.pyi"
    path.write_text("class KeyCacheWarning(UserWarning): ...\n")
    with pytest.raises(tool.Undocumented, match="dualseal.KeyCacheWarning"):
        tool.documented(path)
