//! What lies in a folder by whoever signed it.

use super::judgement::{Line, Mark};
use super::trusted::Trusted;
use crate::output::{integer, object, path_text, quoted, quoted_path, short, text};
use dualseal::encoding::json::Value;
use dualseal::inspect::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Somebody, with what is theirs.
#[derive(Default)]
pub(super) struct Signer {
    pub(super) identity_id: String,
    /// Whether anything shows that the key is this identity's: whoever has a key that counts by its fingerprint can
    /// sign in any name.
    pub(super) is_shown: bool,
    pub(super) creator: Option<String>,
    pub(super) keys: BTreeSet<String>,
    /// Whether a ring told the state of their keys.
    pub(super) is_state_asked: bool,
    /// How many of their records came to what.
    counts: BTreeMap<Mark, u64>,
    /// The documents of theirs that hold.
    pub(super) documents: BTreeSet<PathBuf>,
}

/// Of what these say a home folder is not asked.
const UNHEARD: [Kind; 2] = [Kind::Evidence, Kind::ThresholdResult];

/// What is said where a key counted that was named without a ring.
pub(super) const STATE_NOT_ASKED: &str = "State not asked: of keys that were given without a ring nobody here knows \
     whether they were called back. The ring of the log tells it (--ring, with --log-key or --log).";

impl Signer {
    /// Everybody whose records are here, by identity; where nothing shows that a key is an identity's, by that key too.
    /// Of records that do not hold nobody knows by which key they are.
    pub(super) fn all(lines: &[Line], trusted: &[Trusted]) -> Vec<Self> {
        let mut signers: BTreeMap<(&str, Option<&str>), Self> = BTreeMap::new();
        let mut unheard = BTreeSet::new();
        for line in lines.iter().filter(|line| line.kind != "public key file") {
            let Some(identity_id) = line.identity_id.as_deref() else { continue };
            let key = line.key_hash.as_deref().filter(|_| line.mark.is_dated());
            let is_shown = |key: &&str| trusted.iter().any(|trusted| trusted.shows(identity_id, key));
            let unshown = key.filter(|key| !is_shown(key));
            let signer = signers.entry((identity_id, unshown)).or_default();
            *signer.counts.entry(line.mark).or_default() += 1;
            signer.keys.extend(key.map(str::to_owned));
            if line.mark == Mark::Valid {
                signer.documents.extend(line.of.clone());
                unheard.extend(UNHEARD.iter().any(|kind| line.kind == kind.as_str()).then_some(identity_id));
            }
        }
        let with_name = |((identity_id, unshown), signer): ((&str, Option<&str>), Self)| {
            let is_shown = unshown.is_none();
            let creator = trusted.iter().find_map(|trusted| trusted.creator(identity_id)).filter(|_| is_shown);
            let id = identity_id.parse().ok();
            let is_heard = !unheard.contains(identity_id);
            let tells_state = |trusted: &Trusted| id.is_some_and(|id| trusted.tells_state(&id, is_heard));
            let is_state_asked = is_shown && trusted.iter().any(tells_state);
            Self { identity_id: identity_id.to_owned(), is_shown, creator, is_state_asked, ..signer }
        };
        signers.into_iter().map(with_name).collect()
    }

    /// For people.
    pub(super) fn told(&self) -> String {
        let who = match &self.creator {
            Some(creator) => format!("{} ({})", quoted(creator), short(&self.identity_id)),
            None if !self.is_shown => format!("says to be {}", self.identity_id),
            None => self.identity_id.clone(),
        };
        let keys: Vec<_> = self.keys.iter().map(String::as_str).collect();
        let keys = if keys.is_empty() { String::new() } else { format!(", key {}", keys.join(", ")) };
        let documents: Vec<_> = self.documents.iter().map(|document| quoted_path(document)).collect();
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
        let counts = self.counts.iter().map(|(mark, count)| (mark.word().to_owned(), integer(*count))).collect();
        object([
            ("creator", self.creator.clone().map_or(Value::Null, text)),
            ("documents", Value::Array(self.documents.iter().map(|document| text(path_text(document))).collect())),
            ("identity_id", text(self.identity_id.as_str())),
            ("identity_shown", Value::Bool(self.is_shown)),
            ("keys", Value::Array(self.keys.iter().map(text).collect())),
            ("records", Value::Object(counts)),
            ("state_asked", Value::Bool(self.is_state_asked)),
        ])
    }
}
