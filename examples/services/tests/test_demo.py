"""`trustd demo`: a newcomer sees something on every screen; the pictures of them are made here, into
`target/pictures`, and those of the README (`docs/pictures`) are held to the pages, or with PICTURES=anew drawn."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from harness import browser, configuration, drawn
from harness.clock import Clock
from harness.http import Client, answer
from harness.process import free_ports
from harness.trustd import OPERATOR, Trustd
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

FLEET, MESSAGING, LIFECYCLE, DOK = "/api/v1/fleet", "/api/v1/messaging", "/api/v1/lifecycle", "/api/v1/dok"
ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "target" / "pictures"
# When the office looks, so that pictures are the same on every day: an evening, and later that evening.
EVENING, LATER = (datetime(2026, 3, 12, hour, 10, 5, tzinfo=UTC) for hour in (17, 18))
# As much as a phone shows of a page, scrolled once.
SCREEN = 900


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Clock:
    """The service's, which a picture is taken by."""
    made = Clock(tmp_path_factory.mktemp("clock"))
    goes_on(made, EVENING)
    return made


def goes_on(clock: Clock, since: datetime) -> None:
    """It is that time now."""
    clock.set(int(since.timestamp()) - int(time.time()))


@pytest.fixture(scope="module")
def shown(clock: Clock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Trustd, str]]:
    """A service that was filled, and what the command said."""
    [port] = free_ports(1)
    settings = {"listen": f"127.0.0.1:{port}", "base_url": f"http://localhost:{port}"}
    trustd = Trustd(tmp_path_factory.mktemp("demo"), configuration.local(), settings)
    trustd.environment = clock.environment
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


def kept(page: Page, name: str, title: str, *columns: drawn.Column) -> None:
    """The picture of the README."""
    at = ROOT / "docs" / "pictures" / f"{name}.svg"
    drawn.hold(page, at, title, list(columns), most=SCREEN, anew=os.environ.get("PICTURES") == "anew")


def window(chromium: Browser, size: ViewportSize, now: datetime) -> BrowserContext:
    """Of somebody where the fleet is, whose clock stands still."""
    context = chromium.new_context(viewport=size, locale="en-GB", timezone_id="Europe/Zagreb")
    context.clock.set_fixed_time(now)
    return context


def test_the_office_sees_its_fleet(shown: tuple[Trustd, str], native: Client, chromium: Browser) -> None:
    trustd, said = shown
    issue = [word.replace("+", " ") for word in words(said, "fleet")]
    token = trustd.run(" ".join(issue[:2]), *issue[2:]).strip()
    context = window(chromium, browser.DESKTOP, EVENING)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{trustd.address.replace('127.0.0.1', 'localhost')}/fleet/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Show the fleet").click()
    expect(page.locator("#vehicles li")).to_have_count(6)
    expect(page.locator("#levels .violation strong")).to_have_text("1")
    expect(page.locator("#vehicles li").first).to_contain_text("PU606KL")
    # The nearest to its date first, as the service has them.
    near = answer(native.get(f"{LIFECYCLE}/dokumenti", params={"do_dana": "2026-04-11"}))["items"]
    named = [one["naslov"] for one in sorted(near, key=lambda one: one["dana"])]
    assert {one["stanje"] for one in near} == {"istekao", "uskoro"}
    expect(page.locator("#documents li")).to_contain_text(named)
    picture(page, "fleet")
    title = "The office: vehicles at each level, and a line of weeks for each"
    kept(page, "fleet", title, ("#levels", "#levels + section"))
    # A defect is signed off, a crossing recorded, a vehicle and a person added.
    plate = "ZG2002CD"
    page.get_by_role("button", name=f"Look at {plate}").click()
    expect(page.get_by_role("heading", name=plate)).to_be_focused()
    expect(page.locator("#crossings li")).to_have_count(4)
    expect(page.locator("#defects li")).to_contain_text(["mirrors_glass"])
    # Two weeks in Austria, three at home, in Hungary for a day and six hours, and in Austria since then.
    expect(page.locator("#journey span")).to_have_text(["AT", "", "HR", "AT"])
    assert page.locator("#journey span").nth(1).get_attribute("title") == "in HU since 28 Feb 2026"
    expect(page.locator("#journey .ok")).to_have_text("HR")
    hungary, austria = (page.locator("#journey span").nth(at).bounding_box() for at in (1, 0))
    assert hungary and austria and 8 < austria["width"] / hungary["width"] < 10
    assert abs(hungary["x"] + hungary["width"] - austria["x"]) < 1
    picture(page, "vehicle")
    kept(page, "vehicle", "The office: where a vehicle was, and what is to be repaired", ("#one",))
    page.get_by_role("button", name="Sign off the repair").click()
    expect(page.get_by_role("status")).to_have_text("The repair is signed off.")
    expect(page.locator("#no-defects")).to_be_visible()
    # What a driver wrote is this vehicle's crossing, which was a mistake.
    expect(page.locator("#reports li")).to_contain_text(["crossed the border into Austria"])
    page.get_by_role("button", name="Take it").click()
    expect(page.get_by_role("status")).to_have_text(f"The report is a crossing of {plate} now.")
    expect(page.locator("#crossings li")).to_have_count(5)
    expect(page.locator("#no-reports")).to_be_visible()
    page.get_by_role("button", name="Take back").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Say first why")
    page.get_by_label("Why a crossing is taken back").fill("another vehicle was meant")
    page.get_by_role("button", name="Take back").first.click()
    expect(page.get_by_role("status")).to_have_text("The crossing is taken back.")
    expect(page.locator("#crossings li")).to_have_count(4)
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
    expect(page.locator("#vehicles")).to_contain_text("ZG7007XY")
    page.get_by_label("Name", exact=True).fill("Dora")
    page.get_by_label("Number").fill("+385910000999")
    page.get_by_role("button", name="Add the person").click()
    expect(page.get_by_role("status")).to_have_text("The person is added.")
    people = answer(native.get(f"{MESSAGING}/contacts", params={"limit": "200"}))["items"]
    assert "+385910000999" in [one["phone"] for one in people if one["name"] == "Dora"]
    secret = token.rsplit(".", 1)[1]
    assert secret not in page.evaluate("document.documentElement.outerHTML + JSON.stringify({...localStorage})")
    page.get_by_role("button", name="Leave").click()
    expect(page.locator("#entered")).to_be_hidden()
    assert complaints == []
    context.close()


def test_a_driver_sees_what_was_filed(shown: tuple[Trustd, str], clock: Clock, chromium: Browser) -> None:
    trustd, said = shown
    invite = words(said, "driver")
    invitation = trustd.run(invite[0], *invite[1:]).split()[-1]
    goes_on(clock, LATER)
    context = window(chromium, browser.PHONE, LATER)
    page = context.new_page()
    page.goto(f"{trustd.address.replace('127.0.0.1', 'localhost')}/driver/")
    page.get_by_label("Invitation").fill(invitation)
    page.get_by_label("Name of this phone").fill("demo")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#recent li")).to_have_count(5)
    expect(page.locator("#recent li")).to_contain_text(["Inspection: go, with warnings", "Inspection: go"])
    # An inspection is being filled in, and a crossing waits for a connection.
    page.get_by_label("Vehicle").first.select_option(label="ZG1001AB")
    expect(page.locator("#defects-list li")).to_contain_text(["Mirrors and glass"])
    page.get_by_label("Odometer, km").fill("184655")
    page.get_by_label("Lights", exact=True).select_option("ok")
    page.get_by_label("Tyres", exact=True).select_option("defect")
    page.get_by_label("Tyres: note").fill("worn, rear left")
    context.set_offline(True)
    page.get_by_label("Vehicle").nth(1).select_option(label="ZG1001AB")
    page.get_by_label("State entered").fill("SI")
    page.get_by_role("button", name="File the crossing").click()
    expect(page.locator("#waits li")).to_contain_text(["Crossing, 12 Mar 2026, 19:10"])
    picture(page, "driver")
    title = "The driver's phone: an inspection, what waits for a connection, and what was filed"
    kept(page, "driver", title, ("h1", "#file-part"), ("#border-part", "#waits-part", "#recent-part"))
    context.set_offline(False)
    link = said.split("the link of an inspection: ")[1].split()[0].rsplit("/", 1)[1]
    page.goto(f"{trustd.address}/driver/v/{link}")
    expect(page.get_by_role("status")).to_contain_text("The record holds")
    picture(page, "verdict")
    context.close()
