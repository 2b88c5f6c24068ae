"""The page that verifies receipts in the browser, as the portal serves it and as somebody saved it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect
from served import Served
from test_browser import DESK, NEW, PHONE, accessible, browser, document, opened, portal, shots

__all__ = ["browser", "portal", "shots"]
pytestmark = [pytest.mark.pages, pytest.mark.xdist_group("browser")]
FACTS = "from invoices.models import Issuer\nfrom dualseal.contrib.django.models import Chain\n"
FACTS += "print(Chain.objects.get().fingerprint, Issuer.objects.get().identity_id)"


@pytest.fixture(scope="module")
def received(portal: Served, browser: Browser, tmp_path_factory: Any) -> Iterator[dict[str, Any]]:
    """What a client has downloaded, by name, and what he knows from the document."""
    url, _ = document(portal, "RACUN", "verified", "en")
    page = opened(browser, DESK)
    page.goto(url)
    page.get_by_role("button", name="Confirm receipt").click()
    expect(page.get_by_role("heading", name="Receipt confirmed")).to_be_visible()
    page.get_by_text("Single files, and how to verify them").click()
    folder = tmp_path_factory.mktemp("received")
    found: dict[str, Any] = {}
    for name in ("potvrda.pdf", "dokument.pdf", "izjava.json", "dokaz.json", "dokazi.zip"):
        with page.expect_download() as waiting:
            page.locator(f"a[href$='{name}']").first.click()
        found[name] = folder / waiting.value.suggested_filename
        waiting.value.save_as(found[name])
    with zipfile.ZipFile(found["dokazi.zip"]) as packed:
        packed.extractall(folder / "bundle")
    found["all of it"] = sorted((folder / "bundle").iterdir())
    found["log"], found["signer"] = portal.python(FACTS).split()
    yield found


def verify(page: Page, files: list[Path], log: str = "") -> str:
    """The verdict on files, by a fingerprint from elsewhere."""
    page.locator("input#files").set_input_files(files)
    page.locator("#fingerprint").fill(log)
    page.locator("button#verify").click()
    verdict = page.locator("#verdict[data-verdict]")
    expect(verdict).to_be_visible()
    return str(verdict.get_attribute("data-verdict"))


@pytest.mark.parametrize("names", [["potvrda.pdf"], ["izjava.json", "dokaz.json"]])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_receipt_is_verified(
    portal: Served, browser: Browser, received: dict[str, Any], shots: Path, names: list[str], size: str
) -> None:
    page = opened(browser, DESK if size == "desk" else PHONE)
    page.goto(f"{portal.url}/provjera/#hr")
    files = [received[name] for name in names]
    log = received["log"]
    grouped = " ".join(log[at : at + 8] for at in range(0, 64, 8))
    assert verify(page, files, grouped) == "valid"
    page.screenshot(path=shots / f"verify-{size}-{len(files)}.png", full_page=True)
    accessible(page)
    page.reload()
    assert verify(page, files) == "consistent", "never green by itself"
    page.reload()
    assert verify(page, files, "0" * 64) not in {"valid", "consistent"}
    assert page.complaints == []


def test_a_receipt_that_was_changed_is_not_valid(
    portal: Served, browser: Browser, received: dict[str, Any], tmp_path: Path
) -> None:
    changed = tmp_path / "acknowledgement.json"
    changed.write_bytes(received["izjava.json"].read_bytes().replace(b"127.0.0.1", b"127.0.0.2"))
    page = opened(browser, DESK)
    page.goto(f"{portal.url}/provjera/")
    assert verify(page, [changed, received["dokaz.json"]], received["log"]) not in {"valid", "consistent"}


@pytest.mark.parametrize("names", [["potvrda.pdf"], ["izjava.json", "dokaz.json"], ["all of it"]])
def test_the_invoice_beside_its_receipt(
    portal: Served, browser: Browser, received: dict[str, Any], tmp_path: Path, names: list[str]
) -> None:
    page = opened(browser, DESK)
    page.goto(f"{portal.url}/provjera/#en")
    files = [path for name in names for path in (received[name] if name == "all of it" else [received[name]])]
    invoice = received["dokument.pdf"]
    others = [path for path in files if path.name != invoice.name]
    assert verify(page, [*others, invoice], received["log"]) == "valid"
    changed = tmp_path / invoice.name
    changed.write_bytes(invoice.read_bytes().replace(b"%PDF-1.7", b"%PDF-1.6"))
    assert changed.read_bytes() != invoice.read_bytes()
    page.reload()
    assert verify(page, [*others, changed], received["log"]) not in {"valid", "consistent"}


@pytest.mark.parametrize("name", ["dokazi.zip", "all of it"])
def test_the_whole_evidence_is_verified(
    portal: Served, browser: Browser, received: dict[str, Any], shots: Path, name: str
) -> None:
    page = opened(browser, PHONE)
    page.goto(f"{portal.url}/provjera/#hr")
    files = received[name] if name == "all of it" else [received[name]]
    assert verify(page, files, received["log"]) == "valid"
    assert page.locator("#verdict article[data-verdict=valid]").count() == 2
    page.screenshot(path=shots / f"verify-{name.replace(' ', '-')}.png", full_page=True)
    accessible(page)
    page.reload()
    assert verify(page, files) == "consistent"
    assert page.complaints == []


def test_saved_to_disk_it_connects_to_nobody(
    portal: Served, browser: Browser, received: dict[str, Any], tmp_path: Path
) -> None:
    answer = requests.get(f"{portal.url}/provjera/?download", timeout=30)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="verify.html"'
    again = {"If-None-Match": answer.headers["ETag"]}
    assert requests.get(f"{portal.url}/provjera/", headers=again, timeout=30).status_code == 304
    policy = answer.headers["Content-Security-Policy"]
    assert "'wasm-unsafe-eval'" in policy and "connect-src 'none'" in policy and "unsafe-inline" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    saved = tmp_path / "verify.html"
    saved.write_bytes(answer.content)
    page = opened(browser, DESK)
    page.context.set_offline(True)
    page.goto(saved.as_uri())
    assert verify(page, [received["potvrda.pdf"]], received["log"]) == "valid"
    page.context.set_offline(False)
    blocked = f"fetch('{portal.url}/zdravlje/', {{mode: 'no-cors'}}).then(() => 'connected', () => 'blocked')"
    assert page.evaluate(blocked) == "blocked"


def test_nowhere_else_webassembly_runs(portal: Served) -> None:
    url, _ = portal.python(NEW.format(kind="RACUN", number="policy", language="hr")).split()
    for address in (url, f"{portal.url}/hr/izdavatelj/prijava/", f"{portal.url}/hr/nothing/"):
        assert "unsafe" not in requests.get(address, timeout=30).headers["Content-Security-Policy"]
