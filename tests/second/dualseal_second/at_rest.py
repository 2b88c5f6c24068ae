"""Secrets at rest (FORMAT.md section 15.7): streams bound to table, row and purpose, and secret files."""

from __future__ import annotations

import base64
import hashlib
import re

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from . import ids, stream
from .domain import Domain
from .encodings import FormatError, origin

TYPE = "SECRET"
LABEL = "DUALSEAL SECRET"
ENCRYPTED = "ENCRYPTED DUALSEAL SECRET"
PBES2 = "1.2.840.113549.1.5.13"
SCRYPT = "1.3.6.1.4.1.11591.4.11"
AES_256_CBC = "2.16.840.1.101.3.4.1.42"
MOST_BLOCKS = 2**21
MOST_WORK = 2**23


def identity(domain: Domain, table: str, row: bytes, purpose: str) -> str:
    """What the stream of a place is bound to."""
    if not row:
        raise FormatError("a row that is nothing")
    return ids.identity_id(domain, row, origin(table, "table"), origin(purpose, "purpose"))


def seal(domain: Domain, key: bytes, table: str, row: bytes, purpose: str, salt: bytes, secret: bytes) -> bytes:
    return stream.encrypt(domain, key, identity(domain, table, row, purpose), TYPE, salt, secret)


def unseal(domain: Domain, key: bytes, table: str, row: bytes, purpose: str, stored: bytes) -> bytes:
    return stream.decrypt(domain, key, identity(domain, table, row, purpose), TYPE, stored)


def tlv(tag: int, *contents: bytes) -> bytes:
    """DER."""
    content = b"".join(contents)
    if len(content) < 128:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*contents: bytes) -> bytes:
    return tlv(0x30, *contents)


def octets(content: bytes) -> bytes:
    return tlv(0x04, content)


def number(value: int) -> bytes:
    return tlv(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def object_id(text: str) -> bytes:
    first, second, *others = (int(arc) for arc in text.split("."))
    out = b""
    for arc in (first * 40 + second, *others):
        digits = [arc & 0x7F]
        while arc := arc >> 7:
            digits.append(0x80 | arc & 0x7F)
        out += bytes(reversed(digits))
    return tlv(0x06, out)


def pem(label: str, der: bytes) -> str:
    text = base64.b64encode(der).decode()
    lines = [text[start : start + 64] for start in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def plain(secret: bytes) -> bytes:
    if len(secret) != 32:
        raise FormatError("a secret file holds 32 bytes")
    return sequence(octets(secret))


def key_of(passphrase: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    if n < 2 or n & (n - 1) or r < 1 or p < 1 or n * r > MOST_BLOCKS or n * r * p > MOST_WORK:
        raise FormatError("no cost of scrypt, or more than a file may ask for")
    return hashlib.scrypt(passphrase.encode(), salt=salt, n=n, r=r, p=p, maxmem=2**29, dklen=32)


def secret_file(secret: bytes, passphrase: str | None = None, salt: bytes = b"", iv: bytes = b"") -> str:
    """A secret of 32 bytes as the content of its file; under a passphrase, with the cost that is written today."""
    if passphrase is None:
        return pem(LABEL, plain(secret))
    n, r, p = 2**14, 8, 1
    kdf = sequence(object_id(SCRYPT), sequence(octets(salt), number(n), number(r), number(p)))
    scheme = sequence(object_id(PBES2), sequence(kdf, sequence(object_id(AES_256_CBC), octets(iv))))
    padding = PKCS7(128).padder()
    padded = padding.update(plain(secret)) + padding.finalize()
    cipher = Cipher(algorithms.AES(key_of(passphrase, salt, n, r, p)), modes.CBC(iv)).encryptor()
    return pem(ENCRYPTED, sequence(scheme, octets(cipher.update(padded) + cipher.finalize())))


class Der:
    """Reads one value after another, and nothing but DER."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, tag: int) -> bytes:
        begin = self.at
        head = self.data[begin : begin + 2]
        if len(head) < 2 or head[0] != tag:
            raise FormatError("another DER value")
        start, length = begin + 2, head[1]
        if length >= 128:
            start, length = start + length - 128, int.from_bytes(self.data[start : start + length - 128], "big")
        content = self.data[start : start + length]
        self.at = start + length
        if tlv(tag, content) != self.data[begin : self.at]:
            raise FormatError("no DER")
        return content

    def number(self) -> int:
        content = self.take(0x02)
        value = int.from_bytes(content, "big", signed=True)
        if value < 0 or number(value) != tlv(0x02, content):
            raise FormatError("no number")
        return value

    def expect(self, object_identifier: str) -> None:
        if tlv(0x06, self.take(0x06)) != object_id(object_identifier):
            raise FormatError("another algorithm")

    def end(self) -> None:
        if self.at != len(self.data):
            raise FormatError("more than one value")


def secret_of(text: str, passphrase: str | None = None) -> bytes:
    """The 32 bytes of a secret file."""
    found = re.fullmatch(r"-----BEGIN ([A-Z ]+)-----\n((?:[A-Za-z0-9+/=]{1,64}\n)+)-----END \1-----\n", text)
    if not found:
        raise FormatError("no PEM")
    der = base64.b64decode(found[2].replace("\n", ""), validate=True)
    if found[1] == ENCRYPTED and passphrase is not None:
        der = opened(der, passphrase)
    elif found[1] != LABEL:
        raise FormatError("another file, or no passphrase")
    if len(der) != 36 or plain(der[4:]) != der:
        raise FormatError("no secret of 32 bytes")
    return der[4:]


def opened(der: bytes, passphrase: str) -> bytes:
    outer = Der(der)
    info = Der(outer.take(0x30))
    outer.end()
    scheme = Der(info.take(0x30))
    scheme.expect(PBES2)
    parameters = Der(scheme.take(0x30))
    kdf, cipher = Der(parameters.take(0x30)), Der(parameters.take(0x30))
    kdf.expect(SCRYPT)
    costs = Der(kdf.take(0x30))
    salt, n, r, p = costs.take(0x04), costs.number(), costs.number(), costs.number()
    cipher.expect(AES_256_CBC)
    iv, data = cipher.take(0x04), info.take(0x04)
    for reader in (info, scheme, parameters, kdf, cipher, costs):
        reader.end()
    key = key_of(passphrase, salt, n, r, p)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    padding = PKCS7(128).unpadder()
    try:
        padded = decryptor.update(data) + decryptor.finalize()
        return padding.update(padded) + padding.finalize()
    except ValueError:
        raise FormatError("another passphrase") from None
