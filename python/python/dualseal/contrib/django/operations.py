"""The trigger that keeps a table append-only, whoever writes to it."""

from __future__ import annotations

from typing import Any

from django.db.migrations.operations.base import Operation

FUNCTION = """
CREATE OR REPLACE FUNCTION dualseal_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are appended', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def create(vendor: str, table: str) -> list[str]:
    """What makes the triggers of a table."""
    if vendor == "postgresql":
        rows = f'CREATE TRIGGER dualseal_append_only BEFORE UPDATE OR DELETE ON "{table}" FOR EACH ROW'
        all_ = f'CREATE TRIGGER dualseal_no_truncate BEFORE TRUNCATE ON "{table}" FOR EACH STATEMENT'
        return [FUNCTION, *(f"{one} EXECUTE FUNCTION dualseal_append_only()" for one in (rows, all_))]
    if vendor == "sqlite":
        refuse = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are appended'); END"
        return [
            f'CREATE TRIGGER "{table}_no_{verb.lower()}" BEFORE {verb} ON "{table}" {refuse}'
            for verb in ("UPDATE", "DELETE")
        ]
    raise NotImplementedError(f"no trigger for {vendor}: SQLite and PostgreSQL have one")


def drop(vendor: str, table: str) -> list[str]:
    """What takes them away."""
    if vendor == "postgresql":
        names = ("dualseal_append_only", "dualseal_no_truncate")
        return [f'DROP TRIGGER IF EXISTS {name} ON "{table}"' for name in names]
    return [f'DROP TRIGGER IF EXISTS "{table}_no_{verb}"' for verb in ("update", "delete")]


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
        self._run(create, app_label, schema_editor, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Takes them away."""
        self._run(drop, app_label, schema_editor, to_state)

    def describe(self) -> str:
        """In a word."""
        return f"Keeps {self.model_name} append-only"

    def _run(self, statements: Any, app_label: str, schema_editor: Any, state: Any) -> None:
        model = state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            for statement in statements(schema_editor.connection.vendor, model._meta.db_table):
                schema_editor.execute(statement, params=None)
