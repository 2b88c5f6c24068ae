//! Which generation of a session counts: the last one that continues the founder under a checkpoint.

use super::generation::Generation;
use super::result::QuorumSignature;
use super::session::{Session, SessionKind};
use crate::checkpoint::{ChainCheck, Checkpoint};
use crate::domain::{Domain, Label, Row};
use crate::error::{Error, Rejected, ThresholdFault};
use crate::id::SessionId;
use crate::key::KeyRing;
use crate::krunica::{Checker, Entry, Head, Ignored, IgnoredReason, KrunicaHash};
use crate::shamir::SplitId;
use crate::verdict::Verified;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// What a chain says of a session below a verified checkpoint: its founder, which the caller pinned, and the
/// generations that continue it. Only a [`SessionCheck`] makes one.
///
/// Of an ML-DSA session the last generation is in force. Of an HMAC session, whose authority only the secret tells,
/// every later generation is a candidate: when k shares of one of them give the secret, the authority of all is
/// checked, and the last that holds signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInForce {
    pub(super) domain: Domain,
    pub(super) founder: Generation,
    /// In the order of the chain.
    pub(super) later: Vec<Generation>,
    /// Records at hand that are of no generation: holding a share of theirs is no cheat.
    pub(super) others: Vec<Session>,
    pub(super) ignored: Ignored,
    pub(super) revoked_from: Option<u64>,
    /// Where what was read ends.
    pub(super) covered: Head,
}

impl SessionInForce {
    /// The founder's record, which the caller pinned: what a session never changes is there, its identifier, anchor,
    /// kind and key. Its k, n and split may be replaced by now.
    #[must_use]
    pub fn founder(&self) -> &Session {
        &self.founder.session
    }

    /// The record in force and the position of its chain entry, where the chain alone tells it: of an ML-DSA session,
    /// and of an HMAC session that nothing continues. `None` where only shares tell which of the
    /// [`candidates`](Self::candidates) it is: [`quorum`](Self::quorum) says so of a set of shares.
    #[must_use]
    pub fn session(&self) -> Option<(&Session, u64)> {
        let decided = self.decided()?;
        Some((&decided.session, decided.seq))
    }

    /// The founder's record and the later ones that may be of generations, each with the position of its chain entry
    /// and in that order. Those of an ML-DSA session are authorised, and the last is in force. Of an HMAC session
    /// **anybody who may write to the log wrote any but the first**: shares alone tell which of them hold.
    pub fn candidates(&self) -> impl Iterator<Item = (&Session, u64)> {
        self.generations().map(|generation| (&generation.session, generation.seq))
    }

    /// The entries of the session that count for nothing, each with its reason. Whoever may write to the log can write
    /// such entries: they stop nothing and blame nobody.
    #[must_use]
    pub fn ignored(&self) -> &Ignored {
        &self.ignored
    }

    /// Where the checkpoint ends under which it was found.
    #[must_use]
    pub fn covered(&self) -> &Head {
        &self.covered
    }

    /// The domain under which it was found in the chain.
    pub(super) fn domain(&self) -> &Domain {
        &self.domain
    }

    pub(super) fn generations(&self) -> impl DoubleEndedIterator<Item = &Generation> {
        core::iter::once(&self.founder).chain(&self.later)
    }

    /// The generation in force, where the chain alone tells it.
    pub(super) fn decided(&self) -> Option<&Generation> {
        let is_told = self.later.is_empty() || self.founder.session.kind != SessionKind::Hmac;
        is_told.then(|| self.latest())
    }

    pub(super) fn latest(&self) -> &Generation {
        self.later.last().unwrap_or(&self.founder)
    }

    /// Whether the quorum's key authorises nothing at this position any more.
    pub(super) fn is_revoked_at(&self, seq: u64) -> bool {
        self.revoked_from.is_some_and(|from| seq >= from)
    }

    /// Looks at the next entry of the session, and at its record where that is at hand.
    fn take(&mut self, seq: u64, record: Option<&Session>) {
        let Some(record) = record else {
            self.ignored.push(seq, IgnoredReason::NoRecord);
            return;
        };
        match self.admits(seq, record) {
            Ok(()) => self.later.push(Generation { session: record.clone(), seq }),
            Err(reason) => {
                self.ignored.push(seq, reason);
                let is_known = |known: &Session| known == record;
                if !self.others.iter().any(is_known) && !self.generations().any(|known| is_known(&known.session)) {
                    self.others.push(record.clone());
                }
            }
        }
    }

    /// Whether a record is a generation, or for an HMAC session could be one.
    fn admits(&self, seq: u64, record: &Session) -> Result<(), IgnoredReason> {
        let is_hmac = self.founder.session.kind == SessionKind::Hmac;
        let stood = |split_id: &SplitId| self.generations().any(|known| known.session.split_id == *split_id);
        let continues =
            |split_id: SplitId| if is_hmac { stood(&split_id) } else { self.latest().session.split_id == split_id };
        // Of an HMAC session only the founder's split is known to have counted: one of a candidate may be burnt.
        let is_new = if is_hmac { record.split_id != self.founder.session.split_id } else { !stood(&record.split_id) };
        let is_again = self.generations().any(|known| known.session == *record);
        if !is_new || is_again {
            Err(IgnoredReason::Repeated)
        } else if !record.previous.is_some_and(continues) {
            Err(IgnoredReason::Predecessor)
        } else if !self.founder.session.continues_as(record) {
            Err(IgnoredReason::Changed)
        } else if self.is_revoked_at(seq) {
            Err(IgnoredReason::Revoked)
        } else {
            let holds = match &record.authority {
                Some(QuorumSignature::Hmac(_)) => is_hmac,
                Some(QuorumSignature::MlDsa65(_)) => record.is_authorised_by_key(&self.domain),
                None => false,
            };
            if holds { Ok(()) } else { Err(IgnoredReason::ForgedGeneration) }
        }
    }
}

/// The records at hand, by the messages of their entries.
struct Records<'a> {
    domain: &'a Domain,
    by_message: BTreeMap<String, &'a Session>,
}

impl<'a> Records<'a> {
    fn new(domain: &'a Domain, records: &'a [Session]) -> Self {
        let by_message = records.iter().map(|record| (record.message(domain), record)).collect();
        Self { domain, by_message }
    }

    /// The record of an entry, whose time is the record's.
    fn of(&self, entry: &Entry) -> Option<&'a Session> {
        let found = self.by_message.get(entry.message()).copied();
        found.filter(|record| record.created == entry.time() && record.message(self.domain) == entry.message())
    }
}

/// Streams a chain past a checkpoint and finds what is in force of a session.
pub struct SessionCheck<'a> {
    domain: &'a Domain,
    founder: KrunicaHash,
    chain: ChainCheck<'a>,
    beginning: String,
    size: u64,
    beyond: Vec<Entry>,
}

impl<'a> SessionCheck<'a> {
    /// Begins at seq 0. `founder` is the handle of the founding's chain entry, which the caller pinned then.
    #[must_use]
    pub fn new(
        domain: &'a Domain,
        session_id: &SessionId,
        founder: &KrunicaHash,
        checkpoint: &'a Verified<Checkpoint>,
    ) -> Self {
        let beginning = beginning(domain, session_id);
        let kept = beginning.clone();
        let chain = ChainCheck::new(checkpoint).keeping(move |entry| entry.message().starts_with(&kept));
        let (size, beyond) = (checkpoint.record().tree_head().size, Vec::new());
        Self { domain, founder: *founder, chain, beginning, size, beyond }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)?;
        self.after(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`ChainCheck::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.chain.push_json(text)?;
        self.after(&entry);
        Ok(entry)
    }

    /// Ends the chain. `records` holds the founder's record and those of the generations since; an entry of which none
    /// is at hand is listed as ignored. `ring` is the ring that the caller trusts: a quorum's key that was revoked
    /// (`laz`) authorises nothing that stands where it counts as compromised, or later. Nothing is asked of it for an
    /// HMAC session, which has no key: [`KeyRing::nobody`] is enough there.
    ///
    /// # Errors
    /// [`ThresholdFault::NoSession`] when the founding does not stand below the checkpoint,
    /// [`ThresholdFault::MissingRecord`] when its record is not given, [`ThresholdFault::UnknownKey`] when the ring
    /// does not hold the session's key, and as [`ChainCheck::finish`].
    pub fn finish(self, records: &[Session], ring: &KeyRing) -> Result<SessionInForce, Error> {
        let agreed = self.chain.finish()?;
        let records = Records::new(self.domain, records);
        let mut entries = agreed.places().iter().map(crate::krunica::Located::entry);
        let mut ignored = Ignored::default();
        let founding = entries.by_ref().find(|entry| {
            let is_it = entry.krunica_hash() == self.founder;
            if !is_it {
                ignored.push(entry.seq(), IgnoredReason::BeforeFounder);
            }
            is_it
        });
        let founding = founding.ok_or_else(|| fault(ThresholdFault::NoSession))?;
        let founder = records.of(founding).filter(|record| record.previous.is_none());
        let founder = founder.ok_or_else(|| fault(ThresholdFault::MissingRecord { seq: founding.seq() }))?;
        let mut found = SessionInForce {
            domain: self.domain.clone(),
            founder: Generation { session: founder.clone(), seq: founding.seq() },
            later: Vec::new(),
            others: Vec::new(),
            ignored,
            revoked_from: founder.revoked_from(ring)?,
            covered: agreed.signed_head().clone(),
        };
        entries.for_each(|entry| found.take(entry.seq(), records.of(entry)));
        Ok(found)
    }

    /// Ends one's own chain at its head, beyond the checkpoint: what a commitment goes on from.
    /// [`SessionHeadCheck`] does the same without reading again what the checkpoint covers.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_at_head(mut self, records: &[Session], ring: &KeyRing) -> Result<SessionAtHead, Error> {
        let (beyond, head) = (core::mem::take(&mut self.beyond), self.chain.head().clone());
        let mut found = self.finish(records, ring)?;
        let domain = found.domain.clone();
        let records = Records::new(&domain, records);
        for entry in &beyond {
            found.take(entry.seq(), records.of(entry));
        }
        found.covered = head;
        Ok(SessionAtHead { found })
    }

    fn after(&mut self, entry: &Entry) {
        if entry.seq() >= self.size && entry.message().starts_with(&self.beginning) {
            self.beyond.push(entry.clone());
        }
    }
}

/// Goes on from a session in force to the head of one's own chain, inside the transaction that appends to it.
pub struct SessionHeadCheck {
    found: SessionInForce,
    checker: Checker,
    beginning: String,
    kept: Vec<Entry>,
}

/// What is in force of a session at the head of one's own chain. It says what a commitment goes on from, and proves
/// nothing to anybody: signing and verifying go by a [`SessionInForce`].
#[derive(Clone, Debug)]
pub struct SessionAtHead {
    pub(super) found: SessionInForce,
}

impl SessionHeadCheck {
    /// Begins where the checkpoint ended under which the session was found.
    #[must_use]
    pub fn new(in_force: &SessionInForce) -> Self {
        let beginning = beginning(&in_force.domain, &in_force.founder.session.session_id);
        Self {
            found: in_force.clone(),
            checker: Checker::resume(in_force.covered.clone()),
            beginning,
            kept: Vec::new(),
        }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// [`ChainFault`](crate::error::ChainFault).
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.checker.push(entry)?;
        self.keep(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// [`ChainFault`](crate::error::ChainFault).
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.checker.push_json(text)?;
        self.keep(&entry);
        Ok(entry)
    }

    /// Ends at the head of the chain. `records` holds those of the generations since the checkpoint, and `ring` tells
    /// of the quorum's key as for [`SessionCheck::finish`]: as it stands at that head. What the ring before told counts
    /// too: an older one takes no revocation back.
    ///
    /// # Errors
    /// [`ThresholdFault::UnknownKey`].
    pub fn finish(mut self, records: &[Session], ring: &KeyRing) -> Result<SessionAtHead, Error> {
        let revoked_from = self.found.founder().revoked_from(ring)?;
        self.found.revoked_from = self.found.revoked_from.into_iter().chain(revoked_from).min();
        let domain = self.found.domain.clone();
        let records = Records::new(&domain, records);
        for entry in &self.kept {
            self.found.take(entry.seq(), records.of(entry));
        }
        self.found.covered = self.checker.into_head();
        Ok(SessionAtHead { found: self.found })
    }

    fn keep(&mut self, entry: &Entry) {
        if entry.message().starts_with(&self.beginning) {
            self.kept.push(entry.clone());
        }
    }
}

impl SessionAtHead {
    /// The head that a commitment extends.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.found.covered
    }
}

fn beginning(domain: &Domain, session_id: &SessionId) -> String {
    let label = domain.label(Label::ThresholdSession);
    alloc::format!("{}::{label}::{session_id}::", domain.prefix(Row::Threshold))
}

pub(super) fn fault(fault: ThresholdFault) -> Error {
    Error::Rejected(Rejected::Threshold(fault))
}

impl fmt::Debug for SessionCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionCheck").field("chain", &self.chain).finish_non_exhaustive()
    }
}

impl fmt::Debug for SessionHeadCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionHeadCheck").field("head", &self.checker.head()).finish_non_exhaustive()
    }
}
