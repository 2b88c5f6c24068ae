"""Threads: shared objects stay whole, and long work lets others run."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from dualseal import (
    ChainReader,
    Domain,
    KeyState,
    Krunica,
    MisuseError,
    SealKey,
    SealVerifier,
    Sealer,
    SigningKey,
    VerdictKind,
    Verifier,
)
from dualseal.operator import Batch, SignedRecord, State, StoredState, sign_all

from conftest import CONTENT, Deployment, Log, followed, minute


def test_threads_share_a_verifier_while_its_ring_changes(deployment: Deployment) -> None:
    verifier = Verifier(deployment.domain, deployment.ring)
    record = deployment.signed.record
    kinds = {VerdictKind.VALID, VerdictKind.REVOKED}

    def check(_: int) -> VerdictKind:
        return verifier.verify(record=record, signer=deployment.identity, content=CONTENT).kind

    with ThreadPoolExecutor(4) as pool:
        seen = pool.map(check, range(200))
        for _ in range(50):
            deployment.set_state(KeyState.REVOKED)
            deployment.set_state(KeyState.VALID)
        assert set(seen) <= kinds
    assert deployment.ring.revision == 101
    assert check(0) is VerdictKind.VALID
    assert deployment.resume(deployment.file()).revision == 101


def test_threads_add_to_one_ring_and_one_chain(deployment: Deployment) -> None:
    ring, chain, heads = deployment.ring, Krunica(), [deployment.head]

    def enrol(number: int) -> None:
        identity = deployment.domain.identity_id(b"", f"person {number}", "")
        # Each change has an entry of its own: whoever is late is told so, and comes again.
        while True:
            try:
                head = heads[-1]
                heads.append(ring.add(identity, SigningKey.generate().public_key, head=head, time=minute(7))[1])
                break
            except MisuseError as error:
                assert error.code == 307
        chain.append(deployment.domain, identity, "enrolled", minute(7))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(enrol, range(64)))
    assert ring.revision == 65
    assert len(ring.identities()) == 65
    assert [head.size for head in heads] == list(range(2, 67))
    assert len(Krunica.from_json(chain.to_json())) == len(chain) == 64


def test_threads_share_a_hasher_and_no_update_is_torn(domain: Domain) -> None:
    hasher = domain.content_hasher("0" * 64)
    part = b"\x5a" * (300 << 10)

    def update(_: int) -> None:
        hasher.update(bytearray(part))
        hasher.update(part)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(update, range(8)))
    assert hasher.finish() == domain.content_hash("0" * 64, part * 16)


def test_threads_share_a_seal_in_the_making(deployment: Deployment) -> None:
    key, identity = SealKey.from_bytes(bytes([3]) * 64), deployment.identity
    stream = Sealer(deployment.domain, identity, key, deployment.key).stream()
    part = b"\x5a" * (300 << 10)

    def seal(_: int) -> None:
        stream.update(bytearray(part))
        stream.update(part)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(seal, range(4)))
    check = SealVerifier(deployment.domain, deployment.ring).stream(
        stream.finish(), identity, policy="both", seal_key=key
    )
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(check.update, [part] * 8))
    verdict = check.finish().verdict
    assert verdict is not None
    assert verdict.kind is VerdictKind.VALID


def test_threads_share_a_step(deployment: Deployment) -> None:
    ring = followed(deployment.ring, deployment.chain)
    batch = Batch(State(deployment.domain, ring, StoredState(deployment.head)))
    with batch.step(minute(7)) as step, ThreadPoolExecutor(4) as pool:
        said = list(pool.map(lambda number: step.append(deployment.identity, f"said {number}"), range(64)))
    _, changes = batch.place()[0].finish([])
    assert sorted(entry.seq for entry in said) == list(range(2, 66))
    for entry in changes.entries:
        deployment.chain.push(entry)
    assert {entry.message for entry in changes.entries} == {f"said {number}" for number in range(64)}


def test_a_check_moves_between_threads(deployment: Deployment, log: Log) -> None:
    checkpoint = log.covering(deployment.head, followed(deployment.ring, deployment.chain))
    reader = ChainReader(deployment.domain, under=checkpoint)
    watched = reader.ring(deployment.authority, deployment.file(), masters=[])
    for entry in deployment.chain:
        thread = threading.Thread(target=reader.push, args=(entry,))
        thread.start()
        thread.join()
    assert reader.finish()[watched].ring.revision == deployment.ring.revision


@pytest.fixture
def other_thread_runs() -> Iterator[Callable[[Callable[[], object]], bool]]:
    """Tells whether another thread made progress during a call. The interpreter is told never to switch by itself, so
    that it can only have done so because the call released the lock."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    ticks, stop = [0], threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.0002)

    thread = threading.Thread(target=tick)
    thread.start()

    def runs(call: Callable[[], object]) -> bool:
        before = ticks[0]
        call()
        return ticks[0] > before

    try:
        yield runs
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)


def test_long_work_releases_the_interpreter_lock(
    domain: Domain, other_thread_runs: Callable[[Callable[[], object]], bool]
) -> None:
    content = bytes(16 << 20)
    identity = "0" * 64
    hasher = domain.content_hasher(identity)
    assert other_thread_runs(lambda: domain.content_hash(identity, content))
    assert other_thread_runs(lambda: hasher.update(bytearray(content)))
    assert other_thread_runs(lambda: domain.identity_id(content, "a", "b"))
    assert not other_thread_runs(lambda: domain.content_hash(identity, content[:16]))


def test_what_was_placed_is_signed_without_the_interpreter_lock(
    deployment: Deployment, other_thread_runs: Callable[[Callable[[], object]], bool]
) -> None:
    content = deployment.domain.content_hash(deployment.identity, CONTENT)
    ring = followed(deployment.ring, deployment.chain)
    batch = Batch(State(deployment.domain, ring, StoredState(deployment.head)))
    with batch.step(minute(7)) as step:
        for _ in range(64):
            step.sign(deployment.identity, content)
    placed, to_sign = batch.place()
    signed: list[SignedRecord] = []
    assert other_thread_runs(lambda: signed.extend(sign_all(to_sign[:32], [deployment.key])))
    assert other_thread_runs(lambda: signed.extend(to.sign(deployment.key) for to in to_sign[32:]))
    assert len(placed.finish(signed)[1].records) == 64


def test_signing_and_verifying_release_the_interpreter_lock(
    deployment: Deployment, other_thread_runs: Callable[[Callable[[], object]], bool]
) -> None:
    verifier = Verifier(deployment.domain, deployment.ring, cache_bytes=0)
    record = deployment.signed.record

    def verify() -> None:
        for _ in range(50):
            verifier.verify(record=record, signer=deployment.identity, content=CONTENT)

    def sign() -> None:
        for _ in range(50):
            deployment.sign_with(deployment.key)

    key = SealKey.from_bytes(bytes([3]) * 64)
    sealer = Sealer(deployment.domain, deployment.identity, key, deployment.key)
    seals = SealVerifier(deployment.domain, deployment.ring, cache_bytes=0)

    def verify_seal() -> None:
        for _ in range(50):
            seals.verify(seal, CONTENT, deployment.identity, policy="layer_b")

    seal = sealer.seal(CONTENT)
    assert other_thread_runs(verify)
    assert other_thread_runs(verify_seal)
    assert other_thread_runs(sign)
    assert other_thread_runs(lambda: [sealer.seal(CONTENT) for _ in range(50)])
    assert other_thread_runs(lambda: sealer.stream().update(bytes(16 << 20)))
    assert other_thread_runs(lambda: [SigningKey.generate() for _ in range(50)])
