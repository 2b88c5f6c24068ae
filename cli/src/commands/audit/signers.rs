//! What lies in a folder by whoever signed it.

use super::judgement::{Line, Mark};
use super::trusted::Trusted;
use crate::output::{integer, object, path_text, quoted, short, text};
use dualseal::encoding::json::Value;
use dualseal::inspect::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Somebody, with what is theirs.
#[derive(Default)]
pub(super) struct Signer {
    pub(super) identity_id: String,
    pub(super) creator: Option<String>,
    pub(super) keys: BTreeSet<String>,
    /// Whether a ring told the state of their keys.
    pub(super) is_state_asked: bool,
    /// How many of their records came to what.
    counts: BTreeMap<Mark, u64>,
    /// The documents of theirs that hold.
    pub(super) documents: BTreeSet<String>,
}

/// Of what these say a home folder is not asked.
const UNHEARD: [Kind; 2] = [Kind::Evidence, Kind::ThresholdResult];

/// What is said where a key counted that was named without a ring.
pub(super) const STATE_NOT_ASKED: &str = "State not asked: of keys that were given without a ring nobody here knows \
     whether they were called back. The ring of the log tells it (--ring, with --log-key or --log).";

impl Signer {
    /// Everybody whose records are here, by identity.
    pub(super) fn all(lines: &[Line], trusted: &[Trusted]) -> Vec<Self> {
        let mut signers: BTreeMap<&str, Self> = BTreeMap::new();
        let mut unheard = BTreeSet::new();
        for line in lines.iter().filter(|line| line.kind != "public key file") {
            let Some(identity_id) = line.identity_id.as_deref() else { continue };
            let signer = signers.entry(identity_id).or_default();
            *signer.counts.entry(line.mark).or_default() += 1;
            signer.keys.extend(line.key_hash.clone());
            if line.mark == Mark::Valid {
                signer.documents.extend(line.of.as_ref().map(|of| path_text(of)));
                unheard.extend(UNHEARD.iter().any(|kind| line.kind == kind.as_str()).then_some(identity_id));
            }
        }
        let with_name = |(identity_id, signer): (&str, Self)| {
            let creator = trusted.iter().find_map(|trusted| trusted.creator(identity_id));
            let id = identity_id.parse().ok();
            let is_heard = !unheard.contains(identity_id);
            let is_state_asked = id.is_some_and(|id| trusted.iter().any(|trusted| trusted.tells_state(&id, is_heard)));
            Self { identity_id: identity_id.to_owned(), creator, is_state_asked, ..signer }
        };
        signers.into_iter().map(with_name).collect()
    }

    /// For people.
    pub(super) fn told(&self) -> String {
        let who = match &self.creator {
            Some(creator) => format!("{} ({})", quoted(creator), short(&self.identity_id)),
            None => self.identity_id.clone(),
        };
        let keys: Vec<_> = self.keys.iter().map(String::as_str).collect();
        let keys = if keys.is_empty() { String::new() } else { format!(", key {}", keys.join(", ")) };
        let documents: Vec<_> = self.documents.iter().map(|document| quoted(document)).collect();
        let documents = if documents.is_empty() { "nothing that holds".to_owned() } else { documents.join(", ") };
        let state = if self.is_without_state() { ", state not asked" } else { "" };
        format!("{who}{keys}{state}: {documents} ({})", self.counted())
    }

    /// Whether something holds by keys of which nobody here knows whether they were called back.
    pub(super) fn is_without_state(&self) -> bool {
        !self.is_state_asked && self.counts.contains_key(&Mark::Valid)
    }

    /// How many of their records came to what.
    pub(super) fn counted(&self) -> String {
        let counts = self.counts.iter().map(|(mark, count)| format!("{count} {}", mark.word()));
        counts.collect::<Vec<_>>().join(", ")
    }

    /// For scripts.
    pub(super) fn value(&self) -> Value {
        let list = |all: &BTreeSet<String>| Value::Array(all.iter().map(text).collect());
        let counts = self.counts.iter().map(|(mark, count)| (mark.word().to_owned(), integer(*count))).collect();
        object([
            ("creator", self.creator.clone().map_or(Value::Null, text)),
            ("documents", list(&self.documents)),
            ("identity_id", text(self.identity_id.as_str())),
            ("keys", list(&self.keys)),
            ("records", Value::Object(counts)),
            ("state_asked", Value::Bool(self.is_state_asked)),
        ])
    }
}
