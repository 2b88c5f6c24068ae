"""Vault shards and proofs of presence, for their own type stubs."""

from dualseal._dualseal import (
    CoveredSplits,
    Dealer,
    NodeShards,
    OwnSplits,
    Preparation,
    PreparedSplit,
    RebuildRequest,
    Rebuilding,
    Shard,
    ShardKey,
    SplitInForce,
    Splits,
    verify_shard_seal,
)

__all__ = [
    "CoveredSplits",
    "Dealer",
    "NodeShards",
    "OwnSplits",
    "Preparation",
    "PreparedSplit",
    "RebuildRequest",
    "Rebuilding",
    "Shard",
    "ShardKey",
    "SplitInForce",
    "Splits",
    "verify_shard_seal",
]
