"""Two checkpoints of one log: equal, grown, or a fork that convinces anybody."""

from __future__ import annotations

import hashlib
import json
import pickle

import pytest
from dualseal import (
    ChainReader,
    Checker,
    Checkpoint,
    CheckpointSigner,
    CheckpointVerifier,
    Comparison,
    Consistency,
    Domain,
    Followed,
    Follower,
    Fork,
    Head,
    HighWaterMark,
    Krunica,
    LayerOutcome,
    MisuseError,
    Pins,
    RejectedError,
    SigningKey,
    VerifiedCheckpoint,
    compare_checkpoints,
)

from conftest import Deployment, Log, head_at, minute


@pytest.fixture
def chains(deployment: Deployment) -> tuple[Krunica, Krunica]:
    """Three entries each, the first in common."""
    ours, theirs = Krunica(), Krunica()
    for chain, messages in ((ours, "abc"), (theirs, "axy")):
        for number, message in enumerate(messages):
            chain.append(deployment.domain, deployment.identity, message, minute(number))
    return ours, theirs


def consistency(first: VerifiedCheckpoint, second: VerifiedCheckpoint, chain: Krunica) -> Consistency | Fork:
    reader = ChainReader(Domain())
    watched = reader.consistency(first, second)
    for members, entry in zip(chain.to_list(), chain, strict=True):
        if entry.seq % 2:
            reader.push(entry)
        else:
            assert reader.push_json(json.dumps(members)) == entry
    return reader.finish()[watched]


def test_without_the_chain(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    ours, theirs = chains
    first, other = log.covering(ours.head), log.covering(theirs.head)
    assert compare_checkpoints(first, log.covering(ours.head)) is Comparison.EQUAL
    assert compare_checkpoints(first, log.covering(head_at([ours[0]]))) is Comparison.SIZES_DIFFER
    fork = compare_checkpoints(first, other)
    assert isinstance(fork, Fork)
    assert (fork.first, fork.second) == (first.checkpoint, other.checkpoint)
    assert fork != compare_checkpoints(other, first)


def test_with_the_chain(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    ours, theirs = chains
    small, large = log.covering(head_at([ours[0], ours[1]])), log.covering(ours.head)
    for pair in ((small, large), (large, small)):
        assert consistency(*pair, ours) is Consistency.GROWN
    assert consistency(large, log.covering(ours.head), ours) is Consistency.EQUAL
    assert consistency(log.covering(Head.EMPTY), large, ours) is Consistency.GROWN
    forked = log.covering(head_at([theirs[0], theirs[1]]))
    fork = consistency(large, forked, ours)
    assert isinstance(fork, Fork)
    assert (fork.first, fork.second) == (forked.checkpoint, large.checkpoint)


def test_two_signers_are_no_fork(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    ours, theirs = chains
    stranger = Log(log.domain, log.identity, SigningKey.from_seed(bytes([6]) * 32))
    first, made_up = log.covering(ours.head), stranger.covering(theirs.head)
    assert compare_checkpoints(first, made_up) is Comparison.CONTRADICTION
    assert consistency(first, made_up, ours) is Consistency.CONTRADICTION
    assert compare_checkpoints(first, stranger.covering(ours.head)) is Comparison.EQUAL


def test_a_fork_is_kept_as_two_checkpoints(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    ours, theirs = chains
    fork = compare_checkpoints(log.covering(ours.head), log.covering(theirs.head))
    assert isinstance(fork, Fork)
    verifier = CheckpointVerifier(log.domain, log.pins())
    stored = [verifier.verify(Checkpoint.from_json(c.to_json())).verified() for c in (fork.first, fork.second)]
    assert compare_checkpoints(*stored) == fork


def test_a_chain_of_neither_says_nothing(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    ours, theirs = chains
    first, second = log.covering(head_at([ours[0]])), log.covering(ours.head)
    with pytest.raises(RejectedError) as caught:
        consistency(first, second, theirs)
    assert (caught.value.code, caught.value.needed) == (205, 3)
    with pytest.raises(RejectedError) as caught:
        consistency(first, second, Krunica.from_json(json.dumps(ours.to_list()[:1])))
    assert (caught.value.code, caught.value.needed, caught.value.found) == (204, 3, 1)
    reader = ChainReader(Domain())
    reader.consistency(first, second)
    reader.push(ours[0])
    with pytest.raises(RejectedError) as caught:
        reader.push(ours[2])
    assert caught.value.index == 1


def test_checkpoints_of_two_logs(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    origin, head = "example.org/other", chains[0].head
    signer = CheckpointSigner(log.domain, origin, log.identity, log.key)
    checkpoint = signer.sign(HighWaterMark.first(origin, head, ring=None), time=10**11)
    pins = Pins(origin=origin, identity_id=log.identity, key_hash=log.key.public_key.hash, least_size=0)
    other = CheckpointVerifier(log.domain, pins).verify(checkpoint).verified()
    for call in (compare_checkpoints, ChainReader(Domain()).consistency):
        with pytest.raises(MisuseError) as caught:
            call(log.covering(head), other)
        assert caught.value.code == 311


def test_no_result_is_a_truth_value(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    fork = compare_checkpoints(log.covering(chains[0].head), log.covering(chains[1].head))
    for result in (fork, *Comparison, *Consistency, *LayerOutcome):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(result)
    for member in (*Comparison, *Consistency, *LayerOutcome):
        assert pickle.loads(pickle.dumps(member)) is member


def test_a_follower(log: Log, chains: tuple[Krunica, Krunica]) -> None:
    """Sizes 1 to 3 of one chain, and another chain of its name."""
    ours, other = chains
    heads = [Head.EMPTY]
    for entry in ours:
        checker = Checker(heads[-1])
        checker.push(entry)
        heads.append(checker.head)
    leaves = [
        hashlib.sha256(b"\0" + f'{{"h":"{e.hash}","seq":{e.seq},"t":"{e.time}"}}'.encode()).hexdigest() for e in ours
    ]
    follower = Follower(log.covering(heads[1]))
    with pytest.raises(RejectedError) as caught:
        follower.follow(log.covering(heads[2]), path=[leaves[0]])
    assert (caught.value.code, caught.value.needed, caught.value.found) == (270, 1, 2)
    assert follower.follow(log.covering(heads[2]), path=[leaves[1]]) is Followed.GROWN
    assert follower.follow(log.covering(heads[2])) is Followed.SAME
    assert follower.follow(log.covering(heads[1]), path=[leaves[1]]) is Followed.OLDER
    assert follower.last.checkpoint.size == 2
    assert follower.follow(log.covering(heads[3]), path=[leaves[2]]) is Followed.GROWN
    fork = follower.follow(log.covering(other.head))
    assert isinstance(fork, Fork)
    assert (fork.first.size, fork.second.size) == (3, 3)
