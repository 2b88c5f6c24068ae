"""The reader of a chain and its proofs, for their own type stubs."""

from dualseal._dualseal import ChainReader, FoundRing, Proofs, RingChanges, StatedRing, Watched

__all__ = ["ChainReader", "FoundRing", "Proofs", "RingChanges", "StatedRing", "Watched"]
