"""What the history of a record's key says beside its verdict (FORMAT.md section 10, "As of")."""

from __future__ import annotations

from typing import Any

from . import signature
from .domain import Domain
from .krunica import Located
from .ring import find, knows

MEMBERS = ("claimed", "failed", "opozvan_od", "place", "result", "revoked_now", "revoked_then", "size")


def revoked_at(history: list[Any], seq: int | None) -> int | None:
    """The `laz` that began the interval in which a seq lies, or the present where none is given."""
    began = None
    for changed, state in history:
        if seq is not None and changed > seq:
            break
        if state != "laz":
            began = None
        elif began is None:
            began = changed
    return began


def dates(key: dict[str, Any] | None, size: int | None, located: Located | None, failed: str | None) -> dict[str, Any]:
    """All but the verdict. An entry for a record that does not hold has no place: anybody can make one."""
    place = None if located is None or failed is not None else located.seq
    since = None if key is None else key["opozvan_od"]
    return {
        "claimed": place is not None and since is not None and place >= since,
        "failed": failed,
        "opozvan_od": since,
        "place": None if key is None else place,
        "revoked_now": None if key is None else revoked_at(key["povijest"], None),
        "revoked_then": None if key is None or place is None else revoked_at(key["povijest"], place),
        "size": size,
    }


def verify(
    domain: Domain, signer: str, content: bytes, value: object, ring: dict[str, Any], located: Located,
    size: int | None, *, public: bool,
) -> dict[str, Any]:  # fmt: skip
    """A signature record as of a size to which the ring is known."""
    record = signature.parse_record(value)
    identity_id = record["identity_id"]
    verdict = signature.verify(domain, signer, content, record, ring, located)
    key = find(ring, identity_id, record["javni_kljuc"]) if identity_id == signer else None
    if key is not None:
        failed = signature.failed_check(domain, content, record, ring, key, located)
    elif identity_id != signer:
        failed = "other signer"
    else:
        failed = "foreign key" if knows(ring, identity_id) else "unknown identity"
    told = dates(key, size, located, failed)
    if public and failed is not None:
        told["failed"] = "rejected"
    return told | {"result": signature.result(record, verdict, public=public)}
