"""The portal as it runs, in processes of its own: many at once, killed, over HTTP."""

from __future__ import annotations

import contextlib
import random
import re
import statistics
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
import requests
from dualseal import DualsealError, EvidenceFile, VerdictKind
from served import PORTAL, Client, Served

pytestmark = pytest.mark.xdist_group("server")
COUNTS = """
from invoices.models import Acknowledgement, Invoice
from dualseal.contrib.django.models import Chain
print(Acknowledgement.objects.count(), Chain.objects.get().size)
print(*Invoice.objects.order_by("kind").values_list("status"))
"""
TOKENS = """
import sys
from datetime import timedelta
from django.utils import timezone
from invoices.models import ClientToken, Invoice
from invoices.services import delivery
from portal.tokens import hashed
invoice = Invoice.objects.get(kind="RACUN")
for change in ({}, {"expires_at": timezone.now() - timedelta(days=1)}, {"revoked_at": timezone.now()}):
    token = delivery.token_issue(invoice=invoice)
    if change: ClientToken.objects.filter(hash=hashed(token)).update(**change)
    print(token)
from pos.models import Terminal
from pos.services import terminal_token
print(terminal_token(terminal=Terminal.objects.get()))
"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Served(tmp_path_factory.mktemp("served")) as running:
        running.links()
        yield running


@pytest.fixture
def shipped(portal: Served) -> Any:
    """With the rate that it has by itself."""
    portal.kill()
    rate = portal.environment.pop("PORTAL_RATE")
    portal.start()
    yield portal
    portal.kill()
    portal.environment["PORTAL_RATE"] = rate
    portal.start()


def test_fifty_at_once_make_one(shipped: Served) -> None:
    portal = shipped
    clients = [Client(portal.links()["PO"])]
    clients += [Client(clients[0].url) for _ in range(49)]
    before = portal.python(COUNTS).split()
    answers: list[requests.Response] = []
    threads = [threading.Thread(target=lambda one=one: answers.append(one.confirm())) for one in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted({answer.status_code for answer in answers}) == [200, 201]
    assert [answer.status_code for answer in answers].count(201) == 1
    assert len({answer.json()["seal_id"] for answer in answers}) == 1
    after = portal.python(COUNTS).split()
    assert (int(after[0]), int(after[1])) == (int(before[0]) + 1, int(before[1]) + 1)
    assert "('ACCEPTED',)" in " ".join(after)
    assert "All of it holds." in portal.manage("dualseal_audit", "main")


def test_the_page_for_what_is_not_there_takes_the_same_time(portal: Served) -> None:
    """Compared among themselves, in turns: a machine that is busy is so for all of them."""
    portal.links()
    good, expired, revoked, till = portal.python(TOKENS).split()
    kinds = {"expired": expired, "revoked": revoked, "unknown": str(uuid.uuid4()), "no token": "x", "a till's": till}
    session = requests.Session()
    took: dict[str, list[float]] = {name: [] for name in kinds}
    texts = set()
    for turn in range(80):
        for name in random.Random(turn).sample(sorted(kinds), len(kinds)):
            start = time.perf_counter()
            page = session.get(f"{portal.url}/hr/ponuda/{kinds[name]}/", timeout=30)
            took[name].append(time.perf_counter() - start)
            assert page.status_code == 404
            # A page's length tells as well, but for the address in it.
            texts.add(len(page.text) - 4 * len(kinds[name]))
    assert len(texts) == 1
    middle = {name: statistics.median(times) for name, times in took.items()}
    spread = statistics.median(abs(time - middle["unknown"]) for time in took["unknown"])
    assert max(middle.values()) - min(middle.values()) < max(3 * spread, 0.002), (middle, spread)
    assert session.get(f"{portal.url}/hr/ponuda/{good}/", timeout=30).status_code == 200


def test_static_files_and_codes_are_served(portal: Served) -> None:
    said = portal.manage("portal_demo")
    [url] = re.findall(r"^QR +(\S+)$", said, re.MULTILINE)
    image = requests.get(url, timeout=30)
    assert image.headers["Content-Type"] == "image/png" and image.content.startswith(b"\x89PNG")
    page = requests.get(re.findall(r"^RACUN +(\S+)$", said, re.MULTILINE)[0], timeout=30).text
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        found = requests.get(portal.url + path, timeout=30)
        assert found.status_code == 200 and "max-age=315360000" in found.headers["Cache-Control"], path
    [token] = re.findall(r"Bearer (\S+)\"", said)
    asked = {"Authorization": f"Bearer {token}"}
    assert requests.get(f"{portal.url}/pos/api/kasa/offline-bundle/", headers=asked, timeout=30).json()["products"]


SEND = """
from datetime import date
from invoices.models import Issuer
from invoices.services import delivery, issuing
lines = [dict(description="x", quantity=1, unit_price=1)]
invoice = issuing.invoice_send(invoice=issuing.invoice_create(issuer=Issuer.objects.get(), kind="PO",
    number="kill-{where}", client_name="K", client_email="k@example.org", issued_on=date(2026, 1, 1), lines=lines))
print(delivery.link(delivery.token_issue(invoice=invoice), "hr"))
"""
LEFT = """
from invoices.models import *
invoice = Invoice.objects.get(number="kill-{where}")
print(Acknowledgement.objects.filter(invoice=invoice).count(), invoice.status)
"""


@pytest.mark.parametrize(("where", "left"), [("before", ["0", "viewed"]), ("after", ["1", "ACCEPTED"])])
def test_killed_between_confirmation_and_answer(portal: Served, tmp_path: Path, where: str, left: list[str]) -> None:
    before = dict(portal.environment)
    moment = tmp_path / "moment"
    portal.kill()
    portal.environment |= {"DJANGO_SETTINGS_MODULE": "hanging", "PYTHONPATH": str(PORTAL / "tests")}
    portal.environment |= {"PORTAL_HANG": where, "PORTAL_HANG_FILE": str(moment)}
    portal.start()
    client = Client(portal.python(SEND.format(where=where)).strip())
    answers: list[requests.Response] = []

    def ask() -> None:
        with contextlib.suppress(requests.RequestException):
            answers.append(client.confirm())

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(300):
        if moment.exists():
            break
        time.sleep(0.1)
    assert moment.exists(), "it got there"
    portal.kill()
    thread.join()
    portal.environment = before
    portal.start()
    assert answers == [], "nobody was told"
    assert portal.python(LEFT.format(where=where)).split() == left
    again = client.confirm()
    assert (again.status_code, again.json()["made"]) == ((201, True) if where == "before" else (200, False))
    assert portal.python(LEFT.format(where=where)).split() == ["1", "ACCEPTED"]
    assert "All of it holds." in portal.manage("dualseal_audit", "main")


def test_checks_for_deployment_are_clean(portal: Served) -> None:
    before = dict(portal.environment)
    password = "from django.contrib.auth import get_user_model as model\n"
    password += "user = model().objects.get(username='ana'); user.set_password({!r}); user.save()"
    portal.links()
    portal.environment["PORTAL_BASE_URL"] = "https://portal.example"
    try:
        assert "portal.E001" in portal.manage("portal_prepare", code=1)
        portal.environment["PORTAL_DEMO"] = "false"
        assert "portal.E002" in portal.manage("check", "--deploy", code=1)
        assert "portal.E002" in portal.manage("portal_prepare", code=1)
        portal.python(password.format("another-0-password"))
        assert "no issues" in portal.manage("check", "--deploy", "--fail-level", "INFO")
        portal.manage("portal_prepare")
        assert "here is no demo" in portal.manage("portal_demo", code=1)
    finally:
        portal.environment = before
        portal.python(password.format("ana"))


@pytest.mark.parametrize(("name", "value", "word"), [
    ("PORTAL_DEMO", "maybe", "true or false"), ("PORTAL_TRUSTED_PROXIES", "10.0.0.1/8", "host bits"),
    ("PORTAL_SECRET_KEY_FILE", "/nowhere", "is not there"),
])  # fmt: skip
def test_settings_are_read_strictly(portal: Served, name: str, value: str, word: str) -> None:
    before = dict(portal.environment)
    portal.environment[name] = value
    try:
        assert word in portal.manage("check", code=1)
    finally:
        portal.environment = before


def test_new_keys_of_issuer_and_log(portal: Served, tmp_path: Path) -> None:
    """What was sent before is confirmed, and what was fetched before holds by what its document says."""
    facts = "from invoices.models import Issuer\nfrom dualseal.contrib.django.models import Chain\n"
    facts += "log = Chain.objects.get()\nprint(Issuer.objects.get().identity_id, log.identity_id, log.fingerprint)"
    links = {where: portal.python(SEND.format(where=where)).strip() for where in ("early", "late")}
    issuer, log, before = portal.python(facts).split()

    def fetched(where: str) -> tuple[EvidenceFile, bytes]:
        files = [requests.get(links[where] + name, timeout=60).content for name in ("dokaz.json", "izjava.json")]
        return EvidenceFile.from_json(files[0].decode()), files[1]

    def holds(evidence: EvidenceFile, statement: bytes, fingerprint: str) -> bool:
        try:
            opened = evidence.open(log=fingerprint, signer=issuer)
        except DualsealError:
            return False
        return opened.verify(statement).as_of.verdict.kind == VerdictKind.VALID

    assert Client(links["early"]).confirm().status_code == 201
    kept = fetched("early")
    portal.manage("dualseal_rotate_key", "main", issuer)
    portal.manage("dualseal_rotate_key", "main", log)
    after = portal.python(facts).split()[2]
    assert after != before
    assert Client(links["late"]).confirm().status_code == 201, "sent under the key of before"
    assert holds(*kept, before) and not holds(*kept, after)
    for where in ("early", "late"):
        assert holds(*fetched(where), after) and not holds(*fetched(where), before)
    assert "All of it holds." in portal.manage("dualseal_audit", "main")
