"""The chain, for their own type stubs."""

from dualseal._dualseal import Checker, Entry, Head, JsonLines, Krunica

__all__ = ["Checker", "Entry", "Head", "JsonLines", "Krunica"]
