"""Evidence in one file, and verdicts with their dates, for their own type stubs."""

from dualseal._dualseal import (
    AsOf,
    EvidenceCheck,
    EvidenceFile,
    EvidenceReport,
    OpenEvidence,
    QuorumEvidence,
    SealEvidence,
)

__all__ = [
    "AsOf",
    "EvidenceCheck",
    "EvidenceFile",
    "EvidenceReport",
    "OpenEvidence",
    "QuorumEvidence",
    "SealEvidence",
]
