"""The saved page, opened from a folder in a browser: what a person drops, types and reads, and that nothing leaves."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pdfs
import pytest
from playwright.sync_api import Browser, Page, expect
from samples import ACKNOWLEDGED, INVOICE, Shown, of_another_log, of_portal

Files = list[tuple[str, bytes]]
COLOURS = {"good": "rgb(10, 107, 53)", "open": "rgb(11, 79, 168)", "warn": "rgb(138, 75, 0)", "bad": "rgb(176, 0, 32)"}
DROP = """([selector, files]) => {
  const data = new DataTransfer();
  for (const [name, base64] of files) {
    data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  }
  const target = document.querySelector(selector);
  for (const type of ["dragover", "drop"]) {
    target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""
Open = Callable[..., Page]


@pytest.fixture
def opens(chromium: Browser, saved: Path) -> Iterator[Open]:
    """Opens the saved page; whatever it says in the console as an error fails the test."""
    contexts, errors = [], []

    def opened(language: str = "en", **options: Any) -> Page:
        context = chromium.new_context(locale=language, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(saved.as_uri())
        return page

    yield opened
    assert errors == []
    for context in contexts:
        context.close()


def dropped(page: Page, files: Files, target: str = "body") -> None:
    page.evaluate(DROP, [target, [[name, base64.b64encode(data).decode()] for name, data in files]])


def verified(page: Page, files: Files, fingerprint: str = "") -> str:
    """The verdict, after what was chosen before is taken away."""
    while page.locator("#chosen button").count():
        page.locator("#chosen button").first.click()
    dropped(page, files)
    page.locator("#fingerprint").fill(fingerprint)
    return pressed(page)


def pressed(page: Page) -> str:
    page.locator("#verify").click()
    expect(page.locator("#verdict")).to_be_visible()
    return page.locator("#verdict").get_attribute("data-verdict") or ""


def colour(page: Page) -> str:
    shown = page.locator("#verdict").evaluate("node => getComputedStyle(node).borderTopColor")
    return next(name for name, value in COLOURS.items() if value == shown)


def said(page: Page) -> str:
    return page.locator("#verdict").inner_text()


def of(shown: Shown, document: bytes | None = None) -> Files:
    return [("a.json", shown.document if document is None else document), ("a.evidence.json", shown.text.encode())]


def grouped(hexed: str) -> str:
    return " ".join(re.findall("....", hexed))


def test_green_takes_a_fingerprint_from_outside(opens: Open) -> None:
    page, shown = opens(), of_portal()
    assert verified(page, of(shown)) == "consistent"
    assert colour(page) == "open" and "nobody has confirmed" in said(page)
    assert f"Fingerprint that the files themselves state\n{grouped(shown.fingerprint)}" in said(page)
    # As it is printed.
    for typed in (shown.fingerprint, grouped(shown.fingerprint), f" {shown.fingerprint.upper()}\n"):
        assert verified(page, of(shown), typed) == "valid"
        assert colour(page) == "good"
    facts = dict(zip(*(page.locator(f"#verdict {name}").all_inner_texts() for name in ("dt", "dd")), strict=True))
    assert facts["Who (identity)"] == grouped(shown.identity)
    assert facts["Fingerprint of the key"] == grouped(shown.key)
    assert facts["When"].startswith("November 21, 2026 at 10:02:00") and "entry 2 of the log" in facts["When"]
    assert facts["Fingerprint of the log"] == grouped(shown.fingerprint)
    assert facts["Log"] == "portal.example/log"
    assert page.locator("#verdict pre").inner_text() == ACKNOWLEDGED.decode()
    assert page.evaluate("document.activeElement.textContent") == "✓Valid"
    assert "look who it was" in said(page)


@pytest.mark.parametrize(
    ("state", "look"), [("revoked", "bad"), ("suspended", "warn"), ("doubtful", "warn")]
)
def test_what_the_log_says_of_the_key(opens: Open, state: str, look: str) -> None:
    page, shown = opens(), of_portal(state)
    for fingerprint in (shown.fingerprint, ""):
        assert verified(page, of(shown), fingerprint) == state
        assert colour(page) == look


def test_what_does_not_hold_is_red(opens: Open) -> None:
    page, shown = opens(), of_portal()
    altered = shown.text.replace('"seq":2', '"seq":3', 1)
    assert altered != shown.text
    frauds: list[tuple[Files, str, str, str]] = [
        (of(shown, ACKNOWLEDGED + b" "), shown.fingerprint, "invalid", "was altered"),
        (of(shown, ACKNOWLEDGED + b" "), "", "invalid", "was altered"),
        ([*of(shown)[:1], ("a.evidence.json", altered.encode())], shown.fingerprint, "invalid", "log was altered"),
        (of(of_another_log()), shown.fingerprint, "invalid", "another log"),
        (of(shown)[:1] + [("a.evidence.json", b"\x00garbage")], shown.fingerprint, "unreadable", "damaged or altered"),
        (of(shown), shown.fingerprint[:-1], "unreadable", "no fingerprint"),
        (of(shown), shown.key, "invalid", "another log"),
    ]
    for files, fingerprint, verdict, words in frauds:
        assert verified(page, files, fingerprint) == verdict
        assert colour(page) == "bad" and words in said(page), said(page)
    assert verified(page, of(shown), shown.fingerprint) == "valid"


def test_a_receipt_alone_and_with_its_invoice(opens: Open) -> None:
    page, shown = opens(), of_portal()
    attached = [("acknowledgement.json", ACKNOWLEDGED), ("acknowledgement.evidence.json", shown.text.encode())]
    receipt = ("receipt.pdf", pdfs.attached(attached))
    assert verified(page, [receipt], shown.fingerprint) == "valid"
    assert "a file inside receipt.pdf" in said(page) and "Ana Anić" in said(page)
    assert verified(page, [("invoice.pdf", INVOICE), receipt], shown.fingerprint) == "valid"
    assert "invoice.pdf is named in the document by its SHA-256" in said(page)
    # The receipt holds; that says nothing of a file which it does not name.
    for fingerprint in (shown.fingerprint, ""):
        assert verified(page, [("invoice.pdf", INVOICE + b" "), receipt], fingerprint) == "unrelated"
        assert colour(page) == "warn" and "invoice.pdf is neither the document nor named in it" in said(page)
    assert verified(page, [("invoice.pdf", INVOICE)]) == "missing"
    assert "Save its attachments" in said(page)


def zipped(files: Files) -> tuple[str, bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, data in files:
            folder.writestr(name, data)
    return "evidence.zip", out.getvalue()


def pair(name: str, document: bytes, state: str = "valid") -> Files:
    shown = of_portal(state, document)
    return [(name, document), (f"{name}.evidence.json", shown.text.encode())]


@pytest.mark.parametrize("packed", [False, True], ids=["one by one", "as a ZIP"])
def test_each_evidence_over_its_document(opens: Open, packed: bool) -> None:
    page, log = opens(), of_portal().fingerprint
    assert log == of_portal("valid", INVOICE).fingerprint == of_portal("revoked", INVOICE).fingerprint

    def verdicts(files: Files, fingerprint: str = log) -> tuple[str, list[str]]:
        worst = verified(page, [zipped(files)] if packed else files, fingerprint)
        return worst, [one.get_attribute("data-verdict") or "" for one in page.locator("#verdict article").all()]

    readme = ("README.txt", b"how to verify it")
    invoice, answer = pair("invoice.pdf", INVOICE), pair("answer.json", ACKNOWLEDGED)
    assert verdicts([*answer, *invoice, readme]) == ("valid", ["valid", "valid"])
    assert colour(page) == "good"
    text = said(page)
    assert "invoice.pdf is named in the document" in text and "answer.json, which is verified here too" in text
    assert "README.txt only came with it" in text and "2 pieces of evidence" in text
    assert verdicts([*answer, *invoice], "") == ("consistent", ["consistent", "consistent"])
    # A receipt of one invoice beside another that is signed as well: nothing was confirmed of that one.
    other = pair("invoice.pdf", INVOICE + b"another")
    assert verdicts([*answer, *other]) == ("unrelated", ["unrelated", "unrelated"])
    assert colour(page) == "warn"
    # The worst of them is what is said.
    assert verdicts([*answer, *pair("invoice.pdf", INVOICE, "revoked")])[0] == "revoked"
    changed = [("invoice.pdf", INVOICE + b" "), invoice[1]]
    assert verdicts([*answer, *changed])[0] == "invalid"
    assert colour(page) == "bad"
    # What nobody signed is nothing beside it, whatever it is called.
    for name in ("README.pdf", "readme.txt", "annex.pdf"):
        assert verdicts([*answer, *invoice, (name, b"more")])[0] == "unrelated", name


FORGED = INVOICE + b"and a forged line"
FORGED_HASH = hashlib.sha256(FORGED).hexdigest()


@pytest.mark.parametrize("document", [
    {"ua": f"Mozilla/5.0 {FORGED_HASH}"}, {"client": FORGED_HASH}, {"document": {"hash": FORGED_HASH}},
    {"hash": f"{hashlib.sha256(INVOICE).hexdigest()} {FORGED_HASH}"}, {"hash": [FORGED_HASH]},
    [FORGED_HASH], FORGED_HASH, None,
], ids=str)  # fmt: skip
def test_a_hash_that_somebody_else_wrote_names_nothing(opens: Open, document: Any) -> None:
    if isinstance(document, dict):
        document = {"hash": hashlib.sha256(INVOICE).hexdigest()} | document
    shown, page = of_portal("valid", json.dumps(document).encode()), opens()
    assert verified(page, of(shown), shown.fingerprint) == "valid"
    assert verified(page, [*of(shown), ("invoice.pdf", FORGED)], shown.fingerprint) == "unrelated"
    assert "invoice.pdf is neither the document nor named in it" in said(page)


def test_a_fingerprint_among_the_files_counts_for_nothing(opens: Open) -> None:
    page, shown = opens(), of_portal()
    enclosed = ("fingerprint.txt", shown.fingerprint.encode())
    assert verified(page, [*of(shown), enclosed]) == "unrelated"
    assert page.locator("#fingerprint").input_value() == ""
    # Nor does one in the address.
    page.goto(page.url.split("#")[0] + f"?fingerprint={shown.fingerprint}#{shown.fingerprint}")
    page.reload()
    assert page.locator("#fingerprint").input_value() == ""
    assert verified(page, of(shown)) == "consistent"
    # On its own place it is read, and only where there is one.
    dropped(page, [("from a letter.txt", b"Our log:\n" + shown.fingerprint.encode())], "#outside")
    expect(page.locator("#fingerprint")).to_have_value(grouped(shown.fingerprint))
    assert pressed(page) == "valid"
    dropped(page, [("x.txt", f"{shown.fingerprint} {shown.key}".encode())], "#outside")
    expect(page.locator("#fingerprint")).to_have_value("")
    expect(page.locator("#verdict")).to_be_hidden()


def test_a_change_takes_the_verdict_away(opens: Open) -> None:
    page, shown = opens(), of_portal()
    assert verified(page, of(shown), shown.fingerprint) == "valid"
    page.locator("#fingerprint").press("End")
    page.locator("#fingerprint").press("Backspace")
    expect(page.locator("#verdict")).to_be_hidden()
    assert pressed(page) == "unreadable"
    dropped(page, [("a.json", b"another")])
    expect(page.locator("#verdict")).to_be_hidden()


def test_who_and_which_witnesses(opens: Open) -> None:
    page, shown = opens(), of_portal()
    page.get_by_text("If you know more").click()
    page.locator("#signer").fill(grouped(shown.identity))
    assert verified(page, of(shown), shown.fingerprint) == "valid"
    assert "look who it was" not in said(page)
    page.locator("#signer").fill("0" * 64)
    assert verified(page, of(shown), shown.fingerprint) == "invalid"
    assert "another signer" in said(page)
    page.locator("#signer").fill("")
    page.locator("#witnesses").fill("nobody")
    assert verified(page, of(shown), shown.fingerprint) == "unreadable"


def test_fifty_megabytes(opens: Open, tmp_path: Path) -> None:
    document = bytes(range(256)) * 4 * 1024 * 50
    shown = of_portal("valid", document)
    names = [tmp_path / "large.bin", tmp_path / "large.evidence.json"]
    for name, data in zip(names, (document, shown.text.encode()), strict=True):
        name.write_bytes(data)
    page = opens()
    page.locator("#files").set_input_files(names)
    page.locator("#fingerprint").fill(shown.fingerprint)
    assert pressed(page) == "valid"
    names[0].write_bytes(document[:-1] + b"\x00")
    page.locator("#files").set_input_files(names)
    assert pressed(page) == "invalid"


def test_names_and_contents_are_shown_as_text(opens: Open) -> None:
    hostile = '{"name":"<img src=x onerror=alert(1)>\\u202e \u202egnp.exe"}'.encode()
    shown = of_portal("valid", hostile)
    page = opens()
    files = [("<b onclick=x>\u202efdp.html", hostile), ("a.evidence.json", shown.text.encode())]
    assert verified(page, files, shown.fingerprint) == "valid"
    assert page.locator("#verdict img, #verdict b, #chosen b").count() == 0
    assert "\u202e" not in page.locator("body").inner_text()
    assert "\\u202efdp.html" in said(page) and "<img src=x" in said(page)
