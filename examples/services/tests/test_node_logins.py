"""Nodes sign in by a key that is drawn and kept at the node: enrolled once by the operator's word, it gets that node's
tokens and nothing else, and nobody else gets them."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import jwt
import requests
from conftest import Make
from dualseal_second import presence
from harness import configuration
from harness.configuration import Backend
from harness.http import answer, problem
from harness.load import identity
from harness.nodes import Node, until
from harness.present import DOMAIN, signed
from harness.process import free_ports
from harness.trustd import OPERATOR, Trustd

AUTH, THRESHOLD, QT = "/api/v1/auth", "/api/v1/threshold", "/api/v1/qt"
# Who asks now is answered; of what waits a node without a token hears nothing.
POLL = f"{QT}/requests"


def says(service: Trustd, said: str) -> None:
    """Waits for an entry of the log, as anybody reads it."""

    def text() -> str:
        return service.client().get("/api/v1/log/entries", params={"from": 0}).text

    until(lambda: f'"poruka":"{said}"' in text(), text)


def tokens(service: Trustd) -> set[str]:
    """Those of the node n0, by their names."""
    return {line.split()[0] for line in service.run("token list").splitlines() if "node=n0" in line}


class Keeper:
    """Whoever keeps a node, with a key of his own: what `trustd node run` does, and what it would not do."""

    def __init__(self, service: Trustd, label: str, who: str) -> None:
        """Adds the node."""
        service.run("node add", "--label", label, "--subject", who)
        self.service, self.label, self.who, self.seed = service, label, who, os.urandom(32)
        self.key_id = ""

    def invited(self) -> str:
        """A code, by the operator's word."""
        return self.service.run("invite", "--node", self.label).strip()

    def enrols(self, invitation: str, seed: bytes | None = None, label: str | None = None) -> requests.Response:
        """Asks for it."""
        key = presence.public_key_of(seed or self.seed)
        body = {"invitation": invitation, "public_key": key, "label": label or self.label}
        return self.service.client().post(f"{AUTH}/enrol", body)

    def enrolled(self) -> Keeper:
        """By an invitation."""
        self.key_id = answer(self.enrols(self.invited()), 201)["key_id"]
        return self

    def challenge(self, who: str | None = None) -> dict[str, str]:
        """What is to be signed."""
        return dict(answer(self.service.client().post(f"{AUTH}/challenge", {"identity_id": who or self.who})))

    def signs_in(self, asked: dict[str, str] | None = None, seed: bytes | None = None, **other: str) -> Any:
        """Asks for a token, as himself or as somebody else."""
        asked = asked or self.challenge(other.get("identity_id"))
        body = {"identity_id": self.who, "tier": "noble", "key_id": self.key_id, "client_id": "node"} | other
        parts = [body["identity_id"], body["tier"]]
        said = presence.stated(DOMAIN, "LOGIN", asked["audience"], parts, asked["nonce"], asked["expiry"])
        body |= {"nonce": asked["nonce"], "expiry": asked["expiry"], "signature": signed(seed or self.seed, said)}
        return self.service.client().post(f"{AUTH}/token", body)

    def token(self) -> str:
        """One that counts."""
        return str(answer(self.signs_in())["access_token"])


def polled(service: Trustd, token: str) -> requests.Response:
    """What a node asks all the time."""
    return service.client(token).get(POLL)


def test_nodes_run_by_their_keys(make: Make, own_backend: Backend, tmp_path: Path) -> None:
    # So short is a token's life that each node renews its own while this runs.
    service = make(own_backend, {"tokens": {"noble": "4s"}}).start()
    native = service.client(service.token(OPERATOR, "native", "trust ops"))
    nodes = []
    for number in range(3):
        node = Node(tmp_path / f"node-{number}", service, f"n{number}", identity(native, f"n{number}"), signs_in=True)
        node.enrol(service.run("invite", "--node", node.label))
        assert node.login.stat().st_mode & 0o777 == 0o600
        nodes.append(node.start())
    session = answer(native.post(f"{THRESHOLD}/sesija", {"n": 3, "k": 2}), 201)["session_id"]

    def present() -> bool:
        quorum = answer(native.get(f"{THRESHOLD}/borg/kvorum", params={"session_id": session}))
        return len(quorum["present"]) == 3

    until(present, lambda: native.get(f"{THRESHOLD}/borg/kvorum", params={"session_id": session}).text)
    seen: set[str] = set()

    def renewed() -> bool:
        seen.update(tokens(service))
        return len(seen) > 1

    until(renewed, lambda: f"{seen}")
    for node in nodes:
        assert "turn failed" not in node.log.read_text(), node.log.read_text()
    keys = {key["label"]: key for key in answer(native.get(f"{AUTH}/keys"))["items"]}
    assert [(keys[node.label]["scopes"], keys[node.label]["tier"]) for node in nodes] == [(["node"], "noble")] * 3
    assert service.run("login list").count(" node ") == 3
    # A login that is removed ends with its tokens; the node says so, and comes back by another invitation.
    first = nodes[0]
    service.run("login remove", keys["n0"]["key_id"])
    for what in ("enrolled", "removed"):
        says(service, f"login {what} {keys['n0']['key_id']}")
    first.says("401 bad-login")
    assert "there already" in first.enrol(service.run("invite", "--node", "n0"), code=2)
    first.login.unlink()
    before = tokens(service)
    first.enrol(service.run("invite", "--node", "n0"))
    at = len(first.log.read_text())
    until(lambda: tokens(service) - seen - before, lambda: first.log.read_text()[at:])
    # A file that others may read is no secret any more.
    first.stop()
    first.login.chmod(0o644)
    first.start()
    first.says("chmod 0640")
    for node in nodes:
        node.close()


def test_an_enrolment_without_an_answer_is_asked_again_with_its_key(make: Make, tmp_path: Path) -> None:
    [port] = free_ports(1)
    service = make(configuration.local(), {"listen": f"127.0.0.1:{port}"}).start()
    native = service.client(service.token(OPERATOR, "native", "trust ops"))
    node = Node(tmp_path / "node", service, "n0", identity(native, "n0"), signs_in=True)
    code = service.run("invite", "--node", "n0").strip()
    service.stop()
    assert "not reached" in node.enrol(code, code=2)
    drawn = node.folder / "login.drawn"
    seed = drawn.read_text()
    assert drawn.stat().st_mode & 0o777 == 0o600 and not node.login.exists()
    service.start()
    # It came there, and its answer was lost.
    body = {"invitation": code, "public_key": presence.public_key_of(bytes.fromhex(seed)), "label": "n0"}
    key_id = answer(service.client().post(f"{AUTH}/enrol", body), 201)["key_id"]
    node.enrol(code)
    kept = json.loads(node.login.read_text())
    assert (kept["key_id"], kept["seed"]) == (key_id, seed) and not drawn.exists()
    node.start()
    until(lambda: tokens(service), lambda: node.log.read_text())
    node.close()
    service.stop()


def test_an_invitation_enrols_one_key_of_one_node(service: Trustd, native: Any, tmp_path: Path) -> None:
    ana = Keeper(service, "once-a", identity(native, "once-a"))
    bo = Keeper(service, "once-b", identity(native, "once-b"))
    code = ana.invited()
    problem(bo.enrols(code), 422, "invalid-field", "/label")
    answer(ana.enrols(code), 201)
    problem(ana.enrols(code, seed=os.urandom(32)), 403, "bad-invitation")
    problem(bo.enrols("ab" * 32), 403, "bad-invitation")
    # Whoever has a used one gets no file either, and no native makes one over HTTP.
    thief = Node(tmp_path / "thief", service, "once-c", identity(native, "once-c"), signs_in=True)
    thief.label = "once-a"
    assert "403 bad-invitation" in thief.enrol(code, code=2) and not thief.login.exists()
    asked = {"identity_id": ana.who, "tier": "noble", "scopes": ["node"]}
    operator = service.client(service.token(OPERATOR, "native", "ops"))
    problem(operator.post(f"{AUTH}/invitations", asked), 403, "scope-missing")
    assert "there is no node" in service.command(
        "invite", "--node", "nobody", "--config", str(service.config)
    ).stderr
    # It is withdrawn as any other.
    code = bo.invited()
    [name] = [line.split()[0] for line in service.run("login invitations").splitlines() if 'node="once-b"' in line]
    service.run("login withdraw", name)
    problem(bo.enrols(code), 403, "bad-invitation")


def test_a_key_gets_the_tokens_of_its_node_and_no_others(service: Trustd, native: Any) -> None:
    ana = Keeper(service, "own-a", identity(native, "own-a")).enrolled()
    bo = Keeper(service, "own-b", identity(native, "own-b")).enrolled()
    token = ana.token()
    claims = jwt.decode(token, options={"verify_signature": False})
    assert (claims["node"], claims["scope"], claims["tier"], claims["key"]) == ("own-a", "node", "noble", ana.key_id)
    assert polled(service, token).status_code == 200
    problem(service.client(token).get("/api/v1/dsa/alarms"), 403, "tier-too-low")
    problem(service.client(token).get(f"/api/v1/dsa/status/{ana.who}"), 403, "scope-missing")

    def refused(response: Any) -> str:
        said = problem(response, 401, "bad-login")
        return str(sorted((name, value) for name, value in said.items() if name != "instance"))

    used = ana.challenge()
    answer(ana.signs_in(used))
    told = {
        refused(ana.signs_in(used)),
        refused(ana.signs_in(tier="native")),
        refused(ana.signs_in(seed=bo.seed)),
        refused(bo.signs_in(identity_id=ana.who)),
        refused(bo.signs_in(identity_id=ana.who, key_id=ana.key_id)),
        refused(bo.signs_in(asked=ana.challenge())),
        refused(ana.signs_in(identity_id="cd" * 32)),
    }
    assert len(told) == 1, told
    known, unknown = ana.challenge(), ana.challenge("cd" * 32)
    assert {name: len(value) for name, value in known.items()} == {name: len(value) for name, value in unknown.items()}


def test_a_removed_node_signs_in_no_more(service: Trustd, native: Any) -> None:
    gone = Keeper(service, "gone", identity(native, "gone")).enrolled()
    token, waits = gone.token(), gone.invited()
    assert polled(service, token).status_code == 200
    service.run("node remove", "--label", "gone")
    problem(polled(service, token), 401, "bad-token")
    problem(gone.signs_in(), 401, "bad-login")
    problem(gone.enrols(waits), 403, "bad-invitation")
    says(service, f"login removed {gone.key_id}")
    assert gone.key_id not in service.run("login list")
    # Who comes back under his label is invited anew.
    service.run("node add", "--label", "gone", "--subject", gone.who)
    problem(gone.signs_in(), 401, "bad-login")
    problem(gone.enrols(waits), 403, "bad-invitation")
    problem(polled(service, token), 401, "bad-token")
    assert polled(service, gone.enrolled().token()).status_code == 200


def test_whoever_writes_the_database_signs_in_as_no_node(make: Make) -> None:
    service = make(configuration.local()).start()
    native = service.client(service.token(OPERATOR, "native", "trust ops"))
    ana, eva = (Keeper(service, name, identity(native, name)).enrolled() for name in ("ana", "eva"))

    def writes(*statements: str) -> None:
        with closing(sqlite3.connect(service.data / "trustd.sqlite", timeout=10)) as database, database:
            for statement in statements:
                database.execute(statement)

    as_ana = {"identity_id": ana.who}
    own = f"x'{presence.public_key_of(eva.seed)}'"
    writes("CREATE TABLE kept AS SELECT * FROM logins")
    for which, change, asked in (
        # The key of another, under the name of the first one's login.
        (ana, f"public_key = {own}", as_ana | {"key_id": ana.key_id}),
        # The login of another, as one of this node.
        (eva, f"label = 'ana', identity_id = '{ana.who}'", as_ana),
        # A login of a node, as that of a person who may all.
        (eva, "kind = 'key', scope = 'trust ops', tier = 'native'", {"tier": "native"}),
        (eva, "kind = 'key'", {}),
    ):
        writes(f"UPDATE logins SET {change} WHERE id = '{which.key_id}'")
        problem(eva.signs_in(**asked), 401, "bad-login")
        writes("DELETE FROM logins", "INSERT INTO logins SELECT * FROM kept")
    answer(eva.signs_in())
    # An invitation of a node, as one of another node of its keeper's; and of a person, as one of a node.
    other = Keeper(service, "eva-2", eva.who)
    waits = eva.invited()
    since = "(SELECT added FROM custodians WHERE label = 'eva-2')"
    writes(f"UPDATE invitations SET node = 'eva-2', node_since = {since} WHERE used IS NULL")
    problem(other.enrols(waits), 403, "bad-invitation")
    waits = service.run("invite", "--subject", ana.who, "--tier", "noble", "--scope", "trust").strip()
    writes("UPDATE invitations SET node = 'ana', scope = 'node' WHERE used IS NULL")
    problem(ana.enrols(waits, seed=eva.seed), 403, "bad-invitation")
    assert "a row is not as the service wrote it" in service.log.read_text()
    # What he puts back as it was is no login of a node that was removed.
    waits = ana.invited()
    writes("CREATE TABLE invited AS SELECT * FROM invitations WHERE used IS NULL")
    service.run("node remove", "--label", "ana")
    writes("DELETE FROM invitations", "INSERT INTO invitations SELECT * FROM invited")
    writes("DELETE FROM logins", "INSERT INTO logins SELECT * FROM kept")
    problem(ana.signs_in(), 401, "bad-login")
    problem(ana.enrols(waits), 403, "bad-invitation")
    service.stop()
