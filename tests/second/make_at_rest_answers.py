"""Prints known answers of secrets at rest as JSON; tests/vectors/known_answers_at_rest.json is its output.

    python make_at_rest_answers.py > ../vectors/known_answers_at_rest.json

Everything is computed by hashlib, hmac and pyca/cryptography.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from dualseal_second import at_rest
from dualseal_second.domain import Domain

PLACES = (
    ("identities", b"ana", "signing-seed", 32),
    ("identities", bytes(range(16)), "signing-seed", 32),
    ("erasure-keys", b"ana/1", "key", 32),
    ("tokens", b"a::b", "key", 0),
    ("vaults", b"\xff", "master and more", 65_537),
)


def fixed(name: str, length: int) -> bytes:
    return hashlib.shake_256(name.encode()).digest(length)


def secrets() -> list[dict[str, Any]]:
    found = []
    for name in ("DUALSEAL", "ACME"):
        for table, row, purpose, length in PLACES:
            key, salt = fixed(f"{name} master", 32), fixed(f"{name} {table} {row.hex()} salt", 32)
            secret = fixed(f"{table} {row.hex()} secret", length)
            stored = at_rest.seal(Domain.named(name), key, table, row, purpose, salt, secret)
            answer: dict[str, Any] = {"domain": name, "master": key.hex(), "table": table, "row": row.hex()}
            answer |= {"purpose": purpose, "salt": salt.hex(), "secret_length": length}
            answer |= {"secret_sha3_256": hashlib.sha3_256(secret).hexdigest()}
            answer |= {"identity_id": at_rest.identity(Domain.named(name), table, row, purpose)}
            answer |= {"stored_length": len(stored), "stored_begin": stored[:116].hex()}
            answer |= {"stored_sha3_256": hashlib.sha3_256(stored).hexdigest()}
            found.append(answer)
    return found


def files() -> list[dict[str, Any]]:
    secret, salt, iv = fixed("file secret", 32), fixed("file salt", 16), fixed("file iv", 16)
    passphrase = "ispravan konj, baterija č"
    return [
        {"secret": secret.hex(), "passphrase": None, "text": at_rest.secret_file(secret)},
        {"secret": secret.hex(), "passphrase": passphrase, "text": at_rest.secret_file(secret, passphrase, salt, iv)},
    ]


def text() -> str:
    return json.dumps({"secrets": secrets(), "files": files()}, indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
