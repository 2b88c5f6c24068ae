"""Messages over HTTP and real mail: authentic ones have their effect, and no other starts anything."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Make
from harness import configuration, mail, office, process
from harness.configuration import Backend
from harness.http import Client, answer, problem
from harness.load import identity
from harness.mail import Domain, MailServer, Names
from harness.nodes import until
from harness.office import IN, Provider, form, signed, sms
from harness.trustd import Trustd, program

PAGE = (Path(__file__).parents[3] / "docs/OPERATIONS.md").read_text()
MESSAGING = "/api/v1/messaging"
ANA, BO = "+385911234567", "+385917654321"


@dataclass
class Office:
    """A service with its providers, and a native of it."""

    service: Trustd
    native: Client
    provider: Provider
    names: Names
    mail: MailServer

    @property
    def stranger(self) -> Client:
        """Whoever calls a webhook."""
        return self.service.client()

    def contact(self, **members: Any) -> dict[str, Any]:
        """Adds somebody."""
        body = {"name": "Ana Horvat", "language": "en"} | members
        return dict(answer(self.native.post(f"{MESSAGING}/contacts", body), 201))

    def texts(self, to: str) -> list[str]:
        """What the provider got for somebody."""
        return [one["Body"] for one in self.provider.got if one["To"] == to]

    def wait(self, to: str, part: str) -> str:
        """The message that comes for somebody."""
        until(lambda: any(part in text for text in self.texts(to)), lambda: f"{part!r} not in {self.texts(to)}")
        return next(text for text in reversed(self.texts(to)) if part in text)

    def public(self) -> str:
        """What strangers read of the log."""
        return self.stranger.get("/api/v1/log/entries", params={"from": "0"}).text

    def log(self, **query: str) -> list[dict[str, Any]]:
        """The newest messages."""
        return list(answer(self.native.get(f"{MESSAGING}/log", params=query))["items"])


@pytest.fixture(scope="module")
def desk(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """One for each backend."""
    folder = tmp_path_factory.mktemp("office")
    with office.provider() as provider, mail.names() as names, mail.mail_server(folder) as server:
        ways = office.settings(folder, provider.address) | {
            "dns": f"127.0.0.1:{names.port}",
            "smtp_host": "localhost",
            "smtp_port": server.port,
            "smtp_ca_file": str(server.certificate),
            "mail_from": "Fleet <fleet@trust.example>",
        }
        service = Trustd(folder, backend, {"messaging": ways}).start()
        yield Office(service, service.client(service.first_token()), provider, names, server)
        service.close()


def test_what_is_not_authentic_starts_nothing(desk: Office) -> None:
    desk.contact(phone="+385910000011", on_call=True, name="On call")
    before = len(desk.log(direction="in"))
    at = f"{IN}/sms"
    for refused in [
        sms(desk.stranger, ANA, "PANIC", token="another"),
        sms(desk.stranger, ANA, "PANIC", url="https://evil.example"),
        form(desk.stranger, at, {"MessageSid": "SM1", "From": ANA, "Body": "PANIC", "AccountSid": "AC2"}),
        desk.stranger.post(at, data="Body=PANIC", headers={"Content-Type": "application/x-www-form-urlencoded"}),
        signed(desk.stranger, at, b'{"id":"1","from":"+3859112345","text":"PANIC"}', "application/json", key="x" * 40),
        signed(desk.stranger, at, b"{}", "application/json", at=int(time.time()) - 400),
        signed(desk.stranger, at, b"{}", "application/json", said=f"{IN}/email"),
        signed(desk.stranger, f"{IN}/email?spf=b.example", b"From: a@b.example", "message/rfc822", said=f"{IN}/email"),
    ]:
        problem(refused, 403, "bad-signature")
    time.sleep(1)
    assert len(desk.log(direction="in")) == before
    assert not desk.texts("+385910000011")


def test_a_short_message_is_answered_once(desk: Office) -> None:
    number, sid = "+385910000021", "SM" + uuid.uuid4().hex
    for url in ("https://trust.example", "https://trust.example:443"):
        taken = sms(desk.stranger, number, "INFO", sid, url=url)
        assert (taken.status_code, taken.headers["Content-Type"]) == (200, "text/xml")
        assert taken.text.endswith("<Response/>")
    desk.wait(number, "BORDER")
    body = json.dumps({"id": "g-1", "from": "+385 91 000 0021", "text": "status", "further": 1}).encode()
    first = answer(signed(desk.stranger, f"{IN}/sms", body, "application/json"))
    again = answer(signed(desk.stranger, f"{IN}/sms", body, "application/json"))
    assert (first["status"], first["intent"]) == ("received", "QUERY_STATUS")
    assert again == first | {"status": "duplicate"}
    desk.wait(number, "not registered")
    time.sleep(0.5)
    assert len(desk.texts(number)) == 2


def test_joining_and_leaving_leave_entries_and_no_number(desk: Office) -> None:
    number = "+385910000031"
    sms(desk.stranger, number, "zelim se pridruziti floti")
    code = re.findall(r"\b\d{6}\b", desk.wait(number, "kod"))[0]
    sms(desk.stranger, number, code)
    desk.wait(number, "zaprimljena")
    [applied] = answer(desk.native.get(f"{MESSAGING}/contacts", params={"state": "applied"}))["items"]
    assert applied["phone"] == number
    at = f"{MESSAGING}/contacts/{applied['contact_id']}"
    problem(desk.native.request("PATCH", at, json={"version": 7}), 409, "conflict")
    made = answer(desk.native.request("PATCH", at, json={"version": 1, "state": "active", "name": "Ivo"}))
    assert (made["state"], made["version"]) == ("active", 2)
    sms(desk.stranger, number, "odjava")
    code = re.findall(r"\b\d{6}\b", desk.wait(number, "odjava"))[0]
    sms(desk.stranger, number, code)
    desk.wait(number, "Odjavljen")
    whole = answer(desk.native.get(at))
    assert whole["contact"]["state"] == "left" and whole["contact"]["phone"] is None
    assert [json.loads(entry["text"])["what"] for entry in whole["entries"]] == ["applied", "changed", "left"]
    until(lambda: desk.public().count("personal ") >= 3, desk.public)
    assert number not in desk.public()
    assert desk.native.request("DELETE", at).status_code == 204
    problem(desk.native.get(at), 404, "unknown-id")
    assert not desk.log(contact_id=applied["contact_id"])
    desk.service.run("chain verify")


def test_a_noble_sees_its_own_masked(desk: Office) -> None:
    who = identity(desk.native, f"noble {uuid.uuid4()}")
    noble = desk.service.client(desk.service.token(who, "noble", "messaging"))
    other = desk.contact(phone="+385910000041")
    own = desk.contact(phone="+385910000042", identity_id=who)
    problem(noble.post(f"{MESSAGING}/send", {"contact_id": other["contact_id"], "text": "x"}), 404, "unknown-id")
    headers = {"Idempotency-Key": "send-once"}
    body = {"contact_id": own["contact_id"], "text": "Nazovi ured."}
    sent = [answer(noble.post(f"{MESSAGING}/send", body, headers=headers), 202) for _ in range(2)]
    assert sent[0] == sent[1]
    desk.wait("+385910000042", "ured")
    [line] = answer(noble.get(f"{MESSAGING}/log"))["items"]
    assert (line["address"], line["body"], line["direction"]) == ("+385***042", None, "out")
    [sid] = [one["sid"] for one in desk.provider.got if one["To"] == "+385910000042"]
    status = f"{IN}/sms/status"
    for word in ("sent", "delivered", "delivered"):
        assert form(desk.stranger, status, {"MessageSid": sid, "MessageStatus": word}).status_code == 204
    forged = form(desk.stranger, status, {"MessageSid": sid, "MessageStatus": "failed"}, token="x")
    problem(forged, 403, "bad-signature")
    whole = desk.log(contact_id=own["contact_id"])
    assert [(one["status"], one["address"], one["body"]) for one in whole] == [
        ("delivered", "+385910000042", "Nazovi ured.")
    ]
    problem(noble.get(f"{MESSAGING}/contacts"), 403, "tier-too-low")
    assert len([text for text in desk.texts("+385910000042") if "ured" in text]) == 1


def test_mail_counts_when_its_domain_vouches_for_it(desk: Office) -> None:
    """Real signatures by dkimpy, and what an attacker makes of them."""
    acme, other = Domain.of("acme.example", desk.names), Domain.of("evil.example", desk.names)
    address, seen = f"ana-{uuid.uuid4().hex[:8]}@acme.example", 0
    desk.contact(phone=None, email=address)

    def outcome(raw: bytes, query: str = "") -> str:
        taken = answer(signed(desk.stranger, f"{IN}/email{query}", raw, "message/rfc822"))
        return next(str(one["status"]) for one in desk.log(direction="in") if one["id"] == taken["id"])

    assert outcome(acme.sign(mail.letter(address, "status"))) == "answered"
    until(lambda: len(desk.mail.box.taken) > seen, lambda: "no answer")
    to, text, is_secret = desk.mail.box.taken[-1]
    assert to == address and is_secret and "Auto-Submitted: auto-generated" in text
    for raw in [
        mail.letter(address, "status"),
        other.sign(mail.letter(address, "status")),
        acme.sign(mail.letter(address, "status")).replace(b"status", b"Status"),
        acme.sign(mail.letter(address, "status"), ["from", "to"]),
        acme.sign(mail.letter(address, "status"), length=True) + b"and more\r\n",
    ]:
        assert outcome(raw) == "not-verified", raw
    assert outcome(mail.letter(address, "status"), "?spf=acme.example") == "answered"
    assert outcome(mail.letter(address, "status"), "?spf=evil.example") == "not-verified"
    two = mail.letter(f"{address}, bo@acme.example", "status")
    problem(signed(desk.stranger, f"{IN}/email", two, "message/rfc822"), 422, "invalid-field")


def test_a_document_by_mail_is_filed_in_the_vault(desk: Office) -> None:
    acme = Domain.of("drivers.example", desk.names)
    who = identity(desk.native, f"driver {uuid.uuid4()}")
    address = f"driver-{uuid.uuid4().hex[:8]}@drivers.example"
    desk.contact(email=address, identity_id=who)
    document = b"%PDF-1.7 licence"
    raw = acme.sign(mail.letter(address, "Attached is my licence", attached=("licence.pdf", document)))
    assert answer(signed(desk.stranger, f"{IN}/email", raw, "message/rfc822"))["intent"] == "DOC_UPLOAD"

    def got(part: str) -> str | None:
        return next((text for to, text, _ in reversed(desk.mail.box.taken) if to == address and part in text), None)

    until(lambda: got("send back") is not None, lambda: str(desk.mail.box.taken))
    assert not answer(desk.native.get("/api/v1/vault/", params={"identity_id": who}))["items"]
    code = re.findall(r"send back (\d{6})", (got("send back") or "").replace("=\r\n", ""))[0]
    answer(signed(desk.stranger, f"{IN}/email", acme.sign(mail.letter(address, code)), "message/rfc822"))
    until(lambda: got("Documents filed: 1") is not None, lambda: str(desk.mail.box.taken))
    [record] = answer(desk.native.get("/api/v1/vault/", params={"identity_id": who}))["items"]
    assert record["type"] == "message-attachment"
    unsealed = desk.native.post(f"/api/v1/vault/{record['vault_id']}/unseal", {"identity_id": who})
    assert unsealed.content == document


def test_a_mail_server_that_refuses_is_tried_again(desk: Office) -> None:
    address = f"bo-{uuid.uuid4().hex[:8]}@acme.example"
    contact = desk.contact(email=address)
    desk.mail.box.refuses = ["451 later"]
    answer(desk.native.post(f"{MESSAGING}/send", {"contact_id": contact["contact_id"], "text": "hallo"}), 202)
    until(lambda: any(to == address for to, *_ in desk.mail.box.taken), lambda: str(desk.log()))
    desk.mail.box.refuses = ["550 never"]
    answer(desk.native.post(f"{MESSAGING}/send", {"contact_id": contact["contact_id"], "text": "again"}), 202)
    until(lambda: desk.log()[0]["status"] == "failed", lambda: str(desk.log()[0]))
    assert desk.log()[0]["fault"] == "answered 550"


def test_a_cry_by_mail_comes_through_postfix() -> None:
    """swaks gives it to Postfix, whose row is the page's: it has the key alone, and waits while the service is away."""
    [row] = [line.strip() for line in PAGE.splitlines() if line.startswith("    trustd unix")]
    folder = Path(tempfile.mkdtemp(prefix="trustd-mta-"))
    folder.chmod(0o755)
    try:
        with office.provider() as provider:
            ways = office.settings(folder, provider.address) | {"dns": "127.0.0.1:9"}
            [port] = process.free_ports(1)
            service = Trustd(folder, configuration.local(), {"messaging": ways, "listen": f"127.0.0.1:{port}"}).start()
            native = service.client(service.first_token())
            on_call = {"name": "On call", "language": "en", "phone": BO, "on_call": True}
            answer(native.post(f"{MESSAGING}/contacts", on_call), 201)
            service.stop()
            shutil.chown(folder / "webhook-key", "nobody")
            service.config.chmod(0o644)
            binary = str(shutil.copy(program(), folder / "trustd"))
            here = {"/usr/local/bin/trustd": binary, "/etc/trustd/trustd.toml": str(service.config)}
            for said, is_here in ({"user=trustd": "user=nobody"} | here).items():
                assert row.count(said) == 1, row
                row = row.replace(said, is_here)
            with mail.postfix(folder / "mta", row) as smtp:
                swaks = ["swaks", "--server", f"127.0.0.1:{smtp}", "--to", "fleet@trust.example", "--hide-all"]
                text = ["--from", "ana@acme.example", "--header", "Subject: PANIC", "--body", "they are robbing me"]
                subprocess.run([*swaks, *text], check=True, timeout=60)
                said_by = (folder / "mta/postfix.log").read_text
                until(lambda: "status=deferred" in said_by(), said_by)
                service.start()
                queue = ["/usr/sbin/postqueue", "-c", str(folder / "mta/etc"), "-f"]

                def came() -> bool:
                    subprocess.run(queue, check=False, capture_output=True)
                    return bool(provider.got)

                until(came, lambda: said_by()[-3000:])
                until(lambda: "status=sent" in said_by(), said_by)
            [told] = provider.got
            assert told["To"] == BO and re.match("PANIC, UNVERIFIED.*robbing", told["Body"], re.DOTALL), told
            service.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_settings_that_belong_together(make: Make) -> None:
    settings = {"messaging": {"sms_account": "AC1", "smtp_host": "mail.example", "relay_url": "http://relay.example"}}
    done = Trustd.command("init", "--config", str(make(configuration.local(), settings).config))
    assert done.returncode == 2
    for name in ("messaging.sms_account", "messaging.smtp_host", "messaging.relay_url"):
        assert name in done.stderr


def test_the_corpus_is_told_as_it_is_labelled(tmp_path: Path) -> None:
    done = Trustd.command("corpus", seconds=300)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^hr  PANIC +1\.000 +1\.000", done.stdout, re.MULTILINE)
    phrases = tmp_path / "phrases.tsv"
    phrases.write_text("JOIN_FLEET\ten\tno panic\n")
    done = Trustd.command("corpus", str(phrases))
    assert done.returncode == 1 and "en is JOIN_FLEET, not -: no panic" in done.stdout
