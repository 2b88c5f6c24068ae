//! Files of evidence: offline, with the document and the log's fingerprint.

use super::args::{Args, agrees};
use super::dated::{dates, until};
use super::verdict;
use super::who::{ShownBy, Who};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{Report, integer, path_text, text};
use crate::trust;
use dualseal::encoding::json::Value;
use dualseal::error::{EvidenceFault, NoteFault, Rejected};
use dualseal::evidence::{EvidenceFile, EvidenceKind, EvidencePolicy, EvidenceReport, ExpectedSigner, OpenEvidence};
use dualseal::mldsa::KeyHash;
use dualseal::note::{NoteKey, Witnesses};
use dualseal::verdict::InvalidReason;
use dualseal::{Error, IdentityId};
use dualseal_operator::paths::Show;
use std::path::Path;

/// Some 30 kB are usual; a key with a long history has more.
pub(crate) const MOST: u64 = 16 << 20;

pub(super) fn verify(args: &Args, path: &Path, context: &Context) -> Result<Report, Failure> {
    let (document, bundle) = (&args.record, &args.bundle);
    input::one_stream([document.as_path(), path].into_iter().chain(bundle.earlier.as_deref()))?;
    let Some(log) = args.evidence.fingerprint() else {
        return Err(Failure::defect("a file of evidence needs a fingerprint"));
    };
    let (key, identity, creator) = expected(args)?;
    let signer = match (key, identity) {
        (Some(key), _) => ExpectedSigner::Key(key),
        (None, Some(identity)) => ExpectedSigner::Identity(identity),
        (None, None) if args.signer.any_signer => ExpectedSigner::Anybody,
        (None, None) => return Err(nobody_expected()),
    };
    let witnesses = believed(&bundle.witness, bundle.witnesses)?;
    let domain = context.asked_domain()?;
    let policy = EvidencePolicy {
        log,
        log_until: bundle.log_until,
        domain: domain.as_ref().map(DomainFile::domain),
        signer,
        least_size: args.evidence.least_size(),
        witnesses,
        witnessed_after: bundle.witnessed_after,
    };
    let refused = |error: Error| refused(error, path);
    let open = read(path)?.open(&policy).map_err(refused)?;
    let earlier = match &bundle.earlier {
        Some(path) => Some((path, earlier(path, &policy)?)),
        None => None,
    };
    let mut check = open.begin();
    let mut before = earlier.as_ref().map(|(_, open)| open.begin());
    input::parts(document, |part| {
        check.update(part);
        if let Some(before) = &mut before {
            before.update(part);
        }
    })?;
    let report = check.finish().map_err(refused)?;
    if let (Some(before), Some((path, _))) = (before, &earlier) {
        let before = before.finish().map_err(|error| self::refused(error, path))?;
        report.compare(&before).map_err(|error| self::refused(error, path))?;
    }
    // Of a key and an identity the library asks for one.
    if identity.is_some_and(|identity| identity != report.identity_id) {
        return Err(refused(EvidenceFault::OtherSigner.into()));
    }
    let kept = bundle.earlier.as_deref().map_or(Value::Null, |path| text(path_text(path)));
    let told = tell(&report, &bundle.witness, creator)
        .detail("evidence", "evidence", path_text(path))
        .detail("document", "document", path_text(document))
        .member("earlier", kept);
    Ok(expectation(told, signer))
}

/// The witnesses who are named, of whom so many must have seen the log: all of them, where no number is said.
pub(crate) fn believed(named: &[NoteKey], needed: Option<usize>) -> Result<Witnesses, Failure> {
    Witnesses::new(named, needed.unwrap_or(named.len())).map_err(|error| {
        Failure::from(error).hint("ask for one witness at least, and no more than you name, each by his own key")
    })
}

/// Reads a file of evidence, and no more of it than one has.
fn read(path: &Path) -> Result<EvidenceFile, Failure> {
    let bytes = input::up_to(path, MOST)?;
    EvidenceFile::from_json(&bytes).map_err(|error| Failure::from(error).about(path.shown()))
}

/// What the verifier kept, of which nothing is asked but that it is of the same log, by a key that counted.
fn earlier(path: &Path, asked: &EvidencePolicy<'_>) -> Result<OpenEvidence, Failure> {
    let EvidencePolicy { log, log_until, domain, .. } = *asked;
    let policy = EvidencePolicy { log_until, domain, ..EvidencePolicy::of_log(log) };
    read(path)?.open(&policy).map_err(|error| refused(error, path))
}

type Expected = (Option<KeyHash>, Option<IdentityId>, Option<String>);

/// The key and the identity that the caller asks for, and from whom that was computed.
fn expected(args: &Args) -> Result<Expected, Failure> {
    let asked = args.signer.asked(None)?;
    let Some(key) = args.key.first() else { return Ok((None, asked, None)) };
    if args.key.len() > 1 {
        return Err(Failure::new(USAGE, "a file of evidence is of one record", "give the key that it must be by"));
    }
    if let Some(hash) = trust::fingerprint(key) {
        return Ok((Some(hash), asked, None));
    }
    let file = trust::read_key(key)?;
    agrees(asked.as_ref(), file.identity_id.as_ref())?;
    Ok((Some(*file.key.hash()), asked.or(file.identity_id), file.creator.map(|creator| creator.name)))
}

fn tell(report: &EvidenceReport, witnesses: &[NoteKey], creator: Option<String>) -> Report {
    let revision = report.checkpoint().ring().map(|ring| ring.revision);
    let who = Who { key: Some(report.key), creator, shown_by: ShownBy::Ring, revision };
    let told = verdict::report_of(noun(report.kind), &report.as_of.verdict, false, &who);
    let place = report.as_of.place.map_or(Value::Null, integer);
    let mut told = told
        .line("in this state", format!("since entry {}", report.since))
        .detail("log", "log", report.log.to_hex())
        .detail("origin", "its name", report.origin())
        .member("seq", place)
        .member("ring", text("attested"))
        .wire("report", Value::parse(report.to_json().as_bytes()).unwrap_or(Value::Null));
    if let Some(size) = report.as_of.size {
        told = until(told, size);
    }
    if let Some(place) = report.as_of.place {
        let checkpoint = report.checkpoint();
        let covered = (checkpoint.tree_head().size, checkpoint.time());
        told = told.line("proven place", format!("entry {place}")).entered(place, Some(covered), report.before());
    } else {
        told = told.member("entered", Value::Null);
    }
    told = told.line(
        "seen before",
        match report.before() {
            Some(time) => time.to_string(),
            None => "nobody says: no witness was asked for".to_owned(),
        },
    );
    for (key, time) in report.witnessed.all() {
        let known = witnesses.iter().find(|known| known.key().as_bytes() == key);
        let name = known.map_or("a witness", |known| known.name().as_str());
        told = told.line("witness", format!("{name} at {time}"));
    }
    if let Some(vault_id) = &report.vault_id {
        told = told.line("erased", vault_id.to_hex());
    }
    told = dates(&report.as_of).into_iter().fold(told, Report::note);
    match report.kind.not_shown() {
        Some(what) => told.note(format!("Beware: {what}.")),
        None => told,
    }
}

/// Every identity of a log's ring can sign any document.
fn nobody_expected() -> Failure {
    let message = "whose record it must be is not said: whoever has a key in this log can sign any document";
    Failure::new(USAGE, message, "say it with --key or --identity, or ask for --any-signer and look at who it was")
}

fn expectation(report: Report, signer: ExpectedSigner) -> Report {
    let word = match signer {
        ExpectedSigner::Anybody => "anybody",
        ExpectedSigner::Identity(_) => "identity",
        ExpectedSigner::Key(_) => "key",
    };
    let report = report.member("expected", text(word));
    if signer == ExpectedSigner::Anybody { report.line("expected", "anybody: look at who it was") } else { report }
}

/// What people call a record.
pub(crate) fn noun(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Signature => "signature",
        EvidenceKind::Seal => "seal",
        EvidenceKind::Vault => "vault record",
        EvidenceKind::Quorum => "quorum's result",
        EvidenceKind::Erasure => "erasure",
        _ => "record",
    }
}

fn refused(error: Error, path: &Path) -> Failure {
    let hint = hint(&error);
    let is_evidence = matches!(error, Error::Rejected(_));
    let failure = Failure::from(error).about(path.shown());
    let failure = if is_evidence { failure.about("NOT VALID") } else { failure };
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// What to do next, where that is more than to keep it.
pub(crate) fn hint(error: &Error) -> Option<&'static str> {
    match error {
        Error::Malformed(malformed) if malformed.field == "domena" => {
            Some("ask the log's operator for its domain, and give it with --domain or --domain-file")
        }
        Error::Rejected(Rejected::Note(NoteFault::TooFewWitnesses { .. })) => {
            Some("ask for the same evidence with the cosignatures of more of your witnesses")
        }
        Error::Rejected(Rejected::NotShown(fault)) => hint_of(*fault),
        _ => None,
    }
}

fn hint_of(fault: EvidenceFault) -> Option<&'static str> {
    match fault {
        EvidenceFault::OtherLog => {
            Some("compare the fingerprint with the log's operator; after a rotation of the log's key it is another one")
        }
        EvidenceFault::Old { .. } => {
            Some("ask for evidence under a newer checkpoint: an old one hides what came since")
        }
        EvidenceFault::Late { .. } => {
            Some("ask for evidence under a checkpoint by the log's new key: whoever has the old one can make any")
        }
        EvidenceFault::NotWitnessedAfter => Some("ask for evidence under a note that your witnesses saw later"),
        EvidenceFault::Retold => Some("keep both files, and every copy: together they convict the log's signer"),
        EvidenceFault::OtherSigner => Some("ask the sender for the evidence of the right signer"),
        EvidenceFault::Record { reason } if reason == InvalidReason::Content.as_str() => {
            Some("the document is not the one that was signed: ask the sender for it as it was, unaltered")
        }
        _ => None,
    }
}
