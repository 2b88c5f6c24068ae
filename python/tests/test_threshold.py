"""Threshold signing: founded, found in force, signed and verified; each hash, statement and MAC made here again."""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass

import dualseal
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PublicKey
from dualseal import (
    Acknowledgement,
    ChainReader,
    CheckedRing,
    Committed,
    Domain,
    Ed25519SigningKey,
    Entry,
    Founded,
    Founding,
    InvalidError,
    KeyRing,
    KeyState,
    Krunica,
    LocatedSession,
    MalformedError,
    NodeShares,
    Prepared,
    QuorumResult,
    RejectedError,
    RingKey,
    Session,
    SessionInForce,
    SessionShare,
    SharingError,
    Signer,
    SigningKey,
    Statement,
    ThresholdResult,
    VerdictKind,
    Verifier,
    draw_nonce,
    message_hash,
    verify_pinned_quorum,
    verify_quorum,
)

from conftest import ORIGIN, Log, followed, minute

P = 2**521 - 1
MESSAGE = message_hash(b"resolution 7")
HMAC, MLDSA = "SHAMIR-2^521-1-HMAC-SHA3-512", "SHAMIR-2^521-1-ML-DSA-65"


@dataclass
class Board:
    domain: Domain
    log: Log
    identity: str
    owners: list[str]
    chain: Krunica

    def founding(self, k: int = 2, owners: Sequence[str] | None = None) -> Founding:
        return Founding(
            self.domain, self.identity, owners or self.owners, k=k, head=self.chain.head, time=minute(10)
        )

    def found(self, kind: str) -> Founded:
        founded = self.founding().hmac() if kind == HMAC else self.founding().mldsa(self.identity)
        self.chain.push(founded.entry)
        return founded

    def located(self, *records: Session, founder: str | None = None) -> LocatedSession:
        covering = self.log.covering(self.chain.head)
        label = f"::SESSION::{records[0].session_id}::"
        first = next((entry.krunica_hash for entry in self.chain if label in entry.message), "0" * 64)
        reader = ChainReader(self.domain, under=covering, up_to=self.chain.head)
        watched = reader.session(records[0].session_id, founder or first)
        return reader.read(self.chain)[watched]

    def in_force(
        self, *records: Session, founder: str | None = None, ring: KeyRing | None = None
    ) -> SessionInForce:
        return self.located(*records, founder=founder).in_force(records, ring or self.ring_of(records[0]))

    def ring_of(self, session: Session) -> KeyRing | None:
        key = session.public_key
        return None if key is None else KeyRing.pinned(self.identity, key)

    def said(self, prepared: Prepared) -> list[tuple[int, Acknowledgement]]:
        """What each custodian said, beside the number of whom the channel authenticated."""
        of = Acknowledgement.of
        return [(share.index, of(self.domain, prepared.session, share)) for share in prepared.shares]

    def commit(self, prepared: Prepared, *records: Session) -> Committed:
        said = self.said(prepared)
        at = self.located(*records).at_head(records, self.ring_of(records[0]))
        assert at.head == self.chain.head
        committed = prepared.commit(at, said, requester=self.owners[0])
        self.chain.push(committed.entry)
        return committed

    def sign(self, session: SessionInForce, shares: Sequence[SessionShare]) -> QuorumResult:
        head = self.chain.head
        signed = session.sign(MESSAGE, self.owners[0], shares, head=head, time=minute(11))
        assert signed.head.size == head.size + 1
        self.chain.push(signed.entry)
        assert (signed.entry.hash, signed.entry.krunica_hash) == (signed.result.witness, signed.result.krunica_hash)
        assert (signed.entry.identity_id, signed.entry.time) == (self.owners[0], minute(11))
        return signed.result


@pytest.fixture
def board(domain: Domain, log: Log) -> Board:
    owners = [domain.identity_id(b"", name, "") for name in ("ana", "ivo", "eva")]
    return Board(domain, log, domain.identity_id(b"", "board", ""), owners, Krunica())


def secret_of(shares: Sequence[SessionShare]) -> bytes:
    total = 0
    for share in shares:
        value = int(share.value_hex(), 16)
        for other in shares:
            if other.index != share.index:
                value = value * other.index * pow(other.index - share.index, -1, P) % P
        total += value
    return (total % P).to_bytes(66)


def statement(session: Session, result: QuorumResult, message: str = MESSAGE) -> bytes:
    binding = f"DUALSEAL-THRESHOLD::BINDING::{session.session_id}::{message}::DUALSEAL"
    parts = [
        "DUALSEAL-THRESHOLD::RESULT",
        result.algorithm,
        session.session_id,
        hashlib.sha3_256(binding.encode()).hexdigest(),
        result.requester,
        result.witness,
        result.krunica_hash,
        result.time,
        ",".join(map(str, result.culprits)),
        "DUALSEAL",
    ]
    return "::".join(parts).encode()


def bad(share: SessionShare) -> SessionShare:
    parts = {"session_id": share.session_id, "split_id": share.split_id, "owner": share.owner}
    return SessionShare(index=share.index, value_hex="00" * 66, **parts)


@pytest.mark.parametrize("kind", [HMAC, MLDSA])
def test_a_session_commits_by_its_formulas(board: Board, kind: str) -> None:
    founded = board.found(kind)
    session, secret = founded.session, secret_of(founded.shares[1:])
    anchor = f"DUALSEAL-THRESHOLD::ANCHOR::{session.session_id}::{kind}::DUALSEAL".encode() + secret
    commitments = [
        f"DUALSEAL-THRESHOLD::SHARE::{session.session_id}::{session.split_id}::2::3::{share.index}::{share.owner}"
        f"::DUALSEAL".encode() + bytes.fromhex(share.value_hex())
        for share in founded.shares
    ]
    members = {
        "algoritam": kind,
        "javni_sidro": hashlib.sha3_512(anchor).hexdigest(),
        "k": 2,
        "kreiran": minute(10),
        "n": 3,
        "ovlast": None,
        "prethodni": None,
        "session_id": session.session_id,
        "split_id": session.split_id,
        "udio_sidra": [hashlib.sha3_512(commitment).hexdigest() for commitment in commitments],
    }
    if kind == MLDSA:
        key = SigningKey.from_seed(secret[34:])
        assert (secret[:34], session.public_key, session.identity_id) == (bytes(34), key.public_key, board.identity)
        members |= {"identity_id": board.identity, "javni_kljuc": key.public_key.hex}
    else:
        assert (session.public_key, session.identity_id) == (None, None)
    assert session.to_dict() == members
    assert session.to_json() == json.dumps(members, sort_keys=True, separators=(",", ":"))
    record_hash = hashlib.sha3_256(session.to_json().encode()).hexdigest()
    message = f"DUALSEAL-THRESHOLD::SESSION::{session.session_id}::{record_hash}::DUALSEAL"
    entry = founded.entry
    assert (entry.message, entry.identity_id, founded.head) == (message, board.identity, board.chain.head)
    assert Session.from_json(session.to_json()) == session == Session.from_dict(members)
    assert (session.k, session.n, session.algorithm, session.created_at) == (2, 3, kind, minute(10))
    assert session.anchor == members["javni_sidro"]


def test_k_shares_sign_and_k_shares_verify(board: Board) -> None:
    founded = board.found(HMAC)
    session = board.in_force(founded.session)
    assert (session.session, session.seq) == (founded.session, 0)
    result = board.sign(session, [bad(founded.shares[0]), *founded.shares[1:]])
    expected = hmac.new(secret_of(founded.shares[:2]), statement(session.founder, result), "sha3_512").hexdigest()
    assert (result.signature_hex, result.culprits, result.algorithm) == (expected, [1], HMAC)
    assert result.to_dict() == {
        "algoritam": HMAC,
        "culprits": [1],
        "krunica_hash": result.krunica_hash,
        "ok": True,
        "potpis": expected,
        "razlog": None,
        "svjedok_hash": result.witness,
        "ts": minute(11),
        "weise3_hash": board.owners[0],
    }
    read = ThresholdResult.from_json(result.to_json())
    assert (read.signed, read.reason, read.culprits) == (result, None, [1])
    confirmed = session.verify_with_shares(MESSAGE, result, [*founded.shares[:2], bad(founded.shares[2])])
    assert (confirmed.result, confirmed.culprits, confirmed.misdealt) == (result, [3], [])
    with pytest.raises(RejectedError) as caught:
        session.verify_with_shares(message_hash(b"other"), result, founded.shares)
    assert caught.value.code == 236
    with pytest.raises(SharingError):
        session.verify_with_shares(MESSAGE, result, founded.shares[:1])


def test_anybody_verifies_with_the_public_key(board: Board) -> None:
    founded = board.found(MLDSA)
    session, key = board.in_force(founded.session), founded.session.public_key
    assert key is not None
    result = board.sign(session, founded.shares[1:])
    theirs = MLDSA65PublicKey.from_public_bytes(key.to_bytes())
    theirs.verify(bytes.fromhex(result.signature_hex), statement(session.founder, result))
    with pytest.raises(InvalidSignature):
        theirs.verify(bytes.fromhex(result.signature_hex), statement(session.founder, result, message_hash(b"")))

    ring = KeyRing.pinned(board.identity, key)
    verdict = verify_quorum(session, MESSAGE, result, ring)
    assert (verdict.kind, verdict.verified(), verdict.identity_id) == (VerdictKind.VALID, result, board.identity)
    assert verdict.time == minute(11)
    with pytest.raises(InvalidError):
        verify_quorum(session, message_hash(b"other"), result, ring).verified()
    with pytest.raises(RejectedError) as caught:
        session.verify_with_shares(MESSAGE, result, founded.shares)
    assert caught.value.code == 235


def test_the_ring_decides_on_the_quorums_key(board: Board) -> None:
    founded = board.found(MLDSA)
    key = founded.session.public_key
    assert key is not None
    ring = CheckedRing(ORIGIN, RingKey(board.domain, bytes([9]) * 32))
    entry, _ = followed(ring, board.chain).add(board.identity, key, head=board.chain.head, time=minute(11))
    board.chain.push(entry)
    session = board.in_force(founded.session)
    result = board.sign(session, founded.shares)
    assert verify_quorum(session, MESSAGE, result, ring).kind is VerdictKind.VALID
    # Pinned by hand, where no chain is: of whom the quorum is, its word is taken.
    for session_id, kind in ((founded.session.session_id, VerdictKind.VALID), ("0" * 64, VerdictKind.INVALID)):
        verdict = verify_pinned_quorum(
            board.domain, MESSAGE, result, ring, session_id=session_id, identity_id=board.identity, public_key=key
        )
        assert verdict.kind is kind
    with pytest.raises(TypeError):
        verify_quorum(founded.session, MESSAGE, result, ring)  # type: ignore[arg-type]
    followed(ring, board.chain).set_state(
        board.identity, KeyState.SUSPENDED, head=board.chain.head, time=minute(12)
    )
    assert verify_quorum(session, MESSAGE, result, ring).kind is VerdictKind.SUSPENDED


def test_a_refusal_names_the_culprits_and_is_a_record(board: Board) -> None:
    founded = board.found(HMAC)
    session = board.in_force(founded.session)
    shares = [bad(founded.shares[0]), bad(founded.shares[2]), founded.shares[1]]
    with pytest.raises(SharingError) as caught:
        session.sign(MESSAGE, board.owners[0], shares, head=board.chain.head, time=minute(11))
    error = caught.value
    assert (error.culprits, error.code) == ((1, 3), 210)
    assert error.refusal == {
        "algoritam": HMAC,
        "culprits": [1, 3],
        "krunica_hash": None,
        "ok": False,
        "potpis": None,
        "razlog": str(error),
        "svjedok_hash": None,
        "ts": minute(11),
        "weise3_hash": board.owners[0],
    }
    record = ThresholdResult.from_dict(error.refusal)
    assert (record.signed, record.reason, record.culprits) == (None, str(error), [1, 3])
    assert pickle.loads(pickle.dumps(error)).refusal == error.refusal
    quorum = session.quorum(shares)
    assert (quorum.needed, quorum.reached, quorum.health.present) == (2, False, [2])
    assert (quorum.health.invalid, quorum.health.missing) == ([1, 3], [1, 3])


def test_a_custodian_is_not_framed_by_another_owner(board: Board) -> None:
    founded = board.found(HMAC)
    share = founded.shares[0]
    moved = SessionShare.from_json(share.to_json().replace(board.owners[0], board.owners[1]))
    health = founded.session.health(board.domain, [moved, *founded.shares[1:]])
    assert (health.present, health.invalid) == ([2, 3], [1])
    quorum = board.in_force(founded.session).quorum([moved, *founded.shares[1:]])
    assert (quorum.reached, quorum.health.present, quorum.health.invalid) == (True, [2, 3], [1])


def test_a_lost_share_and_new_custodians(board: Board) -> None:
    founded = board.found(MLDSA)
    session = board.in_force(founded.session)
    lost, culprits, misdealt = session.repair(founded.shares[1:], lost=1, owner=board.owners[0])
    assert (lost.to_json(), culprits, misdealt) == (founded.shares[0].to_json(), [], [])
    with pytest.raises(RejectedError) as another:
        session.repair(founded.shares[1:], lost=1, owner=board.owners[1])
    assert (another.value.code, another.value.index, another.value.culprits) == (237, 1, ())

    owners = [*board.owners, board.domain.identity_id(b"", "pero", "")]
    with pytest.raises(dualseal.MalformedError, match="k"):
        session.prepare_refresh(founded.shares, owners=owners, k=4, time=minute(12))
    given = [bad(founded.shares[0]), *founded.shares[1:]]
    again = session.prepare_rethreshold(given, owners=owners, k=3, time=minute(12))
    rival = session.prepare_rethreshold(founded.shares, owners=owners, k=3, time=minute(12))
    assert (again.session.session_id, again.session.anchor) == (founded.session.session_id, founded.session.anchor)
    assert (again.session.k, again.session.n, again.culprits, again.misdealt) == (3, 4, [1], [])
    assert (again.session.previous, again.session.authority_hex) == (founded.session.split_id, None)
    assert secret_of(again.shares[1:]) == secret_of(founded.shares[1:])
    # Until its entry stands the old shares sign; too few acknowledgements bring nothing into force.
    board.in_force(founded.session).repair(founded.shares[1:], lost=1, owner=board.owners[0])
    said = board.said(again)[:3]
    assert Acknowledgement.from_json(said[0][1].to_json()) == said[0][1]
    assert said[0][1].split_id == again.session.split_id
    at = board.located(founded.session).at_head([founded.session], board.ring_of(founded.session))
    with pytest.raises(RejectedError) as few:
        again.commit(at, said, requester=board.owners[0])
    assert few.value.code == 239
    # Whoever has the record can say what the others would: it counts once, for himself.
    commitments = again.session.to_dict()["udio_sidra"]
    split = again.session.split_id
    forged = [Acknowledgement.from_json(json.dumps({"split_id": split, "udio_sidra": of})) for of in commitments]
    for by in ([1, 1, 1, 1], [2, 3, 4, 1]):
        with pytest.raises(RejectedError, match="1 custodians" if by[0] == by[1] else "0 custodians"):
            again.commit(at, list(zip(by, forged, strict=True)), requester=board.owners[0])
    committed = board.commit(again, founded.session)
    records = (founded.session, committed.session)
    later = board.in_force(*records)
    assert (later.session, later.seq, later.ignored) == (committed.session, 1, [])
    # An old share is no cheat's, and a second refresh of the same generation comes too late.
    with pytest.raises(SharingError) as caught:
        later.repair(founded.shares, lost=4, owner=owners[3])
    assert caught.value.culprits == ()
    with pytest.raises(RejectedError) as stale:
        board.commit(rival, *records)
    assert stale.value.code == 238
    # An entry whose record is not at hand is listed, and stops nothing.
    assert board.in_force(founded.session).ignored == [(1, "no-record")]
    with pytest.raises(RejectedError) as missing:
        board.in_force(committed.session)
    assert (missing.value.code, missing.value.index) == (231, 0)


@pytest.mark.parametrize("kind", [HMAC, MLDSA])
def test_a_node_goes_on_by_the_operators_word_alone(board: Board, kind: str) -> None:
    founded, operator = board.found(kind), Ed25519SigningKey.generate()
    session, used = board.in_force(founded.session), set[str]()
    one, two = (
        session.prepare_refresh(founded.shares, owners=board.owners, k=2, time=minute(12)) for _ in range(2)
    )
    node = NodeShares(board.domain, (founded.shares[0], founded.session))
    with pytest.raises(RejectedError, match="share 1 was not committed to"):
        NodeShares(board.domain, (bad(founded.shares[0]), founded.session))
    said = node.prepare(board.domain, one.shares[0], one.session, minute(20))
    assert said == Acknowledgement.of(board.domain, one.session, one.shares[0])
    with pytest.raises(RejectedError) as caught:
        node.prepare(board.domain, two.shares[0], two.session, minute(20))
    assert caught.value.name == "already-prepared"

    def consume(nonce: str) -> bool:
        unused = nonce not in used
        used.add(nonce)
        return unused

    def tell(key: Ed25519SigningKey, record: Session, audience: str = "node") -> None:
        nonce, found = draw_nonce(), board.in_force(founded.session, committed.session)
        word = Statement.drop_older_shares(audience, found, one.shares[1:])
        signature = word.sign(board.domain, key, nonce=nonce, expiry=minute(14))
        node.obey(
            board.domain, "node", signature, split_id=one.session.split_id, record=record,
            operator=operator.public_key, nonce=nonce, expiry=minute(14), now=minute(13), consume=consume,
        )  # fmt: skip

    committed = board.commit(one, founded.session)
    record = committed.session
    if kind == HMAC:
        # Anybody may write a record that claims to go on: k shares tell.
        with pytest.raises(RejectedError) as caught:
            Statement.drop_older_shares("node", board.in_force(founded.session, record), [])
        assert caught.value.name == "stale-generation"
    for key, beside, audience, name in (
        (Ed25519SigningKey.generate(), record, "node", "presence-signature"),
        (operator, record, "another node", "presence-signature"),
        (operator, one.session, "node", "session-authority"),
        (operator, founded.session, "node", "session-authority"),
    ):
        with pytest.raises(RejectedError) as caught:
            tell(key, beside, audience)
        assert caught.value.name == name
    node.expire(in_force=one.session.split_id, told=minute(30))
    assert node.current is not None and node.current[0].split_id == founded.session.split_id
    assert node.prepared is not None and node.prepared[1] == one.session and used == set()
    assert node.prepared_until == minute(20)
    tell(operator, record)
    assert node.current is not None and node.current[1] == record and node.current[0].index == 1
    assert node.prepared is None and len(used) == 1
    with pytest.raises(TypeError):
        pickle.dumps(node)


def test_which_session_counts(board: Board) -> None:
    founded = board.found(HMAC)
    with pytest.raises(RejectedError) as caught:
        board.in_force(founded.session, founder="0" * 64)
    assert caught.value.code == 230
    stranger = board.founding().hmac()
    with pytest.raises(RejectedError) as caught:
        board.in_force(stranger.session)
    assert caught.value.code == 230
    # The founding appended again, by anybody, brings nothing back.
    entry, message = board.chain.head, f"DUALSEAL-THRESHOLD::SESSION::{founded.session.session_id}::junk"
    h = hashlib.sha3_512(f"{board.owners[1]}|{message}|{entry.top}|{entry.size}".encode()).hexdigest()
    junk = {"h": h, "poruka": message, "prev": entry.top, "seq": entry.size, "t": minute(13), "w3": board.owners[1]}
    board.chain.push(Entry.from_json(json.dumps(junk)))
    found = board.in_force(founded.session)
    assert (found.session, found.ignored) == (founded.session, [(1, "form")])
    signed = found.sign(MESSAGE, board.owners[0], founded.shares, head=board.chain.head, time=minute(14))
    assert (signed.ignored, signed.split_id) == ([(1, "form")], founded.session.split_id)


def test_the_quorums_key_is_lent(board: Board) -> None:
    founded = board.found(MLDSA)
    session, key = board.in_force(founded.session), founded.session.public_key
    assert key is not None

    def work(lent: SigningKey) -> str:
        assert lent.public_key == key
        signed = Signer(board.domain, board.identity, lent).sign(b"text", head=board.chain.head, time=minute(12))
        return signed.record.to_json()

    record, culprits, misdealt = session.with_quorum_key([*founded.shares[:2], bad(founded.shares[2])], work)
    verifier = Verifier(board.domain, KeyRing.pinned(board.identity, key))
    assert verifier.verify(record=record, signer=board.identity, content=b"text").kind is VerdictKind.VALID
    assert (culprits, misdealt) == ([3], [])

    kept: list[SigningKey] = []
    with pytest.raises(RuntimeError, match="kept"):
        session.with_quorum_key(founded.shares, kept.append)
    with pytest.raises(RuntimeError, match="kept"):
        session.with_quorum_key(founded.shares, lambda lent: Signer(board.domain, board.identity, lent))
    with pytest.raises(ZeroDivisionError):
        session.with_quorum_key(founded.shares, lambda lent: 1 // 0)
    with pytest.raises(SharingError):
        session.with_quorum_key(founded.shares[:1], work)
    other = board.found(HMAC)
    with pytest.raises(RejectedError) as caught:
        board.in_force(other.session).with_quorum_key(other.shares, work)
    assert caught.value.code == 235


def test_shares_in_every_form(board: Board) -> None:
    founded = board.found(HMAC)
    share = founded.shares[1]
    members = json.loads(share.to_json())
    assert members == {
        "indeks": 2,
        "session_id": share.session_id,
        "split_id": share.split_id,
        "vlasnik": board.owners[1],
        "vrijednost_hex": share.value_hex(),
    }
    assert json.loads(share.to_pair_json()) == [2, share.value_hex()]
    of = {"session_id": share.session_id, "split_id": share.split_id, "owner": share.owner}
    pulled = dualseal.SessionShare.pulled(share.to_pair_json(), index=2, **of)
    assert pulled.to_json() == share.to_json()
    # Whatever else a node answers becomes a share of its own that does not hold.
    pair = founded.shares[0].to_pair_json()
    for answer in ("", "[1]", f'[1,"{share.value_hex()}"]', pair, b"\xff\x00", "[" * 1000):
        junk = dualseal.SessionShare.pulled(answer, index=2, **of)
        assert (junk.index, junk.value_hex()) == (2, "0" * 132)
        signed = board.in_force(founded.session).sign(
            MESSAGE,
            board.owners[0],
            [junk, founded.shares[0], founded.shares[2]],
            head=board.chain.head,
            time=minute(11),
        )
        assert signed.result.culprits == [2]
    assert SessionShare.from_json(share.to_json().encode()).to_json() == share.to_json()
    assert share.value_hex()[8:24] not in repr(share)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(share, protocol)
    with pytest.raises(TypeError, match="has no hash"):
        hash(share)


def raw_entry(board: Board, message: str, time: str) -> Entry:
    """An entry at the end of the chain, with any message: what somebody writes who does not use the library."""
    prev, seq, mallory = board.chain.head.top, board.chain.head.size, "ee" * 32
    text = hashlib.sha3_512(f"{mallory}|{message}|{prev}|{seq}".encode()).hexdigest()
    members = {"h": text, "poruka": message, "prev": prev, "seq": seq, "t": time, "w3": mallory}
    return Entry.from_json(json.dumps(members))


def successor(founder: Session, **changes: object) -> Session:
    """A record that nobody with the secret made, with commitments to junk."""
    digits = 128 if founder.algorithm == HMAC else 6618
    members = {"prethodni": founder.split_id, "split_id": "5f" * 32, "ovlast": "0" * digits}
    return Session.from_dict(founder.to_dict() | members | {"udio_sidra": ["ab" * 64] * 3} | changes)


def of(session: Session) -> str:
    record_hash = hashlib.sha3_256(session.to_json().encode()).hexdigest()
    return f"DUALSEAL-THRESHOLD::SESSION::{session.session_id}::{record_hash}::DUALSEAL"


@pytest.mark.parametrize("kind", [HMAC, MLDSA])
def test_what_anybody_writes_stops_nothing_and_blames_nobody(board: Board, kind: str) -> None:
    founded = board.found(kind)
    founder = founded.session
    forged, changed = successor(founder), successor(founder, javni_sidro="0" * 128, split_id="6f" * 32)
    junk = f"DUALSEAL-THRESHOLD::SESSION::{founder.session_id}::"
    for message in (junk, of(forged), of(changed), of(founder)):
        board.chain.push(raw_entry(board, message, minute(10)))
    prepared = board.in_force(founder, forged, changed).prepare_refresh(
        founded.shares, owners=board.owners, k=2, time=minute(12)
    )
    committed = board.commit(prepared, founder, forged, changed)
    # A good message again, elsewhere: of the generation in force, and of the one before.
    for repeated, time in ((committed.session, minute(12)), (committed.session, minute(13)), (founder, minute(10))):
        board.chain.push(raw_entry(board, of(repeated), time))
    session = board.in_force(founder, forged, changed, committed.session)
    head = board.chain.head
    signed = session.sign(MESSAGE, board.owners[0], prepared.shares[1:], head=head, time=minute(14))
    assert (signed.result.culprits, signed.split_id) == ([], committed.session.split_id)
    expected = [
        (1, "form"),
        (2, "forged-generation"),
        (3, "changed"),
        (4, "repeated"),
        (6, "repeated"),
        (7, "no-record"),
        (8, "repeated"),
    ]
    assert sorted(signed.ignored) == expected
    # Health sorts the shares as signing does: nobody's is invalid by a record that somebody else made up.
    quorum = session.quorum(prepared.shares)
    assert (quorum.health.present, quorum.health.invalid, quorum.health.foreign) == ([1, 2, 3], [], [])
    assert (quorum.reached, quorum.in_force, quorum.seq, quorum.needed) == (True, True, 5, 2)
    assert (quorum.split_id, sorted(quorum.ignored)) == (committed.session.split_id, expected)
    # The shares of the generation before sign no more, and who holds one is no cheat.
    with pytest.raises(SharingError) as caught:
        session.sign(MESSAGE, board.owners[0], founded.shares, head=head, time=minute(14))
    assert caught.value.culprits == ()


def test_a_revoked_key_authorises_nothing(board: Board) -> None:
    founded = board.found(MLDSA)
    founder, key = founded.session, founded.session.public_key
    assert key is not None
    prepared = board.in_force(founder).prepare_refresh(founded.shares, owners=board.owners, k=2, time=minute(12))
    committed = board.commit(prepared, founder)
    # By its own chain: what it says of the key's position is all that is asked of the ring.
    other, revoked = Krunica(), CheckedRing(ORIGIN, RingKey(board.domain, bytes([9]) * 32))
    other.push(revoked.add(board.identity, key, head=other.head, time=minute(12))[0])
    revoked.set_state(board.identity, KeyState.REVOKED, compromised_from=1, head=other.head, time=minute(12))
    records = (founder, committed.session)
    found = board.in_force(*records, ring=revoked)
    assert (found.session, found.seq, found.ignored) == (founder, 0, [(1, "revoked")])
    public = revoked.public()
    assert board.in_force(*records, ring=public).ignored == [(1, "revoked")]
    again = found.prepare_refresh(founded.shares, owners=board.owners, k=2, time=minute(13))
    said = board.said(again)
    at = board.located(*records).at_head(records, revoked)
    with pytest.raises(RejectedError) as late:
        again.commit(at, said, requester=board.owners[0])
    assert late.value.code == 232
    # A ring that does not hold the key tells nothing of it, and none can be left out.
    stranger = KeyRing.pinned(board.owners[0], key)
    for ring in (None, stranger):
        for finish in (board.located(*records).in_force, board.located(*records).at_head):
            with pytest.raises(RejectedError) as unknown:
                finish(records, ring)
            assert unknown.value.code == 233
    with pytest.raises(TypeError):
        board.located(*records).in_force(records)  # type: ignore[call-arg]


def test_a_forged_candidate_makes_nobodys_share_invalid(board: Board) -> None:
    founded = board.found(HMAC)
    founder = founded.session
    prepared = board.in_force(founder).prepare_refresh(founded.shares, owners=board.owners, k=2, time=minute(12))
    # Whoever holds the prepared record appends copies of it with commitments to junk, before and after.
    split = prepared.session.split_id
    before, after = (successor(founder, split_id=split, udio_sidra=[junk * 64] * 3) for junk in ("ab", "cd"))
    board.chain.push(raw_entry(board, of(before), minute(10)))
    committed = board.commit(prepared, founder, before)
    board.chain.push(raw_entry(board, of(after), minute(10)))
    session = board.in_force(founder, before, committed.session, after)
    assert (session.session, session.seq, session.founder) == (None, None, founder)
    candidates = [(founder, 0), (before, 1), (committed.session, 2), (after, 3)]
    assert session.candidates == candidates
    quorum = session.quorum(prepared.shares)
    assert (quorum.health.present, quorum.health.invalid, quorum.health.foreign) == ([1, 2, 3], [], [])
    assert (quorum.reached, quorum.seq) == (True, 2)
    assert quorum.ignored == [(1, "forged-generation"), (3, "forged-generation")]
    few = session.quorum(prepared.shares[:1])
    assert (few.health.present, few.health.invalid, few.in_force, few.reached) == ([1], [], False, False)


def test_whoever_is_ahead_of_the_checkpoint_is_no_culprit(board: Board) -> None:
    founded = board.found(HMAC)
    session = board.in_force(founded.session)
    prepared = session.prepare_refresh(founded.shares, owners=board.owners, k=2, time=minute(12))
    shares = [*founded.shares[:2], prepared.shares[2]]
    assert board.sign(session, shares).culprits == []
    assert (session.quorum(shares).health.invalid, session.quorum(shares).health.foreign) == ([], [3])


@pytest.mark.parametrize(("k", "n", "field"), [(1, 3, "k"), (4, 3, "k"), (2, 1, "n"), (2, 256, "n"), (2**70, 3, "k")])
def test_numbers_that_cannot_be(board: Board, k: int, n: int, field: str) -> None:
    with pytest.raises(MalformedError) as caught:
        board.founding(k, (board.owners * 100)[:n])
    assert (caught.value.field, caught.value.code) == (field, 106)
