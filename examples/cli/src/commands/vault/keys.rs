//! The secrets of a ledger.

use super::ledger::{Ledger, secret};
use crate::context::Context;
use crate::failure::{Failure, SECRET};
use crate::secrets;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::vault::{Tier, TierKeys, VaultMaster};

/// The files of a ledger's secrets.
pub(super) const MASTER: &str = "master.key";
pub(super) const TIER: &str = "tier.key";

/// What makes records, and checks all of their layers.
pub(super) struct Keys {
    pub(super) master: VaultMaster,
    /// `None` for the tier public.
    pub(super) tier: Option<Ed25519SigningKey>,
}

impl Keys {
    pub(super) fn read(ledger: &Ledger<'_>, context: &Context) -> Result<Self, Failure> {
        let seed = |name| {
            let path = ledger.path(name);
            if !path.exists() {
                let message = format!("the secret {} is missing", path.display());
                return Err(Failure::new(SECRET, message, "restore the home folder from a copy"));
            }
            secrets::read_seed(&path, context)
        };
        let master = VaultMaster::new(ledger.domain(), seed(MASTER)?)?;
        let tier = match ledger.tier {
            Tier::Public => None,
            Tier::Noble | Tier::Native => Some(Ed25519SigningKey::from_seed(seed(TIER)?.expose())?),
        };
        Ok(Self { master, tier })
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

/// What became of the secret of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is here.
    Here,
    /// It was destroyed when the record was erased.
    Destroyed,
    /// There is none: the document was not encrypted, or somebody took the file away.
    Missing,
}

/// Whether the secret of a record is here. A file that was emptied says that it was destroyed.
pub(super) fn kept(ledger: &Ledger<'_>, seq: u64) -> Kept {
    match std::fs::metadata(ledger.path(&secret(seq))) {
        Ok(metadata) if metadata.len() == 0 => Kept::Destroyed,
        Ok(_) => Kept::Here,
        Err(_) => Kept::Missing,
    }
}
