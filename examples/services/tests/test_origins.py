"""Pages of others: a listed origin calls with a token of its own, and any other changes nothing and reads nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from harness import browser, configuration
from harness.http import Client, answer, problem
from harness.load import encoded
from harness.process import free_ports
from harness.trustd import OPERATOR, Trustd
from playwright.sync_api import Browser, Frame, Page, Response

KEYPAIR, CHALLENGE, HEALTH = "/api/v1/dsa/keypair", "/api/v1/auth/challenge", "/api/v1/dsa/health"
UNKNOWN = "ab" * 32
PAGE = "<h1>A page of somebody's</h1>"
# What a page gets of a call; a browser does not tell it why it gets nothing.
CALL = """async ([method, address, token, text]) => {
  const headers = token ? { Authorization: "Bearer " + token, "Content-Type": "application/json" } : {};
  try {
    const answer = await fetch(address, { method, headers, body: text || undefined });
    return { status: answer.status, id: answer.headers.get("X-Request-Id"), text: await answer.text() };
  } catch (error) {
    return error.name;
  }
}"""
# What needs no leave: a form that sends itself into a frame.
FORM = """(address) => {
  const form = Object.assign(document.createElement("form"), { method: "post", action: address });
  form.enctype = "text/plain";
  form.append(Object.assign(document.createElement("input"), { name: '{"identity_id":"', value: '"}' }));
  document.body.append(form);
  form.submit();
}"""


@dataclass
class Street:
    """A service, a neighbour that it lists, and one that it does not."""

    service: Trustd
    listed: str
    foreign: str
    at: str

    def native(self) -> Client:
        return self.service.client(self.token())

    def token(self) -> str:
        return self.service.token(OPERATOR, "native", "trust")


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    [port] = free_ports(1)
    with ExitStack() as stack:
        listed, foreign = (stack.enter_context(browser.neighbour(PAGE)).rstrip("/") for _ in range(2))
        at = f"http://localhost:{port}"
        settings = {"listen": f"127.0.0.1:{port}", "base_url": at, "origins": [listed]}
        trustd = Trustd(tmp_path_factory.mktemp("street"), configuration.local(), settings)
        stack.callback(trustd.close)
        yield Street(trustd.start(), listed, foreign, at)


def keypair(name: str) -> dict[str, str]:
    return {"content_b64": encoded(name.encode()), "creator": "tests", "context": "origins"}


def leave(client: Client, origin: str) -> dict[str, str]:
    """What a browser is told that asks whether a page may."""
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,content-type"}
    told = client.request("OPTIONS", KEYPAIR, headers=asked)
    return {"status": str(told.status_code)} | {
        name.lower().removeprefix("access-control-"): text
        for name, text in told.headers.items()
        if name.lower().startswith("access-control-")
    }


def test_a_browser_is_told_which_pages_may(street: Street) -> None:
    stranger = street.service.client()
    told = leave(stranger, street.listed)
    assert (told["status"], told["allow-origin"]) == ("204", street.listed)
    assert "POST" in told["allow-methods"].split(", ")
    assert {"authorization", "content-type"} <= set(told["allow-headers"].split(", "))
    assert "allow-credentials" not in told
    for origin in (street.foreign, "null", street.listed + "0", street.listed.replace("http", "https")):
        assert leave(stranger, origin) == {"status": "403"}, origin


def test_a_change_is_refused_from_another_page_whoever_s_the_token(street: Street) -> None:
    native = street.native()
    elsewhere = [{"Origin": street.foreign}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
    for headers in (*elsewhere, {"Sec-Fetch-Site": "same-site"}):
        problem(native.post(KEYPAIR, keypair("a"), headers=headers), 403, "foreign-origin")
        # What asks for no token is refused alike, and what anybody reads is not shown to the page.
        challenge = street.service.client().post(CHALLENGE, {"identity_id": OPERATOR}, headers=headers)
        problem(challenge, 403, "foreign-origin")
        read = native.get(HEALTH, headers=headers)
        assert read.status_code == 200 and "Access-Control-Allow-Origin" not in read.headers
    # Programs say nothing, and the service's own pages say that they are.
    own = [{}, {"Origin": street.at}, {"Origin": street.at.replace("localhost", "127.0.0.1")}]
    for number, headers in enumerate([*own, {"Sec-Fetch-Site": "same-origin"}]):
        made = native.post(KEYPAIR, keypair(f"own {number}"), headers=headers)
        answer(made, 201)
        assert "Access-Control-Allow-Origin" not in made.headers
    made = native.post(KEYPAIR, keypair("listed"), headers={"Origin": street.listed, "Sec-Fetch-Site": "cross-site"})
    answer(made, 201)
    assert made.headers["Access-Control-Allow-Origin"] == street.listed
    assert "Access-Control-Allow-Credentials" not in made.headers


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(browser.MILLISECONDS)
    yield context.new_page()
    context.close()


def test_a_browser_lets_a_listed_page_call_and_no_other(street: Street, page: Page) -> None:
    def calls(body: str) -> list[Any]:
        """What a page gets of a change, and of what anybody reads."""
        asked = [["POST", street.at + KEYPAIR, street.token(), body], ["GET", street.at + HEALTH, "", ""]]
        return [frame.evaluate(CALL, one) for one in asked]

    page.goto(street.listed)
    frame: Frame = page.main_frame
    made, read = calls(json.dumps({"identity_id": OPERATOR}))
    assert (made["status"], read["status"]) == (201, 200), (made, read)
    # It reads a refusal too, and which request that was.
    refused, _ = calls(json.dumps({"identity_id": "no name"}))
    assert refused["status"] == 422 and refused["id"] and refused["id"] in refused["text"], refused
    # Another page gets nothing, nor does one whose origin is hidden, and nothing is done.
    page.goto(street.foreign)
    frame = page.main_frame
    assert calls(json.dumps({"identity_id": UNKNOWN})) == ["TypeError", "TypeError"]
    page.set_content("<iframe sandbox='allow-scripts' srcdoc='<p>hidden</p>'></iframe>")
    frame = page.frames[1]
    assert calls(json.dumps({"identity_id": UNKNOWN})) == ["TypeError", "TypeError"]
    problem(street.native().get(f"/api/v1/dsa/status/{UNKNOWN}"), 404, "unknown-id")


def test_a_form_of_another_page_is_refused(street: Street, page: Page) -> None:
    """It asks for no leave, and brings a body that can be read as JSON."""
    came: list[Response] = []
    page.on("response", lambda response: came.append(response))
    page.goto(street.foreign)
    with page.expect_navigation():
        page.evaluate(FORM, street.at + CHALLENGE)
    assert came[-1].status == 403 and came[-1].json()["code"] == "foreign-origin"
    assert came[-1].request.headers["origin"] == street.foreign


def test_nothing_is_read_by_a_name_that_leads_here(street: Street, page: Page) -> None:
    """Chromium takes a name of this kind for this machine, as it would one of whoever changes where his leads."""
    at = street.at.replace("localhost", "evil.localhost")
    for path in (HEALTH, "/api/v1/log/checkpoint", "/docs/", "/driver/"):
        read = page.goto(at + path)
        assert read is not None and read.status == 421 and read.json()["code"] == "foreign-host", path
    # As a page of that name asks: to a browser it is the service's own.
    frame = page.main_frame
    told = frame.evaluate(CALL, ["GET", at + HEALTH, "", ""])
    assert told["status"] == 421, told
    native = street.native()
    problem(native.get(HEALTH, headers={"Host": "evil.example"}), 421, "foreign-host")
    problem(native.post(KEYPAIR, keypair("h"), headers={"Host": "evil.example:80"}), 421, "foreign-host")
    for host in ("LOCALHOST.", "127.0.0.1:1", "[::1]"):
        answer(native.get(HEALTH, headers={"Host": host}))


@pytest.mark.parametrize("at", ["/driver/", "/driver/app.js", "/fleet/", "/fleet/page.js", "/presence/"])
def test_a_page_takes_nothing_from_elsewhere(street: Street, at: str) -> None:
    headers = street.service.client().get(at).headers
    policy = dict(one.strip().split(" ", 1) for one in headers["Content-Security-Policy"].split(";"))
    closed = ("default-src", "base-uri", "form-action", "frame-ancestors")
    assert [policy.pop(name) for name in closed] == ["'none'"] * len(closed)
    assert policy.pop("require-trusted-types-for") == "'script'"
    assert policy.pop("trusted-types") in ("'none'", "driver")
    assert policy.pop("img-src") in ("'self'", "'self' blob:")
    assert set(policy) >= {"script-src", "style-src", "connect-src"} and set(policy.values()) == {"'self'"}
    for name in ("Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy"):
        assert headers[name] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
