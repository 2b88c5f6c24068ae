"""Verdicts with their dates, for their own type stubs."""

from dualseal._dualseal import AsOf

__all__ = ["AsOf"]
