//! Seals: their signatures for everybody, and layer A for the operator, who has the seal key.

use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::{Audit, SealKeys};
use crate::commands::verify::Layers;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::OwnLog;
use dualseal::seal::{Conclusion, DualSeal, LayerOutcome, Legacy, Policy, Seal, SealCheck, SealReport, SealVerifier};
use dualseal::verdict::AsOf;
use dualseal::{IdentityId, KeyRing};
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
            let hint = "ask for --policy b, the signature alone, which needs no seal key";
            return Err(Failure::new(USAGE, "only the operator, who holds the seal key, can check layer A", hint));
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
            let tried = self.who_could_have(seal);
            let (outcome, signer) = if tried.is_empty() {
                (Judgement::new(Mark::Unchecked, "no key file says whose it could be"), None)
            } else if tried.len() > TRIED {
                let text = format!("{} signers could have made it: give the key of one with --key", tried.len());
                (Judgement::new(Mark::Unchecked, text), None)
            } else {
                let length = self.files[document].length();
                let outcome = self
                    .seal(seal, document, &tried)
                    .unwrap_or_else(|error| (Judgement::new(Mark::Unreadable, error.to_string()), None));
                self.hashed += length * tried.len() as u64;
                outcome
            };
            outcomes.push((index, Some(document), signer, outcome));
        }
        self.tell_all(outcomes);
    }

    /// Those for whom the chain has an entry of this seal; else everybody who is known.
    fn who_could_have(&self, seal: &Seal) -> Vec<IdentityId> {
        let known = self.trusted.identities();
        let Seal::Dual(dual) = seal else { return known.into_iter().collect() };
        let message = dual.chain_message(self.domain());
        let placed: Vec<_> =
            known.iter().filter(|id| self.messages.contains_key(&(**id, message.clone()))).copied().collect();
        if placed.is_empty() { known.into_iter().collect() } else { placed }
    }

    /// The first who made it, and what came of it; whose an invalid seal is, nobody knows.
    fn seal(&self, seal: &Seal, document: usize, tried: &[IdentityId]) -> io::Result<(Judgement, Option<IdentityId>)> {
        let rings: Vec<Cow<'_, KeyRing>> = tried.iter().map(|identity_id| self.ring(identity_id)).collect();
        let mut checks: Vec<SealCheck<'_>> = Vec::new();
        for (identity_id, ring) in tried.iter().zip(&rings) {
            let at = match seal {
                Seal::Dual(dual) => self.messages.get(&(*identity_id, dual.chain_message(self.domain()))),
                Seal::Legacy(_) => None,
            };
            let policy = match (self.seal_keys.0.get(identity_id), self.args.policy) {
                (None, _) => Policy::LayerB,
                (Some(key), Some(Layers::A)) => Policy::LayerA(key),
                (Some(key), _) => Policy::Both(key),
            };
            let verifier = SealVerifier::new(self.domain(), ring, &self.cache);
            checks.push(verifier.begin(seal, identity_id, policy, Legacy::Refused, at));
        }
        self.files[document].read(|part| checks.iter_mut().for_each(|check| check.update(part)))?;
        let mut best = None;
        for (identity_id, check) in tried.iter().zip(checks) {
            // Audited is layer A beside layer B, or alone where that is asked for, which dates nothing.
            let is_dated = self.args.policy != Some(Layers::A) || !self.seal_keys.0.contains_key(identity_id);
            let (found, as_of) = if is_dated {
                let (found, as_of) = check.finish_with_dates();
                (found, Some(as_of))
            } else {
                (check.finish(), None)
            };
            let outcome = told(&found, as_of.as_ref(), self.args.public);
            if outcome.mark != Mark::Invalid {
                return Ok((outcome, Some(*identity_id)));
            }
            best = best.or(Some(outcome));
        }
        Ok((self.told_by(tried.iter(), best.unwrap_or_else(Judgement::no_document)), None))
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
