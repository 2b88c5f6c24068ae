"""Who is asked about proofs of presence of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from dualseal import Domain

_Proof_contra = TypeVar("_Proof_contra", contravariant=True)


class PresenceVerifier(Protocol[_Proof_contra]):
    """Checks the proofs of one kind of authenticator, such as WebAuthn, for the gate that is Presence.

    A challenge covers all that an operation will do, and whom it is for: whoever answers another one is refused.
    """

    def verify(self, domain: Domain, identity_id: str, challenge: str, proof: _Proof_contra, /) -> bytes | None:
        """The enrolled authenticator of this identity that made this proof for exactly this challenge.

        The challenge is SHA3-256, 64 hexadecimal characters. The answer is 32 bytes that differ for each authenticator,
        such as a hash of its credential's name; None for every other proof. Two proofs with the same answer count once.
        What it raises keeps the gate shut, and is raised to whoever asked for the operation.
        """
        ...


# The name by which users import it.
PresenceVerifier.__module__ = "dualseal"
