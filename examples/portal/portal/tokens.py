"""Tokens of links and of tills, as the database has them."""

from __future__ import annotations

import hashlib
import uuid


def hashed(token: str) -> bytes:
    """A token has 122 random bits or more, so that nobody finds it from this."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def plain(token: str) -> str:
    """A link's token as links have it: another spelling of the same UUID is the same token."""
    try:
        return str(uuid.UUID(token)) if len(token) <= 64 else token
    except ValueError:
        return token
