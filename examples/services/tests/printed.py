"""Pages of proofs as callers get them, printed by the program beside the service: read, taken apart, verified.

The suite `pdf` has that program, and runs this: PROOF_PDF and DUALSEAL name the two.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Make
from harness import configuration
from harness.http import answer
from test_proof import PDF, PROOF, House, answering, covered, house, journey, presence_of, signature, witnesses

TITLES = {
    "PUT": ("Dokaz o putu", "Proof of a journey", "Nachweis einer Fahrt"),
    "ISTINA": ("Dokaz o potpisu", "Proof of a signature", "Nachweis einer Signatur"),
    "ZIVOT": ("Dokaz o prisutnosti", "Proof of presence", "Nachweis der Anwesenheit"),
    "D9_SVJEDOK": ("Dokaz o svjedocima", "Proof of witnesses", "Nachweis durch Zeugen"),
}
# Letters of a language that no other of the three has: each stands on some page.
LETTERS = {"hr": "čćžš", "de": "äöü"}


def said(*command: str | Path, code: int = 0) -> str:
    """What a program says, which ends with this."""
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code, f"{command}: {done}"
    return done.stdout + done.stderr


def page(at: House, proof: dict[str, Any], language: str, file: Path) -> Path:
    """A page, which is the same twice."""
    one, two = (at.ana.get(f"{PROOF}/{proof['dokaz_id']}?jezik={language}", headers=PDF) for _ in range(2))
    assert one.status_code == 200 and one.headers["Content-Type"] == "application/pdf", one.text
    assert one.content == two.content
    file.write_bytes(one.content)
    return file


def audit(folder: Path, proof: dict[str, Any], code: int = 0) -> str:
    """What somebody concludes who knows the log's fingerprint and who signs."""
    within = proof["tekst"]["tvrdnja"].get("zapisi", [])
    keys = {one["dokaz"]["key"]["leaf"]["javni_kljuc"] for one in [proof, *within]}
    command = [os.environ["DUALSEAL"], "audit", folder, "--log", proof["tekst"]["log"]["otisak"]]
    return said("env", f"DUALSEAL_HOME={folder.parent}/none", *command, *(f"--key={key}" for key in keys), code=code)


def taken_out(file: Path, folder: Path) -> Path:
    folder.mkdir()
    said("pdfdetach", "-saveall", "-o", folder, file)
    return folder


@pytest.fixture
def proofs(make: Make, tmp_path: Path) -> tuple[House, dict[str, dict[str, Any]]]:
    """One of each kind, and then the program is there."""
    at = house(configuration.local(), make, tmp_path)
    all_of = {"PUT": journey(at), "D9_SVJEDOK": witnesses(at)}
    person, all_of["ZIVOT"] = presence_of(at)
    at.printer.symlink_to(os.environ["PROOF_PDF"])
    # Presence is a page unless it is asked for otherwise.
    asked = answer(at.ana.post(f"{PROOF}/zivot/challenge", {"identity_id": at.owner}), 201)
    shown = at.ana.post(f"{PROOF}/zivot", answering(asked, person.seed) | {"jezik": "en"})
    assert (shown.status_code, shown.content[:5]) == (201, b"%PDF-"), shown.text
    at.printer.unlink()
    all_of["ISTINA"] = signature(at)
    at.printer.symlink_to(os.environ["PROOF_PDF"])
    covered(at.office)
    return at, all_of


def test_a_page_is_read_taken_apart_and_verified(
    proofs: tuple[House, dict[str, dict[str, Any]]], tmp_path: Path
) -> None:
    at, all_of = proofs
    texts = dict.fromkeys(("hr", "en", "de"), "")
    for kind, titles in TITLES.items():
        proof = all_of[kind]
        for language, title in zip(texts, titles, strict=True):
            name = f"{kind}-{language}"
            file = page(at, proof, language, tmp_path / f"{name}.pdf")
            meta = said("pdfinfo", "-meta", file)
            assert "<pdfaid:part>3<" in meta and "<pdfaid:conformance>B<" in meta, name
            assert "No syntax" in said("qpdf", "--check", file), name
            text = said("pdftotext", "-layout", file, "-")
            assert title in text and proof["dokaz_id"] in text, f"{name}: {text}"
            out = taken_out(file, tmp_path / name)
            assert json.loads((out / "dokaz.json").read_text()) == proof["tekst"], name
            audit(out, proof)
            # Whoever has the files prints the same page.
            said(os.environ["PROOF_PDF"], out, language, tmp_path / "again.pdf")
            assert (tmp_path / "again.pdf").read_bytes() == file.read_bytes(), name
            texts[language] += text
    for language, letters in LETTERS.items():
        assert not [letter for letter in letters if letter not in texts[language]], texts[language]


def test_a_changed_attachment_is_found(proofs: tuple[House, dict[str, dict[str, Any]]], tmp_path: Path) -> None:
    at, all_of = proofs
    for kind, proof in all_of.items():
        file = page(at, proof, "en", tmp_path / f"{kind}.pdf")
        for name in ("dokaz.json", "dokaz.json.sig.evidence.json"):
            out = taken_out(file, tmp_path / f"{kind}-{name}")
            whole = (out / name).read_text()
            (out / name).write_text(whole.replace('"20', '"21', 1))
            audit(out, proof, code=1)
