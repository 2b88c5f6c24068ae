//! The entries of a session in a chain, and which of its records they put in force.

use super::generation::Generation;
use super::in_force::{SessionAtHead, SessionInForce, fault};
use super::session::Session;
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, ThresholdFault};
use crate::id::SessionId;
use crate::key::KeyRing;
use crate::krunica::{Entry, Head, Ignored, IgnoredReason, KrunicaHash};
use crate::reader::{ChainReader, Cursor, Ended, Watched, Watcher};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// What a chain says of a session, as a [`ChainReader`] found it ([`session`](ChainReader::session)). Which records it
/// puts in force shows with them.
#[derive(Clone, Debug)]
pub struct LocatedSession {
    domain: Domain,
    session_id: SessionId,
    known: Known,
    /// Whether what stands before the founding may not have been read.
    began_late: bool,
    entries: Vec<SessionEntry>,
    /// Where the checkpoint ends.
    covered: Option<Head>,
    /// Where reading ended.
    end: Head,
}

/// What counts of an entry that begins as one of the session: of one size, whatever somebody has written.
#[derive(Clone, Debug)]
struct SessionEntry {
    seq: u64,
    handle: KrunicaHash,
    time: Timestamp,
    /// SHA3-256 of its record; `None` when the message has not that form.
    record: Option<[u8; 32]>,
}

/// What reading goes on from.
#[derive(Clone, Debug)]
enum Known {
    /// The handle of the founding's entry, which the caller pinned.
    Founder(KrunicaHash),
    InForce(Box<SessionInForce>),
}

impl LocatedSession {
    /// What is in force of the session below the checkpoint. `records` holds the founder's record and those of the
    /// generations since; an entry of which none is at hand is listed as ignored. `ring` is the ring that the caller
    /// trusts: a quorum's key that was revoked (`laz`) authorises nothing that stands where it counts as compromised,
    /// or later. Where reading [went on](ChainReader::session_since) from what was in force before, what the ring told
    /// then counts too: an older one takes no revocation back. Nothing is asked of it for an HMAC session, which has no
    /// key: [`KeyRing::nobody`] is enough there.
    ///
    /// # Errors
    /// [`ThresholdFault::NoSession`] when the founding does not stand below the checkpoint,
    /// [`ThresholdFault::MissingRecord`] when its record is not given, [`ThresholdFault::UnknownKey`] when the ring
    /// does not hold the session's key; [`Misuse::NoEnd`] where the chain was read under no checkpoint,
    /// [`Misuse::LateStart`] where the founding does not stand in what was read of it.
    pub fn in_force(&self, records: &[Session], ring: &KeyRing) -> Result<SessionInForce, Error> {
        self.up_to(self.covered.as_ref().ok_or(Misuse::NoEnd)?, records, ring)
    }

    /// What is in force of the session at the head of one's own chain, where reading ended, beyond any checkpoint: what
    /// a commitment goes on from, inside the transaction that appends it. That the chain was not cut off shows where
    /// the reader was told that [head](ChainReader::up_to).
    ///
    /// # Errors
    /// As [`in_force`](Self::in_force), up to that head, but for the checkpoint.
    pub fn at_head(&self, records: &[Session], ring: &KeyRing) -> Result<SessionAtHead, Error> {
        Ok(SessionAtHead { found: self.up_to(&self.end, records, ring)? })
    }

    fn up_to(&self, end: &Head, records: &[Session], ring: &KeyRing) -> Result<SessionInForce, Error> {
        let records = Records::of_session(&self.session_id, records);
        let mut entries = self.entries.iter().filter(|entry| entry.seq < end.size());
        let mut found = match &self.known {
            Known::Founder(founder) => self.founded(founder, &mut entries, &records, ring)?,
            Known::InForce(before) => {
                let revoked_from = before.founder().revoked_from(ring)?;
                let revoked_from = before.revoked_from.into_iter().chain(revoked_from).min();
                SessionInForce { revoked_from, ..SessionInForce::clone(before) }
            }
        };
        entries.for_each(|entry| found.take(entry.seq, records.of(entry)));
        found.covered = end.clone();
        Ok(found)
    }

    /// The founder alone.
    fn founded<'e>(
        &self,
        founder: &KrunicaHash,
        entries: &mut impl Iterator<Item = &'e SessionEntry>,
        records: &Records<'_>,
        ring: &KeyRing,
    ) -> Result<SessionInForce, Error> {
        let mut ignored = Ignored::default();
        let founding = entries.find(|entry| {
            let is_it = entry.handle == *founder;
            if !is_it {
                ignored.push(entry.seq, IgnoredReason::BeforeFounder);
            }
            is_it
        });
        let none = || if self.began_late { Misuse::LateStart.into() } else { fault(ThresholdFault::NoSession) };
        let founding = founding.ok_or_else(none)?;
        let record = records.of(founding).ok().filter(|record| record.previous.is_none());
        let record = record.ok_or_else(|| fault(ThresholdFault::MissingRecord { seq: founding.seq }))?;
        Ok(SessionInForce {
            domain: self.domain.clone(),
            founder: Generation { session: record.clone(), seq: founding.seq },
            later: Vec::new(),
            settled: 0,
            others: Vec::new(),
            ignored,
            revoked_from: record.revoked_from(ring)?,
            covered: Head::EMPTY,
        })
    }
}

/// The records at hand, by the hashes that their entries state.
struct Records<'a>(BTreeMap<[u8; 32], &'a Session>);

impl<'a> Records<'a> {
    fn of_session(session_id: &SessionId, records: &'a [Session]) -> Self {
        let its = records.iter().filter(|record| record.session_id == *session_id);
        Self(its.map(|record| (record.stated_hash(), record)).collect())
    }

    /// The record of an entry, whose time is the record's.
    fn of(&self, entry: &SessionEntry) -> Result<&'a Session, IgnoredReason> {
        let hash = entry.record.as_ref().ok_or(IgnoredReason::Form)?;
        let found = self.0.get(hash).copied().filter(|record| record.created == entry.time);
        found.ok_or(IgnoredReason::NoRecord)
    }
}

/// Keeps the entries of a session.
struct SessionEntries {
    beginning: String,
    end: String,
    located: LocatedSession,
}

impl SessionEntries {
    fn new(reader: &ChainReader<'_>, domain: &Domain, session_id: &SessionId, known: Known) -> Result<Self, Misuse> {
        let (domain, end) = (domain.clone(), reader.begun().head().ok_or(Misuse::LateStart)?.clone());
        let label = domain.label(Label::ThresholdSession);
        let beginning = alloc::format!("{}::{label}::{session_id}::", domain.prefix(Row::Threshold));
        let ending = alloc::format!("::{}", domain.suffix(Row::Threshold));
        let began_late = reader.begun().size() != 0;
        let located = LocatedSession {
            domain,
            session_id: *session_id,
            known,
            began_late,
            entries: Vec::new(),
            covered: None,
            end,
        };
        Ok(Self { beginning, end: ending, located })
    }
}

impl Watcher for SessionEntries {
    type Proof = LocatedSession;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        let Some(rest) = entry.message().strip_prefix(&self.beginning) else { return };
        let hash = rest.strip_suffix(&self.end).and_then(|hash| hex::decode_public("poruka", hash).ok());
        self.located.entries.push(SessionEntry {
            seq: entry.seq(),
            handle: entry.krunica_hash(),
            time: entry.time(),
            record: hash,
        });
    }

    fn finish(self, ended: &Ended<'_>) -> Result<LocatedSession, Error> {
        let covered = ended.agreed.map(|agreed| agreed.signed_head().clone());
        Ok(LocatedSession { covered, end: ended.head.ok_or(Misuse::LateStart)?.clone(), ..self.located })
    }
}

impl ChainReader<'_> {
    /// The entries of a session, from its founding on. `founder` is the handle of the founding's entry, which the
    /// caller pinned then.
    ///
    /// # Errors
    /// [`Misuse::LateStart`] after the first entry, or where the tree before is not known.
    pub fn session(&mut self, session_id: &SessionId, founder: &KrunicaHash) -> Result<Watched<LocatedSession>, Error> {
        let entries = SessionEntries::new(self, self.domain(), session_id, Known::Founder(*founder))?;
        self.watch(entries)
    }

    /// The entries of a session since it was found in force: the reader begins where the checkpoint ended then.
    ///
    /// # Errors
    /// As [`session`](Self::session); [`Misuse::LateStart`] when it begins elsewhere.
    pub fn session_since(&mut self, in_force: &SessionInForce) -> Result<Watched<LocatedSession>, Error> {
        if !self.begun().is_at(&in_force.covered) {
            return Err(Misuse::LateStart.into());
        }
        let session_id = in_force.founder.session.session_id;
        let known = Known::InForce(Box::new(in_force.clone()));
        let entries = SessionEntries::new(self, &in_force.domain, &session_id, known)?;
        self.watch(entries)
    }
}
