"""A vault whose secret is dealt among three nodes, and a gate before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from dualseal import (
    ChainReader,
    Dealer,
    Domain,
    DrawnSecret,
    Ed25519SigningKey,
    EnrolledKeys,
    Krunica,
    OwnSplits,
    PreparedSplit,
    Presence,
    PresenceProof,
    RebuildRequest,
    Rebuilding,
    Shard,
    ShardKey,
    SharingField,
    SplitInForce,
    draw_nonce,
)

from conftest import minute

MASTER = bytes([9]) * 32
SERVICE = b"the public key of the service that rebuilds"
URLS = ["https://one.example", "https://two.example", "š"]


@dataclass
class Vault:
    domain: Domain
    identity: str
    vault_id: str
    key: ShardKey
    enrolled: EnrolledKeys = field(default_factory=EnrolledKeys)
    phone: Ed25519SigningKey = field(default_factory=Ed25519SigningKey.generate)
    chain: Krunica = field(default_factory=Krunica)
    used: set[str] = field(default_factory=set)

    def dealer(self, m: int = 2, node_urls: Sequence[str] = URLS) -> Dealer:
        return Dealer.without_record(
            self.domain,
            self.key,
            self.vault_id,
            self.identity,
            m=m,
            node_urls=node_urls,
        )

    def own_splits(self) -> OwnSplits:
        reader = ChainReader(self.domain, up_to=self.chain.head)
        watched = reader.own_splits(self.key, self.vault_id)
        return reader.read(self.chain)[watched]

    def commit(self, prepared: PreparedSplit) -> PreparedSplit:
        """As if every node had confirmed."""
        confirmed = [shard.shard_id for shard in prepared.shards]
        entry, head = prepared.preparation.commit(confirmed, self.own_splits(), time=minute(3))
        self.chain.push(entry)
        assert head == self.chain.head
        return prepared

    def split(self, secret: DrawnSecret) -> PreparedSplit:
        return self.commit(self.dealer().prepare(secret, previous=self.own_splits().splits.last))

    def rebuilding(self, in_force: SplitInForce | None = None) -> Rebuilding:
        return Rebuilding(
            self.domain, self.key, self.vault_id, self.identity, recipient_key=SERVICE, in_force=in_force,
            no_chain=in_force is None,
        )  # fmt: skip

    def consume(self, nonce: str) -> bool:
        fresh = nonce not in self.used
        self.used.add(nonce)
        return fresh

    def gate(self, request: RebuildRequest, **changes: Any) -> Presence:
        nonce = draw_nonce()
        proof = PresenceProof.sign(self.domain, request, self.phone, nonce=nonce, expiry=minute(8))
        arguments: dict[str, Any] = {
            "verifier": self.enrolled,
            "proofs": [proof],
            "nonce": nonce,
            "expiry": minute(8),
            "required": 1,
            "consume": self.consume,
        }
        return Presence(**arguments | changes)


def of(shards: Sequence[Shard]) -> tuple[str, list[str]]:
    """What a request names of these shards."""
    return shards[0].split_id, [shard.shard_id for shard in shards]


@pytest.fixture
def vault(domain: Domain) -> Vault:
    identity = domain.identity_id(b"", "ana", "")
    key = ShardKey.derive(domain, MASTER, identity)
    vault = Vault(domain, identity, domain.vault_id(b"text", "ana", "", 0), key)
    vault.enrolled.enrol(identity, vault.phone.public_key)
    return vault


@pytest.fixture
def secret() -> DrawnSecret:
    return DrawnSecret.draw(SharingField.GF_2_256)
