"""Vault shards and proofs of presence, for their own type stubs."""

from dualseal._dualseal import (
    Dealer,
    Ed25519SigningKey,
    EnrolledKeys,
    Presence,
    PresenceProof,
    RebuildRequest,
    Rebuilding,
    Shard,
    ShardKey,
    Split,
    SplitCheck,
    SplitInForce,
    draw_nonce,
    verify_shard_seal,
)

__all__ = [
    "Dealer",
    "Ed25519SigningKey",
    "EnrolledKeys",
    "Presence",
    "PresenceProof",
    "RebuildRequest",
    "Rebuilding",
    "Shard",
    "ShardKey",
    "Split",
    "SplitCheck",
    "SplitInForce",
    "draw_nonce",
    "verify_shard_seal",
]
