"""The portal as it runs, in processes of its own: many at once, killed, over HTTP."""

from __future__ import annotations

import random
import re
import statistics
import threading
import time
import uuid
from typing import Any

import pytest
import requests
from served import Client, Served

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
"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Served(tmp_path_factory.mktemp("served")) as running:
        yield running


def test_fifty_at_once_make_one(portal: Served) -> None:
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
    good, expired, revoked = portal.python(TOKENS).split()
    kinds = {"expired": expired, "revoked": revoked, "unknown": str(uuid.uuid4()), "no token": "x"}
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


def test_killed_at_any_moment_it_has_one_or_none(portal: Served) -> None:
    moments = random.Random(19)
    for turn in range(6):
        script = f"""
from datetime import date
from invoices.models import Issuer
from invoices.services import delivery, issuing
lines = [dict(description="x", quantity=1, unit_price=1)]
invoice = issuing.invoice_send(invoice=issuing.invoice_create(issuer=Issuer.objects.get(), kind="PO",
    number="kill-{turn}", client_name="K", client_email="k@example.org", issued_on=date(2026, 1, 1), lines=lines))
print(delivery.link(delivery.token_issue(invoice=invoice), "hr"))
"""
        client = Client(portal.python(script).strip())
        answers: list[requests.Response] = []

        def ask(client: Client = client, answers: list[requests.Response] = answers) -> None:
            try:
                answers.append(client.confirm())
            except requests.RequestException:
                return

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(moments.uniform(0, 0.12))
        portal.kill()
        thread.join()
        portal.start()
        count = f"from invoices.models import *\ninvoice = Invoice.objects.get(number='kill-{turn}')\n"
        count += "print(Acknowledgement.objects.filter(invoice=invoice).count(), invoice.status)"
        rows, status = portal.python(count).split()
        assert (rows, status) in {("0", "viewed"), ("1", "ACCEPTED")}
        assert not answers or rows == "1", "what was answered is there"
        again = client.confirm()
        assert again.status_code == (200 if rows == "1" else 201)
    assert "All of it holds." in portal.manage("dualseal_audit", "main")


def test_checks_for_deployment_are_clean(portal: Served) -> None:
    portal.environment |= {"PORTAL_DEMO": "false", "PORTAL_BASE_URL": "https://portal.example"}
    try:
        assert "no issues" in portal.manage("check", "--deploy", "--fail-level", "INFO")
        assert "here is no demo" in portal.manage("portal_demo", code=1)
    finally:
        portal.environment |= {"PORTAL_DEMO": "true", "PORTAL_BASE_URL": portal.url}


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
