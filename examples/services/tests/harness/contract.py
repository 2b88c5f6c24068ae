"""What schemathesis checks beyond its own: a body that the schema allows is refused by a rule that no schema says, and
by its code; whatever a schema could have said is a fault of the document."""

from __future__ import annotations

import re
from typing import Any

import schemathesis

# Codes of rules over what is stored, configured or sealed, or over several fields.
RULES = {
    # A cursor is sealed to its caller, list and filters.
    "cursor",
    # The same key of idempotency, drawn twice.
    "idempotency-other-body",
    # Issuers and nodes that the configuration or a native named.
    *("unknown", "unknown-node", "unknown-value", "too-few-nodes"),
    # Fields that exclude or need each other, and numbers that bound each other.
    *("one-form", "not-taken", "missing", "missing-member", "order", "range", "length", "repeated"),
    *("one-of", "members", "not-with-jti", "only-with-laz", "reserved"),
    # Days that no calendar has; bytes that are no image, or not those of their hash.
    *("date", "image", "hash"),
    # An address that URL's standard writes otherwise.
    "url",
    # A point that is on no curve; a key of another identity; what of JSON is not signed; notes of witnesses have a text
    # form of their own.
    *("not-a-key", "not-this-identity", "other-custodian", "json-number", "json-text", "note"),
}
# Where records of the library or of WebAuthn stand, whose own rules are not repeated in the document.
RECORDS = {
    ("POST /api/v1/dsa/provjeri", "/record"),
    ("POST /api/v1/dsa/provjeri", "/place"),
    ("POST /api/v1/dsa/provjeri", "/evidence"),
    ("POST /api/v1/vault/verify", "/record"),
    ("POST /api/v1/threshold/provjeri", "/rezultat"),
    ("POST /api/v1/presence/enrol/finish", "/authenticator"),
    ("POST /api/v1/presence/vouch/finish", "/voucher"),
    ("POST /api/v1/proof/istina", "/record"),
    ("POST /api/v1/proof/zivot", "/odgovor"),
    # The body is the proof.
    ("POST /api/v1/qt/requests/{request_id}/proofs", ""),
}
# JSON knows integers with a fraction of zero; the service does not.
WHOLE = re.compile(r"invalid type: floating point `\d+\.0`, expected ")


@schemathesis.serializer("message/rfc822")
def as_it_is(ctx: Any, value: Any) -> bytes:
    """A body that is drawn, as it is sent."""
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.check
def refuses_by_rules_that_no_schema_says(ctx: Any, response: Any, case: Any) -> bool | None:
    """The counterpart of `positive_data_acceptance` for 422, which that one lets pass."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return None
    found = response.json()
    if found["code"] in RULES:
        return None
    unsaid = [error for error in found.get("errors", []) if not is_rule(case.operation.label, error)]
    assert found.get("errors") and not unsaid, f"a schema can say this: {unsaid or found}"
    return None


def is_rule(label: str, error: dict[str, str]) -> bool:
    """Whether no schema says what this field broke."""
    of_record = any(label == of and f"{error['pointer']}/".startswith(f"{at}/") for of, at in RECORDS)
    return error["code"] in RULES or of_record or bool(WHOLE.match(error["detail"]))
