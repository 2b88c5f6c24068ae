"""What ``manage.py check`` looks at: keys that others may read, and writers that would lock each other out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from errno import ENOENT
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import connections, router, transaction

from dualseal import DualsealError

from . import conf, operations
from .base import RELATED, AbstractChain, AppendOnlyModel

TAG = "dualseal"
KEY_BYTES = 64 << 10


@register(TAG)
def settings_are_whole(**_: Any) -> list[CheckMessage]:
    """The setting `DUALSEAL`."""
    found = [*_faults("E001", conf.domain), *_faults("E002", conf.ring_key), *_faults("E003", _folder_of_keys)]
    found += [*_faults("E004", _folder_of_marks), *_faults("E005", _room_for_keys)]
    found += _faults("E007", _seal_master)
    return found


@register(TAG)
def databases_hold_a_log(**_: Any) -> list[CheckMessage]:
    """A transaction of SQLite takes its lock when it begins."""
    written = {router.db_for_write(model) for model in _logs()}
    databases: dict[str, dict[str, Any]] = {name: settings.DATABASES[name] for name in sorted(written)}
    wrong = [
        name
        for name, database in databases.items()
        if str(database.get("ENGINE", "")).endswith("sqlite3")
        and database.get("OPTIONS", {}).get("transaction_mode") != "IMMEDIATE"
    ]
    hint = 'Set "OPTIONS": {"transaction_mode": "IMMEDIATE"}: writers then wait for one another.'
    text = "DATABASES[{!r}] lets two writers lock each other out."
    return [Error(text.format(name), hint, id="dualseal.E006") for name in wrong]


@register(TAG, Tags.database)
def tables_have_their_triggers(*, databases: Collection[str] | None = None, **_: Any) -> list[CheckMessage]:
    """``manage.py check --database default``, and before each ``migrate``."""
    found: list[CheckMessage] = []
    models = [one for one in apps.get_models() if issubclass(one, AppendOnlyModel) and one._meta.managed]
    for using in databases or ():
        here = set(connections[using].introspection.table_names())
        there = [one for one in models if router.allow_migrate_model(using, one) and one._meta.db_table in here]
        for model in operations.unguarded(using, there):
            hint = f'Put AppendOnly("{model.__name__}") at the end of a migration.'
            found.append(Warning(f"{model._meta.label}: no trigger keeps it append-only.", hint, id="dualseal.W002"))
    return found


@register(TAG)
def logs_have_their_tables(**_: Any) -> list[CheckMessage]:
    """A project with tables of its own has all of them."""
    found: list[CheckMessage] = []
    for model in _logs():
        missing = [name for name in RELATED if not hasattr(model, name)]
        if missing:
            hint = "Derive one from each model of dualseal.contrib.django.base, with a foreign key `chain`."
            text = f"{model._meta.label}: no model refers to it as {', '.join(missing)}."
            found.append(Error(text, hint, id="dualseal.E009"))
    return found


@register(TAG, Tags.database)
def transactions_see_what_was_committed(*, databases: Collection[str] | None = None, **_: Any) -> list[CheckMessage]:
    """What PostgreSQL says of a transaction, wherever its isolation was set."""
    found: list[CheckMessage] = []
    written = {router.db_for_write(model) for model in _logs()}
    for using in written.intersection(databases or ()):
        if connections[using].vendor != "postgresql":
            continue
        with transaction.atomic(using=using), connections[using].cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            [level] = cursor.fetchone()
        if level not in ("read committed", "read uncommitted"):
            hint = "Leave it READ COMMITTED: at a higher one a step that waited for another fails."
            text = f"DATABASES[{using!r}] begins transactions as {level}."
            found.append(Error(text, hint, id="dualseal.E010"))
    return found


@register(TAG, Tags.database)
def logs_have_their_ring_key(*, databases: Collection[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Before a log is founded its ring key is drawn yet; after that a key that is not there is lost."""
    try:
        conf.ring_key()
    except FileNotFoundError as error:
        text = f"{error.filename} is not there, and there is a log: without it nothing is signed."
        for using in databases or ():
            here = set(connections[using].introspection.table_names())
            if any(one._meta.db_table in here and one._base_manager.using(using).exists() for one in _logs()):
                return [Error(text, "Put it back from its backup.", id="dualseal.E008")]
    except (ImproperlyConfigured, DualsealError, ImportError, OSError, ValueError):
        # That is E002.
        return []
    return []


def _logs() -> list[Any]:
    return [one for one in apps.get_models() if issubclass(one, AbstractChain)]


@register(TAG)
def times_have_zones(**_: Any) -> list[CheckMessage]:
    """Naive times are nobody's."""
    hint = "Set USE_TZ = True: times of records are UTC, and those of your rows are compared with them."
    return [] if settings.USE_TZ else [Warning("USE_TZ is off.", hint, id="dualseal.W001")]


def _faults(number: str, look: Callable[[], object]) -> Iterator[CheckMessage]:
    try:
        look()
    except FileNotFoundError as error:
        # Before `dualseal_init` there is none, and migrations are run first.
        yield Warning(f"{error.filename} is not there.", "Run manage.py dualseal_init.", id=f"dualseal.{number}")
    except (ImproperlyConfigured, DualsealError, ImportError, OSError, ValueError) as error:
        yield Error(str(error), id=f"dualseal.{number}")


def _folder_of_keys() -> None:
    keys = conf.signing_keys()
    if isinstance(keys, conf.FolderKeys):
        _is_folder(keys.folder)
        if keys.folder.stat().st_mode & 0o022:
            raise ImproperlyConfigured(f"{keys.folder} may be written by others: chmod 700")
        for path in (*keys.folder.glob("*.pem"), *keys.folder.glob("*.next")):
            conf.secret_text(path, keys.others)


def _folder_of_marks() -> None:
    marks = conf.marks()
    if isinstance(marks, conf.FolderMarks):
        _is_folder(marks.folder)


def _seal_master() -> None:
    if conf.has_seal_master():
        conf.seal_key("0" * 64)


def _is_folder(path: Path) -> None:
    if not path.exists():
        raise FileNotFoundError(ENOENT, "", str(path))
    if not path.is_dir():
        raise ImproperlyConfigured(f"{path} is no folder")


def _room_for_keys() -> None:
    if conf.cache_bytes() < KEY_BYTES:
        raise ImproperlyConfigured(f"DUALSEAL['CACHE_BYTES'] is below {KEY_BYTES}: no key is kept prepared")
