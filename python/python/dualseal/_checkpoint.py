"""Checkpoints and what is proven under them, for their own type stubs."""

from dualseal._dualseal import (
    AgreedChain,
    ChainCheck,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    ConsistencyCheck,
    Follower,
    Fork,
    Growth,
    HighWaterMark,
    Located,
    Pins,
    RingCheck,
    VerifiedCheckpoint,
    compare_checkpoints,
)

__all__ = [
    "AgreedChain",
    "ChainCheck",
    "Checkpoint",
    "CheckpointSigner",
    "CheckpointVerifier",
    "ConsistencyCheck",
    "Follower",
    "Fork",
    "Growth",
    "HighWaterMark",
    "Located",
    "Pins",
    "RingCheck",
    "VerifiedCheckpoint",
    "compare_checkpoints",
]
