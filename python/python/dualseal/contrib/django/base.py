"""The tables of a log, as abstract models: a project that wants columns or names of its own derives from them.

A chain's rows refer to it by ``chain``, under the related names ``entries``, ``nodes``, ``ring_rows``, ``records``,
``secrets`` and ``kept``; `models` is the example, and what most projects take.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Never

from django.db import models

from dualseal import Checkpoint, EvidenceFile, PlaceProof, PublicRing, SignatureRecord, VaultRecord

from .fields import EntryField, HashField, IdentityIdField, raw

if TYPE_CHECKING:
    from .step import LogStep

_Moment = str | int | datetime
RELATED = ("entries", "nodes", "ring_rows", "records", "secrets", "kept")


class AppendOnlyError(TypeError):
    """A row that is evidence was to be changed or deleted."""

    def __init__(self) -> None:
        super().__init__("rows of a log are appended: what was signed is never changed, only followed by more")


class BackwardsError(ValueError):
    """A time was named that is before the last entry's."""

    def __init__(self, time: str, last: str) -> None:
        super().__init__(f"the time {time} is before that of the log's last entry, {last}")


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Rows that are made and read."""

    def update(self, **_: Any) -> Never:
        """Refused."""
        raise AppendOnlyError

    def delete(self) -> Never:
        """Refused."""
        raise AppendOnlyError

    def bulk_update(self, *_: Any, **__: Any) -> Never:
        """Refused."""
        raise AppendOnlyError

    def bulk_create(self, *args: Any, update_conflicts: bool = False, **options: Any) -> list[Any]:
        """Of new rows alone."""
        if update_conflicts:
            raise AppendOnlyError
        return super().bulk_create(*args, **options)

    def update_or_create(self, *_: Any, **__: Any) -> Never:
        """Refused."""
        raise AppendOnlyError


class AppendOnlyModel(models.Model):
    """A row that is written once. The database's trigger (`operations.AppendOnly`) holds where this is passed by."""

    objects = models.Manager.from_queryset(AppendOnlyQuerySet)()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Of a new row alone."""
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **options | {"force_insert": True})

    def delete(self, *_: Any, **__: Any) -> Never:
        """Refused."""
        raise AppendOnlyError


class ChainManager(models.Manager["AbstractChain"]):
    """`Chain.objects`."""

    def found(self, name: str, *, origin: str, identity_id: str) -> AbstractChain:
        """Begins a log: its mark, its row, and the key of the identity that signs its checkpoints.

        :raises ImproperlyConfigured: a mark of this name is there: that of an earlier log.
        """
        from . import store  # noqa: PLC0415

        founded: AbstractChain = store.found(self, name, origin, identity_id)
        return founded

    def step(self, name: str, *, time: _Moment | None = None) -> AbstractContextManager[LogStep]:
        """One step of the log of this name: a ``with`` statement whose block places what it likes, in one transaction
        with the caller's own rows. It holds the log from its beginning on, so that the block is kept short.

        Without a time it is now, or that of the last entry where that is later. A block that raises leaves nothing.

        :raises BackwardsError: the time is before the last entry's.
        """
        from . import step  # noqa: PLC0415

        return step.step(self, name, time)

    def add_identity(self, name: str, identity_id: str) -> None:
        """Takes a further identity into the ring. Where keys are in a folder and it has none, one is drawn."""
        from . import store  # noqa: PLC0415

        store.add_identity(self, name, identity_id)

    def checkpoint(self, name: str, *, time: _Moment | None = None) -> Checkpoint:
        """Signs what stands there, after its mark was raised to it.

        :raises RuntimeError: in a transaction of the caller's, which could take back what was signed.
        :raises BackwardsError: the time is before the last entry's.
        """
        from . import store  # noqa: PLC0415

        return store.checkpoint(self, name, time)


class AbstractChain(models.Model):
    """A log: what an operator keeps of it beside its rows."""

    name = models.CharField(max_length=64, unique=True)
    origin = models.CharField(max_length=255)
    identity_id = IdentityIdField(editable=False)
    size = models.BigIntegerField(default=0, editable=False)
    state = models.TextField(editable=False)
    ring_seal = models.TextField(editable=False)
    checkpoint_json = models.TextField(null=True, editable=False)

    objects = ChainManager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The last one that was signed."""
        return None if self.checkpoint_json is None else Checkpoint.from_json(self.checkpoint_json)

    def place(self, krunica_hash: str) -> PlaceProof | None:
        """The proof of an entry's place under the last checkpoint; None where that does not cover it."""
        from . import store  # noqa: PLC0415

        return store.place(self, krunica_hash)

    def evidence(self, record: SignatureRecord) -> EvidenceFile | None:
        """Evidence of a record in one file, by the last checkpoint; None where that does not cover the record and the
        last change of the ring.
        """
        from . import evidence  # noqa: PLC0415

        return evidence.of_record(self, record)

    @property
    def public_ring(self) -> PublicRing:
        """The keys and their states, for whoever is to know whose signatures they are."""
        from . import store  # noqa: PLC0415

        with store.held_again(self) as held:
            return store.load(held).state.ring.public()

    @property
    def fingerprint(self) -> str:
        """What a stranger has of the log beforehand, from elsewhere than the evidence: its origin and its key."""
        from . import evidence  # noqa: PLC0415

        return evidence.fingerprint(self)

    def json_lines(self, start: int = 0) -> Iterator[bytes]:
        """The chain as its file has it, from an entry on."""
        from . import store  # noqa: PLC0415

        for row in store.rows(self, "entries").filter(seq__gte=start).order_by("seq").iterator(chunk_size=1000):
            yield row.entry.to_json_line().encode()


class AbstractEntry(AppendOnlyModel):
    """An entry at its place."""

    seq = models.BigIntegerField()
    krunica_hash = HashField()
    entry = EntryField()

    class Meta(AppendOnlyModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return f"{self.seq}: {self.entry.message}"


class AbstractNode(AppendOnlyModel):
    """A node of the log's tree, so that a proof is a few reads."""

    level = models.SmallIntegerField()
    place = models.BigIntegerField()
    hash = HashField()

    class Meta(AppendOnlyModel.Meta):
        abstract = True


class AbstractRingRow(models.Model):
    """What the ring has of one identity, or of one trap."""

    name = models.CharField(max_length=80)
    json = models.TextField()

    class Meta:
        abstract = True


class AbstractRecord(AppendOnlyModel):
    """A record that a step made, by the handle of its entry."""

    krunica_hash = HashField()
    identity_id = IdentityIdField()
    is_vault = models.BooleanField(default=False)
    stored = models.BinaryField()

    class Meta(AppendOnlyModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return str(self.krunica_hash)

    @property
    def record(self) -> SignatureRecord | VaultRecord:
        """The record itself."""
        stored = raw(self.stored, "record")
        return VaultRecord.from_json(stored) if self.is_vault else SignatureRecord.from_bytes(stored)


class AbstractSecret(models.Model):
    """A secret at rest, sealed for its place."""

    table = models.CharField(max_length=255)
    row = models.BinaryField()
    purpose = models.CharField(max_length=255)
    stored = models.BinaryField()

    class Meta:
        abstract = True


class AbstractKept(AppendOnlyModel):
    """A row of the list of secrets: that one was kept or forgotten then, by hashes of its place and its bytes. The
    log's state has the end of the list.
    """

    number = models.BigIntegerField()
    place = HashField()
    listed = HashField()

    class Meta(AppendOnlyModel.Meta):
        abstract = True
