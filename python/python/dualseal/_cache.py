"""Keys that were expanded for verification, which verifiers share."""

from dualseal._dualseal import KeyCache


class KeyCacheWarning(UserWarning):
    """A KeyCache is too small for what is verified by it: keys were expanded again, as many as it has room for."""


# The name by which users import it, in tracebacks and filters.
KeyCacheWarning.__module__ = "dualseal"

__all__ = ["KeyCache", "KeyCacheWarning"]
