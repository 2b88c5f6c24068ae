//! The shard record, its identifier and its seal.

use super::gate::ShardId;
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex_newtype;
use crate::encoding::record::{self, SecretText, record};
use crate::error::{Error, Problem, Rejected, ShardFault};
use crate::field::{Field, Gf2_256};
use crate::hash::{Sha3_256, hkdf_sha3_256};
use crate::id::{IdentityId, VaultId};
use crate::seal::{LegacySeal, SealKey};
use crate::secret::Secret;
use crate::shamir::{Index, Share, SplitId, Threshold, commit};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

hex_newtype! {
    /// The anchor of a vault secret (`javni_sidro`): `SHA3-512(P::<ANCHOR>::<vault_id>::S ‖ secret)`. 64 bytes, 128
    /// hexadecimal characters.
    ShardAnchor, 64, "javni_sidro"
}

/// The key that seals an identity's shards: `HKDF-SHA3-256(master, no salt, P::<KDF>::SHARD::<identity_id>::S, 64
/// bytes)` with the vault row's constants. Everybody who can check a shard's seal can also make it. A clone is another
/// handle of the same secret, which is wiped with the last of them.
#[derive(Clone, Debug)]
pub struct ShardKey(Arc<SealKey>);

impl ShardKey {
    /// Derives the key from the operator's master of 32 drawn bytes.
    #[must_use]
    pub fn derive(domain: &Domain, master: &Secret<32>, identity_id: &IdentityId) -> Self {
        let info = domain.join(Row::Vault, &[domain.label(Label::VaultKdf), "SHARD", &identity_id.to_hex()]);
        Self(Arc::new(SealKey::from_derived(&hkdf_sha3_256(master.expose(), &[], &[info.as_bytes()]))))
    }

    fn seal(&self, domain: &Domain, vault_id: &VaultId, shard_id: &ShardId, identity_id: &IdentityId) -> LegacySeal {
        let label = domain.label(Label::ShardSeal);
        let parts = [label, &vault_id.to_hex(), &shard_id.to_hex(), &identity_id.to_hex()];
        LegacySeal::from_mac(self.0.reserved_mac(&domain.join(Row::Shard, &parts)))
    }

    /// Whether it is the same key.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.expose().ct_eq(other.0.expose()).into()
    }

    /// The tag of a split message.
    pub(super) fn tag(&self, text: &str) -> [u8; 32] {
        self.0.tag(text)
    }
}

/// A shard: `{identity_id, indeks, javni_sidro, m, n, node_url, seal, shard_id, split_id, vault_id, vrijednost_hex}`.
/// Its value is wiped when it is dropped.
pub struct Shard {
    pub(super) shard_id: ShardId,
    pub(super) vault_id: VaultId,
    pub(super) split_id: SplitId,
    pub(super) threshold: Threshold,
    pub(super) share: Share<Gf2_256>,
    pub(super) anchor: ShardAnchor,
    pub(super) identity_id: IdentityId,
    pub(super) node_url: String,
    pub(super) seal: LegacySeal,
}

impl Shard {
    /// Puts a share together with all that its identifier binds, and seals it.
    pub(super) fn make(
        domain: &Domain,
        key: &ShardKey,
        (vault_id, split_id, identity_id): (VaultId, SplitId, IdentityId),
        threshold: Threshold,
        anchor: ShardAnchor,
        node_url: String,
        share: Share<Gf2_256>,
    ) -> Self {
        let shard_id = shard_id(domain, (&vault_id, &split_id), threshold, &anchor, &node_url, &share);
        let seal = key.seal(domain, &vault_id, &shard_id, &identity_id);
        Self { shard_id, vault_id, split_id, threshold, share, anchor, identity_id, node_url, seal }
    }

    /// A copy for a call that takes a list of its own.
    pub(super) fn copy(&self) -> Self {
        Self {
            share: Share::new(self.share.index(), self.share.value()),
            node_url: self.node_url.clone(),
            seal: self.seal.clone(),
            ..*self
        }
    }

    /// The identifier, which binds every other member but the identity, which the seal binds.
    #[must_use]
    pub fn shard_id(&self) -> &ShardId {
        &self.shard_id
    }

    /// The vault.
    #[must_use]
    pub fn vault_id(&self) -> &VaultId {
        &self.vault_id
    }

    /// The splitting.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.split_id
    }

    /// The identity whose vault it is.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The number of the shard (`indeks`).
    #[must_use]
    pub fn index(&self) -> Index {
        self.share.index()
    }

    /// How many shards there are, n, and how many rebuild the secret, m.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// The anchor of the vault secret.
    #[must_use]
    pub fn anchor(&self) -> &ShardAnchor {
        &self.anchor
    }

    /// The label of the node that holds it. Nothing dials it.
    #[must_use]
    pub fn node_url(&self) -> &str {
        &self.node_url
    }

    /// The seal.
    #[must_use]
    pub fn seal(&self) -> &LegacySeal {
        &self.seal
    }

    /// Verifies the shard: its members give its identifier, and its seal holds.
    ///
    /// # Errors
    /// [`ShardFault::Identifier`], [`ShardFault::Seal`].
    pub fn verify(&self, domain: &Domain, key: &ShardKey) -> Result<(), Error> {
        self.check_identifier(domain)?;
        verify_shard_seal(domain, key, &self.shard_id, &self.vault_id, &self.identity_id, &self.seal)
    }

    /// The check of [`verify`](Self::verify) that needs no key.
    pub(crate) fn check_identifier(&self, domain: &Domain) -> Result<(), Error> {
        if self.identifier_holds(domain).into() { Ok(()) } else { Err(fault(ShardFault::Identifier)) }
    }

    /// Both checks of [`verify`](Self::verify), each made whatever the other gives.
    pub(super) fn holds(&self, domain: &Domain, key: &ShardKey) -> Choice {
        let seal = key.seal(domain, &self.vault_id, &self.shard_id, &self.identity_id);
        self.identifier_holds(domain) & seal.mac().as_slice().ct_eq(self.seal.mac())
    }

    fn identifier_holds(&self, domain: &Domain) -> Choice {
        let ids = (&self.vault_id, &self.split_id);
        let computed = shard_id(domain, ids, self.threshold, &self.anchor, &self.node_url, &self.share);
        computed.as_bytes().as_slice().ct_eq(self.shard_id.as_bytes())
    }

    /// The shard as canonical JSON, wiped when dropped. It holds the secret value.
    #[must_use]
    pub fn to_json(&self) -> Zeroizing<String> {
        Zeroizing::new(record::to_json::<Self>(self))
    }

    /// Reads what a node answered that was asked for this shard, number `index` of its splitting. Whatever the answer
    /// is, it becomes a shard under that number and identifier: one that is no shard, or another one, does not hold,
    /// and its sender is the culprit. The caller wipes its own copy of the text.
    #[must_use]
    pub fn pulled(shard_id: ShardId, index: Index, answer: &[u8]) -> Self {
        let read = Self::from_json(answer).ok().filter(|shard| (shard.shard_id, shard.index()) == (shard_id, index));
        read.unwrap_or_else(|| Self {
            shard_id,
            vault_id: VaultId::from_bytes([0; 32]),
            split_id: SplitId::from_bytes([0; 32]),
            threshold: Threshold::WIDEST,
            share: Share::new(index, &Gf2_256::zero()),
            anchor: ShardAnchor::from_bytes([0; 64]),
            identity_id: IdentityId::from_bytes([0; 32]),
            node_url: String::new(),
            seal: LegacySeal::from_mac([0; 64]),
        })
    }

    /// Reads the JSON, of a shard that the caller kept: it is believed about its number, where what a node answered is
    /// read with [`pulled`](Self::pulled). The caller wipes its own copy of the text.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; [`Problem::Range`] for `indeks`, `m`
    /// and `n`; [`Problem::UnknownValue`] for a `seal` that is not `SEAL-L5`.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |shard: Shard| "shard" {
        "identity_id" identity_id: IdentityId,
        "indeks" index: Index = shard.index(),
        "javni_sidro" anchor: ShardAnchor,
        "m" m: u64 = shard.threshold.k().into(),
        "n" n: u64 = shard.threshold.n().into(),
        "node_url" node_url: String,
        "seal" seal: LegacySeal,
        "shard_id" shard_id: ShardId,
        "split_id" split_id: SplitId,
        "vault_id" vault_id: VaultId,
        "vrijednost_hex" value: SecretText<32> = shard.share.to_hex(),
    } => {
        let threshold = threshold(m, n)?;
        if index.get() > threshold.n() {
            return Err(Error::malformed_at("indeks", index.get().into(), Problem::Range));
        }
        let share = Share::from_hex(index, &value)?;
        Ok(Self { shard_id, vault_id, split_id, threshold, share, anchor, identity_id, node_url, seal })
    }
}

impl AsRef<Share<Gf2_256>> for Shard {
    fn as_ref(&self) -> &Share<Gf2_256> {
        &self.share
    }
}

impl fmt::Debug for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shard")
            .field("shard_id", &self.shard_id)
            .field("vault_id", &self.vault_id)
            .field("split_id", &self.split_id)
            .field("share", &self.share)
            .field("node_url", &self.node_url)
            .finish_non_exhaustive()
    }
}

/// Verifies a shard's seal from four fields, without the shard.
///
/// # Errors
/// [`ShardFault::Seal`].
pub fn verify_shard_seal(
    domain: &Domain,
    key: &ShardKey,
    shard_id: &ShardId,
    vault_id: &VaultId,
    identity_id: &IdentityId,
    seal: &LegacySeal,
) -> Result<(), Error> {
    let expected = key.seal(domain, vault_id, shard_id, identity_id);
    if expected.mac().as_slice().ct_eq(seal.mac()).into() { Ok(()) } else { Err(fault(ShardFault::Seal)) }
}

/// `m` of `n`, by the names that shards give them.
pub(super) fn threshold(m: u64, n: u64) -> Result<Threshold, Error> {
    Threshold::new(m, n).map_err(|error| match error {
        Error::Malformed(malformed) if malformed.field == "k" => Error::malformed_at("m", m, malformed.problem),
        error => error,
    })
}

/// `SHA3-512(P::<ANCHOR>::<vault_id>::S ‖ secret)`.
pub(super) fn anchor(domain: &Domain, vault_id: &VaultId, secret: &Gf2_256) -> ShardAnchor {
    let parts = [domain.label(Label::ShardAnchor), &vault_id.to_hex()];
    ShardAnchor::from_bytes(commit(&domain.join(Row::Shard, &parts), secret))
}

/// SHA3-256 of
/// `P::<ID>::<vault_id>::<split_id>::<index>::<m>::<n>::<javni_sidro>::<udio_sidro>::<SHA3-256(node_url)>::S`,
/// with `udio_sidro = SHA3-512(P::<VALUE>::<split_id>::<index>::S ‖ value)`.
fn shard_id(
    domain: &Domain,
    (vault_id, split_id): (&VaultId, &SplitId),
    threshold: Threshold,
    anchor: &ShardAnchor,
    node_url: &str,
    share: &Share<Gf2_256>,
) -> ShardId {
    let index = share.index().get().to_string();
    let value_parts = [domain.label(Label::ShardValue), &split_id.to_hex(), &index];
    let value = crate::encoding::hex::encode(&commit(&domain.join(Row::Shard, &value_parts), share.value()));
    let url = crate::encoding::hex::encode(&Sha3_256::digest(node_url.as_bytes()));
    let text = domain.join(
        Row::Shard,
        &[
            domain.label(Label::ShardId),
            &vault_id.to_hex(),
            &split_id.to_hex(),
            &index,
            &threshold.k().to_string(),
            &threshold.n().to_string(),
            &anchor.to_hex(),
            &value,
            &url,
        ],
    );
    ShardId::from_bytes(Sha3_256::digest(text.as_bytes()))
}

pub(crate) fn other_request(member: &'static str) -> Error {
    fault(ShardFault::OtherRequest { member })
}

pub(super) fn fault(fault: ShardFault) -> Error {
    Error::Rejected(Rejected::Shard(fault))
}
