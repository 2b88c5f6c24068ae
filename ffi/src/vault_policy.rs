//! What a verification of vault records asks for.

use crate::args::{Out, required, text};
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use crate::vault_master::VaultMaster;
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
pub(crate) fn tier(name: &'static str, value: TierValue) -> Result<vault::Tier, Failure> {
    const TIERS: [(Tier, vault::Tier); 3] =
        [(Tier::Public, vault::Tier::Public), (Tier::Noble, vault::Tier::Noble), (Tier::Native, vault::Tier::Native)];
    let found = TIERS.into_iter().find(|(listed, _)| *listed as TierValue == value);
    found.map(|(_, tier)| tier).ok_or_else(|| Failure::unknown_value(name))
}

/// The Ed25519 keys that show a tier, for each identity: a key that only a record names shows nothing. For one thread
/// at a time while it changes.
#[derive(Debug)]
pub struct TierKeys(vault::TierKeys);

/// No keys.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_tier_keys_new(tier_keys: *mut *mut TierKeys, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        Out::new("tier_keys", tier_keys)?.handle(TierKeys(vault::TierKeys::new()));
        Ok(())
    })
}

/// Enrols a public key, in hexadecimal, for an identity and a tier above public. One that no strict verifier accepts is
/// refused.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_tier_keys_enrol(
    tier_keys: Option<&mut TierKeys>,
    identity_id: *const c_char,
    tier: TierValue,
    public_key: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let tier_keys = required("tier_keys", tier_keys)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let tier = self::tier("tier", tier)?;
        tier_keys.0.enrol(&identity_id, tier, &text("public_key", public_key)?.parse()?)?;
        Ok(())
    })
}

/// Frees a table of keys. NULL is ignored. Policies that were made with it stay as they are.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_tier_keys_free(tier_keys: Option<Box<TierKeys>>) {
    release(|| drop(tier_keys));
}

/// What is asked of records. Never changes; threads may share it.
#[derive(Debug)]
pub struct VaultPolicy(pub(crate) Arc<Asked>);

#[derive(Debug)]
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
        keys: Option<&TierKeys>,
        least_tier: TierValue,
        out: *mut *mut VaultPolicy,
    ) -> Result<(), Failure> {
        let asked = Self { master, keys: keys.map(|keys| keys.0.clone()), least: tier("least_tier", least_tier)? };
        let out = Out::new("policy", out)?;
        asked.policy()?;
        out.handle(VaultPolicy(Arc::new(asked)));
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
/// needs no secret. `tier_keys` may be NULL with `DUALSEAL_TIER_PUBLIC`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_public(
    tier_keys: Option<&TierKeys>,
    least_tier: TierValue,
    policy: *mut *mut VaultPolicy,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || Asked::hand_over(None, tier_keys, least_tier, policy))
}

/// For the operator, who holds the master: every layer that the record's tier requires must pass, its place in the
/// chain included. Unsealing needs what this policy verified. `tier_keys` may be NULL with `DUALSEAL_TIER_PUBLIC`;
/// then only records of that tier pass.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_operator(
    master: Option<&VaultMaster>,
    tier_keys: Option<&TierKeys>,
    least_tier: TierValue,
    policy: *mut *mut VaultPolicy,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let master = Arc::clone(&required("master", master)?.0);
        Asked::hand_over(Some(master), tier_keys, least_tier, policy)
    })
}

/// Frees a policy. NULL is ignored. Checks that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_policy_free(policy: Option<Box<VaultPolicy>>) {
    release(|| drop(policy));
}
