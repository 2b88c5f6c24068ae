//! Seals.

use super::args::Layers;
use super::dated;
use super::means::Means;
use super::record::{KNOWN_HERE, is_retired};
use super::verdict;
use super::who::{ShownBy, Who};
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{Report, path_text, text};
use crate::trust;
use dualseal::encoding::json::Value;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::key::Unprepared;
use dualseal::seal::{Conclusion, DualSeal, LayerOutcome, Legacy, Policy, Seal, SealKey, SealReport, SealVerifier};
use dualseal::verdict::{AsOf, InvalidReason};
use dualseal::{IdentityId, KeyRing, Located, Verdict, VerdictKind};
use dualseal_operator::trust::TrustError;

pub(super) fn verify(means: &Means<'_>, seal: &Seal) -> Result<Report, Failure> {
    let identity_id = signer(means)?;
    let ring = means.ring(Some(&identity_id), None)?;
    let pinned = means.pinned_key()?.map(|key| KeyRing::pinned(&identity_id, key.clone()));
    // Whatever was pinned: a home folder that is here knows what became of its keys.
    let better = means.better(&identity_id, None);
    let key = seal_key(means, &identity_id)?;
    let message = match seal {
        Seal::Dual(dual) => Some(dual.chain_message(means.domain.domain())),
        Seal::Legacy(_) => None,
    };
    let of_seal = |entry: &dualseal::Entry| {
        *entry.identity_id() == identity_id && message.as_deref().is_some_and(|message| entry.message() == message)
    };
    let shown = means.place(&of_seal)?;
    let mut at = shown.at.clone();
    // Whatever is asked of the document is asked while it is read once, where a pipe gives it.
    let early = if at.is_none() && input::is_stream(&means.document) { means.own_place(&of_seal)? } else { None };
    let asked = |ring, key, at| Asked { ring, key, at };
    let first = asked(&ring, key.as_ref(), at.as_ref());
    let by_key = pinned.as_ref().map(|ring| asked(ring, None, None));
    let by_home = better.as_ref().map(|ring| asked(ring, key.as_ref(), at.as_ref()));
    let by_place = early.as_ref().map(|at| asked(&ring, key.as_ref(), Some(at)));
    let mut answers = check(means, seal, &identity_id, [Some(first), by_key, by_home, by_place])?.into_iter();
    let mut next = || answers.next().flatten();
    let none = || Failure::defect("a seal was not verified");
    let ((mut found, mut as_of), by_key, by_home, by_place) = (next().ok_or_else(none)?, next(), next(), next());
    let retired = matches!(&found.conclusion, Conclusion::Verdict(verdict) if is_retired(verdict));
    // The operator's own chain is asked only where it can make a difference: it may be long.
    if at.is_none() && (retired || as_of.as_ref().is_some_and(|as_of| as_of.compromised_from.is_some())) {
        if let Some(answer) = by_place {
            (at, (found, as_of)) = (early, answer);
        } else if let Some(place) = means.own_place(&of_seal)? {
            let again = check(means, seal, &identity_id, [Some(asked(&ring, key.as_ref(), Some(&place)))])?;
            (found, as_of) = again.into_iter().next().flatten().ok_or_else(none)?;
            at = Some(place);
        }
    }
    // The ring says that it is by one of the signer's keys, and the caller by which.
    if by_key.is_some_and(|(by_key, _)| is_invalid(&by_key) && !is_invalid(&found)) {
        return Err(TrustError::OtherKey.into());
    }
    let mut who = means.who(&identity_id, None)?;
    let is_valid = matches!(&found.conclusion, Conclusion::Verdict(verdict) if verdict.kind() == VerdictKind::Valid);
    let is_worse = |known: &SealReport| match &known.conclusion {
        Conclusion::Verdict(verdict) => means.is_worse(verdict.kind()),
        _ => false,
    };
    let known = by_home.filter(|(known, _)| is_valid && is_worse(known));
    let is_known = known.is_some();
    if let Some((known, _)) = known {
        who = Who { shown_by: ShownBy::Ring, ..who };
        (found, as_of) = (known, None);
    }
    let report = tell(means, seal, &identity_id, &found, &who);
    let report = if is_known { report.note(KNOWN_HERE) } else { report };
    let report = shown.tell(trust::tell(&means.trust, report));
    let report = match as_of.as_ref().filter(|as_of| at.is_some() || as_of.failed.is_none()) {
        Some(as_of) if at.is_some() => dated::tell(report, as_of, means.is_own(), means.args.public),
        as_of => dated::tell_unplaced(report, as_of.and_then(|as_of| as_of.compromised_from), means.args.public),
    };
    Ok(report
        .detail("kind", "record", seal.format().as_str())
        .detail("document", "document", path_text(&means.document))
        .detail("domain", "domain", means.domain.to_words())
        .detail("layer_a", "layer A", outcome(found.layer_a))
        .detail("layer_b", "layer B", outcome(found.layer_b))
        .placed(at.as_ref(), shown.until))
}

/// What a seal is verified with.
struct Asked<'a> {
    ring: &'a KeyRing,
    key: Option<&'a SealKey>,
    at: Option<&'a Located>,
}

type Answer = (SealReport, Option<AsOf<DualSeal>>);

/// Verifies a seal in several ways, while its document is read once.
fn check<const N: usize>(
    means: &Means<'_>,
    seal: &Seal,
    identity_id: &IdentityId,
    asked: [Option<Asked<'_>>; N],
) -> Result<[Option<Answer>; N], Failure> {
    let legacy = if means.args.legacy { Legacy::Permitted } else { Legacy::Refused };
    let domain = means.domain.domain();
    let verifiers =
        asked.each_ref().map(|asked| asked.as_ref().map(|asked| SealVerifier::new(domain, asked.ring, &Unprepared)));
    let mut checks = Vec::new();
    for (verifier, asked) in verifiers.iter().zip(&asked) {
        checks.push(match (verifier, asked) {
            (Some(verifier), Some(asked)) => {
                let policy = policy(means, asked.key)?;
                Some((verifier.begin(seal, identity_id, policy, legacy, asked.at), policy))
            }
            _ => None,
        });
    }
    means.parts(|part| checks.iter_mut().flatten().for_each(|(check, _)| check.update(part)))?;
    let mut checks = checks.into_iter();
    Ok(asked.map(|_| {
        let (check, policy) = checks.next().flatten()?;
        // Layer A alone asks for no key, so that nothing is dated.
        if matches!(policy, Policy::LayerA(_)) {
            return Some((check.finish(), None));
        }
        let (found, as_of) = check.finish_with_dates();
        Some((found, Some(as_of)))
    }))
}

fn policy<'k>(means: &Means<'_>, key: Option<&'k SealKey>) -> Result<Policy<'k>, Failure> {
    match (means.args.policy, key) {
        (Some(Layers::B), _) | (None, None) => Ok(Policy::LayerB),
        (Some(Layers::A), Some(key)) => Ok(Policy::LayerA(key)),
        (Some(Layers::Both) | None, Some(key)) => Ok(Policy::Both(key)),
        (Some(_), None) => Err(Layers::without_key()),
    }
}

fn is_invalid(found: &SealReport) -> bool {
    matches!(&found.conclusion, Conclusion::Verdict(Verdict::Invalid(_)))
}

fn tell(means: &Means<'_>, seal: &Seal, identity_id: &IdentityId, found: &SealReport, who: &Who) -> Report {
    let public = means.args.public;
    let report = match &found.conclusion {
        Conclusion::Verdict(verdict) if !means.is_domain_told && is_refused(verdict) => {
            verdict::other_domain("seal", verdict, &means.domain, who)
        }
        Conclusion::Verdict(verdict) => verdict::report_of("seal", verdict, public, who),
        Conclusion::Authenticated(_) => {
            Report::new("Authenticated: whoever holds the seal key made this seal, and nothing was changed.")
                .member("verdict", text("authenticated"))
                .member("public", Value::Bool(public))
                .member("result", Value::Null)
                .member("entered", Value::Null)
                .line("seal key of", identity_id.to_hex())
                .note("No signature was checked, and no key's state was asked for.")
        }
        Conclusion::NotAuthenticated => Report::new("NOT AUTHENTICATED: layer A does not hold, or is not enough.")
            .coded(VerdictKind::Invalid.code())
            .member("verdict", text("not authenticated"))
            .member("result", Value::Null)
            .member("public", Value::Bool(public))
            .note("Ask the sender for the document as it was sealed."),
    };
    let id = seal.info().seal_id.map(|id| id.to_string());
    report.member("seal_id", id.map_or(Value::Null, text))
}

/// Whether another document or another domain could be what is wrong.
fn is_refused(verdict: &Verdict<DualSeal>) -> bool {
    matches!(verdict, Verdict::Invalid(rejection)
        if matches!(rejection.reason(), InvalidReason::Signature | InvalidReason::Content))
}

/// A seal names nobody: the caller, the key file, or the only key of the home folder does.
fn signer(means: &Means<'_>) -> Result<IdentityId, Failure> {
    if let Some(identity_id) = means.asked()?.or_else(|| means.trust.identity_id()) {
        return Ok(identity_id);
    }
    if let Some(home) = means.home_with_names()? {
        return home.acting(None).map_err(|failure| failure.hint("say whose seal it is with --identity NAME"));
    }
    let hint = "give --identity, 64 characters that the signer tells you, or the key file with its first lines";
    Err(Failure::new(USAGE, "a seal does not say whose it is, and the key file does not either", hint))
}

/// The seal key, where this is the operator and it is asked for.
fn seal_key(means: &Means<'_>, identity_id: &IdentityId) -> Result<Option<SealKey>, Failure> {
    match means.home()? {
        Some(home) if home.has_seal_key() && means.args.policy != Some(Layers::B) => {
            home.seal_key(identity_id, means.context.passphrase()).map(Some)
        }
        _ => Ok(None),
    }
}

fn outcome(outcome: LayerOutcome) -> &'static str {
    match outcome {
        LayerOutcome::Pass => "pass",
        LayerOutcome::Fail => "fail",
        LayerOutcome::NotChecked => "not checked",
        LayerOutcome::Absent => "absent",
    }
}

/// What is wrong with a file that its name says to be a seal, and that begins as none does.
pub(crate) fn no_seal(bytes: &[u8]) -> Error {
    let parsed: Result<Seal, Error> = String::from_utf8_lossy(bytes).parse();
    parsed.err().unwrap_or_else(|| Malformed::new("seal", None, Problem::UnknownValue).into())
}
