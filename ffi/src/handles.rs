//! Every type that C has handles of, each with its number.

use crate::call_error::CallError;
use crate::handle::Handle;

macro_rules! handles {
    ($($number:literal $type:path,)*) => {
        $(impl Handle for $type {
            const NUMBER: u32 = $number;
        })*

        #[cfg(test)]
        const NUMBERS: &[u32] = &[$($number),*];
    };
}

handles! {
    1 crate::proofs::Proofs,
    2 crate::located::Located,
    3 crate::batch::SignatureBatch,
    4 crate::cache::KeyCache,
    5 CallError,
    6 crate::chain_reader::ChainReader,
    7 crate::checkpoint::Checkpoint,
    8 crate::content::ContentHasher,
    9 crate::domain::Domain,
    10 crate::head::Head,
    11 crate::ring::Ring,
    12 crate::ring_key::RingKey,
    13 crate::seal_key::SealKey,
    14 crate::seal_report::SealReport,
    15 crate::sharing::secret::Secret,
    16 crate::sharing::session_check::SessionInForce,
    17 crate::sharing::stream::Decryptor,
    18 crate::sharing::stream::Encryptor,
    19 crate::signing_key::SigningKey,
    20 crate::vault::ed25519::Ed25519Key,
    21 crate::vault::ledger_check::LedgerCheck,
    22 crate::vault::ledger_head::LedgerHead,
    23 crate::vault::ledger_walk::LocatedLedger,
    24 crate::vault::master::VaultMaster,
    25 crate::vault::policy::VaultPolicy,
    26 crate::vault::presence::Presence,
    27 crate::vault::rebuild::Rebuilding,
    28 crate::vault::report::VaultReport,
    29 crate::vault::sealed::Sealed,
    30 crate::vault::sealer::VaultSealer,
    31 crate::vault::sealing::Sealing,
    32 crate::vault::split_check::SplitInForce,
    33 crate::vault::stored_hash::StoredHash,
    34 crate::vault::unseal::Unsealer,
    35 crate::verdict::Verdict,
    36 crate::vault::shard::Preparation,
    37 crate::evidence::Evidence,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_types_share_a_tag() {
        assert_eq!(NUMBERS.iter().collect::<BTreeSet<_>>().len(), NUMBERS.len());
    }
}
