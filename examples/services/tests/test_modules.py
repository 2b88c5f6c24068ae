"""The modules of the program meet by what each shows, read from the sources: none names a file of another that holds
its rows, decisions or addresses, and none a table of another."""

from __future__ import annotations

import re
from pathlib import Path

SERVICES = Path(__file__).parent.parent
TRUSTD, PLATFORM = SERVICES / "trustd/src", SERVICES / "platform/src"
INNER = ("store", "rules", "routes")
# Who writes a table beside its owner, and why.
WRITTEN = {
    # Cosignatures stand beside the checkpoint that they are of.
    ("logs", "checkpoints"),
}
# Who reads one, and why.
READ = {
    # The log is the platform's, and everybody's to read: strangers follow it, what stands in it is looked up by place,
    # and what it is now is held against each split, session and key.
    ("ahead", "entries"), ("ahead", "logs"),
    ("logs", "checkpoints"), ("wellness", "checkpoints"), ("wellness", "logs"), ("wellness", "entries"),
    ("threshold", "entries"), ("threshold", "logs"), ("qt", "entries"), ("qt", "logs"), ("dsa", "logs"),
    ("commands", "entries"), ("vault", "records"),
    # Secrets that hang on an owner's key are looked for beside the rows that they are of.
    ("qt", "secrets"),
    # What a restore voided.
    ("presence", "voided"),
    # The monitor outlives the service, and asks its database how old what waits is.
    ("mesh", "messages_out"),
}
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
STATEMENT = re.compile(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
NAMED = re.compile(r"\b(DELETE FROM|FROM|JOIN|INTO|UPDATE)\s+(\w+)")
WRITES = ("DELETE FROM", "INTO", "UPDATE")


def sources(folder: Path) -> dict[str, str]:
    """The sources without comments and tests, by their path."""
    found = {}
    for file in sorted(folder.rglob("*.rs")):
        name = str(file.relative_to(folder))
        if "tests" not in file.stem and "/tests/" not in name and not name.startswith("testing"):
            text = file.read_text().partition("#[cfg(test)]\nmod tests {")[0]
            found[name] = re.sub(r"(?m)^\s*//.*$", "", text)
    return found


def module(name: str) -> str:
    """The module of a file."""
    return re.split(r"[/.]", name)[0]


def test_no_module_reaches_behind_what_another_shows() -> None:
    files = sources(TRUSTD)
    modules = {module(name) for name in files if "/" in name}
    assert {"dsa", "qt", "messaging", "presence", "node"} <= modules
    reach = re.compile(rf"\b({'|'.join(modules)})::(?:\{{[^}}]*\b)?({'|'.join(INNER)})\b")
    found = {(module(name), hit[1], hit[2]) for name, text in files.items() for hit in reach.finditer(text)}
    assert {one for one in found if one[0] != one[1]} == set()
    inside = [hit for name, text in files.items() for hit in reach.finditer(text) if hit[1] == module(name)]
    assert len(inside) > 20, "the reader finds what it is there to find"


def test_each_table_is_one_modules() -> None:
    tables = {
        table
        for file in (SERVICES / "migrations").glob("*.sql")
        for table in re.findall(r"CREATE TABLE (\w+)", file.read_text())
    }
    named: dict[str, set[tuple[str, bool]]] = {}
    for of_platform, folder in ((True, PLATFORM), (False, TRUSTD)):
        for name, text in sources(folder).items():
            owner = "platform" if of_platform else module(name)
            for statement in STRING.findall(text):
                if STATEMENT.match(statement):
                    for word, table in NAMED.findall(re.sub(r"\\\n\s*", " ", statement)):
                        if table in tables:
                            named.setdefault(table, set()).add((owner, word in WRITES))
    assert len(named) > 60
    owners = {table: owner_of(table, by) for table, by in named.items()}
    others = {(who, table, writes) for table, by in named.items() for who, writes in by if who != owners[table]}
    assert {(who, table) for who, table, writes in others if writes} == WRITTEN
    assert {(who, table) for who, table, writes in others if not writes} == READ


def owner_of(table: str, by: set[tuple[str, bool]]) -> str:
    """Whose it is: the platform's where that writes it, else the one module's that does."""
    writers = {who for who, writes in by if writes}
    if "platform" in writers:
        return "platform"
    assert len(writers) == 1, f"{table} is written by {writers}"
    return writers.pop()
