"""One step of a log, in one transaction with the caller's own rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from dualseal import (
    Domain,
    Entry,
    HashedContent,
    Head,
    KeyRing,
    KeyState,
    LedgerHead,
    PublicKey,
    Seal,
    Sealer,
    SignatureRecord,
)
from dualseal.operator import Batch, Changes, SecretRow, Step, Vaulted

from . import conf, store

_Moment = str | int | datetime


class Ticket:
    """What a signature will be, once the step has ended: its record, and the row of it."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._record: SignatureRecord | None = None
        self._row: Any = None

    @property
    def record(self) -> SignatureRecord:
        """The record."""
        if self._record is None:
            raise RuntimeError("the step has not ended: a record is signed when its `with` statement does")
        return self._record

    @property
    def row(self) -> Any:
        """The row of the record, for a foreign key."""
        # Raises before the step has ended.
        _ = self.record
        return self._row

    def _settle(self, chain: Any, changes: Changes) -> None:
        self._record = changes.records[self._index]
        self._row = store.rows(chain, "records").get(krunica_hash=self._record.krunica_hash)


class SealTicket:
    """A dual seal that a step places, and once it has ended the row of its entry."""

    def __init__(self, seal: Seal, entry: Entry) -> None:
        self.seal, self.entry = seal, entry
        self._row: Any = None

    @property
    def row(self) -> Any:
        """The row of the entry, for a foreign key."""
        if self._row is None:
            raise RuntimeError("the step has not ended: a seal's entry is written when its `with` statement ends")
        return self._row

    def _settle(self, chain: Any, _: Changes) -> None:
        self._row = store.rows(chain, "entries").get(krunica_hash=self.entry.krunica_hash)


class LogStep:
    """What a step may do. All of it stands in the log when the ``with`` statement has ended, or none of it."""

    def __init__(self, step: Step, domain: Domain, ring: KeyRing) -> None:
        self._step, self._domain, self._ring = step, domain, ring
        self._tickets: list[Ticket | SealTicket] = []

    @property
    def time(self) -> str:
        """Of all that the step does."""
        return self._step.time

    @property
    def head(self) -> Head:
        """Where the chain ends, with what this step placed so far."""
        return self._step.head

    def sign(self, identity_id: str, content: bytes | HashedContent) -> Ticket:
        """Signs content for an identity, with its current key."""
        if not isinstance(content, HashedContent):
            content = self._domain.content_hash(identity_id, content)
        ticket = Ticket(self._step.sign(identity_id, content))
        self._tickets.append(ticket)
        return ticket

    def append(self, identity_id: str, message: str) -> Entry:
        """A plain message."""
        return self._step.append(identity_id, message)

    def seal(self, seal: Any) -> Entry:
        """Places a seal that `Sealer.seal_unplaced` made."""
        return self._step.seal(seal)

    def dual_seal(self, identity_id: str, payload: bytes) -> SealTicket:
        """Seals a payload for an identity, by its current key and the setting `SEAL_MASTER`, and places the seal."""
        key = conf.key_of(identity_id, self._ring)
        sealer = Sealer.current(self._domain, self._ring, identity_id, conf.seal_key(identity_id), key)
        unplaced = sealer.seal_unplaced(payload)
        sealed = SealTicket(unplaced.seal, self._step.seal(unplaced))
        self._tickets.append(sealed)
        return sealed

    def add_key(self, identity_id: str, public_key: PublicKey) -> Entry:
        """Takes an identity's first key into the ring."""
        return self._step.add_key(identity_id, public_key)

    def rotate(self, identity_id: str, public_key: PublicKey) -> Entry:
        """A new key; the one before is retired at this place."""
        return self._step.rotate(identity_id, public_key)

    def is_current(self, identity_id: str, public_key: PublicKey) -> bool:
        """Whether an identity signs with this key."""
        return any(key == public_key for key, _ in self._ring.keys(identity_id)[:1])

    def set_state(self, identity_id: str, state: KeyState | str, **which: Any) -> Entry:
        """The state of a key, as `dualseal.operator.Step.set_state`."""
        return self._step.set_state(identity_id, state, **which)

    def ledger(self, ledger: str) -> LedgerHead:
        """Where a vault's ledger ends, with what this step placed so far.

        :raises dualseal.operator.StepError: `unknown-ledger` for one that was not begun.
        """
        return self._step.ledger(ledger)

    def begin_ledger(self, ledger: str | None = None) -> LedgerHead:
        """Begins a vault's ledger, whose name is drawn where none is given, unless it is there, and says where it ends.
        The project keeps its name.
        """
        return self._step.begin_ledger(LedgerHead.draw().ledger if ledger is None else ledger)

    def vault(self, unplaced: Any) -> Vaulted:
        """Places a vault's record, which `Sealing.finish_unplaced` made for the end of its ledger: one that `ledger` or
        `begin_ledger` gave, in this step or before. Nobody else's record of that ledger came between, or it is
        `stale-ledger`. The stored bytes, and the secret of an encrypted record, are the project's to keep.
        """
        return self._step.vault(unplaced)

    def erase(self, public_key: PublicKey, erasure: Any) -> Vaulted:
        """Places the erasure of one, which `VaultSealer.erase` made for the end of its ledger and this step's `head`.
        The stored bytes are the project's to destroy, and the secret to `forget`.
        """
        return self._step.erase(public_key, erasure)

    def keep(self, secret: SecretRow) -> None:
        """Keeps a secret at rest."""
        self._step.keep(secret)

    def forget(self, *, table: str, row: bytes, purpose: str) -> None:
        """Forgets the one of this place."""
        self._step.forget(table=table, row=row, purpose=purpose)

    def _settle(self, chain: Any, changes: Changes) -> None:
        for ticket in self._tickets:
            ticket._settle(chain, changes)


@contextmanager
def step(manager: Any, name: str, time: _Moment | None) -> Iterator[LogStep]:
    """See `ChainManager.step`."""
    with store.held(manager, name) as chain:
        state, mark = store.state_of(chain)
        batch = Batch(state)
        with batch.step(store.now(chain, batch, time)) as inner:
            outer = LogStep(inner, conf.domain(), batch.state.ring)
            yield outer
        changes = store.commit(manager, chain, batch, mark)
        if changes is not None:
            outer._settle(chain, changes)
