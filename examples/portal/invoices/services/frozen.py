"""Documents that were sent, held against what their issuers signed before anybody relies on them."""

from __future__ import annotations

import logging

from dualseal.contrib.django import signatures
from portal.errors import ChangedError

from ..models import Invoice

logger = logging.getLogger("portal")


def hold(*, invoice: Invoice, thoroughly: bool = False) -> None:
    """Whether what pages and mails are made of is what was signed; thoroughly, whether that signature is valid now. The
    answer is seen by outsiders, who are told no decoy.

    :raises ChangedError: somebody changed it since.
    """
    faults = signatures.faults_of(invoice, public=True) if thoroughly else signatures.faults(invoice)
    if faults:
        logger.error("document %s was changed since it was sent: %s", invoice.pk, "; ".join(faults))
        raise ChangedError
