//! What is known of a folder that is audited: the files, the keys that count, what was proven so far, and what came of
//! each file.

use super::args::Args;
use super::documents::Documents;
use super::files::{Listed, Sort};
use super::forks::Forks;
use super::judgement::{Judgement, Line, Mark, Shown};
use super::kinds::What;
use super::names::{document_of, is_signed};
use super::since::{After, Since};
use super::standing::Standing;
use super::trusted::Trusted;
use crate::output::{Output, entered, entered_value, quoted_path};
use dualseal::encoding::json::Value;
use dualseal::evidence::OpenEvidence;
use dualseal::key::PreparedKeyCache;
use dualseal::krunica::KrunicaHash;
use dualseal::seal::{Seal, SealKey};
use dualseal::threshold::ThresholdResult;
use dualseal::{Domain, IdentityId, Located, SignatureRecord, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Expanded keys are some 43 KB each.
const CACHE: usize = 8 << 20;

pub(super) struct Audit<'a> {
    pub(super) trusted: &'a Trusted,
    pub(super) args: &'a Args,
    /// Where it begins, if not at the beginning of the chain.
    pub(super) since: Option<&'a Since>,
    /// What the chain has after that.
    pub(super) after: After,
    pub(super) files: Vec<Listed>,
    /// What each file is; taken when it is verified.
    pub(super) whats: Vec<What>,
    pub(super) kinds: Vec<&'static str>,
    lines: BTreeMap<usize, Line>,
    pub(super) documents: Documents,
    /// Documents for which something valid vouches, with everything that does.
    vouched: BTreeMap<usize, Vec<usize>>,
    /// Entries of the chain that are of records which are not here.
    pub(super) omitted: BTreeSet<u64>,
    /// Where results are told while it runs.
    live: Option<&'a Output>,
    /// The log's checkpoints.
    pub(super) standing: Standing,
    /// Files of evidence, as far as they hold without their documents.
    pub(super) opened: Vec<(usize, Result<OpenEvidence, Judgement>)>,
    /// What each that holds shows of its record.
    pub(super) shown: BTreeMap<usize, Shown>,
    /// What contradicts them.
    pub(super) forks: Forks,
    /// The first chain that agrees with all of them.
    pub(super) agreed: Option<usize>,
    pub(super) handles: BTreeMap<KrunicaHash, Located>,
    pub(super) messages: BTreeMap<(IdentityId, String), Located>,
    pub(super) cache: PreparedKeyCache,
    pub(super) claims: Claims,
    pub(super) seal_keys: SealKeys,
    /// The rings that were named, each with whether a checkpoint attests it.
    pub(super) rings: Vec<(PathBuf, u64, &'static str)>,
    /// Whose keys a ring tells that is an edited or an old one.
    pub(super) distrusted: BTreeSet<IdentityId>,
    /// Whose keys a ring tells that no checkpoint here states, though one that holds is here.
    pub(super) unproven: BTreeSet<IdentityId>,
    /// What there is to say of files that are not in the folder.
    pub(super) found: Vec<Line>,
    /// What all of it cost: every byte of a file, as often as it was hashed.
    pub(super) hashed: u64,
}

impl<'a> Audit<'a> {
    pub(super) fn new(
        trusted: &'a Trusted,
        args: &'a Args,
        since: Option<&'a Since>,
        files: Vec<Listed>,
        output: &'a Output,
    ) -> Self {
        Self {
            trusted,
            args,
            since,
            after: After::default(),
            files,
            whats: Vec::new(),
            kinds: Vec::new(),
            lines: BTreeMap::new(),
            documents: Documents::default(),
            vouched: BTreeMap::new(),
            omitted: BTreeSet::new(),
            live: Some(output).filter(|_| args.live),
            standing: Standing::default(),
            opened: Vec::new(),
            shown: BTreeMap::new(),
            forks: Forks::default(),
            agreed: None,
            handles: BTreeMap::new(),
            messages: BTreeMap::new(),
            cache: PreparedKeyCache::new(CACHE),
            claims: Claims::default(),
            seal_keys: SealKeys::default(),
            rings: Vec::new(),
            distrusted: BTreeSet::new(),
            unproven: BTreeSet::new(),
            found: Vec::new(),
            hashed: 0,
        }
    }

    pub(super) fn domain(&self) -> &'a Domain {
        self.trusted.domain.domain()
    }

    /// The document that a record's name says it is of.
    pub(super) fn named(&self, index: usize) -> Option<usize> {
        let mut document = document_of(&self.files[index].shown)?;
        let mut found = self.file(&document);
        // A second signer's name comes before the ending, where the first one's record is there.
        while found.is_none() && document.extension().is_some() {
            document.set_extension("");
            found = self.file(&document).filter(|_| is_signed(&document, |record| self.file(record).is_some()));
        }
        found
    }

    /// The file of this name, if there is one.
    pub(super) fn file(&self, shown: &Path) -> Option<usize> {
        let found = self.files.binary_search_by(|found| found.shown.as_path().cmp(shown)).ok()?;
        matches!(self.files[found].sort, Sort::File(_)).then_some(found)
    }

    /// Says that something valid vouches for a document.
    pub(super) fn vouch(&mut self, document: usize, by: usize) {
        let by_all = self.vouched.entry(document).or_default();
        if !by_all.contains(&by) {
            by_all.push(by);
        }
    }

    /// Writes down what came of a file.
    pub(super) fn tell(
        &mut self,
        index: usize,
        document: Option<usize>,
        signer: Option<IdentityId>,
        outcome: Judgement,
    ) {
        let entered = self.entered(index, signer.as_ref()).filter(|_| outcome.mark.is_dated());
        let (told, entered) = entered.map_or((None, Value::Null), |(told, value)| (Some(told), value));
        let outcome = outcome.and(told);
        if let (Some(document), Mark::Valid) = (document, outcome.mark) {
            self.vouch(document, index);
        }
        let line = Line {
            path: self.files[index].shown.clone(),
            is_inside: true,
            kind: self.kinds[index].to_owned(),
            mark: outcome.mark,
            code: outcome.code,
            text: outcome.text,
            of: document.map(|document| self.files[document].shown.clone()),
            identity_id: signer.map(|signer| signer.to_hex()),
            key_hash: self.key_of(index).or_else(|| self.only_key(signer.as_ref()?, outcome.mark)),
            entered,
        };
        if let Some(output) = self.live {
            output.live(&line.live());
        }
        self.lines.insert(index, line);
    }

    pub(super) fn tell_all(&mut self, outcomes: Vec<(usize, Option<usize>, Option<IdentityId>, Judgement)>) {
        for (index, document, signer, outcome) in outcomes {
            self.tell(index, document, signer, outcome);
        }
    }

    /// Between what a record was entered in its log, where the chain here shows its place.
    fn entered(&self, index: usize, signer: Option<&IdentityId>) -> Option<(String, Value)> {
        if let Some(shown) = self.shown.get(&index) {
            let (seq, until, seen) = shown.place?;
            let told = format!("entry {seq}: {}", entered(seq, Some(until), seen));
            return Some((told, entered_value(seq, Some(until), seen)));
        }
        let at = match self.whats.get(index)? {
            What::Signature(record) => self.handles.get(record.krunica_hash()),
            What::Record(record) => self.handles.get(record.krunica_hash()),
            What::Result(result) => match &**result {
                ThresholdResult::Signed(result) => self.handles.get(result.krunica_hash()),
                ThresholdResult::Failed(_) => None,
            },
            What::Seal(Seal::Dual(seal)) => self.messages.get(&(*signer?, seal.chain_message(self.domain()))),
            _ => None,
        }?;
        let seq = at.entry().seq();
        let until = self.standing.largest().map(|checkpoint| {
            let checkpoint = checkpoint.record();
            (checkpoint.tree_head().size, checkpoint.time())
        });
        Some((format!("entry {seq}: {}", entered(seq, until, None)), entered_value(seq, until, None)))
    }

    /// Of a file that holds and does not say by which key: the one that its signer has, where he has one alone.
    fn only_key(&self, signer: &IdentityId, mark: Mark) -> Option<String> {
        let ring = self.ring(signer);
        let mut keys = ring.keys(signer).map(|(key, _)| key.hash().to_hex());
        let only = keys.next().filter(|_| mark == Mark::Valid)?;
        keys.next().is_none().then_some(only)
    }

    /// SHA3-256 over the key that a record carries.
    fn key_of(&self, index: usize) -> Option<String> {
        if let Some(shown) = self.shown.get(&index) {
            return Some(shown.key.to_hex());
        }
        match self.whats.get(index)? {
            What::Signature(record) => Some(record.public_key().hash().to_hex()),
            What::Checkpoint(checkpoint) => Some(checkpoint.public_key().hash().to_hex()),
            _ => None,
        }
    }

    /// A line for every file, and the files: of those that were not read it is not known any more that they are some.
    pub(super) fn into_lines(mut self) -> (Vec<Line>, Vec<Listed>) {
        for index in 0..self.files.len() {
            if self.lines.contains_key(&index) {
                continue;
            }
            let outcome = match std::mem::replace(&mut self.whats[index], What::Document) {
                What::Told(kind, outcome) => {
                    self.kinds[index] = kind;
                    outcome
                }
                What::Stream if !self.vouched.contains_key(&index) => {
                    Judgement::new(Mark::Noted, "only its secret shows what is in it")
                }
                What::Session(_) => Judgement::new(Mark::Noted, "it counts where a chain shows that it is in force"),
                What::Broken(outcome) if !self.vouched.contains_key(&index) => {
                    self.kinds[index] = "record";
                    outcome
                }
                _ => match self.vouched.get(&index) {
                    Some(records) => {
                        let by: Vec<_> = records.iter().map(|record| quoted_path(&self.files[*record].shown)).collect();
                        Judgement::new(Mark::Vouched, format!("by {}", by.join(", ")))
                    }
                    None if self.args.strict => Judgement::new(Mark::Unchecked, UNVOUCHED),
                    None => Judgement::new(Mark::Other, "nothing here vouches for it"),
                },
            };
            self.tell(index, None, None, outcome);
        }
        (self.lines.into_values().collect(), self.files)
    }
}

/// What is said of a document that nobody signed, where that is asked for.
pub(super) const UNVOUCHED: &str = "nothing here vouches for it, and --strict asks for that";

/// Records that hold but for their documents, and those who made them.
#[derive(Default)]
pub(super) struct Claims {
    pub(super) holding: Vec<(usize, IdentityId, Verdict<SignatureRecord>)>,
    /// Signers of so many records that not every file is looked through for them.
    pub(super) beyond: BTreeSet<IdentityId>,
}

/// The seal keys of those whose seals lie here, where this is the operator.
#[derive(Default)]
pub(super) struct SealKeys(pub(super) BTreeMap<IdentityId, SealKey>);
