"""How the page looks and reads: no serious fault by axe-core, by the keyboard alone, in three languages, on a phone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from conftest import built
from playwright.sync_api import Browser, Page, ViewportSize, expect
from samples import ACKNOWLEDGED, of_portal
from test_page import of, pair, verified

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
TITLES = {"hr": "Provjera dokaza", "de": "Beweis prüfen", "en": "Verify evidence"}
VALID = {"hr": "Valjano", "de": "Gültig", "en": "Valid"}
SERIOUS = ("serious", "critical")


def axe() -> str:
    folder = os.environ.get("AXE")
    if not folder:
        raise RuntimeError("AXE names no folder with axe-core: run `cargo xtask test verifier`")
    return (Path(folder) / "axe.min.js").read_text("utf-8")


def faults(page: Page) -> list[str]:
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((found) => found.violations)")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in SERIOUS]


def pictured(page: Page, name: str) -> None:
    folder = built("screens")
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=True)


def wider(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


LOOKS = [(size, language, "light") for size in ("phone", "desktop") for language in TITLES]


@pytest.mark.parametrize(("size", "language", "scheme"), [*LOOKS, ("phone", "hr", "dark"), ("desktop", "en", "dark")])
def test_no_serious_fault(chromium: Browser, saved: Path, size: str, language: str, scheme: Any) -> None:
    viewport = PHONE if size == "phone" else DESKTOP
    page = chromium.new_page(viewport=viewport, color_scheme=scheme, locale="fr")
    page.goto(f"{saved.as_uri()}#{language}")
    expect(page).to_have_title(TITLES[language])
    page.evaluate(axe())
    assert (faults(page), wider(page)) == ([], False)
    pictured(page, f"{size}-{language}-{scheme}-start")
    page.locator("details").first.evaluate("node => { node.open = true }")
    shown, doubtful = of_portal(), of_portal("doubtful")
    for name, files, fingerprint in (
        ("valid", of(shown), shown.fingerprint),
        ("consistent", of(shown), ""),
        ("doubtful", of(doubtful), doubtful.fingerprint),
        ("invalid", of(shown, ACKNOWLEDGED + b" "), shown.fingerprint),
        ("missing", of(shown)[1:], ""),
        ("unrelated", [*of(shown), *pair("b.pdf", b"another")], shown.fingerprint),
    ):
        assert verified(page, files, fingerprint) == name
        assert (faults(page), wider(page)) == ([], False), name
        pictured(page, f"{size}-{language}-{scheme}-{name}")
    page.close()


def test_axe_would_find_a_fault(chromium: Browser, saved: Path) -> None:
    page = chromium.new_page()
    page.goto(saved.as_uri())
    page.evaluate(axe())
    page.evaluate("document.querySelector('label[for=fingerprint]').remove()")
    assert any(fault.startswith("label") for fault in faults(page))
    page.close()


def test_the_language_follows_the_person(chromium: Browser, saved: Path) -> None:
    for locale, language in (("hr-HR", "hr"), ("de-AT", "de"), ("en-GB", "en"), ("fr-FR", "en")):
        page = chromium.new_page(locale=locale)
        page.goto(saved.as_uri())
        assert page.locator("html").get_attribute("lang") == language
        page.close()
    page = chromium.new_page(locale="hr-HR")
    page.goto(saved.as_uri())
    assert verified(page, of(of_portal()), of_portal().fingerprint) == "valid"
    # What is shown is said anew, in another language.
    for language, button in (("de", "Deutsch"), ("en", "English"), ("hr", "Hrvatski")):
        page.get_by_role("button", name=button).click()
        expect(page).to_have_title(TITLES[language])
        expect(page.locator("#verdict h2")).to_have_text(f"✓{VALID[language]}")
        assert page.get_by_role("button", name=button).get_attribute("aria-pressed") == "true"
    page.close()


def test_by_the_keyboard_alone(chromium: Browser, saved: Path, tmp_path: Path) -> None:
    page = chromium.new_page(locale="en")
    page.goto(saved.as_uri())
    for name, data in of(of_portal()):
        (tmp_path / name).write_bytes(data)

    def tabs_to(wanted: str) -> None:
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == wanted:
                return
        raise AssertionError(wanted)

    tabs_to("files")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files([tmp_path / name for name, _ in of(of_portal())])
    tabs_to("fingerprint")
    page.keyboard.insert_text(of_portal().fingerprint)
    page.keyboard.press("Enter")
    expect(page.locator("#verdict h2")).to_be_focused()
    expect(page.locator("#verdict h2")).to_have_text("✓Valid")
    page.close()
