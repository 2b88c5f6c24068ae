//! The audit of one folder, step by step: what each file is, the documents' hashes, signatures, seals and results.

use super::Args;
use super::documents::{Documents, Wanted};
use super::files::{Found, Sort};
use super::found::{Line, Mark, Outcome};
use super::kinds::{Named, WHOLE, What};
use super::trusted::Trusted;
use super::vaults::VAULT;
use crate::commands::verify::stripped;
use dualseal::batch::{SignatureItem, verify_signatures};
use dualseal::checkpoint::Checkpoint;
use dualseal::hash::{HashFunction, Sha3_512};
use dualseal::id::MessageHash;
use dualseal::inspect::Kind;
use dualseal::key::PreparedKeyCache;
use dualseal::krunica::KrunicaHash;
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealVerifier};
use dualseal::threshold::{QuorumResult, SessionKind, ThresholdResult, verify_quorum};
use dualseal::{Domain, IdentityId, Located, Verified, Verifier};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Names that say what a file is of.
const RECORDS: [(&str, Kind); 3] =
    [(".sig.json", Kind::SignatureRecord), (".seal", Kind::DualSeal), (".quorum.json", Kind::ThresholdResult)];
/// Expanded keys are some 43 KB each.
const CACHE: usize = 8 << 20;

pub(super) struct Audit<'a> {
    pub(super) trusted: &'a Trusted,
    pub(super) args: &'a Args,
    pub(super) files: Vec<Found>,
    /// What each file is; taken when it is verified.
    pub(super) whats: Vec<What>,
    kinds: Vec<&'static str>,
    lines: BTreeMap<usize, Line>,
    pub(super) documents: Documents,
    /// Documents for which something valid vouches, with what does.
    vouched: BTreeMap<usize, usize>,
    pub(super) checkpoints: Vec<(usize, Verified<Checkpoint>)>,
    pub(super) handles: BTreeMap<KrunicaHash, Located>,
    pub(super) messages: BTreeMap<(IdentityId, String), Located>,
    pub(super) cache: PreparedKeyCache,
}

impl<'a> Audit<'a> {
    pub(super) fn new(trusted: &'a Trusted, args: &'a Args, files: Vec<Found>) -> Self {
        Self {
            trusted,
            args,
            files,
            whats: Vec::new(),
            kinds: Vec::new(),
            lines: BTreeMap::new(),
            documents: Documents::default(),
            vouched: BTreeMap::new(),
            checkpoints: Vec::new(),
            handles: BTreeMap::new(),
            messages: BTreeMap::new(),
            cache: PreparedKeyCache::new(CACHE),
        }
    }

    pub(super) fn domain(&self) -> &'a Domain {
        self.trusted.domain.domain()
    }

    /// Says what each file is.
    pub(super) fn classify(&mut self) {
        for index in 0..self.files.len() {
            let found = &self.files[index];
            let told = |kind, mark, text: &str| What::Told(kind, Outcome::new(mark, text));
            let what = match &found.sort {
                Sort::File(_) => content(found).unwrap_or_else(|error| unreadable(&error)),
                Sort::Link => told("link", Mark::Skipped, "links are not followed"),
                Sort::Special => told("special file", Mark::Skipped, "neither a file nor a folder"),
                Sort::Unreadable(error) => unreadable(error),
            };
            self.kinds.push(what.kind());
            self.whats.push(what);
        }
    }

    /// Reads every file once.
    pub(super) fn hash_documents(&mut self) {
        let mut wanted = Wanted::default();
        self.whats.iter().for_each(|what| wanted.add(what));
        self.want_stored(&mut wanted);
        let mut failed = Vec::new();
        self.documents = Documents::hash(self.domain(), &wanted, &self.files, |index, error| {
            failed.push((index, unreadable(error)));
        });
        for (index, what) in failed {
            self.whats[index] = what;
        }
    }

    /// Signature records, all of one signer at once.
    pub(super) fn check_signatures(&mut self) {
        let mut by_signer: BTreeMap<IdentityId, Vec<(usize, Option<usize>, SignatureItem<'_>)>> = BTreeMap::new();
        let mut missing = Vec::new();
        for (index, what) in self.whats.iter().enumerate() {
            let What::Signature(record) = what else { continue };
            let signer = *record.identity_id();
            let document = self.named(index).or_else(|| self.documents.of_content(record.content_hash()));
            let content = document.and_then(|file| self.documents.content(file, &signer, record.content_hash()));
            let Some(content) = content else {
                missing.push((index, signer));
                continue;
            };
            let at = self.handles.get(record.krunica_hash());
            let item = SignatureItem { content, record: (**record).clone(), at };
            by_signer.entry(signer).or_default().push((index, document, item));
        }
        let mut outcomes = Vec::new();
        for (signer, items) in by_signer {
            let ring = self.trusted.ring(&signer);
            let verifier = Verifier::new(self.domain(), &ring, &self.cache);
            let (places, items): (Vec<_>, Vec<_>) =
                items.into_iter().map(|(i, document, item)| ((i, document), item)).unzip();
            let verdicts = verify_signatures(&verifier, items, &mut |_| {});
            for ((index, document), verdict) in places.into_iter().zip(verdicts) {
                outcomes.push((index, document, Some(signer), Outcome::verdict(&verdict, self.args.public)));
            }
        }
        for (index, signer) in missing {
            outcomes.push((index, None, Some(signer), no_document()));
        }
        self.tell_all(outcomes);
    }

    /// Seals, each over the document that its name says. A seal names nobody: everybody who is known is tried.
    pub(super) fn check_seals(&mut self) {
        let mut outcomes = Vec::new();
        for (index, what) in self.whats.iter().enumerate() {
            let What::Seal(seal) = what else { continue };
            let Some(document) = self.named(index) else {
                outcomes.push((index, None, None, no_document()));
                continue;
            };
            let mut best: Option<(Outcome, IdentityId)> = None;
            for identity_id in self.trusted.identities() {
                let outcome = match self.seal(seal, document, &identity_id) {
                    Ok(outcome) => outcome,
                    Err(error) => Outcome::new(Mark::Unreadable, error.to_string()),
                };
                if best.as_ref().is_none_or(|(best, _)| outcome.mark != Mark::Invalid && best.mark == Mark::Invalid) {
                    best = Some((outcome, identity_id));
                }
            }
            let nobody = || Outcome::new(Mark::Unchecked, "no key file says whose it could be");
            let (outcome, signer) = best.map_or_else(|| (nobody(), None), |(outcome, id)| (outcome, Some(id)));
            // Whose an invalid seal is, nobody knows.
            let signer = signer.filter(|_| outcome.mark != Mark::Invalid);
            outcomes.push((index, Some(document), signer, outcome));
        }
        self.tell_all(outcomes);
    }

    fn seal(&self, seal: &Seal, document: usize, identity_id: &IdentityId) -> io::Result<Outcome> {
        let ring = self.trusted.ring(identity_id);
        let at = match seal {
            Seal::Dual(dual) => self.messages.get(&(*identity_id, dual.chain_message())),
            Seal::Legacy(_) => None,
        };
        let verifier = SealVerifier::new(self.domain(), &ring, &self.cache);
        let mut check = verifier.begin(seal, identity_id, Policy::LayerB, Legacy::Refused, at);
        self.files[document].read(|part| check.update(part))?;
        Ok(match check.finish().conclusion {
            Conclusion::Verdict(verdict) => Outcome::verdict(&verdict, self.args.public),
            Conclusion::Authenticated(_) | Conclusion::NotAuthenticated => {
                Outcome::new(Mark::Unchecked, "only whoever holds the seal key can check it")
            }
        })
    }

    /// What quorums signed, each over the document that its name says, in one of the sessions that are here.
    pub(super) fn check_results(&mut self) {
        let mut outcomes = Vec::new();
        for (index, what) in self.whats.iter().enumerate() {
            let What::Result(result) = what else { continue };
            let (document, outcome) = match (&**result, self.named(index)) {
                (ThresholdResult::Failed(failure), _) => {
                    (None, Outcome::new(Mark::Noted, format!("nothing was signed: {}", failure.reason)))
                }
                (ThresholdResult::Signed(_), None) => (None, no_document()),
                (ThresholdResult::Signed(result), Some(document)) => {
                    let outcome = self.result(result, document);
                    let unreadable = |error: io::Error| Outcome::new(Mark::Unreadable, error.to_string());
                    (Some(document), outcome.unwrap_or_else(unreadable))
                }
            };
            outcomes.push((index, document, None, outcome));
        }
        self.tell_all(outcomes);
    }

    fn result(&self, result: &QuorumResult, document: usize) -> io::Result<Outcome> {
        let mut hash = Sha3_512::default();
        self.files[document].read(|part| hash.update(part))?;
        let message = MessageHash::from_bytes(hash.finish());
        let at = self.handles.get(result.krunica_hash());
        let mut best: Option<Outcome> = None;
        for what in &self.whats {
            let What::Session(session) = what else { continue };
            let SessionKind::MlDsa65 { identity_id, .. } = session.kind() else { continue };
            let ring = self.trusted.ring(identity_id);
            let verdict = verify_quorum(self.domain(), session, &message, result.clone(), &ring, &self.cache, at);
            let outcome = Outcome::verdict(&verdict, self.args.public);
            if best.as_ref().is_none_or(|best| outcome.mark != Mark::Invalid && best.mark == Mark::Invalid) {
                best = Some(outcome);
            }
        }
        let none = "its session is not here, or only its custodians can check it: `dualseal session verify`";
        Ok(best.unwrap_or_else(|| Outcome::new(Mark::Unchecked, none)))
    }

    /// The document that a record's name says it is of.
    pub(super) fn named(&self, index: usize) -> Option<usize> {
        self.file(&document_of(&self.files[index].shown)?)
    }

    /// The file of this name, if there is one.
    pub(super) fn file(&self, shown: &Path) -> Option<usize> {
        let found = self.files.binary_search_by(|found| found.shown.as_path().cmp(shown)).ok()?;
        matches!(self.files[found].sort, Sort::File(_)).then_some(found)
    }

    /// Whether a file was verified and holds.
    pub(super) fn is_valid(&self, index: usize) -> bool {
        self.lines.get(&index).is_some_and(|line| line.mark == Mark::Valid)
    }

    /// Says that something valid vouches for a document.
    pub(super) fn vouch(&mut self, document: usize, by: usize) {
        self.vouched.insert(document, by);
    }

    /// Writes down what came of a file.
    pub(super) fn tell(&mut self, index: usize, document: Option<usize>, signer: Option<IdentityId>, outcome: Outcome) {
        if let (Some(document), Mark::Valid) = (document, outcome.mark) {
            self.vouch(document, index);
        }
        let line = Line {
            path: self.files[index].shown.clone(),
            kind: self.kinds[index].to_owned(),
            mark: outcome.mark,
            code: outcome.code,
            text: outcome.text,
            of: document.map(|document| self.files[document].shown.clone()),
            identity_id: signer.map(|signer| signer.to_hex()),
        };
        self.lines.insert(index, line);
    }

    pub(super) fn tell_all(&mut self, outcomes: Vec<(usize, Option<usize>, Option<IdentityId>, Outcome)>) {
        for (index, document, signer, outcome) in outcomes {
            self.tell(index, document, signer, outcome);
        }
    }

    /// A line for every file.
    pub(super) fn into_lines(mut self) -> Vec<Line> {
        for index in 0..self.files.len() {
            if self.lines.contains_key(&index) {
                continue;
            }
            let outcome = match std::mem::replace(&mut self.whats[index], What::Document) {
                What::Told(kind, outcome) => {
                    self.kinds[index] = kind;
                    outcome
                }
                What::Session(_) => Outcome::new(Mark::Noted, "it counts where a chain shows that it is in force"),
                What::Broken(outcome) if !self.vouched.contains_key(&index) => {
                    self.kinds[index] = "record";
                    outcome
                }
                _ => match self.vouched.get(&index) {
                    Some(record) => {
                        let by = self.files[*record].shown.display();
                        Outcome::new(Mark::Vouched, format!("by {by}"))
                    }
                    None => Outcome::new(Mark::Other, "nothing here vouches for it"),
                },
            };
            self.tell(index, None, None, outcome);
        }
        self.lines.into_values().collect()
    }
}

fn no_document() -> Outcome {
    Outcome::new(Mark::Unchecked, "its document is not here")
}

fn unreadable(error: &io::Error) -> What {
    What::Told("file", Outcome::new(Mark::Unreadable, error.to_string()))
}

/// What a file is, from as much of it as is needed to tell.
fn content(found: &Found) -> io::Result<What> {
    let named = named(&found.shown);
    let bytes = Zeroizing::new(found.beginning(64 << 10)?);
    let begins = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[' | b'S' | b'-' | b'd'));
    let text = begins || named != Named::Anything;
    if !text || bytes.len() < 64 << 10 {
        return Ok(What::of(&bytes, bytes.len() < 64 << 10, named));
    }
    let bytes = Zeroizing::new(found.beginning(WHOLE)?);
    Ok(What::of(&bytes, (bytes.len() as u64) < WHOLE, named))
}

/// What a file's name says that it is. Whoever damages a file leaves its name.
fn named(shown: &Path) -> Named {
    let name = shown.file_name().unwrap_or_default().as_encoded_bytes();
    if let Some((_, kind)) = RECORDS.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes())) {
        Named::Record(kind)
    } else if name.ends_with(VAULT.as_bytes()) {
        Named::Record(Kind::VaultRecord)
    } else if name.starts_with(b"checkpoint") && name.ends_with(b".json") {
        Named::Record(Kind::Checkpoint)
    } else if name.ends_with(b".jsonl") {
        Named::Lines
    } else {
        Named::Anything
    }
}

/// The document of a record with this name.
fn document_of(record: &Path) -> Option<PathBuf> {
    let name = record.as_os_str().as_encoded_bytes();
    let (suffix, _) = RECORDS.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes()))?;
    stripped(record, suffix.len()).filter(|document| document.file_name().is_some() && !document.ends_with(".."))
}
