"""The vault: sealing, verifying layer by layer, and taking documents out again."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import dualseal
import pytest
from dualseal import (
    DrawnSecret,
    Encryption,
    InvalidError,
    KeyState,
    MalformedError,
    MisuseError,
    RejectedError,
    SharingField,
    SigningKey,
    StoredHash,
    StoredHasher,
    Tier,
    Unsealer,
    VaultMaster,
    VaultOutcome,
    VaultPolicy,
    VaultRecord,
    VaultSealer,
    VaultVerifier,
    VerdictKind,
    unseal,
)

from archive import TEXT, Archive, Kept, minute

LAYERS = [f"L{number}" for number in range(9)]


@pytest.fixture
def archive() -> Archive:
    return Archive()


def outcomes(report: dualseal.VaultReport) -> str:
    letters = {"pass": "p", "fail": "f", "recorded": "r", "not_checked": "-", "not_required": "n"}
    assert list(report.layers) == LAYERS
    return "".join(letters[outcome.value] for outcome, _ in report.layers.values())


@pytest.mark.parametrize("encryption", Encryption)
def test_what_is_sealed_verifies_and_opens(archive: Archive, encryption: Encryption) -> None:
    kept = archive.seal(TEXT, encryption)
    assert (kept.secret is None, kept.stored == TEXT) == ((encryption is Encryption.NONE,) * 2)
    report = archive.judge(kept)
    assert report.verdict.kind is VerdictKind.VALID
    assert outcomes(report) == "prppppppp"
    assert report.failed is None and report.vault_id == kept.record.vault_id
    assert report.to_dict()["layers"]["L8"] == {"outcome": "pass", "reason": None}
    verified = report.verdict.verified()
    assert verified.record.to_stored_json() == kept.record.to_stored_json()
    assert unseal(verified, kept.stored, secret=kept.secret) == TEXT
    if kept.secret is not None:
        kept_apart = kept.secret.to_bytes()
        for given in (kept_apart, bytearray(kept_apart), DrawnSecret.from_bytes(kept_apart)):
            assert unseal(verified, kept.stored, secret=given) == TEXT
            unsealer = Unsealer(verified, secret=given)
            assert unsealer.update(kept.stored) + unsealer.finish() == TEXT
    assert str(report).count("\n") == 9


def test_everybody_verifies_without_a_secret(archive: Archive) -> None:
    kept = archive.seal()
    redacted = kept.record.redacted()
    assert redacted.is_redacted and not kept.record.is_redacted
    assert redacted.to_dict()["L7"] == {"fragment": None}
    assert pickle.loads(pickle.dumps(redacted)).to_stored_json() == redacted.to_stored_json()
    # Whoever writes the stored record without asking for the fragment gives none away.
    fragment = json.loads(kept.record.to_stored_json())["L7"]["fragment"]
    assert len(fragment) == 64 and fragment not in kept.record.to_json()
    assert kept.record.to_json() == redacted.to_json() == redacted.to_stored_json()
    assert kept.record.to_dict() == redacted.to_dict()
    public = VaultVerifier(archive.domain, archive.ring.public())
    stored = StoredHash.of(archive.domain, kept.stored)
    for record in (redacted, redacted.to_json(), redacted.to_dict(), redacted.to_json().encode()):
        report = public.verify(record, stored, signer=archive.identity, policy=VaultPolicy.public())
        assert report.verdict.kind is VerdictKind.VALID
        assert outcomes(report) == "pr-p-p---"
    assert report.layers["L2"] == (VaultOutcome.NOT_CHECKED, "no master given")
    with pytest.raises(TypeError, match="operator's policy"):
        unseal(report.verified(), kept.stored, secret=kept.secret)
    with pytest.raises(TypeError, match="operator's policy"):
        Unsealer(report.verified(), secret=kept.secret)


def test_a_record_says_what_it_is_of(archive: Archive) -> None:
    archive.seal()
    sealed, stored = archive.vault.seal(
        bytearray(TEXT),
        "DEED",
        encryption="none",
        ledger=archive.ledger,
        head=archive.chain.head,
        time=minute(2),
        note="scanner 4",
    )
    record = sealed.record
    assert (record.kind, record.seq, record.note, record.length) == ("DEED", 1, "scanner 4", len(TEXT))
    assert (record.tier, record.encryption) == (Tier.NATIVE, Encryption.NONE)
    assert (record.created_at, record.identity_id) == (minute(2), archive.identity)
    assert (record.key_id, record.ledger) == (archive.master.key_id, archive.ledger.ledger)
    assert record.baseline == StoredHash.of(archive.domain, stored).baseline
    assert record.entry == sealed.entry and record.krunica_hash == sealed.entry.krunica_hash
    assert record.ledger_head == sealed.ledger and sealed.ledger.size == 2
    assert record.vault_id == archive.domain.vault_id(TEXT, archive.identity, "DEED", 1)
    again = VaultRecord.from_dict(record.to_dict())
    assert again.to_json() == record.to_json()
    assert record.seal_id.startswith("SEAL-DUAL::")


CHANGES = [
    (("sealed", "layers", "L0", "hash"), "L0"),
    (("sealed", "layers", "L2", "hmac"), "L2"),
    (("sealed", "header", "key_id"), "L2"),
    (("sealed", "layers", "L3", "baseline"), "L3"),
    (("sealed", "header", "vault_id"), "L3"),
    (("sealed", "layers", "L4", "signature"), "L4"),
    (("sealed", "layers", "L1", "text"), "L5"),
    (("L6",), "L6"),
    (("krunica_hash",), "L6"),
    (("L8", "h"), "L6"),
    (("L7", "fragment"), "L7"),
    (("L8", "w3"), "L8"),
]


@pytest.mark.parametrize(("path", "layer"), CHANGES)
def test_every_change_is_caught_by_its_layer(archive: Archive, path: tuple[str, ...], layer: str) -> None:
    kept = archive.seal()
    members: dict[str, Any] = json.loads(kept.record.to_stored_json())
    place = members
    for name in path[:-1]:
        place = place[name]
    old: str = place[path[-1]]
    place[path[-1]] = ("2" if old.startswith("1") else "1") + old[1:]
    report = archive.judge(kept, VaultRecord.from_dict(members))
    assert (report.verdict.kind, report.failed) == (VerdictKind.INVALID, layer)
    assert report.layers[layer][0] is VaultOutcome.FAIL and report.layers[layer][1]
    # A refusal tells others neither the layer nor the reason.
    assert report.to_public_dict()["layers"] is None
    for refused in (report.verified, report.verdict.verified):
        with pytest.raises(InvalidError) as caught:
            refused()
        assert (caught.value.failed, caught.value.reason, caught.value.code) == (layer, layer, 1)
        again = pickle.loads(pickle.dumps(caught.value))
        assert again.failed == layer


def test_other_bytes_masters_and_tiers_are_refused(archive: Archive) -> None:
    first, second = archive.seal(), archive.seal(b"second")
    changed = bytearray(first.stored)
    changed[70] ^= 1
    report = archive.verifier.verify(first.record, changed, signer=archive.identity, policy=VaultPolicy.public())
    assert outcomes(report) == "fr-f-p---" and report.failed == "L0"
    after = archive.verifier.verify(
        second.record,
        second.stored,
        signer=archive.identity,
        policy=VaultPolicy.public(),
        after=first.record.ledger_head,
    )
    assert after.verdict.kind is VerdictKind.VALID
    wrong = archive.verifier.verify(
        second.record, second.stored, signer=archive.identity, policy=VaultPolicy.public(), after=archive.ledger
    )
    assert wrong.failed == "L0"
    # Without its place a record is not enough for the operator.
    unplaced = archive.verifier.verify(first.record, first.stored, signer=archive.identity, policy=archive.operator)
    assert (unplaced.verdict.kind, unplaced.failed) == (VerdictKind.INVALID, None)
    other = VaultPolicy.operator(VaultMaster.generate(archive.domain), tier_keys=archive.tiers)
    stranger = archive.verifier.verify(first.record, first.stored, signer=archive.identity, policy=other)
    assert stranger.layers["L2"] == (VaultOutcome.FAIL, "another master") and stranger.failed == "L2"
    plain = VaultSealer(archive.master, archive.identity, archive.key)
    sealed, stored = plain.seal(
        b"", "EMPTY", encryption="none", ledger=archive.ledger, head=archive.chain.head, time=minute(3)
    )
    low = archive.judge(archive.keep(sealed, stored))
    assert low.failed == "L4"
    assert VaultPolicy.public(least_tier="native", tier_keys=archive.tiers) is not None
    with pytest.raises(MisuseError) as caught:
        VaultPolicy.public(least_tier=Tier.NOBLE)
    assert caught.value.code == 333


def test_only_the_right_secret_opens(archive: Archive) -> None:
    kept, plain = archive.seal(), archive.seal(encryption="none")
    verified = archive.verified(kept)
    with pytest.raises(RejectedError) as key:
        unseal(verified, kept.stored, secret=DrawnSecret.draw(SharingField.GF_2_256))
    for other in (bytes(32), bytes(66), DrawnSecret.draw(SharingField.FP_521).to_bytes()):
        with pytest.raises(RejectedError):
            unseal(verified, kept.stored, secret=other)
    for none_at_all in (b"", bytes(31), bytes(67)):
        with pytest.raises(MalformedError, match="secret"):
            unseal(verified, kept.stored, secret=none_at_all)
    with pytest.raises(MisuseError) as none:
        unseal(verified, kept.stored)
    changed = bytearray(kept.stored)
    changed[80] ^= 1
    with pytest.raises(RejectedError) as chunk:
        unseal(verified, changed, secret=kept.secret)
    with pytest.raises(RejectedError) as stored:
        unseal(archive.verified(plain), b"x" + plain.stored[1:])
    assert (key.value.code, none.value.code, chunk.value.code, chunk.value.index) == (216, 334, 217, 0)
    assert stored.value.code == 250


def test_documents_go_in_parts(archive: Archive) -> None:
    document = bytes(number * 31 % 251 for number in range(200_001))
    parts = [document[start : start + 7001] for start in range(0, len(document), 7001)]
    sealing = archive.vault.stream("SCAN", encryption="CHACHA20-POLY1305-STREAM")
    stored = b"".join(sealing.update(part) for part in parts)
    sealed, rest = sealing.finish(ledger=archive.ledger, head=archive.chain.head, time=minute(1))
    kept = archive.keep(sealed, stored + rest)
    with pytest.raises(MisuseError) as ended:
        sealing.update(b"x")
    with pytest.raises(MisuseError) as again:
        sealing.finish(ledger=archive.ledger, head=archive.chain.head, time=minute(1))
    assert (ended.value.code, again.value.code) == (321, 321)
    hasher = StoredHasher(archive.domain)
    hasher.update(kept.stored[:100_000])
    hasher.update(memoryview(kept.stored)[100_000:])
    assert hasher.finish().length == len(kept.stored)
    assert hasher.finish().baseline == kept.record.baseline
    verified = archive.verified(kept)
    unsealer = Unsealer(verified, secret=kept.secret)
    plain = b"".join(unsealer.update(kept.stored[at : at + 9001]) for at in range(0, len(kept.stored), 9001))
    assert plain + unsealer.finish() == document
    # A beginning is given out, and the end says that it was not the whole.
    cut = Unsealer(verified, secret=kept.secret)
    assert document.startswith(cut.update(kept.stored[:150_000]))
    with pytest.raises(RejectedError) as truncated:
        cut.finish()
    assert truncated.value.code == 217
    long = Unsealer(verified, secret=kept.secret)
    with pytest.raises(RejectedError) as longer:
        long.update(kept.stored + b"x")
    assert longer.value.code == 250
    with pytest.raises(dualseal.DualsealError):
        long.update(b"x")


def test_what_cannot_be_served_is_named(archive: Archive) -> None:
    at: dict[str, Any] = {"ledger": archive.ledger, "head": archive.chain.head, "time": minute(1)}
    with pytest.raises(MisuseError) as reserved:
        archive.vault.seal(b"", "ERASURE", encryption="none", **at)
    assert reserved.value.code == 330
    for kind, encryption, field in (("a::b", "none", "type"), ("A", "zip", "encryption"), ("", "none", "type")):
        with pytest.raises(MalformedError) as malformed:
            archive.vault.seal(b"", kind, encryption=encryption, **at)
        assert malformed.value.field == field
    with pytest.raises(TypeError, match="tier_key"):
        VaultSealer(archive.master, archive.identity, archive.key, tier="noble")
    with pytest.raises(MalformedError, match="tier"):
        VaultSealer(archive.master, archive.identity, archive.key, tier_key=archive.tier_key)
    with pytest.raises(MalformedError, match="tier"):
        archive.tiers.enrol(archive.identity, "public", archive.tier_key.public_key)
    with pytest.raises(MalformedError) as zeros:
        VaultMaster(archive.domain, bytes(32))
    assert (zeros.value.field, zeros.value.code) == ("master", 119)
    with pytest.raises(MalformedError, match="L5"):
        VaultRecord.from_json("{}")


def test_another_identitys_record_is_invalid_whoever_that_is(archive: Archive) -> None:
    eve, key = archive.domain.identity_id(b"", "eve", ""), SigningKey.generate()
    entry, _ = archive.ring.add(eve, key.public_key, head=archive.chain.head, time=minute(4))
    archive.chain.push(entry)
    vault = VaultSealer(archive.master, eve, key)
    sealed, stored = vault.seal(
        b"deed",
        "DEED",
        encryption=Encryption.NONE,
        ledger=archive.ledger,
        head=archive.chain.head,
        time=minute(5),
    )
    policy = VaultPolicy.public()
    report = archive.verifier.verify(sealed.record, stored, signer=archive.identity, policy=policy)
    assert (report.verdict.kind, report.verdict.reason) == (VerdictKind.INVALID, "other signer")
    assert report.verdict.state is None and report.failed is None
    assert archive.verifier.verify(sealed.record, stored, signer=eve, policy=policy).verdict.kind is VerdictKind.VALID
    who, anybodys = archive.verifier.verify_any_signer(sealed.record, stored, policy=policy)
    assert (who, anybodys.verdict.kind) == (eve, VerdictKind.VALID)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (KeyState.REVOKED, VerdictKind.REVOKED),
        (KeyState.SUSPENDED, VerdictKind.SUSPENDED),
        (KeyState.DECOY, VerdictKind.DECOY),
    ],
)
def test_the_state_of_the_key_decides(archive: Archive, state: KeyState, kind: VerdictKind) -> None:
    kept = archive.seal()
    valid = archive.judge(kept).to_public_json()
    archive.set_state(state)
    report = archive.judge(kept)
    assert report.verdict.kind is kind and report.failed is None
    # What others are told of a decoy is what they are told of a valid record.
    assert (report.to_public_json() == valid) == (kind is VerdictKind.DECOY)
    with pytest.raises(dualseal.VerdictError) as caught:
        report.verified()
    assert (caught.value.kind, caught.value.failed) == (kind, None)


def holders(archive: Archive, kept: Kept) -> list[object]:
    verified = archive.verified(kept)
    unsealer = Unsealer(verified, secret=kept.secret)
    return [archive.master, kept.record, archive.vault, archive.judge(kept), verified, unsealer]


def test_secrets_are_neither_shown_nor_pickled(archive: Archive) -> None:
    kept = archive.seal()
    assert kept.secret is not None
    fragment = json.loads(kept.record.to_stored_json())["L7"]["fragment"]
    shown = [archive.master.to_bytes().hex(), kept.secret.to_bytes().hex(), fragment]
    for holder in [*holders(archive, kept), archive.operator, kept.secret, archive.ledger]:
        for text in (repr(holder), str(holder)):
            assert not any(secret in text for secret in shown), type(holder)
    for holder in holders(archive, kept):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError):
                attempt(holder)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(archive.judge(kept))
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(VaultOutcome.FAIL)
