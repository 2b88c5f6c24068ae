"""Signature records, and what their verification concludes, for their own type stubs."""

from dualseal._dualseal import (
    PublicResult,
    SignatureRecord,
    Signed,
    Signer,
    Verdict,
    VerificationResult,
    Verifier,
)

__all__ = [
    "PublicResult",
    "SignatureRecord",
    "Signed",
    "Signer",
    "Verdict",
    "VerificationResult",
    "Verifier",
]
