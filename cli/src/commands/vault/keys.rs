//! The secrets of a ledger.

use super::ledger::{Ledger, secret};
use crate::context::Context;
use crate::failure::{Failure, SECRET};
use crate::home::MASTER;
use crate::secrets;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::secret::Secret;
use dualseal::vault::{Tier, TierKeys, VaultMaster};
use dualseal_operator::paths::Show;

/// The file of the tier's secret.
pub(super) const TIER: &str = "tier.key";

/// What makes records, and checks all of their layers.
pub(super) struct Keys {
    pub(super) master: VaultMaster,
    /// `None` for the tier public.
    pub(super) tier: Option<Ed25519SigningKey>,
}

impl Keys {
    pub(super) fn read(ledger: &Ledger<'_>, context: &Context) -> Result<Self, Failure> {
        let master = VaultMaster::new(ledger.domain(), seed(ledger, MASTER, context)?)?;
        Ok(Self { master, tier: tier_key(ledger, context)? })
    }

    /// The table of the tier's keys that the operator holds.
    pub(super) fn tiers(&self, ledger: &Ledger<'_>) -> Result<TierKeys, Failure> {
        let mut tiers = TierKeys::new();
        if let Some(key) = &self.tier {
            tiers.enrol(&ledger.identity_id, ledger.tier, key.public_key())?;
        }
        Ok(tiers)
    }
}

/// The key that shows the tier of a ledger; `None` for the tier public.
pub(super) fn tier_key(ledger: &Ledger<'_>, context: &Context) -> Result<Option<Ed25519SigningKey>, Failure> {
    match ledger.tier {
        Tier::Public => Ok(None),
        Tier::Noble | Tier::Native => Ok(Some(Ed25519SigningKey::from_seed(seed(ledger, TIER, context)?.expose())?)),
    }
}

fn seed(ledger: &Ledger<'_>, name: &str, context: &Context) -> Result<Secret<32>, Failure> {
    let path = ledger.path(name);
    if !path.exists() {
        let message = format!("the secret {} is missing", path.shown());
        return Err(Failure::new(SECRET, message, "restore the home folder from a copy"));
    }
    secrets::read_seed(&path, context.passphrase())
}

/// Whether the secret of a record is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Here,
    /// There is none, or it was emptied. Whether it was erased, the ledger says.
    Gone,
}

pub(super) fn kept(ledger: &Ledger<'_>, seq: u64) -> Kept {
    match std::fs::metadata(ledger.path(&secret(seq))) {
        Ok(metadata) if metadata.len() > 0 => Kept::Here,
        _ => Kept::Gone,
    }
}

/// The tiers, by the words of people.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum TierName {
    /// Shown by no key
    Public,
    /// Shown by a key of its own
    Noble,
    /// The highest, shown by a key of its own
    Native,
}

impl From<TierName> for Tier {
    fn from(tier: TierName) -> Self {
        match tier {
            TierName::Public => Self::Public,
            TierName::Noble => Self::Noble,
            TierName::Native => Self::Native,
        }
    }
}

/// The secret of a record.
pub(super) fn record_secret(ledger: &Ledger<'_>, seq: u64, context: &Context) -> Result<Secret<32>, Failure> {
    match kept(ledger, seq) {
        Kept::Here => secrets::read_seed(&ledger.path(&secret(seq)), context.passphrase()),
        Kept::Gone => {
            let message = format!("the secret of record {seq} is lost, and the ledger says of no erasure");
            Err(Failure::new(SECRET, message, "restore it from a copy of the home folder"))
        }
    }
}
