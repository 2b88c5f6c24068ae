"""A person with a browser: enrols the lock of a device, approves with it that a document is rebuilt by nodes, and sees
what it is that is approved. What a stranger at the same page may try, he does not get."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import requests
from harness import browser
from harness import house as houses
from harness.browser import Visitor, enrols, enters
from harness.house import DOCUMENT, MARKUP, QT, House
from harness.http import answer, problem
from harness.nodes import until
from playwright.sync_api import Browser, Page, expect

WAITS = 3
# What no answer of the page's may lack: kept by nobody, framed by nobody, taken by no other page.
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
NO_UV = "Your device did not confirm that it is you"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with houses.house(tmp_path_factory.mktemp("browser"), WAITS) as founded:
        yield founded


@pytest.fixture
def visitor(house: House, chromium: Browser) -> Iterator[Visitor]:
    visitor = Visitor(chromium, house.address)
    yield visitor
    visitor.close()


def groups(name: str) -> str:
    """As people compare it."""
    return " ".join(name[at : at + 4] for at in range(0, len(name), 4))


def test_a_person_enrols_and_approves_what_is_shown(house: House, visitor: Visitor, chromium: Browser) -> None:
    owner, token = house.owner("director")
    vault_id = house.custody(owner)
    request, other = house.rebuilding(vault_id, owner), house.rebuilding(vault_id, owner)
    page = visitor.opens()
    said, failed = page.get_by_role("status"), page.get_by_role("alert")
    approve = page.get_by_role("button", name="Approve with my device")

    # By the keyboard alone to what is asked: the earlier one of two.
    visitor.tabs_to("Token")
    page.keyboard.insert_text(token)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What waits for you")).to_be_focused()
    expect(page.get_by_role("button", name="Look at it")).to_have_count(2)
    visitor.tabs_to("Look at it")
    visitor.tabs_to("Look at it")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="You are asked to approve")).to_be_focused()
    facts = dict(zip(*(page.locator(f"#facts {part}").all_inner_texts() for part in ("dt", "dd")), strict=True))
    opener = request["opener"]
    assert opener != owner
    assert facts["What"] == "Open this document, once, for whoever asks"
    assert facts["Document"].startswith(f"{MARKUP}, sealed ")
    assert (facts["Vault"], facts["Whose it is"]) == (groups(vault_id), groups(owner))
    assert (facts["Who asks"], facts["Challenge"]) == (groups(opener), groups(request["challenge"]))
    assert request["challenge"] != other["challenge"]
    [recipient] = [value for name, value in facts.items() if name.startswith("Who receives")]
    assert recipient == groups(request["request"]["primatelj"])
    visitor.tabs_to("Approve with my device")
    page.keyboard.press("Enter")
    expect(failed).to_contain_text("No device that can answer here is enrolled.")

    # Two natives invite, and the device's lock is enrolled. It does not count at once.
    visitor.has_device()
    enrols(page, house.invitation(owner), f"phone {MARKUP}")
    expect(said).to_contain_text("Enrolled. It counts from")
    expect(page.locator("#devices li")).to_contain_text([f"phone {MARKUP}"])
    counts = time.monotonic() + WAITS
    approve.click()
    expect(failed).to_contain_text(f"phone {MARKUP} counts from")
    until(lambda: time.monotonic() > counts, lambda: "time stands still")

    # It recognises nobody: neither the browser nor the service takes that.
    visitor.is_recognised(False)
    approve.click()
    expect(failed).to_contain_text(NO_UV)
    visitor.is_careless(True)
    approve.click()
    expect(failed).to_contain_text("no authenticator that counts made this proof for this request")
    visitor.is_careless(False)
    visitor.is_recognised(True)
    assert state(house, request) == ("open", 0)

    # It is the person, and what is approved is this request alone.
    with page.expect_request("**/proofs") as sent:
        approve.click()
    expect(said).to_have_text("You approved: 1 of 1.")
    assert sent.value.url == f"{house.address}{QT}/requests/{request['request_id']}/proofs"
    proof = json.loads(sent.value.post_data or "")
    person = house.service.client(token)
    problem(person.post(f"{QT}/requests/{other['request_id']}/proofs", proof), 422, "invalid-field")
    assert state(house, other) == ("open", 0)
    expect(page.locator("#progress")).to_contain_text("3 of 3")
    assert visitor.fits()
    assert house.document(request) == DOCUMENT
    expect(page.locator("#progress")).to_contain_text("Done")
    expect(approve).to_be_hidden()

    # The device vouches for a further one, which its own two natives would not bring.
    page.get_by_role("button", name="Let a further device enrol").click()
    expect(said).to_have_text("A further device may enrol.")
    further = Visitor(chromium, house.address)
    further.has_device()
    enrols(further.opens(), page.locator("#invitation").inner_text(), "tablet")
    expect(further.page.get_by_role("status")).to_contain_text("Enrolled.")
    page.get_by_role("button", name="Look again").click()
    expect(page.locator("#devices li")).to_have_count(2)
    further.is_content()
    further.close()
    keeps_no_token(visitor, token)
    visitor.is_content()


def state(house: House, request: dict[str, Any]) -> tuple[str, int]:
    found = answer(house.native.get(f"{QT}/requests/{request['request_id']}"))
    return found["state"], found["proofs"]


def keeps_no_token(visitor: Visitor, token: str) -> None:
    """Not in an address, in the page, or in what the browser keeps; and nobody finds it behind the way back."""
    secret = token.rsplit(".", 1)[1]
    assert not any(secret in request.url for request in visitor.asked)
    kept = "document.documentElement.outerHTML + JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie"
    fields = "[...document.querySelectorAll('input')].map((input) => input.value).join()"
    assert secret not in visitor.script(f"{kept} + {fields}")
    visitor.page.goto(f"{visitor.address}/problems/")
    visitor.page.go_back()
    expect(visitor.page.get_by_label("Token")).to_have_value("")
    expect(visitor.page.locator("#entered")).to_be_hidden()
    expect(visitor.page.locator("#facts dt")).to_have_count(0)


def test_a_device_that_verifies_nobody_is_not_enrolled(house: House, visitor: Visitor) -> None:
    owner, _ = house.owner("deputy")
    invitation = house.invitation(owner)
    page, failed = visitor.opens(), visitor.page.get_by_role("alert")
    visitor.has_device(verifies=False)
    enrols(page, invitation, "old key")
    expect(failed).to_contain_text(NO_UV)
    # A page that was tampered with has it answer all the same, and the service does not take it.
    visitor.is_careless(True)
    enrols(page, invitation, "old key")
    expect(failed).to_contain_text("it does not answer what it was asked")
    listed = house.native.get("/api/v1/presence/authenticators", params={"identity_id": owner})
    assert answer(listed)["items"] == []
    visitor.is_content()


def test_a_key_that_the_browser_keeps_approves(house: House, visitor: Visitor) -> None:
    owner, token = house.owner("clerk")
    page = visitor.opens()
    enrols(page, house.invitation(owner), "office", "ed25519")
    expect(page.get_by_role("status")).to_contain_text("Enrolled.")
    request = house.rebuilding(house.custody(owner), owner)
    [made] = answer(house.native.get("/api/v1/presence/authenticators", params={"identity_id": owner}))["items"]
    counts = datetime.fromisoformat(made["counts_from"])
    until(lambda: datetime.now(UTC) > counts, lambda: made["counts_from"])
    enters(page, token)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Approve with my device").click()
    expect(page.get_by_role("status")).to_have_text("You approved: 1 of 1.")
    assert house.document(request) == DOCUMENT
    visitor.is_content()


def test_the_page_serves_everybody_and_says_what_is_wrong(house: House, visitor: Visitor) -> None:
    page = visitor.opens()
    failed = page.get_by_role("alert")
    assert visitor.script("document.documentElement.lang") == "en" and page.title()
    # Every field has a label and words on what it wants, and the keyboard reaches all there is, in order.
    fields = "[...document.querySelectorAll('input, select')]"
    assert visitor.script(f"{fields}.every((field) => field.labels.length === 1)")
    for name in ("Token", "Show what waits for me", "Invitation", "Name of this device"):
        visitor.tabs_to(name)
    visitor.tabs_to("What proves that it is you")
    visitor.tabs_to("Enrol")
    assert visitor.fits()

    enter = page.get_by_role("button", name="Show what waits for me")
    for token in ("", "something", "a.b.c"):
        page.get_by_label("Token").fill(token)
        enter.click()
        expect(failed).to_have_text("That is no token: paste all of what you were given.")
    owner, token = house.owner("board")
    page.get_by_label("Token").fill(token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB"))
    enter.click()
    expect(failed).to_have_text("Your token is wrong, or its time is over: ask for another.")
    enrols(page, "0" * 63, "phone")
    expect(failed).to_have_text("An invitation is 64 characters, 0 to 9 and a to f.")
    expect(page.get_by_label("Invitation")).to_be_focused()
    enrols(page, "0" * 64, "phone")
    expect(failed).to_contain_text("This invitation is not known")
    enrols(page, "0" * 64, " ")
    expect(failed).to_have_text("Give the device a name of 1 to 100 characters.")
    visitor.has_device()
    enrols(page, house.invitation(owner), "Ana's \u202eenohp")
    expect(failed).to_contain_text("is not a visible line")
    page.context.set_offline(True)
    enter_offline(page, token)
    expect(failed).to_have_text("The service cannot be reached.")
    page.context.set_offline(False)
    visitor.complaints.clear()

    # Nothing waits; then something does, with the longest that natives write.
    enters(page, token)
    expect(page.locator("#nothing")).to_be_visible()
    assert visitor.fits()
    house.rebuilding(house.split(owner), owner)
    enrols(page, house.invitation(owner), "M" * 100)
    expect(page.get_by_role("status")).to_contain_text("Enrolled.")
    page.get_by_role("button", name="Look again").click()
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("heading", name="You are asked to approve")).to_be_focused()
    assert visitor.fits()
    page.get_by_role("button", name="Do not approve").click()
    expect(page.get_by_role("status")).to_have_text("Nothing was approved.")
    page.get_by_role("button", name="Leave").click()
    expect(page.locator("#entered")).to_be_hidden()
    keeps_no_token(visitor, token)
    visitor.is_content()


def enter_offline(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Show what waits for me").click()


def test_a_neighbour_gets_nothing_into_the_page_and_the_page_into_nothing(house: House, visitor: Visitor) -> None:
    page = visitor.opens()
    # A label that came through as markup, a script from elsewhere, a form that sends away what was typed.
    tried = {
        "markup": "document.body.innerHTML = '<img src=x>'",
        "inline": "document.body.append(Object.assign(document.createElement('script'), {text: 'globalThis.ran = 1'}))",
        "outside": "fetch('http://127.0.0.1:9/')",
        "form": "const form = document.createElement('form'); form.action = '//127.0.0.1:9/';"
        "document.body.append(form); form.submit()",
    }
    for kind, text in tried.items():
        visitor.complaints.clear()
        visitor.script(f"(async () => {{ try {{ {text} }} catch {{}} }})()")
        until(lambda: visitor.complains(), lambda: f"{kind}: nobody complained")
        assert any(word in visitor.complaints[0] for word in ("Content Security Policy", "This document requires 'T"))
    assert visitor.script("globalThis.ran") is None and page.url == f"{house.address}/presence/"
    # Another's page around it, who has people click through it.
    with browser.neighbour(f"<h1>Win</h1><iframe src='{house.address}/presence/'></iframe>") as other:
        page.goto(other)
        expect(page.get_by_role("heading", name="Win")).to_be_visible()
        [_, framed] = page.frames
        assert framed.url.startswith("chrome-error:")
        expect(framed.get_by_label("Token")).to_have_count(0)
    for file in ("", "page.js", "device.js", "service.js", "page.css"):
        found = requests.get(f"{house.address}/presence/{file}", timeout=30)
        kept = {name: found.headers[name] for name in HEADERS}
        assert (found.status_code, kept) == (200, HEADERS)
