"""Checking seals: what each policy asks for and accepts, in every state of the key."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import dataclass, field
from typing import Any

import dualseal
import pytest
from dualseal import (
    Authenticated,
    DecoyError,
    Domain,
    InvalidError,
    KeyState,
    LayerOutcome,
    Located,
    MalformedError,
    MisuseError,
    RevokedError,
    Seal,
    Sealer,
    SealFormat,
    SealKey,
    SealOutcome,
    SealPolicy,
    SealReport,
    SealVerifier,
    SigningKey,
    SuspendedError,
    Verdict,
    VerdictError,
    VerdictKind,
)

from conftest import Deployment, Log, minute, places

PAYLOAD = b"one contract"
PASS, FAIL = LayerOutcome.PASS, LayerOutcome.FAIL
NOT_CHECKED, ABSENT = LayerOutcome.NOT_CHECKED, LayerOutcome.ABSENT
BOTH, LAYER_A, LAYER_B = SealPolicy.BOTH, SealPolicy.LAYER_A, SealPolicy.LAYER_B


@dataclass
class Sealed:
    deployment: Deployment
    key: SealKey
    seal: Seal = field(init=False)

    def __post_init__(self) -> None:
        self.seal = self.sealer().seal(PAYLOAD)

    def sealer(self, signing: SigningKey | None = None) -> Sealer:
        deployment = self.deployment
        return Sealer(deployment.domain, deployment.identity, self.key, signing or deployment.key)

    def check(
        self,
        policy: SealPolicy | str = BOTH,
        payload: bytes = PAYLOAD,
        seal: Seal | None = None,
        key: SealKey | None = None,
        allow_legacy: bool = False,
        place: Located | None = None,
    ) -> SealReport:
        verifier = SealVerifier(self.deployment.domain, self.deployment.ring)
        return verifier.verify(
            seal or self.seal,
            payload,
            self.deployment.identity,
            policy=policy,
            seal_key=None if policy == LAYER_B else key or self.key,
            allow_legacy=allow_legacy,
            place=place,
        )


@pytest.fixture
def sealed(deployment: Deployment) -> Sealed:
    return Sealed(deployment, SealKey.derive(deployment.domain, bytes([9]) * 32, deployment.identity))


def verdict_of(report: SealReport) -> Verdict[Seal]:
    assert report.verdict is not None
    assert report.authenticated is None
    return report.verdict


def with_signature_of(seal: Seal, other: Seal) -> Seal:
    return Seal.parse("::".join([*str(seal).split("::")[:2], str(other).split("::")[2]]))


def test_a_good_seal_under_every_policy(sealed: Sealed) -> None:
    for policy, outcomes in [(BOTH, (PASS, PASS)), (LAYER_B, (NOT_CHECKED, PASS))]:
        report = sealed.check(policy)
        verdict = verdict_of(report)
        assert (report.layer_a, report.layer_b) == outcomes
        assert (verdict.kind, verdict.verified()) == (VerdictKind.VALID, sealed.seal)
        assert (verdict.identity_id, verdict.time) == (sealed.deployment.identity, None)
        assert report.internal() == report.public() == SealOutcome.OK
        for name in (policy.value, policy):
            assert verdict_of(sealed.check(name)).kind is VerdictKind.VALID
    report = sealed.check(LAYER_A)
    assert (report.layer_a, report.layer_b, report.verdict) == (PASS, NOT_CHECKED, None)
    assert isinstance(report.authenticated, Authenticated)
    assert report.authenticated.identity_id == sealed.deployment.identity
    assert report.authenticated.format is SealFormat.DUAL
    assert report.authenticated == sealed.check("layer_a").authenticated
    assert report.internal() == report.public() == SealOutcome.OK


def test_bad_layers(sealed: Sealed) -> None:
    other = sealed.sealer().seal(b"another contract")
    mixed = with_signature_of(sealed.seal, other)
    strange = SealKey.from_bytes(bytes([1]) * 32)
    cases: list[tuple[SealReport, LayerOutcome, LayerOutcome, str]] = [
        (sealed.check(payload=b"another contract"), FAIL, FAIL, "content"),
        (sealed.check(key=strange), FAIL, PASS, "content"),
        (sealed.check(seal=mixed), PASS, FAIL, "signature"),
        (sealed.check(LAYER_B, seal=mixed), NOT_CHECKED, FAIL, "signature"),
        (sealed.check(LAYER_B, payload=b"another contract"), NOT_CHECKED, FAIL, "signature"),
        (sealed.check(seal=sealed.sealer(SigningKey.generate()).seal(PAYLOAD)), PASS, FAIL, "signature"),
    ]
    for report, layer_a, layer_b, reason in cases:
        assert (report.layer_a, report.layer_b, verdict_of(report).reason) == (layer_a, layer_b, reason)
        assert report.internal() == report.public() == SealOutcome.REJECTED
        with pytest.raises(InvalidError) as caught:
            verdict_of(report).verified()
        assert caught.value.reason == reason
    report = sealed.check(LAYER_A, key=strange)
    assert (report.layer_a, report.verdict, report.authenticated) == (FAIL, None, None)
    assert report.internal() == SealOutcome.REJECTED


def test_another_domain_or_identity_accepts_nothing(sealed: Sealed) -> None:
    deployment = sealed.deployment
    elsewhere = SealVerifier(Domain("ACME"), deployment.ring)
    report = elsewhere.verify(sealed.seal, PAYLOAD, deployment.identity, policy=BOTH, seal_key=sealed.key)
    # Layer A has no domain in it.
    assert (report.layer_a, report.layer_b) == (PASS, FAIL)
    verifier = SealVerifier(deployment.domain, deployment.ring)
    unknown = verifier.verify(sealed.seal, PAYLOAD, "0" * 64, policy=BOTH, seal_key=sealed.key)
    assert verdict_of(unknown).reason == "unknown identity"


@pytest.mark.parametrize(
    ("state", "error", "internal", "public"),
    [
        (KeyState.REVOKED, RevokedError, SealOutcome.REJECTED, SealOutcome.REJECTED),
        (KeyState.SUSPENDED, SuspendedError, SealOutcome.SUSPENDED, SealOutcome.SUSPENDED),
        (KeyState.DECOY, DecoyError, SealOutcome.DECOY, SealOutcome.OK),
    ],
)
def test_the_state_of_the_key(
    sealed: Sealed, state: KeyState, error: type[VerdictError], internal: SealOutcome, public: SealOutcome
) -> None:
    sealed.deployment.set_state(state)
    for policy in (BOTH, LAYER_B):
        report = sealed.check(policy)
        assert (report.internal(), report.public()) == (internal, public)
        assert json.loads(report.to_json()) == [False, internal.value]
        assert json.loads(report.to_public_json()) == [public is SealOutcome.OK, public.value]
        # A pair would be true whatever it says.
        for told in (report, report.internal(), report.public()):
            with pytest.raises(TypeError, match="neither true nor false"):
                bool(told)
        assert verdict_of(report).state is state
        with pytest.raises(error):
            verdict_of(report).verified()
    # Layer A asks no key.
    assert sealed.check(LAYER_A).authenticated is not None


def test_legacy_seals(sealed: Sealed) -> None:
    legacy = sealed.sealer().seal_legacy(PAYLOAD)
    for policy in (BOTH, LAYER_B):
        for allowed in (False, True):
            report = sealed.check(policy, seal=legacy, allow_legacy=allowed)
            assert (report.layer_b, verdict_of(report).reason) == (ABSENT, "legacy seal")
    refused, allowed_report = (sealed.check(LAYER_A, seal=legacy, allow_legacy=allowed) for allowed in (False, True))
    assert (refused.layer_a, refused.authenticated, refused.internal()) == (PASS, None, SealOutcome.REJECTED)
    assert allowed_report.authenticated is not None
    assert allowed_report.authenticated.format is SealFormat.LEGACY
    # A key of a legacy length has nothing to say of a dual seal.
    short = SealKey.legacy(bytes([3]) * 20)
    assert sealed.check(LAYER_A, key=short, allow_legacy=True).layer_a is FAIL


def test_a_reserved_payload(sealed: Sealed) -> None:
    payload = b"DUALSEAL-VAULT::x"
    report = sealed.check(payload=payload)
    assert (report.layer_a, verdict_of(report).reason) == (FAIL, "reserved payload")
    assert sealed.check(LAYER_A, payload=payload).authenticated is None


def test_a_seal_outlives_its_key_by_its_place(sealed: Sealed, log: Log) -> None:
    deployment = sealed.deployment
    entry, _ = sealed.seal.append_to(deployment.head, deployment.domain, deployment.identity, minute(2))
    deployment.chain.push(entry)
    deployment.rotate(SigningKey.generate().public_key)
    late, _ = sealed.seal.append_to(deployment.head, deployment.domain, deployment.identity, minute(3))
    deployment.chain.push(late)
    handles = [entry.krunica_hash, late.krunica_hash]
    before, after = places(log.covering(deployment.head), deployment.chain, handles)
    for policy in (BOTH, LAYER_B):
        assert verdict_of(sealed.check(policy)).reason == "retired key"
        assert verdict_of(sealed.check(policy, place=after)).reason == "retired key"
        assert verdict_of(sealed.check(policy, place=before)).verified() == sealed.seal


def test_policy_and_key_belong_together(sealed: Sealed) -> None:
    verifier, identity = SealVerifier(sealed.deployment.domain, sealed.deployment.ring), sealed.deployment.identity
    for policy in (BOTH, LAYER_A, "both", "layer_a"):
        with pytest.raises(TypeError, match="needs seal_key"):
            verifier.verify(sealed.seal, PAYLOAD, identity, policy=policy)
    for policy in (LAYER_B, "layer_b"):
        with pytest.raises(TypeError, match="takes no seal_key"):
            verifier.stream(sealed.seal, identity, policy=policy, seal_key=sealed.key)
    for unknown in ("BOTH", "", "SEAL-DUAL"):
        with pytest.raises(MalformedError) as caught:
            verifier.verify(sealed.seal, PAYLOAD, identity, policy=unknown)
        assert (caught.value.field, caught.value.code) == ("policy", 107)
    with pytest.raises(TypeError, match="policy"):
        verifier.verify(sealed.seal, PAYLOAD, identity)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        verifier.verify(sealed.seal, PAYLOAD, identity, policy=None)  # type: ignore[arg-type]


def test_seals_as_text_and_payloads_in_parts(sealed: Sealed) -> None:
    verifier, identity = SealVerifier(sealed.deployment.domain, sealed.deployment.ring), sealed.deployment.identity
    report = verifier.verify(str(sealed.seal), memoryview(PAYLOAD), identity, policy="layer_b")
    assert verdict_of(report).kind is VerdictKind.VALID
    check = verifier.stream(str(sealed.seal), identity, policy=BOTH, seal_key=sealed.key)
    for byte in PAYLOAD:
        check.update(bytearray([byte]))
    assert verdict_of(check.finish()).verified() == sealed.seal
    for call in (check.finish, lambda: check.update(b"")):
        with pytest.raises(MisuseError) as caught:
            call()
        assert caught.value.code == 321
    with pytest.raises(MalformedError):
        verifier.verify("SEAL-DUAL::", PAYLOAD, identity, policy=LAYER_B)
    with pytest.raises(TypeError):
        verifier.verify(sealed.seal.info(), PAYLOAD, identity, policy=LAYER_B)  # type: ignore[arg-type]


def test_a_verifier_sees_every_change_of_its_ring(sealed: Sealed) -> None:
    deployment = sealed.deployment
    verifier = SealVerifier(deployment.domain, deployment.ring, cache_bytes=0)
    assert verifier.ring is deployment.ring
    begun = verifier.stream(sealed.seal, deployment.identity, policy=LAYER_B)
    deployment.set_state(KeyState.REVOKED)
    begun.update(PAYLOAD)
    # A check goes by the ring as it was when it began.
    assert verdict_of(begun.finish()).kind is VerdictKind.VALID
    report = verifier.verify(sealed.seal, PAYLOAD, deployment.identity, policy=LAYER_B)
    assert verdict_of(report).kind is VerdictKind.REVOKED


def test_no_report_is_a_truth_value(sealed: Sealed) -> None:
    for policy in SealPolicy:
        report = sealed.check(policy)
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(report)
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(report.layer_a)
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(verdict_of(report)) if policy != LAYER_A else bool(report.layer_b)


def test_results_are_neither_made_nor_carried_by_hand(sealed: Sealed) -> None:
    values: list[Any] = [sealed.check(), sealed.check(LAYER_A).authenticated, sealed.check().verdict]
    for value in values:
        with pytest.raises(TypeError):
            type(value)()
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(value, protocol)
        with pytest.raises(TypeError, match="pickle"):
            copy.copy(value)
    assert dualseal.Verdict[Seal] is not None
