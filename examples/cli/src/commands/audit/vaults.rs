//! Vault records, by what anybody can check, and ledgers of them.

use super::chains::failed;
use super::check::Audit;
use super::documents::Wanted;
use super::found::{Mark, Outcome};
use super::kinds::What;
use crate::commands::chain::entries::entries;
use crate::commands::verify::stripped;
use crate::failure::Failure;
use crate::input;
use dualseal::batch::{RecordItem, verify_records};
use dualseal::krunica::JsonLines;
use dualseal::vault::{
    Evidence, LedgerCheck, LedgerEntries, LedgerId, LedgerSummary, LocatedLedger, Public, TierPolicy, VaultRecord,
    VaultVerifier,
};
use dualseal::{Error, IdentityId};
use std::collections::BTreeMap;
use std::path::Path;

impl Audit<'_> {
    /// The stored bytes that records speak of, alone and in ledgers.
    pub(super) fn want_stored(&self, wanted: &mut Wanted) {
        for (index, what) in self.whats.iter().enumerate() {
            if matches!(what, What::Record(_)) {
                wanted.stored.extend(self.named_stored(index));
            }
            if matches!(what, What::Ledger) {
                // What cannot be read is told when the ledger is checked.
                let _ = records(&self.files[index].path, |record| {
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
        let policy = Public { tiers: TierPolicy::any() };
        let mut by_signer: BTreeMap<IdentityId, Vec<(usize, usize, RecordItem<'_>)>> = BTreeMap::new();
        let mut outcomes = Vec::new();
        for (index, what) in self.whats.iter().enumerate() {
            let What::Record(record) = what else { continue };
            let signer = record.header().identity_id;
            let Some((document, stored)) = self.documents.stored(self.named_stored(index), record.baseline()) else {
                outcomes.push((index, None, Some(signer), Outcome::new(Mark::Unchecked, NO_BYTES)));
                continue;
            };
            let evidence = Evidence { at: self.handles.get(record.krunica_hash()), after: None };
            let item = RecordItem { record: record.duplicate(), stored, evidence };
            by_signer.entry(signer).or_default().push((index, document, item));
        }
        for (signer, items) in by_signer {
            let ring = self.trusted.ring(&signer);
            let verifier = VaultVerifier::new(self.domain(), &ring, &self.cache);
            let (places, items): (Vec<_>, Vec<_>) =
                items.into_iter().map(|(index, document, item)| ((index, document), item)).unzip();
            let reports = verify_records(&verifier, &policy, items, &mut |_| {});
            for ((index, document), report) in places.into_iter().zip(reports) {
                let mut outcome = Outcome::verdict(report.verdict(), self.args.public);
                if let Some(layer) = report.failed().filter(|_| outcome.mark == Mark::Invalid && !self.args.public) {
                    outcome.text = format!("does not hold: {layer} {}", report.outcome(layer));
                }
                outcomes.push((index, Some(document), Some(signer), outcome));
            }
        }
        for index in 0..self.files.len() {
            if matches!(self.whats[index], What::Ledger) {
                outcomes.push((index, None, None, self.ledger(index)));
            }
        }
        self.tell_all(outcomes);
        self.vouch_for_ledgers();
    }

    fn ledger(&self, index: usize) -> Outcome {
        let path = &self.files[index].path;
        let mut first = None;
        let read = records(path, |record| {
            first.get_or_insert((record.header().identity_id, record.header().ledger));
            Ok(())
        });
        let (signer, ledger) = match (read, first) {
            (Err(failure), _) => return failed(path, &failure),
            (Ok(()), None) => return Outcome::new(Mark::Noted, "it is empty"),
            (Ok(()), Some(first)) => first,
        };
        let ring = self.trusted.ring(&signer);
        let verifier = VaultVerifier::new(self.domain(), &ring, &self.cache);
        let policy = Public { tiers: TierPolicy::any() };
        let located = self.located(&ledger);
        let mut check = LedgerCheck::new(&verifier, &ledger, &policy, located.as_ref());
        let mut missing = None;
        let pushed = records(path, |record| {
            let seq = record.header().seq;
            match self.documents.stored(self.kept_stored(index, seq), record.baseline()) {
                _ if missing.is_some() => Ok(()),
                Some((_, stored)) => check.push(record, stored).map(drop),
                None => {
                    missing = Some(seq);
                    Ok(())
                }
            }
        });
        match (pushed, missing) {
            (Err(failure), _) => failed(path, &failure),
            (Ok(()), Some(seq)) => Outcome::new(Mark::Unchecked, format!("record {seq}: {NO_BYTES}")),
            (Ok(()), None) => match check.finish() {
                Ok(summary) => self.summary(&summary, located.is_some()),
                Err(error) => Outcome::error(&error),
            },
        }
    }

    fn summary(&self, summary: &LedgerSummary, located: bool) -> Outcome {
        let decoys = if self.args.public { 0 } else { summary.decoys };
        let (mark, code) = match (decoys, summary.revoked, summary.suspended) {
            (0, 0, 0) => (Mark::Valid, 0),
            (0, 0, _) => (Mark::Suspended, 3),
            (0, ..) => (Mark::Revoked, 2),
            _ => (Mark::Decoy, 4),
        };
        let count = summary.head.size();
        let text = if located {
            format!("{count} records, all that the chain vouches for")
        } else {
            format!("{count} records; a chain under a checkpoint would show whether some are missing at the end")
        };
        Outcome { code: Some(code), ..Outcome::new(mark, text) }
    }

    /// Where a ledger's records stand, in the first chain here that agrees with a checkpoint here and knows of them.
    fn located(&self, ledger: &LedgerId) -> Option<LocatedLedger> {
        let chains = self.files.iter().zip(&self.whats).filter(|(_, what)| matches!(what, What::Chain));
        for (chain, _) in chains {
            for (_, checkpoint) in &self.checkpoints {
                let mut check = LedgerEntries::new(self.domain(), ledger, checkpoint);
                if entries(&chain.path, |json| check.push_json(json).map(drop)).is_ok()
                    && let Ok(located) = check.finish()
                    && !located.is_empty()
                {
                    return Some(located);
                }
            }
        }
        None
    }

    /// A ledger that holds vouches for the stored bytes of all its records.
    fn vouch_for_ledgers(&mut self) {
        for index in 0..self.files.len() {
            if !matches!(self.whats[index], What::Ledger) || !self.is_valid(index) {
                continue;
            }
            let mut documents = Vec::new();
            let _ = records(&self.files[index].path, |record| {
                let kept = self.kept_stored(index, record.header().seq);
                documents.extend(self.documents.stored(kept, record.baseline()).map(|(document, _)| document));
                Ok(())
            });
            for document in documents {
                self.vouch(document, index);
            }
        }
    }
}

/// How the name of a vault record ends; that of its stored bytes ends in `.stored`.
pub(super) const VAULT: &str = ".vault.json";
const NO_BYTES: &str = "its stored bytes are missing or were changed";

/// Hands each record of a ledger's file to `each`.
fn records(path: &Path, mut each: impl FnMut(VaultRecord) -> Result<(), Error>) -> Result<(), Failure> {
    let about = |error: Error| Failure::from(error).about(path.display());
    let mut lines = JsonLines::new();
    input::document(path, |part| lines.push(part, |line| each(VaultRecord::from_json(line)?)).map_err(about))?;
    lines.finish().map_err(about)
}
