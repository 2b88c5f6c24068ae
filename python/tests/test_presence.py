"""Proofs of presence of other kinds: passkeys by py_webauthn, as docs/PYTHON.md has them, and verifiers that err."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from dualseal import (
    Domain,
    DrawnSecret,
    EnrolledKeys,
    Presence,
    PresenceVerifier,
    RebuildRequest,
    RejectedError,
    Shard,
    draw_nonce,
)
from webauthn import verify_registration_response
from webauthn.helpers import bytes_to_base64url, encode_cbor

from conftest import minute
from shards import SERVICE, Vault, of, secret, vault

__all__ = ["secret", "vault"]
PAGE = Path(__file__).parents[2] / "docs/PYTHON.md"
ORIGIN = "https://vault.example"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def passkeys() -> Any:
    """The page's verifier."""
    [example] = re.findall(r"```python passkeys\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    scope: dict[str, Any] = {}
    exec(compile(example, "PYTHON.md", "exec"), scope)
    return scope["Passkeys"](rp_id="vault.example", origin=ORIGIN)


@dataclass
class Authenticator:
    """What a phone does."""

    name: bytes
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    count: int = 0

    def _data(self, flags: int, more: bytes = b"") -> bytes:
        self.count += 1
        return sha256(b"vault.example").digest() + bytes([flags]) + self.count.to_bytes(4) + more

    def _credential(self, kind: str, challenge: bytes, origin: str, response: dict[str, bytes]) -> dict[str, Any]:
        client = {"type": f"webauthn.{kind}", "challenge": bytes_to_base64url(challenge), "origin": origin}
        data = json.dumps(client).encode()
        response |= {"clientDataJSON": data}
        if kind == "get":
            signed = response["authenticatorData"] + sha256(data).digest()
            response |= {"signature": self.key.sign(signed, ECDSA(SHA256()))}
        name = bytes_to_base64url(self.name)
        texts = {member: bytes_to_base64url(value) for member, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": texts, "clientExtensionResults": {}}

    def register(self) -> Any:
        point = self.key.public_key().public_numbers()
        key = encode_cbor({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
        data = self._data(PRESENT | VERIFIED | ATTESTED, bytes(16) + len(self.name).to_bytes(2) + self.name + key)
        attested = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        made = self._credential("create", b"registration", ORIGIN, {"attestationObject": attested})
        return verify_registration_response(
            credential=made, expected_challenge=b"registration", expected_rp_id="vault.example", expected_origin=ORIGIN
        )

    def answer(self, challenge: str, *, flags: int = PRESENT | VERIFIED, origin: str = ORIGIN) -> str:
        data = {"authenticatorData": self._data(flags)}
        return json.dumps(self._credential("get", bytes.fromhex(challenge), origin, data))


@dataclass
class Asked:
    """A request to rebuild, and who answers it."""

    vault: Vault
    shards: list[Shard]
    verifier: Any = field(default_factory=passkeys)
    nonce: str = field(default_factory=draw_nonce)

    @property
    def request(self) -> RebuildRequest:
        return self.vault.rebuilding().request("rebuild", *of(self.shards))

    @property
    def challenge(self) -> str:
        return self.request.challenge(self.vault.domain, nonce=self.nonce, expiry=minute(8))

    def gate(self, *proofs: Any, **changes: Any) -> Presence:
        given: dict[str, Any] = {"nonce": self.nonce, "expiry": minute(8), "required": 1}
        given |= {"consume": self.vault.consume}
        return Presence(self.verifier, proofs, **given | changes)

    def rebuild(self, gate: Presence) -> bytes:
        found, _, _ = self.vault.rebuilding().rebuild(self.request, self.shards, now=minute(4), gate=gate)
        return found.to_bytes()

    def refused(self, gate: Presence) -> tuple[int | None, tuple[int, ...]]:
        with pytest.raises(RejectedError) as caught:
            self.rebuild(gate)
        return caught.value.code, caught.value.culprits


@pytest.fixture
def asked(vault: Vault, secret: DrawnSecret) -> Asked:
    return Asked(vault, vault.split(secret).shards)


def test_a_passkey_opens_the_gate_once(asked: Asked, secret: DrawnSecret) -> None:
    phone = Authenticator(b"phone")
    asked.verifier.enrol(asked.vault.identity, phone.register())
    assert asked.rebuild(asked.gate(phone.answer(asked.challenge))) == secret.to_bytes()
    # The nonce is spent, and another answer to it does not help.
    assert asked.refused(asked.gate(phone.answer(asked.challenge))) == (223, ())


def test_a_passkey_answers_for_one_request_place_and_person(asked: Asked) -> None:
    phone, stranger = Authenticator(b"phone"), Authenticator(b"stranger")
    registered = phone.register()
    asked.verifier.enrol(asked.vault.identity, registered)
    asked.verifier.enrol("0" * 64, stranger.register())
    answered = phone.answer(asked.challenge)
    assert asked.refused(asked.gate(answered, nonce=draw_nonce())) == (222, (0,))
    bad = [
        phone.answer("00" * 32),
        phone.answer(asked.challenge, origin="https://vault.example.evil.example"),
        # Somebody held it, and showed neither finger nor number.
        phone.answer(asked.challenge, flags=PRESENT),
        stranger.answer(asked.challenge),
        Authenticator(b"phone").answer(asked.challenge),
        phone.answer(asked.challenge).replace(bytes_to_base64url(phone.name), bytes_to_base64url(stranger.name)),
        "{}", "", "[]", '{"id": 7}',
    ]  # fmt: skip
    assert asked.refused(asked.gate(*bad)) == (222, tuple(range(len(bad))))
    # A copy of the authenticator counts from where it was copied.
    copy = Authenticator(phone.name, phone.key)
    good = phone.answer(asked.challenge)
    assert asked.refused(asked.gate(good, copy.answer(asked.challenge), required=2)) == (222, (1,))
    assert asked.vault.used == set()


def test_one_passkey_is_one_person(asked: Asked, secret: DrawnSecret) -> None:
    phone, key = Authenticator(b"phone"), Authenticator(b"key")
    for one in (phone, key):
        asked.verifier.enrol(asked.vault.identity, one.register())
    twice = [phone.answer(asked.challenge), phone.answer(asked.challenge)]
    assert asked.refused(asked.gate(*twice, required=2)) == (222, ())
    both = [phone.answer(asked.challenge), key.answer(asked.challenge)]
    assert asked.rebuild(asked.gate(*both, required=2)) == secret.to_bytes()


class Answers:
    """A verifier that answers, or raises, what it is told to."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[Domain, str, str, Any]] = []

    def verify(self, domain: Domain, identity_id: str, challenge: str, proof: Any, /) -> bytes | None:
        self.asked.append((domain, identity_id, challenge, proof))
        answer = self.answers[len(self.asked) - 1]
        if isinstance(answer, BaseException):
            raise answer
        return answer  # type: ignore[no-any-return]


def test_a_verifier_is_asked_for_each_proof(asked: Asked, secret: DrawnSecret) -> None:
    answers = Answers(None, b"1" * 32, b"2" * 32)
    verifier: PresenceVerifier[str] = answers
    asked.verifier = verifier
    assert asked.rebuild(asked.gate("a", "b", "c", required=2)) == secret.to_bytes()
    told = (asked.vault.domain, asked.vault.identity, asked.challenge)
    assert answers.asked == [(*told, "a"), (*told, "b"), (*told, "c")]


@pytest.mark.parametrize("answer", [True, "1" * 32, b"1" * 31, b"1" * 33, bytearray(32), 7, OSError("no database")])
def test_a_verifier_that_errs_keeps_the_gate_shut(asked: Asked, answer: Any) -> None:
    # What is good before and after it does not help, and nobody is asked after it.
    answers = Answers(b"1" * 32, answer, b"2" * 32)
    asked.verifier = answers
    kind, words = (OSError, "no database") if isinstance(answer, OSError) else (TypeError, "32 bytes")
    with pytest.raises(kind, match=words):
        asked.rebuild(asked.gate("a", "b", "c"))
    assert len(answers.asked) == 2 and asked.vault.used == set()


def test_a_node_asks_a_verifier_too(asked: Asked) -> None:
    asked.verifier = Answers(b"1" * 32, None)
    shard = asked.shards[0]
    release: dict[str, Any] = {"recipient_key": SERVICE, "in_force": None, "no_chain": True, "now": minute(4)}
    shard.release(asked.vault.domain, asked.request, gate=asked.gate("a"), **release)
    with pytest.raises(RejectedError):
        shard.release(asked.vault.domain, asked.request, gate=asked.gate("a", nonce=draw_nonce()), **release)


def test_what_is_no_verifier_is_a_type_error(vault: Vault) -> None:
    given: dict[str, Any] = {"nonce": draw_nonce(), "expiry": minute(8), "required": 1, "consume": vault.consume}
    wrong: list[tuple[Any, Any]] = [(object(), []), (None, []), (EnrolledKeys(), ["proof"]), (Answers(), None)]
    for verifier, proofs in wrong:
        with pytest.raises(TypeError):
            Presence(verifier, proofs, **given)
