"""The built page, its module under Node, and a browser. `cargo xtask test verifier` builds the page and names it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from samples import ACKNOWLEDGED, Shown

HERE = Path(__file__).resolve().parent
Answer = dict[str, Any]


def built(name: str) -> Path:
    folder = os.environ.get("VERIFIER")
    if not folder:
        raise RuntimeError("VERIFIER names no folder of a built page: run `cargo xtask test verifier`")
    return Path(folder) / name


class Module:
    """`peer.mjs`, which answers for the page's module and scripts."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin and process.stdout
        self.stdin, self.stdout = process.stdin, process.stdout

    def ask(self, op: str, **members: Any) -> Any:
        self.stdin.write(json.dumps({"op": op} | members) + "\n")
        self.stdin.flush()
        answer = json.loads(self.stdout.readline())
        assert not (isinstance(answer, dict) and "trapped" in answer), answer
        return answer

    def verify(self, text: str, document: bytes = ACKNOWLEDGED, **question: Any) -> Answer:
        asked = {"fingerprint": None, "signer": None, "witnesses": []} | question
        answer: Answer = self.ask("verify", evidence=text, document_hex=document.hex(), question=asked)
        return answer

    def of(self, shown: Shown, **question: Any) -> Answer:
        return self.verify(shown.text, shown.document, **({"fingerprint": shown.fingerprint} | question))


@pytest.fixture(scope="session")
def module() -> Iterator[Module]:
    pipe = subprocess.PIPE
    command = ["node", str(HERE / "peer.mjs"), str(built("verify.html"))]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield Module(process)
        assert process.stdin
        process.stdin.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        raise RuntimeError("no chromium is installed: run `cargo xtask test verifier`")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        # Root, which tests may run as, gets no sandbox.
        started = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
        yield started
        started.close()


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as somebody saved it, away from where it was built."""
    copy = tmp_path_factory.mktemp("saved") / "provjera.html"
    shutil.copy(built("verify.html"), copy)
    return copy
