"""A browser, as a person has it: Debian's Chromium, with an authenticator that it plays itself."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import (
    Browser,
    CDPSession,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from .loopback import Played, loopback
from .process import is_root

MILLISECONDS = 60_000
PHONE: ViewportSize = {"width": 375, "height": 667}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
# What Chromium says of every answer from 400 on, which the page says in words.
STATUS = "Failed to load resource: the server responded with a status of"
# A page in a stranger's hands: while `careless` is set, it asks for nobody to be verified.
CARELESS = """
for (const name of navigator.credentials ? ["create", "get"] : []) {
  const as_asked = navigator.credentials[name].bind(navigator.credentials);
  navigator.credentials[name] = (asked) => {
    if (globalThis.careless) {
      const { extensions, ...options } = asked.publicKey;
      options.userVerification = "discouraged";
      if (options.authenticatorSelection) options.authenticatorSelection.userVerification = "discouraged";
      return as_asked({ publicKey: options });
    }
    return as_asked(asked);
  };
}
"""


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Runs one, without a window."""
    program = shutil.which("chromium")
    if program is None:
        raise RuntimeError("no chromium is installed: run `cargo xtask services`")
    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as playwright:
        # Root, which tests may run as, gets no sandbox.
        started = playwright.chromium.launch(executable_path=program, chromium_sandbox=not is_root())
        try:
            yield started
        finally:
            started.close()


@contextlib.contextmanager
def neighbour(page: str) -> Iterator[str]:
    """Another's page on this machine: its address."""

    class Handler(Played):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

    with loopback(Handler) as port:
        yield f"http://127.0.0.1:{port}/"


class Visitor:
    """Somebody who opens the page of presence, in a profile of his own, and what his browser complained of."""

    def __init__(self, browser: Browser, address: str) -> None:
        context = browser.new_context(viewport=PHONE, locale="en-GB")
        context.set_default_timeout(MILLISECONDS)
        self.address = address
        self.complaints: list[str] = []
        self.asked: list[Request] = []
        self.page: Page = context.new_page()
        self.page.add_init_script(CARELESS)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request))
        self._cdp: CDPSession = context.new_cdp_session(self.page)
        self._authenticator: str | None = None

    def opens(self) -> Page:
        """Opens the page."""
        answer = self.page.goto(f"{self.address}/presence/")
        assert answer is not None and answer.status == 200
        return self.page

    def has_device(self, *, verifies: bool = True) -> None:
        """Has a device with a lock of its own, or with none."""
        self._cdp.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": verifies,
            "isUserVerified": verifies,
        }
        made = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._authenticator = made["authenticatorId"]

    def is_recognised(self, yes: bool) -> None:
        """Whether the device recognises who uses it from now on."""
        told = {"authenticatorId": self._authenticator, "isUserVerified": yes}
        self._cdp.send("WebAuthn.setUserVerified", told)

    def is_careless(self, yes: bool) -> None:
        """Whether what the page asks of the device was tampered with."""
        self.script(f"globalThis.careless = {str(yes).lower()}")

    def script(self, text: str) -> Any:
        """What this is in the page, whatever policy the page has."""
        asked = {"expression": text, "returnByValue": True, "awaitPromise": True}
        found = self._cdp.send("Runtime.evaluate", asked)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def fits(self) -> bool:
        """Whether nothing is to be scrolled for sideways, on a phone and on a desk."""
        wide = []
        for size in (DESKTOP, PHONE):
            self.page.set_viewport_size(size)
            wide.append(self.script("document.documentElement.scrollWidth"))
        return wide == [DESKTOP["width"], PHONE["width"]]

    def tabs_to(self, name: str) -> None:
        """Goes to a field or button by the keyboard alone."""
        focused = "(({labels, textContent}) => labels?.[0]?.textContent ?? textContent)(document.activeElement).trim()"
        passed: list[str] = []
        while len(passed) < 40:
            self.page.keyboard.press("Tab")
            passed.append(self.script(focused))
            if passed[-1] == name:
                return
        raise AssertionError(f"no {name!r} is reached, but {passed}")

    def is_content(self) -> None:
        """His browser complained of nothing, and asked nobody but the service."""
        assert self.complaints == []
        addresses = [request.url for request in self.asked]
        assert addresses and all(address.startswith(f"{self.address}/") for address in addresses), addresses

    def complains(self) -> bool:
        """Gives the browser a moment; whether it has complained of something."""
        self.page.wait_for_timeout(20)
        return bool(self.complaints)

    def close(self) -> None:
        """Goes away."""
        self.page.context.close()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(STATUS):
            self.complaints.append(message.text)


def enrols(page: Page, invitation: str, label: str, kind: str = "webauthn") -> None:
    """Fills in the form of enrolment, and sends it."""
    page.get_by_label("Invitation").fill(invitation)
    page.get_by_label("Name of this device").fill(label)
    page.get_by_label("What proves that it is you").select_option(kind)
    page.get_by_role("button", name="Enrol", exact=True).click()


def enters(page: Page, token: str) -> None:
    """Enters with a token, as people paste it."""
    page.get_by_label("Token").fill(f" {token}\n")
    page.get_by_role("button", name="Show what waits for me").click()
    expect(page.get_by_role("heading", name="What waits for you")).to_be_focused()
