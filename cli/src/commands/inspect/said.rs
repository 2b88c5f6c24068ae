//! What a file says of itself: who, with which key, when. It is the word of whoever wrote the file.

use super::pem::pem_labels;
use crate::context::Context;
use crate::output::{Report, integer, quoted, text};
use crate::trust::PublicKeyFile;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::inspect::{Kind, inspect};
use dualseal::{PublicRing, SignatureRecord, Timestamp};

/// So many keys of a ring are shown.
const KEYS: usize = 32;

/// What a file says, for people and scripts.
#[derive(Default)]
pub(super) struct Said {
    lines: Vec<(&'static str, String)>,
    identity_id: Option<String>,
    creator: Option<String>,
    key_hash: Option<String>,
    revision: Option<u64>,
    size: Option<u64>,
    time: Option<String>,
}

impl Said {
    /// By a file that is well formed.
    pub(super) fn of(bytes: &[u8], context: &Context) -> Self {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if pem_labels(text).next() == Some("PUBLIC KEY") {
            return PublicKeyFile::from_text(text).map(|file| Self::key_file(&file)).unwrap_or_default();
        }
        match inspect(bytes).kind {
            Kind::SignatureRecord => SignatureRecord::from_json(bytes).map(|record| Self::record(&record)).ok(),
            Kind::Checkpoint => {
                Checkpoint::from_json(bytes).map(|checkpoint| Self::checkpoint(&checkpoint, context)).ok()
            }
            Kind::PublicRing => PublicRing::from_json(bytes).map(|ring| Self::ring(&ring)).ok(),
            _ => None,
        }
        .unwrap_or_default()
    }

    /// As lines, and as members that are null where a file says nothing of it.
    pub(super) fn tell(self, mut report: Report) -> Report {
        let optional = |value: Option<String>| value.map_or(Value::Null, text);
        for (label, line) in self.lines {
            report = report.line(label, line);
        }
        report
            .member("identity_id", optional(self.identity_id))
            .member("creator", optional(self.creator))
            .member("key_hash", optional(self.key_hash))
            .member("revision", self.revision.map_or(Value::Null, integer))
            .member("as_of", self.size.map_or(Value::Null, integer))
            .member("time", optional(self.time))
    }

    fn line(mut self, label: &'static str, line: impl Into<String>) -> Self {
        self.lines.push((label, line.into()));
        self
    }

    fn signed(mut self, label: &'static str, identity_id: String, key: String, time: Timestamp) -> Self {
        (self.identity_id, self.key_hash) = (Some(identity_id.clone()), Some(key.clone()));
        self.time = Some(time.to_string());
        self.line(label, identity_id).line("key", key).line("time", format!("{time} (its own word)"))
    }

    fn record(record: &SignatureRecord) -> Self {
        let (signer, key) = (record.identity_id().to_hex(), record.public_key().hash().to_hex());
        Self::default().signed("signer", signer, key, record.time())
    }

    fn checkpoint(checkpoint: &Checkpoint, context: &Context) -> Self {
        let (signer, key) = (checkpoint.identity_id().to_hex(), checkpoint.public_key().hash().to_hex());
        let size = checkpoint.tree_head().size;
        let said = Self::default().line("log", quoted(checkpoint.origin()));
        let mut said = said.signed("signed by", signer, key, checkpoint.time());
        said.size = Some(size);
        said.revision = checkpoint.ring().map(|ring| ring.revision);
        let said = said.line("covers", format!("{size} entries"));
        let said = match said.revision {
            Some(revision) => said.line("ring revision", revision.to_string()),
            None => said,
        };
        let domain = context.asked_domain().ok().flatten().unwrap_or_default();
        let fingerprint = checkpoint.fingerprint(domain.domain()).to_hex();
        said.line("fingerprint", format!("{fingerprint} in the domain {}", domain.to_words()))
    }

    fn ring(ring: &PublicRing) -> Self {
        let mut said = Self { revision: Some(ring.revision()), ..Self::default() };
        said = said.line("log", quoted(ring.origin().unwrap_or_default()));
        said = said.line("revision", ring.revision().to_string());
        let keys = ring.identities().flat_map(|id| ring.keys(id).map(move |(key, state)| (id, key, state)));
        for (identity_id, key, state) in keys.take(KEYS) {
            let word = crate::commands::key::state::word(state);
            said = said.line(word, format!("{} of {identity_id}", key.hash()));
        }
        said
    }

    fn key_file(file: &PublicKeyFile) -> Self {
        let (identity_id, key) = (file.identity_id.map(|id| id.to_hex()), file.key.hash().to_hex());
        let creator = file.creator.as_ref().map(|creator| creator.name.clone());
        let mut said = Self { identity_id: identity_id.clone(), key_hash: Some(key.clone()), ..Self::default() };
        said.creator.clone_from(&creator);
        said =
            said.line("key", key).line("of", identity_id.unwrap_or_else(|| "nobody: it names no identity".to_owned()));
        if let Some(creator) = creator {
            said = said.line("creator", quoted(&creator));
        }
        if let Some(domain) = &file.domain {
            said = said.line("domain", domain.to_words());
        }
        if let Some(origin) = &file.origin {
            said = said.line("log", quoted(origin));
        }
        said
    }
}
