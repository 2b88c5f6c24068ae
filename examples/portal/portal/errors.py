"""What a service refuses, in words for whoever asked."""


class ConflictError(Exception):
    """It cannot be done as things stand: 409."""
