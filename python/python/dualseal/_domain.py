"""Domains, and the identifiers and content hashes that they compute, for their own type stubs."""

from dualseal._dualseal import (
    ContentHasher,
    Domain,
    HashedContent,
    IdentityHasher,
    lint_ids,
    message_hash,
)

__all__ = ["ContentHasher", "Domain", "HashedContent", "IdentityHasher", "lint_ids", "message_hash"]
