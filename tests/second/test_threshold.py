"""Threshold sessions: every field is bound, and every set of shares has its outcome."""

from __future__ import annotations

from typing import Any

import pytest
from dualseal_second import ids, krunica, threshold
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError
from dualseal_second.primitives import h5, public_key_of_seed
from dualseal_second.shamir import PRIME

MESSAGE = b"resolution 7"
SEED = bytes([9]) * 32
ALICE = ids.identity_id(DEFAULT, b"", "alice", "")
BOARD = ids.identity_id(DEFAULT, b"", "board", "")
OWNERS = [ids.identity_id(DEFAULT, b"", f"custodian {i}", "") for i in range(1, 6)]
KINDS = (threshold.HMAC, threshold.MLDSA)
Made = tuple[dict[str, Any], list[dict[str, Any]]]


def at(minute: int) -> str:
    return f"2026-11-21T10:{minute:02}:00.000Z"


def make(kind: str, split: str = "5e", k: int = 3, secret: int | None = None) -> Made:
    if secret is None:
        secret = int.from_bytes(SEED, "big") if kind == threshold.MLDSA else 2**520 + 7
    quorum = (BOARD, public_key_of_seed(SEED)) if kind == threshold.MLDSA else None
    coefficients = [secret, *(2**510 + 3 * i + int(split, 16) for i in range(1, k))]
    return threshold.deal(DEFAULT, kind, ("a1" * 32, split * 32), coefficients, OWNERS, at(0), quorum)


def signed(made: Made) -> tuple[dict[str, Any], dict[str, str]]:
    session, shares = made
    result, entry, _ = threshold.make(DEFAULT, session, shares[:3], MESSAGE, ALICE, at(1), krunica.Head())
    return result, entry


def verifies(made: Made, result: dict[str, Any], message: bytes = MESSAGE, domain: Domain = DEFAULT) -> bool:
    session, shares = made
    if session["algoritam"] == threshold.HMAC:
        return threshold.verify_with_shares(domain, session, message, result, shares[1:4])
    return threshold.verify_public(domain, session, message, result, public_key_of_seed(SEED))


def forged(share: dict[str, Any]) -> dict[str, Any]:
    value = (int(share["vrijednost_hex"], 16) + 1) % PRIME.MODULUS
    return share | {"vrijednost_hex": PRIME.encode(value).hex()}


def test_formulas_by_hand() -> None:
    session, shares = make(threshold.HMAC)
    first = shares[0]
    text = f"DUALSEAL-THRESHOLD::SHARE::{'a1' * 32}::{'5e' * 32}::3::5::1::{OWNERS[0]}::DUALSEAL".encode()
    assert session["udio_sidra"][0] == h5(text, bytes.fromhex(first["vrijednost_hex"]))
    text = f"DUALSEAL-THRESHOLD::ANCHOR::{'a1' * 32}::{threshold.HMAC}::DUALSEAL".encode()
    assert session["javni_sidro"] == h5(text, (2**520 + 7).to_bytes(66, "big"))
    result, entry = signed((session, shares))
    binding = ids.binding(DEFAULT, "a1" * 32, MESSAGE)
    assert entry["poruka"] == f"DUALSEAL-THRESHOLD::WITNESS::{binding}::DUALSEAL" and entry["w3"] == ALICE
    expected = f"DUALSEAL-THRESHOLD::RESULT::{threshold.HMAC}::{'a1' * 32}::{binding}::{ALICE}::{entry['h']}::"
    expected += f"{krunica.krunica_hash(entry['h'])}::{at(1)}::::DUALSEAL"
    assert threshold.statement(DEFAULT, session, MESSAGE, result) == expected.encode()


@pytest.mark.parametrize("kind", KINDS)
def test_any_quorum_verifies(kind: str) -> None:
    made = make(kind)
    result, _ = signed(made)
    assert verifies(made, result)
    assert not verifies(made, result, b"resolution 8")
    if kind == threshold.MLDSA:
        assert not verifies(made, result, MESSAGE, Domain.named("ACME"))


@pytest.mark.parametrize("kind", KINDS)
def test_no_member_of_a_result_can_be_altered(kind: str) -> None:
    made = make(kind)
    result, _ = signed(made)
    for name in ("potpis", "svjedok_hash", "weise3_hash", "krunica_hash"):
        text = result[name]
        for place in range(0, len(text), 61):
            digit = "1" if text[place] == "0" else "0"
            assert not verifies(made, result | {name: text[:place] + digit + text[place + 1 :]})
    for changes in ({"ts": at(2)}, {"culprits": [1]}, {"culprits": [2, 5]}):
        assert not verifies(made, result | changes)


def test_outcomes() -> None:
    session, shares = make(threshold.HMAC)
    other = make(threshold.HMAC, "0f")[1]
    cases: list[tuple[list[dict[str, Any]], list[int]]] = [
        ([], []),
        (shares[:2], []),
        ([*shares[:2], forged(shares[2])], [3]),
        ([*shares[:2], other[4]], [5]),
        ([*shares[:2], shares[2] | {"vlasnik": OWNERS[3]}], [3]),
        ([*shares[:2], shares[2] | {"indeks": 9}], [9]),
        ([*shares[:2], other[3] | {"split_id": session["split_id"]}], [4]),
    ]
    for given, culprits in cases:
        with pytest.raises(threshold.SharingError) as refused:
            threshold.reconstruct(DEFAULT, session, given)
        assert refused.value.culprits == culprits
        spare = [share for share in shares if share["indeks"] not in [given_share["indeks"] for given_share in given]]
        assert threshold.reconstruct(DEFAULT, session, given + spare)[1] == culprits
    # An index counts once, and junk in the name of who sent a good share accuses nobody.
    with pytest.raises(threshold.SharingError) as refused:
        threshold.reconstruct(DEFAULT, session, [*shares[:2], shares[0], forged(shares[1])])
    assert refused.value.culprits == []
    assert threshold.reconstruct(DEFAULT, session, [forged(shares[1]), *shares[:3], shares[0]])[1:] == ([], [])
    found = threshold.health(DEFAULT, session, [shares[0], forged(shares[1]), other[2], shares[3] | {"indeks": 8}])
    assert found == threshold.Health([1], [2, 3, 4, 5], [2], [3, 8])


def test_a_dealer_at_fault() -> None:
    session, shares = make(threshold.HMAC)
    with pytest.raises(threshold.SharingError, match="dealer fault"):
        threshold.reconstruct(DEFAULT, session | {"javni_sidro": "0" * 128}, shares[:3])
    for secret in (1, 2**256 + int.from_bytes(SEED, "big"), 0):
        made = make(threshold.MLDSA, secret=secret)
        with pytest.raises(threshold.ThresholdError):
            signed(made)


def chain_of(records: list[dict[str, Any]]) -> list[krunica.Located]:
    head = krunica.Head()
    located: list[krunica.Located] = []
    for record in records:
        message = threshold.session_message(DEFAULT, record)
        entry, head = krunica.append(head, ALICE, message, record["kreiran"])
        located.append(krunica.Located("log", len(located), entry))
    return located


def next_of(made: dict[str, Any], split: str, k: int = 3, secret: int | None = None, **changes: Any) -> dict[str, Any]:
    """A successor with the authority of a secret: the session's own where none is named."""
    kind = made["algoritam"]
    own = int.from_bytes(SEED, "big") if kind == threshold.MLDSA else 2**520 + 7
    record = make(kind, split, k)[0] | {"prethodni": made["split_id"]} | changes
    if kind == threshold.MLDSA and secret is not None:
        return record | {"ovlast": "0" * 6618}
    return threshold.authorise(DEFAULT, record, own if secret is None else secret)


@pytest.mark.parametrize("kind", KINDS)
def test_generations(kind: str) -> None:
    first = make(kind)[0]
    second = next_of(first, "0f", 2)
    third = next_of(second, "1f")
    secret = int.from_bytes(SEED, "big") if kind == threshold.MLDSA else 2**520 + 7

    def found(
        records: list[dict[str, Any]], given: list[dict[str, Any]], revoked: int | None = None
    ) -> threshold.Found:
        located = chain_of(records)
        founder = next(
            krunica.krunica_hash(one.entry["h"])
            for one in located
            if one.entry["poruka"] == threshold.session_message(DEFAULT, first)
        )
        result = threshold.find(DEFAULT, "a1" * 32, founder, located, given, revoked)
        return result.by_secret(DEFAULT, secret) if kind == threshold.HMAC else result

    everything = [first, second, third]
    assert found([first], everything).in_force == first
    assert found(everything, everything).in_force == third
    assert found(everything, everything, 2).in_force == second
    # An old generation again, a second successor, one without authority, of another secret or with other constants.
    again = found([*everything, first, second], everything)
    assert (again.in_force, again.ignored) == (third, [(3, "repeated"), (4, "repeated")])
    rival = next_of(first, "2f")
    assert found([first, second, rival], [*everything, rival]).in_force == second
    prepared = second | {"ovlast": None}
    assert found([first, prepared], [first, prepared]).ignored == [(1, "forged-generation")]
    forged = next_of(first, "3f", secret=12345)
    assert found([first, forged, second], [*everything, forged]).in_force == second
    assert (1, "forged-generation") in found([first, forged, second], [*everything, forged]).ignored
    burnt = second | {"ovlast": forged["ovlast"]}
    assert found([first, burnt, second], [*everything, burnt]).in_force == second
    changed = next_of(first, "4f", javni_sidro="0" * 128)
    assert found([first, changed], [first, changed]).ignored == [(1, "changed")]
    # Without its record an entry is unknown, and stops nothing.
    assert found([second, *everything], [first]).ignored[0] == (0, "before-founder")
    assert found([first, forged, second], [first, second]).in_force == second
    with pytest.raises(threshold.ThresholdError, match="missing"):
        found(everything, [second])
    with pytest.raises(threshold.ThresholdError, match="not located"):
        threshold.find(DEFAULT, "a1" * 32, "0" * 64, chain_of(everything), everything)


@pytest.mark.parametrize("kind", KINDS)
def test_malformed_records(kind: str) -> None:
    session, shares = make(kind)
    result, _ = signed((session, shares))
    for changes in (
        {"k": 1}, {"k": 6}, {"n": 4}, {"n": 256}, {"udio_sidra": session["udio_sidra"][:4]}, {"algoritam": "ML-DSA-65"},
        {"javni_sidro": "0"}, {"kreiran": "now"}, {"extra": 1}, {"k": True}, {"prethodni": ""}, {"prethodni": 1},
        {"ovlast": "0" * 128}, {"ovlast": "0" * 6618}, {"prethodni": "0" * 64, "ovlast": "0"},
    ):  # fmt: skip
        with pytest.raises(FormatError):
            threshold.parse_session(session | changes)
    for changes in ({"indeks": 0}, {"indeks": 256}, {"vrijednost_hex": "f" * 132}, {"vlasnik": None}):
        with pytest.raises(FormatError):
            threshold.parse_share(shares[0] | changes)
    for changes in (
        {"ok": None}, {"ok": False}, {"razlog": "ok"}, {"culprits": [2, 1]}, {"culprits": [0]}, {"culprits": None},
        {"potpis": "00"}, {"ts": 1}, {"algoritam": "SHAMIR"},
    ):  # fmt: skip
        with pytest.raises(FormatError):
            threshold.parse_result(result | changes)
    other = KINDS[1 - KINDS.index(kind)]
    with pytest.raises(FormatError):
        threshold.parse_session(session | {"algoritam": other})


def test_a_located_entry_counts_for_its_result_alone() -> None:
    made = make(threshold.MLDSA)
    result, entry = signed(made)
    located = krunica.Located("log", 0, entry)
    assert threshold.counts(DEFAULT, located, made[0], MESSAGE, result)
    for other in ({"ts": at(2)}, {"weise3_hash": BOARD}, {"krunica_hash": "0" * 64}):
        assert not threshold.counts(DEFAULT, located, made[0], MESSAGE, result | other)
    assert not threshold.counts(DEFAULT, located, made[0], b"", result)
