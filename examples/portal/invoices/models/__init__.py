"""Issuers and their documents, what was sent of them, and what clients answered."""

from .delivery import ClientToken, Outgoing, RenewalRequest, View
from .documents import Invoice, InvoiceLine, Issuer
from .responses import Acknowledgement, Decline, Voiding

__all__ = [
    "Acknowledgement",
    "ClientToken",
    "Decline",
    "Invoice",
    "InvoiceLine",
    "Issuer",
    "Outgoing",
    "RenewalRequest",
    "View",
    "Voiding",
]
