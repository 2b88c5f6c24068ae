"""A ledger with its operator, for the tests about the vault."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import EllipsisType

from dualseal import (
    ChainReader,
    CheckedRing,
    CheckpointSigner,
    CheckpointVerifier,
    Dealer,
    Domain,
    DrawnSecret,
    Ed25519SigningKey,
    Encryption,
    Head,
    HighWaterMark,
    KeyState,
    Krunica,
    LedgerHead,
    LocatedLedger,
    OwnSplits,
    Pins,
    RingKey,
    Sealed,
    SealedErasure,
    ShardKey,
    SigningKey,
    Tier,
    TierKeys,
    VaultMaster,
    VaultPolicy,
    VaultRecord,
    VaultReport,
    VaultSealer,
    VaultVerifier,
    VerifiedCheckpoint,
    VerifiedRecord,
)

from conftest import followed

ORIGIN = "example.org/log"
TEXT = b"one contract about two houses"


def minute(number: int) -> str:
    return f"2026-11-21T09:{number:02}:00.000Z"


@dataclass
class Kept:
    record: VaultRecord
    stored: bytes
    secret: DrawnSecret | None


@dataclass
class Archive:
    domain: Domain = field(default_factory=Domain)
    key: SigningKey = field(default_factory=lambda: SigningKey.from_seed(bytes([7]) * 32))
    log_key: SigningKey = field(default_factory=lambda: SigningKey.from_seed(bytes([5]) * 32))
    tier_key: Ed25519SigningKey = field(default_factory=lambda: Ed25519SigningKey.from_seed(bytes([3]) * 32))
    ring: CheckedRing = field(init=False)
    chain: Krunica = field(default_factory=Krunica)
    tiers: TierKeys = field(default_factory=TierKeys)
    ledger: LedgerHead = field(default_factory=LedgerHead.draw)
    kept: list[Kept] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.identity = self.domain.identity_id(b"", "ana", "")
        self.log = self.domain.identity_id(b"", "log", "")
        self.authority = RingKey(self.domain, bytes([9]) * 32)
        self.ring = CheckedRing(ORIGIN, self.authority)
        self.master = VaultMaster(self.domain, bytes([8]) * 32)
        entry, _ = self.ring.add(
            self.identity, self.key.public_key, head=Head.EMPTY, time=minute(0)
        )
        self.chain.push(entry)
        self.tiers.enrol(self.identity, Tier.NATIVE, self.tier_key.public_key)
        self.vault = VaultSealer(self.master, self.identity, self.key, tier=Tier.NATIVE, tier_key=self.tier_key)

    @property
    def verifier(self) -> VaultVerifier:
        return VaultVerifier(self.domain, self.ring)

    @property
    def operator(self) -> VaultPolicy:
        return VaultPolicy.operator(self.master, least_tier=Tier.NOBLE, tier_keys=self.tiers)

    def keep(self, sealed: Sealed, stored: bytes, *, decoy: bool = True) -> Kept:
        followed(self.ring, self.chain)
        if decoy:
            self.ring.add_decoy(sealed.decoy, sealed.entry)
        self.chain.push(sealed.entry)
        assert self.chain.head == sealed.head
        self.ledger = sealed.ledger
        kept = Kept(sealed.record, stored, sealed.secret)
        self.kept.append(kept)
        return kept

    def seal(self, payload: bytes = TEXT, encryption: Encryption | str = Encryption.STREAM) -> Kept:
        sealed, stored = self.vault.seal(
            payload, "CONTRACT", encryption=encryption, ledger=self.ledger, head=self.chain.head, time=minute(1)
        )
        return self.keep(sealed, stored)

    def keep_erasure(self, erasure: SealedErasure) -> Kept:
        sealed = erasure.sealed
        kept = self.keep(sealed, erasure.stored)
        if erasure.end is not None:
            self.chain.push(erasure.end)
        assert self.chain.head == erasure.head
        return kept

    @property
    def shard_key(self) -> ShardKey:
        return ShardKey.derive(self.domain, bytes([8]) * 32, self.identity)

    def own_splits(self, kept: Kept, head: Head | None = None) -> OwnSplits:
        """The splits of a record's secret, up to the chain's head or an earlier one."""
        head = head or self.chain.head
        reader = ChainReader(self.domain, up_to=head)
        watched = reader.own_splits(self.shard_key, kept.record.vault_id)
        return reader.read(list(self.chain)[: head.size])[watched]

    def split(self, kept: Kept) -> str:
        """As if every node had confirmed."""
        assert kept.secret is not None
        dealer = Dealer(kept.record, self.master, m=2, node_urls=["one", "two"])
        own = self.own_splits(kept)
        prepared = dealer.prepare(kept.secret, previous=own.splits.last)
        confirmed = [shard.shard_id for shard in prepared.shards]
        entry, _ = prepared.preparation.commit(confirmed, own, time=minute(1))
        self.chain.push(entry)
        return prepared.preparation.split_id

    def checkpoint(self) -> VerifiedCheckpoint:
        signer = CheckpointSigner(self.domain, ORIGIN, self.log, self.log_key)
        pins = Pins(origin=ORIGIN, identity_id=self.log, key_hash=self.log_key.public_key.hash, least_size=1)
        mark = HighWaterMark.first(ORIGIN, self.chain.head, ring=followed(self.ring, self.chain))
        checkpoint = signer.sign(mark, time=minute(30))
        return CheckpointVerifier(self.domain, pins).verify(checkpoint).verified()

    def located(self, master: VaultMaster | None | EllipsisType = ...) -> LocatedLedger:
        """With the operator's master, another one, or none."""
        known = self.master if isinstance(master, EllipsisType) else master
        reader = ChainReader(self.domain, under=self.checkpoint())
        watched = reader.ledger(self.ledger.ledger, master=known)
        return reader.read(self.chain)[watched]

    def judge(self, kept: Kept, record: VaultRecord | None = None) -> VaultReport:
        """The operator's report on a record, at the place of the one that was kept."""
        at = self.located().locate(kept.record)
        return self.verifier.verify(
            record or kept.record, kept.stored, signer=self.identity, policy=self.operator, place=at
        )

    def verified(self, kept: Kept) -> VerifiedRecord:
        return self.judge(kept).verified()

    def set_state(self, state: KeyState) -> None:
        entry, _ = followed(self.ring, self.chain).set_state(
            self.identity, state, head=self.chain.head, time=minute(5)
        )
        self.chain.push(entry)
