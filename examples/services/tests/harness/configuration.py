"""What the service's configuration file says, and the two backends that every test of behaviour runs on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .objects import REGION, S3, Bucket

# As in the file: a key, or a table of keys.
Settings = Mapping[str, object]


@dataclass(frozen=True)
class Backend:
    """Where the service keeps rows and objects."""

    name: str
    settings: Settings
    # Where objects lie, when not in the data folder.
    bucket: Bucket | None = field(default=None, compare=False)


def local() -> Backend:
    """What a fresh machine has: SQLite and a folder, without a word of configuration."""
    return Backend("sqlite+folder", {})


def fleet(database: tuple[str, str], s3: S3, bucket: Bucket) -> Backend:
    """What several processes share: a PostgreSQL database, by its addresses for who serves and for who has the tables,
    and a bucket, also for what no backup of the database may reach."""
    store = {
        "endpoint": s3.endpoint,
        "region": REGION,
        "access_key_file": str(s3.access_key_file),
        "secret_key_file": str(s3.secret_key_file),
        "allow_http": True,
    }
    settings = {
        "database": database[0],
        "database_owner": database[1],
        "objects": f"s3://{bucket.name}/objects",
        "keys": {"apart": f"s3://{bucket.name}/apart"},
        "s3": store,
    }
    return Backend("postgres+s3", settings, bucket)


def merged(*layers: Settings) -> dict[str, object]:
    """Later layers over earlier ones, table by table."""
    result: dict[str, object] = {}
    for layer in layers:
        for key, value in layer.items():
            below = result.get(key)
            both = isinstance(below, dict) and isinstance(value, Mapping)
            result[key] = merged(below, value) if both else value  # type: ignore[arg-type]
    return result


def write(file: Path, settings: Settings) -> None:
    """Writes the file: plain keys first, then each table."""
    plain = [_line(key, value) for key, value in settings.items() if not isinstance(value, Mapping)]
    tables = []
    for name, table in settings.items():
        if isinstance(table, Mapping):
            tables += ["", f"[{name}]", *(_line(key, value) for key, value in table.items())]
    file.write_text("\n".join([*plain, *tables, ""]))


def secret(file: Path, text: str) -> str:
    """Writes the file of a secret, which nobody else may open."""
    file.touch(mode=0o600)
    file.write_text(text + "\n")
    return str(file)


def _line(key: str, value: object) -> str:
    return f"{key} = {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(_line(key, inner) for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # Of what else stands in these files JSON and TOML write the same.
    return json.dumps(value)


def variable(path: str) -> str:
    """The environment's name of a key, given as `table.key`."""
    return f"TRUSTD_{path.replace('.', '_').upper()}"
