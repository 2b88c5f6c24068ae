//! Checking seals under a policy that the verifier chooses.

use super::SealKey;
use super::outcome::{Authenticated, Conclusion, LayerOutcome, SealReport};
use super::stream::Layers;
use super::text::{DualSeal, Seal, SealFormat};
use crate::domain::Domain;
use crate::encoding::hex;
use crate::id::IdentityId;
use crate::key::{Algorithm, Found, KeyRing, NotHeld, PreparedKeys, dummy_key, prepared};
use crate::krunica::{Entry, Located};
use crate::mldsa::{Claim, Kept, KeyHash, Mu, PublicKey, all_hold};
use crate::verdict::{AsOf, Checks, InvalidReason, Judged, Placed, Subject, decide, reject};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use subtle::ConstantTimeEq;

/// The most keys of an identity that layer B is tried on: the current one and the latest retired.
const MOST_KEYS: usize = 16;

/// What a verifier asks for.
#[derive(Clone, Copy, Debug)]
pub enum Policy<'a> {
    /// Both layers, with the identity's seal key: the whole dual seal.
    Both(&'a SealKey),
    /// Layer A alone. No key state is consulted, and the result is [`Authenticated`] at best.
    LayerA(&'a SealKey),
    /// Layer B alone, for those who do not have the seal key.
    LayerB,
}

/// Whether `SEAL-L5` counts under [`Policy::LayerA`]. It never satisfies another policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legacy {
    /// A legacy seal is not authenticated.
    Refused,
    /// A legacy seal is as good as layer A of a dual seal.
    Permitted,
}

/// A key that layer B is tried on; without a `Found`, the dummy.
type Candidate = (PublicKey, Option<Found>);

/// Checks seals of one domain against a ring.
#[derive(Clone)]
pub struct SealVerifier<'a> {
    domain: &'a Domain,
    ring: &'a KeyRing,
    keys: &'a dyn PreparedKeys,
}

impl<'a> SealVerifier<'a> {
    /// A verifier over a ring, with a source of prepared keys.
    #[must_use]
    pub fn new(domain: &'a Domain, ring: &'a KeyRing, keys: &'a dyn PreparedKeys) -> Self {
        Self { domain, ring, keys }
    }

    /// Checks a seal over a payload in memory.
    ///
    /// The seal names no key: layer B is tried on the identity's current key and its latest retired keys, 16 at most
    /// and always all of them, and with a `place` in the chain on the key in force there as well. The key that verifies
    /// gives the state. A seal by a retired key is valid only at a proven `place` before the retirement, of the
    /// entry that [`DualSeal::append_to`] makes.
    pub fn verify(
        &self,
        seal: &Seal,
        payload: &[u8],
        identity_id: &IdentityId,
        policy: Policy<'_>,
        legacy: Legacy,
        place: Option<&Located>,
    ) -> SealReport {
        let mut check = self.begin(seal, identity_id, policy, legacy, place);
        check.update(payload);
        check.finish()
    }

    /// The verdict as [`verify`](Self::verify) gives it, under [`Policy::Both`] where there is a seal key and under
    /// [`Policy::LayerB`] where there is none, with what became of the deciding key before and after the seal's place.
    pub fn verify_as_of(
        &self,
        seal: &Seal,
        payload: &[u8],
        identity_id: &IdentityId,
        key: Option<&SealKey>,
        place: &Located,
    ) -> AsOf<DualSeal> {
        let policy = key.map_or(Policy::LayerB, Policy::Both);
        let mut check = self.begin(seal, identity_id, policy, Legacy::Refused, Some(place));
        check.update(payload);
        check.finish_as_of()
    }

    /// As [`verify`](Self::verify), for a payload that comes in parts.
    #[must_use]
    pub fn begin(
        &self,
        seal: &Seal,
        identity_id: &IdentityId,
        policy: Policy<'_>,
        legacy: Legacy,
        place: Option<&Located>,
    ) -> SealCheck<'a> {
        let key = match policy {
            Policy::Both(key) | Policy::LayerA(key) => Some(key),
            Policy::LayerB => None,
        };
        // A key of a legacy length has nothing to say of a dual seal.
        let key = key.filter(|key| !key.is_legacy() || seal.format() == SealFormat::Legacy);
        let candidates =
            if matches!(policy, Policy::LayerA(_)) { Vec::new() } else { self.candidates(identity_id, place) };
        let tried = if seal.dual().is_some() { candidates.as_slice() } else { &[] };
        let layers = Layers::new(self.domain, key, tried.iter().map(|(public_key, _)| public_key), Kept::nothing());
        SealCheck {
            verifier: self.clone(),
            seal: seal.clone(),
            identity_id: *identity_id,
            asked: match policy {
                Policy::Both(_) => Asked::Both,
                Policy::LayerA(_) => Asked::LayerA,
                Policy::LayerB => Asked::LayerB,
            },
            legacy,
            place: place.cloned(),
            candidates,
            layers,
        }
    }

    /// Both layers over a reserved payload, which only the library itself seals; layer A where there is a key. Whoever
    /// asks compares the place in the chain and concludes.
    pub(crate) fn check_reserved(
        &self,
        seal: &DualSeal,
        payload: &[u8],
        identity_id: &IdentityId,
        key: Option<&SealKey>,
        place: Option<&Located>,
    ) -> ReservedCheck {
        let candidates = self.candidates(identity_id, place);
        let mut layers =
            Layers::new(self.domain, key, candidates.iter().map(|(public_key, _)| public_key), Kept::nothing());
        layers.update(payload);
        let layer_a = match layers.finish_mac() {
            None => LayerOutcome::NotChecked,
            Some(mac) if bool::from(mac.as_slice().ct_eq(&seal.hmac)) => LayerOutcome::Pass,
            Some(_) => LayerOutcome::Fail,
        };
        let claims = self.claims(seal, &hex::encode(&seal.hmac), identity_id, &candidates, layers);
        let (layer_b, by) = layer_b(&candidates, all_hold(&claims));
        let (key, found) = deciding(by, &candidates);
        ReservedCheck { layer_a, layer_b, key, found }
    }

    /// The keys that layer B is tried on. For an unknown identity a dummy, so that the answer takes as long.
    fn candidates(&self, identity_id: &IdentityId, place: Option<&Located>) -> Vec<Candidate> {
        let held = || self.ring.held(identity_id);
        let mut keys: Vec<_> = held().take(MOST_KEYS).map(|(key, found)| (key.clone(), Some(found))).collect();
        if keys.is_empty() {
            keys.push((dummy_key(), None));
        }
        if let Some(located) = place {
            let placed = Placed::At(located.entry().seq());
            // The current key comes first, retired ones by descending retirement: the last that fits was in force.
            let in_force = held().filter(|(_, found)| placed.is_in_time(found.role)).last();
            // A dummy where there is none, so that a place costs as much for every identity.
            keys.push(in_force.map_or_else(|| (dummy_key(), None), |(key, found)| (key.clone(), Some(found))));
        }
        keys
    }
}

impl fmt::Debug for SealVerifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealVerifier").field("domain", self.domain).finish_non_exhaustive()
    }
}

/// What the layers of a seal over a reserved payload came to, and the key whose state decides.
pub(crate) struct ReservedCheck {
    pub(crate) layer_a: LayerOutcome,
    pub(crate) layer_b: LayerOutcome,
    pub(crate) key: KeyHash,
    pub(crate) found: Result<Found, NotHeld>,
}

/// The key whose state decides. Where no key verifies, the current one's, or else the latest retired one's: the first.
fn deciding(by: Option<&Candidate>, candidates: &[Candidate]) -> (KeyHash, Result<Found, NotHeld>) {
    let by = by.or_else(|| candidates.first());
    let key = by.map_or_else(|| *dummy_key().hash(), |(key, _)| *key.hash());
    (key, by.and_then(|(_, found)| *found).ok_or(NotHeld::UnknownIdentity))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Both,
    LayerA,
    LayerB,
}

/// A check in progress; see [`SealVerifier::begin`].
pub struct SealCheck<'a> {
    verifier: SealVerifier<'a>,
    seal: Seal,
    identity_id: IdentityId,
    asked: Asked,
    legacy: Legacy,
    place: Option<Located>,
    candidates: Vec<Candidate>,
    layers: Layers,
}

impl<'a> SealCheck<'a> {
    /// Takes the next part of the payload.
    pub fn update(&mut self, payload: &[u8]) {
        self.layers.update(payload);
    }

    /// The report on all parts.
    pub fn finish(self) -> SealReport {
        let (pending, claims) = self.begin_finish();
        pending.end(all_hold(&claims))
    }

    /// As [`finish`](Self::finish), of several checks, whose signatures are verified side by side.
    pub(crate) fn finish_all(checks: impl Iterator<Item = Self>) -> Vec<SealReport> {
        let (mut all, mut pending) = (Vec::new(), Vec::new());
        for check in checks {
            let (begun, claims) = check.begin_finish();
            pending.push((begun, claims.len()));
            all.extend(claims);
        }
        let mut holds = all_hold(&all).into_iter();
        pending.into_iter().map(|(pending, claims)| pending.end(holds.by_ref().take(claims))).collect()
    }

    fn begin_finish(mut self) -> (Pending<'a>, Vec<Claim>) {
        if self.asked == Asked::LayerA {
            let (_, layer_a) = self.layer_a();
            let layer_b = if self.seal.dual().is_some() { LayerOutcome::NotChecked } else { LayerOutcome::Absent };
            let conclusion = self.authenticated(layer_a);
            return (Pending::Told(SealReport { layer_a, layer_b, conclusion }), Vec::new());
        }
        let (unsigned, claims) = self.begin_judging();
        (Pending::Unsigned(Box::new(unsigned)), claims)
    }

    /// As [`SealVerifier::verify_as_of`], of a check under a policy that asks for layer B.
    pub(crate) fn finish_as_of(self) -> AsOf<DualSeal> {
        self.finish_with_dates().1
    }

    /// The report on all parts with the dates of its verdict, as [`SealVerifier::verify_as_of`] gives them, of a check
    /// under a policy that asks for layer B. Nothing is dated without a place.
    pub fn finish_with_dates(self) -> (SealReport, AsOf<DualSeal>) {
        let (ring, identity_id) = (self.verifier.ring, self.identity_id);
        let (layer_a, layer_b, judged) = self.judge();
        let as_of = AsOf::new(judged, ring, &identity_id);
        (SealReport { layer_a, layer_b, conclusion: Conclusion::Verdict(as_of.verdict.clone()) }, as_of)
    }

    /// Whether the payload is reserved, and layer A.
    fn layer_a(&mut self) -> (bool, LayerOutcome) {
        let reserved = self.layers.is_reserved();
        let mac = self.layers.finish_mac();
        let layer_a = match (self.asked, mac) {
            (Asked::LayerB, _) => LayerOutcome::NotChecked,
            (_, Some(mac)) if !reserved && bool::from(mac.as_slice().ct_eq(self.seal.hmac())) => LayerOutcome::Pass,
            _ => LayerOutcome::Fail,
        };
        (reserved, layer_a)
    }

    /// Of a policy that asks for layer B.
    fn judge(self) -> (LayerOutcome, LayerOutcome, Judged<DualSeal>) {
        let (unsigned, claims) = self.begin_judging();
        unsigned.end(all_hold(&claims))
    }

    fn begin_judging(mut self) -> (Unsigned<'a>, Vec<Claim>) {
        let (reserved, layer_a) = self.layer_a();
        let hmac_hex = hex::encode(self.seal.hmac());
        let Self { verifier, seal, identity_id, place, candidates, layers, .. } = self;
        let claims = match seal.dual() {
            Some(dual) => verifier.claims(dual, &hmac_hex, &identity_id, &candidates, layers),
            None => Vec::new(),
        };
        (Unsigned { verifier, seal, identity_id, place, candidates, reserved, layer_a }, claims)
    }

    fn authenticated(&self, layer_a: LayerOutcome) -> Conclusion {
        let format = self.seal.format();
        let enough = format == SealFormat::Dual || self.legacy == Legacy::Permitted;
        if layer_a == LayerOutcome::Pass && enough {
            Conclusion::Authenticated(Authenticated { identity_id: self.identity_id, format })
        } else {
            Conclusion::NotAuthenticated
        }
    }
}

/// A check of which everything was looked at but the signatures.
enum Pending<'a> {
    Told(SealReport),
    Unsigned(Box<Unsigned<'a>>),
}

impl Pending<'_> {
    /// With whether each of its claims holds.
    fn end(self, holds: impl IntoIterator<Item = bool>) -> SealReport {
        match self {
            Self::Told(report) => report,
            Self::Unsigned(unsigned) => {
                let (layer_a, layer_b, judged) = unsigned.end(holds);
                SealReport { layer_a, layer_b, conclusion: Conclusion::Verdict(judged.verdict) }
            }
        }
    }
}

/// The same, of a policy that asks for layer B.
struct Unsigned<'a> {
    verifier: SealVerifier<'a>,
    seal: Seal,
    identity_id: IdentityId,
    place: Option<Located>,
    candidates: Vec<Candidate>,
    reserved: bool,
    layer_a: LayerOutcome,
}

impl Unsigned<'_> {
    fn end(self, holds: impl IntoIterator<Item = bool>) -> (LayerOutcome, LayerOutcome, Judged<DualSeal>) {
        let Self { verifier, seal, identity_id, place, candidates, reserved, layer_a } = self;
        let (layer_b, by) = match seal.dual() {
            Some(_) => layer_b(&candidates, holds),
            None => (LayerOutcome::Absent, None),
        };
        let (key, found) = deciding(by, &candidates);
        let subject = Subject { identity_id, algorithm: Algorithm::MlDsa65, time: None, state: None };
        // A bare seal has neither a time nor a handle.
        let is_own = |entry: &Entry| {
            let said = seal.dual().is_some_and(|dual| entry.message() == dual.chain_message(verifier.domain));
            said && *entry.identity_id() == identity_id
        };
        let placed = Placed::of(verifier.ring, place.as_ref(), is_own);
        let judged = match seal {
            Seal::Legacy(_) => {
                let reason = if reserved { InvalidReason::ReservedPayload } else { InvalidReason::LegacySeal };
                Judged { verdict: reject(subject, found, reason), key, placed, failed: Some(reason) }
            }
            Seal::Dual(dual) => {
                let (content, signature) = (layer_a != LayerOutcome::Fail, layer_b == LayerOutcome::Pass);
                decide(dual, subject, key, found, &Checks { reserved, content, signature, placed })
            }
        };
        (layer_a, layer_b, judged)
    }
}

impl SealVerifier<'_> {
    /// What layer B claims of every candidate: each is tried, whichever verifies.
    fn claims(
        &self,
        seal: &DualSeal,
        hmac_hex: &str,
        identity_id: &IdentityId,
        candidates: &[Candidate],
        layers: Layers,
    ) -> Vec<Claim> {
        let (mus, _) = layers.finish(self.domain, hmac_hex, identity_id);
        let claim = |((key, _), mu): (&Candidate, Mu)| Claim {
            key: prepared(self.keys, key),
            mu: mu.finish(),
            signature: seal.signature.clone(),
        };
        candidates.iter().zip(mus).map(claim).collect()
    }
}

/// The first candidate of which the claim holds.
fn layer_b(candidates: &[Candidate], holds: impl IntoIterator<Item = bool>) -> (LayerOutcome, Option<&Candidate>) {
    let mut by = None;
    for (candidate, holds) in candidates.iter().zip(holds) {
        if holds && by.is_none() && candidate.1.is_some() {
            by = Some(candidate);
        }
    }
    (if by.is_some() { LayerOutcome::Pass } else { LayerOutcome::Fail }, by)
}

impl fmt::Debug for SealCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealCheck")
            .field("seal", &self.seal)
            .field("identity_id", &self.identity_id)
            .finish_non_exhaustive()
    }
}
