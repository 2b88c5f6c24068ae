//! Files of evidence, each over the document beside it, under the logs whose fingerprints count.

use super::chains::{disputed, forked, of_forked_log};
use super::forks::{Contradiction, Forks, Held};
use super::judgement::{Judgement, Mark, Shown};
use super::kinds::{WHOLE, What};
use super::known::Audit;
use super::results::QUORUM;
use super::trusted::KnownLog;
use crate::commands::verify::verdict::why;
use crate::commands::verify::{Dates, MOST_EVIDENCE};
use crate::failure::Failure;
use dualseal::error::{EvidenceFault, Malformed, NoteFault, Problem, Rejected};
use dualseal::evidence::{EvidenceFile, EvidenceKind, EvidencePolicy, EvidenceReport, OpenEvidence};
use dualseal::verdict::InvalidReason;
use dualseal::{Error, KeyRing, KeyState, VerdictKind};
use dualseal_operator::paths::Show;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

impl Audit<'_> {
    /// Opens all that are of a log that counts.
    pub(super) fn open_bundles(&mut self) {
        for index in 0..self.whats.len() {
            if matches!(self.whats[index], What::Evidence) {
                let opened = self.read(index).and_then(|json| self.of_known_log(&json));
                self.opened.push((index, opened));
            }
        }
    }

    /// Those that are of a log that counts.
    pub(super) fn opened(&self) -> impl Iterator<Item = (usize, &OpenEvidence)> {
        self.opened.iter().filter_map(|(index, open)| Some((*index, open.as_ref().ok()?)))
    }

    /// Holds them against one another, and against the checkpoints and chains that lie here.
    pub(super) fn hold_bundles(
        &mut self,
        checkpoints: &[Held],
        against_own: BTreeMap<usize, Judgement>,
        unasked: BTreeSet<usize>,
    ) -> Result<(), Failure> {
        let mut forks = Forks::of_evidence(self.opened());
        if forks.is_empty() {
            return Ok(());
        }
        forks.leave_out(against_own, unasked);
        forks.compare(self.opened(), checkpoints)?;
        for index in 0..self.files.len() {
            if matches!(self.whats[index], What::Chain) {
                self.hashed += self.files[index].length();
                forks.hold(self.domain(), &|each| self.files[index].entries(each));
            }
        }
        self.forks = forks;
        Ok(())
    }

    /// Verifies each over its document.
    pub(super) fn check_bundles(&mut self) {
        let mut outcomes = Vec::new();
        for (index, opened) in std::mem::take(&mut self.opened) {
            let document = self.named(index);
            let contradiction = opened.as_ref().ok().and_then(|open| self.contradicted(index, open));
            let (shown, outcome) = match opened {
                Err(outcome) => (None, outcome),
                Ok(open) => match (document, self.since.filter(|since| open.seq() < since.size())) {
                    (_, Some(since)) => (None, since.before()),
                    (None, None) => (None, Judgement::no_document()),
                    (Some(document), None) => {
                        self.hashed += self.files[document].length();
                        let unreadable = |error: io::Error| (None, Judgement::new(Mark::Unreadable, error.to_string()));
                        self.bundle(&open, document).unwrap_or_else(unreadable)
                    }
                },
            };
            // Whatever it shows by itself, unless that is worse.
            let outcome = contradiction.filter(|found| outcome.mark <= found.mark).unwrap_or(outcome);
            outcomes.push((index, document, shown.as_ref().map(|shown| shown.signer), outcome));
            self.shown.extend(shown.map(|shown| (index, shown)));
        }
        self.tell_all(outcomes);
    }

    /// What speaks against a file of evidence in the others, or in the home folder's own chain.
    fn contradicted(&self, index: usize, open: &OpenEvidence) -> Option<Judgement> {
        let found = self.forks.of(index, open.checkpoint().record().origin())?;
        let shown = |file: usize| self.files[file].shown.shown();
        Some(match found {
            Contradiction::Own(outcome) => outcome,
            Contradiction::Fork(other) => forked(&format!("it and {}", shown(other))),
            Contradiction::Disputed(other) => disputed(&shown(other)),
            Contradiction::Retold(other) => {
                let outcome = Judgement::error(&EvidenceFault::Retold.into());
                Judgement { text: format!("{}: {} says otherwise; keep both", outcome.text, shown(other)), ..outcome }
            }
            Contradiction::OfLog => of_forked_log(),
        })
    }

    fn read(&self, index: usize) -> Result<Vec<u8>, Judgement> {
        let json = self.files[index].beginning(MOST_EVIDENCE + 1);
        let json = json.map_err(|error| Judgement::new(Mark::Unreadable, error.to_string()))?;
        if json.len() as u64 > MOST_EVIDENCE {
            return Err(Judgement::new(Mark::Unchecked, format!("it has more than {MOST_EVIDENCE} bytes")));
        }
        Ok(json)
    }

    /// Of one of the logs that count; of any other it is not checked, which is nothing against it.
    fn of_known_log(&self, json: &[u8]) -> Result<OpenEvidence, Judgement> {
        let logs = self.trusted.logs();
        if logs.is_empty() {
            return Err(Judgement::new(Mark::Unchecked, "give the fingerprint of its log with --log"));
        }
        for log in logs {
            match self.open(json, log) {
                Err(Error::Rejected(Rejected::NotShown(EvidenceFault::OtherLog))) => {}
                opened => return opened.map_err(|error| Judgement::error(&error)),
            }
        }
        Err(Judgement::new(Mark::Unchecked, "it is of another log: --log would make its fingerprint known"))
    }

    fn open(&self, json: &[u8], log: &KnownLog) -> Result<OpenEvidence, Error> {
        let (least_size, witnesses) = (self.args.log.least_size(), self.trusted.witnesses.clone());
        let known = EvidencePolicy { log_until: log.until, ..EvidencePolicy::of_log(log.fingerprint) };
        let policy = EvidencePolicy { least_size, witnesses, ..known };
        match EvidenceFile::from_json(json)?.open(&policy) {
            // The constants of its domain were set by hand.
            Err(Error::Malformed(Malformed { field: "domena", problem: Problem::MissingMember, .. })) => {
                EvidenceFile::from_json(json)?.open(&EvidencePolicy { domain: Some(self.domain()), ..policy })
            }
            opened => opened,
        }
    }

    fn bundle(&self, open: &OpenEvidence, document: usize) -> io::Result<(Option<Shown>, Judgement)> {
        // What an erasure says is kept in memory.
        if open.kind() == EvidenceKind::Erasure && self.files[document].length() > WHOLE {
            return Ok((None, Judgement::new(Mark::Invalid, "its document is no erasure: it is too long for one")));
        }
        let mut check = open.begin();
        self.files[document].read(|part| check.update(part))?;
        Ok(match check.finish() {
            Ok(report) => {
                let checkpoint = report.checkpoint();
                let (size, time) = (checkpoint.tree_head().size, checkpoint.time());
                let place = report.as_of.place.map(|seq| (seq, (size, time), report.before()));
                let shown = Shown { signer: report.identity_id, key: report.key, place };
                (Some(shown), self.known_of(&report))
            }
            Err(error @ Error::Rejected(Rejected::Note(NoteFault::TooFewWitnesses { .. }))) => {
                let outcome = Judgement::error(&error);
                (None, Judgement { text: format!("not witnessed: {}", outcome.text), ..outcome })
            }
            Err(error) => (None, Judgement::error(&error)),
        })
    }

    /// What evidence shows, with its dates, which are the operator's to know, and with what it does not show.
    fn known_of(&self, report: &EvidenceReport) -> Judgement {
        let (mut outcome, known) = self.state_of(report);
        if report.kind == EvidenceKind::Quorum && matches!(outcome.mark, Mark::Valid | Mark::Unchecked) {
            outcome = Judgement::new(Mark::Unchecked, QUORUM);
        }
        let dates = known.filter(|_| !self.args.public).map(Dates::told);
        let not_shown = report.kind.not_shown().map(|what| format!("Beware: {what}."));
        outcome.and(dates.into_iter().flatten().chain(not_shown))
    }

    /// What evidence shows, and what the keys that were given add: they may have heard of what came after it.
    fn state_of(&self, report: &EvidenceReport) -> (Judgement, Option<Dates>) {
        let mut outcome = Judgement::verdict(&report.as_of.verdict, self.args.public);
        let size = report.as_of.size.unwrap_or_default();
        outcome.text = format!("{}, as of {size} entries of {}", outcome.text, report.origin());
        let ring = self.ring(&report.identity_id);
        let known = known_since(report, &ring);
        if outcome.mark != Mark::Valid {
            return (outcome, known);
        }
        if !self.trusted.has_keys() {
            // Every identity of a log's ring can sign any document.
            let text =
                format!("{}, by {}; nobody was expected: give --key or --ring", outcome.text, report.identity_id);
            return (Judgement::new(Mark::Unchecked, text), known);
        }
        let held = ring.keys(&report.identity_id).find(|(key, _)| *key.hash() == report.key);
        let of_kind = |kind, more: &str| Judgement::of_kind(kind, more, self.args.public);
        let outcome = match held.map(|(_, state)| if self.args.public { state.public() } else { state }) {
            Some(KeyState::Valid) => match late(report, &ring) {
                Some(late) => of_kind(VerdictKind::Invalid, &late),
                None => outcome,
            },
            Some(KeyState::Revoked) => of_kind(VerdictKind::Revoked, " since"),
            Some(KeyState::Suspended) => of_kind(VerdictKind::Suspended, " since"),
            Some(KeyState::Decoy) => of_kind(VerdictKind::Decoy, ""),
            None if self.trusted.has_fingerprint(&report.key) => outcome,
            None => Judgement::new(Mark::Unchecked, "it holds, and is by somebody whose key is not known here"),
        };
        (outcome, known)
    }
}

/// The dates of evidence with what a ring of its log adds: it may have heard of a revocation that came after the file,
/// and of one that was taken back since.
fn known_since(report: &EvidenceReport, ring: &KeyRing) -> Option<Dates> {
    let dates = Dates::of(&report.as_of)?;
    // A place in one log says nothing of one in another.
    if ring.origin() != Some(report.origin()) {
        return Some(dates);
    }
    let place = report.as_of.place?;
    Some(dates.and(Dates::in_ring(ring, &report.identity_id, &report.key, place)))
}

/// Why a record by a key that a ring has retired is not shown to be older than that, as the verdict on it would be.
fn late(report: &EvidenceReport, ring: &KeyRing) -> Option<String> {
    let retired = ring.retired_at(&report.identity_id, &report.key)?;
    if ring.origin() != Some(report.origin()) {
        return Some(format!(": {}", why(InvalidReason::RetiredKey)));
    }
    let place = report.as_of.place.filter(|place| *place >= retired)?;
    Some(format!(": entry {retired} retired its key, and it stands at entry {place}"))
}
