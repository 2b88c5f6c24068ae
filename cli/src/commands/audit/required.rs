//! Who must have signed, and what of the chain must be here.

use super::judgement::{Line, Mark};
use crate::failure::{Failure, USAGE};
use crate::output::quoted_path;
use crate::trust::{Given, Trust};
use dualseal_operator::paths::Show;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// So many entries are named.
const NAMED: usize = 8;

/// Somebody who must have signed every document.
pub(super) struct Required {
    /// As the caller named it.
    pub(super) shown: PathBuf,
    key: String,
    identity_id: Option<String>,
}

impl Required {
    pub(super) fn new(given: &Given) -> Result<Self, Failure> {
        let shown = given.path().to_owned();
        match given.trust()? {
            Trust::Fingerprint(hash) => Ok(Self { shown, key: hash.to_hex(), identity_id: None }),
            Trust::Pinned(file) => {
                let (key, identity_id) = (file.key.hash().to_hex(), file.identity_id.map(|id| id.to_hex()));
                Ok(Self { shown, key, identity_id })
            }
            _ => Err(Failure::new(
                USAGE,
                format!("{} is a ring, which has several signers", shown.shown()),
                "give the key file, or the fingerprint, of whoever must have signed",
            )),
        }
    }

    /// Whether what holds is by this key.
    fn is(&self, line: &Line) -> bool {
        line.key_hash.as_ref() == Some(&self.key)
    }

    /// Whether it is by this signer, and nothing says by which of his keys: a seal carries none.
    fn may_be(&self, line: &Line) -> bool {
        line.key_hash.is_none() && self.identity_id.is_some() && self.identity_id == line.identity_id
    }
}

/// What is asked for and is not here: signatures of those who must have signed, and records of the chain.
pub(super) fn missing(lines: &[Line], required: &[Required], omitted: Option<&BTreeSet<u64>>) -> Vec<Line> {
    let mut found = Vec::new();
    // What a manifest lists is signed with it.
    let documents = || lines.iter().filter(|line| line.mark == Mark::Vouched && line.of.is_none());
    for who in required {
        let of = |document: &Line| {
            let of = document.path.clone();
            lines.iter().filter(move |line| line.mark == Mark::Valid && line.of.as_ref() == Some(&of))
        };
        for document in documents().filter(|document| !of(document).any(|line| who.is(line))) {
            let mut text = format!("no signature that holds is by the required key {}", quoted_path(&who.shown));
            if of(document).any(|line| who.may_be(line)) {
                text += ": its signer has several, and nothing says by which of them what holds is";
            }
            found.push(Line::missing(document.path.clone(), "document", &text));
        }
        if documents().next().is_none() {
            let line = Line::missing(who.shown.clone(), "required signer", "nothing here holds that is by this key");
            found.push(Line { is_inside: false, ..line });
        }
    }
    if let Some(omitted) = omitted.filter(|omitted| !omitted.is_empty()) {
        let text = format!("the chain has {}", omissions(omitted));
        found.push(Line::missing(PathBuf::from("."), "chain", &text));
    }
    found
}

/// Entries of records that are not here, in words.
pub(super) fn omissions(entries: &BTreeSet<u64>) -> String {
    let named: Vec<_> = entries.iter().take(NAMED).map(u64::to_string).collect();
    let more = if entries.len() > NAMED { format!(" and {} more", entries.len() - NAMED) } else { String::new() };
    let what =
        if entries.len() == 1 { "1 record that is not here: entry" } else { "records that are not here: entries" };
    let count = if entries.len() == 1 { String::new() } else { format!("{} ", entries.len()) };
    format!("{count}{what} {}{more}", named.join(", "))
}
