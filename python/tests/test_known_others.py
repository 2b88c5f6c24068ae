"""Sessions, shards, proofs of presence, streams and a ledger that another implementation made, by the wheel: the same
files that Rust, C and Go read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    CheckpointSigner,
    CheckpointVerifier,
    Dealing,
    Domain,
    DrawnSecret,
    Ed25519SigningKey,
    EnrolledKeys,
    Entry,
    Erasure,
    HighWaterMark,
    KeyRing,
    Krunica,
    Operation,
    Pins,
    Presence,
    PresenceProof,
    PublicKey,
    Purpose,
    Rebuilding,
    RejectedError,
    RingKey,
    Session,
    SessionShare,
    Shard,
    ShardKey,
    Share,
    SharingError,
    SharingField,
    SigningKey,
    Statement,
    ThresholdResult,
    Tier,
    TierKeys,
    VaultMaster,
    VaultPolicy,
    VaultRecord,
    VaultVerifier,
    VerdictKind,
    VerifiedCheckpoint,
    decrypt,
    message_hash,
    unseal,
    verify_quorum,
)

from conftest import minute
from known import counts, read, sha3, shake, stored

PATTERN = bytes(range(251))
QUORUM = read("known_answers_quorum.json")


def chain_of(entries: Iterable[dict[str, Any]]) -> Krunica:
    return Krunica.from_json(json.dumps(list(entries)))


def covering(domain: Domain, chain: Krunica, origin: str = "example.org/log") -> VerifiedCheckpoint:
    """A checkpoint over all of a chain, by a log that is made for it."""
    key, identity = SigningKey.from_seed(bytes([5]) * 32), domain.identity_id(b"", "log", "")
    mark = HighWaterMark.first(origin, chain.head, ring=None)
    signed = CheckpointSigner(domain, origin, identity, key).sign(mark, time=minute(59))
    pins = Pins(origin=origin, identity_id=identity, key_hash=key.public_key.hash, least_size=0)
    return CheckpointVerifier(domain, pins).verify(signed).verified()


def ring_of(session: dict[str, Any]) -> KeyRing | None:
    if "javni_kljuc" not in session:
        return None
    return KeyRing.pinned(session["identity_id"], PublicKey.from_bytes(bytes.fromhex(session["javni_kljuc"])))


def test_sessions_are_in_force_and_their_results_hold() -> None:
    verified = confirmed = 0
    for answer in QUORUM["sessions"]:
        domain, message = Domain(answer["domain"]), message_hash(bytes.fromhex(answer["message_hex"]))
        ring = ring_of(answer["deals"][0]["session"])
        for last, (deal, signing) in enumerate(zip(answer["deals"], answer["signings"], strict=True), 1):
            chain = chain_of(answer["chain"][: 1 + 2 * last])
            records = [Session.from_dict(one["session"]) for one in answer["deals"][:last]]
            reader = ChainReader(domain, under=covering(domain, chain))
            watched = reader.session(records[0].session_id, list(chain)[1].krunica_hash)
            in_force = reader.read(chain)[watched].in_force(records, ring)
            shares = [SessionShare.from_json(json.dumps(share)) for share in deal["shares"]]
            result = ThresholdResult.from_dict(signing["result"]).signed
            assert result is not None
            if ring is None:
                authentic = in_force.verify_with_shares(message, result, shares)
                assert (authentic.culprits, authentic.misdealt) == ([], [])
                with pytest.raises(RejectedError):
                    in_force.verify_with_shares(message_hash(b"another"), result, shares)
                confirmed += 1
                continue
            for earlier in answer["signings"][:last]:
                result = ThresholdResult.from_dict(earlier["result"]).signed
                assert result is not None
                assert verify_quorum(in_force, message, result, ring).kind == VerdictKind.VALID
                other = verify_quorum(in_force, message_hash(b"another"), result, ring)
                assert other.kind == VerdictKind.INVALID
                verified += 1
    assert (verified, confirmed) == (6, 4)


def opened(request: Any, domain: Domain, identity: str) -> Presence:
    """A gate, and a proof that opens it."""
    phone, enrolled, nonce = Ed25519SigningKey.generate(), EnrolledKeys(), "07" * 32
    enrolled.enrol(identity, phone.public_key)
    proof = PresenceProof.sign(domain, request, phone, nonce=nonce, expiry=minute(50))
    times = {"nonce": nonce, "expiry": minute(50)}
    return Presence(enrolled, [proof], required=1, consume=lambda _: True, **times)


def test_shards_rebuild_their_secret() -> None:
    rebuilt = 0
    for answer in QUORUM["vaults"]:
        domain, identity, vault_id = Domain(answer["domain"]), answer["identity_id"], answer["vault_id"]
        key = ShardKey.derive(domain, bytes.fromhex(answer["master_hex"]), identity)
        recipient = bytes.fromhex(answer["recipient_key_hex"])
        for last in range(1, 1 + len(answer["splits"])):
            chain = chain_of(answer["chain"][:last])
            reader = ChainReader(domain, under=covering(domain, chain))
            watched = reader.splits(key, vault_id)
            in_force = reader.read(chain)[watched].in_force()
            for number, split in enumerate(answer["splits"][:last], 1):
                shards = [Shard.from_json(json.dumps(one)) for one in split["shards"]]
                for shard in shards:
                    shard.verify(domain, key)
                by = Rebuilding(domain, key, vault_id, identity, recipient_key=recipient, in_force=in_force)
                named = (shards[0].split_id, [shard.shard_id for shard in shards])
                if number < last:
                    with pytest.raises(RejectedError):
                        by.request(Operation.REBUILD, *named)
                    continue
                request = by.request(Operation.REBUILD, *named)
                gate = opened(request, domain, identity)
                secret, culprits, misdealt = by.rebuild(request, shards[: split["m"]], gate=gate, now=minute(49))
                assert (secret.to_bytes().hex(), culprits, misdealt) == (answer["secret_hex"], [], [])
                rebuilt += 1
    assert rebuilt == 4


def test_proofs_of_presence_to_the_byte() -> None:
    for answer in QUORUM["proofs"]:
        expected, domain = answer["proof"], Domain(answer["domain"])
        proof = PresenceProof.from_dict(expected)
        times = {"nonce": expected["nonce"], "expiry": expected["expiry"]}
        assert proof.request.challenge(domain, **times) == answer["challenge"]
        key = Ed25519SigningKey.from_seed(bytes.fromhex(answer["seed_hex"]))
        assert PresenceProof.sign(domain, proof.request, key, **times).to_dict() == expected
    assert len(QUORUM["proofs"]) == 8


def test_statements_to_the_byte() -> None:
    for answer in QUORUM["statements"]:
        audience = answer["audience"]
        match answer["kind"]:
            case "LOGIN":
                made = Statement.login(audience, answer["identity_id"], answer["tier"])
            case "PEER":
                made = Statement.peer(audience, answer["agent_id"], answer["url"])
            case _:
                made = Statement.alive(audience, answer["identity_id"], answer["stated"])
        domain, key = Domain(answer["domain"]), Ed25519SigningKey.from_seed(bytes.fromhex(answer["seed_hex"]))
        times = {"nonce": answer["nonce"], "expiry": answer["expiry"]}
        assert made.sign(domain, key, **times) == answer["signature"]
        good = {"public_key": key.public_key, "now": minute(44), "consume": lambda _: True, **times}
        made.verify(domain, answer["signature"], **good)
        with pytest.raises(RejectedError):
            made.verify(domain, answer["signature_over_bare_nonce"], **good)
    assert len(QUORUM["statements"]) == 6


def payload(length: int) -> bytes:
    return (PATTERN * (length // len(PATTERN) + 1))[:length]


def test_streams_open() -> None:
    vectors = read("stream.json")
    assert counts(vectors) == {"streams": 16, "dealings": 4}
    streams = vectors["streams"]
    for answer in streams:
        length = answer["payload_length"]
        secret, plain = bytes.fromhex(answer["secret"]), shake(f"payload {length}", length)
        of = (answer["domain"], answer["identity_id"], answer["type"])
        made = stored(*of, secret, bytes.fromhex(answer["salt"]), plain)
        assert (len(made), sha3(made)) == (answer["stored_length"], answer["stored_sha3_256"])
        assert made.hex().startswith(answer["stored_begin"])
        purpose = Purpose(Domain(answer["domain"]), answer["identity_id"], answer["type"])
        assert decrypt(secret, purpose, made) == plain
        if "stored" in answer:
            assert made.hex() == answer["stored"]
        with pytest.raises(RejectedError):
            decrypt(secret, purpose, made[:-1])


def test_dealt_secrets_are_rebuilt_and_open_their_streams() -> None:
    rebuilt = {}
    for answer in read("stream.json")["dealings"]:
        dealing = Dealing.from_json(Domain(answer["domain"]), json.dumps(answer["dealing"]))
        field = SharingField.FP_521 if len(answer["secret"]) == 132 else SharingField.GF_2_256
        shares = [Share.from_hex(field, index, value) for index, value in answer["shares"]]
        for chosen in (shares, shares[1:], shares[::2]):
            secret, culprits, misdealt = dealing.reconstruct(chosen)
            assert (secret.to_bytes().hex(), culprits, misdealt) == (answer["secret"], [], [])
            rebuilt[answer["secret"]] = secret
        with pytest.raises(SharingError):
            dealing.reconstruct(shares[:1])
    assert len(rebuilt) == 4
    opened = 0
    for answer in read("stream.json")["streams"]:
        whole = bytes.fromhex(answer.get("stored", answer["stored_begin"]))
        if len(whole) == answer["stored_length"]:
            purpose = Purpose(Domain(answer["domain"]), answer["identity_id"], answer["type"])
            length = answer["payload_length"]
            assert decrypt(rebuilt[answer["secret"]], purpose, whole) == shake(f"payload {length}", length)
            opened += 1
    assert opened == 7


def test_a_chunk_that_opens_under_two_keys_opens_under_one() -> None:
    attack = read("stream.json")["two_keys"]
    salt, chunk = bytes.fromhex(attack["salt"]), bytes.fromhex(attack["chunk"])
    of = (attack["identity_id"], attack["type"])
    secrets = [bytes.fromhex(secret) for secret in attack["secrets"]]
    for secret, other, payload in zip(secrets, secrets[::-1], attack["payloads"], strict=True):
        made = stored("DUALSEAL", *of, secret, salt, b"")[:68] + chunk
        assert decrypt(secret, Purpose(Domain(), *of), made).hex() == payload
        with pytest.raises(RejectedError):
            decrypt(other, Purpose(Domain(), *of), made)


def test_a_ledger_holds_and_opens() -> None:
    verified = 0
    for answer in read("known_answers_vault.json")["ledgers"]:
        domain, identity, chain = Domain(answer["domain"]), answer["identity_id"], chain_of(answer["chain"])
        master = VaultMaster(domain, bytes.fromhex(answer["master_hex"]))
        assert master.key_id == answer["schedule"]["key_id"]
        authority, file = RingKey(domain, bytes.fromhex(answer["ring_key_hex"])), json.dumps(answer["ring"])
        own = ChainReader(domain, up_to=chain.head)
        of_ring = own.ring(authority, file, masters=[master])
        ring = own.read(chain)[of_ring].ring
        reader = ChainReader(domain, under=covering(domain, chain, answer["ring"]["origin"]))
        of_ledger = reader.ledger(answer["ledger"], master=master)
        places = reader.read(chain)[of_ledger]
        assert (len(places), places.is_verified) == (5, True)

        first, last = (VaultRecord.from_dict(answer["records"][at]["record"]) for at in (0, 4))
        began, ended = answer["records"][0], answer["records"][4]
        secret, salt = bytes.fromhex(began["secret_hex"]), bytes.fromhex(began["salt_hex"])
        document = payload(began["payload_length"])
        of_first = stored(answer["domain"], identity, began["type"], secret, salt, document)
        erased = began["record"]["sealed"]["header"]["vault_id"]
        members = {"splits": sorted(answer["splits"]), "vault_id": erased}
        of_last = json.dumps(members, separators=(",", ":")).encode()
        assert [of_first.hex(), of_last.hex()] == [began["stored_hex"], ended["stored_hex"]]
        assert [sha3(of_first), sha3(of_last)] == [began["stored_sha3_256"], ended["stored_sha3_256"]]
        tiers = TierKeys()
        for tier in (Tier.NOBLE, Tier.NATIVE):
            seed = bytes.fromhex(answer["tier_seeds_hex"][str(tier.value)])
            tiers.enrol(identity, tier, Ed25519SigningKey.from_seed(seed).public_key)
        verifier = VaultVerifier(domain, ring)
        operator = VaultPolicy.operator(master, least_tier=Tier.NATIVE, tier_keys=tiers)
        for policy in (VaultPolicy.public(least_tier=Tier.NATIVE, tier_keys=tiers), operator):
            reports = []
            for record, bytes_ in ((first, of_first), (last, of_last)):
                at = {"signer": identity, "policy": policy, "place": places.locate(record)}
                report = verifier.verify(record, bytes_, **at)
                assert report.verdict.kind == VerdictKind.VALID, report
                altered = verifier.verify(record, bytes_ + b" ", **at)
                assert altered.verdict.kind == VerdictKind.INVALID
                reports.append(report)
                verified += 1
            place = places.locate(last)
            assert place is not None
            erasure = Erasure.read(reports[1].verified(), place, of_last)
            assert erasure.covers(first) and not erasure.covers(last)
            assert erasure.splits == members["splits"]
        # The operator's policy is the last one.
        assert unseal(reports[0].verified(), of_first, secret=DrawnSecret.from_bytes(secret)) == document
    assert verified == 8
