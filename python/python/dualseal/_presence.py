"""Proofs of presence, and the gate that asks for them, for their own type stubs."""

from dualseal._dualseal import (
    Ed25519SigningKey,
    EnrolledKeys,
    Presence,
    PresenceProof,
    Statement,
    draw_nonce,
)

__all__ = [
    "Ed25519SigningKey",
    "EnrolledKeys",
    "Presence",
    "PresenceProof",
    "Statement",
    "draw_nonce",
]
