"""The files that the build gives out: what the policy says, that it fits, and that they are the same each time."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

from conftest import HERE, built
from samples import ROOT

PAGE = HERE.parent / "page"
# Whoever has these builds the page.
NEEDED = ("Cargo.toml", "README.md", "core", "examples/portal/verifier")
SCRIPTS = ("engine.js", "pdf.js", "zip.js", "files.js", "view.js", "page.js")


def parts_of(html: str) -> tuple[str, str, str]:
    """Policy, style and script."""
    [policy] = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', html)
    [style] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    [script] = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    return policy, style, script


def hashed(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_the_policy_allows_the_one_script_and_nothing_else() -> None:
    html, header = built("verify.html").read_text("utf-8"), built("verify.csp").read_text("utf-8")
    policy, style, script = parts_of(html)
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives == {
        "default-src": "'none'",
        "script-src": f"{hashed(script)} 'wasm-unsafe-eval'",
        "style-src": hashed(style),
        "connect-src": "'none'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "require-trusted-types-for": "'script'",
    }
    assert header == f"{policy}; frame-ancestors 'none'\n"


def test_the_page_is_one_file() -> None:
    html = built("verify.html").read_text("utf-8")
    _, _, script = parts_of(html)
    for name in SCRIPTS:
        assert (PAGE / name).read_text("utf-8") in script, name
    # Nothing in it is loaded from anywhere.
    assert not re.search(r"\b(src|href|srcset|action)=|url\(|@import|https?:", html)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|localStorage|sessionStorage", script)


def test_every_word_is_there_in_every_language() -> None:
    words = json.loads((PAGE / "words.json").read_text("utf-8"))
    english = words["en"]
    assert sorted(words) == ["de", "en", "hr"]
    for language, texts in words.items():
        assert texts.keys() == english.keys(), language
        for key, text in texts.items():
            assert text.strip() == text != "", (language, key)
            assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english[key])), (language, key)
            # What is not translated was forgotten.
            assert language == "en" or text != english[key], (language, key)
    code = "".join((PAGE / name).read_text("utf-8") for name in (*SCRIPTS, "verify.html"))
    named = set(re.findall(r'word\("(\w+)"|data-word="(\w+)"|fact\(list, "(\w+)"|problem: "(\w+)"', code))
    keys = {key if key in english else f"problem_{key}" for found in named for key in found if key}
    assert keys - english.keys() == set() and len(keys) > 40


def test_built_elsewhere_from_the_same_sources_it_is_the_same() -> None:
    """What is the same wherever the sources lie, as the standard library, is taken from the first build, so that this
    takes a minute; `VERIFIER_ANEW` has it compiled once more."""
    there = built("again")
    sources, target = there / "sources", there / "target"
    if "VERIFIER_ANEW" in os.environ:
        shutil.rmtree(target, ignore_errors=True)
    elif not target.exists():
        shutil.copytree(built("cargo"), target)
    shutil.rmtree(sources, ignore_errors=True)
    unneeded = shutil.ignore_patterns("target", "__pycache__", ".pytest_cache")
    for name in NEEDED:
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        # With their times, by which cargo knows what changed.
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, sources / name, **({"ignore": unneeded} if copy is shutil.copytree else {}))
    command = [sys.executable, str(sources / "examples/portal/verifier/build.py")]
    folders = ["--out", str(there / "out"), "--target-dir", str(target)]
    subprocess.run([*command, *folders], check=True)
    for name in ("verify.html", "verify.csp"):
        assert (there / "out" / name).read_bytes() == built(name).read_bytes(), name
