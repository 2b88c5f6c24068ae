"""Checkpoints and what is proven under them, for their own type stubs."""

from dualseal._dualseal import (
    AgreedChain,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Follower,
    Fork,
    Growth,
    HighWaterMark,
    Located,
    Pins,
    VerifiedCheckpoint,
    compare_checkpoints,
)

__all__ = [
    "AgreedChain",
    "Checkpoint",
    "CheckpointSigner",
    "CheckpointVerifier",
    "Follower",
    "Fork",
    "Growth",
    "HighWaterMark",
    "Located",
    "Pins",
    "VerifiedCheckpoint",
    "compare_checkpoints",
]
