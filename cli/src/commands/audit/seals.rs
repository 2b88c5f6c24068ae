//! Seals: their signatures for everybody, and layer A for the operator, who has the seal key.

use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::{Audit, SealKeys};
use super::since::Since;
use crate::commands::verify::Layers;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::OwnLog;
use dualseal::seal::{Conclusion, DualSeal, LayerOutcome, Legacy, Policy, Seal, SealCheck, SealReport, SealVerifier};
use dualseal::verdict::{AsOf, InvalidReason};
use dualseal::{IdentityId, KeyRing, Verdict};
use std::borrow::Cow;
use std::io;

/// A seal names nobody: its document is hashed for everybody who could have made it, so many at most.
const TRIED: usize = 64;

impl Audit<'_> {
    /// Reads the seal keys, where they are here and asked for. The passphrase is asked for only where there is a seal.
    pub(super) fn read_seal_keys(&mut self, own: Option<&OwnLog>, context: &Context) -> Result<(), Failure> {
        let asked = self.args.policy;
        let own = own.filter(|own| own.has_seal_key());
        let Some(own) = own.filter(|_| asked != Some(Layers::B)) else {
            if asked.is_none_or(|asked| asked == Layers::B) {
                return Ok(());
            }
            return Err(Layers::without_key());
        };
        if self.whats.iter().any(|what| matches!(what, What::Seal(_))) {
            let keys = own.seal_keys(self.trusted.identities(), context.passphrase());
            self.seal_keys = SealKeys(keys.map_err(|failure| {
                failure.hint("give --passphrase-file, or ask for --policy b, the signatures alone")
            })?);
        }
        Ok(())
    }

    /// Seals, each over the document that its name says.
    pub(super) fn check_seals(&mut self) {
        let mut outcomes = Vec::new();
        for index in 0..self.whats.len() {
            let What::Seal(seal) = &self.whats[index] else { continue };
            let Some(document) = self.named(index) else {
                outcomes.push((index, None, None, Judgement::no_document()));
                continue;
            };
            let (first, others, is_placed) = self.who_could_have(seal);
            let mut tried = self.tried(seal, document, &first);
            let mut hashed = tried.hashed;
            if !tried.is_made && !others.is_empty() {
                let again = self.tried(seal, document, &others);
                hashed += again.hashed;
                if again.is_made || again.outcome.mark == Mark::Unchecked {
                    tried = again;
                }
            }
            self.hashed += hashed;
            let is_nobodys = !is_placed && !tried.is_made && tried.is_refused && !self.args.public;
            let outcome = if is_nobodys { by_nobody_known() } else { tried.outcome };
            outcomes.push((index, Some(document), tried.signer, outcome));
        }
        self.tell_all(outcomes);
    }

    /// Those for whom the chain has an entry of this seal, or else everybody who is known; who is to be tried after
    /// them, since anybody may append such an entry, so that the maker's own may stand before an audit begins; and
    /// whether the chain has an entry of it.
    fn who_could_have(&self, seal: &Seal) -> (Vec<IdentityId>, Vec<IdentityId>, bool) {
        let known = self.trusted.identities();
        let Seal::Dual(dual) = seal else { return (known.into_iter().collect(), Vec::new(), false) };
        let message = dual.chain_message(self.domain());
        let (placed, others): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|id| self.messages.contains_key(&(*id, message.clone())));
        match self.since {
            _ if placed.is_empty() => (others, Vec::new(), false),
            Some(_) => (placed, others, true),
            None => (placed, Vec::new(), true),
        }
    }

    fn tried(&self, seal: &Seal, document: usize, who: &[IdentityId]) -> Tried {
        let untried = |text: String| Tried::nobodys(Judgement::new(Mark::Unchecked, text));
        if who.is_empty() {
            return untried("no key file says whose it could be".to_owned());
        }
        if who.len() > TRIED {
            return untried(format!("{} signers could have made it: give the key of one with --key", who.len()));
        }
        let tried = self.seal(seal, document, who);
        let tried = tried.unwrap_or_else(|error| Tried::nobodys(Judgement::new(Mark::Unreadable, error.to_string())));
        Tried { hashed: self.files[document].length() * who.len() as u64, ..tried }
    }

    /// The first who made it, and what came of it; whose an invalid seal is, nobody knows.
    fn seal(&self, seal: &Seal, document: usize, who: &[IdentityId]) -> io::Result<Tried> {
        let rings: Vec<Cow<'_, KeyRing>> = who.iter().map(|identity_id| self.ring(identity_id)).collect();
        // A seal carries no key: what holds by the key that was named is asked of the rows here as well.
        let mut checks: Vec<(SealCheck<'_>, Option<SealCheck<'_>>)> = Vec::new();
        for (identity_id, ring) in who.iter().zip(&rings) {
            let here = self.trusted.here(identity_id, None).map(|here| self.begin(seal, identity_id, here));
            checks.push((self.begin(seal, identity_id, ring), here));
        }
        self.files[document].read(|part| {
            for (check, here) in &mut checks {
                for check in std::iter::once(check).chain(here) {
                    check.update(part);
                }
            }
        })?;
        let mut best: Option<Tried> = None;
        for (identity_id, (check, here)) in who.iter().zip(checks) {
            // Audited is layer A beside layer B, or alone where that is asked for, which dates nothing.
            let is_dated = self.args.policy != Some(Layers::A) || !self.seal_keys.0.contains_key(identity_id);
            let (found, as_of) = if is_dated {
                let (found, as_of) = check.finish_with_dates();
                (found, Some(as_of))
            } else {
                (check.finish(), None)
            };
            let is_made =
                found.layer_b == LayerOutcome::Pass || matches!(found.conclusion, Conclusion::Authenticated(_));
            let begun = self.since.zip(self.is_after(seal, identity_id)).filter(|_| is_made);
            // An entry from before the beginning may date it, which is not known here.
            let dated = as_of.as_ref().filter(|_| begun.is_none_or(|(_, is_after)| is_after));
            let mut outcome = told(&found, dated, self.args.public);
            if let Some((since, is_after)) = begun {
                outcome = aside(since, is_after, &found, outcome);
            }
            let signer = Some(*identity_id).filter(|_| outcome.mark != Mark::Invalid);
            // Of a layer A that holds it is known whose it is.
            let is_refused = found.layer_a != LayerOutcome::Pass && is_anothers(&found.conclusion);
            let mut tried = Tried { outcome, signer, is_made, is_refused, hashed: 0 };
            if is_made {
                let here = here.map(SealCheck::finish_with_dates);
                let here = here.map(|(found, as_of)| told(&found, Some(&as_of), self.args.public));
                if let Some(worse) = here.filter(|here| here.mark > tried.outcome.mark) {
                    tried.outcome = worse.heard_of(self.trusted.here(identity_id, None));
                }
                return Ok(Tried { outcome: self.told_by([identity_id].into_iter(), tried.outcome), ..tried });
            }
            // A key that was called back tells nothing of what it did not sign.
            if best.as_ref().is_none_or(|best| best.signer.is_some() && tried.signer.is_none()) {
                best = Some(tried);
            }
        }
        let best = best.unwrap_or_else(|| Tried::nobodys(Judgement::no_document()));
        Ok(Tried { outcome: self.told_by(who.iter(), best.outcome), ..best })
    }

    /// Begins to check it as that of one of them, by one ring.
    fn begin<'c>(&'c self, seal: &'c Seal, identity_id: &'c IdentityId, ring: &'c KeyRing) -> SealCheck<'c> {
        let at = match seal {
            Seal::Dual(dual) => self.messages.get(&(*identity_id, dual.chain_message(self.domain()))),
            Seal::Legacy(_) => None,
        };
        let policy = match (self.seal_keys.0.get(identity_id), self.args.policy) {
            (None, _) => Policy::LayerB,
            (Some(key), Some(Layers::A)) => Policy::LayerA(key),
            (Some(key), _) => Policy::Both(key),
        };
        SealVerifier::new(self.domain(), ring, &self.cache).begin(seal, identity_id, policy, Legacy::Refused, at)
    }

    /// Whether the chain has an entry of a seal by its maker after the checkpoint at which the audit begins.
    fn is_after(&self, seal: &Seal, maker: &IdentityId) -> Option<bool> {
        let Seal::Dual(dual) = seal else { return None };
        Some(self.after.messages.contains(&(*maker, dual.chain_message(self.domain()))))
    }
}

/// What came of a seal with some of those who could have made it.
struct Tried {
    outcome: Judgement,
    signer: Option<IdentityId>,
    /// Whether one of them did: a signature holds, or layer A where that alone is asked for.
    is_made: bool,
    /// Whether it does not hold under the keys that were tried, which tells nothing of any other.
    is_refused: bool,
    hashed: u64,
}

impl Tried {
    fn nobodys(outcome: Judgement) -> Self {
        Self { outcome, signer: None, is_made: false, is_refused: false, hashed: 0 }
    }
}

/// Whether a seal that does not hold may be by a key that was not tried.
fn is_anothers(conclusion: &Conclusion) -> bool {
    match conclusion {
        Conclusion::Verdict(Verdict::Invalid(rejection)) => rejection.reason() == InvalidReason::Signature,
        Conclusion::NotAuthenticated => true,
        _ => false,
    }
}

/// A seal names nobody. Where it holds under no key that is known, and the chain has no entry of it by anybody who is,
/// nothing tells whether somebody else made it, or it or its document was changed.
fn by_nobody_known() -> Judgement {
    let text =
        "by none of the keys that are known here over this document: it is by another, or one of them was changed";
    Judgement::new(Mark::Unchecked, text)
}

/// What is said of a seal in place of what came of it, where an audit begins at a checkpoint: whoever made it has no
/// entry of it after that, or one that comes too late, and may have another before.
fn aside(since: &Since, is_after: bool, report: &SealReport, outcome: Judgement) -> Judgement {
    let is_late = matches!(&report.conclusion, Conclusion::Verdict(Verdict::Invalid(rejection))
        if rejection.reason() == InvalidReason::RetiredKey);
    match (is_after, is_late) {
        (true, true) => since.late(),
        (true, false) => outcome,
        // No place mends it. To outsiders a decoy's is as good as any.
        (false, false) if outcome.mark != Mark::Valid => outcome.and([since.before().text]),
        (false, _) => since.before(),
    }
}

fn told(report: &SealReport, as_of: Option<&AsOf<DualSeal>>, public: bool) -> Judgement {
    let verdict = match &report.conclusion {
        Conclusion::Authenticated(_) => {
            return Judgement::new(Mark::Valid, "layer A holds; no signature was checked, and no key's state");
        }
        Conclusion::NotAuthenticated => {
            let code = Some(dualseal::VerdictKind::Invalid.code());
            return Judgement { code, ..Judgement::new(Mark::Invalid, "layer A does not hold") };
        }
        Conclusion::Verdict(verdict) => verdict,
    };
    let outcome = Judgement::verdict(verdict, public);
    let dated = as_of.map_or_else(|| outcome.clone(), |as_of| Judgement::dated(as_of, public));
    let more = match (outcome.mark, report.layer_a, report.layer_b) {
        (Mark::Valid, LayerOutcome::Pass, _) => ", both layers",
        (Mark::Valid, ..) => "; layer A was not checked: only its operator has the seal key",
        (Mark::Invalid, LayerOutcome::Fail, LayerOutcome::Pass) => "; layer A fails, and its signature holds",
        _ => "",
    };
    Judgement { text: dated.text + more, ..outcome }
}
