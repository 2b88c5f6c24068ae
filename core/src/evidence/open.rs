//! Verifying evidence: first all that needs no document, then the record over the document, then the witnesses.

use super::policy::{EvidencePolicy, ExpectedSigner};
use super::record::{EvidenceKind, EvidenceRecord, QuorumEvidence, SealEvidence};
use super::report::{EvidenceReport, Said};
use super::{EvidenceFile, RingPlace};
use crate::checkpoint::{AttestedKey, Checkpoint, CheckpointVerifier, LogFingerprint, Pins, stands};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, EvidenceFault, Problem};
use crate::hash::{HashFunction, Sha3_512};
use crate::id::{ContentHasher, IdentityId, MessageHash};
use crate::key::{KeyProof, Unprepared};
use crate::krunica::Located;
use crate::mldsa::{KeyHash, PublicKey};
use crate::note::{Note, NoteKey, NoteKind, Witnesses};
use crate::seal::{Legacy, Policy, Seal, SealCheck, SealVerifier};
use crate::signature::Verifier;
use crate::threshold::{PinnedQuorum, verify_pinned_quorum_as_of};
use crate::vault::{Public, StoredHasher, TierPolicy, VaultVerifier, erased_vault};
use crate::verdict::{AsOf, InvalidReason, Verdict, Verified};
use alloc::vec::Vec;

/// More than erasures of the largest logs take, in bytes: a maker of evidence names any file as one, which is read into
/// memory.
const MAX_ERASURE: usize = 1 << 24;

impl EvidenceFile {
    /// Verifies all that needs no document: the log's fingerprint, the checkpoint, the note, the places of the record's
    /// entry and of the ring's, the path of the key, and whose it is, in this order.
    ///
    /// # Errors
    /// [`EvidenceFault::OtherLog`]; [`EvidenceFault::Checkpoint`], [`EvidenceFault::Old`], [`EvidenceFault::Late`];
    /// [`EvidenceFault::Note`], [`NoteFault`](crate::error::NoteFault); [`EvidenceFault::Beyond`],
    /// [`EvidenceFault::PathLength`], [`EvidenceFault::Path`] and [`ChainFault`](crate::error::ChainFault) of the
    /// record's entry;
    /// [`EvidenceFault::RingPlace`], [`EvidenceFault::Ring`]; [`EvidenceFault::KeyPath`], [`EvidenceFault::OtherKey`];
    /// [`EvidenceFault::OtherSigner`]. [`Error::Malformed`] for `domena` that is no name, is missing where the policy
    /// has no domain, or is another one.
    pub fn open(self, policy: &EvidencePolicy<'_>) -> Result<OpenEvidence, Error> {
        let domain = self.domain(policy.domain)?;
        if self.checkpoint.fingerprint(&domain) != policy.log {
            return Err(EvidenceFault::OtherLog.into());
        }
        let checkpoint = check_checkpoint(&domain, &self.checkpoint, policy)?;
        let ring = self.check_parts(&domain)?;
        let identity_id = *self.record.identity_id();
        let is_expected = match policy.signer {
            ExpectedSigner::Anybody => true,
            ExpectedSigner::Identity(expected) => identity_id == expected,
            ExpectedSigner::Key(expected) => *self.key.key_hash() == expected,
        };
        if !is_expected {
            return Err(EvidenceFault::OtherSigner.into());
        }
        Ok(OpenEvidence {
            log: policy.log,
            checkpoint,
            witnesses: policy.witnesses.clone(),
            witnessed_after: policy.witnessed_after,
            place: Located::new(self.checkpoint.origin(), self.entry.clone()),
            domain,
            ring,
            identity_id,
            file: self,
        })
    }

    /// The domain by its name, or the verifier's where that was set by hand.
    pub(super) fn domain(&self, given: Option<&Domain>) -> Result<Domain, Error> {
        match (&self.name, given) {
            (Some(name), given) => {
                let named = Domain::new(name).map_err(|_| Error::malformed("domena", Problem::Constant))?;
                let same = given.is_none_or(|given| *given == named);
                if same { Ok(named) } else { Err(Error::malformed("domena", Problem::UnknownValue)) }
            }
            (None, Some(given)) => Ok(given.clone()),
            (None, None) => Err(Error::malformed("domena", Problem::MissingMember)),
        }
    }

    /// From the note to the key, which it gives.
    pub(super) fn check_parts(&self, domain: &Domain) -> Result<AttestedKey, Error> {
        let checkpoint = &self.checkpoint;
        if let Some(note) = &self.note {
            check_note(checkpoint, note)?;
        }
        stands(checkpoint, &self.entry, &self.path)?;
        check_ring(domain, checkpoint, self.ring.as_ref())?;
        let of_vault = self.public_key.as_ref();
        let public_key = self.record.public_key().or(of_vault).ok_or(EvidenceFault::OtherKey)?;
        let key = check_key(checkpoint, &self.key, public_key, self.record.identity_id())?;
        // A ring entry states no change that comes after it.
        let is_after = self.ring.as_ref().is_some_and(|ring| ring.entry.seq() >= self.key.leaf().last_seq());
        if is_after { Ok(key) } else { Err(EvidenceFault::Ring.into()) }
    }
}

/// Whoever has the fingerprint has the name, the signer and the key.
fn check_checkpoint(
    domain: &Domain,
    checkpoint: &Checkpoint,
    policy: &EvidencePolicy<'_>,
) -> Result<Verified<Checkpoint>, Error> {
    let least_size = policy.least_size;
    let pins = Pins {
        origin: checkpoint.origin().into(),
        identity_id: *checkpoint.identity_id(),
        key_hash: *checkpoint.public_key().hash(),
        least_size,
    };
    let found = checkpoint.tree_head().size;
    match CheckpointVerifier::new(domain, &pins, None, &Unprepared).verify(checkpoint.clone()) {
        Verdict::Valid(checkpoint) => match policy.log_until {
            Some(until) if found > until => Err(EvidenceFault::Late { until, found }.into()),
            _ => Ok(checkpoint),
        },
        Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::Size => {
            Err(EvidenceFault::Old { needed: least_size, found }.into())
        }
        _ => Err(EvidenceFault::Checkpoint.into()),
    }
}

fn check_note(checkpoint: &Checkpoint, note: &Note) -> Result<(), Error> {
    let (body, head) = (note.body(), checkpoint.tree_head());
    let same = body.origin.as_str() == checkpoint.origin() && body.size == head.size && body.root == head.root;
    let key = checkpoint.note_key().filter(|_| same).ok_or(EvidenceFault::Note)?;
    note.verify(&NoteKey::new(body.origin.clone(), NoteKind::Log, key))
}

/// Witnesses sign the root alone: without the entry the log's key could put another ring under an old, witnessed root.
fn check_ring(domain: &Domain, checkpoint: &Checkpoint, place: Option<&RingPlace>) -> Result<(), Error> {
    let (Some(_), Some(place)) = (checkpoint.ring(), place) else {
        return Err(EvidenceFault::Ring.into());
    };
    stands(checkpoint, &place.entry, &place.path).map_err(|_| EvidenceFault::RingPlace)?;
    if checkpoint.is_ring_of(domain, &place.entry) { Ok(()) } else { Err(EvidenceFault::Ring.into()) }
}

fn check_key(
    checkpoint: &Checkpoint,
    proof: &KeyProof,
    public_key: &PublicKey,
    identity_id: &IdentityId,
) -> Result<AttestedKey, Error> {
    let key = AttestedKey::of(proof, public_key.clone(), checkpoint)?;
    if proof.identity_id() == identity_id { Ok(key) } else { Err(EvidenceFault::OtherKey.into()) }
}

/// Evidence of which all holds that needs no document.
#[derive(Debug)]
pub struct OpenEvidence {
    file: EvidenceFile,
    log: LogFingerprint,
    checkpoint: Verified<Checkpoint>,
    domain: Domain,
    ring: AttestedKey,
    place: Located,
    identity_id: IdentityId,
    witnesses: Witnesses,
    witnessed_after: Option<Timestamp>,
}

impl OpenEvidence {
    /// What kind of record it is about, and with it what the document is.
    #[must_use]
    pub fn kind(&self) -> EvidenceKind {
        self.file.kind()
    }

    /// The checkpoint that all of it stands under, by the log's fingerprint.
    #[must_use]
    pub fn checkpoint(&self) -> &Verified<Checkpoint> {
        &self.checkpoint
    }

    /// The position of the record's entry, which stands under the checkpoint.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.place.entry().seq()
    }

    /// The place itself, with the entry and its time.
    #[must_use]
    pub fn place(&self) -> &Located {
        &self.place
    }

    /// The fingerprint by which it was opened.
    #[must_use]
    pub fn log(&self) -> &LogFingerprint {
        &self.log
    }

    /// SHA3-256 over the key that made the record.
    #[must_use]
    pub fn key(&self) -> &KeyHash {
        self.file.key.key_hash()
    }

    /// As [`EvidenceReport::compare`], of which no document is a part.
    ///
    /// # Errors
    /// As [`EvidenceReport::compare`].
    pub fn compare(&self, other: &Self) -> Result<(), Error> {
        self.said().compare(&other.said())
    }

    fn said(&self) -> Said<'_> {
        Said { log: &self.log, leaf: self.file.key.leaf(), checkpoint: &self.file.checkpoint }
    }

    /// Verifies the record over a document in memory: content, payload, message or stored bytes, by the kind.
    ///
    /// # Errors
    /// As [`EvidenceCheck::finish`].
    pub fn verify(&self, document: &[u8]) -> Result<EvidenceReport, Error> {
        let mut check = self.begin();
        check.update(document);
        check.finish()
    }

    /// As [`verify`](Self::verify), for a document that comes in parts.
    #[must_use]
    pub fn begin(&self) -> EvidenceCheck<'_> {
        let read = match &self.file.record {
            EvidenceRecord::Signature(_) => Read::Content(self.domain.content_hasher(&self.identity_id)),
            EvidenceRecord::Seal(record) => {
                let (seal, verifier) = (Seal::from(record.seal.clone()), self.seals());
                Read::Payload(verifier.begin(
                    &seal,
                    &self.identity_id,
                    Policy::LayerB,
                    Legacy::Refused,
                    Some(&self.place),
                ))
            }
            EvidenceRecord::Vault(_) => {
                let erasure = (self.kind() == EvidenceKind::Erasure).then(Vec::new);
                Read::Stored(StoredHasher::new(&self.domain), erasure)
            }
            EvidenceRecord::Quorum(_) => Read::Message(Sha3_512::default()),
        };
        EvidenceCheck { evidence: self, read }
    }

    fn seals(&self) -> SealVerifier<'_> {
        SealVerifier::new(&self.domain, &self.ring, &Unprepared)
    }

    fn report(&self, as_of: AsOf<EvidenceRecord>, erased: Option<&[u8]>) -> Result<EvidenceReport, Error> {
        if let Some(reason) = as_of.failed {
            return Err(EvidenceFault::Record { reason: reason.as_str() }.into());
        }
        let vault_id = erased.map(erased_vault).transpose()?;
        let witnessed = self.witnesses.judge_of(self.file.note.as_ref())?;
        if self.witnessed_after.is_some_and(|after| witnessed.time().is_none_or(|time| time < after)) {
            return Err(EvidenceFault::NotWitnessedAfter.into());
        }
        Ok(EvidenceReport::new(&self.file, self.log, as_of, vault_id, witnessed))
    }
}

/// A document that is being read past its evidence; see [`OpenEvidence::begin`].
#[derive(Debug)]
pub struct EvidenceCheck<'a> {
    evidence: &'a OpenEvidence,
    read: Read<'a>,
}

/// The document so far, as the kind of record needs it.
#[derive(Debug)]
enum Read<'a> {
    Content(ContentHasher),
    Payload(SealCheck<'a>),
    /// What an erasure says is read as well.
    Stored(StoredHasher, Option<Vec<u8>>),
    Message(Sha3_512),
}

impl EvidenceCheck<'_> {
    /// Takes the next part of the document.
    pub fn update(&mut self, document: &[u8]) {
        match &mut self.read {
            Read::Content(hash) => hash.update(document),
            Read::Payload(check) => check.update(document),
            Read::Stored(hash, erasure) => {
                hash.update(document);
                if let Some(erasure) = erasure {
                    // Cut off, it is no erasure any more: no JSON is whole before its end.
                    let room = MAX_ERASURE.saturating_sub(erasure.len());
                    erasure.extend_from_slice(document.get(..room).unwrap_or(document));
                }
            }
            Read::Message(hash) => hash.update(document),
        }
    }

    /// Verifies the record over all parts, by the key in its state as of the checkpoint, and then counts the witnesses.
    ///
    /// # Errors
    /// [`EvidenceFault::Record`] for a record that does not hold over this document and at this place, whatever the
    /// state of its key; of an erasure [`Error::Malformed`] for stored bytes that are none;
    /// [`NoteFault::Witness`](crate::error::NoteFault::Witness),
    /// [`NoteFault::TooFewWitnesses`](crate::error::NoteFault::TooFewWitnesses) and
    /// [`EvidenceFault::NotWitnessedAfter`].
    pub fn finish(self) -> Result<EvidenceReport, Error> {
        let OpenEvidence { file, domain, ring, place, identity_id, .. } = self.evidence;
        match (self.read, &file.record) {
            (Read::Content(hash), EvidenceRecord::Signature(record)) => {
                let as_of =
                    Verifier::new(domain, ring, &Unprepared).verify_as_of(&hash.finish(), record.clone(), place);
                self.evidence.report(as_of.map(EvidenceRecord::Signature), None)
            }
            (Read::Payload(check), EvidenceRecord::Seal(record)) => {
                let as_of = check.finish_as_of();
                let as_of = as_of.map(|seal| EvidenceRecord::Seal(SealEvidence { seal, ..record.clone() }));
                self.evidence.report(as_of, None)
            }
            (Read::Stored(hash, erased), EvidenceRecord::Vault(record)) => {
                let verifier = VaultVerifier::new(domain, ring, &Unprepared);
                let (policy, stored) = (Public { tiers: TierPolicy::any() }, hash.finish());
                let as_of = verifier.verify_as_of(record.redacted(), &stored, identity_id, &policy, place);
                let as_of = as_of.map(|record| EvidenceRecord::Vault(record.into()));
                self.evidence.report(as_of, erased.as_deref())
            }
            (Read::Message(mut hash), EvidenceRecord::Quorum(record)) => {
                let message = MessageHash::from_bytes(hash.finish());
                let (session_id, public_key) = (record.session_id, record.public_key.clone());
                let quorum = PinnedQuorum { session_id, identity_id: *identity_id, public_key };
                let result = record.result.clone();
                let as_of = verify_pinned_quorum_as_of(domain, &quorum, &message, result, ring, &Unprepared, place);
                let as_of = as_of.map(|result| EvidenceRecord::Quorum(QuorumEvidence { result, ..record.clone() }));
                self.evidence.report(as_of, None)
            }
            // A check reads what its record needs.
            _ => Err(EvidenceFault::Record { reason: InvalidReason::Content.as_str() }.into()),
        }
    }
}
