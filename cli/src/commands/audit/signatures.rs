//! Signature records. What shows without their documents is looked at first: only for records that a known key made
//! are documents hashed, whatever other records claim.

use super::documents::Wanted;
use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::Audit;
use crate::commands::verify::unplaced;
use dualseal::batch::{SignatureItem, Threads, verify_signatures};
use dualseal::mldsa::KeyHash;
use dualseal::verdict::InvalidReason;
use dualseal::{HashedContent, IdentityId, PublicKey, SignatureRecord, Verdict, Verifier};
use std::collections::{BTreeMap, BTreeSet};

/// For so many signers every file is looked through, where a record's name does not say which document it is of. A
/// document's hash is another one for each signer.
const ANYWHERE: usize = 64;

impl Audit<'_> {
    /// Verifies all of each record but its document, all of one signer at once.
    pub(super) fn check_claims(&mut self) {
        type Claimed = (IdentityId, KeyHash);
        let mut by_key: BTreeMap<Claimed, (PublicKey, Vec<(usize, SignatureItem<'_>)>)> = BTreeMap::new();
        for (index, what) in self.whats.iter().enumerate() {
            let What::Signature(record) = what else { continue };
            let at = self.handles.get(record.krunica_hash());
            // What a record says of itself; its document is compared below.
            let content = HashedContent::from_parts(record.identity_id(), *record.content_hash());
            let item = SignatureItem { content, record: (**record).clone(), place: at };
            let (claimed, key) = ((*record.identity_id(), *record.public_key().hash()), record.public_key());
            by_key.entry(claimed).or_insert_with(|| (key.clone(), Vec::new())).1.push((index, item));
        }
        let (mut holding, mut outcomes) = (Vec::new(), Vec::new());
        for ((signer, _), (key, items)) in by_key {
            let ring = self.ring_of(&signer, &key);
            let verifier = Verifier::new(self.domain(), &ring, &self.cache);
            let (indices, items): (Vec<_>, Vec<_>) = items.into_iter().unzip();
            let verdicts = verify_signatures(&verifier, items, Threads::current(), &mut |_| {});
            for (index, verdict) in indices.into_iter().zip(verdicts) {
                if matches!(verdict, Verdict::Invalid(_)) {
                    let outcome = self.refused(&signer, &verdict).heard_of(self.trusted.here(&signer, Some(&key)));
                    outcomes.push((index, self.named(index), Some(signer), outcome));
                } else {
                    holding.push((index, signer, verdict));
                }
            }
        }
        self.tell_all(outcomes);
        self.claims.holding = holding;
    }

    /// The documents of records that hold so far.
    pub(super) fn want_documents(&mut self, wanted: &mut Wanted) {
        for (index, signer, _) in &self.claims.holding {
            match self.named(*index) {
                Some(document) => _ = wanted.named.entry(document).or_default().insert(*signer),
                None => _ = wanted.anywhere.insert(*signer),
            }
        }
        for (index, what) in self.whats.iter().enumerate() {
            if matches!(what, What::Records | What::Ledger) {
                self.each_signature(index, |record| _ = wanted.anywhere.insert(*record.identity_id()));
            }
        }
        self.claims.beyond = wanted
            .anywhere
            .iter()
            .nth(ANYWHERE)
            .copied()
            .map_or_else(BTreeSet::new, |first| wanted.anywhere.split_off(&first));
    }

    /// Holds the records against their documents.
    pub(super) fn check_signatures(&mut self) {
        let claims = std::mem::take(&mut self.claims);
        let mut outcomes = Vec::new();
        for (index, signer, verdict) in claims.holding {
            let What::Signature(record) = &self.whats[index] else { continue };
            let claimed = record.content_hash();
            let document = self.named(index).or_else(|| self.documents.of_content(claimed));
            let content = document.and_then(|file| self.documents.content(file, &signer, claimed));
            let outcome = match content {
                None if self.named(index).is_none() && claims.beyond.contains(&signer) => {
                    let text = format!(
                        "more than {ANYWHERE} signers' documents would have to be found by content: name it as its \
                         document is named, with .sig.json"
                    );
                    Judgement::new(Mark::Unchecked, text)
                }
                None => Judgement::no_document(),
                Some(content) if content == *claimed => self.dated(record, &verdict),
                Some(content) => {
                    let ring = self.ring_of(&signer, record.public_key());
                    let verifier = Verifier::new(self.domain(), &ring, &self.cache);
                    let at = self.handles.get(record.krunica_hash());
                    let content = HashedContent::from_parts(&signer, content);
                    let verdict = verifier.verify(&content, (**record).clone(), at);
                    Judgement::verdict(&verdict, self.args.public)
                }
            };
            outcomes.push((index, document.filter(|_| content.is_some()), Some(signer), outcome));
        }
        self.tell_all(outcomes);
    }

    /// What a record comes to that holds over its document, with its dates.
    pub(super) fn dated(&self, record: &SignatureRecord, verdict: &Verdict<SignatureRecord>) -> Judgement {
        let signer = record.identity_id();
        let ring = self.ring_of(signer, record.public_key());
        let here = self.trusted.here(signer, Some(record.public_key()));
        let outcome = Judgement::verdict(verdict, self.args.public).heard_of(here);
        // Of most keys there is nothing to date.
        let Some(from) = ring.compromised_from(signer, record.public_key().hash()).filter(|_| !self.args.public) else {
            return outcome;
        };
        let Some(at) = self.handles.get(record.krunica_hash()) else { return outcome.and([unplaced(from)]) };
        let verifier = Verifier::new(self.domain(), &ring, &self.cache);
        let content = HashedContent::from_parts(signer, *record.content_hash());
        Judgement::dated(&verifier.verify_as_of(&content, record.clone(), at), self.args.public).heard_of(here)
    }

    /// Whether nobody here is known by this name, nor the key in whose name it is made.
    pub(super) fn is_unknown(&self, signer: &IdentityId, reason: InvalidReason) -> bool {
        match reason {
            InvalidReason::UnknownIdentity => !self.distrusted.contains(signer) && !self.trusted.is_disputed(signer),
            InvalidReason::ForeignKey => !self.trusted.names(signer),
            _ => false,
        }
    }

    pub(super) fn refused(&self, signer: &IdentityId, verdict: &Verdict<SignatureRecord>) -> Judgement {
        match verdict {
            // Nothing speaks for it, and nothing against it.
            Verdict::Invalid(rejection) if self.is_unknown(signer, rejection.reason()) => {
                self.told_by([signer].into_iter(), Judgement::unknown())
            }
            Verdict::Invalid(rejection)
                if rejection.reason() == InvalidReason::Signature && !self.trusted.is_domain_told =>
            {
                let domain = self.trusted.domain.to_words();
                let text = format!("nothing says its domain, and it does not hold in {domain}: --domain says another");
                Judgement::new(Mark::Unchecked, text)
            }
            _ => self.told_by([signer].into_iter(), Judgement::verdict(verdict, self.args.public)),
        }
    }
}
