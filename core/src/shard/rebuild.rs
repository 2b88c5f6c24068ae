//! Rebuilding a vault secret, and the operations that go through it.

use super::gate::{Arguments, Gate, Operation, Recipient, Request, ShardId};
use super::in_force::SplitInForce;
use super::record::{Shard, ShardAnchor, ShardKey, anchor, fault};
use super::split::{Dealer, Prepared};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, Problem, ShardFault, SharingFault, SharingProblem};
use crate::field::Gf2_256;
use crate::id::{IdentityId, VaultId};
use crate::shamir::{
    Commitments, DrawnSecret, Health, Index, Reconstructed, Repaired, Share, SplitId, Threshold, health, reconstruct,
    repair,
};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};

/// What every operation that rebuilds a vault secret is asked with.
#[derive(Clone, Copy)]
pub struct Rebuilding<'a> {
    /// The domain.
    pub domain: &'a Domain,
    /// The key that seals the identity's shards.
    pub key: &'a ShardKey,
    /// The vault.
    pub vault_id: &'a VaultId,
    /// The identity whose vault it is.
    pub identity_id: &'a IdentityId,
    /// The last splitting in the chain, where there is a chain at hand; every other one is then refused.
    pub in_force: Option<&'a SplitInForce>,
    /// Who rebuilds: the recipient of the shards.
    pub recipient: &'a Recipient,
}

/// A shard that was lost, by what its owner knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostShard<'a> {
    /// Its number.
    pub index: Index,
    /// The label that it had.
    pub node_url: &'a str,
    /// Its identifier, with which what comes out is compared.
    pub shard_id: &'a ShardId,
}

/// A vault secret, and the numbers of the shards that do not hold.
#[derive(Debug)]
pub struct RebuiltSecret {
    /// The secret.
    pub secret: DrawnSecret<Gf2_256>,
    /// The numbers of the shards that do not hold, ascending, which are those of their senders where they were
    /// [pulled](Shard::pulled). They took no part.
    pub culprits: Vec<Index>,
    /// The numbers of the shards that hold and are not on the others' polynomial, as
    /// [`Reconstructed::misdealt`]: whoever holds them did nothing wrong.
    pub misdealt: Vec<Index>,
}

/// A shard that was lost, made again.
#[derive(Debug)]
pub struct RepairedShard {
    /// The shard, equal to the one that was dealt.
    pub shard: Shard,
    /// The numbers of the shards that do not hold, ascending, which are those of their senders where they were
    /// [pulled](Shard::pulled). They took no part.
    pub culprits: Vec<Index>,
    /// The numbers of the shards that hold and are not on the others' polynomial, as
    /// [`Reconstructed::misdealt`]: whoever holds them did nothing wrong.
    pub misdealt: Vec<Index>,
}

impl Rebuilding<'_> {
    /// Rebuilds the secret from m or more of the shards that a request names. What a node answered is read with
    /// [`Shard::pulled`], so that junk names who sent it. Shards that hold and are not asked for, of another splitting
    /// or vault or unnamed, take no part and are nobody's fault: m good ones rebuild, whatever is among them.
    ///
    /// The gate is asked last, and once: after everything else has been checked, and before anything is rebuilt.
    ///
    /// # Errors
    /// [`ShardFault::OtherRequest`] with the first member of the request that is for another vault, identity,
    /// recipient, operation or arguments, or `shard_ids` where it does not name m to n shards; [`Misuse::NoShards`];
    /// [`Problem::Repeated`] for `indeks` when two different shards that hold have the same;
    /// [`SharingProblem::TooFewShares`] with the culprits, or [`ShardFault::Mixed`] when there are shards among them
    /// that hold and are not those asked for; [`ShardFault::SupersededSplit`]; what the gate says;
    /// [`SharingProblem::DealerFault`].
    pub fn rebuild(
        &self,
        request: &Request,
        shards: &[Shard],
        gate: &mut dyn Gate,
        now: Timestamp,
    ) -> Result<RebuiltSecret, Error> {
        let judged = self.judge(request, shards)?;
        self.compare(request, Operation::Rebuild, &Arguments::default())?;
        gate.pass(self.domain, request, now)?;
        let Reconstructed { secret, culprits, misdealt } = reconstruct(&judged, &judged.counted)?;
        Ok(RebuiltSecret { secret, culprits, misdealt })
    }

    /// What the nodes and the gate are asked, for whoever makes the proofs: to let these shards of a splitting go to
    /// this recipient. Name every shard that may be had: any m of them will do.
    ///
    /// # Errors
    /// [`Problem::Range`] for fewer than two `shard_ids` or more than 255; [`Problem::Repeated`], with the position;
    /// [`ShardFault::SupersededSplit`].
    pub fn request(
        &self,
        operation: Operation,
        arguments: &Arguments,
        split_id: &SplitId,
        shard_ids: &[ShardId],
    ) -> Result<Request, Error> {
        if shard_ids.len() < 2 || shard_ids.len() > usize::from(u8::MAX) {
            return Err(Error::malformed("shard_ids", Problem::Range));
        }
        let mut ascending = BTreeSet::new();
        if let Some((position, _)) = (0..).zip(shard_ids).find(|(_, id)| !ascending.insert(**id)) {
            return Err(Error::malformed_at("shard_ids", position, Problem::Repeated));
        }
        self.check_in_force(split_id, &[])?;
        Ok(Request {
            operation,
            vault_id: *self.vault_id,
            split_id: *split_id,
            shard_ids: ascending.into_iter().collect(),
            arguments: arguments.hash(),
            recipient: *self.recipient,
            identity_id: *self.identity_id,
        })
    }

    /// Makes a lost shard again from m others.
    ///
    /// # Errors
    /// As [`rebuild`](Self::rebuild); [`ShardFault::Identifier`] when what comes out is not the lost shard;
    /// [`Problem::Range`] for `indeks` above n.
    pub fn repair(
        &self,
        request: &Request,
        shards: &[Shard],
        lost: LostShard<'_>,
        gate: &mut dyn Gate,
        now: Timestamp,
    ) -> Result<RepairedShard, Error> {
        let LostShard { index: lost, node_url, shard_id } = lost;
        let judged = self.judge(request, shards)?;
        if lost.get() > judged.reference.threshold.n() {
            return Err(Error::malformed_at("indeks", lost.get().into(), Problem::Range));
        }
        let arguments = Arguments { index: Some(lost.get()), ..Arguments::default() };
        self.compare(request, Operation::Repair, &arguments)?;
        gate.pass(self.domain, request, now)?;
        let Reference { split_id, threshold, anchor } = judged.reference;
        let ids = (*self.vault_id, split_id, *self.identity_id);
        // Under the identifier that the caller knows: one computed from the share itself would always hold.
        let wrap = |share: Share<Gf2_256>| Shard {
            shard_id: *shard_id,
            ..Shard::make(self.domain, self.key, ids, threshold, anchor, node_url.into(), share)
        };
        let given: Vec<Shard> = judged.counted.iter().map(|shard| shard.copy()).collect();
        match repair(&judged, &given, lost, wrap) {
            Ok(Repaired { share: shard, culprits, misdealt }) => Ok(RepairedShard { shard, culprits, misdealt }),
            // Where they agree on the secret, the label or identifier is another one.
            Err(_) if reconstruct(&judged, &given).is_ok() => Err(fault(ShardFault::Identifier)),
            Err(error) => Err(error),
        }
    }

    /// Prepares the same secret with the same m and n for the nodes of `dealer`. Until it is committed
    /// ([`Preparation::commit`](super::Preparation::commit)), the old shards rebuild; after that the new ones do, and
    /// the old ones can be destroyed. Shards of both do not go together.
    ///
    /// # Errors
    /// As [`rebuild`](Self::rebuild) and [`Dealer::prepare`]; [`Problem::Range`] when the dealer's m or n is another.
    pub fn refresh<R: TryCryptoRng + ?Sized>(
        &self,
        request: &Request,
        shards: &[Shard],
        dealer: &Dealer,
        gate: &mut dyn Gate,
        now: Timestamp,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        let judged = self.judge(request, shards)?;
        let threshold = judged.reference.threshold;
        for (field, asked, has) in
            [("m", usize::from(dealer.m), threshold.k()), ("n", dealer.node_urls.len(), threshold.n())]
        {
            if asked != usize::from(has) {
                return Err(Error::malformed(field, Problem::Range));
            }
        }
        let arguments = Arguments { node_urls: Some(dealer.node_urls.clone()), ..Arguments::default() };
        self.compare(request, Operation::Refresh, &arguments)?;
        self.deal_again(&judged, request, dealer, gate, now, rng)
    }

    /// As [`refresh`](Self::refresh), with another m and n. Old shards keep the old m for as long as they exist.
    ///
    /// # Errors
    /// As [`rebuild`](Self::rebuild) and [`Dealer::prepare`].
    pub fn rethreshold<R: TryCryptoRng + ?Sized>(
        &self,
        request: &Request,
        shards: &[Shard],
        dealer: &Dealer,
        gate: &mut dyn Gate,
        now: Timestamp,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        let judged = self.judge(request, shards)?;
        // Before the gate is asked, so that a nonce is not spent on numbers that cannot be.
        let n = u64::try_from(dealer.node_urls.len()).unwrap_or(u64::MAX);
        let threshold = super::record::threshold(dealer.m.into(), n)?;
        let arguments = Arguments {
            index: None,
            m: Some(threshold.k()),
            n: Some(threshold.n()),
            node_urls: Some(dealer.node_urls.clone()),
        };
        self.compare(request, Operation::Rethreshold, &arguments)?;
        self.deal_again(&judged, request, dealer, gate, now, rng)
    }

    #[allow(clippy::too_many_arguments, reason = "what refresh and rethreshold have in common")]
    fn deal_again<R: TryCryptoRng + ?Sized>(
        &self,
        judged: &Judged<'_>,
        request: &Request,
        dealer: &Dealer,
        gate: &mut dyn Gate,
        now: Timestamp,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        // Another domain or seal key would make all new shards worthless.
        let same_vault = dealer.vault_id == *self.vault_id && dealer.identity_id == *self.identity_id;
        if !same_vault || dealer.domain != *self.domain || !dealer.key.is(self.key) {
            return Err(Misuse::OtherVault.into());
        }
        gate.pass(self.domain, request, now)?;
        let Reconstructed { secret, culprits, misdealt } = reconstruct(judged, &judged.counted)?;
        Ok(Prepared { culprits, misdealt, ..dealer.prepare(&secret, Some(&judged.reference.split_id), rng)? })
    }

    /// Counts, then identifiers and seals, then that m of those which hold are of one splitting, the one asked for and
    /// in force, and named, each counted once. Rebuilds nothing.
    fn judge<'a>(&'a self, request: &Request, shards: &'a [Shard]) -> Result<Judged<'a>, Error> {
        if shards.is_empty() {
            return Err(Misuse::NoShards.into());
        }
        // By the least m that any of them gives, before a seal is computed.
        let least = shards.iter().map(|shard| shard.threshold.k()).min().unwrap_or(2);
        let numbers = shards.iter().map(Shard::index).collect::<BTreeSet<_>>().len();
        if numbers < usize::from(least) {
            return Err(too_few(least, numbers, &[]));
        }
        // The comparison is in constant time; its outcome is told to everybody.
        let (held, bad): (Vec<&Shard>, Vec<&Shard>) =
            shards.iter().partition(|shard| bool::from(shard.holds(self.domain, self.key)));
        // An identifier binds all of a shard that holds: twice the same is one.
        let held: BTreeMap<ShardId, &Shard> = held.into_iter().map(|shard| (shard.shard_id, shard)).collect();
        // Who sent a good shard is not accused of another that was sent under the same number.
        let numbers_held: BTreeSet<Index> = held.values().map(|shard| shard.index()).collect();
        let numbers_bad: BTreeSet<Index> = bad.iter().map(|shard| shard.index()).collect();
        let culprits: Vec<u8> = numbers_bad.difference(&numbers_held).map(|index| index.get()).collect();
        // Without a shard that holds, m is not known; every splitting needs at least two.
        if held.is_empty() {
            return Err(too_few(2, 0, &culprits));
        }
        self.check_in_force(&request.split_id, &culprits)?;
        let (mut good, mut foreign): (Vec<&Shard>, Vec<&Shard>) =
            held.into_values().partition(|shard| self.asked_for(shard) && request.names(shard));
        let reference = Reference::of_most(&good);
        foreign.extend(good.extract_if(.., |shard| Some(Reference::of(shard)) != reference));
        let mixed = || {
            let mut foreign: Vec<u8> = foreign.iter().map(|shard| shard.index().get()).collect();
            foreign.sort_unstable();
            fault(ShardFault::Mixed { foreign, culprits: culprits.clone() })
        };
        let reference = reference.ok_or_else(mixed)?;
        // All of them are of one splitting here: only whoever has the seal key could have made two of one number.
        let mut seen = BTreeSet::new();
        if let Some(twice) = good.iter().find(|shard| !seen.insert(shard.index())) {
            return Err(Error::malformed_at("indeks", twice.index().get().into(), Problem::Repeated));
        }
        if good.len() < usize::from(reference.threshold.k()) {
            let few = || too_few(reference.threshold.k(), good.len(), &culprits);
            return Err(if foreign.is_empty() { few() } else { mixed() });
        }
        if !request.names_as_many_as(reference.threshold) {
            return Err(fault(ShardFault::OtherRequest { member: "shard_ids" }));
        }
        good.extend(bad);
        Ok(Judged { rebuilding: self, reference, counted: good })
    }

    /// What a set of shards amounts to for a splitting of which one shard is known to be good, found out without
    /// rebuilding anything. `invalid` are those whose identifier or seal does not hold, whatever they say that they are
    /// of; `foreign` those that hold, of another vault, identity or splitting, or with other numbers, and all that hold
    /// where another splitting is in force. A number that is there twice may show in two lists.
    #[must_use]
    pub fn health(&self, of: &Shard, shards: &[Shard]) -> Health {
        health(&Judged { rebuilding: self, reference: Reference::of(of), counted: Vec::new() }, shards)
    }

    fn asked_for(&self, shard: &Shard) -> bool {
        shard.vault_id == *self.vault_id && shard.identity_id == *self.identity_id
    }

    /// Whether a request is for this operation, by this recipient.
    fn compare(&self, request: &Request, operation: Operation, arguments: &Arguments) -> Result<(), Error> {
        for (member, fits) in [
            ("vault_id", request.vault_id == *self.vault_id),
            ("identity_id", request.identity_id == *self.identity_id),
            ("primatelj", request.recipient == *self.recipient),
            ("op", request.operation == operation),
            ("args", request.arguments == arguments.hash()),
        ] {
            if !fits {
                return Err(fault(ShardFault::OtherRequest { member }));
            }
        }
        Ok(())
    }

    fn check_in_force(&self, split_id: &SplitId, culprits: &[u8]) -> Result<(), Error> {
        if self.in_force.is_none_or(|in_force| in_force.is(self.vault_id, split_id)) {
            return Ok(());
        }
        Err(fault(ShardFault::SupersededSplit { culprits: culprits.to_vec() }))
    }
}

fn too_few(needed: u8, found: usize, culprits: &[u8]) -> Error {
    // There are at most 255 shards with different numbers.
    let found = u8::try_from(found).unwrap_or(u8::MAX);
    SharingFault { problem: SharingProblem::TooFewShares { needed, found }, culprits: culprits.to_vec() }.into()
}

/// What all shards of one splitting have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reference {
    split_id: SplitId,
    threshold: Threshold,
    anchor: ShardAnchor,
}

impl Reference {
    fn of(shard: &Shard) -> Self {
        Self { split_id: shard.split_id, threshold: shard.threshold, anchor: shard.anchor }
    }

    /// What most shards of a splitting have, where they differ in m, n or anchor, and nothing where two have as many:
    /// nothing tells then which side is the honest one, so that both are named. The answer does not depend on their
    /// order.
    fn of_most(shards: &[&Shard]) -> Option<Self> {
        let mut groups: Vec<(usize, Self)> = Vec::new();
        for shard in shards {
            let of = Self::of(shard);
            match groups.iter_mut().find(|(_, known)| *known == of) {
                Some((count, _)) => *count = count.saturating_add(1),
                None => groups.push((1, of)),
            }
        }
        let most = groups.iter().map(|(count, _)| *count).max();
        let mut largest = groups.into_iter().filter(|(count, _)| Some(*count) == most);
        largest.next().filter(|_| largest.next().is_none()).map(|(_, of)| of)
    }
}

/// Shards that were judged, as commitments: a shard holds by its own identifier and seal.
struct Judged<'a> {
    rebuilding: &'a Rebuilding<'a>,
    reference: Reference,
    /// Those that hold and are asked for, and those that do not hold, by which the culprits are named.
    counted: Vec<&'a Shard>,
}

impl<S: Borrow<Shard> + AsRef<Share<Gf2_256>>> Commitments<Gf2_256, S> for Judged<'_> {
    fn threshold(&self) -> Threshold {
        self.reference.threshold
    }

    /// One that does not hold is not believed about what it is of.
    fn belongs(&self, shard: &S) -> bool {
        let shard = shard.borrow();
        let Rebuilding { domain, key, vault_id, in_force, .. } = self.rebuilding;
        // Only health is asked of a splitting that is not in force: rebuilding refuses it before.
        let counts = in_force.is_none_or(|in_force| in_force.is(vault_id, &self.reference.split_id));
        let fits = counts && self.rebuilding.asked_for(shard) && Reference::of(shard) == self.reference;
        fits || !bool::from(shard.holds(domain, key))
    }

    fn share_holds(&self, shard: &S) -> Choice {
        shard.borrow().holds(self.rebuilding.domain, self.rebuilding.key)
    }

    fn secret_holds(&self, secret: &Gf2_256) -> Choice {
        let computed = anchor(self.rebuilding.domain, self.rebuilding.vault_id, secret);
        computed.as_bytes().as_slice().ct_eq(self.reference.anchor.as_bytes())
    }
}

impl fmt::Debug for Rebuilding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rebuilding")
            .field("vault_id", self.vault_id)
            .field("identity_id", self.identity_id)
            .field("in_force", &self.in_force)
            .finish_non_exhaustive()
    }
}
