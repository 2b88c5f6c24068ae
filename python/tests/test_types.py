"""What a checker of types finds in a program before it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

PROGRAM = """\
from dualseal import {names}

def accept(concluded: {kind}) -> None:
    if concluded:
        print("accepted")
"""
# Each of them raises where its truth is asked for.
KINDS = [
    "Verdict[SignatureRecord]",
    "SealReport",
    "VaultReport",
    "EvidenceReport",
    "VerificationResult",
    "PublicResult",
]


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_of_a_verdict_is_reported(kind: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(names=", ".join(re.findall(r"\w+", kind)), kind=kind))
    found, _, status = api.run(["--strict", "--enable-error-code", "truthy-bool", str(program)])
    assert status == 1 and re.search(r"program\.py:4: error: .*\[truthy-bool\]", found), found
