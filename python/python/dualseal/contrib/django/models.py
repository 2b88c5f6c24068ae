"""The log's tables."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models

from dualseal import EvidenceFile

from .base import (
    AbstractChain,
    AbstractEntry,
    AbstractKept,
    AbstractNode,
    AbstractRecord,
    AbstractRingRow,
    AbstractSecret,
    AppendOnlyModel,
)
from .fields import IdentityIdField, SealField

__all__ = ["Chain", "Entry", "Kept", "Node", "Record", "RingRow", "Sealed", "Secret", "Signed"]


def _unique(*fields: str) -> models.UniqueConstraint:
    return models.UniqueConstraint(fields=["chain", *fields], name="%(app_label)s_%(class)s_" + "_".join(fields))


class Chain(AbstractChain):
    """A log."""


class Entry(AbstractEntry):
    """Its entries."""

    chain = models.ForeignKey(Chain, models.PROTECT, related_name="entries")

    class Meta(AbstractEntry.Meta):
        constraints = (_unique("seq"), _unique("krunica_hash"))
        verbose_name_plural = "entries"


class Node(AbstractNode):
    """The nodes of its tree."""

    chain = models.ForeignKey(Chain, models.PROTECT, related_name="nodes")

    class Meta(AbstractNode.Meta):
        constraints = (_unique("level", "place"),)


class RingRow(AbstractRingRow):
    """Its ring."""

    chain = models.ForeignKey(Chain, models.PROTECT, related_name="ring_rows")

    class Meta(AbstractRingRow.Meta):
        constraints = (_unique("name"),)


class Record(AbstractRecord):
    """Its records."""

    chain = models.ForeignKey(Chain, models.PROTECT, related_name="records")

    class Meta(AbstractRecord.Meta):
        constraints = (_unique("krunica_hash"),)


class Secret(AbstractSecret):
    """Its secrets at rest."""

    chain = models.ForeignKey(Chain, models.PROTECT, related_name="secrets")

    class Meta(AbstractSecret.Meta):
        constraints = (_unique("table", "row", "purpose"),)


class Kept(AbstractKept):
    """The list of them."""

    chain = models.ForeignKey(Chain, models.PROTECT, related_name="kept")

    class Meta(AbstractKept.Meta):
        constraints = (_unique("number"),)
        verbose_name_plural = "kept"


class Sealed(AppendOnlyModel):
    """A row of the project's own under a dual seal (`LogStep.dual_seal`), whose entry stands in a log: an abstract
    model. Its seal is over what `sealed_content` makes of the row's columns, so that the audit names a column that was
    changed. Where a project has such models, they have a row for every seal in the log: one without is named.
    """

    signer = IdentityIdField()
    seal = SealField()
    entry = models.OneToOneField(Entry, models.PROTECT, related_name="+")

    class Meta(AppendOnlyModel.Meta):
        abstract = True

    def sealed_content(self) -> bytes:
        """The payload of the seal, from the columns, always the same."""
        raise NotImplementedError

    def faults(self) -> Iterable[str]:
        """What else does not hold, for the audit: what the row says of other rows, which the seal does not cover."""
        return ()

    def evidence(self) -> EvidenceFile | None:
        """As `Chain.evidence`, of the seal."""
        from . import evidence  # noqa: PLC0415

        return evidence.of_seal(self.entry.chain, self)


class Signed(models.Model):
    """A row of the project's own that says what a record in a log signs, such as the bytes of a document: an abstract
    model. The row may change; the audit names one whose `signed_content` is no more what its record is over. `record`
    is empty until the row is signed: the audit names one without, unless the row says that it may be so.
    """

    # Where the log has records of such rows alone. The audit then names a record whose row is gone.
    of_every_record = False

    record = models.OneToOneField(Record, models.PROTECT, null=True, editable=False, related_name="+")

    class Meta:
        abstract = True

    def signed_by(self) -> str:
        """The identity that has to have signed it."""
        raise NotImplementedError

    def signed_content(self) -> bytes:
        """What the record signs, from the columns, always the same."""
        raise NotImplementedError

    def may_be_unsigned(self) -> bool:
        """Whether this row is a draft, which the audit passes by without a record. By default none is."""
        return False

    def faults(self) -> Iterable[str]:
        """What else does not hold, for the audit: what other columns say of what was signed."""
        return ()
