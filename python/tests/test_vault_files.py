"""The vault from files to files: paths, which are whole or as they were, and objects as they come."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    return {"ledger": archive.ledger, "head": archive.chain.head, "time": minute(1)}


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
    with pytest.raises(FileNotFoundError):
        StoredHash.of_file(archive.domain, tmp_path / "nowhere")
    assert out.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["document", "out", "stored"]


def test_a_failed_file_is_named(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    """As Python names it: whoever has two of them knows which."""
    verified, stored, out = archive.verified(kept), tmp_path / "stored", tmp_path / "o\udcffut"
    nowhere, deep = tmp_path / "nowhere", tmp_path / "no" / "folder"
    cases: list[tuple[Path, Path, int, Path]] = [
        (nowhere, out, errno.ENOENT, nowhere),
        (stored, deep, errno.ENOENT, deep),
        (tmp_path, out, errno.EISDIR, tmp_path),
        (stored, stored / "x", errno.ENOTDIR, stored / "x"),
        (stored, tmp_path, errno.EINVAL, tmp_path),
        (stored, stored, errno.EINVAL, stored),
    ]
    (tmp_path / "free").mkdir()
    for source, target, number, named in cases:
        if source == tmp_path:
            target = tmp_path / "free" / "out"
        for name in (str, Path):
            with pytest.raises(OSError) as opened:
                unseal_file(verified, name(source), name(target), secret=kept.secret)
            with pytest.raises(OSError) as sealed:
                seal(archive, name(source), name(target))
            for caught in (opened.value, sealed.value):
                assert (caught.errno, caught.filename) == (number, str(named))
                assert type(caught) is type(OSError(number, ""))
                assert number == errno.EINVAL or caught.strerror == os.strerror(number)
    with pytest.raises(FileNotFoundError) as missing:
        StoredHash.of_file(archive.domain, nowhere)
    assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, str(nowhere))


def test_a_file_is_not_replaced_by_its_other_form(archive: Archive, kept: Kept, tmp_path: Path) -> None:
    """One file for both would be gone for whoever loses the secret."""
    stored, alias = tmp_path / "stored", tmp_path / "alias"
    alias.symlink_to(stored)
    for source in (stored, alias):
        with pytest.raises(OSError, match="is the file that is read, and is not replaced"):
            unseal_file(archive.verified(kept), source, stored, secret=kept.secret)
        with pytest.raises(OSError, match="is the file that is read, and is not replaced"):
            seal(archive, source, stored)
    assert stored.read_bytes() == kept.stored


@contextmanager
def nobody() -> Iterator[None]:
    """Root may read every folder."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_folder_that_cannot_be_read_is_known_in_time(archive: Archive, kept: Kept) -> None:
    """It could be written to, and not be forced to the disk once the old file is gone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "target").write_bytes(b"before")
        (folder / "document").write_bytes(DOCUMENT)
        (folder / "stored").write_bytes(kept.stored)
        verified = archive.verified(kept)
        if os.geteuid() == 0:
            for path in (folder, *folder.iterdir()):
                os.chown(path, 65534, 65534)
        folder.chmod(0o300)
        with nobody():
            with pytest.raises(PermissionError) as sealed:
                seal(archive, folder / "document", folder / "target")
            with pytest.raises(PermissionError) as opened:
                unseal_file(verified, folder / "stored", folder / "target", secret=kept.secret)
        folder.chmod(0o700)
        assert sealed.value.filename == opened.value.filename == str(folder / "target")
        assert (folder / "target").read_bytes() == b"before"
        assert sorted(path.name for path in folder.iterdir()) == ["document", "stored", "target"]


BAD_DISK = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

int fsync(int file)
{
    struct stat what;
    if (fstat(file, &what) == 0 && S_ISDIR(what.st_mode)) {
        errno = EIO;
        return -1;
    }
    return fdatasync(file);
}
"""

ON_A_BAD_DISK = """
import errno, sys
from pathlib import Path
import dualseal
from archive import Archive
from test_vault_files import seal

archive, folder = Archive(), Path(sys.argv[1])
document, stored = folder / "document", folder / "stored"
try:
    seal(archive, document, stored)
    raise SystemExit("the folder was forced to the disk")
except dualseal.NotForcedError as error:
    assert (error.errno, error.filename) == (errno.EIO, str(stored)), error
    kept = archive.keep(error.result, stored.read_bytes())
try:
    dualseal.unseal_file(archive.verified(kept), stored, folder / "out", secret=kept.secret)
    raise SystemExit("the folder was forced to the disk")
except dualseal.NotForcedError as error:
    assert error.result == len(kept.stored), error.result
assert (folder / "out").read_bytes() == document.read_bytes()
"""


def test_what_is_named_is_handed_over(tmp_path: Path) -> None:
    """A disk that goes bad when the folder is forced to it: the old file is gone, the record and the secret are not."""
    (tmp_path / "document").write_bytes(DOCUMENT)
    (tmp_path / "stored").write_bytes(b"before")
    (tmp_path / "disk.c").write_text(BAD_DISK, encoding="utf-8")
    library = tmp_path / "disk.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "disk.c"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([sys.executable, "-c", ON_A_BAD_DISK, tmp_path], check=True, env=environment)


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


def test_an_object_that_is_interrupted_is_asked_once(archive: Archive, kept: Kept) -> None:
    """Python itself tries again where a signal interrupts: what still says so would say so for ever."""
    raised: list[InterruptedError] = []

    def interrupt() -> Any:
        assert not raised, "asked again"
        raised.append(InterruptedError(errno.EINTR, "mine"))
        raise raised[0]

    verified, broken = archive.verified(kept), Broken(interrupt)
    calls: list[Callable[[], Any]] = [
        lambda: seal(archive, broken, io.BytesIO()),
        lambda: seal(archive, io.BytesIO(DOCUMENT), broken),
        lambda: unseal_file(verified, broken, io.BytesIO(), secret=kept.secret),
        lambda: unseal_file(verified, io.BytesIO(kept.stored), broken, secret=kept.secret),
        lambda: StoredHash.of_file(archive.domain, broken),
    ]
    for call in calls:
        with pytest.raises(InterruptedError, match="mine") as caught:
            call()
        assert caught.value is raised.pop()


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
