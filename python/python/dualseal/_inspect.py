"""Texts, looked at, for their own type stubs."""

from dualseal._dualseal import Finding, Inspection, canonical_json, inspect

__all__ = ["Finding", "Inspection", "canonical_json", "inspect"]
