from typing import final

from typing_extensions import Buffer

__all__ = ["ExpandedSigningKey", "PublicKey", "SigningKey"]

@final
class PublicKey:
    """An ML-DSA-65 public key: 1952 bytes."""
    @staticmethod
    def from_bytes(data: Buffer, /) -> PublicKey:
        """From 1952 bytes."""
    @staticmethod
    def from_hex(text: str, /) -> PublicKey:
        """From 3904 lowercase hexadecimal characters (`javni_kljuc`)."""
    @staticmethod
    def from_spki_der(der: Buffer, /) -> PublicKey:
        """From SubjectPublicKeyInfo in DER (RFC 9881)."""
    @staticmethod
    def from_spki_pem(pem: str | Buffer, /) -> PublicKey:
        """From SubjectPublicKeyInfo in PEM, a str or bytes."""
    def to_bytes(self) -> bytes:
        """The 1952 bytes."""
    def to_spki_der(self) -> bytes:
        """SubjectPublicKeyInfo in DER, 1974 bytes."""
    def to_spki_pem(self) -> str:
        """SubjectPublicKeyInfo in PEM."""
    @property
    def hex(self) -> str:
        """The 3904 hexadecimal characters (`javni_kljuc`)."""
    @property
    def hash(self) -> str:
        """SHA3-256 over the 1952 bytes, 64 hexadecimal characters."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class SigningKey:
    """A signing key: a seed of 32 bytes, from which the public half is derived. It is wiped when it is no longer used.

    What its methods return as bytes or str is a copy that Python cannot wipe.
    """
    @staticmethod
    def generate() -> SigningKey:
        """Draws a seed from the operating system."""
    @staticmethod
    def from_seed(seed: Buffer, /) -> SigningKey:
        """From a seed of 32 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot."""
    @staticmethod
    def from_pkcs8_der(der: Buffer, /) -> SigningKey:
        """From PKCS#8 in DER, in the seed form of RFC 9881."""
    @staticmethod
    def from_pkcs8_pem(pem: str | Buffer, /, *, password: str | Buffer | None = None) -> SigningKey:
        """From PKCS#8 in PEM, a str or bytes, in the seed form. An encrypted one (PBES2 with AES, under scrypt or
        PBKDF2) takes its `password`, a str or bytes of UTF-8. TypeError says that one is missing, or given for a key
        that is not encrypted; MalformedError, that it is wrong, or the key was changed.
        """
    def to_pkcs8_der(self) -> bytes:
        """PKCS#8 in DER with the seed alone, 54 bytes. Secret."""
    def to_pkcs8_pem(self, *, password: str | Buffer | None = None) -> str:
        """PKCS#8 in PEM. Secret, unless it is encrypted under a `password` (a str, or bytes of UTF-8): PBES2 with
        AES-256-CBC under scrypt, which openssl reads.
        """
    def seed(self) -> bytes:
        """The seed, 32 bytes: whoever has it can sign."""
    def expand(self) -> ExpandedSigningKey:
        """The 4032-byte form, for programs that read nothing else."""
    @property
    def public_key(self) -> PublicKey:
        """The public half."""

@final
class ExpandedSigningKey:
    """A signing key in the 4032-byte form of FIPS 204. It has no seed, so it has no PKCS#8."""
    @staticmethod
    def from_bytes(data: Buffer, /) -> ExpandedSigningKey:
        """Reads 4032 bytes and checks all that can be checked of them."""
    def to_bytes(self) -> bytes:
        """The 4032 bytes: whoever has them can sign."""
    @property
    def public_key(self) -> PublicKey:
        """The public half."""
