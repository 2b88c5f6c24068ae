"""Domain constants (FORMAT.md section 2): what keeps one deployment, and one use, apart from another."""

from __future__ import annotations

from dataclasses import dataclass

from .encodings import FormatError

# Row name -> (suffix of the default prefix, labels).
ROWS: dict[str, tuple[str, tuple[str, ...]]] = {
    "general": ("ID", ()),
    "vault": ("VAULT", ("L4", "L5", "L7", "L8", "KDF", "AEAD")),
    "signature": ("SIGN", ("CONTENT", "STATEMENT", "RING", "SIGNED", "SALT", "STATE", "STORE", "ENTRY")),
    "threshold": ("THRESHOLD", ("BINDING", "ANCHOR", "SHARE", "SESSION", "RESULT", "WITNESS", "SUCCESSION")),
    "seal": ("SEAL", ("KDF", "SEALED")),
    "shard": ("SHARD", ("ID", "VALUE", "ANCHOR", "SEAL", "SPLIT")),
    "presence": ("PRESENCE", ("ED25519", "LOGIN", "PEER", "ALIVE", "DROP")),
    "krunica": ("KRUNICA", ("CHECKPOINT", "LOG")),
}
# Labels that begin chain messages: they differ pairwise, also where prefixes are shared.
MESSAGES = (
    ("vault", "L8"), ("signature", "RING"), ("signature", "SIGNED"), ("threshold", "SESSION"),
    ("threshold", "WITNESS"), ("seal", "SEALED"),
    ("shard", "SPLIT"),
)  # fmt: skip
PRESENCE_OPERATIONS = frozenset({"rebuild", "refresh", "repair", "rethreshold"})


@dataclass(frozen=True)
class Row:
    """Prefix, suffix and labels of one use."""

    prefix: str
    suffix: str
    labels: dict[str, str]


def check_constant(text: str) -> None:
    """A constant must not hold the separator, and must not read as the hex of an identifier."""
    if not text or any(not "\x21" <= c <= "\x7e" or c == ":" for c in text):
        raise FormatError("a domain constant is 1 or more characters 0x21 to 0x7E without ':'")
    if all(c in "0123456789abcdef" for c in text):
        raise FormatError("a domain constant needs a character outside 0-9a-f")


class Domain:
    """All eight rows."""

    def __init__(self, rows: dict[str, Row], *, shared_prefixes: bool = False) -> None:
        if rows.keys() != ROWS.keys():
            raise FormatError("a domain has exactly the eight rows of the format")
        for name, row in rows.items():
            if set(row.labels) != set(ROWS[name][1]):
                raise FormatError(f"labels of the {name} row")
            for constant in (row.prefix, row.suffix, *row.labels.values()):
                check_constant(constant)
            if len(set(row.labels.values())) != len(row.labels):
                raise FormatError(f"labels of the {name} row must differ")
        if PRESENCE_OPERATIONS & set(rows["presence"].labels.values()):
            raise FormatError("the presence labels must differ from the operations")
        if len({rows[row].labels[label] for row, label in MESSAGES}) != len(MESSAGES):
            raise FormatError("labels of chain messages must differ")
        if not shared_prefixes and len({row.prefix for row in rows.values()}) != len(rows):
            raise FormatError("prefixes must differ")
        self.rows = dict(rows)

    @classmethod
    def named(cls, name: str) -> Domain:
        return cls(
            {
                row: Row(f"{name}-{ending}", name, {label: label for label in labels})
                for row, (ending, labels) in ROWS.items()
            }
        )

    def __getitem__(self, row: str) -> Row:
        return self.rows[row]

    def reserves(self, text: str) -> bool:
        """Whether a chain message of this form may only be written by the format's own operations."""
        return any(text.startswith(f"{row.prefix}::") for row in self.rows.values())


DEFAULT = Domain.named("DUALSEAL")
