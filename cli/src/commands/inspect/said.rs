//! What a file says of itself: who, with which key, when. It is the word of whoever wrote the file.

use super::pem::pem_labels;
use crate::chain_file;
use crate::context::Context;
use crate::output::{Report, integer, quoted, text};
use crate::store::CHAIN;
use crate::trust::PublicKeyFile;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::evidence::EvidenceRecord;
use dualseal::inspect::{Kind, inspect};
use dualseal::note::Note;
use dualseal::seal::{DualSeal, Seal};
use dualseal::{Entry, PublicKey, PublicRing, SignatureRecord, Timestamp};
use std::collections::BTreeMap;

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
        if let Ok(seal) = text.strip_suffix('\n').unwrap_or(text).parse() {
            return Self::seal(&seal, context);
        }
        match inspect(bytes).kind {
            Kind::SignatureRecord => SignatureRecord::from_json(bytes).map(|record| Self::record(&record)).ok(),
            Kind::Checkpoint => {
                Checkpoint::from_json(bytes).map(|checkpoint| Self::checkpoint(&checkpoint, context)).ok()
            }
            Kind::PublicRing => PublicRing::from_json(bytes).map(|ring| Self::ring(&ring)).ok(),
            Kind::Evidence => Self::evidence(bytes, context),
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
        said.fingerprint(checkpoint, context)
    }

    /// A seal names nobody and has no time: its entry has both, where the home folder's chain has one.
    fn seal(seal: &Seal, context: &Context) -> Self {
        let Seal::Dual(dual) = seal else { return Self::default().line("signer", LEGACY) };
        let said = Self::default().line("seal id", dual.seal_id().to_string());
        let Some(entry) = entry_of(dual, context) else { return said.line("signer", NOBODY).line("time", NO_TIME) };
        let (identity_id, time) = (entry.identity_id().to_hex(), entry.time());
        let mut said = said.line("signer", format!("{identity_id}, as the chain of the home folder here has it"));
        (said.identity_id, said.time) = (Some(identity_id), Some(time.to_string()));
        said.line("time", format!("{time}, by entry {} of that chain", entry.seq()))
    }

    /// Its record's word, and its checkpoint's.
    fn evidence(bytes: &[u8], context: &Context) -> Option<Self> {
        let Ok(Value::Object(members)) = Value::parse(bytes) else { return None };
        let part = |name: &str| members.get(name)?.to_canonical().ok();
        let record = EvidenceRecord::from_json(part("record")?.as_bytes()).ok()?;
        let checkpoint = Checkpoint::from_json(part("checkpoint")?.as_bytes()).ok()?;
        let key = match record.public_key() {
            Some(key) => Some(key.hash().to_hex()),
            // A vault record has none, and the file brings it.
            None => part("javni_kljuc").and_then(|json| key_of(&json)),
        };
        let (time, word) = match &record {
            EvidenceRecord::Signature(record) => (Some(record.time()), "its own word"),
            EvidenceRecord::Vault(record) => (Some(record.header().created_at), "its own word"),
            EvidenceRecord::Quorum(record) => (Some(record.result.time()), "its own word"),
            EvidenceRecord::Seal(_) => (entry_time(&members), "by its entry"),
        };
        let mut said = Self::default().line("signer", record.identity_id().to_hex());
        said.identity_id = Some(record.identity_id().to_hex());
        if let Some(key) = key {
            said = said.line("key", key.as_str());
            said.key_hash = Some(key);
        }
        if let Some(time) = time {
            said = said.line("time", format!("{time} ({word})"));
            said.time = Some(time.to_string());
        }
        let witnesses = match members.get("note") {
            Some(Value::String(note)) => Note::from_text(note).ok()?.signatures().len().saturating_sub(1),
            _ => 0,
        };
        said.size = Some(checkpoint.tree_head().size);
        said.revision = checkpoint.ring().map(|ring| ring.revision);
        let covers = format!("{} entries, signed at {}", checkpoint.tree_head().size, checkpoint.time());
        let said = said.line("log", quoted(checkpoint.origin())).line("covers", covers);
        let said = said.line("cosigned", format!("by {witnesses} witnesses, which nothing here checked"));
        Some(said.fingerprint(&checkpoint, context))
    }

    /// By which the log is to be compared with its operator.
    fn fingerprint(self, checkpoint: &Checkpoint, context: &Context) -> Self {
        let domain = context.asked_domain().ok().flatten().unwrap_or_default();
        let fingerprint = checkpoint.fingerprint(domain.domain()).to_hex();
        self.line("fingerprint", format!("{fingerprint} in the domain {}", domain.to_words()))
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

const LEGACY: &str = "nobody can tell: a legacy seal has no signature, and whoever has its seal key made it";
const NOBODY: &str = "it names nobody: dualseal verify SEAL DOCUMENT --key FILE tells whether it is by that key";
const NO_TIME: &str = "it has none: the entry in its maker's chain has one";

/// The entry of a seal in the chain of the home folder that is here, as the file has it.
fn entry_of(seal: &DualSeal, context: &Context) -> Option<Entry> {
    let home = context.home_if_any().ok().flatten()?;
    let message = seal.chain_message(home.domain().domain());
    let (mut seq, mut found) = (0, None);
    let read = chain_file::entries(&home.path(CHAIN), |json| {
        if found.is_none() && String::from_utf8_lossy(json).contains(&message) {
            found = Entry::from_json_line(json, seq).ok().filter(|entry| entry.message() == message);
        }
        seq += 1;
        Ok(())
    });
    read.ok()?;
    found
}

/// The time of the entry that a file of evidence brings.
fn entry_time(members: &BTreeMap<String, Value>) -> Option<Timestamp> {
    let json = members.get("entry")?.to_canonical().ok()?;
    Some(Entry::from_json(json.as_bytes()).ok()?.time())
}

/// The fingerprint of a key that stands in hexadecimal.
fn key_of(json: &str) -> Option<String> {
    let Ok(Value::String(hex)) = Value::parse(json.as_bytes()) else { return None };
    Some(PublicKey::from_hex(&hex).ok()?.hash().to_hex())
}
