"""Rings of keys, for their own type stubs."""

from dualseal._dualseal import CheckedRing, KeyRing, PublicRing, RingFile, RingKey

__all__ = ["CheckedRing", "KeyRing", "PublicRing", "RingFile", "RingKey"]
