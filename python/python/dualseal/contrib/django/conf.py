"""What the project's settings say of its log.

::

    DUALSEAL = {
        "DOMAIN": "ACME",
        "RING_KEY": {"file": "/etc/acme/ring.key"},
        "SIGNING_KEYS": {"folder": "/etc/acme/keys"},
        "MARK": {"folder": "/var/lib/acme/mark"},
        # Of seals, where the project makes any.
        "SEAL_MASTER": {"file": "/etc/acme/seal.key"},
    }

A secret comes from a ``file`` or a systemd ``credential``, which has 64 hexadecimal characters (a signing key:
PKCS#8 in PEM), or from what a ``callable`` answers, named by its dotted path: 32 bytes or a `RingKey` of the ring
key, 32 bytes of the seals' master, a `SigningKey`, its PEM or None of an identity. The mark lies where no backup of
the database reaches.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol, cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

from dualseal import Domain, DualsealError, KeyRing, RingKey, SealKey, SigningKey

NAMES = {"DOMAIN", "RING_KEY", "SIGNING_KEYS", "MARK", "SEAL_MASTER", "CACHE_BYTES"}
SECRET = {"file", "credential", "callable"}
FOLDER = {"folder", "credential", "callable"}
MARKS = {"folder", "callable"}
# systemd lets the service's user read a credential by an access list, of which these bits show the mask as the group's.
CREDENTIAL = 0o037
IDENTITY = re.compile("[0-9a-f]{64}")
HEXADECIMAL = re.compile("[0-9A-Fa-f]{64}")
SECRET_BYTES = 32


class MarkStore(Protocol):
    """Where the signer's high-water marks lie, apart from the database."""

    def read(self, name: str) -> str | None:
        """The mark of the chain of this name, or None."""

    def write(self, name: str, text: str) -> None:
        """Writes it, so that it stands there after a crash, in place of the one before."""


class FolderMarks:
    """A file for each chain, in a folder that is there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> str | None:
        """What the file says."""
        path = self._path(name)
        return path.read_text(encoding="ascii") if path.exists() else None

    def write(self, name: str, text: str) -> None:
        """A file of its own, forced to the disk and put in the old one's place."""
        path = self._path(name)
        new = path.with_suffix(".new")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        _sync(self.folder)

    def _path(self, name: str) -> Path:
        if Path(name).name != name:
            raise ImproperlyConfigured(f"{name!r} is no name of a file")
        path = self.folder / f"{name}.mark"
        for one in (path, path.with_suffix(".new")):
            # A device, pipe or link in its place is never written over.
            if os.path.lexists(one) and not stat.S_ISREG(one.lstat().st_mode):
                raise ImproperlyConfigured(f"{one} is no plain file")
        return path


class FolderKeys:
    """``<identity_id>.pem`` in a folder: PKCS#8. ``<identity_id>.next`` is there while a key is rotated: of the two the
    current one signs.
    """

    def __init__(self, folder: Path, others: int = 0o077) -> None:
        self.folder = folder
        self.others = others

    def path(self, identity_id: str) -> Path:
        """The file of an identity's key."""
        if not IDENTITY.fullmatch(identity_id):
            raise ImproperlyConfigured(f"{identity_id!r} is no identity: it has no key's file")
        return self.folder / f"{identity_id}.pem"

    def next_path(self, identity_id: str) -> Path:
        """The file of the key that takes its place."""
        return self.path(identity_id).with_suffix(".next")

    def draw(self, identity_id: str) -> None:
        """Draws a key where there is none."""
        if not self.path(identity_id).exists():
            draw(self.path(identity_id), lambda: SigningKey.generate().to_pkcs8_pem())

    def next(self, identity_id: str) -> SigningKey | None:
        """The key of a rotation that has not ended."""
        return self._read(self.next_path(identity_id))

    def __call__(self, identity_id: str) -> SigningKey | None:
        return self._read(self.path(identity_id))

    def _read(self, path: Path) -> SigningKey | None:
        try:
            return SigningKey.from_pkcs8_pem(secret_text(path, self.others))
        except FileNotFoundError:
            return None


def secret_bytes(path: Path, others: int = 0o077) -> bytes:
    """A secret's file, which its owner alone may read: it has none of these bits."""
    # What is looked at is what is read. A pipe in its place is told, and not waited for.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ImproperlyConfigured(f"{path} is no plain file")
        if found.st_mode & others:
            raise ImproperlyConfigured(f"{path} may be read by others: chmod 600")
        # In no variable, which would stand in a traceback.
        return file.read()


def secret_text(path: Path, others: int = 0o077) -> str:
    """As `secret_bytes`, where it is text."""
    found_bytes = secret_bytes(path, others)
    if found_bytes.isascii():
        return found_bytes.decode("ascii")
    found_bytes = b""  # What is in a variable stands in a traceback.
    raise ImproperlyConfigured(f"{path} is no text")


def draw(path: Path, make: Callable[[], str]) -> None:
    """A secret in a file that was not there, for its owner alone: all of it, or no file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{token_hex(8)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            # In no variable, which would stand in a traceback.
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        # Never over one that is there.
        os.link(new, path)
    finally:
        new.unlink()
    _sync(path.parent)


def _sync(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def credential(name: str) -> Path:
    """What systemd gives the service by this name."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if not folder:
        raise ImproperlyConfigured(f"no credentials: systemd gives {name!r} to the service alone")
    return Path(folder, name)


def given() -> Mapping[str, Any]:
    """The setting itself, whose names are all known."""
    found = getattr(settings, "DUALSEAL", None)
    if not isinstance(found, Mapping):
        raise ImproperlyConfigured("DUALSEAL must be a dictionary")
    if unknown := sorted(set(found) - NAMES):
        raise ImproperlyConfigured(f"DUALSEAL has no {unknown[0]!r}; it has {', '.join(sorted(NAMES))}")
    return found


def source(name: str, allowed: set[str]) -> tuple[str, str]:
    """How, and from where: one entry of a dictionary such as ``{"file": PATH}``."""
    found = given().get(name)
    if not isinstance(found, Mapping) or len(found) != 1 or not set(found) <= allowed:
        raise ImproperlyConfigured(f"DUALSEAL[{name!r}] must have one of {', '.join(sorted(allowed))}")
    [(how, where)] = found.items()
    return how, str(where)


def called(where: str, *arguments: str) -> Any:
    """What the callable of a dotted path answers."""
    return cast(Callable[..., Any], import_string(where))(*arguments)


@lru_cache(maxsize=1)
def domain() -> Domain:
    """The domain of the project's records."""
    found = given().get("DOMAIN", "DUALSEAL")
    return found if isinstance(found, Domain) else Domain(found)


def domain_name() -> str | None:
    """What the domain was made of; None where its constants were set by hand."""
    found = given().get("DOMAIN", "DUALSEAL")
    return found if isinstance(found, str) else None


@lru_cache(maxsize=1)
def ring_key() -> RingKey:
    """What authorises changes of the ring: 64 hexadecimal characters in a file, or what a callable answers."""
    how, where = source("RING_KEY", SECRET)
    if how != "callable":
        return RingKey(domain(), _secret(how, where))
    known, found = domain(), called(where)
    try:
        return found if isinstance(found, RingKey) else RingKey(known, found)
    except (DualsealError, TypeError, ValueError):
        # What is in a variable stands in a traceback, and in Django's page of one.
        found = None
    raise ImproperlyConfigured(f"{where} answers no ring key")


def _secret(how: str, where: str) -> bytes:
    path, others = (Path(where), 0o077) if how == "file" else (credential(where), CREDENTIAL)
    text = secret_text(path, others).strip()
    if HEXADECIMAL.fullmatch(text) and set(text) != {"0"}:
        return bytes.fromhex(text)
    text = ""  # As above.
    raise ImproperlyConfigured(f"{path} has not 64 hexadecimal characters, or only zeros")


def has_seal_master() -> bool:
    """Whether the project makes seals."""
    return "SEAL_MASTER" in given()


@lru_cache(maxsize=1)
def seal_master() -> bytes:
    """What the seal keys are derived from: 64 hexadecimal characters in a file, or the 32 bytes of a callable."""
    how, where = source("SEAL_MASTER", SECRET)
    if how != "callable":
        return _secret(how, where)
    found = called(where)
    # Of a number, `bytes` makes so many zeros, which everybody knows.
    if isinstance(found, bytes | bytearray) and len(found) == SECRET_BYTES and any(found):
        return bytes(found)
    found = None  # As above.
    raise ImproperlyConfigured(f"{where} answers no seal master, which has {SECRET_BYTES} bytes")


def seal_key(identity_id: str) -> SealKey:
    """The key of layer A of an identity's seals."""
    return SealKey.derive(domain(), seal_master(), identity_id)


def signing_keys() -> Callable[[str], SigningKey | None]:
    """An identity's signing key, or None where the project has none."""
    how, where = source("SIGNING_KEYS", FOLDER)
    if how == "callable":
        return lambda identity_id: _signing_key(where, identity_id)
    return FolderKeys(Path(where)) if how == "folder" else FolderKeys(credential(where), CREDENTIAL)


def _signing_key(where: str, identity_id: str) -> SigningKey | None:
    found: SigningKey | str | None = called(where, identity_id)
    try:
        return SigningKey.from_pkcs8_pem(found) if isinstance(found, str) else found
    except DualsealError:
        # As above.
        found = None
    raise ImproperlyConfigured(f"{where} answers no key of {identity_id}")


def signing_key(identity_id: str) -> SigningKey:
    """An identity's signing key.

    :raises ImproperlyConfigured: the project has none.
    """
    found = signing_keys()(identity_id)
    if found is None:
        raise ImproperlyConfigured(f"DUALSEAL['SIGNING_KEYS'] has no key of {identity_id}")
    return found


def keys_of(identity_id: str) -> list[SigningKey]:
    """An identity's keys: of a rotation that has not ended both, of which the ring knows one as current."""
    find = signing_keys()
    # It is looked for first: once it is renamed, what is read then is it.
    next_ = find.next(identity_id) if isinstance(find, FolderKeys) else None
    return [key for key in (find(identity_id), next_) if key is not None]


def key_of(identity_id: str, ring: KeyRing) -> SigningKey:
    """The one that signs for an identity by this ring."""
    current = [key for key, _ in ring.keys(identity_id)[:1]]
    found = next((one for one in keys_of(identity_id) if one.public_key in current), None)
    return signing_key(identity_id) if found is None else found


@lru_cache(maxsize=1)
def marks() -> MarkStore:
    """Where the marks lie."""
    how, where = source("MARK", MARKS)
    return FolderMarks(Path(where)) if how == "folder" else cast(MarkStore, called(where))


def cache_bytes() -> int:
    """The memory for prepared keys of a verifier."""
    return int(given().get("CACHE_BYTES", 16 << 20))


def _forget(*, setting: str, **_: object) -> None:
    if setting == "DUALSEAL":
        for cached in (domain, ring_key, marks, seal_master):
            cached.cache_clear()


setting_changed.connect(_forget)
