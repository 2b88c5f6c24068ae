//! What a verifier asks for, and the tables that it holds.

use crate::ed25519::Ed25519PublicKey;
use crate::error::{Error, Layer, Misuse, Problem};
use crate::id::IdentityId;
use crate::stream::Purpose;
use crate::vault::keys::VaultMaster;
use crate::vault::record::{Tier, VaultRecord};
use alloc::collections::{BTreeMap, BTreeSet};

/// The Ed25519 keys that show a tier, for each identity. A key that only the record names shows nothing.
///
/// ```
/// use dualseal::Domain;
/// use dualseal::ed25519::Ed25519SigningKey;
/// use dualseal::vault::{Tier, TierKeys};
///
/// let ana = Domain::default().identity_id(b"", "ana", "")?;
/// let mut keys = TierKeys::new();
/// keys.enrol(&ana, Tier::Native, Ed25519SigningKey::from_seed(&[7; 32])?.public_key())?;
/// assert!(keys.enrol(&ana, Tier::Public, Ed25519SigningKey::from_seed(&[8; 32])?.public_key()).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TierKeys(BTreeMap<(IdentityId, Tier), BTreeSet<Ed25519PublicKey>>);

impl TierKeys {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Enrols a key for an identity and a tier.
    ///
    /// # Errors
    /// [`Problem::Range`] for the tier public, which is not shown by a key, and for 32 bytes that are no strict key.
    pub fn enrol(&mut self, identity_id: &IdentityId, tier: Tier, key: &Ed25519PublicKey) -> Result<(), Error> {
        if tier == Tier::Public {
            return Err(Error::malformed("tier", Problem::Range));
        }
        if !key.is_strict() {
            return Err(Error::malformed("public_key", Problem::Range));
        }
        self.0.entry((*identity_id, tier)).or_default().insert(*key);
        Ok(())
    }

    pub(super) fn holds(&self, identity_id: &IdentityId, tier: Tier, key: &Ed25519PublicKey) -> bool {
        self.0.get(&(*identity_id, tier)).is_some_and(|keys| keys.contains(key))
    }
}

/// What is asked of L4: the least tier, and the keys that show one.
#[derive(Clone, Copy, Debug)]
pub struct TierPolicy<'a> {
    pub(super) keys: Option<&'a TierKeys>,
    pub(super) least: Tier,
}

impl<'a> TierPolicy<'a> {
    /// Every tier is good enough, and none is checked.
    #[must_use]
    pub fn any() -> Self {
        Self { keys: None, least: Tier::Public }
    }

    /// At least this tier, shown by one of these keys.
    ///
    /// # Errors
    /// [`Misuse::NoTierKeys`] where a tier above public is asked for without keys.
    pub fn new(keys: Option<&'a TierKeys>, least: Tier) -> Result<Self, Error> {
        if keys.is_none() && least > Tier::Public {
            return Err(Misuse::NoTierKeys.into());
        }
        Ok(Self { keys, least })
    }
}

/// Without the chain anybody can make L8, L6 and `krunica_hash` anew: a report under this policy never speaks for the
/// record's place in the chain, unless it was given that place.
///
/// For everybody: L0, L3, L5 by layer B, and L4 at the least tier asked for. L6 and L8 must be consistent. It needs no
/// secret.
#[derive(Clone, Copy, Debug)]
pub struct Public<'a> {
    /// What is asked of L4.
    pub tiers: TierPolicy<'a>,
}

/// For the operator, who holds the master: every layer that the record's tier requires must pass, its place in the
/// chain included. [`unseal`](crate::vault::unseal) takes what this policy verified and nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Operator<'a> {
    /// The master whose keys made the record.
    pub master: &'a VaultMaster,
    /// What is asked of L4. Without keys, only records of the tier public can pass.
    pub tiers: TierPolicy<'a>,
}

/// A policy: [`Public`] or [`Operator`]. It cannot be implemented outside this crate.
pub trait VaultPolicy: sealed::Sealed + Sync {
    /// What a verification under this policy gives.
    type Record: AsRef<VaultRecord> + Send;

    #[doc(hidden)]
    fn master(&self) -> Option<&VaultMaster>;

    #[doc(hidden)]
    fn tiers(&self) -> TierPolicy<'_>;

    /// Whether a layer that could not be checked is no fault.
    #[doc(hidden)]
    fn tolerates(&self, unchecked: Layer) -> bool;

    #[doc(hidden)]
    fn record(&self, record: VaultRecord, purpose: Purpose) -> Self::Record;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Public<'_> {}
impl sealed::Sealed for Operator<'_> {}

impl VaultPolicy for Public<'_> {
    type Record = VaultRecord;

    fn master(&self) -> Option<&VaultMaster> {
        None
    }

    fn tiers(&self) -> TierPolicy<'_> {
        self.tiers
    }

    fn tolerates(&self, unchecked: Layer) -> bool {
        match unchecked {
            Layer::L2 | Layer::L6 | Layer::L7 | Layer::L8 => true,
            Layer::L4 => self.tiers.least == Tier::Public,
            Layer::L0 | Layer::L1 | Layer::L3 | Layer::L5 => false,
        }
    }

    fn record(&self, record: VaultRecord, _: Purpose) -> VaultRecord {
        record
    }
}

impl VaultPolicy for Operator<'_> {
    type Record = OperatorRecord;

    fn master(&self) -> Option<&VaultMaster> {
        Some(self.master)
    }

    fn tiers(&self) -> TierPolicy<'_> {
        self.tiers
    }

    fn tolerates(&self, _: Layer) -> bool {
        false
    }

    fn record(&self, record: VaultRecord, purpose: Purpose) -> OperatorRecord {
        OperatorRecord { record, purpose }
    }
}

/// A record as the operator's policy saw it. In a [`Verified`](crate::verdict::Verified), every required layer passed.
#[derive(Debug)]
pub struct OperatorRecord {
    record: VaultRecord,
    purpose: Purpose,
}

impl OperatorRecord {
    /// The record.
    #[must_use]
    pub fn record(&self) -> &VaultRecord {
        &self.record
    }

    /// The record, for the one who stores it.
    #[must_use]
    pub fn into_record(self) -> VaultRecord {
        self.record
    }

    /// What its stored bytes are encrypted for.
    pub(in crate::vault) fn purpose(&self) -> &Purpose {
        &self.purpose
    }
}

impl AsRef<VaultRecord> for OperatorRecord {
    fn as_ref(&self) -> &VaultRecord {
        &self.record
    }
}
