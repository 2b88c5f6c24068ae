"""The vault from files to files: paths, which are whole or as they were, and objects as they come."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dualseal import Encryption, MisuseError, RejectedError, StoredHash, unseal_file

from archive import Archive, Kept, minute

DOCUMENT = bytes(number * 7 % 253 for number in range(150_000))


@pytest.fixture
def archive() -> Archive:
    return Archive()


def place(archive: Archive) -> dict[str, Any]:
    return {"ledger": archive.ledger, "at": archive.chain.head, "timestamp": minute(1)}


def seal(archive: Archive, source: Any, target: Any) -> Any:
    return archive.vault.seal_file(source, target, "SCAN", encryption=Encryption.STREAM, **place(archive))


@pytest.fixture
def kept(archive: Archive, tmp_path: Path) -> Kept:
    source, target = tmp_path / "document", tmp_path / "stored"
    source.write_bytes(DOCUMENT)
    sealed = seal(archive, source, target)
    return archive.keep(sealed, target.read_bytes())


def test_a_file_is_sealed_and_taken_out(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    hash = StoredHash.of_file(archive.domain, tmp_path / "stored")
    assert (hash.baseline, hash.length) == (kept.record.baseline, len(kept.stored))
    out = tmp_path / "out"
    verified = archive.verified(kept)
    assert unseal_file(verified, str(tmp_path / "stored"), out, secret=kept.secret) == len(kept.stored)
    assert out.read_bytes() == DOCUMENT
    assert out.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["document", "out", "stored"]


def test_file_objects_do_as_well(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    stored, out = io.BytesIO(), io.BytesIO()
    with (tmp_path / "document").open("rb") as source:
        sealed = seal(archive, source, stored)
    other = archive.keep(sealed, stored.getvalue())
    assert StoredHash.of_file(archive.domain, io.BytesIO(other.stored)).baseline == other.record.baseline
    unseal_file(archive.verified(other), io.BytesIO(other.stored), out, secret=other.secret)
    assert out.getvalue() == DOCUMENT


def test_a_path_stays_as_it_was_until_all_is_there(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    out, stored = tmp_path / "out", tmp_path / "stored"
    out.write_bytes(b"before")
    verified = archive.verified(kept)
    changed = bytearray(kept.stored)
    changed[140_000] ^= 1
    cases: list[tuple[bytes, int]] = [(bytes(changed), 217), (kept.stored[:100_000], 217), (kept.stored + b"x", 250)]
    for wrong, code in cases:
        stored.write_bytes(wrong)
        with pytest.raises(RejectedError) as caught:
            unseal_file(verified, stored, out, secret=kept.secret)
        assert caught.value.code == code
        assert out.read_bytes() == b"before"
    with pytest.raises(MisuseError):
        unseal_file(verified, stored, out)
    with pytest.raises(FileNotFoundError):
        unseal_file(verified, tmp_path / "nowhere", out, secret=kept.secret)
    with pytest.raises(FileNotFoundError):
        unseal_file(verified, stored, tmp_path / "no" / "folder", secret=kept.secret)
    # One file for both would be gone for whoever loses the secret.
    with pytest.raises(OSError):
        unseal_file(verified, stored, stored, secret=kept.secret)
    # Somebody else is writing, or a crash left it.
    (tmp_path / "out.unfinished").write_bytes(b"half")
    stored.write_bytes(kept.stored)
    with pytest.raises(FileExistsError):
        unseal_file(verified, stored, out, secret=kept.secret)
    (tmp_path / "out.unfinished").unlink()
    with pytest.raises(FileNotFoundError):
        StoredHash.of_file(archive.domain, tmp_path / "nowhere")
    assert out.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["document", "out", "stored"]


def test_what_is_no_file_is_not_replaced(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    """As root, a file in the place of a device would break the machine."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    verified = archive.verified(kept)
    for target in (pipe, link, tmp_path):
        with pytest.raises(OSError, match="not a regular file"):
            seal(archive, tmp_path / "document", target)
        with pytest.raises(OSError, match="not a regular file"):
            unseal_file(verified, tmp_path / "stored", target, secret=kept.secret)
    assert pipe.is_fifo() and link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["document", "link", "pipe", "stored"]


class Broken(io.RawIOBase):
    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer

    def read(self, size: int = -1, /) -> Any:
        return self.answer()

    def write(self, data: Any, /) -> Any:
        return self.answer()


def fail() -> Any:
    raise LookupError("the tape is torn")


def test_what_a_file_object_raises_is_passed_on(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    target = tmp_path / "new"
    with pytest.raises(LookupError, match="torn"):
        seal(archive, Broken(fail), io.BytesIO())
    with pytest.raises(LookupError, match="torn"):
        seal(archive, io.BytesIO(DOCUMENT), Broken(fail))
    with pytest.raises(LookupError, match="torn"):
        unseal_file(archive.verified(kept), io.BytesIO(kept.stored), Broken(fail), secret=kept.secret)
    with pytest.raises(TypeError, match="bytes"):
        seal(archive, Broken(lambda: "text"), io.BytesIO())
    with pytest.raises(OSError, match="more than it was asked for"):
        seal(archive, Broken(lambda: b"x" * 1_000_000), io.BytesIO())
    with pytest.raises(OSError, match="more than it was given"):
        seal(archive, io.BytesIO(DOCUMENT), Broken(lambda: 1 << 30))
    neither: list[tuple[Any, Any]] = [(7, target), (io.BytesIO(b""), 7)]
    for source, there in neither:
        with pytest.raises(TypeError, match="is a path, or an object"):
            seal(archive, source, there)
    mixed: list[tuple[Any, Any]] = [(io.BytesIO(b""), target), (tmp_path / "document", io.BytesIO())]
    for source, there in mixed:
        with pytest.raises(TypeError, match="two paths, or two objects"):
            seal(archive, source, there)
    assert not target.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["document", "stored"]


def test_a_writer_may_take_less_than_it_is_given(archive: Archive) -> None:
    taken = bytearray()

    class Slow:
        def write(self, data: bytes, /) -> int:
            taken.extend(data[:1000])
            return min(len(data), 1000)

    sealed = seal(archive, io.BytesIO(DOCUMENT), Slow())
    kept = archive.keep(sealed, bytes(taken))
    out = io.BytesIO()
    unseal_file(archive.verified(kept), io.BytesIO(kept.stored), out, secret=kept.secret)
    assert out.getvalue() == DOCUMENT
