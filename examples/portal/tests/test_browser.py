"""The pages in Debian's Chromium, as a client and an issuer see them: three languages, a phone, no script, no mouse."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect, sync_playwright
from served import Served

pytestmark = [pytest.mark.pages, pytest.mark.xdist_group("browser")]
DESK, PHONE = {"width": 1100, "height": 900}, {"width": 390, "height": 844}
LANGUAGES = {"hr": ("Potvrdi primitak", "Primitak potvrđen"), "de": ("Empfang bestätigen", "Empfang bestätigt"),
             "en": ("Confirm receipt", "Receipt confirmed")}  # fmt: skip
NEW = """
from datetime import date
from invoices.models import Issuer
from invoices.services import delivery, issuing
lines = [dict(description="Kruh i <b>pecivo</b>", quantity=count, unit_price="2.40", vat_rate=5) for count in (3, 7)]
invoice = issuing.invoice_send(invoice=issuing.invoice_create(issuer=Issuer.objects.get(), kind="{kind}",
    number="{number}", client_name="Kavana Čarobni Ćup", client_email="k@example.org", issued_on=date(2026, 11, 27),
    lines=lines))
print(delivery.link(delivery.token_issue(invoice=invoice), "{language}"), invoice.hash)
"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as running:
        running.links()
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield started
        started.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def shots() -> Path:
    """Where pictures go that somebody looks at."""
    folder = Path(os.environ.get("PORTAL_SHOTS", "/tmp/portal-shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def opened(browser: Browser, size: Any, **options: Any) -> Page:
    """A page that fails its test by whatever the browser complains of."""
    page = browser.new_context(viewport=size, accept_downloads=True, **options).new_page()
    page.set_default_timeout(20_000)
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    return page


def document(portal: Served, kind: str, number: str, language: str) -> tuple[str, str]:
    url, hash_ = portal.python(NEW.format(kind=kind, number=number, language=language)).split()
    return url, hash_


def accessible(page: Page) -> None:
    """Nothing that axe calls serious, and no page wider than its window."""
    # By the debugger, which the page's policy does not bind; what it looks at is the page under that policy.
    session = page.context.new_cdp_session(page)
    session.send("Runtime.evaluate", {"expression": Path(os.environ["AXE"]).read_text()})
    asked = "axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(found.violations))"
    answer = session.send("Runtime.evaluate", {"expression": asked, "awaitPromise": True})
    faults = [one for one in json.loads(answer["result"]["value"]) if one["impact"] in {"serious", "critical"}]
    assert faults == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in faults]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def text_of(page: Page, selector: str) -> str:
    return re.sub(r"\s", "", page.locator(selector).inner_text())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_a_client_confirms(portal: Served, browser: Browser, shots: Path, language: str, device: str) -> None:
    button, confirmed = LANGUAGES[language]
    kind = "RACUN" if device == "desk" else "PO"
    url, hash_ = document(portal, kind, f"{device}-{language}", language)
    page = opened(browser, DESK if device == "desk" else PHONE, has_touch=device == "phone")
    page.goto(url)
    assert page.locator("html").get_attribute("lang") == language and text_of(page, "#hash") == hash_
    accessible(page)
    page.screenshot(path=shots / f"{device}-{language}-open.png", full_page=True)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", name=confirmed)).to_be_visible()
    assert page.url == url, "by a script, without leaving the page"
    assert text_of(page, "#ack-hash") == hash_
    seal = text_of(page, "#ack-seal")
    accessible(page)
    page.screenshot(path=shots / f"{device}-{language}-done.png", full_page=True)
    page.reload()
    assert (text_of(page, "#ack-hash"), text_of(page, "#ack-seal")) == (hash_, seal)
    for other, (_, heading) in LANGUAGES.items():
        page.locator(f'nav a[hreflang="{other}"]').click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        assert text_of(page, "#ack-seal") == seal and page.locator("html").get_attribute("lang") == other
    with page.expect_download() as receipt:
        page.locator("a.button[href$='potvrda.pdf']").click()
    assert receipt.value.path().read_bytes().startswith(b"%PDF-")
    assert page.complaints == []


def test_without_a_script_it_works_as_well(portal: Served, browser: Browser) -> None:
    url, hash_ = document(portal, "RACUN", "no-script", "en")
    page = opened(browser, DESK, java_script_enabled=False)
    page.goto(url)
    page.get_by_role("button", name="Confirm receipt").click()
    expect(page.get_by_role("heading", name="Receipt confirmed")).to_be_visible()
    assert text_of(page, "#ack-hash") == hash_


def test_by_the_keyboard_alone(portal: Served, browser: Browser) -> None:
    url, _ = document(portal, "RACUN", "keyboard", "en")
    page = opened(browser, DESK)
    page.goto(url)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#confirm') !== null"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Receipt confirmed")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "answer", "the answer is read out"


def test_a_failed_post_says_so_and_is_tried_again(portal: Served, browser: Browser) -> None:
    url, _ = document(portal, "RACUN", "failed", "en")
    page = opened(browser, PHONE)
    page.goto(url)
    page.context.set_offline(True)
    page.get_by_role("button", name="Confirm receipt").click()
    expect(page.get_by_role("alert")).to_contain_text("Check your connection")
    accessible(page)
    page.context.set_offline(False)
    page.get_by_role("button", name="Confirm receipt").click()
    expect(page.get_by_role("heading", name="Receipt confirmed")).to_be_visible()


def test_a_client_declines(portal: Served, browser: Browser, shots: Path) -> None:
    url, _ = document(portal, "PO", "declined", "de")
    page = opened(browser, PHONE)
    page.goto(url)
    page.get_by_text("Stimmt etwas nicht?").click()
    accessible(page)
    page.get_by_label("Warum lehnen Sie es ab?").fill("<script>alert(1)</script> Menge falsch")
    page.get_by_role("button", name="Dokument ablehnen").click()
    expect(page.get_by_role("heading", name="Sie haben dieses Dokument abgelehnt")).to_be_visible()
    expect(page.locator("blockquote")).to_have_text("<script>alert(1)</script> Menge falsch")
    accessible(page)
    page.screenshot(path=shots / "phone-de-declined.png", full_page=True)
    assert page.complaints == []


def test_a_wrong_link_asks_for_another(portal: Served, browser: Browser, shots: Path) -> None:
    page = opened(browser, PHONE)
    page.goto(f"{portal.url}/hr/ponuda/nothing/")
    accessible(page)
    page.screenshot(path=shots / "phone-hr-404.png", full_page=True)
    page.locator('nav a[hreflang="en"]').click()
    page.get_by_role("button", name="Send me a new link").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    accessible(page)


def test_an_issuer_works(portal: Served, browser: Browser, shots: Path) -> None:
    page = opened(browser, DESK)
    page.goto(f"{portal.url}/en/izdavatelj/")
    accessible(page)
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password").fill("ana")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("note")).to_contain_text("FISCAL DEMO MODE")
    accessible(page)
    page.screenshot(path=shots / "issuer-list.png", full_page=True)
    page.get_by_role("link", name="New document").click()
    accessible(page)
    facts = {"number": "B-1", "client_name": "Kavana", "client_email": "k@example.org", "issued_on": "2026-11-27"}
    for name, value in facts.items():
        page.locator(f"#id_{name}").fill(value)
    page.locator("#id_lines-0-description").fill("Kruh")
    page.locator("#id_lines-0-unit_price").fill("2")
    page.screenshot(path=shots / "issuer-new.png", full_page=True)
    page.get_by_role("button", name="Save as a draft").click()
    page.get_by_role("button", name="Freeze and send").click()
    expect(page.get_by_role("status")).to_contain_text("frozen and signed")
    accessible(page)
    page.screenshot(path=shots / "issuer-document.png", full_page=True)
    phone = opened(browser, PHONE, storage_state=page.context.storage_state())
    phone.goto(page.url)
    accessible(phone)
    phone.screenshot(path=shots / "issuer-phone.png", full_page=True)
    assert page.complaints == phone.complaints == []


def test_the_admin_runs_under_the_policy(portal: Served, browser: Browser) -> None:
    page = opened(browser, DESK)
    page.goto(f"{portal.url}/admin/")
    page.locator("#id_username").fill("ana")
    page.locator("#id_password").fill("ana")
    page.locator("input[type=submit]").click()
    for place in ("invoices/acknowledgement", "dualseal/record", "pos/receipt", "invoices/issuer"):
        page.goto(f"{portal.url}/admin/{place}/")
    assert page.complaints == []


def test_mail_brings_the_page(portal: Served, browser: Browser) -> None:
    portal.manage("portal_mail")
    [text] = [one for path in (portal.home / "mail").iterdir() for one in [path.read_text()] if "2026-0042" in one]
    [url] = re.findall(rf"{portal.url}/hr/ponuda/[0-9a-f-]+/", text)
    page = opened(browser, DESK)
    page.goto(url)
    expect(page.get_by_role("heading", name="2026-0042")).to_be_visible()
    assert requests.get(url.replace("/hr/", "/xx/"), timeout=30).status_code == 404
