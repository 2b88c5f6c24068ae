"""The trigger that keeps a table append-only, whoever writes to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import NotSupportedError, connections
from django.db.migrations.operations.base import Operation
from django.db.models import UniqueConstraint

VENDORS = ("postgresql", "sqlite")
FUNCTION = """
CREATE OR REPLACE FUNCTION dualseal_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are appended', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def unique_columns(model: Any) -> list[tuple[str, ...]]:
    """The columns that a model has once, in groups. Not of a constraint with a condition or an expression, which
    columns alone do not tell: SQLite's INSERT OR REPLACE passes by the triggers there.
    """
    options = model._meta
    single = [(field.column,) for field in options.local_concrete_fields if field.unique]
    unique = [one for one in options.constraints if isinstance(one, UniqueConstraint)]
    sets = [one.fields for one in unique if one.fields and one.condition is None]
    sets += options.unique_together
    return [*single, *(tuple(options.get_field(name).column for name in names) for names in sets)]


def create(vendor: str, table: str, unique: Iterable[tuple[str, ...]]) -> list[str]:
    """What makes the triggers of a table."""
    if vendor == "postgresql":
        rows = f'CREATE TRIGGER dualseal_append_only BEFORE UPDATE OR DELETE ON "{table}" FOR EACH ROW'
        all_ = f'CREATE TRIGGER dualseal_no_truncate BEFORE TRUNCATE ON "{table}" FOR EACH STATEMENT'
        return [FUNCTION, *(f"{one} EXECUTE FUNCTION dualseal_append_only()" for one in (rows, all_))]
    if vendor == "sqlite":
        refuse = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are appended'); END"
        # INSERT OR REPLACE deletes the row that stands in its way, and no trigger of DELETE hears of it.
        same = (" AND ".join(f'"{column}" = NEW."{column}"' for column in columns) for columns in unique)
        there = " OR ".join(f'EXISTS (SELECT 1 FROM "{table}" WHERE {one})' for one in same)
        events = [("update", "UPDATE", ""), ("delete", "DELETE", "")]
        events += [("replace", "INSERT", f"WHEN {there} ")] if there else []
        return [
            f'CREATE TRIGGER "{table}_no_{name}" BEFORE {verb} ON "{table}" {when}{refuse}'
            for name, verb, when in events
        ]
    raise NotSupportedError(f"no trigger for {vendor}: SQLite and PostgreSQL have one")


def drop(vendor: str, table: str) -> list[str]:
    """What takes them away."""
    if vendor == "postgresql":
        names = ("dualseal_append_only", "dualseal_no_truncate")
        return [f'DROP TRIGGER IF EXISTS {name} ON "{table}"' for name in names]
    return [f'DROP TRIGGER IF EXISTS "{table}_no_{verb}"' for verb in ("update", "delete", "replace")]


def present(vendor: str) -> str:
    """Which tables have them: a query."""
    if vendor == "postgresql":
        # One that is disabled is there, and does nothing.
        there = "tgname = 'dualseal_append_only' AND tgenabled IN ('O', 'A')"
        return f"SELECT tgrelid::regclass::text FROM pg_trigger WHERE {there}"
    return "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = tbl_name || '_no_update'"


def tables(using: str) -> list[str]:
    """The tables of a database that have them."""
    connection = connections[using]
    if connection.vendor not in VENDORS:
        return []
    with connection.cursor() as cursor:
        cursor.execute(present(connection.vendor))
        return [name.strip('"') for (name,) in cursor.fetchall()]


def unguarded(using: str, models: Iterable[Any]) -> list[Any]:
    """Those of these models whose tables have none. On SQLite Django makes a table anew for most of what a later
    migration changes of it, and the triggers go with the old one.
    """
    guarded = set(tables(using))
    return [model for model in models if model._meta.db_table not in guarded]


class AppendOnly(Operation):
    """Refuses every UPDATE and DELETE of a model's rows, in the database itself. A later migration that changes the
    model has it at its end again: on SQLite the triggers went with the old table.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, model_name: str) -> None:
        self.model_name = model_name

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """As it stands in a migration."""
        return type(self).__name__, [], {"model_name": self.model_name}

    def state_forwards(self, app_label: str, state: Any) -> None:
        """The models stay as they are."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Makes the triggers."""
        model = self._model(app_label, schema_editor, to_state)
        if model is not None:
            vendor, table = schema_editor.connection.vendor, model._meta.db_table
            self._run([*drop(vendor, table), *create(vendor, table, unique_columns(model))], schema_editor)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Takes them away."""
        model = self._model(app_label, schema_editor, to_state)
        if model is not None:
            self._run(drop(schema_editor.connection.vendor, model._meta.db_table), schema_editor)

    def describe(self) -> str:
        """In a word."""
        return f"Keeps {self.model_name} append-only"

    def _model(self, app_label: str, schema_editor: Any, state: Any) -> Any:
        model = state.apps.get_model(app_label, self.model_name)
        return model if self.allow_migrate_model(schema_editor.connection.alias, model) else None

    @staticmethod
    def _run(statements: list[str], schema_editor: Any) -> None:
        for statement in statements:
            schema_editor.execute(statement, params=None)
