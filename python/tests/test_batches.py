"""Batches of seals and of identifiers: each item has what the single call gives, none stops the rest, and the threads
change nothing."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from dualseal import (
    Checker,
    Domain,
    HashedContent,
    Head,
    KeyCache,
    KeyCacheWarning,
    KeyRing,
    KeyState,
    LayerOutcome,
    Located,
    MalformedError,
    MisuseError,
    RejectedError,
    Seal,
    Sealer,
    SealKey,
    SealPolicy,
    SealReport,
    SealVerifier,
    Signer,
    SigningKey,
    VerdictKind,
    Verifier,
)

from conftest import CONTENT, Deployment, Log, minute, places

PAYLOAD = b"one contract"
_T = TypeVar("_T")
BOTH, LAYER_A, LAYER_B = SealPolicy.BOTH, SealPolicy.LAYER_A, SealPolicy.LAYER_B

Item = tuple[Seal | str, bytes, str, SealKey | None, Located | None]


class Sealed:
    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.identity = deployment.identity
        self.key = SealKey.derive(deployment.domain, bytes([9]) * 32, deployment.identity)
        self.sealer = Sealer(deployment.domain, deployment.identity, self.key, deployment.key)
        self.seal = self.sealer.seal(PAYLOAD)
        self.verifier = SealVerifier(deployment.domain, deployment.ring)

    def item(self, payload: bytes = PAYLOAD, key: SealKey | None = None) -> Item:
        return (self.seal, payload, self.identity, key, None)


@pytest.fixture
def sealed(deployment: Deployment) -> Sealed:
    return Sealed(deployment)


def whole(outcomes: Sequence[_T | MalformedError]) -> list[_T]:
    """The outcomes of items of which each was one."""
    assert not any(isinstance(outcome, MalformedError) for outcome in outcomes)
    return [outcome for outcome in outcomes if not isinstance(outcome, MalformedError)]


def kinds(reports: Sequence[SealReport | MalformedError]) -> list[VerdictKind | None]:
    return [None if report.verdict is None else report.verdict.kind for report in whole(reports)]


def outcomes(reports: list[SealReport]) -> list[tuple[LayerOutcome, LayerOutcome]]:
    return [(report.layer_a, report.layer_b) for report in reports]


def test_each_policy_gives_what_it_gives_alone(sealed: Sealed) -> None:
    other = SealKey.from_bytes(bytes([8]) * 64)
    legacy = sealed.sealer.seal_legacy(PAYLOAD)
    items: list[Item] = [
        sealed.item(key=sealed.key),
        (str(sealed.seal), PAYLOAD, sealed.identity, sealed.key, None),
        sealed.item(b"two contract", sealed.key),
        sealed.item(key=other),
        (legacy, PAYLOAD, sealed.identity, sealed.key, None),
        (sealed.seal, PAYLOAD, sealed.deployment.domain.identity_id(b"", "bob", ""), sealed.key, None),
    ]
    for policy in (BOTH, LAYER_A, LAYER_B):
        for allow_legacy in (False, True):
            keyed = [(*item[:3], None if policy is LAYER_B else item[3], item[4]) for item in items]
            reports = whole(sealed.verifier.verify_many(keyed, policy=policy, allow_legacy=allow_legacy))
            alone = [
                sealed.verifier.verify(
                    seal, payload, identity, policy=policy, seal_key=key, allow_legacy=allow_legacy, place=at
                )
                for seal, payload, identity, key, at in keyed
            ]
            assert outcomes(reports) == outcomes(alone) and kinds(reports) == kinds(alone)
            assert [report.authenticated for report in reports] == [report.authenticated for report in alone]
            assert [report.internal() for report in reports] == [report.internal() for report in alone]
    # What the comparison is worth: the batch tells good from bad under each policy.
    assert kinds(sealed.verifier.verify_many(items, policy="both"))[:3] == [
        VerdictKind.VALID,
        VerdictKind.VALID,
        VerdictKind.INVALID,
    ]
    # Layer A knows whose seal it is by the key alone.
    permitted = whole(sealed.verifier.verify_many(items, policy=LAYER_A, allow_legacy=True))
    assert [report.authenticated is not None for report in permitted] == [True, True, False, False, True, True]
    assert sealed.verifier.verify_many([], policy=BOTH) == []


def test_a_bad_seal_in_the_middle_stops_no_other(sealed: Sealed) -> None:
    items = [sealed.item() for _ in range(300)]
    items[150] = sealed.item(b"two contract")
    items[151] = (sealed.seal, memoryview(bytearray(PAYLOAD)), sealed.identity, None, None)  # type: ignore[assignment]
    seen: list[tuple[int, int]] = []
    reports = sealed.verifier.verify_many(
        items, policy=LAYER_B, progress=lambda done, all: seen.append((done, all))
    )
    assert kinds(reports) == [VerdictKind.VALID] * 150 + [VerdictKind.INVALID] + [VerdictKind.VALID] * 149
    assert seen == [(256, 300), (300, 300)]


def same(outcome: object, alone: pytest.ExceptionInfo[MalformedError]) -> bool:
    """Whether an outcome is the error that the single call raises."""
    error = alone.value
    assert isinstance(outcome, MalformedError)
    return (outcome.code, outcome.field, str(outcome)) == (error.code, error.field, str(error))


def test_what_is_no_seal_has_its_error_in_its_place(sealed: Sealed) -> None:
    items: list[Item] = [sealed.item() for _ in range(300)]
    items[0] = ("SEAL", PAYLOAD, sealed.identity, None, None)
    items[150] = (sealed.seal, PAYLOAD, "ana", None, None)
    items[299] = (str(sealed.seal)[:-1], PAYLOAD, sealed.identity, None, None)
    seen: list[tuple[int, int]] = []
    found = sealed.verifier.verify_many(items, policy=LAYER_B, progress=lambda done, all: seen.append((done, all)))
    assert len(found) == 300 and seen == [(259, 300), (300, 300)]
    for at, outcome in enumerate(found):
        if at in (0, 150, 299):
            with pytest.raises(MalformedError) as alone:
                sealed.verifier.verify(*items[at][:3], policy=LAYER_B)
            assert same(outcome, alone)
        else:
            assert kinds([outcome]) == [VerdictKind.VALID]
    bad = sealed.verifier.verify_many(items[:1] * 2, policy=LAYER_B)
    assert [type(outcome) for outcome in bad] == [MalformedError] * 2


def test_what_is_no_record_has_its_error_in_its_place(deployment: Deployment) -> None:
    record, content = deployment.signed.record, deployment.domain.content_hash(deployment.identity, CONTENT)
    verifier = Verifier(deployment.domain, deployment.ring)
    good = (record, content, None)
    found = verifier.verify_many([good, ("{}", content, None), good, (record.to_json()[1:], content, None)])
    assert [isinstance(outcome, MalformedError) for outcome in found] == [False, True, False, True]
    for at, text in ((1, "{}"), (3, record.to_json()[1:])):
        with pytest.raises(MalformedError) as alone:
            verifier.verify(record=text, signer=deployment.identity, content=CONTENT)
        assert same(found[at], alone)
    assert [verdict.verified() for verdict in whole(found[::2])] == [record] * 2
    # What is of another type is a slip of the caller, and no record that came in.
    with pytest.raises(TypeError):
        verifier.verify_many([good, (7, content, None)])  # type: ignore[list-item]


def test_the_ring_and_the_place_count(sealed: Sealed, deployment: Deployment, log: Log) -> None:
    placed, _ = sealed.seal.append_to(deployment.head, deployment.domain, deployment.identity, minute(2))
    deployment.chain.push(placed)
    deployment.rotate(SigningKey.generate().public_key)
    (at,) = places(log.covering(deployment.head), deployment.chain, [placed.krunica_hash])
    items: list[Item] = [
        (sealed.seal, PAYLOAD, sealed.identity, sealed.key, at),
        (sealed.seal, PAYLOAD, sealed.identity, sealed.key, None),
    ]
    assert kinds(sealed.verifier.verify_many(items, policy=BOTH)) == [VerdictKind.VALID, VerdictKind.INVALID]


def test_what_is_no_item_raises_before_any_is_checked(sealed: Sealed) -> None:
    calls: list[tuple[int, int]] = []

    def check(item: object, policy: SealPolicy) -> None:
        sealed.verifier.verify_many(
            [sealed.item(key=None if policy is LAYER_B else sealed.key), item],  # type: ignore[list-item]
            policy=policy,
            progress=lambda done, all: calls.append((done, all)),
        )

    with pytest.raises(TypeError, match="needs seal_key"):
        check(sealed.item(), BOTH)
    with pytest.raises(TypeError, match="needs seal_key"):
        check(("SEAL", PAYLOAD, sealed.identity, None, None), BOTH)
    with pytest.raises(TypeError, match="needs seal_key"):
        check(sealed.item(), LAYER_A)
    with pytest.raises(TypeError, match="takes no seal_key"):
        check(sealed.item(key=sealed.key), LAYER_B)
    with pytest.raises(ValueError, match="tuple of length 5"):
        check((sealed.seal, PAYLOAD), LAYER_B)
    for item in ((sealed.seal, "text", sealed.identity, None, None), 7):
        with pytest.raises(TypeError):
            check(item, LAYER_B)
    with pytest.raises(MalformedError):
        sealed.verifier.verify_many([], policy="layer_c")
    assert calls == []


def contents(count: int) -> list[tuple[bytes, str, str]]:
    return [(number.to_bytes(2, "big"), "ana", "") for number in range(count)]


def test_identifiers_are_those_of_single_calls() -> None:
    domain, seen, items = Domain("ACME"), list[tuple[int, int]](), contents(300)
    items[150] = (b"x", "a::b", "")
    items[151] = (b"x", "", ":")
    found = domain.identify_many(items, progress=lambda done, all: seen.append((done, all)))
    assert seen == [(256, 300), (300, 300)]
    for number, (item, result) in enumerate(zip(items, found, strict=True)):
        if number in (150, 151):
            assert isinstance(result, MalformedError)
            with pytest.raises(MalformedError) as alone:
                domain.identity_id(*item)
            assert (result.code, result.field, str(result)) == (103, alone.value.field, str(alone.value))
            assert result.field == ("creator" if number == 150 else "context")
        else:
            assert result == domain.identity_id(*item)
    assert domain.identify_many([]) == []
    views: list[tuple[bytearray | memoryview, str, str]] = [
        (bytearray(b"x"), "ana", ""),
        (memoryview(b"xy")[:1], "ana", ""),
    ]
    assert domain.identify_many(views) == [domain.identity_id(b"x", "ana", "")] * 2


def test_what_is_no_content_raises_before_any_is_identified() -> None:
    domain, calls = Domain(), list[tuple[int, int]]()
    refused: list[tuple[object, type[Exception]]] = [
        ((b"x", "\ud800", ""), MalformedError),
        ((b"x", "", "\udfff"), MalformedError),
        (("text", "ana", ""), TypeError),
        ((b"x", b"ana", ""), TypeError),
        ((b"x", "ana"), ValueError),
        (None, TypeError),
    ]
    for item, error in refused:
        items = [*contents(1), item]
        with pytest.raises(error):
            domain.identify_many(items, progress=lambda a, b: calls.append((a, b)))  # type: ignore[arg-type]
    assert calls == []


class Stop(BaseException):
    pass


def test_what_progress_raises_is_raised(sealed: Sealed) -> None:
    calls: list[int] = []

    def stop(done: int, all: int) -> None:
        calls.append(done)
        raise Stop(f"{done} of {all}")

    with pytest.raises(Stop, match="256 of 300"):
        Domain().identify_many(contents(300), progress=stop)
    with pytest.raises(Stop, match="256 of 300"):
        sealed.verifier.verify_many([sealed.item()] * 300, policy=LAYER_B, progress=stop)
    # Once: it is not called again after it raised.
    assert calls == [256, 256]
    with pytest.raises(TypeError):
        Domain().identify_many(contents(1), progress=lambda: None)  # type: ignore[arg-type, misc]
    with pytest.raises(TypeError):
        Domain().identify_many(contents(1), progress=7)  # type: ignore[arg-type]


def test_other_threads_go_on_during_a_batch(sealed: Sealed) -> None:
    items = [sealed.item()] * 20_000
    ticks, running = 0, True

    def tick() -> None:
        nonlocal ticks
        while running:
            ticks += 1
            threading.Event().wait(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    sealed.verifier.verify_many(items, policy=LAYER_B)
    during = ticks - before
    running = False
    thread.join()
    # With the interpreter lock held for all of it, there would be none or one.
    assert during > 5


def test_threads_share_a_verifier_and_a_domain(sealed: Sealed) -> None:
    domain = sealed.deployment.domain
    items = [sealed.item(), sealed.item(b"two contract")] * 100
    expected = [VerdictKind.VALID, VerdictKind.INVALID] * 100
    ids = [domain.identity_id(*item) for item in contents(300)]

    def work(number: int) -> bool:
        seen: list[int] = []
        if number % 2:
            found = sealed.verifier.verify_many(items, policy=LAYER_B, progress=lambda done, _: seen.append(done))
            return kinds(found) == expected and seen == [200]
        same = domain.identify_many(contents(300), progress=lambda done, _: seen.append(done))
        return same == ids and seen == [256, 300]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


def test_a_revocation_during_a_batch_does_not_count(sealed: Sealed, deployment: Deployment) -> None:
    def revoke(done: int, all: int) -> None:
        if done == 256:
            deployment.set_state(KeyState.REVOKED)

    reports = sealed.verifier.verify_many([sealed.item()] * 300, policy=LAYER_B, progress=revoke)
    assert kinds(reports) == [VerdictKind.VALID] * 300
    assert kinds(sealed.verifier.verify_many([sealed.item()], policy=LAYER_B)) == [VerdictKind.REVOKED]


THREADS = (1, 2, 3, None)


def test_any_number_of_threads_gives_the_same(sealed: Sealed) -> None:
    domain = Domain("ACME")
    for size in (0, 1, 2, 255, 256, 257):
        ids = [domain.identity_id(*item) for item in contents(size)]
        for threads in (*THREADS, 1024):
            assert domain.identify_many(contents(size), threads=threads) == ids
    deployment, items = sealed.deployment, [sealed.item(), sealed.item(b"two contract")] * 129
    identity = deployment.identity
    good = (deployment.signed.record, deployment.domain.content_hash(identity, CONTENT), None)
    bad = (good[0], deployment.domain.content_hash(identity, b"another"), None)
    verifier = Verifier(deployment.domain, deployment.ring)
    for threads in THREADS:
        seen: list[int] = []

        def told(done: int, all: int, seen: list[int] = seen) -> None:
            assert all == 258
            seen.append(done)

        reports = sealed.verifier.verify_many(items, policy=LAYER_B, threads=threads, progress=told)
        assert kinds(reports) == [VerdictKind.VALID, VerdictKind.INVALID] * 129
        assert seen == [256, 258]
        verdicts = verifier.verify_many([good, bad, good, bad], threads=threads)
        assert [verdict.kind for verdict in whole(verdicts)] == [VerdictKind.VALID, VerdictKind.INVALID] * 2


def test_absurd_numbers_of_threads_are_refused() -> None:
    calls: list[int] = []
    for threads in (0, -1, 1025, 2**31, 2**64, -(2**64)):
        for items in ([], contents(1), contents(300)):
            with pytest.raises(MalformedError) as refused:
                Domain().identify_many(items, threads=threads, progress=lambda done, _: calls.append(done))
            assert (refused.value.code, refused.value.field) == (106, "threads")
    with pytest.raises(TypeError):
        Domain().identify_many([], threads=2.0)  # type: ignore[arg-type]
    assert calls == []


def tasks() -> int:
    return len(os.listdir("/proc/self/task"))


@pytest.mark.parametrize(("threads", "started"), [(1, 0), (2, 2), (3, 3)])
def test_threads_end_with_the_call_and_progress_is_told_on_the_calling_one(threads: int, started: int) -> None:
    before, seen = tasks(), list[tuple[int, int]]()

    def told(done: int, all: int) -> None:
        # Threads that find no more items end at once.
        assert tasks() - before <= started
        seen.append((threading.get_ident(), done))

    Domain().identify_many(contents(600), threads=threads, progress=told)
    assert seen == [(threading.get_ident(), done) for done in (256, 512, 600)]
    assert tasks() == before


def test_what_progress_raises_is_raised_on_several_threads() -> None:
    def stop(done: int, all: int) -> None:
        raise Stop(f"{done} of {all}")

    before = tasks()
    with pytest.raises(Stop, match="256 of 300"):
        Domain().identify_many(contents(300), threads=2, progress=stop)
    assert tasks() == before


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What is run in the background ignores Ctrl-C."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("interruptible")
def test_a_batch_is_interrupted(sealed: Sealed) -> None:
    """As by Ctrl-C during a batch: in what it tells, and where it tells nothing, as it returns."""

    def press(done: int, all: int) -> None:
        if done == 256:
            signal.raise_signal(signal.SIGINT)

    before = tasks()
    with pytest.raises(KeyboardInterrupt):
        Domain().identify_many(contents(600), threads=2, progress=press)
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        while True:
            sealed.verifier.verify_many([sealed.item()] * 300, policy=LAYER_B, threads=2)
    timer.join()
    assert tasks() == before


def test_several_python_threads_run_batches_on_several_each(sealed: Sealed) -> None:
    items = [sealed.item(), sealed.item(b"two contract")] * 50

    def work(threads: int | None) -> bool:
        found = sealed.verifier.verify_many(items, policy=LAYER_B, threads=threads)
        return kinds(found) == [VerdictKind.VALID, VerdictKind.INVALID] * 50

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, (2, 3, None, 2, 3, None, 1, 2)))


def in_a_child(work: Callable[[], bool]) -> None:
    """Forks, and fails where the child does not end well in a minute."""
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = work()
        finally:
            os._exit(0 if good else 1)
    deadline = time.monotonic() + 60
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            assert status == 0
            return
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)


def test_a_forked_process_runs_batches(sealed: Sealed) -> None:
    """A server that ran a batch and then forks its workers: theirs start threads of their own."""
    items = [sealed.item(), sealed.item(b"two contract")] * 50

    def work() -> bool:
        found = [sealed.verifier.verify_many(items, policy=LAYER_B, threads=threads) for threads in THREADS]
        return all(kinds(reports) == [VerdictKind.VALID, VerdictKind.INVALID] * 50 for reports in found)

    def nested() -> bool:
        in_a_child(work)
        return work()

    assert work()
    in_a_child(work)
    in_a_child(nested)
    assert work()


def test_threads_that_do_not_start_are_done_without() -> None:
    ids = Domain().identify_many(contents(2000), threads=1)

    def work() -> bool:
        # Room for some stacks of 2 MiB and not for a thousand.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + (256 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        before = tasks()
        return Domain().identify_many(contents(2000), threads=1024) == ids and tasks() == before

    in_a_child(work)


def test_records_are_made_as_one_after_the_other(deployment: Deployment) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    contents: list[bytes | bytearray | HashedContent] = [f"deed {number}".encode() for number in range(300)]
    contents[1] = bytearray(b"deed 1")
    contents[2] = signer_hash = deployment.domain.content_hash(deployment.identity, b"deed 2")
    for threads in THREADS:
        seen: list[tuple[int, int]] = []

        def told(done: int, all: int, seen: list[tuple[int, int]] = seen) -> None:
            seen.append((done, all))

        made = signer.sign_many(contents, head=deployment.head, time=minute(5), progress=told, threads=threads)
        assert len(made) == 300 and seen == [(256, 300), (300, 300)]
        head = deployment.head
        for number, signed in enumerate(made):
            alone = signer.sign(f"deed {number}".encode(), head=head, time=minute(5))
            assert (signed.entry, signed.head) == (alone.entry, alone.head)
            head = alone.head
        verifier = Verifier(deployment.domain, deployment.ring)
        items = [
            (signed.record, deployment.domain.content_hash(deployment.identity, f"deed {number}".encode()), None)
            for number, signed in enumerate(made)
        ]
        verdicts = whole(verifier.verify_many(items))
        assert [verdict.kind for verdict in verdicts] == [VerdictKind.VALID] * 300
    assert signer.sign_many([], head=deployment.head, time=minute(5)) == []
    # All or none: what was hashed for another is in the middle.
    contents[2] = deployment.domain.content_hash(deployment.domain.identity_id(b"", "bob", ""), b"deed 2")
    assert contents[2] != signer_hash
    with pytest.raises(MisuseError):
        signer.sign_many(contents, head=deployment.head, time=minute(5))
    with pytest.raises(TypeError):
        signer.sign_many([b"x", "text"], head=deployment.head, time=minute(5))  # type: ignore[list-item]


def test_seals_are_made_together(sealed: Sealed) -> None:
    payloads = [f"payload {number}".encode() for number in range(70)]
    seals = sealed.sealer.seal_many(payloads)
    items: list[Item] = [
        (seal, payload, sealed.identity, sealed.key, None) for seal, payload in zip(seals, payloads, strict=True)
    ]
    assert kinds(sealed.verifier.verify_many(items, policy=BOTH)) == [VerdictKind.VALID] * 70
    assert sealed.sealer.seal_many([]) == []
    with pytest.raises(MisuseError):
        sealed.sealer.seal_many([*payloads, b"DUALSEAL-VAULT::x"])


def test_lines_of_a_chain_are_pushed_together(deployment: Deployment) -> None:
    signer = Signer(deployment.domain, deployment.identity, deployment.key)
    made = signer.sign_many([b"x"] * 20, head=deployment.head, time=minute(5))
    lines = [signed.entry.to_json_line().encode() for signed in made]
    checker = Checker(deployment.head)
    assert checker.push_many(lines[:10]) == [signed.entry for signed in made[:10]]
    assert checker.head == made[9].head
    # One is missing: those before it were checked, and it stays there.
    with pytest.raises(RejectedError):
        checker.push_many([*lines[10:15], *lines[16:]])
    assert checker.head == made[14].head
    assert checker.push_many(lines[15:])[-1] == made[-1].entry and checker.head == made[-1].head


def test_verifiers_share_a_cache_that_warns_when_it_is_too_small(deployment: Deployment) -> None:
    domain, content = deployment.domain, deployment.domain.content_hash(deployment.identity, CONTENT)
    item = (deployment.signed.record, content, None)
    cache = KeyCache()
    assert (cache.room, len(cache), cache.hits, cache.misses, cache.expanded_again) == (cache.room, 0, 0, 0, 0)
    assert cache.room > 300 and cache
    verifiers = [Verifier(domain, deployment.ring, cache=cache) for _ in range(2)]
    SealVerifier(domain, deployment.ring, cache=cache)
    with warnings.catch_warnings(action="error"):
        for verifier in verifiers:
            verifier.verify_many([item])
    assert (len(cache), cache.misses, cache.expanded_again) == (1, 1, 0) and cache.hits > 0
    with pytest.raises(TypeError, match="cache or cache_bytes"):
        Verifier(domain, deployment.ring, cache=cache, cache_bytes=1 << 20)
    # Two keys in turn, and room for one.
    small = KeyCache(60_000)
    assert small.room == 1
    other = SigningKey.generate()
    ring = KeyRing.pinned(deployment.identity, other.public_key)
    signed = Signer(domain, deployment.identity, other).sign(CONTENT, head=Head.EMPTY, time=minute(1))
    one, two = Verifier(domain, deployment.ring, cache=small), Verifier(domain, ring, cache=small)
    with warnings.catch_warnings(action="error"):
        one.verify_many([item])
        two.verify_many([(signed.record, content, None)])
    with pytest.warns(KeyCacheWarning, match="room for 1: give it more"):
        one.verify_many([item])
    assert small.expanded_again >= 1
    with warnings.catch_warnings(action="error"):
        two.verify_many([(signed.record, content, None)])
