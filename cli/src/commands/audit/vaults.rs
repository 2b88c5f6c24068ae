//! Vault records, by what anybody can check, and ledgers of them.

use super::documents::Wanted;
use super::files::Listed;
use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::Audit;
use super::names::VAULT;
use crate::chain_file::under;
use crate::commands::verify::{compromise_of_only, dates, has_dates, of_records, unplaced};
use crate::failure::Failure;
use crate::input::stripped;
use dualseal::batch::{RecordItem, Threads, verify_records};
use dualseal::inspect::{Kind, inspect};
use dualseal::reader::Watched;
use dualseal::vault::{
    LedgerCheck, LedgerId, LedgerSummary, LocatedLedger, Public, Standing, TierPolicy, VaultRecord, VaultReport,
    VaultVerifier,
};
use dualseal::verdict::InvalidReason;
use dualseal::{Error, HashedContent, IdentityId, KeyRing, SignatureRecord, Verdict, VerdictKind, Verifier};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The numbers of evidence that does not hold begin here; below are those of what has not its form.
const REJECTED: u16 = 200;

impl Audit<'_> {
    /// The stored bytes that records speak of, alone and in ledgers.
    pub(super) fn want_stored(&self, wanted: &mut Wanted) {
        for (index, what) in self.whats.iter().enumerate() {
            if matches!(what, What::Record(_)) {
                wanted.stored.extend(self.named_stored(index));
            }
            if let What::Record(record) = what {
                wanted.baselines.insert(*record.baseline());
            }
            if matches!(what, What::Ledger | What::Records) {
                // What cannot be read is told when the ledger is checked.
                let _ = records(&self.files[index], |record| {
                    wanted.baselines.insert(*record.baseline());
                    wanted.stored.extend(self.kept_stored(index, record.header().seq));
                    Ok(())
                });
            }
        }
    }

    /// The stored bytes of a record alone, by its name.
    fn named_stored(&self, index: usize) -> Option<usize> {
        let shown = &self.files[index].shown;
        let is_named = shown.as_os_str().as_encoded_bytes().ends_with(VAULT.as_bytes());
        let mut stored = is_named.then(|| stripped(shown, VAULT.len()))??.into_os_string();
        stored.push(".stored");
        self.file(Path::new(&stored))
    }

    /// The stored bytes of a ledger's record, where they are kept beside it as a home folder keeps them.
    fn kept_stored(&self, index: usize, seq: u64) -> Option<usize> {
        self.file(&self.files[index].shown.with_file_name(format!("stored/{seq:06}")))
    }

    pub(super) fn check_vaults(&mut self) {
        let mut by_signer: BTreeMap<IdentityId, Vec<(usize, usize)>> = BTreeMap::new();
        let (mut outcomes, mut vouched) = (Vec::new(), Vec::new());
        for (index, what) in self.whats.iter().enumerate() {
            let What::Record(record) = what else { continue };
            let signer = record.header().identity_id;
            let Some((document, _)) = self.documents.stored(self.named_stored(index), record.baseline()) else {
                let outcome = with_trap(Judgement::new(Mark::Unchecked, NO_BYTES), record.fragment().is_some());
                outcomes.push((index, None, Some(signer), outcome));
                continue;
            };
            by_signer.entry(signer).or_default().push((index, document));
        }
        for (signer, places) in by_signer {
            let ring = self.ring(&signer);
            let verifier = VaultVerifier::new(self.domain(), &ring, &self.cache);
            let mut reports = self.by_ring(&verifier, &places);
            // A record carries no key: what holds by the key that was named is asked of the rows here as well.
            let here = self.trusted.here(&signer, None);
            let known = here.map(|here| self.by_ring(&VaultVerifier::new(self.domain(), here, &self.cache), &places));
            let known = known.unwrap_or_default();
            for (index, document) in places {
                let Some(report) = reports.remove(&index) else { continue };
                let known = known.get(&index).map(|known| Judgement::verdict(known.verdict(), self.args.public));
                let mut outcome = Judgement::verdict(report.verdict(), self.args.public);
                let What::Record(record) = &self.whats[index] else { continue };
                if let Some(layer) = report.failed().filter(|_| outcome.mark == Mark::Invalid && !self.args.public) {
                    outcome.text = format!("does not hold: {layer} {}", report.outcome(layer));
                }
                outcome = worse(outcome, known, here);
                if outcome.mark == Mark::Valid {
                    vouched.push((document, index));
                }
                if let Verdict::Invalid(rejection) = report.verdict()
                    && self.is_unknown(&signer, rejection.reason())
                {
                    outcome = Judgement::unknown();
                }
                let outcome = self.told_by([&signer].into_iter(), outcome);
                let outcome = self.dated_record(&verifier, &ring, record, document, outcome);
                let outcome = with_trap(outcome, record.fragment().is_some());
                outcomes.push((index, Some(document), Some(signer), outcome));
            }
        }
        for (document, index) in vouched {
            self.vouch(document, index);
        }
        let ledgers: Vec<_> =
            (0..self.files.len()).filter(|index| matches!(self.whats[*index], What::Ledger | What::Records)).collect();
        let ledgers: Vec<_> = ledgers.into_iter().map(|index| self.told(index)).collect();
        let located = self.located(&ledgers);
        for told in &ledgers {
            let outcome = self.lines_of(told, &located);
            if outcome.mark == Mark::Valid {
                self.vouch_for_ledger(told.index);
            }
            // Where all of it is one's.
            let signer = match &told.ledgers[..] {
                [(signer, _), others @ ..] if told.signatures == 0 => {
                    others.iter().all(|(other, _)| other == signer).then_some(*signer)
                }
                _ => None,
            };
            outcomes.push((told.index, None, signer, with_trap(outcome, told.has_trap)));
        }
        self.tell_all(outcomes);
    }

    /// What a ring says of records, each with its stored bytes.
    fn by_ring(
        &self,
        verifier: &VaultVerifier<'_>,
        places: &[(usize, usize)],
    ) -> BTreeMap<usize, VaultReport<VaultRecord>> {
        let item = |(index, document): &(usize, usize)| {
            let What::Record(record) = &self.whats[*index] else { return None };
            let (_, stored) = self.documents.stored(Some(*document), record.baseline())?;
            let standing = Standing { place: self.handles.get(record.krunica_hash()), after: None };
            let identity_id = record.header().identity_id;
            Some((*index, RecordItem { record: record.duplicate(), stored, identity_id, standing }))
        };
        let (indices, items): (Vec<_>, Vec<_>) = places.iter().filter_map(item).unzip();
        let policy = Public { tiers: TierPolicy::any() };
        let reports = verify_records(verifier, &policy, items, Threads::current(), &mut |_| {});
        indices.into_iter().zip(reports).collect()
    }

    /// The same with what became of the key before and after the record.
    fn dated_record(
        &self,
        verifier: &VaultVerifier<'_>,
        ring: &KeyRing,
        record: &VaultRecord,
        document: usize,
        outcome: Judgement,
    ) -> Judgement {
        let signer = record.header().identity_id;
        if self.args.public || !matches!(outcome.mark, Mark::Valid | Mark::Revoked) || !has_dates(ring, &signer) {
            return outcome;
        }
        let stored = self.documents.stored(Some(document), record.baseline());
        let Some((at, (_, stored))) = self.handles.get(record.krunica_hash()).zip(stored) else {
            return outcome.and(compromise_of_only(ring, &signer).map(unplaced));
        };
        let policy = Public { tiers: TierPolicy::any() };
        outcome.and(dates(&verifier.verify_as_of(record.duplicate(), stored, &signer, &policy, at)))
    }

    /// What a ledger's file says of itself.
    fn told(&self, index: usize) -> Told {
        let (mut told, mut seen) = (Told { index, ..Told::default() }, BTreeSet::new());
        let read = each_line(&self.files[index], |line| {
            match line {
                Line::Signature(_) => told.signatures += 1,
                Line::Vault(record) => {
                    told.has_trap |= record.fragment().is_some();
                    let (signer, ledger) = (record.header().identity_id, record.header().ledger);
                    if seen.len() <= LEDGERS && seen.insert(ledger) {
                        told.ledgers.push((signer, ledger));
                    }
                }
            }
            Ok(())
        });
        told.unread = read.err().map(|failure| Judgement::failed(&self.files[index].path, &failure));
        told
    }

    /// One that is not checked, as far as what it holds is no secret.
    pub(super) fn ledger_unchecked(&self, index: usize, outcome: Judgement) -> Judgement {
        let told = self.told(index);
        with_trap(told.unread.unwrap_or(outcome), told.has_trap)
    }

    /// What came of a file of records: of its ledgers, and of the signatures among them.
    fn lines_of(&self, told: &Told, all: &BTreeMap<LedgerId, Place>) -> Judgement {
        if let Some(unread) = &told.unread {
            return unread.clone();
        }
        if told.ledgers.len() > LEDGERS {
            return Judgement::new(Mark::Unchecked, format!("it has records of more than {LEDGERS} ledgers"));
        }
        let mut outcomes = Vec::new();
        if told.signatures > 0 {
            outcomes.push(self.signatures_of(told.index));
        }
        let several = told.ledgers.len() > 1;
        outcomes.extend(told.ledgers.iter().map(|(signer, ledger)| {
            let outcome = self.ledger(told.index, signer, ledger, all);
            if several { Judgement { text: format!("ledger {ledger}: {}", outcome.text), ..outcome } } else { outcome }
        }));
        let Some(worst) = outcomes.iter().max_by_key(|outcome| outcome.mark).cloned() else {
            return Judgement::new(Mark::Noted, "it is empty");
        };
        if worst.mark != Mark::Valid {
            return worst;
        }
        let texts: Vec<_> = outcomes.into_iter().map(|outcome| outcome.text).collect();
        Judgement { text: texts.join("; "), ..worst }
    }

    /// What came of the signature records in a file: of each as of one that lies there alone, under a name that does
    /// not say which document it is of.
    fn signatures_of(&self, index: usize) -> Judgement {
        let (mut worst, mut noted, mut count) = (None::<Judgement>, None, 0_u64);
        self.each_signature(index, |record| {
            let number = count;
            count += 1;
            let (signer, claimed) = (*record.identity_id(), *record.content_hash());
            let ring = self.ring_of(&signer, record.public_key());
            let verifier = Verifier::new(self.domain(), &ring, &self.cache);
            let content = HashedContent::from_parts(&signer, claimed);
            let verdict = verifier.verify(&content, record.clone(), self.handles.get(record.krunica_hash()));
            let outcome = match &verdict {
                Verdict::Invalid(_) => self.refused(&signer, &verdict),
                _ if self.documents.of_content(&claimed).is_none() => Judgement::no_document(),
                _ => self.dated(&record, &verdict),
            };
            let told = |text: &str| format!("signature {number}: {text}");
            // The dates of a key that was compromised.
            if let Some((_, dates)) = outcome.text.split_once("; ") {
                noted.get_or_insert_with(|| told(dates));
            }
            if worst.as_ref().is_none_or(|worst| outcome.mark > worst.mark) {
                worst = Some(Judgement { text: told(&outcome.text), ..outcome });
            }
        });
        match worst {
            Some(valid) if valid.mark == Mark::Valid => {
                Judgement { text: format!("{count} signatures"), ..valid }.and(noted)
            }
            worst => worst.unwrap_or_else(|| Judgement::new(Mark::Noted, "it is empty")),
        }
    }

    /// Hands each signature record in a file of records to `each`. What cannot be read is told when the file is
    /// checked.
    pub(super) fn each_signature(&self, index: usize, mut each: impl FnMut(SignatureRecord)) {
        let _ = each_line(&self.files[index], |line| {
            if let Line::Signature(record) = line {
                each(*record);
            }
            Ok(())
        });
    }

    /// What came of a ledger.
    fn ledger(
        &self,
        index: usize,
        signer: &IdentityId,
        ledger: &LedgerId,
        all: &BTreeMap<LedgerId, Place>,
    ) -> Judgement {
        match all.get(ledger).unwrap_or(&Ok(None)) {
            Ok(located) => self.ledger_of(index, signer, ledger, located.as_ref()),
            Err(outcome) => {
                // What is wrong with the records themselves is worse than what nobody can tell.
                let alone = self.ledger_of(index, signer, ledger, None);
                if alone.mark > outcome.mark { alone } else { outcome.clone() }
            }
        }
    }

    fn ledger_of(
        &self,
        index: usize,
        signer: &IdentityId,
        ledger: &LedgerId,
        located: Option<&LocatedLedger>,
    ) -> Judgement {
        let outcome = self.ledger_by(&self.ring(signer), index, signer, ledger, located);
        let here = self.trusted.here(signer, None).filter(|_| outcome.mark == Mark::Valid);
        worse(outcome, here.map(|here| self.ledger_by(here, index, signer, ledger, located)), here)
    }

    /// What came of it by one ring.
    fn ledger_by(
        &self,
        ring: &KeyRing,
        index: usize,
        signer: &IdentityId,
        ledger: &LedgerId,
        located: Option<&LocatedLedger>,
    ) -> Judgement {
        let path = &self.files[index].path;
        let verifier = VaultVerifier::new(self.domain(), ring, &self.cache);
        let policy = Public { tiers: TierPolicy::any() };
        let mut check = LedgerCheck::new(&verifier, ledger, &policy, located);
        let (mut missing, mut dated) = (None, BTreeMap::new());
        let places = located.filter(|_| !self.args.public && has_dates(ring, signer));
        let pushed = records(&self.files[index], |record| {
            let seq = record.header().seq;
            if record.header().ledger != *ledger {
                return Ok(());
            }
            let stored = self.documents.stored(self.kept_stored(index, seq), record.baseline());
            let at = places.and_then(|located| located.locate(&record));
            if let (Some(at), Some((_, stored))) = (at, stored) {
                for date in dates(&verifier.verify_as_of(record.duplicate(), stored, signer, &policy, &at)) {
                    dated.entry(date).or_insert((seq, 0_u64)).1 += 1;
                }
            }
            match self.documents.stored(self.kept_stored(index, seq), record.baseline()) {
                _ if missing.is_some() => Ok(()),
                Some((_, stored)) => check.push(record, stored).map(drop),
                None => {
                    missing = Some(seq);
                    Ok(())
                }
            }
        });
        // A record carries no key: of somebody whom nobody here knows nothing speaks for it, and nothing against it.
        let is_strangers = || !self.trusted.knows(signer) && self.is_unknown(signer, InvalidReason::UnknownIdentity);
        let failed = |failure: &Failure| match failure.code() {
            Some(code) if code >= REJECTED && is_strangers() => Judgement::unknown(),
            _ => Judgement::failed(path, failure),
        };
        match (pushed, missing) {
            (Err(failure), _) => self.told_by([signer].into_iter(), failed(&failure)),
            (Ok(()), Some(seq)) => Judgement::new(Mark::Unchecked, format!("record {seq}: {NO_BYTES}")),
            (Ok(()), None) => match check.finish() {
                Ok(summary) => {
                    let dates = dated.iter().map(|(date, of)| of_records(date, *of));
                    self.summary(&summary, located.is_some()).and(dates)
                }
                Err(error) => self.told_by([signer].into_iter(), failed(&error.into())),
            },
        }
    }

    fn summary(&self, summary: &LedgerSummary, located: bool) -> Judgement {
        let decoys = if self.args.public { 0 } else { summary.decoys };
        let kind = match (decoys, summary.revoked, summary.suspended) {
            (0, 0, 0) => VerdictKind::Valid,
            (0, 0, _) => VerdictKind::Suspended,
            (0, ..) => VerdictKind::Revoked,
            _ => VerdictKind::Decoy,
        };
        let outcome = Judgement::of_kind(kind, "", false);
        let count = summary.head.size();
        let unverified = summary.unverified.entries().len() as u64 + summary.unverified.more();
        if located && unverified > 0 && kind == VerdictKind::Valid {
            let text = format!("{count} records; {unverified} more entries of the chain name the ledger, unverified");
            return Judgement::new(Mark::Unchecked, text);
        }
        let text = if located {
            format!("{count} records, all that the chain names")
        } else {
            format!("{count} records; a chain under a checkpoint would show whether some are missing at the end")
        };
        Judgement { text, ..outcome }
    }

    /// Where the records of all ledgers stand under the largest checkpoint here, if the chain knows of them: the chain
    /// is read once.
    fn located(&mut self, ledgers: &[Told]) -> BTreeMap<LedgerId, Place> {
        let readable = ledgers.iter().filter(|told| told.unread.is_none()).flat_map(|told| told.ledgers.clone());
        let known = readable.filter(|(signer, _)| self.trusted.knows(signer)).map(|(_, ledger)| ledger);
        let mut wanted: Vec<LedgerId> = Vec::new();
        for ledger in known {
            if wanted.len() < LEDGERS && !wanted.contains(&ledger) {
                wanted.push(ledger);
            }
        }
        let all = |place: &Place| wanted.iter().map(|ledger| (*ledger, place.clone())).collect();
        let (Some(checkpoint), Some(chain)) = (self.standing.largest(), self.agreed) else {
            return match self.standing.len() {
                0 => all(&Ok(None)),
                _ => all(&Err(Judgement::new(Mark::Unchecked, "no chain here agrees with the largest checkpoint"))),
            };
        };
        if wanted.is_empty() {
            return BTreeMap::new();
        }
        let chain = &self.files[chain];
        let read = || {
            let mut reader = under(self.domain(), checkpoint)?;
            let watched = wanted.iter().map(|ledger| reader.ledger(ledger, None)).collect::<Result<Vec<_>, _>>()?;
            chain.entries(|texts| reader.push_json_all(texts.iter().copied(), |_, _| Ok(())))?;
            Ok::<_, Failure>((reader.finish()?, watched))
        };
        let places = match read() {
            Err(failure) => all(&Err(Judgement::failed(&chain.path, &failure))),
            Ok((mut proofs, watched)) => {
                let place = |located: Watched<LocatedLedger>| match proofs.take(located) {
                    Ok(located) => Ok(Some(located).filter(|located| !located.is_empty())),
                    Err(error) => Err(Judgement::error(&error)),
                };
                wanted.iter().copied().zip(watched.into_iter().map(place)).collect()
            }
        };
        self.hashed += chain.length();
        places
    }

    /// A ledger that holds vouches for the stored bytes of all its records.
    fn vouch_for_ledger(&mut self, index: usize) {
        let mut documents = Vec::new();
        let _ = each_line(&self.files[index], |line| {
            documents.extend(match line {
                Line::Signature(record) => self.documents.of_content(record.content_hash()),
                Line::Vault(record) => {
                    let kept = self.kept_stored(index, record.header().seq);
                    self.documents.stored(kept, record.baseline()).map(|(document, _)| document)
                }
            });
            Ok(())
        });
        for document in documents {
            self.vouch(document, index);
        }
    }
}

/// What a file of records says of itself.
#[derive(Default)]
struct Told {
    index: usize,
    /// Its ledgers, each with the signer of its first record here; one more than is looked at, where there are more.
    ledgers: Vec<(IdentityId, LedgerId)>,
    /// How many of its lines are signature records.
    signatures: u64,
    /// Whether a record of it still has its trap.
    has_trap: bool,
    /// Why it cannot be read.
    unread: Option<Judgement>,
}

/// Where a ledger's records stand, if that can be told: an outcome says why it cannot.
type Place = Result<Option<LocatedLedger>, Judgement>;

const NO_BYTES: &str = "its stored bytes are missing or were changed";

/// For so many ledgers the chains here are looked through.
const LEDGERS: usize = 64;

/// A record that still has its trap is for its operator alone, whatever else is to be said of it.
pub(super) fn with_trap(outcome: Judgement, has_trap: bool) -> Judgement {
    if !has_trap || outcome.mark > Mark::Secret {
        return outcome;
    }
    let text = format!("{}; and it has its trap: `dualseal vault redact` writes the copy that may leave", outcome.text);
    Judgement::new(Mark::Secret, text)
}

/// Hands each vault record in a file of records to `each`.
fn records(found: &Listed, mut each: impl FnMut(VaultRecord) -> Result<(), Error>) -> Result<(), Failure> {
    each_line(found, |line| match line {
        Line::Signature(_) => Ok(()),
        Line::Vault(record) => each(*record),
    })
}

/// What a home folder knows of a key that was named, where that is worse.
fn worse(outcome: Judgement, known: Option<Judgement>, here: Option<&KeyRing>) -> Judgement {
    match known.filter(|known| outcome.mark == Mark::Valid && known.mark > outcome.mark) {
        Some(known) => known.heard_of(here),
        None => outcome,
    }
}

/// One line of a file of records.
enum Line {
    Signature(Box<SignatureRecord>),
    Vault(Box<VaultRecord>),
}

/// Hands each line of a file of records to `each`, as what it is.
fn each_line(found: &Listed, mut each: impl FnMut(Line) -> Result<(), Error>) -> Result<(), Failure> {
    found.lines(|line| match VaultRecord::from_json(line) {
        Ok(record) => each(Line::Vault(Box::new(record))),
        Err(_) if inspect(line).kind == Kind::SignatureRecord => {
            each(Line::Signature(Box::new(SignatureRecord::from_json(line)?)))
        }
        Err(error) => Err(error),
    })
}
