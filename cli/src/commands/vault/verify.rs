//! Verifying a ledger, one of its records, or a record that left it.

use super::erasures::Erasures;
use super::keys::TierName;
use super::ledger::{Ledger, Which, read_record, stored_hash};
use super::operators::{Operators, uncovered};
use crate::commands::verify::{
    KNOWN_HERE, ShownBy, Signer, Who, compromise_of_only, dates, has_dates, known_here, of_records, tell_dates,
    tell_unplaced, verdict,
};
use crate::context::Context;
use crate::evidence::{Evidence, OfLog};
use crate::failure::{Failure, HOME, USAGE};
use crate::output::{Report, integer, object, path_text, text};
use crate::trust::{self, Trust};
use dualseal::encoding::json::Value;
use dualseal::error::Layer;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::krunica::Ignored;
use dualseal::vault::{
    LedgerCheck, LedgerSummary, LocatedLedger, Public, Standing, StoredHash, Tier, TierKeys, TierPolicy, VaultMaster,
    VaultOutcome, VaultPolicy, VaultRecord, VaultReport, VaultVerifier,
};
use dualseal::verdict::AsOf;
use dualseal::{Error, IdentityId, Located, Verdict, VerdictKind};
use dualseal_operator::paths::Show;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault verify
  $ dualseal vault verify 0
  $ dualseal vault verify --policy public
  $ dualseal vault verify --file deed.vault.json --stored deed.stored --key ana.pem
  $ dualseal vault verify --file deed.vault.json --stored deed.stored --key ana.pem \\
      --tier-key ana.tier.pem --least-tier native
  $ dualseal vault verify --file deed.vault.json --stored deed.stored --key ana.pem \\
      --chain vaulted.jsonl --checkpoint vaulted.json --log-key log.pem";

/// Verifies the ledger or one of its records, layer by layer
///
/// The operator's policy asks for every layer, with the secrets of the ledger and its place in the chain. The public
/// one is what anybody can check, also of files that left the ledger (--file).
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A record, by its place in the ledger or its vault id [default: the whole ledger]
    record: Option<String>,

    /// Whose checks [default: operator for the ledger, public for a file]
    #[arg(long, conflicts_with = "file")]
    policy: Option<Policy>,

    /// A record that left the ledger
    #[arg(long, value_name = "FILE", requires = "stored", conflicts_with = "record")]
    file: Option<PathBuf>,

    /// Its stored bytes
    #[arg(long, value_name = "FILE", requires = "file")]
    stored: Option<PathBuf>,

    /// The sealer's public key file, for the public policy [default: the home folder's ring]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// A ring, for the public policy; without a checkpoint of its log it is unattested
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    ring: Option<PathBuf>,

    /// A file of the key that shows the sealer's tier; may be given several times
    #[arg(long, value_name = "FILE", requires = "file")]
    tier_key: Vec<PathBuf>,

    /// The least tier that is good enough, shown by one of these keys [default: any]
    #[arg(long, value_name = "TIER", requires = "tier_key")]
    least_tier: Option<TierName>,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    #[command(flatten)]
    signer: Signer,

    #[command(flatten)]
    evidence: Evidence,

    #[command(flatten)]
    which: Which,
}

/// Whose checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Policy {
    /// All layers; needs the secrets of the ledger and a checkpoint
    Operator,
    /// What anybody can check
    Public,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    if let (Some(file), Some(stored)) = (&args.file, &args.stored) {
        return verify_file(file, stored, args, context);
    }
    if args.signer.is_said() {
        let hint = "leave --identity and --any-signer out, or give the record with --file";
        return Err(Failure::new(USAGE, "a ledger of the home folder is of one identity, which it names", hint));
    }
    let trust = args.key.as_ref().or(args.ring.as_ref());
    let public = args.policy == Some(Policy::Public);
    if trust.is_some() && !public {
        let hint = "add --policy public, or leave --key and --ring out";
        return Err(Failure::new(USAGE, "the operator's checks are made with the home folder's ring", hint));
    }
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    if public {
        let (trust, located) = if let Some(path) = trust {
            // Whoever names a key is asked for no passphrase.
            let trust = args.evidence.attested(trust::read(path)?, home.domain())?;
            (trust, ledger.located(home.ring_file()?.unchecked())?)
        } else {
            let ring = home.ring(context.passphrase())?;
            let located = ledger.located(&ring)?;
            (Trust::Own(KeyRing::clone(&ring)), located)
        };
        let ring = trust.ring(Some(&ledger.identity_id))?;
        let policy = Public { tiers: TierPolicy::any() };
        let verify = |ring: &KeyRing, shown_by| {
            let verifier = VaultVerifier::new(ledger.domain(), ring, &Unprepared);
            let by = By { ring, verifier: &verifier, shown_by };
            verify_own(args, &ledger, &by, &policy, located.as_ref(), None)
        };
        let report = verify(&ring, ShownBy::of(&trust))?;
        // Whatever was pinned: this home folder knows what became of its keys.
        let own = if let Trust::Pinned(file) = &trust {
            let own = home.ring_file()?.unchecked().clone();
            let is_known = own.has_key(&ledger.identity_id, &file.key) || own.is_trap(&file.key);
            Some(own).filter(|_| is_known && report.status() == 0)
        } else {
            None
        };
        let known = own.map(|own| verify(&own, ShownBy::Ring)).transpose()?.filter(|known| known.status() != 0);
        let report = known.map_or(report, |known| known.note(KNOWN_HERE));
        return Ok(trust::tell(&trust, report).member("ring_unverified", Value::Null));
    }
    let operators = match Operators::new(&ledger, context) {
        Ok(operators) => operators,
        // What the records are under a key that was called back needs no checkpoint.
        Err(failure) if failure.code().is_none() && VerdictKind::Decoy.code() >= failure.status().into() => {
            let ring = home.ring(context.passphrase())?;
            let verifier = VaultVerifier::new(ledger.domain(), &ring, &Unprepared);
            let by = By { ring: &ring, verifier: &verifier, shown_by: ShownBy::Ring };
            let told = verify_own(args, &ledger, &by, &Public { tiers: TierPolicy::any() }, None, None)?;
            let told = told.member("ring", Value::Null).member("ring_unverified", Value::Null);
            return if told.status() == 0 { Err(failure) } else { Ok(told) };
        }
        Err(failure) => return Err(failure),
    };
    let (verifier, policy) = (operators.verifier(), operators.policy()?);
    let (located, master) = (Some(&operators.located), Some(&operators.keys.master));
    let by = By { ring: &operators.ring, verifier: &verifier, shown_by: ShownBy::Ring };
    let report = verify_own(args, &ledger, &by, &policy, located, master)?;
    Ok(report.member("ring", Value::Null).member("ring_unverified", Value::Null))
}

/// By whose keys it is verified.
struct By<'a> {
    ring: &'a KeyRing,
    verifier: &'a VaultVerifier<'a>,
    shown_by: ShownBy,
}

/// The ledger, or one record of it, under one policy.
fn verify_own<P: VaultPolicy>(
    args: &Args,
    ledger: &Ledger<'_>,
    by: &By<'_>,
    policy: &P,
    located: Option<&LocatedLedger>,
    master: Option<&VaultMaster>,
) -> Result<Report, Failure> {
    let By { ring, verifier, shown_by } = *by;
    let name = policy_name(args.policy.unwrap_or(Policy::Operator));
    let Some(which) = &args.record else {
        let found = whole(ledger, ring, verifier, policy, located)?;
        let mut report = tell_whole(&found, args.public, ledger).detail("policy", "policy", name);
        if found.outcome.is_ok() && !args.public {
            let erasures = Erasures::read(ledger, ring, located)?;
            let mut notes = match master {
                Some(master) => erasures.notes(ledger, master)?,
                None => Vec::new(),
            };
            ledger.each(|record| {
                notes.extend(erasures.note(ledger, &record));
                Ok(())
            })?;
            report = notes.into_iter().fold(report, Report::note);
        }
        return Ok(report);
    };
    let (seq, record) = ledger.find(which)?;
    // A record is verified whatever the others are.
    let erasures = if args.public { None } else { Erasures::read(ledger, ring, located).ok() };
    let note = erasures.and_then(|erasures| erasures.note(ledger, &record));
    let stored = ledger.stored_hash(seq)?;
    let (at, after) = (located.and_then(|located| located.locate(&record)), ledger.head_before(seq)?);
    let standing = Standing { place: at.as_ref(), after: after.as_ref() };
    let as_of = dated(verifier, &record, &stored, &ledger.identity_id, at.as_ref());
    let report = verifier.verify(record, &stored, &ledger.identity_id, policy, standing);
    let told = tell_one(which, &report, args.public, &whose(ring, &ledger.identity_id, shown_by))
        .detail("policy", "policy", name)
        .detail("name", "ledger", ledger.name.as_str())
        .placed(at.as_ref(), None);
    let told = match &as_of {
        // A stranger's ring says itself as of when it speaks.
        Some(as_of) => tell_dates(told, as_of, args.key.is_none() && args.ring.is_none(), args.public),
        None => told.member("as_of", Value::Null),
    };
    Ok(note.into_iter().fold(told, Report::note))
}

fn verify_file(file: &Path, bytes: &Path, args: &Args, context: &Context) -> Result<Report, Failure> {
    let record = read_record(file)?;
    let (home, trust) = context.trust(args.key.as_deref().or(args.ring.as_deref()), "sealer")?;
    let domain = context.domain(trust.domain(), home.as_ref())?;
    let trust = args.evidence.attested(trust, &domain)?;
    let claimed = record.header().identity_id;
    let signer = trust.expected(args.signer.asked(home.as_ref())?, args.signer.any_signer, &claimed)?;
    let ring = trust.ring(Some(&signer))?;
    let wanted = record.entry().clone();
    let shown =
        args.evidence.place(&domain, OfLog { home: home.as_ref(), ring: trust.known() }, &|entry| *entry == wanted)?;
    let at = &shown.at;
    let is_own = home.is_some();
    // The stored bytes may come slowly: nobody else is to wait for them.
    drop(home);
    let stored = stored_hash(domain.domain(), bytes)?;
    let tier_keys = tier_keys(&args.tier_key)?;
    let tiers = TierPolicy::new(tier_keys.as_ref(), args.least_tier.map_or(Tier::Public, Tier::from))?;
    let told = |ring: &KeyRing, shown_by| {
        let verifier = VaultVerifier::new(domain.domain(), ring, &Unprepared);
        let evidence = Standing { place: at.as_ref(), after: None };
        let dates = dated(&verifier, &record, &stored, &signer, at.as_ref());
        let report = verifier.verify(record.duplicate(), &stored, &signer, &Public { tiers }, evidence);
        let told = shown.tell(trust::tell(
            &trust,
            tell_one(&path_text(file), &report, args.public, &whose(ring, &signer, shown_by)),
        ));
        if let Some(as_of) = &dates {
            tell_dates(told, as_of, is_own, args.public)
        } else {
            let holds = !matches!(report.verdict(), Verdict::Invalid(_));
            tell_unplaced(told, compromise_of_only(ring, &signer).filter(|_| holds), args.public)
        }
    };
    let by_key = told(&ring, ShownBy::of(&trust));
    // Whatever was pinned: a home folder that is here knows what became of its keys.
    let known = known_here(context, domain.domain(), &trust, &signer, None).filter(|_| by_key.status() == 0);
    let known = known.map(|known| told(&known, ShownBy::Ring)).filter(|known| known.status() != 0);
    Ok(known
        .map_or(by_key, |known| known.note(KNOWN_HERE))
        .detail("policy", "policy", policy_name(Policy::Public))
        .member("name", Value::Null)
        .line("file", path_text(file))
        .line("domain", domain.to_words())
        .placed(at.as_ref(), shown.until))
}

/// What became of the key of a record before and after its place, by what anybody can check.
fn dated(
    verifier: &VaultVerifier<'_>,
    record: &VaultRecord,
    stored: &StoredHash,
    signer: &IdentityId,
    at: Option<&Located>,
) -> Option<AsOf<VaultRecord>> {
    let policy = Public { tiers: TierPolicy::any() };
    Some(verifier.verify_as_of(record.duplicate(), stored, signer, &policy, at?))
}

/// The keys that were given to show tiers; without any, no tier is checked.
fn tier_keys(files: &[PathBuf]) -> Result<Option<TierKeys>, Failure> {
    let mut keys = TierKeys::new();
    for path in files {
        let file = trust::read_tier_key(path)?;
        let enrolled = keys.enrol(&file.identity_id, file.tier, &file.key);
        enrolled.map_err(|error| Failure::from(error).about(path.shown()))?;
    }
    Ok(Some(keys).filter(|_| !files.is_empty()))
}

/// What came of a whole ledger.
struct Whole {
    outcome: Result<LedgerSummary, Error>,
    /// The record that does not hold, if it is one.
    fault: Option<Fault>,
    vouched: Option<u64>,
    /// What is dated of its records, with the number of the first of which that is said and of how many it is.
    dates: BTreeMap<String, (u64, u64)>,
}

/// A record that does not hold.
struct Fault {
    report: Value,
    layers: Vec<(Layer, VaultOutcome)>,
    seq: u64,
    uncovered: bool,
}

fn whole<P: VaultPolicy>(
    ledger: &Ledger<'_>,
    ring: &KeyRing,
    verifier: &VaultVerifier<'_>,
    policy: &P,
    located: Option<&LocatedLedger>,
) -> Result<Whole, Failure> {
    let vouched = located.map(|located| located.len() as u64);
    let mut check = LedgerCheck::new(verifier, &ledger.id, policy, located);
    let (mut seq, mut dated_of) = (0, BTreeMap::new());
    let matters = has_dates(ring, &ledger.identity_id);
    while let Some(record) = ledger.file_at(seq)? {
        let stored = ledger.stored_hash(seq)?;
        let kept = record.duplicate();
        let at = located.filter(|_| matters).and_then(|located| located.locate(&record));
        if let Some(as_of) = dated(verifier, &record, &stored, &ledger.identity_id, at.as_ref()) {
            for date in dates(&as_of) {
                dated_of.entry(date).or_insert((seq, 0)).1 += 1;
            }
        }
        if let Err(error) = check.push(record, &stored) {
            let fault = fault(kept, &stored, verifier, policy, located);
            return Ok(Whole { outcome: Err(error), fault: Some(fault), vouched, dates: dated_of });
        }
        seq += 1;
    }
    let outcome = check.finish();
    let end = ledger.end()?;
    if outcome.as_ref().is_ok_and(|summary| summary.head != end) {
        let message = "the records hold together, and are not all that this program wrote";
        let failure = Failure::new(HOME, message, "restore the home folder from a copy");
        return Err(failure.about(ledger.path("").shown()));
    }
    Ok(Whole { outcome, fault: None, vouched, dates: dated_of })
}

/// The report on the record that a ledger's check stopped at.
fn fault<P: VaultPolicy>(
    record: VaultRecord,
    stored: &StoredHash,
    verifier: &VaultVerifier<'_>,
    policy: &P,
    located: Option<&LocatedLedger>,
) -> Fault {
    let seq = record.header().seq;
    let at = located.and_then(|located| located.locate(&record));
    let standing = Standing { place: at.as_ref(), after: None };
    let (_, report) = verifier.verify_any_signer(record, stored, policy, standing);
    let layers: Vec<_> = Layer::ALL.into_iter().map(|layer| (layer, report.outcome(layer))).collect();
    Fault { report: json(&report.to_json()), layers, seq, uncovered: uncovered(&report) }
}

fn tell_uncovered(seq: &str) -> Report {
    Report::new(format!("Record {seq} holds together, and no checkpoint vouches for its place yet."))
        .coded(VerdictKind::Suspended.code())
        .member("verdict", text("not covered"))
        .note("Sign a checkpoint that covers it: dualseal checkpoint sign.")
}

fn tell_whole(found: &Whole, public: bool, ledger: &Ledger<'_>) -> Report {
    let uncovered = found.fault.as_ref().filter(|fault| fault.uncovered);
    let told = match (&found.outcome, uncovered) {
        (Ok(summary), _) => tell_summary(summary, public),
        (Err(_), Some(fault)) => tell_uncovered(&fault.seq.to_string()),
        (Err(error), None) => Report::new(format!("NOT VALID: {error}."))
            .coded(error.code())
            .member("verdict", text(VerdictKind::Invalid.as_str()))
            .note("Do not rely on this ledger; keep every file as it is, for it is evidence, and compare with a copy."),
    };
    let summary = found.outcome.as_ref().ok();
    let counts = summary.map_or(Value::Null, |summary| {
        let (decoys, valid) =
            if public { (0, summary.valid + summary.decoys) } else { (summary.decoys, summary.valid) };
        object([
            ("decoys", integer(decoys)),
            ("revoked", integer(summary.revoked)),
            ("suspended", integer(summary.suspended)),
            ("valid", integer(valid)),
        ])
    });
    let mut report = told
        .detail("name", "ledger", ledger.name.as_str())
        .member("as_of", Value::Null)
        .member("public", Value::Bool(public))
        .member("records", summary.map_or(Value::Null, |summary| integer(summary.head.size())))
        .member("result", Value::Null)
        .member("seq", Value::Null)
        .member("summary", counts)
        .member("vault_id", Value::Null)
        .member("vouched", found.vouched.map_or(Value::Null, integer))
        .member("report", Value::Null);
    if let Some(summary) = summary {
        report = report.line("records", summary.head.size().to_string());
    }
    for (date, of) in found.dates.iter().filter(|_| summary.is_some() && !public) {
        report = report.note(of_records(date, *of));
    }
    if let Some(report_of) = summary.and_then(|summary| unverified(&summary.unverified)) {
        report = report.note(report_of);
    }
    match found.vouched {
        Some(vouched) => report = report.line("in the chain", vouched.to_string()),
        None => report = report.note("Without a checkpoint nobody can tell whether records at the end are missing."),
    }
    if let Some(fault) = found.fault.as_ref().filter(|_| !public) {
        report = report.line("record", fault.seq.to_string()).member("report", fault.report.clone());
        report = layers(report, &fault.layers);
    }
    report
}

/// What a reader without the master is told of entries that are of no record here.
fn unverified(entries: &Ignored) -> Option<String> {
    let first = entries.entries().first()?.seq;
    let count = entries.entries().len() as u64 + entries.more();
    Some(format!(
        "{count} entries of the chain, the first at {first}, name this ledger and are of no record here: only the \
         operator can tell whether records are missing or somebody else wrote them."
    ))
}

fn tell_summary(summary: &LedgerSummary, public: bool) -> Report {
    let decoys = if public { 0 } else { summary.decoys };
    let (kind, sentence) = match (decoys, summary.revoked, summary.suspended) {
        (0, 0, 0) => (VerdictKind::Valid, "Valid: every record of the ledger holds, in its place.".to_owned()),
        (0, 0, count) => (VerdictKind::Suspended, format!("SUSPENDED: the key of {count} records is suspended.")),
        (0, count, _) => (VerdictKind::Revoked, format!("REVOKED: the key of {count} records was called back.")),
        (count, ..) => (VerdictKind::Decoy, format!("DECOY: a stolen honeypot key made {count} records.")),
    };
    Report::new(sentence).coded(kind.code()).member("verdict", text(kind.as_str()))
}

/// Whose records of a ledger are: they carry no key, and of several nobody says which it was.
fn whose(ring: &KeyRing, identity_id: &IdentityId, shown_by: ShownBy) -> Who {
    let mut keys = ring.keys(identity_id).map(|(key, _)| *key.hash());
    let only = keys.next().filter(|_| keys.next().is_none());
    Who { key: only, shown_by, ..Who::default() }
}

/// One record, with its layers. Of a refusal outsiders see none.
fn tell_one<T: AsRef<VaultRecord>>(which: &str, report: &VaultReport<T>, public: bool, who: &Who) -> Report {
    let shown = if public { json(&report.to_public_json()) } else { json(&report.to_json()) };
    let hidden = public && report.verdict().public().as_ref().valid != Some(true);
    let told = if uncovered(report) && !public {
        let result = json(&report.verdict().internal().to_json());
        tell_uncovered(which).member("public", Value::Bool(false)).member("result", result)
    } else {
        // What does not hold is by no key that anybody knows.
        let holds = !matches!(report.verdict(), Verdict::Invalid(_));
        let who = Who { key: who.key.filter(|_| holds), ..who.clone() };
        verdict::report_of("vault record", report.verdict(), public, &who)
    };
    let told = told
        .detail("vault_id", "vault id", report.vault_id().to_hex())
        .member("records", integer(1))
        .member("report", shown)
        .member("summary", Value::Null)
        .member("vouched", Value::Null);
    if hidden {
        return told;
    }
    let found: Vec<_> = Layer::ALL.into_iter().map(|layer| (layer, report.outcome(layer))).collect();
    layers(told, &found)
}

fn layers(report: Report, layers: &[(Layer, VaultOutcome)]) -> Report {
    layers.iter().fold(report, |report, (layer, outcome)| report.line(layer.as_str(), outcome.to_string()))
}

fn policy_name(policy: Policy) -> &'static str {
    match policy {
        Policy::Operator => "operator",
        Policy::Public => "public",
    }
}

fn json(text: &str) -> Value {
    Value::parse(text.as_bytes()).unwrap_or(Value::Null)
}
