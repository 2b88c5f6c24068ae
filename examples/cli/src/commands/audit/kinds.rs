//! What a file is, by its content.

use super::found::{Mark, Outcome};
use crate::trust::PublicKeyFile;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::inspect::{Inspection, Kind, inspect};
use dualseal::seal::Seal;
use dualseal::threshold::{Session, ThresholdResult};
use dualseal::vault::VaultRecord;
use dualseal::{Entry, Error, SignatureRecord};

/// Records, rings and keys are read whole up to this size; chains and ledgers of any size, line by line.
pub(super) const WHOLE: u64 = 64 << 20;

/// What the name of a file says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A record: anything else is a broken one.
    Record,
    /// Records, one a line.
    Lines,
    Anything,
}

/// What a file is.
pub(super) enum What {
    Signature(Box<SignatureRecord>),
    Seal(Seal),
    Record(Box<VaultRecord>),
    /// Vault records, one a line.
    Ledger,
    Chain,
    Checkpoint(Box<Checkpoint>),
    Session(Box<Session>),
    Result(Box<ThresholdResult>),
    /// Something else that is known, and what there is to say of it at once.
    Told(&'static str, Outcome),
    /// A document, or anything.
    Document,
}

impl What {
    /// A name for people.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Signature(_) => Kind::SignatureRecord.as_str(),
            Self::Seal(Seal::Dual(_)) => Kind::DualSeal.as_str(),
            Self::Seal(Seal::Legacy(_)) => Kind::LegacySeal.as_str(),
            Self::Record(_) => Kind::VaultRecord.as_str(),
            Self::Ledger => "vault ledger",
            Self::Chain => Kind::Chain.as_str(),
            Self::Checkpoint(_) => Kind::Checkpoint.as_str(),
            Self::Session(_) => Kind::ThresholdSession.as_str(),
            Self::Result(_) => Kind::ThresholdResult.as_str(),
            Self::Told(kind, _) => kind,
            Self::Document => "document",
        }
    }

    /// Tells it by the beginning of a file, which is all of it where `complete`.
    pub(super) fn of(bytes: &[u8], complete: bool, named: Named) -> Self {
        match Self::by_content(bytes, complete) {
            // One record a line, of which one is left.
            Self::Record(_) if named == Named::Lines => Self::Ledger,
            Self::Document if named == Named::Record => {
                let error = inspect(bytes).findings.into_iter().next();
                let error = error.unwrap_or_else(|| Malformed::new("record", None, Problem::UnknownValue).into());
                Self::Told("record", Outcome::error(&error))
            }
            what => what,
        }
    }

    fn by_content(bytes: &[u8], complete: bool) -> Self {
        if let Some(told) = pem(bytes) {
            return told;
        }
        if bytes.starts_with(b"SEAL-") {
            return if complete { seal(bytes) } else { Self::Document };
        }
        if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return Self::Document;
        }
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if line.len() < bytes.len() {
            let first = inspect(line);
            match first.kind {
                Kind::ChainLines => return Self::Chain,
                Kind::VaultRecord if resembles(&first, line) && line.len() + 1 < bytes.len() => return Self::Ledger,
                _ => {}
            }
        }
        if complete { whole(bytes) } else { Self::Document }
    }
}

fn seal(bytes: &[u8]) -> What {
    // The line end of its file is no part of a seal.
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let found = inspect(bytes);
    match (found.kind, std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok())) {
        (_, Some(seal)) => What::Seal(seal),
        (Kind::Unknown, None) => What::Document,
        (kind, None) => malformed(kind, &found),
    }
}

fn whole(bytes: &[u8]) -> What {
    let found = inspect(bytes);
    if !resembles(&found, bytes) {
        return What::Document;
    }
    let noted = |text: &str| What::Told(found.kind.as_str(), Outcome::new(Mark::Noted, text));
    let secret = || What::Told(found.kind.as_str(), Outcome::new(Mark::Secret, "it holds a secret: keep it apart"));
    let read = match found.kind {
        Kind::Chain | Kind::ChainLines => return What::Chain,
        _ if !found.findings.is_empty() => return malformed(found.kind, &found),
        Kind::SignatureRecord => SignatureRecord::from_json(bytes).map(|record| What::Signature(Box::new(record))),
        Kind::VaultRecord => VaultRecord::from_json(bytes).map(|record| What::Record(Box::new(record))),
        Kind::Checkpoint => Checkpoint::from_json(bytes).map(|checkpoint| What::Checkpoint(Box::new(checkpoint))),
        Kind::ThresholdSession => Session::from_json(bytes).map(|session| What::Session(Box::new(session))),
        Kind::ThresholdResult => ThresholdResult::from_json(bytes).map(|result| What::Result(Box::new(result))),
        Kind::Entry => Entry::from_json(bytes).map(|_| noted("a single entry; only its chain shows its place")),
        Kind::Ring => Ok(noted("its operator's word; trusted where it is given with --ring")),
        Kind::KeyPairInfo => Ok(noted("somebody's word; a key is trusted where it is given with --key")),
        Kind::VerificationResult => Ok(noted("somebody's word; nothing in it can be verified")),
        Kind::PresenceProof => Ok(noted("it counted once, when it was given")),
        Kind::Shard | Kind::SessionShare => Ok(secret()),
        _ => Ok(What::Document),
    };
    read.unwrap_or_else(|error| What::Told(found.kind.as_str(), Outcome::error(&error)))
}

/// Any object with a member named `time` is closest to one of the records. It is one when most members are there.
fn resembles(found: &Inspection, bytes: &[u8]) -> bool {
    if found.findings.is_empty() {
        return found.kind != Kind::Chain || found.count > Some(0);
    }
    let items = match Value::parse(bytes) {
        Ok(Value::Object(members)) => members.len(),
        // Of an array, the first item tells.
        Ok(Value::Array(items)) => match items.first() {
            Some(Value::Object(members)) => members.len(),
            _ => return false,
        },
        _ => return found.kind == Kind::ChainLines,
    };
    let missing = |error: &&Error| matches!(error, Error::Malformed(m) if matches!(m.problem, Problem::MissingMember));
    found.kind != Kind::Unknown && found.findings.iter().filter(missing).count() * 2 <= items
}

fn malformed(kind: Kind, found: &Inspection) -> What {
    let unknown = || Malformed::new("record", None, Problem::UnknownValue).into();
    let error: Error = found.findings.first().cloned().unwrap_or_else(unknown);
    let outcome = Outcome::error(&error);
    What::Told(kind.as_str(), outcome)
}

fn pem(bytes: &[u8]) -> Option<What> {
    // Text before a key says whose it is; it is short.
    let text = std::str::from_utf8(bytes.get(..16 << 10).unwrap_or(bytes)).ok()?;
    let label = text.split_once("-----BEGIN ")?.1.split_once("-----")?.0;
    match label {
        "PUBLIC KEY" if PublicKeyFile::from_text(text).is_ok() => {
            let outcome = Outcome::new(Mark::Noted, "trusted where it is given with --key");
            Some(What::Told("public key file", outcome))
        }
        label if label.ends_with("PRIVATE KEY") || label.ends_with("DUALSEAL SECRET") => {
            Some(What::Told("secret key file", Outcome::new(Mark::Secret, "keep it apart")))
        }
        _ => None,
    }
}
