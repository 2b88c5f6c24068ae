//! Checking a record, layer by layer. Every layer is checked, whichever fails before it.

mod erasable;
mod ledger;
mod policy;
mod report;

pub use erasable::Erasable;
pub use ledger::{LedgerCheck, LedgerEntries, LedgerSummary, LocatedLedger};
pub use policy::{Operator, OperatorRecord, Public, TierKeys, TierPolicy, VaultPolicy};
pub use report::{Failure, Outcome, Unchecked, VaultReport};

use report::{Outcomes, first_fault};

use super::keys::VaultMaster;
use super::layers;
use super::record::{LayerHash, LedgerHead, VaultRecord};
use super::stored::StoredHash;
use crate::domain::Domain;
use crate::key::{Algorithm, Found, KeyRing, KeyState, NotHeld, PreparedKeys, Role};
use crate::krunica::Located;
use crate::mldsa::KeyHash;
use crate::seal::{LayerOutcome, SealId, SealVerifier};
use crate::stream::Purpose;
use crate::verdict::{InvalidReason, Placed, Subject, conclude};
use core::fmt;
use subtle::ConstantTimeEq;

/// What a verifier knows beside the record and its stored bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'a> {
    /// The proven place of the record's chain entry. Without it L6 and L8 are at best consistent.
    pub at: Option<&'a Located>,
    /// The ledger before this record: what the record before it gives as
    /// [`ledger_head`](VaultRecord::ledger_head).
    pub after: Option<&'a LedgerHead>,
}

/// Verifies vault records of one domain against a ring.
#[derive(Clone)]
pub struct VaultVerifier<'a> {
    domain: &'a Domain,
    ring: &'a KeyRing,
    seals: SealVerifier<'a>,
}

/// What was found out, before it is concluded.
struct Findings {
    outcomes: Outcomes,
    key: KeyHash,
    found: Result<Found, NotHeld>,
}

impl<'a> VaultVerifier<'a> {
    /// A verifier over a ring, with a source of prepared keys ([`Unprepared`](crate::key::Unprepared) for none).
    #[must_use]
    pub fn new(domain: &'a Domain, ring: &'a KeyRing, keys: &'a dyn PreparedKeys) -> Self {
        Self { domain, ring, seals: SealVerifier::new(domain, ring, keys) }
    }

    pub(super) fn ring(&self) -> &'a KeyRing {
        self.ring
    }

    /// Verifies a record against the hash of its stored bytes, which the caller computes from the bytes at hand;
    /// nothing is decrypted. The state of L5's key decides first, then the first layer that fails, then the first that
    /// was not checked and had to be.
    pub fn verify<P: VaultPolicy>(
        &self,
        record: VaultRecord,
        stored: &StoredHash,
        policy: &P,
        evidence: Evidence<'_>,
    ) -> VaultReport<P::Record> {
        let Findings { outcomes, key, found } = self.check(&record, stored, policy, evidence);
        let failed = first_fault(&outcomes, |layer| policy.tolerates(layer)).map(InvalidReason::Layer);
        let header = record.header();
        let about = (header.vault_id, header.seq, header.kind.clone());
        let erasable = failed.is_none() && policy.master().is_some() && found.is_ok_and(signs_for_its_identity);
        let erasable = erasable.then(|| Erasable::new(header.clone()));
        let subject = Subject {
            identity_id: header.identity_id,
            algorithm: Algorithm::MlDsa65,
            timestamp: Some(header.created_at),
            state: None,
        };
        let purpose = Purpose::of_checked(self.domain, header.identity_id.as_bytes(), &header.kind);
        let verdict = conclude(policy.record(record, purpose), subject, key, found, failed);
        VaultReport::new(about, outcomes, verdict, erasable)
    }

    fn check<P: VaultPolicy>(
        &self,
        record: &VaultRecord,
        stored: &StoredHash,
        policy: &P,
        evidence: Evidence<'_>,
    ) -> Findings {
        let master = policy.master();
        // The whole entry is the record's.
        let placed = Placed::of(self.ring, evidence.at, |entry| *entry == record.entry);
        // The seal's text is hashed once, for L5 and L8.
        let seal_id = record.seal.seal_id();
        let (seal, key, found) = self.seal(record, &seal_id, master, evidence.at, placed);
        let outcomes = [
            ledger_chain(record, stored, evidence.after),
            Outcome::Recorded,
            session(record, master),
            baseline(record, stored),
            self.access(record, policy.tiers()),
            seal,
            self.handle(record, evidence.at),
            trap(record, master),
            self.entry(record, &seal_id, placed),
        ];
        Findings { outcomes, key, found }
    }

    /// L4. Without keys nothing can be said of a tier that is shown by one.
    fn access(&self, record: &VaultRecord, policy: TierPolicy<'_>) -> Outcome {
        let (header, tier) = (record.header(), record.tier());
        if tier < policy.least {
            return Outcome::Fail(Failure::TierTooLow);
        }
        let Some((public_key, signature)) = &record.block.access else {
            return Outcome::NotRequired;
        };
        let Some(keys) = policy.keys else {
            return Outcome::NotChecked(Unchecked::NoKeys);
        };
        if !keys.holds(&header.identity_id, tier, public_key) {
            return Outcome::Fail(Failure::KeyNotHeld);
        }
        let statement =
            layers::access_statement(self.domain, tier, &header.ledger, &header.vault_id, &record.block.hash);
        judge(public_key.accepts(statement.as_bytes(), signature), Failure::TierSignature)
    }

    /// L5, and the key whose state decides.
    fn seal(
        &self,
        record: &VaultRecord,
        seal_id: &SealId,
        master: Option<&VaultMaster>,
        at: Option<&Located>,
        placed: Placed,
    ) -> (Outcome, KeyHash, Result<Found, NotHeld>) {
        let identity_id = &record.header().identity_id;
        let payload = layers::sealed_payload(self.domain, &record.block);
        let seal_key = master.map(|master| master.seal_key(identity_id));
        let check = self.seals.check_reserved(&record.seal, payload.as_bytes(), identity_id, seal_key.as_ref(), at);
        let failure = if check.found.is_err() {
            Some(Failure::UnknownIdentity)
        } else if check.layer_a == LayerOutcome::Fail {
            Some(Failure::LayerA)
        } else if check.layer_b != LayerOutcome::Pass {
            Some(Failure::LayerB)
        } else if !check.found.is_ok_and(|found| placed.is_in_time(found.role)) {
            Some(Failure::RetiredKey)
        } else {
            (*seal_id != record.seal_id).then_some(Failure::SealId)
        };
        (failure.map_or(Outcome::Pass, Outcome::Fail), check.key, check.found)
    }

    /// L6. It shares L8's place, and is compared with the hash there alone.
    fn handle(&self, record: &VaultRecord, at: Option<&Located>) -> Outcome {
        let handle = record.entry.krunica_hash();
        if record.handle != handle || record.krunica_hash != handle {
            return Outcome::Fail(Failure::Handle);
        }
        located(Placed::of(self.ring, at, |entry| entry.hash() == record.entry.hash()))
    }

    /// L8. The entry says everything of the record that the chain vouches for.
    fn entry(&self, record: &VaultRecord, seal_id: &SealId, placed: Placed) -> Outcome {
        let (header, entry) = (record.header(), &record.entry);
        let message = layers::entry_message(self.domain, &header.ledger, header.seq, seal_id);
        let consistent = *entry.w3() == header.identity_id
            && entry.message() == message
            && entry.time() == header.created_at
            && entry.hash_holds();
        if consistent { located(placed) } else { Outcome::Fail(Failure::Entry) }
    }
}

/// Whether it was the identity that signed, then or now, and not whoever found a key that was left to be stolen.
fn signs_for_its_identity(found: Found) -> bool {
    found.role != Role::Decoy && found.state != KeyState::Decoy
}

/// L0.
fn ledger_chain(record: &VaultRecord, stored: &StoredHash, after: Option<&LedgerHead>) -> Outcome {
    let (header, prev) = (record.header(), &record.block.prev);
    let first = header.seq == 0;
    if first != (*prev == LayerHash::ZERO) {
        return Outcome::Fail(Failure::Genesis);
    }
    if after.is_some_and(|head| !record.follows(head)) {
        return Outcome::Fail(Failure::Previous);
    }
    judge(stored.chained(prev) == record.block.hash, Failure::ChainHash)
}

/// L2.
fn session(record: &VaultRecord, master: Option<&VaultMaster>) -> Outcome {
    let Some(master) = master else {
        return Outcome::NotChecked(Unchecked::NoMaster);
    };
    let (header, block) = (record.header(), &record.block);
    if *master.key_id() != header.key_id {
        return Outcome::Fail(Failure::AnotherMaster);
    }
    let mac = layers::session_mac(&master.session_key(&header.identity_id), &block.tag, &block.hash);
    judge(mac.as_bytes().ct_eq(block.hmac.as_bytes()).into(), Failure::SessionMac)
}

/// L3, and under it what else is said of the stored bytes.
fn baseline(record: &VaultRecord, stored: &StoredHash) -> Outcome {
    let header = record.header();
    if *stored.baseline() != record.block.baseline {
        return Outcome::Fail(Failure::Baseline);
    }
    if stored.length() != header.length {
        return Outcome::Fail(Failure::Length);
    }
    let vault_id = stored.vault_id(&header.identity_id, &header.kind, header.seq);
    judge(vault_id == header.vault_id, Failure::VaultId)
}

/// L7. A fragment that is there must be the one of the digest, whoever asks.
fn trap(record: &VaultRecord, master: Option<&VaultMaster>) -> Outcome {
    let (header, digest) = (record.header(), &record.block.digest);
    let present = record.fragment.as_ref();
    if present.is_some_and(|fragment| !bool::from(fragment.is_of(digest))) {
        return Outcome::Fail(Failure::Fragment);
    }
    let Some(master) = master else {
        return Outcome::NotChecked(Unchecked::NoMaster);
    };
    let fragment = layers::fragment(master, &header.identity_id, &header.ledger, &header.vault_id);
    judge(fragment.is_of(digest).into(), Failure::Digest)
}

/// What a place comes to for the layers that need it.
fn located(placed: Placed) -> Outcome {
    match placed {
        Placed::At(_) => Outcome::Pass,
        Placed::Unknown => Outcome::NotChecked(Unchecked::NotLocated),
        Placed::Elsewhere => Outcome::Fail(Failure::Located),
    }
}

fn judge(holds: bool, failure: Failure) -> Outcome {
    if holds { Outcome::Pass } else { Outcome::Fail(failure) }
}

impl fmt::Debug for VaultVerifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultVerifier").field("domain", self.domain).finish_non_exhaustive()
    }
}
