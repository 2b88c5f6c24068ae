//! Operations on shards with the request that asks for exactly those, and gates that remember what they were asked.

use crate::minute;
use crate::prelude::*;
use dualseal::error::{Error, Misuse, Rejected, ShardFault};
use dualseal::rand_core::TryCryptoRng;
use dualseal::shard::{
    Arguments, Dealer, Gate, LostShard, Operation, Prepared, Rebuilding, RebuiltSecret, RepairedShard, Request, Shard,
    ShardId, SplitId,
};
use dualseal::{Domain, Timestamp};

/// The operations with the request that asks for exactly the shards given, at minute 0.
pub trait Asking {
    /// That request: for the splitting that most of the shards are of, and where two have as many, the one of the
    /// lowest number; where a chain is at hand, for one that is in force, if any of them is.
    fn asked(&self, operation: Operation, arguments: &Arguments, shards: &[Shard]) -> Request;

    /// [`Rebuilding::rebuild`].
    fn rebuild_these(&self, shards: &[Shard], gate: &mut dyn Gate) -> Result<RebuiltSecret, Error>;

    /// [`Rebuilding::repair`].
    fn repair_these(&self, shards: &[Shard], lost: LostShard<'_>, gate: &mut dyn Gate) -> Result<RepairedShard, Error>;

    /// [`Rebuilding::refresh`].
    fn refresh_these<R: TryCryptoRng>(
        &self,
        shards: &[Shard],
        dealer: &Dealer,
        gate: &mut dyn Gate,
        rng: &mut R,
    ) -> Result<Prepared, Error>;

    /// [`Rebuilding::rethreshold`].
    fn rethreshold_these<R: TryCryptoRng>(
        &self,
        shards: &[Shard],
        dealer: &Dealer,
        gate: &mut dyn Gate,
        rng: &mut R,
    ) -> Result<Prepared, Error>;
}

impl Asking for Rebuilding<'_> {
    fn asked(&self, operation: Operation, arguments: &Arguments, shards: &[Shard]) -> Request {
        let of = |shard: &&Shard| {
            (shard.vault_id(), shard.identity_id()) == (self.vault_id, self.identity_id)
                && shard.verify(self.domain, self.key).is_ok()
        };
        let counted: Vec<&Shard> = shards.iter().filter(of).collect();
        let mut own = counted.clone();
        own.sort_by_key(|shard| {
            let as_many = counted.iter().filter(|other| other.split_id() == shard.split_id()).count();
            (core::cmp::Reverse(as_many), shard.index())
        });
        let superseded =
            |shard: &Shard| match self.request(operation, arguments, shard.split_id(), &[shard_id(8), shard_id(9)]) {
                Err(Error::Rejected(Rejected::Shard(ShardFault::SupersededSplit { .. }))) => true,
                other => other.is_err(),
            };
        let chosen = own.iter().find(|shard| !superseded(shard)).or(own.first()).copied().or(shards.first());
        let mut shard_ids: Vec<_> = shards.iter().map(|shard| *shard.shard_id()).collect();
        shard_ids.sort_unstable();
        shard_ids.dedup();
        Request {
            operation,
            vault_id: *self.vault_id,
            split_id: chosen.map_or(SplitId::from_bytes([0; 32]), |shard| *shard.split_id()),
            shard_ids,
            arguments: arguments.hash(),
            recipient: *self.recipient,
            identity_id: *self.identity_id,
        }
    }

    fn rebuild_these(&self, shards: &[Shard], gate: &mut dyn Gate) -> Result<RebuiltSecret, Error> {
        let request = self.asked(Operation::Rebuild, &Arguments::default(), shards);
        self.rebuild(&request, shards, gate, minute(0))
    }

    fn repair_these(&self, shards: &[Shard], lost: LostShard<'_>, gate: &mut dyn Gate) -> Result<RepairedShard, Error> {
        let arguments = Arguments { index: Some(lost.index.get()), ..Arguments::default() };
        let request = self.asked(Operation::Repair, &arguments, shards);
        self.repair(&request, shards, lost, gate, minute(0))
    }

    fn refresh_these<R: TryCryptoRng>(
        &self,
        shards: &[Shard],
        dealer: &Dealer,
        gate: &mut dyn Gate,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        let arguments = Arguments { node_urls: Some(dealer.node_urls().to_vec()), ..Arguments::default() };
        let request = self.asked(Operation::Refresh, &arguments, shards);
        self.refresh(&request, shards, dealer, gate, minute(0), rng)
    }

    fn rethreshold_these<R: TryCryptoRng>(
        &self,
        shards: &[Shard],
        dealer: &Dealer,
        gate: &mut dyn Gate,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        let n = u8::try_from(dealer.node_urls().len()).ok();
        let node_urls = Some(dealer.node_urls().to_vec());
        let request =
            self.asked(Operation::Rethreshold, &Arguments { index: None, m: Some(dealer.m()), n, node_urls }, shards);
        self.rethreshold(&request, shards, dealer, gate, minute(0), rng)
    }
}

/// The identifier of no shard.
pub fn shard_id(byte: u8) -> ShardId {
    ShardId::from_bytes([byte; 32])
}

/// A gate that notes what it was asked, and answers with what it was made with.
#[derive(Debug)]
pub struct Noting {
    pub asked: Vec<Request>,
    pub answer: Result<(), Error>,
}

impl Noting {
    /// Lets everything pass.
    pub fn open() -> Self {
        Self { asked: Vec::new(), answer: Ok(()) }
    }

    /// Lets nothing pass, with an error of its own.
    pub fn shut() -> Self {
        Self { asked: Vec::new(), answer: Err(Misuse::NoProofsRequired.into()) }
    }
}

impl Gate for Noting {
    fn pass(&mut self, _: &Domain, request: &Request, _: Timestamp) -> Result<(), Error> {
        self.asked.push(request.clone());
        self.answer.clone()
    }
}
