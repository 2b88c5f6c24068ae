"""What a service refuses, in words for whoever asked."""


class ConflictError(Exception):
    """It cannot be done as things stand: 409."""


class ChangedError(Exception):
    """A document is not what its issuer signed: nobody is shown it, and nobody answers it."""


class ClosedError(Exception):
    """The link was closed while it was used: it is answered as one that never was."""
