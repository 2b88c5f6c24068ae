"""The ZKI, the issuer's protective code of a fiscal receipt (Fiscalisation, technical specification, section 12).

It is the MD5 of an RSA signature (PKCS #1 v1.5 over SHA-1) of OIB, time, number, premises, device and total, one after
another. MD5 and SHA-1 are the authority's choice; nothing of this portal relies on them.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import pkcs12

ZAGREB = ZoneInfo("Europe/Zagreb")


def key_of(path: str, password: str) -> rsa.RSAPrivateKey:
    """The key of a P12, as the authority's agency gives it out.

    :raises ValueError: the password is wrong, or there is no such key.
    """
    key, _, _ = pkcs12.load_key_and_certificates(Path(path).read_bytes(), password.encode() or None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError(f"{path} has no RSA key")
    return key


def zki(
    key: rsa.RSAPrivateKey, *, oib: str, issued_at: datetime, number: int, premises: str, device: int, total: Decimal
) -> str:
    """32 hexadecimal digits."""
    local = issued_at.astimezone(ZAGREB)
    text = f"{oib}{local:%d.%m.%Y %H:%M:%S}{number}{premises}{device}{total:.2f}"
    signature = key.sign(text.encode("ascii"), padding.PKCS1v15(), hashes.SHA1())
    return hashlib.md5(signature, usedforsecurity=False).hexdigest()


def demo_zki(primary_key: int) -> str:
    """What stands in its place in demo mode: nobody takes it for one."""
    return f"DEMO{primary_key:028}"
