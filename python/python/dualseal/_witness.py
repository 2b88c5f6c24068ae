"""Following a log as its witness, for its own type stubs."""

from dualseal._dualseal import FollowedLog, Following

__all__ = ["FollowedLog", "Following"]
