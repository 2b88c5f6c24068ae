//! What is said on a page, by language. A sentence says what its evidence shows, by whose clock, and what it does not
//! show.

mod de;
mod en;
mod hr;

use crate::language::Language;

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// Titles of the kinds, in their order.
    pub(crate) titles: [&'static str; 4],
    /// Before the name of a proof, before its time.
    pub(crate) number: &'static str,
    pub(crate) made: &'static str,
    /// Heads of sections.
    pub(crate) what_is_shown: &'static str,
    pub(crate) what_is_not: &'static str,
    pub(crate) hashes: &'static str,
    pub(crate) check: &'static str,
    pub(crate) attached: &'static str,
    /// `Page 1 of 2`: before, between.
    pub(crate) page: [&'static str; 2],

    /// Of a journey: how many records, which are all, of which vehicle, from when to when, in which log.
    pub(crate) filed: fn(usize, &str, [&str; 2], &str) -> String,
    /// The states that were entered.
    pub(crate) entered: fn(&str) -> String,
    pub(crate) not_filed: &'static str,
    /// Heads: number, event, from, to, time, came, entry.
    pub(crate) journey: [&'static str; 7],
    pub(crate) inspection: &'static str,
    pub(crate) crossing: &'static str,

    /// Of a signature: by which algorithm, at which time of the record.
    pub(crate) signed: fn(&str, &str) -> String,
    /// That it holds: when it was verified, among how many entries of which log.
    pub(crate) holds: fn(&str, u64, &str) -> String,
    pub(crate) only_the_hash: &'static str,

    /// Of presence: when the challenge was drawn, when the answer came.
    pub(crate) answered: fn(&str, &str) -> String,
    /// Whether the authenticator verified its user.
    pub(crate) verified_user: [&'static str; 2],
    /// The entry of its enrolment.
    pub(crate) enrolled: fn(u64) -> String,
    pub(crate) only_presence: &'static str,

    /// Of witnesses: how many, which log, how many entries.
    pub(crate) saw: fn(usize, &str, u64) -> String,
    pub(crate) only_growth: &'static str,
    /// Heads: number, name, time.
    pub(crate) witnesses: [&'static str; 3],

    /// That the service signed: its entry, of how many, when that was signed.
    pub(crate) by_service: fn(u64, u64, &str) -> String,

    /// Labels of hashes.
    pub(crate) identity: &'static str,
    pub(crate) signer_of_proof: &'static str,
    pub(crate) content: &'static str,
    pub(crate) key_of_signer: &'static str,
    pub(crate) log: &'static str,
    pub(crate) key: &'static str,
    pub(crate) entry: &'static str,
    pub(crate) key_of_records: &'static str,
    pub(crate) root: &'static str,
    /// The key of the witness of this name.
    pub(crate) key_of_witness: fn(&str) -> String,

    /// How it is verified: take the files out; verify them; print the same page again.
    pub(crate) steps: [&'static str; 3],
    pub(crate) folder: &'static str,
    pub(crate) from_elsewhere: &'static str,
    /// Below the code.
    pub(crate) code: &'static str,
    /// What the text, its evidence, a record, a record's evidence is.
    pub(crate) attachments: [&'static str; 4],
}

impl Words {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::Hr => &hr::WORDS,
            Language::En => &en::WORDS,
            Language::De => &de::WORDS,
        }
    }
}
