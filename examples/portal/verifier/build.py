"""Builds the page that verifies evidence without a server: one HTML file with core as WebAssembly inside it.

    python3 examples/portal/verifier/build.py [--out FOLDER] [--target-dir FOLDER]

writes `verify.html`, and `verify.csp` with the value of the header `Content-Security-Policy` for whoever serves it. The
same sources give the same bytes, wherever they lie. It needs Debian's rustc-web, cargo-web, rust-web-src and lld;
`cargo xtask verifier` installs those first.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = HERE / "page"
SCRIPTS = ("engine.js", "pdf.js", "zip.js", "files.js", "view.js", "page.js")
TARGET = "wasm32-unknown-unknown"
# Of one Debian package, so that they fit each other: `build-std` compiles the standard library of this compiler.
CARGO, RUSTC, SOURCES = "/usr/bin/cargo", HERE / "rustc.sh", "/usr/lib/rustlib/src/rust"
# What a page that is saved cannot say of itself, since no header comes with it.
HEADER_ONLY = "frame-ancestors 'none'"


def registry() -> Path:
    return Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry"


def forget(target_dir: Path) -> None:
    """Has cargo compile this project's crates again where they were compiled by another `rustc.sh`, which it does not
    look into."""
    stamp, text = target_dir / "rustc.stamp", RUSTC.read_text("utf-8")
    if not stamp.is_file() or stamp.read_text("utf-8") != text:
        for crate in target_dir.glob(f"{TARGET}/release/.fingerprint/dualseal*"):
            shutil.rmtree(crate)
        target_dir.mkdir(parents=True, exist_ok=True)
        stamp.write_text(text, "utf-8")


def module(target_dir: Path) -> bytes:
    """The WebAssembly, compiled so that nothing in it depends on where the sources lie."""
    places = {ROOT: "dualseal", registry(): "registry", Path(SOURCES).resolve(): "rust", Path(SOURCES): "rust"}
    # Not among the flags that cargo knows: where the sources lie would have it compile what does not lie among them.
    remapped = "\n".join(f"{place}={name}" for place, name in places.items())
    # A panic ends the instance, and nobody reads its text.
    flags = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Clinker=wasm-ld"]
    settings = {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags), "RUSTC": str(RUSTC), "RUSTC_BOOTSTRAP": "1"}
    settings["VERIFIER_REMAPPED"] = remapped
    # What may stand between cargo and the compiler, or changes what it does, is left out.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARGO_", "RUSTC", "RUSTFLAGS"))}
    kept |= {name: os.environ[name] for name in ("CARGO_HOME",) if name in os.environ}
    arguments = ["build", "--locked", "--release", "--quiet", "-Zbuild-std=std,panic_abort", "--target", TARGET]
    command = [CARGO, *arguments, "--manifest-path", str(HERE / "Cargo.toml"), "--target-dir", str(target_dir)]
    forget(target_dir)
    print("$", " ".join(command), flush=True)
    subprocess.run(command, env=kept | settings, cwd=HERE, check=True)
    return (target_dir / TARGET / "release" / "dualseal_verifier.wasm").read_bytes()


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def policy(script: str, style: str) -> str:
    """Nothing but the one script and the one style, and no connection to anybody."""
    directives = {
        "default-src": "'none'",
        "script-src": f"'{digest(script)}' 'wasm-unsafe-eval'",
        "style-src": f"'{digest(style)}'",
        "connect-src": "'none'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "require-trusted-types-for": "'script'",
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def script(wasm: bytes) -> str:
    words = json.loads((PAGE / "words.json").read_text("utf-8"))
    parts = [
        '"use strict";',
        f"const WORDS = {json.dumps(words, ensure_ascii=False, sort_keys=True)};",
        # Inside the script, so that the hash in the policy is over the module as well.
        f'const MODULE = "{base64.b64encode(wasm).decode()}";',
        *((PAGE / name).read_text("utf-8") for name in SCRIPTS),
    ]
    whole = "\n".join(parts)
    if "</script" in whole.lower() or "<!--" in whole:
        raise SystemExit("a script must not hold what ends it")
    return f"\n{whole}\n"


def page(wasm: bytes) -> tuple[str, str]:
    """The page, and the policy for its header."""
    style = f"\n{(PAGE / 'verify.css').read_text('utf-8')}\n"
    code = script(wasm)
    said = policy(code, style)
    html = (PAGE / "verify.html").read_text("utf-8")
    for name, value in {"policy": said, "style": style, "script": code}.items():
        if html.count(f"[[{name}]]") != 1:
            raise SystemExit(f"verify.html has no one place for {name}")
        html = html.replace(f"[[{name}]]", value)
    return html, f"{said}; {HEADER_ONLY}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    asked.add_argument("--out", type=Path, default=target / "verifier")
    asked.add_argument("--target-dir", type=Path, default=target / "verifier" / "cargo")
    options = asked.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    wasm = module(options.target_dir.resolve())
    html, header = page(wasm)
    (options.out / "verify.html").write_text(html, "utf-8", newline="\n")
    (options.out / "verify.csp").write_text(f"{header}\n", "utf-8", newline="\n")
    print(f"{options.out / 'verify.html'}: {len(html.encode()):,} bytes, {len(wasm):,} of WebAssembly")


if __name__ == "__main__":
    main()
