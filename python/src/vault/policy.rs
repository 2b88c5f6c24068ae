//! What a verification of vault records asks for.

use super::master::VaultMaster;
use crate::enums::tier;
use crate::failure::Returned;
use crate::input::{locked, text};
use dualseal::Error;
use dualseal::vault::{self, Operator, Public, Tier, TierPolicy};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TierKeys>()?;
    module.add_class::<VaultPolicy>()
}

/// The Ed25519 keys that show a tier, for each identity. A key that only a record names shows nothing.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct TierKeys(Mutex<vault::TierKeys>);

#[pymethods]
impl TierKeys {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(vault::TierKeys::new()))
    }

    /// Enrols a public key (64 hexadecimal characters) for an identity and a tier above public.
    fn enrol(
        &self,
        identity_id: &Bound<'_, PyString>,
        tier: &Bound<'_, PyString>,
        public_key: &Bound<'_, PyString>,
    ) -> Returned<()> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let (tier, key) = (self::tier(tier)?, text("public_key", public_key)?.parse()?);
        Ok(locked(&self.0).enrol(&identity_id, tier, &key)?)
    }
}

/// What is asked of records: by everybody, or by the operator, who holds the master.
///
/// `least_tier` is the least tier that is good enough. `tier_keys` are those at hand when the policy is made; without
/// them no tier above public can be asked for, and L4 of such records is not checked.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VaultPolicy(pub(super) Arc<Asked>);

pub(super) struct Asked {
    master: Option<Arc<vault::VaultMaster>>,
    keys: Option<vault::TierKeys>,
    least: Tier,
}

/// The policy of the library that is meant.
pub(super) enum Policy<'a> {
    Public(Public<'a>),
    Operator(Operator<'a>),
}

impl Asked {
    fn shared(
        master: Option<Arc<vault::VaultMaster>>,
        least: Option<&Bound<'_, PyString>>,
        keys: Option<&TierKeys>,
    ) -> Returned<VaultPolicy> {
        let least = least.map(tier).transpose()?.unwrap_or(Tier::Public);
        let asked = Self { master, keys: keys.map(|keys| locked(&keys.0).clone()), least };
        asked.policy()?;
        Ok(VaultPolicy(Arc::new(asked)))
    }

    pub(super) fn policy(&self) -> Result<Policy<'_>, Error> {
        let tiers = TierPolicy::new(self.keys.as_ref(), self.least)?;
        Ok(match &self.master {
            None => Policy::Public(Public { tiers }),
            Some(master) => Policy::Operator(Operator { master, tiers }),
        })
    }
}

#[pymethods]
impl VaultPolicy {
    /// Without the chain anybody can make L8, L6 and krunica_hash anew: a report under this policy never speaks for the
    /// record's place in the chain, unless it was given that place.
    ///
    /// For everybody: L0, L3, L5 by its signature, and L4 at the least tier; L6 and L8 must be consistent. It needs no
    /// secret. Raises MisuseError for a tier above public without tier_keys.
    #[staticmethod]
    #[pyo3(signature = (*, least_tier = None, tier_keys = None))]
    fn public(least_tier: Option<&Bound<'_, PyString>>, tier_keys: Option<&TierKeys>) -> Returned<Self> {
        Asked::shared(None, least_tier, tier_keys)
    }

    /// For the operator: every layer that the record's tier requires must pass, its place in the chain included.
    /// Unsealing takes what this policy verified and nothing else. Raises as public does.
    #[staticmethod]
    #[pyo3(signature = (master, *, least_tier = None, tier_keys = None))]
    fn operator(
        master: &VaultMaster,
        least_tier: Option<&Bound<'_, PyString>>,
        tier_keys: Option<&TierKeys>,
    ) -> Returned<Self> {
        Asked::shared(Some(Arc::clone(&master.0)), least_tier, tier_keys)
    }

    fn __repr__(&self) -> String {
        let who = if self.0.master.is_some() { "operator" } else { "public" };
        format!("VaultPolicy({who}, least_tier='{}')", self.0.least)
    }
}
