"""What a database keeps beside the chain: ledgers that steps begin, and the list of secrets at rest."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from dualseal import Domain, LedgerHead, MalformedError, RingKey
from dualseal.operator import Batch, Changes, Master, RefusedError, State, open_secrets, sign_all

from conftest import minute
from sql_store import Store


@pytest.fixture
def store(tmp_path: Path, domain: Domain) -> Store:
    store = Store(tmp_path / "log.sqlite", domain, RingKey(domain, bytes([9]) * 32))
    store.found()
    return store


def placed(batch: Batch) -> tuple[State, Changes]:
    placed, to_sign = batch.place()
    return placed.finish(sign_all(to_sign, []))


def test_a_ledger_is_begun_in_a_step(store: Store) -> None:
    begun, ledger = LedgerHead.draw(), LedgerHead.draw().ledger
    batch = Batch(store.opened().state)
    with pytest.raises(ZeroDivisionError), batch.step(minute(2)) as step:
        step.begin_ledger(ledger)
        1 / 0  # noqa: B018
    assert batch.is_empty
    with batch.step(minute(2)) as step:
        assert step.begin_ledger(begun.ledger) == step.begin_ledger(begun.ledger) == step.ledger(begun.ledger) == begun
    assert not batch.is_empty
    with pytest.raises(MalformedError), batch.step(minute(2)) as step:
        step.begin_ledger("A" * 64)
    state, changes = placed(batch)
    assert changes.entries == () and (state.ledger(begun.ledger), state.ledger(ledger)) == (begun, None)
    with store.transaction() as db:
        store.write(db, changes)
    assert store.opened().state.ledger(begun.ledger) == begun


def test_secrets_are_held_against_their_list(store: Store, domain: Domain) -> None:
    master = Master(domain, bytes([7]) * 32)
    state, stored = store.opened().state, []
    rows: list[tuple[bytes, bytes]] = []
    for row, is_kept in ((b"ana", True), (b"bo", True), (b"ana", True), (b"bo", False)):
        batch = Batch(state)
        with batch.step(minute(2)) as step:
            if is_kept:
                step.keep(master.seal(b"at rest", table="keys", row=row, purpose="seed"))
            else:
                step.forget(table="keys", row=row, purpose="seed")
        state, changes = placed(batch)
        assert changes.secrets_before == len(rows)
        (secret,) = changes.secrets
        rows.append((secret.place_hash, secret.listed))
        stored.append(secret.stored)
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(secret)
    for lie in (rows[:3], rows[1:], [], [rows[1], rows[0], *rows[2:]], [*rows, rows[3]]):
        with pytest.raises(RefusedError) as refused:
            open_secrets(state, lie)
        assert refused.value.name == "secrets-other"
    with pytest.raises(MalformedError):
        open_secrets(state, [(rows[0][0], b"short")])
    kept = open_secrets(state, rows)
    assert (len(kept), kept.missing(), repr(kept)) == (1, [rows[0][0].hex()], "KeptSecrets(1)")
    for row, found, name in (
        (b"ana", stored[0], "secret-other"), (b"ana", b"", "secret-missing"), (b"bo", stored[1], "secret-other"),
        (b"eva", stored[2], "secret-other"),
    ):  # fmt: skip
        with pytest.raises(RefusedError) as refused:
            kept.check(found, table="keys", row=row, purpose="seed")
        assert refused.value.name == name
    for row, found in ((b"ana", stored[2]), (b"bo", b""), (b"eva", b"")):
        kept.check(found, table="keys", row=row, purpose="seed")
    assert kept.missing() == []
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(kept)
