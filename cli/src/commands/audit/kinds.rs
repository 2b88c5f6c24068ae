//! What a file is, by its content.

use super::judgement::{Judgement, Mark};
use crate::commands::inspect::{DEALING, RECORDS, STREAM, home_file, is_dealing, pem_labels, share_kind, tells_decoys};
use crate::commands::verify::no_seal;
use crate::trust::PublicKeyFile;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::evidence::EvidenceFile;
use dualseal::inspect::{Inspection, Kind, inspect};
use dualseal::seal::Seal;
use dualseal::stream::MAGIC;
use dualseal::threshold::{Session, ThresholdResult};
use dualseal::vault::VaultRecord;
use dualseal::{Entry, Error, SignatureRecord};

/// Records, rings and keys are read whole up to this size; chains and ledgers of any size, line by line.
pub(super) const WHOLE: u64 = 64 << 20;

/// What the name of a file says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A record of this kind: anything else is a broken one.
    Record(Kind),
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
    /// Signature records, with or without vault records, one a line, as an operator keeps his.
    Records,
    Chain,
    Checkpoint(Box<Checkpoint>),
    Session(Box<Session>),
    Result(Box<ThresholdResult>),
    /// A file of evidence, which is read again where it is verified: there may be many.
    Evidence,
    /// An encrypted stream: stored bytes of a vault, or a wrapped file.
    Stream,
    /// JSON that is broken, or lines that are no records. It may be a document, where something vouches for it.
    Broken(Judgement),
    /// Something else that is known, and what there is to say of it at once.
    Told(&'static str, Judgement),
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
            Self::Records => RECORDS,
            Self::Chain => Kind::Chain.as_str(),
            Self::Checkpoint(_) => Kind::Checkpoint.as_str(),
            Self::Session(_) => Kind::ThresholdSession.as_str(),
            Self::Result(_) => Kind::ThresholdResult.as_str(),
            Self::Evidence => Kind::Evidence.as_str(),
            Self::Stream => STREAM,
            Self::Told(kind, _) => kind,
            Self::Broken(_) | Self::Document => "document",
        }
    }

    /// Tells it by the beginning of a file, which is all of it where `complete`.
    pub(super) fn of(bytes: &[u8], complete: bool, named: Named) -> Self {
        if let Named::Record(kind) = named {
            return if complete { record(bytes, kind) } else { malformed(kind, Vec::new()) };
        }
        // One record a line, of which one is left, is a ledger.
        match Self::by_content(bytes, complete) {
            Self::Record(_) if named == Named::Lines => Self::Ledger,
            Self::Signature(_) if named == Named::Lines => Self::Records,
            Self::Document if named == Named::Lines => Self::Broken(fault(inspect(bytes).findings)),
            Self::Document => {
                let told = pem(bytes).or_else(|| share(bytes)).or_else(|| broken_json(bytes, complete));
                told.unwrap_or(Self::Document)
            }
            what => what,
        }
    }

    fn by_content(bytes: &[u8], complete: bool) -> Self {
        if bytes.starts_with(b"SEAL-") {
            return if complete { seal(bytes) } else { Self::Document };
        }
        if bytes.starts_with(&MAGIC) {
            return Self::Stream;
        }
        if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return Self::Document;
        }
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if line.len() < bytes.len() {
            let first = inspect(line);
            match first.kind {
                Kind::ChainLines => return Self::Chain,
                // Whatever the first line is, the others are what they are.
                Kind::VaultRecord | Kind::SignatureRecord
                    if resembles(&first, line) && line.len() + 1 < bytes.len() =>
                {
                    let records = bytes.split(|byte| *byte == b'\n').any(is_signature);
                    return if records { Self::Records } else { Self::Ledger };
                }
                _ => {}
            }
        }
        if complete { whole(bytes) } else { Self::Document }
    }
}

/// What the operator's own files tell.
const TELLS_DECOYS: &str = "it tells which keys are decoys: `dualseal key export --ring` leaves that out";

/// Among the lines of a file, by how its canonical JSON begins.
fn is_signature(line: &[u8]) -> bool {
    line.starts_with(b"{\"algoritam\":") && inspect(line).kind == Kind::SignatureRecord
}

/// A file whose name says that it is a record of this kind, which is not asked what else it could be.
fn record(bytes: &[u8], kind: Kind) -> What {
    let read = if kind == Kind::DualSeal { seal(bytes) } else { whole(bytes) };
    match (kind, read) {
        (Kind::SignatureRecord, read @ What::Signature(_))
        | (Kind::DualSeal, read @ What::Seal(_))
        | (Kind::VaultRecord, read @ What::Record(_))
        | (Kind::Checkpoint, read @ What::Checkpoint(_))
        | (Kind::ThresholdResult, read @ What::Result(_))
        | (Kind::Evidence, read @ What::Evidence) => read,
        (Kind::DualSeal, _) => malformed(kind, vec![no_seal(bytes.strip_suffix(b"\n").unwrap_or(bytes))]),
        // Of another kind, or of none.
        _ => malformed(kind, inspect(bytes).findings),
    }
}

/// What begins as an object of ours does, and breaks off or is no JSON any more.
fn broken_json(bytes: &[u8], complete: bool) -> Option<What> {
    let inside = bytes.trim_ascii_start().strip_prefix(b"{")?.trim_ascii_start();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if !complete || !inside.starts_with(b"\"") || Value::parse(first).is_ok() {
        return None;
    }
    // Numbers with a fraction and the like are JSON, if not ours.
    let error = Value::parse(bytes).err()?;
    let Error::Malformed(Malformed { problem: Problem::JsonSyntax | Problem::Utf8, .. }) = &error else { return None };
    Some(What::Broken(fault(vec![error])))
}

fn seal(bytes: &[u8]) -> What {
    // The line end of its file is no part of a seal.
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let found = inspect(bytes);
    match (found.kind, std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok())) {
        (_, Some(seal)) => What::Seal(seal),
        (Kind::Unknown, None) => What::Document,
        (kind, None) => malformed(kind, vec![no_seal(bytes)]),
    }
}

fn whole(bytes: &[u8]) -> What {
    if is_dealing(bytes) {
        let text = "what the shares of a split file are held against: `dualseal share health`";
        return What::Told(DEALING, Judgement::new(Mark::Noted, text));
    }
    if let Some(kind) = home_file(bytes) {
        if tells_decoys(kind) {
            return What::Told(kind, Judgement::new(Mark::Secret, TELLS_DECOYS));
        }
        return What::Told(kind, Judgement::new(Mark::Noted, "its home folder's own; nothing in it can be verified"));
    }
    let found = inspect(bytes);
    if !resembles(&found, bytes) {
        return What::Document;
    }
    let noted = |text: &str| What::Told(found.kind.as_str(), Judgement::new(Mark::Noted, text));
    let secret = || What::Told(found.kind.as_str(), Judgement::new(Mark::Secret, "it holds a secret: keep it apart"));
    let read = match found.kind {
        Kind::Chain | Kind::ChainLines => return What::Chain,
        _ if !found.findings.is_empty() => return malformed(found.kind, found.findings),
        Kind::SignatureRecord => SignatureRecord::from_json(bytes).map(|record| What::Signature(Box::new(record))),
        Kind::VaultRecord => VaultRecord::from_json(bytes).map(|record| What::Record(Box::new(record))),
        Kind::Checkpoint => Checkpoint::from_json(bytes).map(|checkpoint| What::Checkpoint(Box::new(checkpoint))),
        Kind::ThresholdSession => Session::from_json(bytes).map(|session| What::Session(Box::new(session))),
        Kind::ThresholdResult => ThresholdResult::from_json(bytes).map(|result| What::Result(Box::new(result))),
        Kind::Evidence => EvidenceFile::from_json(bytes).map(|_| What::Evidence),
        Kind::PlaceProof => Ok(noted("it shows a place to whoever holds it against its checkpoint")),
        Kind::KeyProof => Ok(noted("it shows a key to whoever holds it against a checkpoint")),
        Kind::HighWaterMark => Ok(noted("what a signer of checkpoints signed last; nothing in it can be verified")),
        Kind::Entry => Entry::from_json(bytes).map(|_| noted("a single entry; only its chain shows its place")),
        Kind::RingFile => Ok(What::Told(found.kind.as_str(), Judgement::new(Mark::Secret, TELLS_DECOYS))),
        Kind::PublicRing => Ok(noted("its operator's word; trusted where it is given with --ring")),
        Kind::KeyPairInfo => Ok(noted("somebody's word; a key is trusted where it is given with --key")),
        Kind::VerificationResult => Ok(noted("somebody's word; nothing in it can be verified")),
        Kind::PresenceRequest => Ok(noted("it asks for proofs of presence, and proves nothing")),
        Kind::PresenceProof => Ok(noted("it counted once, when it was given")),
        Kind::Shard | Kind::SessionShare => Ok(secret()),
        _ => Ok(What::Document),
    };
    read.unwrap_or_else(|error| What::Told(found.kind.as_str(), Judgement::error(&error)))
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
        // Of lines, the first one tells.
        _ => {
            let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let lines = found.kind == Kind::ChainLines && line.len() < bytes.len();
            return lines && resembles(&inspect(line), line);
        }
    };
    let missing = |error: &&Error| matches!(error, Error::Malformed(m) if matches!(m.problem, Problem::MissingMember));
    found.kind != Kind::Unknown && found.findings.iter().filter(missing).count() * 2 <= items
}

fn malformed(kind: Kind, findings: Vec<Error>) -> What {
    What::Told(kind.as_str(), fault(findings))
}

/// The first finding; without one, it is not what it should be.
fn fault(findings: Vec<Error>) -> Judgement {
    let unknown = || Malformed::new("record", None, Problem::UnknownValue).into();
    let error: Error = findings.into_iter().next().unwrap_or_else(unknown);
    Judgement { mark: Mark::Malformed, ..Judgement::error(&error) }
}

/// A share in one of the texts that `split` writes.
fn share(bytes: &[u8]) -> Option<What> {
    let kind = share_kind(bytes)?;
    Some(What::Told(kind, Judgement::new(Mark::Secret, "it belongs to one holder alone: keep it apart")))
}

fn pem(bytes: &[u8]) -> Option<What> {
    // Text before a key says whose it is; it is short.
    let text = std::str::from_utf8(bytes.get(..16 << 10).unwrap_or(bytes)).ok()?;
    let secret = |label: &str| label.ends_with("PRIVATE KEY") || label.ends_with("DUALSEAL SECRET");
    if pem_labels(text).any(secret) {
        return Some(What::Told("secret key file", Judgement::new(Mark::Secret, "keep it apart")));
    }
    let public = pem_labels(text).next() == Some("PUBLIC KEY") && PublicKeyFile::from_text(text).is_ok();
    let outcome = || Judgement::new(Mark::Noted, "trusted where it is given with --key");
    public.then(|| What::Told("public key file", outcome()))
}
