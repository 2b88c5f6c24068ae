//! The report on a record: each layer with its outcome and reason, and one verdict.

use super::erasable::Erasable;
use super::policy::OperatorRecord;
use crate::encoding::json::{Writer, written};
use crate::encoding::record::Form;
use crate::error::Layer;
use crate::id::VaultId;
use crate::vault::record::VaultRecord;
use crate::verdict::{Verdict, VerificationResult};
use alloc::string::String;
use core::fmt;

/// What came of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VaultOutcome {
    /// It holds.
    Pass,
    /// It does not.
    Fail(LayerFailure),
    /// It is there for people to read, and nothing can be checked.
    Recorded,
    /// What would be needed was not given.
    NotChecked(Unchecked),
    /// The record's tier has no such layer.
    NotRequired,
}

/// Why a layer does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LayerFailure {
    /// L0: zeros before a record that is not the first, or something else before the first.
    Genesis,
    /// L0: it does not follow the record before it.
    Previous,
    /// L0: the hash is not the one of the stored bytes and the hash before.
    ChainHash,
    /// L2: made with the keys of another master, by its `key_id`.
    AnotherMaster,
    /// L2: the HMAC does not hold.
    SessionMac,
    /// L3: the stored bytes are not those that were sealed.
    Baseline,
    /// L3: the stored bytes have another length.
    Length,
    /// L3: `vault_id` is not the identifier of these bytes at this place.
    VaultId,
    /// L4: a lower tier than was asked for.
    TierTooLow,
    /// L4: the verifier does not hold this key for the identity and tier.
    KeyNotHeld,
    /// L4: the signature does not hold.
    TierSignature,
    /// L5: the ring has no key for the identity.
    UnknownIdentity,
    /// L5: layer A, the HMAC, does not hold.
    LayerA,
    /// L5: layer B, the signature, holds with no key of the identity.
    LayerB,
    /// L5: the key is retired, and the record was not shown to stand in the chain before its retirement.
    RetiredKey,
    /// L5: `seal_id` is not its identifier.
    SealId,
    /// L6: it, or `krunica_hash`, is not the handle of L8's entry.
    Handle,
    /// L7: the block does not hold the digest of this record's fragment.
    Digest,
    /// L7: the fragment in the record is another one.
    Fragment,
    /// L8: the entry is not the one of this record.
    Entry,
    /// L6 and L8: the place in the chain that was given is another entry's.
    Located,
}

/// Why a layer was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unchecked {
    /// The policy has no master.
    NoMaster,
    /// No keys of tiers were given.
    NoKeys,
    /// The record's place in the chain was not given.
    NotLocated,
}

impl LayerFailure {
    /// The reason in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Genesis => "zeros before it, and not the first of its ledger, or the first without them",
            Self::Previous => "does not follow the record before it",
            Self::ChainHash => "not the hash of the stored bytes and the record before",
            Self::AnotherMaster => "another master",
            Self::SessionMac => "the HMAC does not hold",
            Self::Baseline => "the stored bytes were changed",
            Self::Length => "the stored bytes have another length",
            Self::VaultId => "not the identifier of these bytes at this place",
            Self::TierTooLow => "a lower tier than was asked for",
            Self::KeyNotHeld => "no key that is held for this identity and tier",
            Self::TierSignature => "the signature of the tier does not hold",
            Self::UnknownIdentity => "unknown identity",
            Self::LayerA => "layer A does not hold",
            Self::LayerB => "layer B does not hold",
            Self::RetiredKey => "retired key",
            Self::SealId => "another seal_id",
            Self::Handle => "not the handle of the chain entry",
            Self::Digest => "not the digest of the fragment",
            Self::Fragment => "another fragment",
            Self::Entry => "not the chain entry of this record",
            Self::Located => "stands elsewhere in the chain",
        }
    }
}

impl Unchecked {
    /// The reason in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoMaster => "no master given",
            Self::NoKeys => "no keys given",
            Self::NotLocated => "not located under a checkpoint",
        }
    }
}

impl VaultOutcome {
    /// The outcome in reports: `pass`, `fail`, `recorded`, `not_checked` or `not_required`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail(_) => "fail",
            Self::Recorded => "recorded",
            Self::NotChecked(_) => "not_checked",
            Self::NotRequired => "not_required",
        }
    }

    /// Why it failed, or was not checked.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Fail(failure) => Some(failure.as_str()),
            Self::NotChecked(unchecked) => Some(unchecked.as_str()),
            Self::Pass | Self::Recorded | Self::NotRequired => None,
        }
    }
}

impl fmt::Display for VaultOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        self.reason().map_or(Ok(()), |reason| write!(f, ": {reason}"))
    }
}

/// What a verification says of a record. `Display` gives ten lines for people; the JSON has two forms, as every record
/// that shows the state of a key.
#[derive(Debug)]
#[must_use = "a report that nobody looks at protects nobody"]
pub struct VaultReport<T> {
    about: About,
    outcomes: Outcomes,
    verdict: Verdict<T>,
    erasable: Option<Erasable>,
}

/// Which record it was.
#[derive(Debug)]
struct About {
    vault_id: VaultId,
    seq: u64,
    kind: String,
}

/// One outcome for each layer.
pub(super) type Outcomes = [VaultOutcome; 9];

/// The order in which the first layer that fails is looked for: L1 never fails.
const ORDER: [Layer; 8] = [Layer::L0, Layer::L2, Layer::L3, Layer::L4, Layer::L5, Layer::L6, Layer::L7, Layer::L8];

/// The first layer that fails. Where none does, the first that was not checked and is not tolerated so: what was not
/// given must not hide what was tampered with.
pub(super) fn first_fault(outcomes: &Outcomes, tolerates: impl Fn(Layer) -> bool) -> Option<Layer> {
    let failed = ORDER.into_iter().find(|layer| matches!(of(outcomes, *layer), VaultOutcome::Fail(_)));
    let unchecked = |layer: &Layer| matches!(of(outcomes, *layer), VaultOutcome::NotChecked(_)) && !tolerates(*layer);
    failed.or_else(|| ORDER.into_iter().find(unchecked))
}

#[allow(clippy::indexing_slicing, reason = "the array has one outcome for each layer, which is the index")]
fn of(outcomes: &Outcomes, layer: Layer) -> VaultOutcome {
    outcomes[layer as usize]
}

impl<T> VaultReport<T> {
    pub(super) fn new(
        (vault_id, seq, kind): (VaultId, u64, String),
        outcomes: Outcomes,
        verdict: Verdict<T>,
        erasable: Option<Erasable>,
    ) -> Self {
        Self { about: About { vault_id, seq, kind }, outcomes, verdict, erasable }
    }

    /// The record that it is about, by the identifier that the record gives.
    #[must_use]
    pub fn vault_id(&self) -> &VaultId {
        &self.about.vault_id
    }

    /// What came of a layer.
    #[must_use]
    pub fn outcome(&self, layer: Layer) -> VaultOutcome {
        of(&self.outcomes, layer)
    }

    /// The first layer that failed, in the order L0, L2 to L8.
    #[must_use]
    pub fn failed(&self) -> Option<Layer> {
        self.fault(|_| true)
    }

    pub(super) fn fault(&self, tolerates: impl Fn(Layer) -> bool) -> Option<Layer> {
        first_fault(&self.outcomes, tolerates)
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict<T> {
        &self.verdict
    }

    /// The verdict, with the record where it is Valid.
    pub fn into_verdict(self) -> Verdict<T> {
        self.verdict
    }

    /// The report for the operator, as canonical JSON:
    /// `{layers: {L0: {outcome, reason}, …}, result, seq, type, vault_id}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json(true, &self.verdict.internal())
    }

    /// The report for everybody else. A decoy equals a valid record in every field and length; of a refusal it shows
    /// neither the layers nor the reason, so that it cannot be asked for what only the operator can check.
    #[must_use]
    pub fn to_public_json(&self) -> String {
        self.json(matches!(self.verdict, Verdict::Valid(_) | Verdict::Decoy(_)), self.verdict.public().as_ref())
    }

    fn json(&self, shows_layers: bool, result: &VerificationResult) -> String {
        let About { vault_id, seq, kind } = &self.about;
        let layers = |out: &mut Writer| {
            out.open("{");
            for layer in Layer::ALL {
                let outcome = self.outcome(layer);
                out.name(layer.as_str());
                out.open("{");
                out.name("outcome");
                out.text(outcome.as_str());
                out.name("reason");
                match outcome.reason() {
                    Some(reason) => out.text(reason),
                    None => out.null(),
                }
                out.close("}");
            }
            out.close("}");
        };
        written(|out| {
            out.open("{");
            out.name("layers");
            if shows_layers {
                layers(out);
            } else {
                out.null();
            }
            out.name("result");
            VerificationResult::write(result, out);
            out.name("seq");
            out.integer(seq);
            out.name("type");
            out.text(kind);
            out.name("vault_id");
            VaultId::write(vault_id, out);
            out.close("}");
        })
    }
}

impl VaultReport<OperatorRecord> {
    /// The proof that erasing takes: where the verdict is Valid, and where it is Revoked or Suspended and every layer
    /// passes, the signature of the key that is no longer trusted included.
    #[must_use]
    pub fn erasable(&self) -> Option<&Erasable> {
        self.erasable.as_ref()
    }
}

impl<T: AsRef<VaultRecord>> VaultReport<T> {
    /// The record, where the verdict is Valid.
    #[must_use]
    pub fn record(&self) -> Option<&VaultRecord> {
        match &self.verdict {
            Verdict::Valid(verified) => Some(verified.record().as_ref()),
            _ => None,
        }
    }
}

impl<T> fmt::Display for VaultReport<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let About { vault_id, seq, kind } = &self.about;
        // The type comes from the record: escaped, so that it cannot write lines of its own.
        write!(f, "vault record {vault_id}, place {seq}, type {kind:?}: {}", self.verdict.kind().as_str())?;
        if let Verdict::Invalid(rejection) = &self.verdict {
            write!(f, " ({})", rejection.reason().as_str())?;
        }
        for layer in Layer::ALL {
            write!(f, "\n  {layer}  {}", self.outcome(layer))?;
        }
        Ok(())
    }
}
