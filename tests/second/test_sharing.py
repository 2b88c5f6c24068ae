"""Secret sharing against the library and against other programs, live and in both directions."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import shamirs  # type: ignore[import-untyped]
from dualseal_second import shamir
from dualseal_second.domain import Domain
from dualseal_second.encodings import FormatError
from dualseal_second.shamir import BINARY, PRIME, Field
from sharing_peer import Peer, shared_peer, ssss_combine, ssss_split

FIELDS = {"prime": PRIME, "binary": BINARY}
THRESHOLDS = ((2, 2), (2, 3), (3, 5), (5, 9), (9, 9), (4, 12), (3, 99), (2, 100), (7, 255))
VECTORS = Path(__file__).parent.parent / "vectors"


@pytest.fixture
def peer() -> Peer:
    return shared_peer()


def hex_of(field: Field, value: int) -> str:
    return field.encode(value).hex()


def texts(field: Field, shares: dict[int, int]) -> str:
    return " ".join(f"{index}-{hex_of(field, value)}" for index, value in shares.items())


def read(field: Field, words: list[str]) -> dict[int, int]:
    return {int(index): field.decode(value) for index, value in (word.split("-") for word in words)}


@pytest.mark.parametrize("name", FIELDS)
def test_a_hundred_thousand_identities(peer: Peer, name: str) -> None:
    """Sum, difference and product of 34,000 pairs, by integers; edges among them."""
    field, source = FIELDS[name], random.Random(name)
    limit = PRIME.MODULUS if name == "prime" else 2**256
    edges = [0, 1, 2, 255, 256, 2**57, 2**58 - 1, 2**58, 2**255, limit - 1, limit - 2, limit >> 1, limit >> 64]
    pairs = [(a, b) for a in edges for b in edges]
    sizes = [source.randrange(1, limit.bit_length() + 1) for _ in range(2 * 34_000)]
    drawn = [source.getrandbits(size) % limit for size in sizes]
    pairs += list(zip(drawn[::2], drawn[1::2]))
    commands = (f"arithmetic {name} {hex_of(field, a)} {hex_of(field, b)}" for a, b in pairs)
    for (a, b), answer in zip(pairs, peer.ask_all(commands), strict=True):
        expected = (field.add(a, b), field.subtract(a, b), field.multiply(a, b))
        assert answer == [hex_of(field, value) for value in expected]
    assert 3 * len(pairs) > 100_000


@pytest.mark.parametrize("name", FIELDS)
def test_shares_both_ways(peer: Peer, name: str) -> None:
    field, source = FIELDS[name], random.Random(f"both {name}")
    for k, n in THRESHOLDS:
        secret, *words = peer.ask(f"split {name} {k} {n}")
        shares = read(field, words)
        assert list(shares) == list(range(1, n + 1))
        chosen = dict(source.sample(sorted(shares.items()), k))
        assert hex_of(field, shamir.interpolate(field, chosen)) == secret
        other = source.choice(sorted(shares))
        assert shamir.interpolate(field, chosen, other) == shares[other]

        coefficients = [field.check(source.getrandbits(256)) for _ in range(k)]
        dealt = shamir.deal(field, coefficients, n)
        some = dict(source.sample(sorted(dealt.items()), k))
        answer = peer.ask(f"combine {name} {k} {texts(field, some)}")
        assert answer == [hex_of(field, coefficients[0]), "unchecked", "-"]
        answer = peer.ask(f"combine {name} {k} {texts(field, dealt)}")
        assert answer == [hex_of(field, coefficients[0]), "unchecked" if k == n else "checked", "-"]


@pytest.mark.parametrize("name", FIELDS)
def test_outliers_are_those_of_an_exhaustive_search(peer: Peer, name: str) -> None:
    field, source = FIELDS[name], random.Random(f"outliers {name}")
    for k, n in ((2, 4), (2, 7), (3, 6), (3, 7), (4, 8)):
        for wrong in range(n - k + 1):
            shares = shamir.deal(field, [source.getrandbits(200) for _ in range(k)], n)
            for index in source.sample(sorted(shares), wrong):
                shares[index] = field.add(shares[index], 1 + source.getrandbits(100))
            answer = peer.ask(f"combine {name} {k} {texts(field, shares)}")
            found = shamir.nearest(field, k, shares)
            if found is None:
                assert answer == ["error", "212", "-"]
            else:
                outliers = ",".join(map(str, found[1])) or "-"
                assert answer == [hex_of(field, found[0]), "checked", outliers]


def misdealt(peer: Peer, name: str, own: dict[str, Any], dealt: dict[int, int], secret: str) -> None:
    """A dealer who commits to a share that is not on the polynomial, in several orders."""
    field, domain, k = FIELDS[name], Domain.named("ACME"), own["k"]
    wrong = dealt | {1: field.add(dealt[1], 1)}
    commitment = shamir.commitment(domain, field, own["split_id"], 1, wrong[1])
    record = own | {"udio_sidra": [commitment, *own["udio_sidra"][1:]]}
    text = json.dumps(record, separators=(",", ":"))
    given = dict(list(wrong.items())[: k + 2])
    for order in (list(given), list(given)[::-1], [*list(given)[2:], *list(given)[:2]]):
        shares = {index: given[index] for index in order}
        answer = peer.ask(f"reconstruct ACME {name} {text} {texts(field, shares)}")
        if len(given) < k + 2:
            assert answer == ["error", "211", "-"]
            with pytest.raises(shamir.Refused, match="dealer"):
                shamir.reconstruct(domain, field, record, shares.items())
        else:
            assert answer == [secret, "-", "1"]
            assert shamir.reconstruct(domain, field, record, shares.items()) == (int(secret, 16), [], [1])


@pytest.mark.parametrize("name", FIELDS)
def test_dealings_both_ways(peer: Peer, name: str) -> None:
    field, domain = FIELDS[name], Domain.named("ACME")
    for k, n in ((2, 3), (3, 5), (4, 12)):
        secret, text, *words = peer.ask(f"deal ACME {name} {k} {n}")
        record = shamir.parse_dealing(json.loads(text), field)
        shares = read(field, words)
        assert shamir.reconstruct(domain, field, record, shares.items()) == (int(secret, 16), [], [])
        bad = shares | {2: field.add(shares[2], 1)}
        expected = (int(secret, 16), [2], [])
        assert shamir.reconstruct(domain, field, record, bad.items()) == expected
        assert peer.ask(f"reconstruct ACME {name} {text} {texts(field, bad)}") == [secret, "2", "-"]
        too_few = dict(list(bad.items())[:k])
        with pytest.raises(shamir.Refused) as refused:
            shamir.reconstruct(domain, field, record, too_few.items())
        assert (refused.value.problem, refused.value.culprits) == ("too few", [2])
        assert peer.ask(f"reconstruct ACME {name} {text} {texts(field, too_few)}") == ["error", "210", "2"]
        assert peer.ask(f"reconstruct OTHER {name} {text} {texts(field, shares)}")[:2] == ["error", "210"]

        coefficients = [field.check(int(secret, 16)), *range(1, k)]
        dealt = shamir.deal(field, coefficients, n)
        own, _ = shamir.dealing(domain, field, "12" * 32, "34" * 32, coefficients, n)
        command = f"reconstruct ACME {name} {json.dumps(own, separators=(',', ':'))}"
        assert peer.ask(f"{command} {texts(field, dealt)}") == [secret, "-", "-"]
        misdealt(peer, name, own, dealt, secret)
        own["javni_sidro"] = shamir.anchor(domain, field, own["dealing_id"], coefficients[0] ^ 1)
        command = f"reconstruct ACME {name} {json.dumps(own, separators=(',', ':'))}"
        assert peer.ask(f"{command} {texts(field, dealt)}") == ["error", "211", "-"]


def test_the_program_ssss_both_ways(peer: Peer) -> None:
    source = random.Random("ssss")
    # The program takes n up to 99.
    for k, n in ((2, 3), (3, 5), (5, 9), (2, 10), (7, 99)):
        secret, *shares = peer.ask(f"ssss-split {k} {n}")
        assert ssss_combine(k, source.sample(shares, k)) == secret
        secret = f"{source.getrandbits(256):064x}"
        shares = ssss_split(secret, k, n)
        assert peer.ask(f"ssss-combine {k} {' '.join(shares)}") == [secret, "checked", "-"]
        chosen = source.sample(shares, k)
        assert peer.ask(f"ssss-combine {k} {' '.join(chosen)}") == [secret, "unchecked", "-"]


def test_the_ssss_form_by_formula(peer: Peer) -> None:
    secret, *texts_ = peer.ask("ssss-split 3 12")
    points = {}
    for text in texts_:
        index, value = text.split("-")
        points[int(index)] = int(value, 16) ^ shamir.ssss_term(3, int(index))
    assert f"{shamir.interpolate(BINARY, dict(list(points.items())[:3])):064x}" == secret
    assert [shamir.ssss_text(3, 12, index, value) for index, value in points.items()] == texts_


def test_the_package_shamirs_both_ways(peer: Peer) -> None:
    for k, n in ((2, 3), (3, 5), (5, 9)):
        secret, *words = peer.ask(f"split prime {k} {n}")
        shares = [shamirs.share(index, value, PRIME.MODULUS) for index, value in read(PRIME, words).items()]
        assert shamirs.interpolate(shares[-k:], threshold=k) == int(secret, 16)
        value = random.Random(n).getrandbits(520)
        theirs = shamirs.shares(value, n, modulus=PRIME.MODULUS, threshold=k)
        dealt = {share.index: share.value for share in theirs}
        assert peer.ask(f"combine prime {k} {texts(PRIME, dealt)}") == [hex_of(PRIME, value), "checked", "-"]


def test_recorded_shares_of_others() -> None:
    recorded = json.loads((VECTORS / "ssss" / "ssss-0.5.json").read_bytes())["cases"]
    for case in recorded:
        k, n = case["threshold"], case["shares_n"]
        coefficients = [int(case["secret"], 16), *(int(c, 16) for c in case["coefficients"])]
        dealt = shamir.deal(BINARY, coefficients, n)
        assert [shamir.ssss_text(k, n, index, value) for index, value in dealt.items()] == case["shares_raw"]
    for case in json.loads((VECTORS / "gf521" / "shamirs-4.0.0.json").read_bytes())["cases"]:
        shares = {index: PRIME.decode(value) for index, value in case["shares"][-case["threshold"] :]}
        assert hex_of(PRIME, shamir.interpolate(PRIME, shares)) == case["secret"]


def test_refusals(peer: Peer) -> None:
    for value in (PRIME.MODULUS, PRIME.MODULUS + 1, 2**528 - 1):
        with pytest.raises(FormatError):
            PRIME.decode(f"{value:0132x}")
        assert peer.ask(f"combine prime 2 1-{value:0132x} 2-{1:0132x}") == ["error", "130", "-"]
    one = f"{1:064x}"
    assert peer.ask(f"combine binary 2 0-{one} 2-{one}") == ["error", "106", "-"]
    assert peer.ask(f"combine binary 2 256-{one} 2-{one}") == ["error", "106", "-"]
    assert peer.ask(f"combine binary 2 2-{one} 2-{one}") == ["error", "124", "-"]
    assert peer.ask(f"combine binary 2 2-{one}00 1-{one}") == ["error", "100", "-"]
    assert peer.ask(f"combine binary 2 2-{one}") == ["error", "210", "-"]
    for k, n in ((1, 3), (4, 3), (2, 256)):
        with pytest.raises(FormatError):
            shamir.threshold(k, n)
        assert peer.ask(f"split binary {k} {n}") == ["error", "106", "-"]


def test_the_binary_field_is_a_field() -> None:
    source = random.Random("field")
    assert f"{BINARY.multiply(1 << 255, 2):064x}" == "0" * 61 + "425"
    for _ in range(20):
        a = 1 + source.getrandbits(255)
        assert BINARY.multiply(a, BINARY.invert(a)) == 1
