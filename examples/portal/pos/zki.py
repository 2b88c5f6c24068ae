"""The ZKI, the issuer's protective code of a fiscal receipt (Fiscalisation, technical specification, section 12).

It is the MD5 of an RSA signature (PKCS #1 v1.5 over SHA-1) of OIB, time, number, premises, device and total, one after
another. MD5 and SHA-1 are the authority's choice; nothing of this portal relies on them.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID
from django.conf import settings
from dualseal.contrib.django import conf

ZAGREB = ZoneInfo("Europe/Zagreb")
# As the authority's agency writes an OIB into a certificate's subject.
OIB = re.compile(r"\b(?:VAT)?HR-?([0-9]{11})\b")


@dataclass(frozen=True)
class Certified:
    """The key that fiscalises, and whose it is."""

    key: rsa.RSAPrivateKey = field(repr=False)
    certificate: x509.Certificate

    def check(self, oib: str | None = None, at: datetime | None = None) -> None:
        """That the certificate counts now, or at another time, and is of this OIB.

        :raises ValueError: it does not, or is somebody else's.
        """
        at = at or datetime.now(UTC)
        if not self.certificate.not_valid_before_utc <= at <= self.certificate.not_valid_after_utc:
            raise ValueError("the certificate has expired, or does not count yet")
        subject = self.certificate.subject
        kinds = (NameOID.ORGANIZATION_NAME, NameOID.ORGANIZATION_IDENTIFIER)
        texts = [str(one.value) for kind in kinds for one in subject.get_attributes_for_oid(kind)]
        owners = {found for text in texts for found in OIB.findall(text)}
        if oib is not None and owners != {oib}:
            raise ValueError(f"the certificate is of OIB {', '.join(sorted(owners)) or '–'}, not of {oib}")


def certified() -> Certified:
    """What the settings' P12 holds, as the authority's agency gives it out. Its owner alone may read the file, and its
    password is in no variable, which would stand in a traceback.

    :raises ValueError: the password is wrong, or there is no such key.
    :raises OSError: there is no such file.
    :raises ImproperlyConfigured: others may read it.
    """
    key, certificate, _ = pkcs12.load_key_and_certificates(
        conf.secret_bytes(Path(settings.FISCAL_P12_PATH)), settings.FISCAL_P12_PASS.encode() or None
    )
    if not isinstance(key, rsa.RSAPrivateKey) or certificate is None:
        raise ValueError(f"{settings.FISCAL_P12_PATH} has no RSA key with a certificate")
    return Certified(key, certificate)


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
