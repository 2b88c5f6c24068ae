//! What checking a seal gives: each layer's outcome, and one conclusion.

use super::text::{DualSeal, SealFormat};
use crate::id::IdentityId;
use crate::verdict::Verdict;
use alloc::string::String;

/// The outcome of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerOutcome {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// The policy did not ask for it.
    NotChecked,
    /// The seal does not have it.
    Absent,
}

/// A payload whose layer A held, with a seal key that the verifier holds. It was made by somebody who has that key,
/// which may be the verifier; no key state was consulted. Only a check makes one, and it is never a
/// [`Verified`](crate::verdict::Verified).
///
/// ```compile_fail,E0308
/// use dualseal::seal::{Authenticated, DualSeal};
/// use dualseal::Verified;
///
/// fn pay(_: Verified<DualSeal>) {}
///
/// fn handle(authenticated: Authenticated) {
///     pay(authenticated)
/// }
/// ```
///
/// ```
/// use dualseal::seal::{Authenticated, DualSeal};
/// use dualseal::Verified;
///
/// fn note(_: Authenticated) {}
///
/// fn handle(authenticated: Authenticated) {
///     note(authenticated)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authenticated {
    pub(super) identity_id: IdentityId,
    pub(super) format: SealFormat,
}

impl Authenticated {
    /// Whose seal key it was, as the verifier says.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The format of the seal.
    #[must_use]
    pub fn format(&self) -> SealFormat {
        self.format
    }
}

/// What the layers come to under the policy.
#[derive(Clone, Debug)]
#[must_use = "a conclusion that nobody looks at protects nobody"]
pub enum Conclusion {
    /// Under the policies `Both` and `LayerB`.
    Verdict(Verdict<DualSeal>),
    /// Under the policy `LayerA`: it holds.
    Authenticated(Authenticated),
    /// Under the policy `LayerA`: it does not hold, or is not enough.
    NotAuthenticated,
}

/// The outcome of a seal check.
#[derive(Clone, Debug)]
#[must_use = "a report that nobody looks at protects nobody"]
pub struct SealReport {
    /// HMAC-SHA3-512 with the seal key.
    pub layer_a: LayerOutcome,
    /// ML-DSA-65 with a key of the identity.
    pub layer_b: LayerOutcome,
    /// What that comes to.
    pub conclusion: Conclusion,
}

/// What a seal check comes to, in the words of the wire. There is no way to ask it for a bool: what is not refused may
/// still be a decoy's, or authenticated alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SealOutcome {
    /// Valid, or under the policy `LayerA` authenticated.
    Ok,
    /// A honeypot key made it. Only the operator is told.
    Decoy,
    /// The key is suspended.
    Suspended,
    /// Anything else.
    Rejected,
}

impl SealOutcome {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Decoy => "decoy",
            Self::Suspended => "suspended",
            Self::Rejected => "rejected",
        }
    }

    /// The pair on the wire: `[true,"ok"]`, `[false,"decoy"]`, `[false,"suspended"]` or `[false,"rejected"]`.
    #[must_use]
    pub fn to_json(self) -> String {
        alloc::format!("[{},\"{}\"]", self == Self::Ok, self.as_str())
    }
}

impl SealReport {
    /// What the operator is told.
    #[must_use]
    pub fn internal(&self) -> SealOutcome {
        match &self.conclusion {
            Conclusion::Authenticated(_) | Conclusion::Verdict(Verdict::Valid(_)) => SealOutcome::Ok,
            Conclusion::Verdict(Verdict::Decoy(_)) => SealOutcome::Decoy,
            Conclusion::Verdict(Verdict::Suspended(_)) => SealOutcome::Suspended,
            Conclusion::NotAuthenticated | Conclusion::Verdict(Verdict::Invalid(_) | Verdict::Revoked(_)) => {
                SealOutcome::Rejected
            }
        }
    }

    /// What everybody else is told: a decoy is `Ok`.
    #[must_use]
    pub fn public(&self) -> SealOutcome {
        match self.internal() {
            SealOutcome::Decoy => SealOutcome::Ok,
            outcome => outcome,
        }
    }
}
