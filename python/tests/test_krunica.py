"""The chain, recomputed here from its formulas."""

from __future__ import annotations

import hashlib
import json

import pytest
from dualseal import Checker, Domain, Entry, Head, Krunica, MalformedError, MisuseError, RejectedError

from conftest import minute

ANA = "a" * 64
ZEROS = "0" * 128


def h5(text: str) -> str:
    return hashlib.sha3_512(text.encode()).hexdigest()


@pytest.fixture
def chain(domain: Domain) -> Krunica:
    chain = Krunica()
    for number in range(4):
        chain.append(domain, ANA, f"step {number} | €", minute(number))
    return chain


def test_entries_follow_their_formulas(domain: Domain) -> None:
    first, head = Head.EMPTY.append(domain, ANA, "received", minute(0))
    second, end = head.append(domain, ANA, "paid", minute(1))
    assert first.hash == h5(f"{ANA}|received|{ZEROS}|0")
    assert second.hash == h5(f"{ANA}|paid|{first.hash}|1")
    assert (second.prev, second.seq, second.message, second.identity_id) == (first.hash, 1, "paid", ANA)
    assert second.krunica_hash == hashlib.sha3_256(second.hash.encode()).hexdigest()
    leaves = [f'{{"h":"{entry.hash}","seq":{entry.seq},"t":"{entry.time}"}}'.encode() for entry in (first, second)]
    left, right = (hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves)
    assert (head.root, end.size, end.top) == (left.hex(), 2, second.hash)
    assert end.root == hashlib.sha256(b"\1" + left + right).hexdigest()


def test_the_empty_head() -> None:
    assert Head() == Head.EMPTY
    assert (Head.EMPTY.size, Head.EMPTY.top, Head.EMPTY.root) == (0, ZEROS, hashlib.sha256(b"").hexdigest())
    assert Head() != Krunica()


def test_a_stored_head_goes_on(domain: Domain, chain: Krunica) -> None:
    head = chain.head
    stored = Head.from_json(head.to_json())
    assert stored == head
    entry, _ = stored.append(domain, ANA, "one more", minute(9))
    chain.push(entry)
    assert Head.from_json(json.dumps({"frontier": [], "size": 0, "top": ZEROS})) == Head.EMPTY


def test_an_entry_that_travels_alone(chain: Krunica) -> None:
    entry = chain[2]
    members = entry.to_dict()
    assert set(members) == {"h", "poruka", "prev", "seq", "t", "w3"}
    assert (members["seq"], members["poruka"], members["t"]) == (2, "step 2 | €", minute(2))
    assert Entry.from_dict(members) == Entry.from_json(entry.to_json()) == entry
    assert json.loads(entry.to_json()) == members
    assert entry != chain[1]
    with pytest.raises(TypeError):
        Entry.from_dict([members])  # type: ignore[arg-type]


def test_a_chain_is_a_sequence(chain: Krunica) -> None:
    assert len(chain) == 4
    assert [entry.seq for entry in chain] == [0, 1, 2, 3]
    assert chain[-1] == chain[3]
    assert chain[-4] == chain[0]
    for beyond in (4, -5):
        with pytest.raises(IndexError):
            chain[beyond]
    assert [set(members) for members in chain.to_list()] == [{"h", "poruka", "prev", "t", "w3"}] * 4


def test_json_round_trip(chain: Krunica) -> None:
    text = chain.to_json()
    again = Krunica.from_json(text)
    assert again.to_json() == text
    assert again.head == chain.head
    assert json.loads(text) == chain.to_list()
    assert len(Krunica.from_json(b" [ ] ")) == 0


def test_push_takes_what_another_operation_made(domain: Domain, chain: Krunica) -> None:
    entry, head = chain.head.append(domain, ANA, "one more", minute(9))
    chain.push(entry)
    assert chain.head == head
    with pytest.raises(RejectedError) as caught:
        chain.push(entry)
    assert (caught.value.index, caught.value.code) == (5, 202)
    assert chain.head == head


@pytest.mark.parametrize(
    ("index", "changes", "code"),
    [
        (1, {"poruka": "refused"}, 203),
        (2, {"prev": ZEROS}, 201),
        (0, {"t": "yesterday"}, 202),
        (3, {"w3": "A" * 64}, 202),
        (2, {"extra": "1"}, 200),
        (3, {"h": "0" * 128}, 203),
    ],
)
def test_the_first_bad_entry_is_named(chain: Krunica, index: int, changes: dict[str, str], code: int) -> None:
    entries = chain.to_list()
    entries[index] |= changes
    with pytest.raises(RejectedError) as caught:
        Krunica.from_json(json.dumps(entries))
    assert (caught.value.index, caught.value.code) == (index, code)
    checker = Checker()
    for good in entries[:index]:
        checker.push_json(json.dumps(good))
    before = checker.head
    with pytest.raises(RejectedError) as caught:
        checker.push_json(json.dumps(entries[index]))
    assert (caught.value.index, caught.value.code) == (index, code)
    assert checker.head == before


def test_a_check_can_be_resumed(chain: Krunica) -> None:
    checker = Checker()
    checker.push(chain[0])
    assert checker.push_json(json.dumps(chain.to_list()[1])) == chain[1]
    later = Checker(checker.head)
    with pytest.raises(RejectedError) as caught:
        later.push(chain[3])
    assert (caught.value.index, caught.value.code) == (2, 202)
    later.push(chain[2])
    later.push(chain[3])
    assert later.head == chain.head != checker.head


def test_reserved_messages_are_refused(domain: Domain, chain: Krunica) -> None:
    before = chain.head
    for message in ("DUALSEAL-SIGN::RING::1", "DUALSEAL-VAULT::"):
        with pytest.raises(MisuseError) as caught:
            chain.append(domain, ANA, message, 10**11)
        assert caught.value.code == 300
        with pytest.raises(MisuseError):
            Head.EMPTY.append(domain, ANA, message, 10**11)
    assert chain.head == before
    chain.append(Domain("ACME"), ANA, "DUALSEAL-SIGN::RING::1", 10**11)


def test_a_chain_that_is_no_list_is_malformed() -> None:
    with pytest.raises(MalformedError) as caught:
        Krunica.from_json("{}")
    assert caught.value.field == "krunica"
