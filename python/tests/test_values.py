"""Public values are hashed, copied and pickled as what they are written as."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    Domain,
    HighWaterMark,
    KeyProof,
    MalformedError,
    PublicKey,
    Seal,
    SealKey,
    Sealer,
    SigningKey,
    VerdictKind,
)

from conftest import Deployment, Log


def values(deployment: Deployment, log: Log) -> list[Any]:
    domain, signed = deployment.domain, deployment.signed
    verified = log.covering(deployment.head)
    seal = Sealer(domain, deployment.identity, SealKey.from_bytes(bytes([1]) * 32), SigningKey.generate()).seal(b"x")
    reader = ChainReader(domain, under=verified)
    watched = reader.place_proofs([signed.record.krunica_hash])
    (proof,) = reader.read(deployment.chain)[watched]
    old = Domain("OLD", prefixes={"identifier": "X"}, suffixes={"seal": "Y"}, labels={("signature", "CONTENT"): "BODY"})
    shared = Domain("A", prefixes={"identifier": "A-VAULT"}, legacy_shared_constants=True)
    return [
        domain, Domain("ACME"), old, shared, signed.record, signed.entry, signed.head, seal, deployment.key.public_key,
        verified.checkpoint, HighWaterMark.of(verified), domain.content_hash(deployment.identity, b"x"),
        proof,
        deployment.ring.prove(deployment.key.public_key.hash), VerdictKind.VALID,
    ]  # fmt: skip


def test_values_come_back_as_they_were(deployment: Deployment, log: Log) -> None:
    found = values(deployment, log)
    for value in found:
        again = [copy.copy(value), copy.deepcopy(value)]
        again += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        for one in again:
            assert type(one) is type(value)
            assert one == value
            assert hash(one) == hash(value)
    # Of each kind once; no two are equal.
    assert len(set(found)) == len(found)


def test_a_pickle_of_bytes_that_are_none_is_refused(deployment: Deployment) -> None:
    key = deployment.key.public_key
    dumped = pickle.dumps(key, 2)
    assert key.to_bytes() not in dumped or pickle.loads(dumped) == key
    reduced: Any = key.__reduce__()
    function, (kind, maker, written) = reduced
    with pytest.raises(MalformedError):
        function(kind, maker, written[:-1])
    assert (kind, maker) == (PublicKey, "from_bytes")
    assert function(Seal, "parse", "SEAL-L5::" + "00" * 64) == Seal.parse("SEAL-L5::" + "00" * 64)
    assert isinstance(deployment.ring.prove(key.hash), KeyProof)
