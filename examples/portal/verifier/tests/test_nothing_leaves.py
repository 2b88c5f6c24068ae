"""Whatever runs in the saved page, nothing leaves it. The same page without its policy shows that the attempts work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import built
from listener import Listener, listener
from playwright.sync_api import Browser, Page
from samples import of_portal
from test_page import of, verified

# How a script could tell somebody something, by what the policy calls it.
WAYS = {
    "fetch": ("connect-src", "fetch(`${http}/fetch`, { mode: 'no-cors' }).catch(() => 0)"),
    "xhr": ("connect-src", "const x = new XMLHttpRequest(); x.open('GET', `${http}/xhr`); x.send()"),
    "websocket": ("connect-src", "new WebSocket(`${ws}/websocket`)"),
    "eventsource": ("connect-src", "new EventSource(`${http}/eventsource`)"),
    "beacon": ("connect-src", "navigator.sendBeacon(`${http}/beacon`, 'x')"),
    "image": ("img-src", "new Image().src = `${http}/image`"),
    "audio": ("media-src", "new Audio(`${http}/audio`).load()"),
    "style": ("style-src-elem", "add('link', { rel: 'stylesheet', href: `${http}/style` })"),
    "frame": ("frame-src", "add('iframe', { src: `${http}/frame` })"),
    "module": ("script-src-elem", "add('link', { rel: 'modulepreload', href: `${http}/module` })"),
    "font": ("font-src", "new FontFace('x', `url(${http}/font)`).load().catch(() => 0)"),
    "form": ("form-action", "send('POST', `${http}/form`)"),
    "form-get": ("form-action", "send('GET', `${http}/form-get`)"),
}
# Nor is anything taken in that could run.
RUNS = {
    "script-src-elem": "const s = document.createElement('script'); s.text = 'ran = 1'; document.head.append(s)",
    "script-src": "setTimeout('ran = 1')",
    "script-src-attr": "const b = document.createElement('b'); b.setAttribute('onclick', 'ran = 1'); "
    "document.body.append(b); b.click()",
}
PREPARED = """([http, ws]) => {
  Object.assign(globalThis, { http, ws, ran: 0, stopped: [] });
  globalThis.add = (name, members) => document.body.append(Object.assign(document.createElement(name), members));
  globalThis.send = (method, action) => {
    const form = Object.assign(document.createElement("form"), { method, action });
    document.body.append(form);
    form.submit();
  };
  document.addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
}"""


@pytest.fixture
def without_policy(tmp_path: Path) -> Path:
    html = built("verify.html").read_text("utf-8")
    html, removed = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    assert removed == 1
    copy = tmp_path / "without.html"
    copy.write_text(html, "utf-8")
    return copy


def prepared(page: Page, file: Path, heard: Listener) -> None:
    page.goto(file.as_uri())
    page.evaluate(PREPARED, [f"http://127.0.0.1:{heard.port}", f"ws://127.0.0.1:{heard.port}"])


def tried(page: Page, way: str) -> None:
    page.evaluate(f"() => {{ try {{ {WAYS[way][1]} }} catch (error) {{ console.log(String(error)) }} }}")
    page.wait_for_timeout(250)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_out_is_closed(chromium: Browser, saved: Path, without_policy: Path, way: str) -> None:
    page = chromium.new_page()
    with listener() as heard:
        prepared(page, without_policy, heard)
        tried(page, way)
        for _ in range(20):
            if heard.heard:
                break
            page.wait_for_timeout(250)
        assert f"/{way}" in {path.rstrip("?") for path in heard.paths()}
    with listener() as heard:
        prepared(page, saved, heard)
        tried(page, way)
        stopped = page.evaluate("stopped")
        assert heard.heard == []
        assert WAYS[way][0] in stopped, stopped
    page.close()


@pytest.mark.parametrize("directive", RUNS)
def test_nothing_is_run_that_comes_in(chromium: Browser, saved: Path, without_policy: Path, directive: str) -> None:
    page = chromium.new_page()
    with listener() as heard:
        for file, ran in ((without_policy, 1), (saved, 0)):
            prepared(page, file, heard)
            page.evaluate(f"() => {{ try {{ {RUNS[directive]} }} catch (error) {{ console.log(String(error)) }} }}")
            page.wait_for_timeout(100)
            assert page.evaluate("ran") == ran
    page.close()


def test_a_verification_asks_nobody(chromium: Browser, saved: Path) -> None:
    page, asked = chromium.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(saved.as_uri())
    assert verified(page, of(of_portal()), of_portal().fingerprint) == "valid"
    # The page itself, and what it was given.
    assert [url for url in asked if not url.startswith("blob:")] == [saved.as_uri()]
    stored = page.evaluate("Promise.all([indexedDB.databases(), caches.keys().catch(() => []), document.cookie])")
    assert stored == [[], [], ""]
    page.close()
