//! L7 as a trap: every signature by a fragment betrays where it was stolen.

use super::keys::VaultMaster;
use super::layers;
use super::record::{Fragment, VaultRecord};
use crate::id::VaultId;
use crate::verdict::DecoyTicket;

/// Names the vault from which a fragment leaked. Redacted records do as well as stored ones.
pub fn trace<'r>(fragment: &Fragment, records: impl IntoIterator<Item = &'r VaultRecord>) -> Option<VaultId> {
    let leaked = |record: &&VaultRecord| bool::from(fragment.is_of(record.digest()));
    records.into_iter().find(leaked).map(|record| record.header().vault_id)
}

/// Names the vault whose fragment somebody signed with: the one whose decoy key the verdict tells of. The fragments are
/// computed again from the master.
pub fn trace_decoy<'r>(
    master: &VaultMaster,
    ticket: &DecoyTicket,
    records: impl IntoIterator<Item = &'r VaultRecord>,
) -> Option<VaultId> {
    let signed_with = |record: &&VaultRecord| {
        let header = record.header();
        header.identity_id == ticket.subject().identity_id
            && layers::fragment(master, &header.identity_id, &header.ledger, &header.vault_id)
                .decoy_key()
                .is_ok_and(|key| key.hash() == ticket.key_hash())
    };
    records.into_iter().find(signed_with).map(|record| record.header().vault_id)
}
