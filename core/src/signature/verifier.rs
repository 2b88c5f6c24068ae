//! Verifying signature records.

use super::record::{SignatureRecord, chain_message, statement};
use crate::domain::Domain;
use crate::id::ContentHash;
use crate::key::{Algorithm, KeyRing, PreparedKeys, dummy_key, prepared};
use crate::krunica::{Entry, Located};
use crate::mldsa::Mu;
use crate::verdict::{Checks, Placed, Subject, Verdict, decide};
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

    /// Verifies a record over the content with this hash, which the caller computes from the content at hand
    /// ([`Domain::content_hash`]); the hash inside the record is only compared with it.
    ///
    /// The key is looked up in the ring by the record's identity, and the key inside the record must equal one of that
    /// identity. The same ML-DSA work is done whatever the key's state, and for an unknown identity. A record by a
    /// retired key is valid only at a proven `place` in the chain before the retirement.
    pub fn verify(
        &self,
        content: &ContentHash,
        record: SignatureRecord,
        place: Option<&Located>,
    ) -> Verdict<SignatureRecord> {
        let found = self.ring.find(&record.identity_id, &record.public_key);
        let key = if found.is_ok() { record.public_key.clone() } else { dummy_key() };
        let SignatureRecord { identity_id, content_hash, krunica_hash, time, .. } = &record;
        let statement = statement(self.domain, identity_id, content_hash, krunica_hash, *time);
        let checks = Checks {
            reserved: false,
            content: content == content_hash,
            signature: prepared(self.keys, &key).accepts(Mu::of(&key, statement.as_bytes()), &record.signature),
            placed: Placed::of(self.ring, place, |entry| is_entry_of(self.domain, &record, entry)),
        };
        let subject =
            Subject { identity_id: *identity_id, algorithm: Algorithm::MlDsa65, time: Some(*time), state: None };
        let key = *record.public_key.hash();
        decide(record, subject, key, found, &checks)
    }
}

/// The whole entry is compared, by all that the record says of it.
fn is_entry_of(domain: &Domain, record: &SignatureRecord, entry: &Entry) -> bool {
    *entry.identity_id() == record.identity_id
        && entry.message() == chain_message(domain, &record.content_hash, &record.public_key)
        && entry.krunica_hash() == record.krunica_hash
        && entry.time() == record.time
}

impl fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").field("domain", &self.domain).field("ring", &self.ring).finish_non_exhaustive()
    }
}
