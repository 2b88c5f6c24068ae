//! The formulas of the layers, each a function of its inputs alone. L0 and L3 are in `stored`, L6 is the handle of L8's
//! entry.

use super::keys::VaultMaster;
use super::record::{Block, Fragment, LayerHash, LedgerId, SessionMac, SessionTag, Tier};
use crate::domain::{Domain, Label, Row};
use crate::encoding::record;
use crate::hash::HmacSha3_256;
use crate::id::{IdentityId, VaultId};
use crate::secret::Secret;
use alloc::string::String;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// L2: `HMAC-SHA256(key, <tag>::<L0.hash>)`.
pub(super) fn session_mac(key: &Secret<32>, tag: &SessionTag, hash: &LayerHash) -> SessionMac {
    // Exactly a block, as HMAC pads a shorter key with zeros: this length cannot be refused.
    let mut block = Zeroizing::new([0; 64]);
    for (to, from) in block.iter_mut().zip(key.expose()) {
        *to = *from;
    }
    let mut mac = Hmac::<Sha256>::new((&*block).into());
    for part in [tag.to_hex().as_str(), "::", hash.to_hex().as_str()] {
        mac.update(part.as_bytes());
    }
    SessionMac::from_bytes(mac.finalize().into_bytes().into())
}

/// L4: `P::<L4>::<tier>::<ledger>::<vault_id>::<L0.hash>::S`, so that a signature fits one tier and one record.
pub(super) fn access_statement(
    domain: &Domain,
    tier: Tier,
    ledger: &LedgerId,
    vault_id: &VaultId,
    hash: &LayerHash,
) -> String {
    let label = domain.label(Label::VaultL4);
    domain.join(Row::Vault, &[label, tier.as_str(), &ledger.to_hex(), &vault_id.to_hex(), &hash.to_hex()])
}

/// L7: `HMAC-SHA3-256(key, P::<L7>::<ledger>::<vault_id>::S)`.
pub(super) fn fragment(
    master: &VaultMaster,
    identity_id: &IdentityId,
    ledger: &LedgerId,
    vault_id: &VaultId,
) -> Fragment {
    let domain = master.domain();
    let message = domain.join(Row::Vault, &[domain.label(Label::VaultL7), &ledger.to_hex(), &vault_id.to_hex()]);
    let mut mac = HmacSha3_256::new(master.fragment_key(identity_id).expose());
    mac.update(message.as_bytes());
    let tag = Zeroizing::new(mac.finish());
    let mut secret = Secret::zeroed();
    secret.expose_mut().copy_from_slice(tag.as_slice());
    Fragment::from_secret(secret)
}

/// L5's payload: `P::<L5>::` and the canonical JSON of the block, without a suffix.
pub(super) fn sealed_payload(domain: &Domain, block: &Block) -> String {
    let mut payload = String::from(domain.prefix(Row::Vault));
    payload.push_str("::");
    payload.push_str(domain.label(Label::VaultL5));
    payload.push_str("::");
    payload.push_str(&record::to_json::<Block>(block));
    payload
}
