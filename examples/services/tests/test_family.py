"""Children and memories: every address with every caller, what a server shows of their rows by itself, which roles it
serves by, and what a backup from before an erasure opens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest
from conftest import Host, Make
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import identity
from harness.postgres import OWNER, ROLE, Postgres
from harness.trustd import OPERATOR, Trustd

WORLD = "/world"
UNKNOWN = "ab" * 32
MEMORY = "0192f0c1-2345-7abc-8def-0123456789ab"
MAJA = {"ime": "Maja", "rodjen": "2019-05-31", "jezik": "hr", "zona": "Europe/Zagreb"}
TEXT = "Danas si prvi put vozila bicikl bez pomoćnih kotača."
# Each address of a child, with what its guardian is answered.
ADDRESSES: tuple[tuple[str, str, Any, int], ...] = (
    ("PATCH", "", {"jezik": "de"}, 200),
    ("GET", "/sadrzaj", None, 200),
    ("POST", "/memorija", {"tekst": TEXT}, 201),
    ("GET", "/memorija", None, 200),
    ("GET", "/nasljedstvo", None, 200),
    ("DELETE", f"/memorija/{MEMORY}", None, 404),
    ("DELETE", "", None, 204),
)


def family(service: Trustd, native: Client, name: str, tier: str = "noble") -> Client:
    """A guardian of this name."""
    return service.client(service.token(identity(native, name), tier, "family"))


def born(guardian: Client, **more: str) -> str:
    """A child of a guardian's."""
    made = answer(guardian.post(f"{WORLD}/dijete", MAJA | more), 201)
    assert set(made) == {"identity_id", "seal_id", "created_at", "krunica_hash"}
    assert made["seal_id"].startswith("SEAL-DUAL::")
    return str(made["identity_id"])


def ask(client: Client, method: str, path: str, body: Any) -> Any:
    return client.request(method, path, **({} if body is None else {"json": body}))


def test_a_child_is_its_guardians_alone(service: Trustd, native: Client) -> None:
    ana, bo = family(service, native, "ana"), family(service, native, "bo")
    high = family(service, native, "cy", "native")
    elsewhere = service.client(service.token(identity(native, "ana"), "native", "trust ops messaging fleet driver"))
    label = "https://node-1.example"
    service.run("node add", "--label", label, "--subject", identity(native, "keeper"))
    node = service.client(service.run("token issue", "--node", label).strip())
    child = born(ana)
    for path in ("/health", f"{WORLD}/health"):
        assert answer(service.client().get(path)) == {"status": "ok"}
    general = [("GET", f"{WORLD}/djeca", None), ("POST", f"{WORLD}/dijete", MAJA)]
    own = [(method, f"{WORLD}/dijete/{child}{path}", body) for method, path, body, _ in ADDRESSES]
    for method, path, body in [*general, *own]:
        problem(ask(service.client(), method, path, body), 401, "no-token")
        for client in (elsewhere, node):
            problem(ask(client, method, path, body), 403, "scope-missing")
    # Whose child it is not, is told nothing of whether there is one, whatever his tier.
    for method, path, body, _ in ADDRESSES:
        told = set()
        for client in (bo, high):
            for name in (child, UNKNOWN, "maja"):
                said = problem(ask(client, method, f"{WORLD}/dijete/{name}{path}", body), 403, "not-guardian")
                told.add(tuple(value for key, value in sorted(said.items()) if key != "instance"))
        for name in (UNKNOWN, "maja"):
            problem(ask(ana, method, f"{WORLD}/dijete/{name}{path}", body), 403, "not-guardian")
        assert len(told) == 1, told
    assert [len(answer(one.get(f"{WORLD}/djeca"))["items"]) for one in (ana, bo, high)] == [1, 0, 0]
    for method, path, body, status in ADDRESSES:
        response = ask(ana, method, f"{WORLD}/dijete/{child}{path}", body)
        assert response.status_code == status, f"{method} {path}: {response.text}"
    assert answer(ana.get(f"{WORLD}/djeca"))["items"] == []
    problem(ana.get(f"{WORLD}/dijete/{child}/memorija"), 403, "not-guardian")


def test_days_and_memories(service: Trustd, native: Client) -> None:
    dora = family(service, native, "dora")
    child = born(dora)
    at = f"{WORLD}/dijete/{child}"
    today = answer(dora.get(f"{at}/sadrzaj"))
    assert (today["jezik"], today["dobna_skupina"]) == ("hr", today["stavka"].partition("/")[0])
    in_each = {"hr", "de", "en"}
    texts = {one: answer(dora.get(f"{at}/sadrzaj", params={"jezik": one}))["tekst"] for one in in_each}
    assert len(set(texts.values())) == 3 and texts["hr"] == today["tekst"]
    # A day that ends elsewhere at another time does not show a second item.
    for zona in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Zagreb"):
        assert answer(dora.request("PATCH", at, json={"zona": zona}))["zona"] == zona
        assert answer(dora.get(f"{at}/sadrzaj"))["stavka"] == today["stavka"]
    problem(dora.request("PATCH", at, json={"zona": "Europe/Nowhere"}), 422, "invalid-field", "/zona")
    problem(dora.request("PATCH", at, json={}), 422, "invalid-field", "")
    problem(dora.post(f"{WORLD}/dijete", MAJA | {"rodjen": "1990-01-01"}), 422, "invalid-field", "/rodjen")
    both, large = {"tekst": "x", "objekt": {}}, {"objekt": {"a": "x" * 65536}}
    for body in ({}, {"tekst": ""}, {"tekst": "č" * 4001}, both, large):
        problem(dora.post(f"{at}/memorija", body), 422, "invalid-field")
    kept = [{"tekst": "č" * 4000}, {"objekt": {"visina": 121.5, "zub": ["prvi", None]}}, {"tekst": TEXT}]
    made = [answer(dora.post(f"{at}/memorija", body, headers={"Idempotency-Key": str(number)}), 201)
            for number, body in enumerate(kept)]
    # The same request again is the same memory, and what it is answered shows nothing of it.
    again = dora.post(f"{at}/memorija", kept[2], headers={"Idempotency-Key": "2"})
    assert answer(again, 201) == made[2] and set(made[2]) == {"memorija_id", "krunica_hash", "created_at"}
    listed = answer(dora.get(f"{at}/memorija", params={"limit": 2}))
    rest = answer(dora.get(f"{at}/memorija", params={"limit": 2, "after": listed["next"]}))
    items = [*listed["items"], *rest["items"]][::-1]
    assert [{key: one[key] for key in ("tekst", "objekt") if one[key] is not None} for one in items] == kept
    assert len({one["krunica_hash"] for one in items}) == 3 and not any(one["obrisano"] for one in items)
    left = answer(dora.get(f"{at}/nasljedstvo"))["items"]
    assert [one["vrsta"] for one in left] == ["profil", "memorija", "memorija", "memorija"]
    assert all(one["dokaz"]["vrsta"] == ("pecat" if one["vrsta"] == "profil" else "potpis") for one in left)
    assert TEXT in left[3]["dokument"] and "Maja" in left[0]["dokument"]
    erased = f"{at}/memorija/{made[0]['memorija_id']}"
    assert dora.request("DELETE", erased).status_code == 204
    problem(dora.request("DELETE", erased), 404, "unknown-id")
    assert [one["memorija_id"] for one in answer(dora.get(f"{at}/memorija"))["items"]] == [
        made[2]["memorija_id"], made[1]["memorija_id"],
    ]
    service.run("chain verify")


def test_a_server_shows_each_guardian_his_own(
    shared_backend: Backend, make: Make, postgres_server: Postgres, tmp_path: Path
) -> None:
    trustd = make(shared_backend).start()
    native = trustd.client(trustd.first_token())
    ana, bo = family(trustd, native, "ana"), family(trustd, native, "bo")
    child, other = born(ana), born(bo)
    answer(ana.post(f"{WORLD}/dijete/{child}/memorija", {"tekst": TEXT}), 201)
    name = str(shared_backend.settings["database"]).rpartition("/")[2]
    with postgres_server.connect(name, ROLE) as serving:
        def ids(table: str) -> list[Any]:
            return [row[0] for row in serving.execute(f"SELECT id FROM {table}".encode()).fetchall()]

        assert ids("family_children") == ids("family_memories") == []
        serving.execute("SELECT set_config('trustd.guardian', %s, false)", [identity(native, "bo")])
        assert (ids("family_children"), ids("family_memories")) == ([other], [])
        for statement in ("UPDATE family_children SET guardian = %s", "UPDATE family_memories SET child = %s"):
            if "family_children" in statement:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    serving.execute(statement.encode(), [identity(native, "ana")])
            else:
                assert serving.execute(statement.encode(), [other]).rowcount == 0
        assert serving.execute("DELETE FROM family_memories").rowcount == 0
        serving.execute("SET row_security = off")
        for statement in ("SELECT id FROM family_children", "ALTER TABLE family_children DISABLE ROW LEVEL SECURITY",
                          "DROP POLICY guardian ON family_children", "TRUNCATE family_memories",
                          "DELETE FROM _sqlx_migrations", f"SET ROLE {OWNER}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                serving.execute(statement.encode())
    answer(ana.get(f"{WORLD}/dijete/{child}/memorija"))
    trustd.stop()

    def refused(**settings: str) -> str:
        other = make(Backend("postgres", dict(shared_backend.settings) | settings), name=f"refused-{len(settings)}")
        done = other.command("serve", "--config", str(other.config))
        assert done.returncode != 0 and "panicked" not in done.stderr, done.stderr
        return done.stderr

    for role in ("postgres", OWNER):
        assert "passes by row-level security" in refused(database=postgres_server.url(name, role))
    with postgres_server.connect(name) as admin:
        admin.execute("CREATE TABLE extra ()")
        admin.execute(f"ALTER TABLE extra OWNER TO {ROLE}".encode())
        assert f"the role {ROLE} has the table extra" in refused()
        admin.execute("DROP TABLE extra")
        admin.execute(f"ALTER SCHEMA public OWNER TO {ROLE}".encode())
        assert f"the role {ROLE} has the schema public" in refused()
        admin.execute("ALTER SCHEMA public OWNER TO pg_database_owner")
    # Who has the tables hides them again; by itself the role that serves cannot.
    alone = {key: value for key, value in shared_backend.settings.items() if key != "database_owner"}
    served = make(Backend("postgres", alone), name="alone")
    with postgres_server.connect(name) as admin:
        for slip in ("ALTER TABLE family_memories NO FORCE ROW LEVEL SECURITY",
                     "ALTER POLICY guardian ON family_children USING (true)",
                     "ALTER POLICY guardian ON family_children WITH CHECK (true)",
                     "CREATE POLICY more ON family_memories FOR SELECT USING (true)"):
            admin.execute(slip.encode())
            done = served.command("init", "--config", str(served.config))
            assert done.returncode != 0 and "database_owner" in done.stderr, (slip, done.stderr)
            trustd.run("init")
        # Of who has the tables a restart needs nothing, and he is asked whether he can copy them.
        for lacks, said in (("NOBYPASSRLS", "has no BYPASSRLS"), ("BYPASSRLS NOLOGIN", "does not open")):
            try:
                admin.execute(f"ALTER ROLE {OWNER} {lacks}".encode())
                trustd.start().stop()
            finally:
                admin.execute(f"ALTER ROLE {OWNER} LOGIN BYPASSRLS".encode())
            assert said in trustd.log.read_text()
    served.start()


def test_a_backup_opens_no_memory_that_was_erased(own_backend: Backend, make: Make, host: Host, tmp_path: Path) -> None:
    trustd = make(own_backend).start()
    native = trustd.client(trustd.first_token())
    ana = family(trustd, native, "ana")
    child, gone = born(ana), born(ana, ime="Ivo")
    at = f"{WORLD}/dijete/{child}"
    kept, erased = (answer(ana.post(f"{at}/memorija", {"tekst": f"{TEXT} {n}"}), 201)["memorija_id"] for n in (1, 2))
    proven = {one["krunica_hash"]: one["dokaz"] for one in answer(ana.get(f"{at}/nasljedstvo"))["items"]}
    backup = tmp_path / "backup"
    trustd.run("backup make", str(backup))
    assert ana.request("DELETE", f"{at}/memorija/{erased}").status_code == 204
    assert ana.request("DELETE", f"{WORLD}/dijete/{gone}").status_code == 204
    who = identity(native, "ana")
    trustd.stop()
    restored = host(trustd)
    restored.run("restore", str(backup), "--accept-loss")
    restored.start()
    ana = restored.client(restored.token(who, "noble", "family"))
    found = {one["memorija_id"]: one for one in answer(ana.get(f"{at}/memorija"))["items"]}
    assert (found[erased]["obrisano"], found[erased]["tekst"]) == (True, None)
    assert (found[kept]["obrisano"], found[kept]["tekst"]) == (False, f"{TEXT} 1")
    # What stands in the log that has ended is proven by that one's last checkpoint, as before.
    left = [one for one in answer(ana.get(f"{at}/nasljedstvo"))["items"] if one["dokument"]]
    assert len(left) == 2 and all(one["dokaz"] == proven[one["krunica_hash"]] is not None for one in left)
    names = {one["identity_id"]: one["ime"] for one in answer(ana.get(f"{WORLD}/djeca"))["items"]}
    assert names == {child: "Maja", gone: None}
    problem(ana.get(f"{WORLD}/dijete/{gone}/sadrzaj"), 409, "erased")
    # Erasing what came back makes it as it was.
    assert ana.request("DELETE", f"{WORLD}/dijete/{gone}").status_code == 204
    assert restored.client(restored.token(OPERATOR, "native", "family")).get(f"{WORLD}/djeca").status_code == 200


def test_what_is_planned_says_so(service: Trustd) -> None:
    for path in ("stats", "health"):
        problem(service.client().get(f"/api/v1/token-economy/{path}"), 501, "planned")
