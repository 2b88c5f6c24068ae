"""What goes wrong on the way: another driver's phone, a wrong clock, a service that answers badly or not at all.
Nothing that was filled in is lost, and what the page says is what happened."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from harness import browser
from harness.http import answer
from harness.nodes import until
from harness.phones import KEPT, begins, invited, local, office, recent, serving, vehicle_of
from harness.trustd import Trustd
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

LATER = "Kept on this phone. It is sent when there is a connection."


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trustd]:
    with serving(tmp_path_factory.mktemp("troubles")) as trustd:
        yield trustd


def lost(route: Route) -> None:
    """What is asked arrives, and the answer does not."""
    assert route.fetch().status == 201
    route.abort("connectionfailed")


def crosses(page: Page, state: str) -> None:
    page.get_by_label("State entered").fill(state)
    page.get_by_role("button", name="File the crossing").click()


def test_a_phone_is_left_with_nothing_on_it(service: Trustd, phone: Page) -> None:
    vehicle_of(service, "ZG 10")
    (ana, invitation), (bo, another) = invited(service, "ana"), invited(service, "bo")
    begins(phone, service, invitation)
    expect(phone.locator("#whose")).to_contain_text(ana[:16])
    # Nothing was looked at: it is filed, and nobody drives.
    phone.get_by_role("button", name="File the inspection").click()
    expect(phone.get_by_role("alert")).to_have_text("Filed: Inspection: do not go")
    phone.context.set_offline(True)
    crosses(phone, "at")
    expect(phone.get_by_role("status")).to_have_text(LATER)
    phone.get_by_role("button", name="This phone is no longer mine").click()
    expect(phone.get_by_role("alert")).to_contain_text("Something waits to be sent")
    assert phone.evaluate(KEPT, "documents") == 1
    phone.context.set_offline(False)
    expect(phone.get_by_role("status")).to_have_text("All is sent.")
    phone.get_by_role("button", name="This phone is no longer mine").click()
    expect(phone.get_by_role("status")).to_have_text("This phone is nobody's now.")
    assert [phone.evaluate(KEPT, name) for name in ("login", "documents", "photos", "vehicles")] == [0] * 4
    expect(phone.locator("#recent-part")).to_be_hidden()
    begins(phone, service, another)
    expect(phone.locator("#recent-none")).to_be_visible()
    assert (len(recent(service, ana)), recent(service, bo)) == (2, [])
    # Whose key is there no more is told so, and what waits is kept.
    phone.context.set_offline(True)
    crosses(phone, "si")
    expect(phone.get_by_role("status")).to_have_text(LATER)
    native = office(service)
    for key in answer(native.get("/api/v1/auth/keys", params={"identity_id": bo}))["items"]:
        assert native.request("DELETE", f"/api/v1/auth/keys/{key['key_id']}").status_code == 204
    phone.context.set_offline(False)
    expect(phone.get_by_role("alert")).to_contain_text("This phone does not count any more")
    assert phone.evaluate(KEPT, "documents") == 1
    begins(phone, service, invited(service, "bo")[1])
    expect(phone.locator("#waits li")).to_have_count(0)
    [made] = recent(service, bo)
    assert made["tip"] == "BORDER_CROSSING"


def refused(route: Route, status: int, pointer: str) -> None:
    """An answer that is a problem."""
    fields = [{"pointer": pointer, "code": "unknown-value", "detail": "a photo was not sent for this document"}]
    body = {"title": "Refused", "code": "invalid-field", "errors": fields}
    route.fulfill(status=status, content_type="application/problem+json", body=json.dumps(body))


def test_what_one_waits_for_keeps_no_other(service: Trustd, phone: Page, tmp_path: Path) -> None:
    vehicle_of(service, "ZG 11")
    who, invitation = invited(service, "cy")
    begins(phone, service, invitation)
    # A line on which nothing arrives: what is filed meanwhile is kept all the same.
    held: list[Route] = []
    uploads: list[str] = []
    asked: list[str] = []

    def answers(route: Route) -> None:
        """Holds the first; fails at crossings; has swept the photo of the first inspection."""
        asked.append(str((route.request.post_data_json or {}).get("tip")))
        if not held:
            held.append(route)
        elif asked[-1] == "BORDER_CROSSING":
            refused(route, 500, "")
        elif asked.count("PRE_TRIP_CHECK") == 1:
            refused(route, 422, "/stavke")
        else:
            route.continue_()

    phone.on("request", lambda request: uploads.append(request.url) if "/photos/upload" in request.url else None)
    phone.route("**/api/v1/dok/create", answers)
    crosses(phone, "at")
    until(lambda: phone.wait_for_timeout(20) or bool(held), lambda: "nothing was sent")
    photo = tmp_path / "photo.jpg"
    Image.effect_noise((64, 48), 60).convert("RGB").save(photo, "JPEG")
    phone.get_by_label("Oil: photos").set_input_files(photo)
    phone.get_by_role("button", name="File the inspection").click()
    expect(phone.get_by_role("alert")).to_have_text("Say how it was found: Oil")
    phone.get_by_label("Oil", exact=True).select_option("ok")
    phone.get_by_role("button", name="File the inspection").click()
    expect(phone.locator("#waits li")).to_have_count(2)
    assert phone.evaluate(KEPT, "documents") == 2
    # The service fails at the first; the second one's photo was swept, and is sent once more.
    held[0].abort("connectionfailed")
    expect(phone.locator("#waits li")).to_have_count(1)
    assert len(uploads) == 2 and asked.count("PRE_TRIP_CHECK") == 2, asked
    assert [one["tip"] for one in recent(service, who)] == ["PRE_TRIP_CHECK"]
    # Nobody presses anything, and the browser never knew that anything was wrong.
    phone.unroute("**/api/v1/dok/create")
    expect(phone.get_by_role("status")).to_have_text("All is sent.")
    assert len(recent(service, who)) == 2


def test_a_wrong_clock_is_set_by_the_services(service: Trustd, phone: Page) -> None:
    vehicle_of(service, "ZG 12")
    who, invitation = invited(service, "di")
    phone.clock.set_system_time(datetime.now(UTC) + timedelta(hours=1))
    # An enrolment whose answer does not arrive costs nobody the invitation.
    phone.route("**/api/v1/auth/enrol", lost, times=1)
    phone.goto(f"{local(service)}/driver/")
    phone.get_by_label("Invitation").fill(invitation)
    phone.get_by_role("button", name="Begin").click()
    expect(phone.get_by_role("alert")).to_contain_text("cannot be reached")
    begins(phone, service, invitation)
    crosses(phone, "at")
    expect(phone.get_by_role("status")).to_have_text("Filed: Crossing")
    [made] = recent(service, who)
    said = datetime.fromisoformat(made["vrijeme"])
    assert abs(said - datetime.now(UTC)) < timedelta(minutes=2)
    # A mistyped invitation costs nobody the key that counts.
    enrols = "(await import('./login.js')).enrol('0'.repeat(64), 'x')"
    assert phone.evaluate(f"async () => {enrols}.then(() => 'enrolled', () => 'refused')") == "refused"
    phone.reload()
    crosses(phone, "si")
    expect(phone.get_by_role("status")).to_have_text("Filed: Crossing")


def test_a_page_speaks_its_drivers_language(service: Trustd, chromium: Browser) -> None:
    spoken = [("hr-HR", "Vozač", "Počni"), ("de-AT", "Fahrer", "Beginnen"), ("fr", "Driver", "Begin")]
    for locale, title, button in spoken:
        context = chromium.new_context(viewport=browser.PHONE, locale=locale)
        page = context.new_page()
        page.goto(f"http://localhost:{service.address.rsplit(':', 1)[1]}/driver/")
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.get_by_role("button", name=button)).to_be_visible()
        assert page.locator("html").get_attribute("lang") == (locale[:2] if locale != "fr" else "en")
        assert re.fullmatch(title, page.title())
        context.close()
