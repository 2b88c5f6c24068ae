//! What the verifier knows beforehand, as the page says it: `{fingerprint, signer, witnesses}`, and what else evidence
//! can be asked for: `{needed, least_size, log_until, after, domain}`. What is not there is not asked.

use dualseal::checkpoint::LogFingerprint;
use dualseal::domain::Row;
use dualseal::encoding::json::Value;
use dualseal::error::{EvidenceFault, Rejected};
use dualseal::evidence::{EvidenceFile, EvidencePolicy, ExpectedSigner, OpenEvidence};
use dualseal::note::{NoteKey, Witnesses};
use dualseal::{Domain, Error, Timestamp};
use std::collections::BTreeMap;

use crate::answer::{Fault, Part};

/// What is asked of a file of evidence.
pub(crate) struct Question {
    /// The log's fingerprint, where the person has it from elsewhere.
    fingerprint: Option<LogFingerprint>,
    /// Whose the record must be: an identity or the fingerprint of a key, which look alike.
    signer: Option<String>,
    /// The witnesses who are believed; all of whom must have seen the log, where no number is said.
    witnesses: Witnesses,
    after: Option<Timestamp>,
    least_size: u64,
    log_until: Option<u64>,
    /// The name, or the name and the prefix of the krunica row where that was set by hand.
    domain: Option<Domain>,
}

impl Question {
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Fault> {
        let Ok(Value::Object(members)) = Value::parse(text) else { return Err(Fault::page()) };
        let asked = Asked(members);
        let keys = asked.texts("witnesses").map(NoteKey::from_text).collect::<Result<Vec<_>, _>>();
        let keys = keys.map_err(Fault::of(Part::Witnesses))?;
        let needed = asked.number("needed").map_or(Ok(keys.len()), usize::try_from).map_err(|_| Fault::page())?;
        let fingerprint = asked.text("fingerprint").map(str::parse).transpose();
        Ok(Self {
            fingerprint: fingerprint.map_err(Fault::of(Part::Fingerprint))?,
            signer: asked.text("signer").map(str::to_owned),
            witnesses: Witnesses::new(&keys, needed).map_err(Fault::of(Part::Witnesses))?,
            after: asked.text("after").map(str::parse).transpose().map_err(Fault::of(Part::Page))?,
            least_size: asked.number("least_size").unwrap_or(0),
            log_until: asked.number("log_until"),
            domain: asked.domain().transpose().map_err(Fault::of(Part::Page))?,
        })
    }

    /// Whether the log is believed because of what came from elsewhere.
    pub(crate) fn is_pinned(&self) -> bool {
        self.fingerprint.is_some()
    }

    pub(crate) fn domain(&self) -> Option<&Domain> {
        self.domain.as_ref()
    }

    /// Opens the evidence by the fingerprint from elsewhere, or else by the one that it says itself: then all must hold
    /// alike, and whose log it is nobody vouches for.
    pub(crate) fn open(&self, file: EvidenceFile, said: LogFingerprint) -> Result<OpenEvidence, Fault> {
        let policy = EvidencePolicy {
            log_until: self.log_until,
            domain: self.domain(),
            least_size: self.least_size,
            witnesses: self.witnesses.clone(),
            witnessed_after: self.after,
            ..EvidencePolicy::of_log(self.fingerprint.unwrap_or(said))
        };
        let by = |file: EvidenceFile, signer| {
            file.open(&EvidencePolicy { signer, ..policy.clone() }).map_err(Fault::of(Part::Evidence))
        };
        let Some(signer) = &self.signer else { return by(file, ExpectedSigner::Anybody) };
        let of = Fault::of(Part::Signer);
        let identity = ExpectedSigner::Identity(signer.parse().map_err(&of)?);
        let key = ExpectedSigner::Key(signer.parse().map_err(&of)?);
        match by(file.duplicate(), identity) {
            Err(fault) if fault.is(&Error::Rejected(Rejected::NotShown(EvidenceFault::OtherSigner))) => by(file, key),
            other => other,
        }
    }
}

struct Asked(BTreeMap<String, Value>);

impl Asked {
    fn text(&self, name: &str) -> Option<&str> {
        as_text(self.0.get(name)?)
    }

    fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let items = if let Some(Value::Array(items)) = self.0.get(name) { items.as_slice() } else { &[] };
        items.iter().filter_map(as_text)
    }

    fn number(&self, name: &str) -> Option<u64> {
        if let Some(Value::Integer(number)) = self.0.get(name) { u64::try_from(*number).ok() } else { None }
    }

    fn domain(&self) -> Option<Result<Domain, Error>> {
        match self.0.get("domain")? {
            Value::String(name) => Some(Domain::new(name)),
            Value::Object(members) => {
                let [name, krunica] = ["name", "krunica"].map(|name| members.get(name).and_then(as_text));
                Some(Domain::builder(name?).prefix(Row::Krunica, krunica?).build())
            }
            _ => None,
        }
    }
}

fn as_text(value: &Value) -> Option<&str> {
    if let Value::String(text) = value { Some(text) } else { None }
}
