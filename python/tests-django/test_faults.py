"""A database that fails at any statement of a step, or has no room: all of the step is there or nothing."""

from __future__ import annotations

from pathlib import Path

from conftest import Project, made

FAULTS = """
from itertools import count
from django.db import OperationalError, connection
from dualseal import SigningKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain, Entry, Record
from shop.models import Invoice
who, numbers = sys.argv[1], count(1)

def seen():
    chain = Chain.objects.get()
    return [chain.size, *(of.objects.count() for of in (Entry, Record, Invoice)), chain.checkpoint]

def fault(at, done):
    statements = count()
    def wrapper(execute, sql, params, many, context):
        is_it = next(statements) == at
        if is_it and not done: raise OperationalError("not done")
        answer = execute(sql, params, many, context)
        # It was done, and nobody heard.
        if is_it: raise OperationalError("done")
        return answer
    return wrapper

def issue(): Invoice.issue(next(numbers), who, b"invoice")
def state(): Chain.objects.checkpoint("main")
def enrol():
    number = next(numbers)
    with Chain.objects.step("main") as step:
        step.add_key(conf.domain().identity_id(b"", f"clerk {number}", ""), SigningKey.generate().public_key)
"""
EVERY = """
for act, entries in ((issue, 1), (state, 0), (enrol, 1)):
    for done in (False, True):
        kept = lost = 0
        for at in count():
            before = seen()
            try:
                with connection.execute_wrapper(fault(at, done)): act()
            except OperationalError:
                # As a connection that broke.
                connection.close()
                after = seen()
                assert after == before or after[0] == before[0] + entries, (act, at, before, after)
                lost += after == before
                kept += after != before
            else:
                break
            # Whoever comes next goes on from it.
            issue()
        assert seen() != before and lost > 3, (act, done, lost)
        print(act.__name__, done, lost, kept)
"""
FULL = """
with connection.cursor() as cursor:
    cursor.execute("PRAGMA page_count")
    [pages] = cursor.fetchone()
before, refused = seen(), 0
for most in count(pages):
    with connection.cursor() as cursor: cursor.execute(f"PRAGMA max_page_count = {most}")
    try: issue()
    except OperationalError as error:
        assert "full" in str(error), error
        assert seen() == before
        refused += 1
    else: break
assert refused > 1 and seen()[0] == before[0] + 1, refused
"""


def test_a_fault_at_every_statement_leaves_all_of_a_step_or_nothing(project: Project) -> None:
    project.run(FAULTS + EVERY, project.identity_id)
    project.manage("dualseal_audit", "main")


def test_a_database_without_room_changes_nothing(tmp_path: Path) -> None:
    sqlite = made(tmp_path / "project")
    sqlite.run(FAULTS + FULL, sqlite.identity_id)
    sqlite.manage("dualseal_audit", "main")
