//! Verifying signature records.

use super::record::{SignatureRecord, statement};
use crate::domain::Domain;
use crate::id::{HashedContent, IdentityId};
use crate::key::{Algorithm, Found, KeyRing, NotHeld, PreparedKeys, prepared};
use crate::krunica::Located;
use crate::mldsa::{Claim, KeyHash, Mu, all_hold};
use crate::verdict::{AsOf, Checks, InvalidReason, Judged, Placed, Subject, Verdict, decide, invalid};
use alloc::vec::Vec;
use core::fmt;

/// Verifies records of one domain against a ring.
///
/// ```
/// use dualseal::key::Unprepared;
/// use dualseal::{Domain, Head, KeyRing, Signer, SigningKey, VerdictKind, Verifier};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let key = SigningKey::from_seed(&[7; 32])?;
/// let signer = Signer::new(&domain, &ana, &key);
/// let content = signer.content_hash(b"one contract");
/// let signed = signer.sign_deterministic(&content, &Head::EMPTY, "2026-11-21T09:00:00.000Z".parse()?)?;
///
/// let ring = KeyRing::pinned(&ana, key.public_key().clone());
/// let verifier = Verifier::new(&domain, &ring, &Unprepared);
/// let verdict = verifier.verify(&content, signed.record.clone(), None);
/// assert_eq!(verdict.kind(), VerdictKind::Valid);
///
/// let other = domain.content_hash(&ana, b"another contract");
/// assert_eq!(verifier.verify(&other, signed.record, None).kind(), VerdictKind::Invalid);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone)]
pub struct Verifier<'a> {
    domain: &'a Domain,
    ring: &'a KeyRing,
    keys: &'a dyn PreparedKeys,
}

impl<'a> Verifier<'a> {
    /// A verifier over a ring, with a source of prepared keys ([`Unprepared`](crate::key::Unprepared) for none).
    #[must_use]
    pub fn new(domain: &'a Domain, ring: &'a KeyRing, keys: &'a dyn PreparedKeys) -> Self {
        Self { domain, ring, keys }
    }

    /// Verifies a record over the content at hand, by the identity that it was hashed for ([`Domain::content_hash`]):
    /// somebody else's signature over the same content is [`InvalidReason::OtherSigner`], whoever that is.
    ///
    /// The key is looked up in the ring by the record's identity, and the key inside the record must equal one of that
    /// identity. The same ML-DSA work is done whatever the key's state, and for an unknown identity. A record by a
    /// retired key is valid only at a proven `place` in the chain before the retirement.
    ///
    /// What the record says of its content is nothing to compare it with:
    ///
    /// ```compile_fail,E0308
    /// use dualseal::{SignatureRecord, Verdict, Verifier};
    ///
    /// fn check(verifier: &Verifier<'_>, record: SignatureRecord) -> Verdict<SignatureRecord> {
    ///     let content = *record.content_hash();
    ///     verifier.verify(&content, record, None)
    /// }
    /// ```
    ///
    /// ```
    /// use dualseal::{HashedContent, SignatureRecord, Verdict, Verifier};
    ///
    /// fn check(verifier: &Verifier<'_>, content: HashedContent, record: SignatureRecord) -> Verdict<SignatureRecord> {
    ///     verifier.verify(&content, record, None)
    /// }
    /// ```
    pub fn verify(
        &self,
        content: &HashedContent,
        record: SignatureRecord,
        place: Option<&Located>,
    ) -> Verdict<SignatureRecord> {
        self.judge(content, record, place).verdict
    }

    /// As [`verify`](Self::verify), with what became of the key before and after the record's place.
    ///
    /// ```
    /// # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
    /// # use dualseal::reader::{ChainReader, TrustedHead};
    /// # use dualseal::{key::Unprepared, Domain, Krunica, Located, SigningKey, SystemRng, Timestamp};
    /// # fn locate(domain: &Domain, chain: &Krunica, seq: u64) -> Result<Located, dualseal::Error> {
    /// #     let (log, key) = (domain.identity_id(b"", "log", "")?, SigningKey::from_seed(&[5; 32])?);
    /// #     let signer = CheckpointSigner::new(domain, "example.org/log", &log, &key)?;
    /// #     let mark = HighWaterMark::first("example.org/log", chain.head(), None)?;
    /// #     let signed = signer.sign(&mark, Timestamp::MIN, &mut SystemRng)?;
    /// #     let key_hash = *key.public_key().hash();
    /// #     let pins = Pins { origin: "example.org/log".into(), identity_id: log, key_hash, least_size: 0 };
    /// #     let verdict = CheckpointVerifier::new(domain, &pins, None, &Unprepared).verify(signed);
    /// #     let checkpoint = verdict.valid().expect("valid");
    /// #     let mut reader = ChainReader::new(domain, &TrustedHead::beginning()).under(&checkpoint)?;
    /// #     let watched = reader.places(move |entry| entry.seq() == seq)?;
    /// #     for entry in chain.entries() { reader.push(entry)?; }
    /// #     Ok(reader.finish()?.take(watched)?[0].clone())
    /// # }
    /// use dualseal::key::{CheckedRing, SetState};
    /// use dualseal::secret::Secret;
    /// use dualseal::{RingKey, Signer, VerdictKind, Verifier};
    ///
    /// let domain = Domain::default();
    /// let ana = domain.identity_id(b"", "ana", "")?;
    /// let key = SigningKey::from_seed(&[7; 32])?;
    /// let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
    /// let (mut chain, time) = (Krunica::new(), Timestamp::MIN);
    ///
    /// let mut ring = CheckedRing::new("example.org/log", &authority)?;
    /// chain.push(ring.add(&ana, key.public_key().clone(), chain.head(), time)?.entry)?;
    /// let signer = Signer::new(&domain, &ana, &key);
    /// let contract = signer.content_hash(b"one contract");
    /// let signed = signer.sign_deterministic(&contract, chain.head(), time)?;
    /// ring.follow(&signed.entry, |_| false)?;
    /// chain.push(signed.entry)?;
    /// chain.push(ring.set_state(&ana, None, SetState::compromised_from(2), chain.head(), time)?.entry)?;
    ///
    /// // Revoked, and nobody says that the key was stolen by then.
    /// let place = locate(&domain, &chain, 1)?;
    /// let as_of = Verifier::new(&domain, &ring, &Unprepared).verify_as_of(&contract, signed.record, &place);
    /// assert_eq!(as_of.verdict.kind(), VerdictKind::Revoked);
    /// assert_eq!((as_of.place, as_of.revoked_now, as_of.size), (Some(1), Some(2), Some(3)));
    /// assert!(!as_of.claimed);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    pub fn verify_as_of(
        &self,
        content: &HashedContent,
        record: SignatureRecord,
        place: &Located,
    ) -> AsOf<SignatureRecord> {
        let identity_id = record.identity_id;
        AsOf::new(self.judge(content, record, Some(place)), self.ring, &identity_id)
    }

    /// Verifies a record by whomever of this ring it names, and says who that is: for a caller who then decides by the
    /// identity. Each of them can sign any content, so that the verdict alone authorises nothing.
    pub fn verify_any_signer(
        &self,
        content: &[u8],
        record: SignatureRecord,
        place: Option<&Located>,
    ) -> (IdentityId, Verdict<SignatureRecord>) {
        let identity_id = record.identity_id;
        (identity_id, self.verify(&self.domain.content_hash(&identity_id, content), record, place))
    }

    /// As [`verify`](Self::verify), of several records, whose signatures are verified side by side.
    pub(crate) fn verify_all<'p>(
        &self,
        items: impl Iterator<Item = (HashedContent, SignatureRecord, Option<&'p Located>)>,
    ) -> Vec<Verdict<SignatureRecord>> {
        let begun = items.map(|(content, record, place)| self.begin(&content, record, place));
        let (pending, claims): (Vec<_>, Vec<_>) = begun.unzip();
        pending.into_iter().zip(all_hold(&claims)).map(|(pending, holds)| pending.end(holds).verdict).collect()
    }

    fn judge(
        &self,
        content: &HashedContent,
        record: SignatureRecord,
        place: Option<&Located>,
    ) -> Judged<SignatureRecord> {
        let (pending, claim) = self.begin(content, record, place);
        pending.end(claim.holds())
    }

    fn begin(&self, content: &HashedContent, record: SignatureRecord, place: Option<&Located>) -> (Pending, Claim) {
        let (found, key) = self.ring.find(&record.identity_id, &record.public_key);
        let SignatureRecord { identity_id, content_hash, krunica_hash, time, .. } = &record;
        let statement = statement(self.domain, identity_id, content_hash, krunica_hash, *time);
        let mu = Mu::of(&key, statement.as_bytes()).finish();
        let claim = Claim { key: prepared(self.keys, &key), mu, signature: record.signature.clone() };
        let pending = Pending {
            found,
            is_expected: content.identity_id() == identity_id,
            content: content.hash() == content_hash,
            placed: Placed::of(self.ring, place, |entry| record.is_of_by(self.domain, entry, &key)),
            // Hashed already, unlike the record's.
            key: *key.hash(),
            record,
        };
        (pending, claim)
    }
}

/// A record of which everything was looked at but its signature.
struct Pending {
    record: SignatureRecord,
    found: Result<Found, NotHeld>,
    /// Whether it is by the identity that was expected.
    is_expected: bool,
    content: bool,
    placed: Placed,
    key: KeyHash,
}

impl Pending {
    fn end(self, signature: bool) -> Judged<SignatureRecord> {
        let Self { record, found, is_expected, content, placed, key } = self;
        let (identity_id, time) = (record.identity_id, Some(record.time));
        let subject = Subject { identity_id, algorithm: Algorithm::MlDsa65, time, state: None };
        // Before the state of the other's key, which is no matter of whoever asks about this one.
        if !is_expected {
            let reason = InvalidReason::OtherSigner;
            return Judged { verdict: invalid(subject, reason), key, placed, failed: Some(reason) };
        }
        decide(record, subject, key, found, &Checks { reserved: false, content, signature, placed })
    }
}

impl fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").field("domain", &self.domain).field("ring", &self.ring).finish_non_exhaustive()
    }
}
