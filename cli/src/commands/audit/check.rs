//! The audit of one folder, step by step: what each file is, the documents' hashes, signatures, seals and results.

use super::Args;
use super::documents::{Documents, Wanted};
use super::files::{Found, Sort};
use super::found::{Line, Mark, Outcome};
use super::kinds::{Named, WHOLE, What};
use super::seals::SealKeys;
use super::signatures::Claims;
use super::standing::Standing;
use super::trusted::Trusted;
use super::vaults::VAULT;
use crate::commands::verify::stripped;
use crate::failure::Failure;
use crate::home::Home;
use crate::store::UNFINISHED;
use dualseal::inspect::Kind;
use dualseal::key::PreparedKeyCache;
use dualseal::krunica::KrunicaHash;
use dualseal::{Domain, IdentityId, Located};
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
    /// The log's checkpoints.
    pub(super) standing: Standing,
    /// The first chain that agrees with all of them.
    pub(super) agreed: Option<usize>,
    pub(super) handles: BTreeMap<KrunicaHash, Located>,
    pub(super) messages: BTreeMap<(IdentityId, String), Located>,
    pub(super) cache: PreparedKeyCache,
    pub(super) claims: Claims,
    pub(super) seal_keys: SealKeys,
    /// What all of it cost: every byte of a file, as often as it was hashed.
    pub(super) hashed: u64,
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
            standing: Standing::default(),
            agreed: None,
            handles: BTreeMap::new(),
            messages: BTreeMap::new(),
            cache: PreparedKeyCache::new(CACHE),
            claims: Claims::default(),
            seal_keys: SealKeys::default(),
            hashed: 0,
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
                Sort::File(_) if is_unfinished(&found.shown) => told(
                    "unfinished file",
                    Mark::Secret,
                    "left behind when the program that wrote it was ended: it may hold plaintext",
                ),
                Sort::File(_) => content(found).unwrap_or_else(|error| unreadable(&error)),
                Sort::Link => told("link", Mark::Skipped, "links are not followed"),
                Sort::Special => told("special file", Mark::Skipped, "neither a file nor a folder"),
                Sort::Unreadable(error) => unreadable(error),
            };
            self.kinds.push(what.kind());
            self.whats.push(what);
        }
    }

    /// Checks everything, each step by what those before it found out.
    pub(super) fn check(&mut self, home: Option<Home>) -> Result<(), Failure> {
        self.check_chains(home.as_ref())?;
        // Documents may be read for long, and nobody else is to wait for the folder.
        drop(home);
        self.check_claims();
        self.hash_documents();
        self.check_signatures();
        self.check_seals();
        self.check_results();
        self.check_vaults();
        Ok(())
    }

    /// Reads the documents of records that hold so far, and stored bytes.
    fn hash_documents(&mut self) {
        let mut wanted = Wanted { canonical: self.args.canonical, ..Wanted::default() };
        self.want_documents(&mut wanted);
        self.want_stored(&mut wanted);
        let mut failed = Vec::new();
        self.documents = Documents::hash(self.domain(), &wanted, &self.files, |index, error| {
            failed.push((index, unreadable(error)));
        });
        self.hashed += self.documents.hashed();
        for (index, what) in failed {
            self.whats[index] = what;
        }
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
                What::Stream if !self.vouched.contains_key(&index) => {
                    Outcome::new(Mark::Noted, "only its secret shows what is in it")
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

pub(super) fn no_document() -> Outcome {
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

/// Whether its name, or that of a folder that it is in, is one that is given for as long as something is written.
fn is_unfinished(shown: &Path) -> bool {
    shown.iter().any(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".") && name.ends_with(UNFINISHED.as_bytes())
    })
}

/// The document of a record with this name.
fn document_of(record: &Path) -> Option<PathBuf> {
    let name = record.as_os_str().as_encoded_bytes();
    let (suffix, _) = RECORDS.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes()))?;
    stripped(record, suffix.len()).filter(|document| document.file_name().is_some() && !document.ends_with(".."))
}
