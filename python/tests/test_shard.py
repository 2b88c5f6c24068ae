"""Vault shards: dealt, checked and rebuilt from behind proofs of presence; their hashes, seals, challenges and
signatures made here again."""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from dualseal import (
    ChainReader,
    CoveredSplits,
    Domain,
    DrawnSecret,
    Ed25519SigningKey,
    EnrolledKeys,
    Entry,
    MalformedError,
    MisuseError,
    NodeShards,
    Operation,
    Presence,
    PresenceProof,
    RebuildRequest,
    Rebuilding,
    RejectedError,
    Shard,
    ShardKey,
    SharingError,
    SharingField,
    Statement,
    draw_nonce,
    verify_shard_seal,
)

from conftest import Log, minute
from shards import MASTER, SERVICE, URLS, Vault, of, secret, vault


def covered(vault: Vault, log: Log, key: ShardKey | None) -> CoveredSplits:
    reader = ChainReader(vault.domain, under=log.covering(vault.chain.head))
    watched = reader.splits(key, vault.vault_id)
    return reader.read(vault.chain)[watched]




def bad(shard: Shard) -> Shard:
    return Shard.from_json(shard.to_json().replace(shard.value_hex(), "00" * 32))


def test_a_shard_follows_its_formulas(vault: Vault, secret: DrawnSecret) -> None:
    split = vault.split(secret)
    anchor = f"DUALSEAL-SHARD::ANCHOR::{vault.vault_id}::DUALSEAL".encode() + secret.to_bytes()
    info = f"DUALSEAL-VAULT::KDF::SHARD::{vault.identity}::DUALSEAL".encode()
    key = HKDF(hashes.SHA3_256(), 64, salt=None, info=info).derive(MASTER)
    for number, (shard, url) in enumerate(zip(split.shards, URLS, strict=True), 1):
        value = f"DUALSEAL-SHARD::VALUE::{shard.split_id}::{number}::DUALSEAL".encode()
        identifier = "::".join([
            "DUALSEAL-SHARD::ID",
            vault.vault_id,
            shard.split_id,
            f"{number}::2::3",
            hashlib.sha3_512(anchor).hexdigest(),
            hashlib.sha3_512(value + bytes.fromhex(shard.value_hex())).hexdigest(),
            hashlib.sha3_256(url.encode()).hexdigest(),
            "DUALSEAL",
        ])
        shard_id = hashlib.sha3_256(identifier.encode()).hexdigest()
        sealed = f"DUALSEAL-SHARD::SEAL::{vault.vault_id}::{shard_id}::{vault.identity}::DUALSEAL"
        mac = hmac.new(key, sealed.encode().hex().encode(), "sha3_512").hexdigest()
        assert json.loads(shard.to_json()) == {
            "identity_id": vault.identity,
            "indeks": number,
            "javni_sidro": hashlib.sha3_512(anchor).hexdigest(),
            "m": 2,
            "n": 3,
            "node_url": url,
            "seal": f"SEAL-L5::{mac}",
            "shard_id": shard_id,
            "split_id": shard.split_id,
            "vault_id": vault.vault_id,
            "vrijednost_hex": shard.value_hex(),
        }
        assert (shard.shard_id, shard.index, shard.m, shard.n, shard.node_url) == (shard_id, number, 2, 3, url)
        assert (shard.vault_id, shard.identity_id) == (vault.vault_id, vault.identity)
        assert str(shard.seal) == f"SEAL-L5::{mac}"
        shard.verify(vault.domain, vault.key)
        assert shard.value_hex()[8:24] not in repr(shard)
    (entry,) = vault.chain
    stated = f"DUALSEAL-SHARD::SPLIT::{vault.vault_id}::{'0' * 64}::{split.shards[0].split_id}"
    tag = hmac.new(key, f"{stated}::{'0' * 128}::DUALSEAL".encode(), "sha3_512").hexdigest()[:64]
    assert (entry.message, entry.identity_id) == (f"{stated}::{tag}::DUALSEAL", vault.identity)
    assert (split.culprits, split.misdealt, split.preparation.split_id) == ([], [], split.shards[0].split_id)


def test_seals_and_identifiers_are_checked(vault: Vault, secret: DrawnSecret) -> None:
    shard = vault.split(secret).shards[0]
    for seal in (shard.seal, str(shard.seal)):
        verify_shard_seal(vault.domain, vault.key, shard.shard_id, vault.vault_id, vault.identity, seal)
    with pytest.raises(RejectedError) as caught:
        verify_shard_seal(vault.domain, vault.key, "0" * 64, vault.vault_id, vault.identity, shard.seal)
    assert caught.value.code == 240
    with pytest.raises(RejectedError) as caught:
        bad(shard).verify(vault.domain, vault.key)
    assert caught.value.code == 241
    with pytest.raises(RejectedError) as caught:
        shard.verify(vault.domain, ShardKey.derive(vault.domain, bytes([1]) * 32, vault.identity))
    assert caught.value.code == 240


def test_a_request_and_its_proof_follow_their_formulas(vault: Vault, secret: DrawnSecret) -> None:
    shards = vault.split(secret).shards
    urls = ["a", "š", "", "d"]
    request = vault.rebuilding().request(Operation.RETHRESHOLD, *of(shards[::-1]), m=3, n=4, node_urls=urls)
    arguments = '{"indeks":null,"m":3,"n":4,"node_urls":["a","š","","d"]}'
    assert request.arguments == hashlib.sha3_256(arguments.encode()).hexdigest()
    assert request.shard_ids == sorted(shard.shard_id for shard in shards)
    assert (request.operation, request.vault_id) == (Operation.RETHRESHOLD, vault.vault_id)
    assert (request.split_id, request.identity_id) == (shards[0].split_id, vault.identity)
    assert request.recipient == hashlib.sha3_256(SERVICE).hexdigest()
    nonce = draw_nonce()
    text = "::".join([
        "DUALSEAL-PRESENCE::rethreshold",
        vault.vault_id,
        request.split_id,
        ",".join(request.shard_ids),
        request.arguments,
        request.recipient,
        vault.identity,
        nonce,
        minute(8),
        "DUALSEAL",
    ])
    challenge = request.challenge(vault.domain, nonce=nonce, expiry=minute(8))
    assert challenge == hashlib.sha3_256(text.encode()).hexdigest()
    proof = PresenceProof.sign(vault.domain, request, vault.phone, nonce=nonce, expiry=minute(8))
    members = proof.to_dict()
    theirs = Ed25519PublicKey.from_public_bytes(bytes.fromhex(vault.phone.public_key))
    statement = f"DUALSEAL-PRESENCE::ED25519::{challenge}::DUALSEAL"
    theirs.verify(bytes.fromhex(members["signature"]), statement.encode())
    assert PresenceProof.from_dict(members) == proof == PresenceProof.from_json(proof.to_json())
    assert (proof.request, proof.nonce, proof.expiry) == (request, nonce, minute(8))
    assert proof.public_key == vault.phone.public_key == members["public_key"]
    # What travels to the holder of the phone is the request, and the proof is made from it there.
    asked = request.to_dict()
    names = ("op", "vault_id", "split_id", "shard_ids", "args", "primatelj", "identity_id")
    assert asked == {name: members[name] for name in names}
    arrived = RebuildRequest.from_json(request.to_json())
    assert arrived == request == RebuildRequest.from_dict(asked)
    assert PresenceProof.sign(vault.domain, arrived, vault.phone, nonce=nonce, expiry=minute(8)) == proof
    for wrong in ({"op": "erase"}, {"shard_ids": asked["shard_ids"][::-1]}, {"nonce": nonce}):
        with pytest.raises(MalformedError):
            RebuildRequest.from_dict(asked | wrong)


def test_the_secret_comes_back_and_culprits_are_named(vault: Vault, secret: DrawnSecret) -> None:
    shards = vault.split(secret).shards
    given = [bad(shards[0]), *shards[1:]]
    request = vault.rebuilding().request("rebuild", *of(given))
    gate = vault.gate(request)
    found, culprits, misdealt = vault.rebuilding().rebuild(request, given, now=minute(4), gate=gate)
    assert (found.to_bytes(), culprits, misdealt) == (secret.to_bytes(), [1], [])
    with pytest.raises(RejectedError) as caught:
        vault.rebuilding().rebuild(request, given, now=minute(4), gate=gate)
    assert caught.value.code == 223
    with pytest.raises(SharingError) as refused:
        vault.rebuilding().rebuild(request, given[:2], now=minute(4), gate=vault.gate(request))
    assert (refused.value.culprits, len(vault.used)) == ((1,), 1)


def test_whoever_answers_with_another_shard_is_named(vault: Vault, secret: DrawnSecret) -> None:
    old = vault.split(secret).shards
    shards = vault.split(secret).shards
    request = vault.rebuilding().request("rebuild", *of(shards))
    # Node 1 answers with junk, in the name of node 2 or its own, or with what is good somewhere else; node 2 is absent.
    lie = json.loads(bad(shards[0]).to_json()) | {"indeks": 2}
    answers: list[str | bytes] = ["", b"\xff\x00", "[" * 1000, json.dumps(lie)]
    answers += [one.to_json() for one in (*old, *shards[1:])]
    for answer in answers:
        junk = Shard.pulled(answer, shard_id=shards[0].shard_id, index=1)
        assert (junk.shard_id, junk.index) == (shards[0].shard_id, 1)
        with pytest.raises(SharingError) as refused:
            vault.rebuilding().rebuild(request, [junk, shards[2]], now=minute(4), gate=vault.gate(request))
        assert refused.value.culprits == (1,)
        given = [junk, *shards[1:]]
        found, culprits, misdealt = vault.rebuilding().rebuild(
            request, given, now=minute(4), gate=vault.gate(request)
        )
        assert (found.to_bytes(), culprits, misdealt) == (secret.to_bytes(), [1], [])
        health = vault.rebuilding().health(given, of=shards[1])
        assert (health.present, health.invalid, health.foreign) == ([2, 3], [1], [])
    own = Shard.pulled(shards[0].to_json(), shard_id=shards[0].shard_id, index=1)
    assert own.to_json() == shards[0].to_json()
    # Good ones of another splitting that the caller had himself block nobody either.
    found, culprits, _ = vault.rebuilding().rebuild(
        request, [old[0], *shards[1:]], now=minute(4), gate=vault.gate(request)
    )
    assert (found.to_bytes(), culprits) == (secret.to_bytes(), [])


def test_the_health_of_a_set_is_told(vault: Vault, secret: DrawnSecret) -> None:
    shards, again = vault.split(secret).shards, vault.split(secret).shards
    rebuilding, (first, *rest) = vault.rebuilding(), shards
    first.verify(vault.domain, vault.key)
    whole = rebuilding.health(shards, of=first)
    assert (whole.present, whole.missing, whole.invalid, whole.foreign) == ([1, 2, 3], [], [], [])
    assert rebuilding.health([], of=first).missing == [1, 2, 3]
    mixed = rebuilding.health([*rest, bad(first), again[1]], of=first)
    assert (mixed.present, mixed.missing, mixed.invalid, mixed.foreign) == ([2, 3], [1], [1], [2])
    assert rebuilding.health(rest, of=again[0]).foreign == [2, 3]


def test_the_gate_denies(vault: Vault, secret: DrawnSecret) -> None:
    shards = vault.split(secret).shards
    rebuilding = vault.rebuilding()
    request = rebuilding.request("rebuild", *of(shards))
    other = rebuilding.request("rebuild", *of(shards[1:]))
    stranger = Ed25519SigningKey.generate()
    denied: list[tuple[Presence, int, int, tuple[int, ...]]] = [
        (vault.gate(request, proofs=[]), 4, 222, ()),
        (vault.gate(other), 4, 222, (0,)),
        (vault.gate(request, verifier=EnrolledKeys()), 4, 222, (0,)),
        (vault.gate(request, required=2), 4, 222, ()),
        (vault.gate(request, nonce=draw_nonce()), 4, 222, (0,)),
        (vault.gate(request), 8, 220, ()),
        (vault.gate(request), 2, 221, ()),
    ]
    for gate, when, code, positions in denied:
        with pytest.raises(RejectedError) as caught:
            rebuilding.rebuild(request, shards, now=minute(when), gate=gate)
        assert (caught.value.code, caught.value.culprits) == (code, positions)
    with pytest.raises(MisuseError):
        rebuilding.rebuild(request, shards, now=minute(4), gate=vault.gate(request, required=0))
    assert vault.used == set()

    nonce = draw_nonce()
    proofs = [
        PresenceProof.sign(vault.domain, request, key, nonce=nonce, expiry=minute(8)) for key in (stranger, vault.phone)
    ]
    with pytest.raises(RejectedError) as caught:
        gate = vault.gate(request, proofs=proofs, nonce=nonce, required=2)
        rebuilding.rebuild(request, shards, now=minute(4), gate=gate)
    assert caught.value.culprits == (0,)
    vault.enrolled.enrol(vault.identity, stranger.public_key)
    both = vault.gate(request, proofs=proofs, nonce=nonce, required=2)
    shards[0].release(
        vault.domain, request, recipient_key=SERVICE, in_force=None, no_chain=True, gate=both, now=minute(4)
    )
    vault.enrolled.remove(vault.identity, vault.phone.public_key)
    with pytest.raises(RejectedError):
        rebuilding.rebuild(request, shards, now=minute(4), gate=vault.gate(request))


def test_a_node_compares_before_it_asks(vault: Vault, secret: DrawnSecret) -> None:
    """Eve is enrolled for herself, a curious node passes on what it got, and neither gets a shard or spends a nonce."""
    shards = vault.split(secret).shards
    own = shards[1]
    request = vault.rebuilding().request("rebuild", *of(shards[:2]))
    eve, device = vault.domain.identity_id(b"", "eve", ""), Ed25519SigningKey.generate()
    vault.enrolled.enrol(eve, device.public_key)

    def release(
        asked: RebuildRequest, gate: Presence, key: bytes = SERVICE, in_force: str | None = None, when: int = 4
    ) -> None:
        own.release(
            vault.domain, asked, recipient_key=key, in_force=in_force, no_chain=in_force is None,
            gate=gate, now=minute(when),
        )  # fmt: skip

    members, nonce = request.to_dict(), draw_nonce()
    hers = RebuildRequest.from_dict(members | {"identity_id": eve})
    her_proof = PresenceProof.sign(vault.domain, hers, device, nonce=nonce, expiry=minute(8))
    refused: list[tuple[RebuildRequest, Presence, dict[str, Any], str]] = [
        (hers, vault.gate(hers, proofs=[her_proof], nonce=nonce), {}, "identity_id"),
        (request, vault.gate(request), {"key": b"node 1"}, "primatelj"),
    ]
    for change in (
        {"vault_id": "0" * 64}, {"split_id": "0" * 64},
        {"shard_ids": sorted([shards[0].shard_id, shards[2].shard_id])}, {"shard_ids": [own.shard_id]},
    ):
        edited = RebuildRequest.from_dict(members | change)
        refused.append((edited, vault.gate(edited), {}, next(iter(change))))
    for asked, gate, how, name in refused:
        with pytest.raises(RejectedError) as caught:
            release(asked, gate, **how)
        assert (caught.value.code, caught.value.field) == (245, name)
    with pytest.raises(RejectedError) as caught:
        release(request, vault.gate(request), in_force="0" * 64)
    assert caught.value.code == 243
    with pytest.raises(RejectedError) as caught:
        release(request, vault.gate(request), when=8)
    assert caught.value.code == 220
    # A split that nobody told is not "there is no chain".
    for in_force, no_chain in ((None, False), (own.split_id, True)):
        with pytest.raises(ValueError, match="no_chain"):
            own.release(
                vault.domain, request, recipient_key=SERVICE, in_force=in_force, no_chain=no_chain,
                gate=vault.gate(request), now=minute(4),
            )  # fmt: skip
    with pytest.raises(ValueError, match="no_chain"):
        Rebuilding(vault.domain, vault.key, vault.vault_id, vault.identity, recipient_key=SERVICE, in_force=None)
    assert vault.used == set()
    release(request, vault.gate(request), in_force=own.split_id)
    gate = vault.gate(request)
    release(request, gate)
    with pytest.raises(RejectedError) as caught:
        release(request, gate)
    assert caught.value.code == 223


def test_any_m_of_the_named_shards_rebuild(vault: Vault, secret: DrawnSecret) -> None:
    shards, rebuilding = vault.split(secret).shards, vault.rebuilding()
    every = rebuilding.request("rebuild", *of(shards))
    found, _, _ = rebuilding.rebuild(every, shards[1:], now=minute(4), gate=vault.gate(every))
    assert found.to_bytes() == secret.to_bytes()
    two = rebuilding.request("rebuild", *of(shards[:2]))
    # One that was slipped in takes no part: it neither counts nor blocks the others.
    found, culprits, _ = rebuilding.rebuild(two, shards, now=minute(4), gate=vault.gate(two))
    assert (found.to_bytes(), culprits) == (secret.to_bytes(), [])
    with pytest.raises(RejectedError) as caught:
        rebuilding.rebuild(two, shards[1:], now=minute(4), gate=vault.gate(two))
    assert (caught.value.code, caught.value.foreign) == (242, (3,))
    elsewhere = RebuildRequest.from_dict(two.to_dict() | {"primatelj": "0" * 64})
    with pytest.raises(RejectedError) as caught:
        rebuilding.rebuild(elsewhere, shards[:2], now=minute(4), gate=vault.gate(elsewhere))
    assert (caught.value.code, caught.value.field) == (245, "primatelj")


def test_what_consume_raises_keeps_the_gate_shut(vault: Vault, secret: DrawnSecret) -> None:
    shards = vault.split(secret).shards
    request = vault.rebuilding().request("rebuild", *of(shards))

    def fail(nonce: str) -> bool:
        raise OSError(nonce)

    gate = vault.gate(request, consume=fail)
    with pytest.raises(OSError, match="[0-9a-f]{64}"):
        vault.rebuilding().rebuild(request, shards, now=minute(4), gate=gate)
    with pytest.raises(TypeError):
        vault.rebuilding().rebuild(request, shards, now=minute(4), gate=vault.gate(request, consume=lambda nonce: None))
    with pytest.raises(TypeError):
        vault.rebuilding().rebuild(request, shards, now=minute(4), gate=vault.gate(request, consume=lambda nonce: 1))


def test_shards_are_repaired_and_dealt_again(vault: Vault, secret: DrawnSecret, log: Log) -> None:
    split = vault.split(secret)
    shards, rebuilding = split.shards, vault.rebuilding()
    request = rebuilding.request("repair", *of(shards[1:]), index=1)
    known: dict[str, Any] = {"lost": 1, "node_url": URLS[0], "shard_id": shards[0].shard_id}
    lost, culprits, misdealt = rebuilding.repair(request, shards[1:], **known, gate=vault.gate(request), now=minute(4))
    assert (lost.to_json(), culprits, misdealt) == (shards[0].to_json(), [], [])
    with pytest.raises(RejectedError) as caught:
        rebuilding.repair(request, shards[1:], **known | {"node_url": "x"}, gate=vault.gate(request), now=minute(4))
    assert caught.value.code == 241

    request = rebuilding.request("refresh", *of(shards), node_urls=URLS)
    fresh = rebuilding.refresh(request, shards, vault.dealer(), gate=vault.gate(request), now=minute(4))
    vault.commit(fresh)
    assert fresh.shards[0].split_id != shards[0].split_id and fresh.shards[0].anchor == shards[0].anchor
    in_force = covered(vault, log, vault.key).in_force()
    assert (in_force.seq, in_force.split_id) == (1, fresh.shards[0].split_id)
    with pytest.raises(RejectedError) as caught:
        vault.rebuilding(in_force).request("rebuild", *of(shards))
    assert caught.value.code == 243
    superseded = vault.rebuilding(in_force).health(shards, of=shards[0])
    assert (superseded.present, superseded.missing, superseded.foreign) == ([], [1, 2, 3], [1, 2, 3])
    assert vault.rebuilding(in_force).health(fresh.shards, of=fresh.shards[0]).present == [1, 2, 3]
    mixed = [shards[0], fresh.shards[1]]
    request = rebuilding.request("rebuild", *of(mixed))
    with pytest.raises(RejectedError) as caught:
        rebuilding.rebuild(request, mixed, now=minute(4), gate=vault.gate(request))
    assert (caught.value.code, caught.value.foreign) == (242, (2,))

    later, urls = vault.rebuilding(in_force), ["a", "b", "c", "d"]
    request = later.request("rethreshold", *of(fresh.shards), m=3, n=4, node_urls=urls)
    grown = later.rethreshold(request, fresh.shards, vault.dealer(3, urls), gate=vault.gate(request), now=minute(4))
    assert [(shard.m, shard.n, shard.node_url) for shard in grown.shards] == [(3, 4, url) for url in urls]
    request = rebuilding.request("rebuild", *of(grown.shards[:3]))
    found, _, _ = rebuilding.rebuild(request, grown.shards[:3], now=minute(4), gate=vault.gate(request))
    assert found.to_bytes() == secret.to_bytes()


def test_without_a_splitting(vault: Vault, log: Log) -> None:
    splits = covered(vault, log, vault.key)
    with pytest.raises(RejectedError) as caught:
        splits.in_force()
    assert caught.value.code == 244
    assert (splits.splits.found, splits.splits.ignored, splits.splits.last) == ([], [], None)


def test_what_does_not_continue_is_ignored(vault: Vault, secret: DrawnSecret, log: Log) -> None:
    """Whoever writes to the log brings no generation back, and ends nothing."""
    one, stale = vault.split(secret), vault.dealer().prepare(secret)
    first = vault.chain[0]
    beside = vault.dealer().prepare(secret, previous=one.preparation.split_id)
    with pytest.raises(RejectedError) as caught:
        vault.commit(stale)
    assert caught.value.code == 246
    two = vault.split(secret)
    with pytest.raises(RejectedError) as caught:
        vault.commit(beside)
    assert caught.value.code == 246
    confirmed = [shard.shard_id for shard in two.shards]
    again = vault.dealer().prepare(secret, previous=two.preparation.split_id)
    with pytest.raises(RejectedError) as caught:
        again.preparation.commit([again.shards[0].shard_id], vault.own_splits(), time=minute(3))
    assert caught.value.code == 247
    with pytest.raises(MalformedError):
        again.preparation.commit(confirmed, vault.own_splits(), time=minute(3))
    entry, _ = again.preparation.commit(
        [shard.shard_id for shard in again.shards[1:]], vault.own_splits(), time=minute(3), least=2
    )
    # The same message at another place is worth nothing.
    replayed = f"{vault.identity}|{first.message}|{vault.chain.head.top}|2"
    line = {
        "h": hashlib.sha3_512(replayed.encode()).hexdigest(), "poruka": first.message, "prev": vault.chain.head.top,
        "t": minute(3), "w3": vault.identity,
    }  # fmt: skip
    vault.chain.push(Entry.from_json(json.dumps(line | {"seq": 2})))
    with pytest.raises(RejectedError):
        vault.chain.push(entry)
    splits = vault.own_splits().splits
    assert (splits.last, splits.ignored, splits.more_ignored) == (two.preparation.split_id, [(2, "tag")], 0)
    assert splits.found == [(0, one.preparation.split_id, True), (1, two.preparation.split_id, True)]
    assert (splits.erased_at, splits.after_erasure) == (None, [])
    found = covered(vault, log, None).splits
    assert (found.last, [reason for _, reason in found.ignored]) == (None, ["unverified"] * 3)


def spends(nonce: str) -> bool:
    return nonce != ""


def was_used(nonce: str) -> bool:
    return nonce == ""


def test_statements_fit_themselves_only(domain: Domain) -> None:
    ana, key, nonce = domain.identity_id(b"", "ana", ""), Ed25519SigningKey.generate(), draw_nonce()
    theirs = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public_key))
    made = {
        f"LOGIN::a::{ana}::noble": Statement.login("a", ana, "noble"),
        f"PEER::a::{hashlib.sha3_256(b'b').hexdigest()}::{hashlib.sha3_256(b'c').hexdigest()}":
            Statement.peer("a", "b", "c"),
        f"ALIVE::a::{ana}::{hashlib.sha3_256(b'here').hexdigest()}": Statement.alive("a", ana, "here"),
    }  # fmt: skip
    how: dict[str, Any] = {"nonce": nonce, "expiry": minute(8), "public_key": key.public_key}
    for text, statement in made.items():
        signature = statement.sign(domain, key, nonce=nonce, expiry=minute(8))
        theirs.verify(bytes.fromhex(signature), f"DUALSEAL-PRESENCE::{text}::{nonce}::{minute(8)}::DUALSEAL".encode())
        statement.verify(domain, signature, **how, now=minute(4), consume=spends)
        for other, when, consume, code in (
            (statement, 8, spends, 220), (statement, 2, spends, 221), (statement, 4, was_used, 223),
            (Statement.login("b", ana, "noble"), 4, spends, 224),
        ):  # fmt: skip
            with pytest.raises(RejectedError) as caught:
                other.verify(domain, signature, **how, now=minute(when), consume=consume)
            assert caught.value.code == code
    with pytest.raises(MalformedError):
        Statement.login("a::b", ana, "noble")


def test_a_node_deletes_on_the_operators_word_alone(vault: Vault, secret: DrawnSecret, log: Log) -> None:
    one, operator = vault.split(secret), Ed25519SigningKey.generate()
    node = NodeShards(one.shards[0])
    two = vault.dealer().prepare(secret, previous=one.preparation.split_id)
    assert node.prepare(vault.domain, two.shards[0], minute(9)) == two.shards[0].shard_id
    altered = Shard.from_json(json.dumps(json.loads(two.shards[0].to_json()) | {"node_url": "another"}))
    with pytest.raises(RejectedError) as caught:
        node.prepare(vault.domain, altered, minute(9))
    assert caught.value.code == 241
    new = two.preparation.split_id

    def tell(key: Ed25519SigningKey, split_id: str, audience: str = "node") -> None:
        nonce = draw_nonce()
        signature = Statement.drop_older(audience, covered(vault, log, vault.key)).sign(
            vault.domain, key, nonce=nonce, expiry=minute(8)
        )
        node.obey(
            vault.domain, "node", signature, split_id=split_id, operator=operator.public_key, nonce=nonce,
            expiry=minute(8), now=minute(4), consume=vault.consume,
        )  # fmt: skip

    for key, split_id, audience, code in (
        (operator, one.preparation.split_id, "node", 245), (operator, new, "node", 224),
        (operator, "0" * 64, "node", 224),
    ):  # fmt: skip
        with pytest.raises(RejectedError) as caught:
            tell(key, split_id, audience)
        assert caught.value.code == code
    vault.commit(two)
    for key, audience in ((Ed25519SigningKey.generate(), "node"), (operator, "another node")):
        with pytest.raises(RejectedError) as caught:
            tell(key, new, audience)
        assert caught.value.code == 224
    assert node.current is not None and node.current.split_id == one.preparation.split_id
    assert vault.used == set()
    tell(operator, new)
    assert node.current is not None and node.current.split_id == new
    assert node.prepared is None and len(vault.used) == 1
    assert node.prepare(vault.domain, one.shards[0], minute(9)) == one.shards[0].shard_id
    # What the node acknowledged may have been committed: another preparation does not wipe it, nor does its time alone.
    three = vault.dealer().prepare(secret, previous=new)
    with pytest.raises(RejectedError) as caught:
        node.prepare(vault.domain, three.shards[0], minute(9))
    assert (caught.value.code, caught.value.name) == (249, "already-prepared")
    assert node.prepare(vault.domain, one.shards[0], minute(4)) == one.shards[0].shard_id
    for in_force, told in ((new, minute(8)), (one.preparation.split_id, minute(9)), (None, minute(4))):
        node.expire(in_force=in_force, told=told, no_chain=in_force is None)
        assert node.prepared is not None and node.prepared.split_id == one.preparation.split_id
    node.expire(in_force=new, told=minute(9))
    assert node.prepared is None
    node.prepare(vault.domain, three.shards[0], minute(9))
    assert node.prepared_until == minute(9)
    node.expire(in_force=None, told=minute(9), no_chain=True)
    assert node.prepared is None
    # Nothing continues an erasure, after which the operator's word deletes all.
    elsewhere, info = Domain("ELSEWHERE"), f"DUALSEAL-VAULT::KDF::SHARD::{vault.identity}::DUALSEAL".encode()
    shard_key = HKDF(hashes.SHA3_256(), 64, salt=None, info=info).derive(MASTER)
    said = f"DUALSEAL-SHARD::SPLIT::{vault.vault_id}::{new}::{'0' * 64}"
    prev = vault.chain.head.top
    tag = hmac.new(shard_key, f"{said}::{prev}::DUALSEAL".encode(), hashlib.sha3_512).hexdigest()[:64]
    vault.chain.append(elsewhere, vault.identity, f"{said}::{tag}::DUALSEAL", minute(4))
    with pytest.raises(RejectedError) as caught:
        vault.commit(vault.dealer().prepare(secret, previous=new))
    assert caught.value.code == 248
    assert (vault.own_splits().splits.erased_at, vault.own_splits().splits.last) == (2, None)
    tell(operator, "0" * 64)
    assert node.current is None


def test_what_is_refused(vault: Vault, secret: DrawnSecret) -> None:
    for m, count, name in ((1, 3, "m"), (4, 3, "m"), (300, 3, "m"), (2, 1, "n"), (2, 256, "n")):
        with pytest.raises(MalformedError) as caught:
            vault.dealer(m, (URLS * 100)[:count]).prepare(secret)
        assert (caught.value.field, caught.value.code) == (name, 106)
    with pytest.raises(TypeError, match="GF_2_256"):
        vault.dealer().prepare(DrawnSecret.draw(SharingField.FP_521))
    shards = vault.split(secret).shards
    with pytest.raises(MalformedError) as caught:
        vault.rebuilding().request("destroy", *of(shards))
    assert (caught.value.field, caught.value.code) == ("op", 107)
    with pytest.raises(MalformedError) as caught:
        vault.rebuilding().request("rebuild", *of([shards[0], shards[0]]))
    assert (caught.value.field, caught.value.index) == ("shard_ids", 1)
    with pytest.raises(MalformedError) as caught:
        vault.rebuilding().request("rebuild", shards[0].split_id, [])
    assert (caught.value.field, caught.value.code) == ("shard_ids", 106)
    neutral = "01" + "00" * 31
    with pytest.raises(MalformedError) as caught:
        vault.enrolled.enrol(vault.identity, neutral)
    assert caught.value.field == "public_key"


def test_secrets_are_neither_shown_nor_carried(vault: Vault, secret: DrawnSecret) -> None:
    shards = vault.split(secret).shards
    key = Ed25519SigningKey.from_seed(bytearray([0xAB] * 32))
    assert (key.seed(), "abab" in repr(key)) == (bytes([0xAB] * 32), False)
    gate = vault.gate(vault.rebuilding().request("rebuild", *of(shards)))
    values: list[Any] = [vault.key, key, shards[0], gate]
    for value in values:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(value, protocol)
    for held in values[:3]:
        with pytest.raises(TypeError, match="has no hash"):
            hash(held)
