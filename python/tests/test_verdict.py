"""Verdicts: the table of states, the two projections, and that none is a truth value."""

from __future__ import annotations

import json
import copy
import pickle
from typing import Any

import dualseal
import pytest
from dualseal import (
    DecoyError,
    InvalidError,
    KeyRing,
    KeyState,
    RevokedError,
    SignatureRecord,
    SigningKey,
    SuspendedError,
    VerdictError,
    VerdictKind,
    Verifier,
)

from conftest import CONTENT, Deployment, minute

TABLE: list[tuple[KeyState, bool, VerdictKind, str | None, type[VerdictError] | None]] = [
    (KeyState.VALID, True, VerdictKind.VALID, None, None),
    (KeyState.VALID, False, VerdictKind.INVALID, "content", InvalidError),
    (KeyState.REVOKED, True, VerdictKind.REVOKED, "revoked", RevokedError),
    (KeyState.REVOKED, False, VerdictKind.REVOKED, "revoked", RevokedError),
    (KeyState.DECOY, True, VerdictKind.DECOY, "decoy", DecoyError),
    (KeyState.DECOY, False, VerdictKind.INVALID, "content", InvalidError),
    (KeyState.SUSPENDED, True, VerdictKind.SUSPENDED, "suspended", SuspendedError),
    (KeyState.SUSPENDED, False, VerdictKind.SUSPENDED, "suspended", SuspendedError),
]
VALIDAN = {VerdictKind.VALID: True, VerdictKind.SUSPENDED: None}


@pytest.mark.parametrize(("state", "good", "kind", "reason", "error"), TABLE)
def test_the_table(
    deployment: Deployment,
    state: KeyState,
    good: bool,
    kind: VerdictKind,
    reason: str | None,
    error: type[VerdictError] | None,
) -> None:
    deployment.set_state(state)
    verdict = deployment.verify(CONTENT if good else b"another contract")
    assert (verdict.kind, verdict.reason, verdict.state) == (kind, reason, state)
    assert repr(verdict) == f"Verdict(kind='{kind.name.lower()}')"
    assert verdict.identity_id == deployment.identity
    assert verdict.time == minute(1)
    assert verdict.internal().to_dict() == {
        "algoritam": "ML-DSA-65",
        "bela_stanje": state,
        "identity_id": deployment.identity,
        "razlog": reason,
        "timestamp": minute(1),
        "validan": VALIDAN.get(kind, False),
    }
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(verdict)
    with pytest.raises(TypeError, match="neither true nor false"):
        assert not verdict  # type: ignore[truthy-bool]
    for told in (verdict.internal(), verdict.public()):
        # As a dictionary it would be true whatever it says.
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(told)
        assert json.loads(told.to_json()) == told.to_dict()
    if error is None:
        assert verdict.verified() == deployment.signed.record
        return
    with pytest.raises(VerdictError) as caught:
        verdict.verified()
    assert type(caught.value) is error
    assert caught.value.kind is kind
    assert (caught.value.reason, caught.value.code) == (reason, kind.value)
    assert str(caught.value).endswith(str(reason))


def test_outsiders_cannot_tell_a_decoy_from_a_valid_record(deployment: Deployment) -> None:
    seen = {}
    for state in KeyState:
        deployment.set_state(state)
        seen[state] = deployment.verify().public()
        bad = deployment.verify(b"another contract").public()
        assert bad.reason == ("suspended" if state is KeyState.SUSPENDED else "rejected")
    assert seen[KeyState.VALID] == seen[KeyState.DECOY]
    assert seen[KeyState.VALID].valid is True
    assert seen[KeyState.VALID].state is KeyState.VALID
    assert (seen[KeyState.REVOKED].valid, seen[KeyState.REVOKED].state) == (False, KeyState.REVOKED)
    assert seen[KeyState.SUSPENDED].valid is None


def test_a_decoy_key_is_traced_by_its_hash(deployment: Deployment) -> None:
    assert deployment.verify().decoy_key_hash is None
    decoy = SigningKey.generate()
    deployment.add_decoy(decoy.public_key)
    deployment.sign_with(decoy)
    verdict = deployment.verify()
    assert (verdict.kind, verdict.state) == (VerdictKind.DECOY, KeyState.DECOY)
    assert verdict.decoy_key_hash == decoy.public_key.hash
    public = verdict.public()
    assert (public.valid, public.state, public.reason) == (True, KeyState.VALID, None)
    assert public.to_json() != verdict.internal().to_json()
    with pytest.raises(DecoyError):
        verdict.verified()


def test_why_a_record_is_invalid(deployment: Deployment) -> None:
    record = deployment.signed.record
    domain, identity, public = deployment.domain, deployment.identity, deployment.key.public_key
    other = SigningKey.generate().public_key
    members = record.to_dict()
    cases: list[tuple[str, KeyRing, SignatureRecord | dict[str, Any]]] = [
        ("unknown identity", KeyRing.pinned("0" * 64, public), record),
        ("foreign key", KeyRing.pinned(identity, other), record),
        ("signature", deployment.ring, members | {"timestamp": minute(2)}),
        ("signature", deployment.ring, members | {"krunica_hash": "0" * 64}),
        ("signature", deployment.ring, members | {"potpis": "00" * 3309}),
        ("content", deployment.ring, members | {"sadrzaj_hash": "0" * 64}),
        ("foreign key", deployment.ring, members | {"javni_kljuc": other.hex}),
        ("other signer", deployment.ring, members | {"identity_id": "0" * 64}),
    ]
    for reason, ring, candidate in cases:
        verdict = Verifier(domain, ring).verify(record=candidate, signer=deployment.identity, content=CONTENT)
        assert (verdict.kind, verdict.reason) == (VerdictKind.INVALID, reason)
        assert (verdict.state is None) == (reason in {"other signer", "unknown identity", "foreign key"})


def test_another_domain_accepts_nothing(deployment: Deployment) -> None:
    content_hash = deployment.domain.content_hash(deployment.identity, CONTENT)
    verifier = Verifier(dualseal.Domain("ACME"), deployment.ring)
    verdict = verifier.verify(record=deployment.signed.record, signer=deployment.identity, content_hash=content_hash)
    assert verdict.reason == "signature"


def test_a_verifier_sees_every_change_of_its_ring(deployment: Deployment) -> None:
    verifier = Verifier(deployment.domain, deployment.ring)
    for state, kind in [
        (KeyState.REVOKED, VerdictKind.REVOKED),
        (KeyState.SUSPENDED, VerdictKind.SUSPENDED),
        (KeyState.VALID, VerdictKind.VALID),
    ]:
        deployment.set_state(state)
        verdict = verifier.verify(record=deployment.signed.record, signer=deployment.identity, content=CONTENT)
        assert verdict.kind is kind


def test_a_kind_is_no_truth_value_either(deployment: Deployment) -> None:
    assert [(kind.name, kind.value) for kind in VerdictKind] == [
        ("VALID", 0),
        ("INVALID", 1),
        ("REVOKED", 2),
        ("SUSPENDED", 3),
        ("DECOY", 4),
    ]
    assert deployment.verify().kind == 0
    for kind in VerdictKind:
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(kind)
        assert pickle.loads(pickle.dumps(kind)) is kind
    assert [state.value for state in KeyState] == ["istina", "laz", "oboje", "nijedno"]
    assert pickle.loads(pickle.dumps(KeyState.DECOY)) is KeyState.DECOY


def test_a_verdict_is_neither_made_nor_carried_by_hand(deployment: Deployment) -> None:
    verdict: Any = deployment.verify()
    with pytest.raises(TypeError):
        dualseal.Verdict()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(verdict, protocol)
    with pytest.raises(TypeError, match="pickle"):
        copy.copy(verdict)
    with pytest.raises(AttributeError):
        verdict.kind = VerdictKind.VALID


def test_exceptions_survive_pickling(deployment: Deployment) -> None:
    with pytest.raises(InvalidError) as caught:
        deployment.verify(b"another").verified()
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.kind, again.reason, again.code) == (InvalidError, VerdictKind.INVALID, "content", 1)
    assert str(again) == str(caught.value) == "invalid: content"
