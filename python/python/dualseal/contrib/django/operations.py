"""The trigger that keeps a table append-only, whoever writes to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.db import NotSupportedError, connections
from django.db.migrations.operations.base import Operation
from django.db.models import UniqueConstraint

VENDORS = ("postgresql", "sqlite")
BODY = """
BEGIN
    RAISE EXCEPTION 'rows of % are appended', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END """
FUNCTION = f"CREATE OR REPLACE FUNCTION dualseal_append_only() RETURNS trigger LANGUAGE plpgsql AS $${BODY}$$"
# Names and kinds of PostgreSQL's triggers: of rows before UPDATE and DELETE, and of statements before TRUNCATE.
KINDS = {"dualseal_append_only": 27, "dualseal_no_truncate": 34}
# Of SQLite's trigger of INSERT: whether a row has one of the model's unique columns already, in whatever order a
# migration has them.
SAME = re.compile(r"\bEXISTS \([^()]*\)")
# One that is disabled, asks a condition or looks at some columns alone is there, and does nothing when it matters.
PRESENT = """
SELECT tgrelid::regclass::text, tgname::text, tgtype, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE tgname::text LIKE 'dualseal%' AND tgenabled IN ('O', 'A') AND tgqual IS NULL AND tgattr::text = ''
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
        return [f'DROP TRIGGER IF EXISTS {name} ON "{table}"' for name in KINDS]
    return [f'DROP TRIGGER IF EXISTS "{table}_no_{verb}"' for verb in ("update", "delete", "replace")]


def present(using: str) -> set[tuple[str, str]]:
    """What a database has of them: tables, each with the name of a trigger that is whole, or on SQLite its text with
    what it asks in one order.
    """
    connection = connections[using]
    if connection.vendor not in VENDORS:
        return set()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
            return {(table, _in_order(text)) for table, text in cursor.fetchall()}
        cursor.execute(PRESENT)
        rows = cursor.fetchall()
        return {(table.strip('"'), name) for table, name, kind, body in rows if (KINDS.get(name), BODY) == (kind, body)}


def _in_order(text: str) -> str:
    asked = iter(sorted(SAME.findall(text)))
    return SAME.sub(lambda _: next(asked), text)


def unguarded(using: str, models: Iterable[Any]) -> list[Any]:
    """Those of these models whose tables have not all of them, as `create` makes them. On SQLite Django makes a table
    anew for most of what a later migration changes of it, and the triggers go with the old one.
    """
    found, vendor = present(using), connections[using].vendor

    def is_guarded(model: Any) -> bool:
        table = model._meta.db_table
        if vendor == "postgresql":
            return all((table, name) in found for name in KINDS)
        made = create(vendor, table, unique_columns(model)) if vendor in VENDORS else []
        return bool(made) and {(table, _in_order(one)) for one in made} <= found

    return [model for model in models if not is_guarded(model)]


def lift(using: str, models: Iterable[Any]) -> Callable[[], None]:
    """Takes the triggers of these models away; what it answers puts them back."""
    connection = connections[using]
    tables = {model._meta.db_table: unique_columns(model) for model in models}

    def run(statements: Iterable[str]) -> None:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def put_back() -> None:
        for table, unique in tables.items():
            run(create(connection.vendor, table, unique))

    for table in tables:
        run(drop(connection.vendor, table))
    return put_back


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
