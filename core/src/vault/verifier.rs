//! Checking a record, layer by layer. Every layer is checked, whichever fails before it.

mod erasable;
mod ledger;
mod places;
mod policy;
mod report;

pub use erasable::Erasable;
pub use ledger::{LedgerCheck, LedgerSummary};
pub use places::LocatedLedger;
pub use policy::{Operator, OperatorRecord, Public, TierKeys, TierPolicy, VaultPolicy};
pub use report::{LayerFailure, Unchecked, VaultOutcome, VaultReport};

use report::{Outcomes, first_fault};

use super::entry::RecordEntry;
use super::keys::VaultMaster;
use super::layers;
use super::record::{LayerHash, LedgerHead, VaultRecord};
use super::stored::StoredHash;
use crate::domain::Domain;
use crate::id::IdentityId;
use crate::key::{Algorithm, Found, KeyRing, KeyState, NotHeld, PreparedKeys, Role};
use crate::krunica::Located;
use crate::mldsa::KeyHash;
use crate::seal::{LayerOutcome, SealId, SealVerifier};
use crate::stream::Purpose;
use crate::verdict::{AsOf, InvalidReason, Judged, Placed, Subject, conclude, invalid};
use core::fmt;
use subtle::ConstantTimeEq;

/// Where a record stands, as far as a verifier knows it beside the record and its stored bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing<'a> {
    /// The proven place of the record's chain entry. Without it L6 and L8 are at best consistent.
    pub place: Option<&'a Located>,
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
    placed: Placed,
}

impl Findings {
    fn failed<P: VaultPolicy>(&self, policy: &P) -> Option<InvalidReason> {
        first_fault(&self.outcomes, |layer| policy.tolerates(layer)).map(InvalidReason::Layer)
    }
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

    /// Verifies the record of an identity against the hash of its stored bytes, which the caller computes from the
    /// bytes at hand; nothing is decrypted. A record of anybody else is Invalid: each identity of the ring can seal any
    /// document. The state of L5's key decides first, then the first layer that fails, then the first that was not
    /// checked and had to be.
    pub fn verify<P: VaultPolicy>(
        &self,
        record: VaultRecord,
        stored: &StoredHash,
        identity_id: &IdentityId,
        policy: &P,
        standing: Standing<'_>,
    ) -> VaultReport<P::Record> {
        let is_expected = record.header().identity_id == *identity_id;
        let findings = self.check(&record, stored, policy, standing);
        self.report(record, &findings, is_expected, policy)
    }

    /// The verdict as [`verify`](Self::verify) gives it, with what became of L5's key before and after the record's
    /// place.
    pub fn verify_as_of<P: VaultPolicy>(
        &self,
        record: VaultRecord,
        stored: &StoredHash,
        identity_id: &IdentityId,
        policy: &P,
        place: &Located,
    ) -> AsOf<P::Record> {
        let is_expected = record.header().identity_id == *identity_id;
        let findings = self.check(&record, stored, policy, Standing { place: Some(place), after: None });
        let Findings { key, placed, .. } = findings;
        let failed = match findings.found {
            _ if !is_expected => Some(InvalidReason::OtherSigner),
            Err(not_held) => Some(not_held.into()),
            Ok(_) => findings.failed(policy),
        };
        let verdict = self.report(record, &findings, is_expected, policy).into_verdict();
        AsOf::new(Judged { verdict, key, placed, failed }, self.ring, identity_id)
    }

    /// Verifies a record by whomever of the ring it names, and says who that is: for a caller who then decides by the
    /// identity. Each of them can seal any document, so that the report alone authorises nothing.
    pub fn verify_any_signer<P: VaultPolicy>(
        &self,
        record: VaultRecord,
        stored: &StoredHash,
        policy: &P,
        standing: Standing<'_>,
    ) -> (IdentityId, VaultReport<P::Record>) {
        let findings = self.check(&record, stored, policy, standing);
        (record.header().identity_id, self.report(record, &findings, true, policy))
    }

    fn report<P: VaultPolicy>(
        &self,
        record: VaultRecord,
        findings: &Findings,
        is_expected: bool,
        policy: &P,
    ) -> VaultReport<P::Record> {
        let failed = findings.failed(policy);
        let Findings { outcomes, key, found, .. } = *findings;
        let header = record.header();
        let about = (header.vault_id, header.seq, header.kind.clone());
        let erasable =
            is_expected && failed.is_none() && policy.master().is_some() && found.is_ok_and(signs_for_its_identity);
        let erasable = erasable.then(|| Erasable::of(&record));
        let subject = Subject {
            identity_id: header.identity_id,
            algorithm: Algorithm::MlDsa65,
            time: Some(header.created_at),
            state: None,
        };
        let purpose = Purpose::of_checked(self.domain, header.identity_id.as_bytes(), &header.kind);
        // Before the state of the other's key, which is no matter of whoever asks about this one.
        let verdict = if is_expected {
            conclude(policy.record(record, purpose), subject, key, found, failed)
        } else {
            invalid(subject, InvalidReason::OtherSigner)
        };
        VaultReport::new(about, outcomes, verdict, erasable)
    }

    fn check<P: VaultPolicy>(
        &self,
        record: &VaultRecord,
        stored: &StoredHash,
        policy: &P,
        standing: Standing<'_>,
    ) -> Findings {
        let master = policy.master();
        // The whole entry is the record's.
        let placed = Placed::of(self.ring, standing.place, |entry| *entry == record.entry);
        // The seal's text is hashed once, for L5 and L8.
        let seal_id = record.seal.seal_id();
        let (seal, key, found) = self.seal(record, &seal_id, master, standing.place, placed);
        let outcomes = [
            ledger_chain(record, stored, standing.after),
            VaultOutcome::Recorded,
            session(record, master),
            baseline(record, stored),
            self.access(record, policy.tiers()),
            seal,
            self.handle(record, standing.place),
            trap(record, master),
            self.entry(record, &seal_id, master, placed),
        ];
        Findings { outcomes, key, found, placed }
    }

    /// L4. Without keys nothing can be said of a tier that is shown by one.
    fn access(&self, record: &VaultRecord, policy: TierPolicy<'_>) -> VaultOutcome {
        let (header, tier) = (record.header(), record.tier());
        if tier < policy.least {
            return VaultOutcome::Fail(LayerFailure::TierTooLow);
        }
        let Some((public_key, signature)) = &record.block.access else {
            return VaultOutcome::NotRequired;
        };
        let Some(keys) = policy.keys else {
            return VaultOutcome::NotChecked(Unchecked::NoKeys);
        };
        if !keys.holds(&header.identity_id, tier, public_key) {
            return VaultOutcome::Fail(LayerFailure::KeyNotHeld);
        }
        let statement =
            layers::access_statement(self.domain, tier, &header.ledger, &header.vault_id, &record.block.hash);
        judge(public_key.accepts(statement.as_bytes(), signature), LayerFailure::TierSignature)
    }

    /// L5, and the key whose state decides.
    fn seal(
        &self,
        record: &VaultRecord,
        seal_id: &SealId,
        master: Option<&VaultMaster>,
        place: Option<&Located>,
        placed: Placed,
    ) -> (VaultOutcome, KeyHash, Result<Found, NotHeld>) {
        let identity_id = &record.header().identity_id;
        let payload = layers::sealed_payload(self.domain, &record.block);
        let seal_key = master.map(|master| master.seal_key(identity_id));
        let check = self.seals.check_reserved(&record.seal, payload.as_bytes(), identity_id, seal_key.as_ref(), place);
        let failure = if check.found.is_err() {
            Some(LayerFailure::UnknownIdentity)
        } else if check.layer_a == LayerOutcome::Fail {
            Some(LayerFailure::LayerA)
        } else if check.layer_b != LayerOutcome::Pass {
            Some(LayerFailure::LayerB)
        } else if !check.found.is_ok_and(|found| placed.is_in_time(found.role)) {
            Some(LayerFailure::RetiredKey)
        } else {
            (*seal_id != record.seal_id).then_some(LayerFailure::SealId)
        };
        (failure.map_or(VaultOutcome::Pass, VaultOutcome::Fail), check.key, check.found)
    }

    /// L6. It shares L8's place, and is compared with the hash there alone.
    fn handle(&self, record: &VaultRecord, place: Option<&Located>) -> VaultOutcome {
        let handle = record.entry.krunica_hash();
        if record.handle != handle || record.krunica_hash != handle {
            return VaultOutcome::Fail(LayerFailure::Handle);
        }
        located(Placed::of(self.ring, place, |entry| entry.hash() == record.entry.hash()))
    }

    /// L8. The entry says everything of the record that the chain vouches for. Its tag is for the master.
    fn entry(
        &self,
        record: &VaultRecord,
        seal_id: &SealId,
        master: Option<&VaultMaster>,
        placed: Placed,
    ) -> VaultOutcome {
        let (header, entry) = (record.header(), &record.entry);
        let said = RecordEntry { ledger: header.ledger, seq: header.seq, seal: *seal_id.hash() };
        let master = master.filter(|master| *master.key_id() == header.key_id);
        let consistent = *entry.identity_id() == header.identity_id
            && said.is_of(entry, self.domain, master)
            && entry.time() == header.created_at
            && entry.hash_holds();
        if consistent { located(placed) } else { VaultOutcome::Fail(LayerFailure::Entry) }
    }
}

/// Whether it was the identity that signed, then or now, and not whoever found a key that was left to be stolen.
fn signs_for_its_identity(found: Found) -> bool {
    found.role != Role::Decoy && found.state != KeyState::Decoy
}

/// L0.
fn ledger_chain(record: &VaultRecord, stored: &StoredHash, after: Option<&LedgerHead>) -> VaultOutcome {
    let (header, prev) = (record.header(), &record.block.prev);
    let first = header.seq == 0;
    if first != (*prev == LayerHash::ZERO) {
        return VaultOutcome::Fail(LayerFailure::Genesis);
    }
    if after.is_some_and(|head| !record.follows(head)) {
        return VaultOutcome::Fail(LayerFailure::Previous);
    }
    judge(stored.chained(prev) == record.block.hash, LayerFailure::ChainHash)
}

/// L2.
fn session(record: &VaultRecord, master: Option<&VaultMaster>) -> VaultOutcome {
    let Some(master) = master else {
        return VaultOutcome::NotChecked(Unchecked::NoMaster);
    };
    let (header, block) = (record.header(), &record.block);
    if *master.key_id() != header.key_id {
        return VaultOutcome::Fail(LayerFailure::AnotherMaster);
    }
    let mac = layers::session_mac(&master.session_key(&header.identity_id), &block.tag, &block.hash);
    judge(mac.as_bytes().ct_eq(block.hmac.as_bytes()).into(), LayerFailure::SessionMac)
}

/// L3, and under it what else is said of the stored bytes.
fn baseline(record: &VaultRecord, stored: &StoredHash) -> VaultOutcome {
    let header = record.header();
    if *stored.baseline() != record.block.baseline {
        return VaultOutcome::Fail(LayerFailure::Baseline);
    }
    if stored.length() != header.length {
        return VaultOutcome::Fail(LayerFailure::Length);
    }
    let vault_id = stored.vault_id(&header.identity_id, &header.kind, header.seq);
    judge(vault_id == header.vault_id, LayerFailure::VaultId)
}

/// L7. A fragment that is there must be the one of the digest, whoever asks.
fn trap(record: &VaultRecord, master: Option<&VaultMaster>) -> VaultOutcome {
    let (header, digest) = (record.header(), &record.block.digest);
    let present = record.fragment.as_ref();
    if present.is_some_and(|fragment| !bool::from(fragment.is_of(digest))) {
        return VaultOutcome::Fail(LayerFailure::Fragment);
    }
    let Some(master) = master else {
        return VaultOutcome::NotChecked(Unchecked::NoMaster);
    };
    let fragment = layers::fragment(master, &header.identity_id, &header.ledger, &header.vault_id);
    judge(fragment.is_of(digest).into(), LayerFailure::Digest)
}

/// What a place comes to for the layers that need it.
fn located(placed: Placed) -> VaultOutcome {
    match placed {
        Placed::At(_) => VaultOutcome::Pass,
        Placed::Unknown => VaultOutcome::NotChecked(Unchecked::NotLocated),
        Placed::Elsewhere => VaultOutcome::Fail(LayerFailure::Located),
    }
}

fn judge(holds: bool, failure: LayerFailure) -> VaultOutcome {
    if holds { VaultOutcome::Pass } else { VaultOutcome::Fail(failure) }
}

impl fmt::Debug for VaultVerifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultVerifier").field("domain", self.domain).finish_non_exhaustive()
    }
}
