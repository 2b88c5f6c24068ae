//! The steps of an audit: what each file is, then signatures, seals, results and vaults over the documents.

use super::documents::{Documents, Wanted};
use super::files::{Listed, Sort};
use super::judgement::{Judgement, Mark};
use super::kinds::{Named, WHOLE, What};
use super::known::Audit;
use super::names::{is_unfinished, named};
use crate::failure::Failure;
use crate::home::OwnLog;
use std::io;
use zeroize::Zeroizing;

/// What is not read, whatever it leads to.
pub(super) const LINK: &str = "link";
pub(super) const SPECIAL: &str = "special file";

/// What a program leaves behind that was ended while it wrote.
const UNFINISHED: &str = "unfinished file";

impl Audit<'_> {
    /// Says what each file is.
    pub(super) fn classify(&mut self) {
        let mut left = self.args.max_bytes.unwrap_or(u64::MAX);
        // Nothing vouches for what is not read.
        let skipped = if self.args.strict { Mark::Unchecked } else { Mark::Skipped };
        for index in 0..self.files.len() {
            let found = &self.files[index];
            let told = |kind, mark, text: &str| What::Told(kind, Judgement::new(mark, text));
            let what = match &found.sort {
                Sort::File(_) if is_unfinished(&found.shown) => told(
                    UNFINISHED,
                    Mark::Secret,
                    "left behind when the program that wrote it was ended: it may hold plaintext",
                ),
                Sort::File(_) if found.length() > left => {
                    told("file", Mark::Unchecked, "it is not read: --max-bytes allows no more")
                }
                Sort::File(_) => content(found).unwrap_or_else(|error| unreadable(&error)),
                Sort::Link => told(LINK, skipped, "links are not followed"),
                Sort::Special => told(SPECIAL, skipped, "neither a file nor a folder"),
                Sort::Unreadable(error) => unreadable(error),
            };
            let is_left_out = matches!(&what, What::Told("file", outcome) if outcome.mark == Mark::Unchecked);
            if is_left_out || matches!(&what, What::Told(UNFINISHED, _)) {
                // Nothing reads it, so that it takes nothing from what may be read.
                self.files[index].sort = Sort::Special;
            } else {
                left = left.saturating_sub(self.files[index].length());
            }
            self.kinds.push(what.kind());
            self.whats.push(what);
        }
    }

    /// Checks everything, each step by what those before it found out.
    pub(super) fn check(&mut self, own: Option<&OwnLog>) -> Result<(), Failure> {
        self.check_chains(own)?;
        self.check_rings();
        self.check_claims();
        self.hash_documents();
        self.check_signatures();
        self.check_seals();
        self.check_results();
        self.check_vaults();
        self.check_bundles();
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
}

fn unreadable(error: &io::Error) -> What {
    What::Told("file", Judgement::new(Mark::Unreadable, error.to_string()))
}

/// What a file is, from as much of it as is needed to tell.
fn content(found: &Listed) -> io::Result<What> {
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
