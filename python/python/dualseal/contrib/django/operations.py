"""The trigger that keeps a table append-only, whoever writes to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.migrations.operations.base import Operation
from django.db.models import UniqueConstraint

FUNCTION = """
CREATE OR REPLACE FUNCTION dualseal_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are appended', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def unique_columns(model: Any) -> list[tuple[str, ...]]:
    """The columns that a model has once, in groups."""
    options = model._meta
    single = [(field.column,) for field in options.local_concrete_fields if field.unique]
    sets = [one.fields for one in options.constraints if isinstance(one, UniqueConstraint)]
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
    raise NotImplementedError(f"no trigger for {vendor}: SQLite and PostgreSQL have one")


def drop(vendor: str, table: str) -> list[str]:
    """What takes them away."""
    if vendor == "postgresql":
        names = ("dualseal_append_only", "dualseal_no_truncate")
        return [f'DROP TRIGGER IF EXISTS {name} ON "{table}"' for name in names]
    return [f'DROP TRIGGER IF EXISTS "{table}_no_{verb}"' for verb in ("update", "delete", "replace")]


def present(vendor: str) -> str:
    """Which tables have them: a query."""
    if vendor == "postgresql":
        return "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'dualseal_append_only'"
    return "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = tbl_name || '_no_update'"


class AppendOnly(Operation):
    """Refuses every UPDATE and DELETE of a model's rows, in the database itself."""

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
            table = model._meta.db_table
            self._run(create(schema_editor.connection.vendor, table, unique_columns(model)), schema_editor)

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
