"""Secrets at rest and secret files: stored answers, the library in both directions, and what is refused."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import make_at_rest_answers
import pytest
from dualseal_second import at_rest
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError
from sharing_peer import Peer, shared_peer

STORED = Path(__file__).parent.parent / "vectors" / "known_answers_at_rest.json"
MASTER = bytes(range(32))


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_at_rest_answers.text()


def test_a_place_written_out() -> None:
    expected = hashlib.sha3_256(b"DUALSEAL-ID::ana::identities::seed::DUALSEAL").hexdigest()
    assert at_rest.identity(DEFAULT, "identities", b"ana", "seed") == expected
    for table, row, purpose in (("", b"1", "p"), ("a::b", b"1", "p"), ("t", b"", "p"), ("t", b"1", ":p")):
        with pytest.raises(FormatError):
            at_rest.identity(DEFAULT, table, row, purpose)


@pytest.fixture
def peer() -> Peer:
    return shared_peer()


def test_secrets_both_ways(peer: Peer) -> None:
    domain, source = Domain.named("ACME"), random.Random("at rest")
    for length in (0, 1, 32, 70_000):
        secret, row = source.randbytes(length), source.randbytes(8)
        place = f"ACME identities {row.hex()} seed {MASTER.hex()}"
        (stored,) = peer.ask(f"keep {place} {secret.hex() or '-'}")
        assert at_rest.unseal(domain, MASTER, "identities", row, "seed", bytes.fromhex(stored)) == secret
        own = at_rest.seal(domain, MASTER, "identities", row, "seed", source.randbytes(32), secret)
        assert peer.ask(f"kept {place} {own.hex()}") == [secret.hex() or "-"]


def test_what_was_moved_or_changed_opens_in_neither(peer: Peer) -> None:
    stored = at_rest.seal(DEFAULT, MASTER, "t", b"1", "p", bytes([7]) * 32, bytes([9]) * 32)
    here = ("t", b"1", "p", MASTER)
    others = [("u", *here[1:]), ("t", b"2", "p", MASTER), ("t", b"1", "q", MASTER), (*here[:3], bytes([1]) * 32)]
    cases = [(*place, stored, "OtherKey") for place in others]
    cases += [(*here, stored[:-1], "Damaged"), (*here, stored + b"\0", "Damaged"), (*here, stored[:83], "Cut")]
    cases += [(*here, b"DSV2" + stored[4:], "ForeignVersion"), (*here, b"PSV1" + stored[4:], "NoSecret")]
    for table, row, purpose, master, data, fault in cases:
        with pytest.raises(FormatError):
            at_rest.unseal(DEFAULT, master, table, row, purpose, data)
        answer = peer.ask(f"kept DUALSEAL {table} {row.hex()} {purpose} {master.hex()} {data.hex()}")
        assert answer == ["refused", fault]


def test_files_both_ways(peer: Peer) -> None:
    source = random.Random("files")
    for passphrase in (None, "correct-horse"):
        secret = source.randbytes(32)
        (written,) = peer.ask(f"file {passphrase or '-'} {secret.hex()}")
        assert at_rest.secret_of(bytes.fromhex(written).decode(), passphrase) == secret
        own = at_rest.secret_file(secret, passphrase, source.randbytes(16), source.randbytes(16))
        assert peer.ask(f"file-of {passphrase or '-'} {own.encode().hex()}") == [secret.hex()]
    with pytest.raises(FormatError):
        at_rest.secret_of(own, "wrong-horse")
    assert peer.ask(f"file-of wrong-horse {own.encode().hex()}") == ["refused", "WrongPassphrase"]


def test_what_costs_too_much_is_refused_by_both(peer: Peer) -> None:
    for n, r, p in ((0, 8, 1), (3, 8, 1), (2**19, 8, 1), (2**18, 8, 5), (2**40, 8, 1)):
        with pytest.raises(FormatError):
            at_rest.key_of("p", b"", n, r, p)
        kdf = at_rest.sequence(
            at_rest.object_id(at_rest.SCRYPT),
            at_rest.sequence(at_rest.octets(bytes(16)), *(at_rest.number(cost) for cost in (n, r, p))),
        )
        cipher = at_rest.sequence(at_rest.object_id(at_rest.AES_256_CBC), at_rest.octets(bytes(16)))
        scheme = at_rest.sequence(at_rest.object_id(at_rest.PBES2), at_rest.sequence(kdf, cipher))
        text = at_rest.pem(at_rest.ENCRYPTED, at_rest.sequence(scheme, at_rest.octets(bytes(48))))
        fault = "TooCostly" if n > 3 else "Form"
        assert peer.ask(f"file-of p {text.encode().hex()}") == ["refused", fault]
