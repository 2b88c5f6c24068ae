"""``pytest_plugins = ["dualseal.contrib.django.pytest_plugin"]``, beside pytest-django."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .testing import founded_log


@pytest.fixture
def dualseal_log(db: None, tmp_path: Path) -> Iterator[Any]:
    """A log `main` with keys of its own, in the test's transaction."""
    folder = tmp_path / "dualseal"
    folder.mkdir()
    with founded_log(folder) as chain:
        yield chain
