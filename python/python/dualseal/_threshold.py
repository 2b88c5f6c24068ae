"""Threshold signing, for its own type stubs."""

from dualseal._dualseal import (
    AuthenticResult,
    Founded,
    Founding,
    Quorum,
    QuorumResult,
    QuorumSigned,
    Session,
    SessionCheck,
    SessionInForce,
    SessionShare,
    ThresholdResult,
    verify_pinned_quorum,
    verify_quorum,
)

__all__ = [
    "AuthenticResult",
    "Founded",
    "Founding",
    "Quorum",
    "QuorumResult",
    "QuorumSigned",
    "Session",
    "SessionCheck",
    "SessionInForce",
    "SessionShare",
    "ThresholdResult",
    "verify_pinned_quorum",
    "verify_quorum",
]
