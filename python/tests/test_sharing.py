"""Secret sharing: every commitment recomputed here, bad shares and who sent them, and the numbers that are refused."""

from __future__ import annotations

import hashlib
import itertools
import json
import pickle
from collections.abc import Callable

import pytest
from dualseal import (
    Dealing,
    Domain,
    DrawnSecret,
    MalformedError,
    Purpose,
    Share,
    SharingError,
    SharingField,
    decrypt,
    encrypt,
    reconstruct_unanchored,
)

FIELDS = list(SharingField)
SIZES = {SharingField.FP_521: 66, SharingField.GF_2_256: 32}


def bad(share: Share) -> Share:
    """The same number with another value."""
    return Share.from_bytes(share.field, share.index, bytes(SIZES[share.field]))


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", ["DUALSEAL", "ACME"])
def test_a_dealing_commits_by_its_formulas(field: SharingField, name: str) -> None:
    secret = DrawnSecret.draw(field)
    dealing, shares = Dealing.deal(Domain(name), secret, k=3, n=5)
    beginning = f"{name}-SHARD"
    anchor = f"{beginning}::ANCHOR::{dealing.dealing_id}::{name}".encode() + secret.to_bytes()
    values = [
        f"{beginning}::VALUE::{dealing.split_id}::{share.index}::{name}".encode() + share.to_bytes()
        for share in shares
    ]
    assert dealing.to_dict() == {
        "algoritam": field.value,
        "dealing_id": dealing.dealing_id,
        "javni_sidro": hashlib.sha3_512(anchor).hexdigest(),
        "k": 3,
        "n": 5,
        "split_id": dealing.split_id,
        "udio_sidra": [hashlib.sha3_512(value).hexdigest() for value in values],
    }


@pytest.mark.parametrize("field", FIELDS)
def test_a_secret_that_was_read_opens_and_is_not_shared(domain: Domain, field: SharingField) -> None:
    drawn, purpose = DrawnSecret.draw(field), Purpose(domain, "0" * 64, "FILE")
    stored = encrypt(drawn, purpose, b"text")
    for given in (drawn.to_bytes(), bytearray(drawn.to_bytes()), memoryview(drawn.to_bytes())):
        read = DrawnSecret.from_bytes(given)
        assert (read.field, read.to_bytes(), repr(read)) == (field, drawn.to_bytes(), "DrawnSecret([redacted])")
        assert decrypt(read, purpose, stored) == decrypt(given, purpose, stored) == b"text"
    assert decrypt(drawn, purpose, encrypt(read, purpose, b"again")) == b"again"
    # Nobody knows who chose it, and an anchor of it would let others try.
    with pytest.raises(TypeError, match="not shared"):
        read.split(k=2, n=3)
    with pytest.raises(TypeError, match="not shared"):
        Dealing.deal(domain, read, k=2, n=3)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(read)


@pytest.mark.parametrize(("data", "code"), [
    (b"", 100), (b"1" * 31, 100), (b"1" * 65, 100), (b"1" * 67, 100),
    # 2^521 - 1 and above are no elements, and no draw gives zeros.
    (b"\x01" + b"\xff" * 65, 106), (b"\xff" * 66, 106), (bytes(32), 119), (bytes(66), 119),
])  # fmt: skip
def test_what_no_secret_is_made_of_is_refused(data: bytes, code: int) -> None:
    with pytest.raises(MalformedError) as caught:
        DrawnSecret.from_bytes(data)
    assert (caught.value.field, caught.value.code) == ("secret", code)


def test_the_shares_lie_on_a_polynomial() -> None:
    secret = DrawnSecret.draw(SharingField.FP_521)
    p = 2**521 - 1
    shares = secret.split(k=3, n=5)
    chosen = [(share.index, int(share.to_hex(), 16)) for share in (shares[4], shares[0], shares[2])]
    total = 0
    for i, value in chosen:
        for j, _ in chosen:
            if j != i:
                value = value * j * pow(j - i, -1, p) % p
        total += value
    assert total % p == int.from_bytes(secret.to_bytes())
    assert [share.index for share in shares] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("field", FIELDS)
def test_who_sent_a_bad_share_is_named(domain: Domain, field: SharingField) -> None:
    secret = DrawnSecret.draw(field)
    made, shares = Dealing.deal(domain, secret, k=2, n=5)
    dealing = Dealing.from_json(domain, made.to_json())
    shares[1], shares[3] = bad(shares[1]), bad(shares[3])
    found, culprits, misdealt = dealing.reconstruct(shares[::-1])
    assert (found.to_bytes(), culprits, misdealt, found.field) == (secret.to_bytes(), [2, 4], [], field)
    health = dealing.health(shares[1:])
    assert (health.present, health.missing) == ([3, 5], [1, 2, 4])
    assert (health.invalid, health.foreign) == ([2, 4], [])
    with pytest.raises(SharingError) as caught:
        dealing.reconstruct(shares[1:4])
    assert (caught.value.culprits, caught.value.code) == ((2, 4), 210)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.culprits, again.code) == (SharingError, (2, 4), 210)


@pytest.mark.parametrize("field", FIELDS)
def test_shares_are_repaired_refreshed_and_dealt_to_more(domain: Domain, field: SharingField) -> None:
    secret = DrawnSecret.draw(field)
    dealing, shares = Dealing.deal(domain, secret, k=2, n=4)
    lost, culprits, misdealt = dealing.repair([bad(shares[0]), *shares[2:]], lost=2)
    assert (lost.index, lost.to_hex(), culprits, misdealt) == (2, shares[1].to_hex(), [1], [])

    refreshed, others, culprits, misdealt = dealing.refresh([bad(shares[0]), *shares[1:]])
    assert (refreshed.dealing_id, culprits, misdealt, len(others)) == (dealing.dealing_id, [1], [], 4)
    assert refreshed.split_id != dealing.split_id and others[0].to_hex() != shares[0].to_hex()
    with pytest.raises(SharingError) as caught:
        refreshed.reconstruct(shares[:2] + others[2:3])
    assert caught.value.culprits == (1, 2)

    grown, more, culprits, _ = refreshed.rethreshold(others[1:3], k=3, n=6)
    assert (grown.k, grown.n, len(more), culprits) == (3, 6, 6, [])
    found, _, _ = grown.reconstruct(more[3:])
    assert found.to_bytes() == secret.to_bytes()
    with pytest.raises(SharingError, match="2 usable shares, 3 are needed"):
        grown.reconstruct(more[:2])


@pytest.mark.parametrize("field", FIELDS)
def test_a_misdealt_share_is_told_apart_from_culprits(domain: Domain, field: SharingField) -> None:
    secret = DrawnSecret.draw(field)
    dealing, shares = Dealing.deal(domain, secret, k=2, n=4)
    wrong = bad(shares[0])
    members = dealing.to_dict()
    text = f"DUALSEAL-SHARD::VALUE::{dealing.split_id}::1::DUALSEAL".encode()
    members["udio_sidra"][0] = hashlib.sha3_512(text + bytes.fromhex(wrong.to_hex())).hexdigest()
    cheated = Dealing.from_json(domain, json.dumps(members))
    for order in itertools.permutations([wrong, *shares[1:]]):
        found, culprits, misdealt = cheated.reconstruct(order)
        assert (found.to_bytes(), culprits, misdealt) == (secret.to_bytes(), [], [1])
    with pytest.raises(SharingError) as caught:
        cheated.reconstruct([wrong, *shares[1:3]])
    assert (caught.value.code, caught.value.culprits) == (211, ())


def test_a_changed_record_is_the_dealers_fault(domain: Domain) -> None:
    dealing, shares = Dealing.deal(domain, DrawnSecret.draw(SharingField.GF_2_256), k=2, n=2)
    text = dealing.to_json()
    anchor = dealing.to_dict()["javni_sidro"]
    changed = Dealing.from_json(domain, text.replace(anchor, "0" * 128).encode())
    with pytest.raises(SharingError) as caught:
        changed.reconstruct(shares)
    assert (caught.value.code, caught.value.culprits) == (211, ())
    other = Dealing.from_json(Domain("ACME"), text)
    assert other.health(shares).invalid == [1, 2]


@pytest.mark.parametrize("field", FIELDS)
def test_without_commitments_nobody_vouches(field: SharingField) -> None:
    secret = DrawnSecret.draw(field)
    shares = secret.split(k=2, n=5)
    found = reconstruct_unanchored([bad(shares[0]), *shares[1:4]], k=2)
    assert (found.to_bytes(), found.outliers, found.unchecked) == (secret.to_bytes(), [1], False)
    assert reconstruct_unanchored(shares[:2], k=2).unchecked
    with pytest.raises(SharingError) as caught:
        reconstruct_unanchored([bad(shares[0]), *shares[1:3]][:1], k=2)
    assert (caught.value.code, caught.value.culprits) == (210, ())
    with pytest.raises(SharingError) as caught:
        reconstruct_unanchored([bad(shares[0]), bad(shares[1]), *shares[2:5]], k=2)
    assert (caught.value.code, caught.value.culprits) == (212, ())
    with pytest.raises(SharingError):
        reconstruct_unanchored([], k=2)


@pytest.mark.parametrize("field", FIELDS)
def test_shares_in_every_form(field: SharingField) -> None:
    share = DrawnSecret.draw(field).split(k=2, n=2)[1]
    value, size = share.to_bytes(), SIZES[field]
    assert (len(value), share.to_hex(), share.field) == (size, value.hex(), field)
    for buffer in (value, bytearray(value), memoryview(value)):
        assert Share.from_bytes(field.value, 2, buffer).to_bytes() == value
    assert Share.from_hex(field, 255, value.hex()).index == 255


@pytest.mark.parametrize(
    ("call", "field", "code"),
    [
        (lambda f, d: DrawnSecret.draw("SHAMIR"), "algoritam", 107),
        (lambda f, d: Share.from_bytes(f, 0, bytes(SIZES[f])), "indeks", 106),
        (lambda f, d: Share.from_bytes(f, 256, bytes(SIZES[f])), "indeks", 106),
        (lambda f, d: Share.from_bytes(f, -1, bytes(SIZES[f])), "indeks", 106),
        (lambda f, d: Share.from_bytes(f, 1, bytes(33)), "vrijednost_hex", 100),
        (lambda f, d: Share.from_hex(f, 1, "0A" * SIZES[f]), "vrijednost_hex", 101),
        (lambda f, d: DrawnSecret.draw(f).split(k=1, n=2), "k", 106),
        (lambda f, d: DrawnSecret.draw(f).split(k=3, n=2), "k", 106),
        (lambda f, d: DrawnSecret.draw(f).split(k=2, n=256), "n", 106),
        (lambda f, d: DrawnSecret.draw(f).split(k=2, n=2**70), "n", 106),
        (lambda f, d: reconstruct_unanchored([], k=1), "k", 106),
        (lambda f, d: Dealing.deal(d, DrawnSecret.draw(f), k=2, n=1), "n", 106),
    ],
)
@pytest.mark.parametrize("over", FIELDS)
def test_what_is_refused(
    domain: Domain, over: SharingField, call: Callable[[SharingField, Domain], object], field: str, code: int
) -> None:
    with pytest.raises(MalformedError) as caught:
        call(over, domain)
    assert (caught.value.field, caught.value.code) == (field, code)


def test_shares_of_one_number_and_of_the_other_field(domain: Domain) -> None:
    dealing, shares = Dealing.deal(domain, DrawnSecret.draw(SharingField.FP_521), k=2, n=3)
    # By the dealer's commitments a number counts once, and junk in the name of who sent a good share accuses nobody.
    _, culprits, _ = dealing.reconstruct([bad(shares[0]), shares[0], shares[1], shares[0]])
    assert culprits == []
    with pytest.raises(SharingError, match="1 usable shares"):
        dealing.reconstruct([shares[0], shares[0]])
    with pytest.raises(MalformedError) as caught:
        reconstruct_unanchored([shares[0], shares[1], shares[0]], k=2)
    assert (caught.value.field, caught.value.index) == ("indeks", 1)
    other = DrawnSecret.draw(SharingField.GF_2_256).split(k=2, n=2)
    for act in (dealing.reconstruct, dealing.refresh, dealing.health):
        with pytest.raises(MalformedError) as caught:
            act([shares[0], other[1]])
        assert (caught.value.field, caught.value.index) == ("vrijednost_hex", 2)
    with pytest.raises(MalformedError) as caught:
        dealing.repair(shares, lost=4)
    assert (caught.value.field, caught.value.index) == ("indeks", 4)
    with pytest.raises(MalformedError) as caught:
        Share.from_hex(SharingField.FP_521, 7, "ff" * 66)
    assert (caught.value.field, caught.value.index) == ("vrijednost_hex", 7)


@pytest.mark.parametrize("field", FIELDS)
def test_secrets_are_neither_shown_nor_carried(field: SharingField) -> None:
    secret = DrawnSecret.draw(field)
    shares = secret.split(k=2, n=2)
    for value in (secret, shares[0], reconstruct_unanchored(shares, k=2)):
        assert value.to_bytes().hex()[8:24] not in repr(value)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(value, protocol)
    with pytest.raises(TypeError):
        DrawnSecret()
    with pytest.raises(TypeError):
        Share()
