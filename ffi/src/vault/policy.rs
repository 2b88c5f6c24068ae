//! What a verification of vault records asks for.

use crate::args::{Out, required, text};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use dualseal_core::vault::{self, Operator, Public, TierPolicy};
use std::ffi::c_char;
use std::sync::Arc;

/// The tier of whoever seals, as an argument: a member of [`Tier`].
pub type TierValue = i32;

/// The tier of whoever seals, from the lowest. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Without a key of its own.
    Public = 1,
    /// Shown by an Ed25519 signature.
    Noble = 2,
    /// The highest, shown by an Ed25519 signature.
    Native = 3,
}

/// The tier of the argument of this name.
pub(crate) fn tier(name: &'static str, value: TierValue) -> Result<vault::Tier, CallError> {
    const TIERS: [(Tier, vault::Tier); 3] =
        [(Tier::Public, vault::Tier::Public), (Tier::Noble, vault::Tier::Noble), (Tier::Native, vault::Tier::Native)];
    let found = TIERS.into_iter().find(|(listed, _)| *listed as TierValue == value);
    found.map(|(_, tier)| tier).ok_or_else(|| CallError::unknown_value(name))
}

/// What is asked of records. For one thread at a time while keys are enrolled; threads may share it then.
#[derive(Debug)]
pub struct VaultPolicy(pub(crate) Arc<Asked>);

#[derive(Clone, Debug)]
pub(crate) struct Asked {
    master: Option<Arc<vault::VaultMaster>>,
    keys: Option<vault::TierKeys>,
    least: vault::Tier,
}

/// The policy of the Rust library that is meant.
pub(crate) enum Policy<'a> {
    Public(Public<'a>),
    Operator(Operator<'a>),
}

impl Asked {
    fn hand_over(
        master: Option<Arc<vault::VaultMaster>>,
        least_tier: TierValue,
        out: *mut *mut VaultPolicy,
    ) -> Result<(), CallError> {
        let asked = Self { master, keys: None, least: tier("least_tier", least_tier)? };
        Out::new("policy", out)?.handle(VaultPolicy(Arc::new(asked)));
        Ok(())
    }

    pub(crate) fn policy(&self) -> Result<Policy<'_>, dualseal_core::Error> {
        let tiers = TierPolicy::new(self.keys.as_ref(), self.least)?;
        Ok(match &self.master {
            None => Policy::Public(Public { tiers }),
            Some(master) => Policy::Operator(Operator { master, tiers }),
        })
    }
}

/// Without the chain anybody can make L8, L6 and `krunica_hash` anew: a report under this policy never speaks for the
/// record's place in the chain, unless it was given that place.
///
/// For everybody: L0, L3, L5 by its signature, and L4 at the least tier asked for; L6 and L8 must be consistent. It
/// needs no secret. A least tier above public is verified once a key was enrolled (`dualseal_vault_policy_enrol`);
/// until then `DUALSEAL_STATUS_NO_TIER_KEYS` is returned by whatever verifies.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_new_public(
    least_tier: TierValue,
    policy: *mut *mut VaultPolicy,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || Asked::hand_over(None, least_tier, policy))
}

/// For the operator, who holds the master: every layer that the record's tier requires must pass, its place in the
/// chain included. Unsealing needs what this policy verified. Tiers as for `dualseal_vault_policy_new_public`; without
/// an enrolled key only records of the tier public pass.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_new_operator(
    master: *const VaultMaster,
    least_tier: TierValue,
    policy: *mut *mut VaultPolicy,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = Arc::clone(&required("master", master)?.0);
        Asked::hand_over(Some(master), least_tier, policy)
    })
}

/// Enrols an Ed25519 public key, in hexadecimal, that shows a tier above public for an identity: a key that only a
/// record names shows nothing. One that no strict verifier accepts is refused. Checks that were begun with the policy
/// keep it as it was.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_enrol(
    policy: *mut VaultPolicy,
    identity_id: *const c_char,
    tier: TierValue,
    public_key: *const c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let policy = required("policy", policy)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let tier = self::tier("tier", tier)?;
        let public_key = text("public_key", public_key)?.parse()?;
        let mut keys = policy.0.keys.clone().unwrap_or_default();
        keys.enrol(&identity_id, tier, &public_key)?;
        Arc::make_mut(&mut policy.0).keys = Some(keys);
        Ok(())
    })
}

/// Frees a policy. NULL is ignored. Checks that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_free(policy: *mut VaultPolicy) {
    release(|| give_back(policy));
}
