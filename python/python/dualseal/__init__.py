"""Tamper-evident documents that outlive quantum computers.

Identifiers computed offline, ML-DSA-65 signatures whose keys carry a state, and an append-only chain. Names in this
module are English; dictionaries and JSON use the names of the wire. All decisions are made by the Rust library beneath:
time and the head of the chain are arguments, and nothing here reads a clock or a network.

Moments are given as the wire's text (``2026-11-21T09:00:00.000Z``), as an ``int`` of milliseconds since 1970 or as an
aware ``datetime``, and come back as the wire's text. Content is any C-contiguous bytes-like object. Identifiers and
hashes are lowercase hexadecimal.
"""

from dualseal._dualseal import (
    Checker,
    ContentHasher,
    Domain,
    Entry,
    ExpandedSigningKey,
    Head,
    KeyRing,
    Krunica,
    PublicKey,
    RingKey,
    SignatureRecord,
    Signed,
    Signer,
    SigningKey,
    Verdict,
    Verifier,
    __version__,
    canonical_json,
    lint_ids,
    message_hash,
)
from dualseal._enums import KeyState, VerdictKind
from dualseal._errors import (
    DecoyError,
    DualsealError,
    InvalidError,
    MalformedError,
    MisuseError,
    RandomnessError,
    RejectedError,
    RevokedError,
    SuspendedError,
    VerdictError,
)

__all__ = [
    "Checker",
    "ContentHasher",
    "DecoyError",
    "Domain",
    "DualsealError",
    "Entry",
    "ExpandedSigningKey",
    "Head",
    "InvalidError",
    "KeyRing",
    "KeyState",
    "Krunica",
    "MalformedError",
    "MisuseError",
    "PublicKey",
    "RandomnessError",
    "RejectedError",
    "RevokedError",
    "RingKey",
    "SignatureRecord",
    "Signed",
    "Signer",
    "SigningKey",
    "SuspendedError",
    "Verdict",
    "VerdictError",
    "VerdictKind",
    "Verifier",
    "__version__",
    "canonical_json",
    "lint_ids",
    "message_hash",
]
