"""A database that fails at any statement or commit of a step, or has no room: all of the step is there or nothing."""

from __future__ import annotations

from pathlib import Path

from conftest import Project, made

FAULTS = """
from itertools import count
from django.db import OperationalError, connection
from dualseal import SigningKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain, Entry, Record, RingRow
from shop.models import Invoice
who, numbers = sys.argv[1], count(1)

def seen():
    chain = Chain.objects.get()
    signed = 0 if chain.checkpoint is None else chain.checkpoint.size
    return [chain.size, *(of.objects.count() for of in (Entry, Record, Invoice, RingRow)), signed]

class Fault:
    # Of the statements of an act, or of its commits, the one at this number fails: before it was done, or when it was
    # and nobody heard.
    def __init__(self, of, at, done):
        self.of, self.at, self.done = of, at, done
        self.passed = {"statement": 0, "commit": 0}

    @property
    def reached(self): return self.passed[self.of] > self.at

    def moment(self, of, work):
        is_it = (of, self.passed[of]) == (self.of, self.at)
        self.passed[of] += 1
        if is_it and not self.done: raise OperationalError("not done")
        answer = work()
        if is_it: raise OperationalError("done")
        return answer

    def statement(self, execute, sql, params, many, context):
        return self.moment("statement", lambda: execute(sql, params, many, context))

    def run(self, act):
        connection.ensure_connection()
        connection.connection = Commits(connection.connection, self)
        try:
            with connection.execute_wrapper(self.statement): act()
        finally:
            # Whatever failed, as a connection that broke.
            connection.close()

class Commits:
    # A connection of the driver's, whose commit fails as well: no wrapper of statements sees it.
    def __init__(self, real, fault):
        self.__dict__.update(real=real, fault=fault)
    def __getattr__(self, name): return getattr(self.real, name)
    def __setattr__(self, name, value): setattr(self.real, name, value)
    def commit(self): return self.fault.moment("commit", self.real.commit)

def issue(): Invoice.issue(next(numbers), who, b"invoice")
def state(): Chain.objects.checkpoint("main")
def enrol():
    number = next(numbers)
    with Chain.objects.step("main") as step:
        step.add_key(conf.domain().identity_id(b"", f"clerk {number}", ""), SigningKey.generate().public_key)
"""
EVERY = """
def expected(act, before):
    size, *counts, signed = before
    if act is state: return [size, *counts, size]
    more = {issue: (1, 1, 1, 0), enrol: (1, 0, 0, 1)}[act]
    return [size + 1, *(count + added for count, added in zip(counts, more, strict=True)), signed]

def tried(act, fault):
    # Whether the act was heard to fail, and whether it stands.
    before = seen()
    try: fault.run(act)
    except OperationalError:
        assert fault.reached
        after = seen()
        assert after in (before, expected(act, before)), (act, vars(fault), before, after)
        failed, stands = True, after != before
    else:
        after = seen()
        assert after == expected(act, before), (act, vars(fault), before, after)
        failed, stands = False, True
    # Whoever comes next goes on from it.
    issue()
    return failed, stands

for act, commits in ((issue, 1), (state, 1), (enrol, 2)):
    for done in (False, True):
        # How many statements an act has depends on the log's size: eight sizes on end are past the last one.
        at = beyond = 0
        told = {}
        while beyond < 8:
            fault = Fault("statement", at, done)
            how = tried(act, fault)
            beyond = 0 if fault.reached else beyond + 1
            at += 1
            if fault.reached: told[how] = told.get(how, 0) + 1
        # Before the commit nothing stands; what follows it, to raise the mark of a changed ring, fails unheard.
        assert told.pop((True, False)) > 3, (act, done)
        assert (told.pop((False, True), 0) > 3) == (act is enrol) and not told, (act, done, told)
        assert fault.passed["commit"] == commits, (act, fault.passed)
        for at in range(commits):
            fault = Fault("commit", at, done)
            assert tried(act, fault) == ((True, done) if at == 0 else (False, True)), (act, at, done)
            assert fault.reached
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
