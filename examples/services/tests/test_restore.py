"""A backup that is taken back is held against what others have seen; what was erased meanwhile does not come back with
it; and a secret that somebody moved in the database opens nowhere."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Host, Make
from dualseal_second import krunica
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import SIGN, checkpoint, encoded, entry, identity
from harness.nodes import until
from harness.present import DOMAIN
from harness.trustd import OPERATOR, Trustd

ALARMS = "/api/v1/dsa/alarms"
ORIGIN = "localhost/trustd"
DOCUMENT = b"Ugovor br. 17"


@dataclass
class Story:
    """A service that signed something, was backed up, and signed more, which others have seen."""

    trustd: Trustd
    token: str
    signer: str
    before: str
    after: str
    backup: Path
    seen_then: Path
    seen_now: Path


@pytest.fixture
def story(own_backend: Backend, make: Make, tmp_path: Path) -> Story:
    trustd = make(own_backend).start()
    token = trustd.first_token()
    native = trustd.client(token)
    signer = identity(native, "signer")
    before = sign(native, signer, b"before")
    seen_then = exported(trustd, tmp_path / "then.json")
    backup = tmp_path / "backup"
    trustd.run("backup make", str(backup))
    after = sign(native, signer, b"after")
    seen_now = exported(trustd, tmp_path / "now.json")
    assert json.loads(seen_now.read_text())["size"] > json.loads(seen_then.read_text())["size"]
    return Story(trustd, token, signer, before, after, backup, seen_then, seen_now)


def exported(trustd: Trustd, file: Path) -> Path:
    """What somebody outside keeps."""
    file.write_text(trustd.run("checkpoint export"))
    signed = krunica.parse_checkpoint(json.loads(file.read_text()))
    assert krunica.is_signed(DOMAIN, signed)
    return file


def sign(client: Client, signer: str, content: bytes) -> str:
    """The handle of a record."""
    signed = answer(client.post(SIGN, {"identity_id": signer, "content_b64": encoded(content)}), 201)
    return str(signed["krunica_hash"])


def refused(host: Trustd, *options: str) -> str:
    """Why a restore is refused."""
    done = host.command("restore", "--config", str(host.config), *options)
    assert done.returncode == 2, f"{done.stdout}{done.stderr}"
    assert "panicked" not in done.stderr
    return done.stderr


def test_an_older_state_is_refused(story: Story, host: Host) -> None:
    story.trustd.stop()
    folder = str(story.backup)
    # By what somebody outside has seen since, and, where whoever restores shows an old checkpoint, by the mark.
    for seen in (story.seen_now, story.seen_then):
        empty = host(story.trustd)
        said = refused(empty, folder, "--checkpoint", str(seen))
        assert "older than what was signed" in said, said
        # Nothing to hold it against is no answer either, and what was refused does not serve.
        refused(empty, folder)
        if empty.backend.bucket is None:
            assert not (empty.data / "trustd.sqlite").exists()


def test_the_last_state_goes_on(story: Story, host: Host, tmp_path: Path) -> None:
    last = tmp_path / "last"
    story.trustd.run("backup make", str(last))
    story.trustd.stop()
    restored = host(story.trustd)
    # One that broke off serves nothing, whatever it left.
    (restored.data / "restore-begun").write_text("")
    for command in ("init", "chain verify"):
        done = restored.command(*command.split(), "--config", str(restored.config))
        assert done.returncode == 2 and "did not end" in done.stderr, done.stderr
    said = restored.run("restore", str(last), "--checkpoint", str(story.seen_now))
    assert f"{ORIGIN} goes on" in said
    restored.start()
    # Whatever was given out before counts no more, whatever is said of it in the backup.
    problem(restored.client(story.token).get(ALARMS), 401, "bad-token")
    native = restored.client(restored.token(OPERATOR, "native", "trust"))
    answer(native.get(ALARMS))
    for handle in (story.before, story.after):
        entry(restored.client(), handle)
    later = sign(native, story.signer, b"later")
    now = exported(restored, tmp_path / "later.json")
    assert not krunica.is_fork(*(json.loads(file.read_text()) for file in (now, story.seen_now)))
    assert entry(restored.client(), later)["seq"] >= json.loads(story.seen_now.read_text())["size"]
    restored.run("chain verify")


def test_an_accepted_loss_begins_another_log(story: Story, host: Host, tmp_path: Path) -> None:
    story.trustd.stop()
    restored = host(story.trustd)
    said = restored.run("restore", str(story.backup), "--accept-loss")
    assert f"{ORIGIN}/2 begins" in said
    restored.start()
    problem(restored.client(story.token).get(ALARMS), 401, "bad-token")
    native = restored.client(restored.token(OPERATOR, "native", "trust"))
    # It signs by the keys that it had, under its new name.
    sign(native, story.signer, b"later")
    now = json.loads(exported(restored, tmp_path / "later.json").read_text())
    assert now["origin"] == f"{ORIGIN}/2"
    # Its first entry says where the log before it ended; what was lost is not there.
    [first] = krunica.parse_export(restored.client().get("/api/v1/log/entries", params={"from": 0}).content)[:1]
    ended = json.loads(first["poruka"])
    then = json.loads(story.seen_then.read_text())
    assert (ended["loss"], ended["after"]["origin"]) == ("accepted", ORIGIN)
    assert ended["after"]["size"] >= then["size"]
    found = entry(restored.client(), story.before)
    # Where it stood its handle shows, under the last checkpoint of the log that has ended. The position alone is
    # another's now, and no cache has it for long.
    there = f"/api/v1/log/proof/{found['seq']}"
    proof = answer(restored.client().get(there, params={"krunica_hash": story.before}))
    assert (proof["checkpoint"]["origin"], proof["entry"]) == (ORIGIN, found)
    tile = restored.client().get("/api/v1/log/tile/0/000.p/1")
    assert tile.headers["Cache-Control"] == "public, max-age=86400"
    problem(restored.client().get("/api/v1/log/entry", params={"krunica_hash": story.after}), 404, "unknown-id")
    assert checkpoint(restored.client())["origin"] == f"{ORIGIN}/2"
    restored.run("chain verify")


def seal(native: Client, owner: str, content: bytes) -> str:
    """A document of the vault."""
    body = {"payload_b64": encoded(content), "type": "CONTRACT", "identity_id": owner}
    return str(answer(native.post("/api/v1/vault/seal", body), 201)["vault_id"])


def unseal(native: Client, owner: str, vault_id: str) -> Any:
    """What is answered."""
    return native.post(f"/api/v1/vault/{vault_id}/unseal", {"identity_id": owner})


def test_what_was_erased_does_not_come_back(own_backend: Backend, make: Make, host: Host, tmp_path: Path) -> None:
    trustd = make(own_backend).start()
    native = trustd.client(trustd.first_token())
    erased_of, kept_of = identity(native, "erased"), identity(native, "kept")
    erased, kept = seal(native, erased_of, DOCUMENT), seal(native, kept_of, DOCUMENT)
    for owner, vault_id in ((erased_of, erased), (kept_of, kept)):
        assert unseal(native, owner, vault_id).content == DOCUMENT
    backup = tmp_path / "backup"
    trustd.run("backup make", str(backup))
    answer(native.post(f"/api/v1/vault/{erased}/erase", {"identity_id": erased_of}))
    problem(unseal(native, erased_of, erased), 409, "erased")
    trustd.stop()
    restored = host(trustd)
    restored.run("restore", str(backup), "--accept-loss")
    restored.start()
    native = restored.client(restored.token(OPERATOR, "native", "trust"))
    # The rest of the backup is whole.
    found = unseal(native, kept_of, kept)
    assert (found.status_code, found.content) == (200, DOCUMENT), found.text
    verified = {"vault_id": kept}
    assert answer(restored.client().post("/api/v1/vault/verify", verified))["validan"] is True
    refused = unseal(native, erased_of, erased)
    problem(refused, 409, "erased")
    assert DOCUMENT not in refused.content
    # The log where it stands has ended, and a key that is called back since is all the same.
    answer(native.post("/api/v1/dsa/bela", {"identity_id": kept_of, "stanje": "nijedno"}))
    assert answer(restored.client().post("/api/v1/vault/verify", verified))["validan"] is None
    assert unseal(native, kept_of, kept).status_code == 409
    answer(native.post("/api/v1/dsa/bela", {"identity_id": kept_of, "stanje": "istina"}))
    assert unseal(native, kept_of, kept).content == DOCUMENT


def test_a_secret_in_the_place_of_another_does_not_open(own_backend: Backend, make: Make, request: Any) -> None:
    trustd = make(own_backend).start()
    native = trustd.client(trustd.first_token())
    owner = identity(native, "owner")
    one, other, third = (seal(native, owner, DOCUMENT + bytes([number])) for number in range(3))
    token = trustd.token(OPERATOR, "native", "trust")
    trustd.stop()
    swap(trustd, request, one, other)
    said = trustd.run("chain verify", code=1)
    assert "secret" in said, said
    trustd.start()
    native = trustd.client(token)
    for vault_id in (one, other):
        found = unseal(native, owner, vault_id)
        assert found.status_code in (409, 500), found.text
        assert DOCUMENT not in found.content
        assert found.headers["Content-Type"] == "application/problem+json"
    assert unseal(native, owner, third).content == DOCUMENT + b"\x02"
    kinds = lambda: {alarm["kind"] for alarm in answer(native.get(ALARMS))["items"]}
    # Of what was asked for, and of the whole store, which is read in the background.
    until(lambda: {"secret", "store"} <= kinds(), lambda: f"told of {kinds()}")


def swap(trustd: Trustd, request: Any, one: str, other: str) -> None:
    """Puts the secret of each document in the place of the other's."""
    read = "SELECT stored FROM secrets WHERE tbl = 'vault' AND purpose = 'secret' AND line = {}"
    write = "UPDATE secrets SET stored = {} WHERE tbl = 'vault' AND purpose = 'secret' AND line = {}"
    lines = [bytes.fromhex(name) for name in (one, other)]
    connection: Any
    if trustd.backend.bucket is None:
        connection, mark = sqlite3.connect(trustd.data / "trustd.sqlite", isolation_level=None), "?"
    else:
        name = str(trustd.backend.settings["database"]).rpartition("/")[2]
        connection, mark = request.getfixturevalue("postgres_server").connect(name), "%s"
    with contextlib.closing(connection):
        stored = [bytes(connection.execute(read.format(mark), (line,)).fetchone()[0]) for line in lines]
        assert stored[0] != stored[1] and all(stored)
        for line, value in zip(reversed(lines), stored, strict=True):
            assert connection.execute(write.format(mark, mark), (value, line)).rowcount == 1
