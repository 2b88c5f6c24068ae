"""Shares that other programs read and write: ``ssss`` (Debian) and ``shamirs`` (PyPI)."""

from __future__ import annotations

import random
import subprocess

import pytest
import shamirs  # type: ignore[import-untyped]
from dualseal import DrawnSecret, MalformedError, Share, SharingField, reconstruct_unanchored

P = 2**521 - 1
NUMBERS = [(2, 2), (2, 3), (3, 10), (5, 9), (4, 100)]


def run(program: str, arguments: list[str], lines: list[str]) -> str:
    quiet = ["-x", "-D", "-q", "-Q"] if program == "ssss-split" else ["-x", "-D", "-q"]
    command = [program, *arguments, *quiet]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return done.stdout if program == "ssss-split" else done.stderr


@pytest.mark.parametrize(("k", "n"), NUMBERS)
def test_ssss_combines_shares_of_this_library(k: int, n: int) -> None:
    secret = DrawnSecret.draw(SharingField.GF_2_256)
    shares = secret.split(k=k, n=n)
    lines = [share.to_ssss(k=k, n=n) for share in random.sample(shares, k)]
    assert run("ssss-combine", ["-t", str(k)], lines).strip() == secret.to_bytes().hex()


@pytest.mark.parametrize(("k", "n"), NUMBERS)
def test_this_library_combines_shares_of_ssss(k: int, n: int) -> None:
    secret = DrawnSecret.draw(SharingField.GF_2_256).to_bytes()
    written = run("ssss-split", ["-t", str(k), "-n", str(n), "-s", "256"], [secret.hex()])
    lines = written.split()
    assert len(lines) == n
    shares = [Share.from_ssss(line, k=k) for line in lines]
    assert [share.to_ssss(k=k, n=n) for share in shares] == lines
    found = reconstruct_unanchored(shares, k=k)
    assert (found.to_bytes(), found.outliers, found.unchecked) == (secret, [], k == n)
    assert reconstruct_unanchored(random.sample(shares, k), k=k).to_bytes() == secret


@pytest.mark.parametrize(("k", "n"), NUMBERS)
def test_shamirs_combines_shares_of_this_library(k: int, n: int) -> None:
    secret = DrawnSecret.draw(SharingField.FP_521)
    shares = random.sample(secret.split(k=k, n=n), k)
    theirs = [shamirs.share(share.index, int(share.to_hex(), 16), P) for share in shares]
    assert shamirs.interpolate(theirs, modulus=P) == int.from_bytes(secret.to_bytes())


@pytest.mark.parametrize(("k", "n"), NUMBERS)
def test_this_library_combines_shares_of_shamirs(k: int, n: int) -> None:
    secret = random.SystemRandom().randrange(P)
    shares = [
        Share.from_bytes(SharingField.FP_521, theirs[0], theirs[1].to_bytes(66))
        for theirs in shamirs.shares(secret, quantity=n, modulus=P, threshold=k)
    ]
    assert int.from_bytes(reconstruct_unanchored(shares, k=k).to_bytes()) == secret
    assert int.from_bytes(reconstruct_unanchored(random.sample(shares, k), k=k).to_bytes()) == secret


def test_lines_that_ssss_does_not_write() -> None:
    for line in ("", "1", "0-" + "00" * 32, "256-" + "00" * 32, "0001-" + "00" * 32, "+1-" + "00" * 32):
        with pytest.raises(MalformedError) as caught:
            Share.from_ssss(line, k=2)
        assert caught.value.field == "indeks", line
    for line in ("1-" + "00" * 31, "1-" + "0G" * 32):
        with pytest.raises(MalformedError) as caught:
            Share.from_ssss(line, k=2)
        assert caught.value.field == "vrijednost_hex", line
    share = DrawnSecret.draw(SharingField.FP_521).split(k=2, n=2)[0]
    with pytest.raises(MalformedError) as caught:
        share.to_ssss(k=2, n=2)
    assert caught.value.field == "vrijednost_hex"
