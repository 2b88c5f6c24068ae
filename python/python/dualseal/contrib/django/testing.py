"""For a project's own tests: a log that is founded anew, and tables that may be emptied."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.test import override_settings

from dualseal import RingKey, SigningKey

from . import conf, operations


@contextmanager
def without_triggers(using: str = "default") -> Iterator[None]:
    """The log's tables, and the project's own that are kept append-only, may be emptied meanwhile."""
    models = apps.get_models()
    bare = operations.unguarded(using, models)
    put_back = operations.lift(using, [model for model in models if model not in bare])
    try:
        yield
    finally:
        put_back()


class EmptiesLog:
    """``class MyTest(EmptiesLog, TransactionTestCase)``: such a test empties all tables when it has ended."""

    def _fixture_teardown(self) -> None:
        with without_triggers():
            super()._fixture_teardown()  # type: ignore[misc]


@contextmanager
def founded_log(folder: Path) -> Iterator[Any]:
    """A log `main` with keys in an empty folder; `identity_id` is its identity, which may sign."""
    from .models import Chain  # noqa: PLC0415

    domain = conf.domain()
    identity_id = domain.identity_id(b"", "tests", "dualseal_log")
    for name in ("keys", "mark"):
        (folder / name).mkdir()
    files = {
        folder / "ring.key": RingKey.generate(domain).to_bytes().hex(),
        folder / "seal.key": secrets.token_hex(32),
        folder / "keys" / f"{identity_id}.pem": SigningKey.generate().to_pkcs8_pem(),
    }
    for path, text in files.items():
        path.touch(0o600)
        path.write_text(text, encoding="ascii")
    mine = {
        # By its name where it has one, which evidence holds.
        "DOMAIN": conf.domain_name() or domain,
        "RING_KEY": {"file": folder / "ring.key"},
        "SIGNING_KEYS": {"folder": folder / "keys"},
        "MARK": {"folder": folder / "mark"},
        "SEAL_MASTER": {"file": folder / "seal.key"},
    }
    with override_settings(DUALSEAL=mine):
        yield Chain.objects.found("main", origin="tests.example/log", identity_id=identity_id)
