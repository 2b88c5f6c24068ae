"""The log's tables."""

from __future__ import annotations

from django.db import models

from .base import AbstractChain, AbstractEntry, AbstractNode, AbstractRecord, AbstractRingRow, AbstractSecret

__all__ = ["Chain", "Entry", "Node", "Record", "RingRow", "Secret"]


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
