"""A small world that each test gets: two identities in a ring, and tables of what they sealed and signed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dualseal
import pyarrow as pa
import pytest
from dualseal import Domain, Head, KeyRing, SealKey, Sealer, SealVerifier, Signer, SigningKey, Verifier
from dualseal.arrow import ColumnStream

TIME = "2026-11-21T09:00:00.000Z"


@dataclass
class Small:
    """One identity, its key pinned."""

    domain: Domain
    identity: str
    key: SigningKey
    seal_key: SealKey

    @property
    def ring(self) -> KeyRing:
        return KeyRing.pinned(self.identity, self.key.public_key)

    @property
    def seals(self) -> SealVerifier:
        return SealVerifier(self.domain, self.ring)

    @property
    def records(self) -> Verifier:
        return Verifier(self.domain, self.ring)

    def sealed(self, rows: int) -> dict[str, list[Any]]:
        """Columns of good seals."""
        payloads = [f"invoice {number}".encode() for number in range(rows)]
        sealer = Sealer(self.domain, self.identity, self.seal_key, self.key)
        seals = sealer.seal_many(payloads)
        return {
            "id": list(range(rows)),
            "identity_id": [self.identity] * rows,
            "payload": payloads,
            "seal": [str(seal) for seal in seals],
        }

    def signed(self, rows: int) -> dict[str, list[Any]]:
        """Columns of good records."""
        contents = [f"contract {number}".encode() for number in range(rows)]
        signer = Signer(self.domain, self.identity, self.key)
        records = [signer.sign(content, head=Head.EMPTY, time=TIME).record for content in contents]
        return {
            "identity_id": [self.identity] * rows,
            "content": contents,
            "record": [record.to_json() for record in records],
        }


def told(stream: ColumnStream) -> list[tuple[Any, ...]]:
    """The rows of a result."""
    table = pa.table(stream)
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def verdicts(stream: ColumnStream) -> list[str]:
    return [str(verdict) for verdict in pa.table(stream)["verdict"].to_pylist()]


@pytest.fixture(scope="session")
def small() -> Small:
    domain = Domain()
    key = SigningKey.from_seed(b"\7" * 32)
    return Small(domain, domain.identity_id(b"", "ana", ""), key, SealKey.from_bytes(b"\3" * 64))


@pytest.fixture(scope="session")
def sealed(small: Small) -> dict[str, list[Any]]:
    return small.sealed(20)


@pytest.fixture(scope="session")
def signed(small: Small) -> dict[str, list[Any]]:
    return small.signed(12)
