//! Verifying what a quorum signed.

use super::in_force::{Custody, Which, surroundings};
use super::sign::message_of;
use crate::commands::verify::{KNOWN_HERE, ShownBy, Who, known_here, tell_dates, tell_unplaced, verdict};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::evidence::{Evidence, OfLog};
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use crate::input;
use crate::output::{Report, path_text, text};
use crate::shares::dealt::{numbers, tell_misdealt, words};
use crate::trust::{self, Trust};
use dualseal::encoding::json::Value;
use dualseal::error::{Error, Rejected, ThresholdFault};
use dualseal::id::{MessageHash, SessionId};
use dualseal::key::{Algorithm, Unprepared};
use dualseal::threshold::{
    PinnedQuorum, QuorumResult, Session, SessionInForce, SessionKind, ThresholdResult, verify_pinned_quorum,
    verify_pinned_quorum_as_of, verify_quorum, verify_quorum_as_of,
};
use dualseal::verdict::{AsOf, InvalidReason};
use dualseal::{Domain, Entry, IdentityId, KeyRing, Located, PublicKey, Verdict, VerdictKind};
use dualseal_operator::paths::Show;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal session verify resolution.pdf.quorum.json resolution.pdf --session session.json \\
      --key quorum.pem
  $ dualseal session verify resolution.pdf.quorum.json resolution.pdf share-1.json share-2.json";

/// Verifies what a quorum signed
///
/// The kind ml-dsa-65 needs session.json and the quorum's public key, and no share; by a ring, which holds other keys
/// as well, it needs the session in force. The kind hmac needs as many shares as signing does. Which session is in
/// force the home folder says, or the chain that is given with --chain, --checkpoint, --log-key and --founding.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The result that the quorum gave; `-` is standard input
    result: PathBuf,

    /// The document; `-` is standard input
    document: PathBuf,

    /// Shares, for a session of the kind hmac
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// The quorum's public key file
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// A ring, as its operator gave it out; without a checkpoint of its log it is unattested
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    ring: Option<PathBuf>,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    #[command(flatten)]
    evidence: Evidence,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    input::one_stream([&args.result, &args.document].into_iter().chain(&args.shares))?;
    let about = |error: Error| {
        let hint = "give the result that `dualseal session sign` wrote, whole";
        Failure::from(error).about(args.result.shown()).hint(hint)
    };
    let result = match ThresholdResult::from_json(&input::small(&args.result)?).map_err(about)? {
        ThresholdResult::Signed(result) => result,
        ThresholdResult::Failed(failure) => {
            return Ok(Report::new("NOT VALID: the quorum did not sign.")
                .coded(VerdictKind::Invalid.code())
                .member("verdict", text("invalid"))
                .detail("reason", "reason", failure.reason)
                .detail("algorithm", "algorithm", failure.algorithm.as_str())
                .detail("requester", "asked by", failure.requester.to_hex())
                .detail("document", "document", path_text(&args.document))
                .detail("kind", "record", "threshold result")
                .member("culprits", numbers(failure.culprits.iter().copied()))
                .note("Ask the custodians to sign again."));
        }
    };
    let report = match result.algorithm() {
        Algorithm::ThresholdMlDsa65 => by_key(args, &result, context)?,
        _ => by_shares(args, result.clone(), context)?,
    };
    let culprits = result.culprits();
    let report = if culprits.is_empty() { report } else { report.line("bad shares", words(culprits)) };
    Ok(report
        .detail("kind", "record", "threshold result")
        .detail("document", "document", path_text(&args.document))
        .detail("algorithm", "algorithm", result.algorithm().as_str())
        .detail("requester", "asked by", result.requester().to_hex())
        .detail("krunica_hash", "handle", result.krunica_hash().to_hex())
        .member("culprits", numbers(culprits.iter().copied())))
}

/// With the quorum's public key.
fn by_key(args: &Args, result: &QuorumResult, context: &Context) -> Result<Report, Failure> {
    let trust = args.key.as_ref().or(args.ring.as_ref()).map(|path| trust::read(path)).transpose()?;
    // The document may come slowly: it is read before the home folder is locked.
    let message = message_of(&args.document)?;
    // Whoever names a key or a ring is a stranger, also where there is a home folder.
    let home = if trust.is_some() { None } else { context.home_if_any()? };
    let domain = context.domain(trust.as_ref().and_then(Trust::domain), home.as_ref())?;
    let trust = trust.map(|trust| args.evidence.attested(trust, &domain)).transpose()?;
    let quorum = Quorum::find(args, trust.as_ref(), home.as_ref(), &domain, context)?;
    let ring = quorum.ring();
    let handle = *result.krunica_hash();
    let of = |entry: &Entry| entry.krunica_hash() == handle;
    let dated = |at: &Located| quorum.verify_as_of(domain.domain(), &message, result.clone(), at);
    let shown = args.evidence.place(&domain, OfLog { home: home.as_ref(), ring: Some(ring) }, &of)?;
    let mut at = shown.at.clone();
    let mut as_of = at.as_ref().map(dated);
    let mut verdict = match &as_of {
        Some(as_of) => as_of.verdict.clone(),
        None => quorum.verify(domain.domain(), &message, result.clone()),
    };
    let retired = matches!(&verdict, Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::RetiredKey);
    let compromised_from = quorum.compromised_from();
    if let (None, true, Some(home)) = (&at, retired || compromised_from.is_some(), &home) {
        at = home.own_place(ring, &of)?;
        as_of = at.as_ref().map(dated);
        if let Some(as_of) = &as_of {
            verdict = as_of.verdict.clone();
        }
    }
    let mut shown_by = trust.as_ref().map_or(ShownBy::Ring, ShownBy::of);
    // Whatever was pinned: a home folder that is here knows what became of its keys.
    let known = trust.as_ref().and_then(|trust| quorum.known(trust, &domain, context));
    let known = known.filter(|_| verdict.kind() == VerdictKind::Valid);
    let known = known.map(|known| match &at {
        Some(at) => known.verify_as_of(domain.domain(), &message, result.clone(), at).verdict,
        None => known.verify(domain.domain(), &message, result.clone()),
    });
    let seen = |kind| if args.public { verdict::outward(kind) } else { kind };
    let is_worse = |known: &Verdict<_>| seen(known.kind()) != VerdictKind::Valid;
    let known = known.filter(is_worse);
    let is_known = known.is_some();
    if let Some(known) = known {
        (verdict, shown_by, as_of) = (known, ShownBy::Ring, None);
    }
    let holds = !matches!(verdict, Verdict::Invalid(_));
    let key = quorum.key().map(|(_, key)| *key.hash()).filter(|_| holds);
    let who = Who { key, shown_by, ..Who::default() };
    let report = shown.tell(verdict::report_of("quorum's result", &verdict, args.public, &who));
    let report = if is_known { report.note(KNOWN_HERE) } else { report };
    let report = match &as_of {
        Some(as_of) => tell_dates(report, as_of, home.is_some(), args.public),
        None => tell_unplaced(report, compromised_from.filter(|_| holds), args.public),
    };
    let report = match &trust {
        Some(trust) => trust::tell(trust, report),
        None => report.member("ring", Value::Null),
    };
    Ok(report
        .detail("domain", "domain", domain.to_words())
        .detail("session_id", "session", quorum.session_id().to_hex())
        .member("bad_shares", Value::Array(Vec::new()))
        .member("located", Value::Bool(at.is_some())))
}

/// Whose signature is looked for, and by which keys.
enum Quorum {
    /// The session that is in force, by a ring.
    InForce(Box<SessionInForce>, KeyRing),
    /// By the quorum's key, which the caller has from its operator: nothing else is believed.
    Pinned(Box<PinnedQuorum>, KeyRing),
}

impl Quorum {
    fn find(
        args: &Args,
        trust: Option<&Trust>,
        home: Option<&Home>,
        domain: &DomainFile,
        context: &Context,
    ) -> Result<Self, Failure> {
        let of_kind = |session: &Session| match session.kind() {
            SessionKind::MlDsa65 { identity_id, public_key } => Ok((*identity_id, public_key.clone())),
            SessionKind::Hmac => Err(Failure::from(Error::Rejected(Rejected::Threshold(ThresholdFault::OtherKind)))),
        };
        let (session, ring) = match (trust, home) {
            (Some(trust), _) if args.ring.is_none() => {
                let known = args.which.find(None)?;
                let Some(session) = known.records.last() else {
                    return Err(Failure::new(USAGE, "no session was given", "give its session.json with --session"));
                };
                let (identity_id, public_key) = of_kind(session)?;
                let ring = trust.ring(Some(&identity_id))?;
                let quorum = PinnedQuorum { session_id: *session.session_id(), identity_id, public_key };
                return Ok(Self::Pinned(Box::new(quorum), ring));
            }
            (Some(trust), _) => {
                // A ring holds many keys, and any of them could be named in a record that somebody made up.
                let Some(chain) = args.evidence.chain() else {
                    let hint = "give --chain, --checkpoint, --log-key and --founding, or the quorum's key with --key";
                    return Err(Failure::new(USAGE, "nothing says which session is in force", hint));
                };
                let known = args.which.find(None)?;
                let named = known.records.first().map(of_kind).transpose()?;
                let ring = trust.ring(named.map(|(identity_id, _)| identity_id).as_ref())?;
                (args.which.in_evidence(&args.evidence, chain, domain, &ring)?, ring)
            }
            (None, Some(home)) => {
                let ring = home.ring(context.passphrase())?;
                (args.which.in_force(home, &ring)?, KeyRing::clone(&ring))
            }
            (None, None) => {
                let hint = "ask for the quorum's public key file (quorum.pem) and give it with --key";
                return Err(Failure::new(USAGE, "nothing says whose keys to trust", hint));
            }
        };
        of_kind(session.founder())?;
        Ok(Self::InForce(Box::new(session), ring))
    }

    /// The same by the rows of a home folder that is here, where they have the key that was pinned.
    fn known(&self, trust: &Trust, domain: &DomainFile, context: &Context) -> Option<Self> {
        let Self::Pinned(quorum, _) = self else { return None };
        let key = Some(&quorum.public_key);
        let ring = known_here(context, domain.domain(), trust, &quorum.identity_id, key)?;
        Some(Self::Pinned(quorum.clone(), ring))
    }

    fn ring(&self) -> &KeyRing {
        match self {
            Self::InForce(_, ring) | Self::Pinned(_, ring) => ring,
        }
    }

    fn session_id(&self) -> &SessionId {
        match self {
            Self::InForce(session, _) => session.founder().session_id(),
            Self::Pinned(quorum, _) => &quorum.session_id,
        }
    }

    fn verify(&self, domain: &Domain, message: &MessageHash, result: QuorumResult) -> Verdict<QuorumResult> {
        match self {
            Self::InForce(session, ring) => verify_quorum(session, message, result, ring, &Unprepared, None),
            Self::Pinned(quorum, ring) => {
                verify_pinned_quorum(domain, quorum, message, result, ring, &Unprepared, None)
            }
        }
    }

    fn verify_as_of(
        &self,
        domain: &Domain,
        message: &MessageHash,
        result: QuorumResult,
        at: &Located,
    ) -> AsOf<QuorumResult> {
        match self {
            Self::InForce(session, ring) => verify_quorum_as_of(session, message, result, ring, &Unprepared, at),
            Self::Pinned(quorum, ring) => {
                verify_pinned_quorum_as_of(domain, quorum, message, result, ring, &Unprepared, at)
            }
        }
    }

    /// From where on the quorum's key counts as compromised, if it does.
    fn compromised_from(&self) -> Option<u64> {
        let (identity_id, key) = self.key()?;
        self.ring().compromised_from(identity_id, key.hash())
    }

    fn key(&self) -> Option<(&IdentityId, &PublicKey)> {
        match self {
            Self::InForce(session, _) => match session.founder().kind() {
                SessionKind::MlDsa65 { identity_id, public_key } => Some((identity_id, public_key)),
                SessionKind::Hmac => None,
            },
            Self::Pinned(quorum, _) => Some((&quorum.identity_id, &quorum.public_key)),
        }
    }
}

/// With as many shares as sign.
fn by_shares(args: &Args, result: QuorumResult, context: &Context) -> Result<Report, Failure> {
    if args.shares.is_empty() {
        let hint = "name as many custodians' shares as sign, after the document";
        return Err(Failure::new(USAGE, "a result of the kind hmac is verified with shares", hint));
    }
    let custody = Custody::read(&args.shares, context)?;
    let message = message_of(&args.document)?;
    let (home, domain) = by_shares_in(args, context)?;
    let session = match (args.evidence.chain(), &home) {
        // An HMAC session has no key that a ring could tell of.
        (Some(chain), _) => args.which.in_evidence(&args.evidence, chain, &domain, &KeyRing::nobody())?,
        (None, Some(home)) => args.which.in_force(home, &*home.ring(context.passphrase())?)?,
        (None, None) => {
            let hint = "give --chain, --checkpoint, --log-key, --founding and the session.json with --session";
            return Err(Failure::new(USAGE, "nothing says which session is in force", hint));
        }
    };
    let verified = session.verify_with_shares(&message, result, &custody.shares);
    let report = match verified {
        Ok(authentic) => {
            let note = "Only the custodians can check this, and any quorum of them could have made it; nobody else is \
                        convinced.";
            let sentence = "Authentic: as many custodians as sign made this result, and nothing was changed.";
            let report = Report::new(sentence)
                .coded(VerdictKind::Valid.code())
                .member("verdict", text("authentic"))
                .member("bad_shares", numbers(authentic.culprits().iter().copied()));
            tell_misdealt(report, authentic.misdealt()).note(note)
        }
        Err(Error::Rejected(Rejected::Threshold(ThresholdFault::Signature))) => {
            Report::new("NOT VALID: the result is not what this session made of this document.")
                .coded(VerdictKind::Invalid.code())
                .member("verdict", text("invalid"))
                .member("bad_shares", Value::Array(Vec::new()))
                .note("Ask the sender for the document as it was signed, and for the whole result.")
        }
        Err(error) => return Err(custody.refusal(error, &session)),
    };
    Ok(report
        .member("as_of", Value::Null)
        .member("public", Value::Bool(false))
        .member("ring", Value::Null)
        .member("ring_unverified", Value::Null)
        .member("result", Value::Null)
        .member("located", Value::Bool(false))
        .detail("domain", "domain", domain.to_words())
        .detail("session_id", "session", session.founder().session_id().to_hex()))
}

/// A chain that was given stands for another log than the home folder's.
fn by_shares_in(args: &Args, context: &Context) -> Result<(Option<Home>, DomainFile), Failure> {
    if args.evidence.chain().is_none() {
        return surroundings(context);
    }
    let named = args.evidence.domain()?;
    Ok((None, context.domain(named.as_ref(), None)?))
}
