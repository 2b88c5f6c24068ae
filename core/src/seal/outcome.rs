//! What checking a seal gives: each layer's outcome, and one conclusion.

use super::text::{DualSeal, SealFormat};
use crate::id::IdentityId;
use crate::verdict::Verdict;

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

impl SealReport {
    /// The pair on the wire for the operator: `[true, "ok"]`, `[false, "decoy"]`, `[false, "suspended"]` or
    /// `[false, "rejected"]`.
    #[must_use]
    pub fn internal(&self) -> (bool, &'static str) {
        match &self.conclusion {
            Conclusion::Authenticated(_) | Conclusion::Verdict(Verdict::Valid(_)) => (true, "ok"),
            Conclusion::Verdict(Verdict::Decoy(_)) => (false, "decoy"),
            Conclusion::Verdict(Verdict::Suspended(_)) => (false, "suspended"),
            Conclusion::NotAuthenticated | Conclusion::Verdict(Verdict::Invalid(_) | Verdict::Revoked(_)) => {
                (false, "rejected")
            }
        }
    }

    /// The pair on the wire for everybody else: a decoy reads as `[true, "ok"]`.
    #[must_use]
    pub fn public(&self) -> (bool, &'static str) {
        match self.internal() {
            (false, "decoy") => (true, "ok"),
            pair => pair,
        }
    }
}
