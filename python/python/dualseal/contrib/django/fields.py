"""Columns of what the library makes: bytes in the database, checked values in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models

from dualseal import DualsealError, Entry, MalformedError, Seal, SignatureRecord

HASH_BYTES = 32

if TYPE_CHECKING:
    # What it is set to, and what is read from it: checked values, of which each kind has its own.
    _Binary = models.BinaryField[Any, Any]
else:
    _Binary = models.BinaryField


def raw(value: object, what: str) -> bytes:
    """The bytes of a column. SQLite takes anything for them, and gives it back.

    :raises MalformedError: they are none.
    """
    if not isinstance(value, bytes | memoryview):
        raise MalformedError(f"{what}: no bytes, but {type(value).__name__}")
    return bytes(value)


class _Stored(_Binary):
    """A column whose bytes are those of one kind of value. What does not read as such is a ValidationError."""

    kind: type
    kind_name: str

    def from_db_value(self, value: object, *_: object) -> Any:
        """What stands there; what is no such value raises the library's MalformedError."""
        return None if value is None else self.read(raw(value, self.kind_name))

    def to_python(self, value: Any) -> Any:
        """From a value of the kind, its bytes, or its text as forms and fixtures have it."""
        if value is None or isinstance(value, self.kind):
            return value
        try:
            return self.read(bytes(value)) if isinstance(value, bytes | memoryview) else self.parse(str(value))
        except (DualsealError, ValueError) as error:
            text = f"This is no {self.kind_name}: {error}"
            raise ValidationError(text, code="invalid") from error

    def get_prep_value(self, value: Any) -> Any:
        """Its bytes."""
        found = self.to_python(value)
        return None if found is None else self.write(found)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Its bytes, as the database's driver takes them."""
        bare = value if prepared else self.get_prep_value(value)
        return super().get_db_prep_value(bare, connection, True)

    def value_to_string(self, obj: models.Model) -> str:
        """Its text, for fixtures."""
        found = self.value_from_object(obj)
        return "" if found is None else self.text(found)

    def read(self, stored: bytes) -> Any:
        """From bytes."""
        raise NotImplementedError

    def write(self, value: Any) -> bytes:
        """To bytes."""
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """From text."""
        raise NotImplementedError

    def text(self, value: Any) -> str:
        """To text."""
        raise NotImplementedError


class HashField(_Stored):
    """A SHA3-256 or SHA-256: 32 bytes in the column, 64 hexadecimal characters in Python."""

    kind, kind_name = str, "hash"

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("max_length", HASH_BYTES)
        super().__init__(*args, **options)
        # Of the bytes in the column; what forms and models validate is the text.
        self.validators = [one for one in self.validators if not isinstance(one, MaxLengthValidator)]

    def to_python(self, value: Any) -> Any:
        """Lowercase hexadecimal, of exactly 64 characters."""
        if value is None:
            return None
        text = bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)
        if len(text) != 2 * HASH_BYTES or set(text) - set("0123456789abcdef"):
            words = f"This is no {self.kind_name}: it has 64 lowercase hexadecimal characters."
            raise ValidationError(words, code="invalid")
        return text

    def read(self, stored: bytes) -> str:
        """From 32 bytes."""
        if len(stored) != HASH_BYTES:
            raise MalformedError(f"{self.kind_name}: {HASH_BYTES} bytes, and not {len(stored)}")
        return stored.hex()

    def write(self, value: str) -> bytes:
        """To 32 bytes."""
        return bytes.fromhex(value)

    def text(self, value: str) -> str:
        """As it is."""
        return value


class IdentityIdField(HashField):
    """An identity, in the form of a `HashField`: `dualseal_lint_ids` looks for it in the log's ring."""

    kind_name = "identity"


class SignatureRecordField(_Stored):
    """A signature record, in its binary form of 5371 bytes."""

    kind, kind_name = SignatureRecord, "signature record"

    def read(self, stored: bytes) -> SignatureRecord:
        """The binary form."""
        return SignatureRecord.from_bytes(stored)

    def write(self, value: SignatureRecord) -> bytes:
        """The binary form."""
        return value.to_bytes()

    def parse(self, text: str) -> SignatureRecord:
        """Its JSON."""
        return SignatureRecord.from_json(text)

    def text(self, value: SignatureRecord) -> str:
        """Its JSON."""
        return value.to_json()


class SealField(_Stored):
    """A seal of either format, in its binary form."""

    kind, kind_name = Seal, "seal"

    def read(self, stored: bytes) -> Seal:
        """The binary form."""
        return Seal.from_bytes(stored)

    def write(self, value: Seal) -> bytes:
        """The binary form."""
        return value.to_bytes()

    def parse(self, text: str) -> Seal:
        """The seal string."""
        return Seal.parse(text)

    def text(self, value: Seal) -> str:
        """The seal string."""
        return str(value)


class EntryField(_Stored):
    """A chain's entry, in its binary form."""

    kind, kind_name = Entry, "entry"

    def read(self, stored: bytes) -> Entry:
        """The binary form."""
        return Entry.from_bytes(stored)

    def write(self, value: Entry) -> bytes:
        """The binary form."""
        return value.to_bytes()

    def parse(self, text: str) -> Entry:
        """Its JSON, with `seq`."""
        return Entry.from_json(text)

    def text(self, value: Entry) -> str:
        """Its JSON, with `seq`."""
        return value.to_json()
