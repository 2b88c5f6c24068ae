"""What the README tells a newcomer to type gets him from the first token to a document that verifies."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from conftest import Make
from harness.configuration import Backend

README = Path(__file__).parent.parent / "README.md"
ADDRESS = "http://localhost:8470"
SECONDS = 60


def test_a_newcomer_signs_and_verifies(own_backend: Backend, make: Make, tmp_path: Path) -> None:
    trustd = make(own_backend).start()
    folder = tmp_path / "newcomer"
    folder.mkdir()
    lines = shell()
    assert lines.count(ADDRESS) == 1
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", lines.replace(ADDRESS, trustd.address)],
        input=f"{trustd.first_token()}\n",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=folder,
    )
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    assert last_answer(done.stdout)["validan"] is True
    place = json.loads((folder / "contract.place.json").read_text())
    record = json.loads((folder / "contract.sig.json").read_text())
    assert record["identity_id"] == place["entry"]["w3"]
    # The same line says no to another document.
    (folder / "contract.txt").write_text("We do not agree.\n")
    [verifying] = [line for line in lines.splitlines() if "/provjeri" in line]
    told = subprocess.run(
        ["bash", "-euc", verifying],
        env=os.environ | {"TRUST": trustd.address, "ANA": record["identity_id"]},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=folder,
    )
    assert last_answer(told.stdout)["validan"] is False, told.stdout + told.stderr


def shell() -> str:
    """The README's one block of shell."""
    [block] = re.findall(r"^```sh\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert isinstance(block, str)
    return block


def last_answer(printed: str) -> dict[str, object]:
    """What the last request answered."""
    found: dict[str, object] = json.loads(printed.splitlines()[-1])
    return found
