"""`trustd demo`: a newcomer sees something on every screen; the pictures of them are made here, into
`target/pictures`, and those of the README (`docs/pictures`) are held to the pages, or with PICTURES=anew drawn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import browser, configuration, drawn
from harness.http import Client, answer
from harness.process import free_ports
from harness.trustd import OPERATOR, Trustd
from playwright.sync_api import Browser, Page, expect

FLEET, MESSAGING, LIFECYCLE, DOK = "/api/v1/fleet", "/api/v1/messaging", "/api/v1/lifecycle", "/api/v1/dok"
ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "target" / "pictures"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Trustd, str]]:
    """A service that was filled, and what the command said."""
    [port] = free_ports(1)
    settings = {"listen": f"127.0.0.1:{port}", "base_url": f"http://localhost:{port}"}
    trustd = Trustd(tmp_path_factory.mktemp("demo"), configuration.local(), settings)
    said = trustd.run("demo")
    yield trustd.start(), said
    trustd.close()


@pytest.fixture(scope="module")
def native(shown: tuple[Trustd, str]) -> Client:
    return shown[0].client(shown[0].token(OPERATOR, "native", "fleet driver messaging trust"))


def words(said: str, name: str) -> list[str]:
    """The command that it gives for a page."""
    [line] = [line for line in said.splitlines() if f"/{name}/ " in line]
    return line.split("trustd ", 1)[1].replace('"fleet driver messaging"', "fleet+driver+messaging").split()


def test_every_screen_has_something(shown: tuple[Trustd, str], native: Client) -> None:
    trustd, said = shown
    levels = answer(native.get(f"{FLEET}/levels"))
    assert min(levels.values()) >= 1 and sum(levels.values()) == 6
    assert len(answer(native.get(f"{FLEET}/reports"))["items"]) == 1
    states = {one["stanje"] for one in answer(native.get(f"{LIFECYCLE}/dokumenti"))["items"]}
    assert states == {"vrijedi", "uskoro", "istekao"}
    log = answer(native.get(f"{MESSAGING}/log", params={"limit": "200"}))["items"]
    assert {one["intent"] for one in log} >= {"QUERY_STATUS", "REPORT_TRIP", None}
    link = said.split("the link of an inspection: ")[1].split()[0].rsplit("/", 1)[1]
    assert answer(trustd.client().get(f"{DOK}/provjera/{link}"))["odluka"] == "GO"
    assert "entries already" in trustd.command("demo", "--config", str(trustd.config)).stderr
    trustd.run("chain verify")


def picture(page: Page, name: str) -> None:
    """Kept beside what was built."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
    assert (PICTURES / f"{name}.png").stat().st_size > 10_000


def kept(page: Page, name: str, title: str, *selectors: str) -> None:
    """The picture of the README."""
    at = ROOT / "docs" / "pictures" / f"{name}.svg"
    drawn.hold(page, at, title, *selectors, anew=os.environ.get("PICTURES") == "anew")


def test_the_office_sees_its_fleet(shown: tuple[Trustd, str], native: Client, chromium: Browser) -> None:
    trustd, said = shown
    issue = [word.replace("+", " ") for word in words(said, "fleet")]
    token = trustd.run(" ".join(issue[:2]), *issue[2:]).strip()
    context = chromium.new_context(viewport=browser.DESKTOP, locale="en-GB")
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{trustd.address.replace('127.0.0.1', 'localhost')}/fleet/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Show the fleet").click()
    expect(page.locator("#vehicles li")).to_have_count(6)
    expect(page.locator("#levels .violation strong")).to_have_text("1")
    expect(page.locator("#vehicles li").first).to_contain_text("PU606KL")
    picture(page, "fleet")
    title = "The office: vehicles at each level, and a line of weeks for each"
    kept(page, "fleet", title, "#levels", "#levels + section")
    # A defect is signed off, a crossing recorded, a vehicle and a person added.
    plate = "ZG2002CD"
    page.get_by_role("button", name=f"Look at {plate}").click()
    expect(page.get_by_role("heading", name=plate)).to_be_focused()
    expect(page.locator("#crossings li")).to_have_count(2)
    expect(page.locator("#defects li")).to_contain_text(["mirrors_glass"])
    picture(page, "vehicle")
    page.get_by_role("button", name="Sign off the repair").click()
    expect(page.get_by_role("status")).to_have_text("The repair is signed off.")
    expect(page.locator("#no-defects")).to_be_visible()
    # What a driver wrote is this vehicle's crossing, which was a mistake.
    expect(page.locator("#reports li")).to_contain_text(["crossed the border into Austria"])
    page.get_by_role("button", name="Take it").click()
    expect(page.get_by_role("status")).to_have_text(f"The report is a crossing of {plate} now.")
    expect(page.locator("#crossings li")).to_have_count(3)
    expect(page.locator("#no-reports")).to_be_visible()
    page.get_by_role("button", name="Take back").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Say first why")
    page.get_by_label("Why a crossing is taken back").fill("another vehicle was meant")
    page.get_by_role("button", name="Take back").first.click()
    expect(page.get_by_role("status")).to_have_text("The crossing is taken back.")
    expect(page.locator("#crossings li")).to_have_count(2)
    page.get_by_label("State that it entered").fill("hr")
    page.get_by_role("button", name="Record the crossing").click()
    expect(page.get_by_role("status")).to_have_text("The crossing is recorded.")
    expect(page.locator("#clock")).to_contain_text("at home")
    page.get_by_label("Plate").fill("ZG 7007-XY")
    page.get_by_label("Home state").fill("HR")
    page.get_by_label("Owner's identity").fill("ab" * 32)
    page.get_by_role("button", name="Add the vehicle").click()
    expect(page.get_by_role("status")).to_have_text("The vehicle is added.")
    expect(page.locator("#vehicles li")).to_have_count(7)
    page.get_by_label("Name", exact=True).fill("Dora")
    page.get_by_label("Number").fill("+385910000999")
    page.get_by_role("button", name="Add the person").click()
    expect(page.get_by_role("status")).to_have_text("The person is added.")
    secret = token.rsplit(".", 1)[1]
    assert secret not in page.evaluate("document.documentElement.outerHTML + JSON.stringify({...localStorage})")
    page.get_by_role("button", name="Leave").click()
    expect(page.locator("#entered")).to_be_hidden()
    assert complaints == []
    context.close()


def test_a_driver_sees_what_was_filed(shown: tuple[Trustd, str], chromium: Browser) -> None:
    trustd, said = shown
    invite = words(said, "driver")
    invitation = trustd.run(invite[0], *invite[1:]).split()[-1]
    context = chromium.new_context(viewport=browser.PHONE, locale="en-GB")
    page = context.new_page()
    page.goto(f"{trustd.address.replace('127.0.0.1', 'localhost')}/driver/")
    page.get_by_label("Invitation").fill(invitation)
    page.get_by_label("Name of this phone").fill("demo")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#recent li")).to_contain_text(["Inspection: go"])
    picture(page, "driver")
    kept(page, "driver", "The driver's phone: what is filed, and what was", "main")
    link = said.split("the link of an inspection: ")[1].split()[0].rsplit("/", 1)[1]
    page.goto(f"{trustd.address}/driver/v/{link}")
    expect(page.get_by_role("status")).to_contain_text("The record holds")
    picture(page, "verdict")
    context.close()
