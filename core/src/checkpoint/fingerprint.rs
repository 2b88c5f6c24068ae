//! What people compare of a log.

use super::record::Checkpoint;
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex_newtype;
use crate::hash::{HashFunction, Sha3_256};
use crate::id::IdentityId;
use crate::mldsa::PublicKey;

hex_newtype! {
    /// The fingerprint of a log: `SHA3-256(P::<LOG>::<origin>::<identity_id>::S ‖ public key)`, 32 bytes, 64
    /// hexadecimal characters. It pins the log's name, its signer, the signer's key and the domain's constants at once.
    /// After a rotation of the log's key it is another one.
    LogFingerprint, 32, "log"
}

impl LogFingerprint {
    /// That of a log by its parts.
    #[must_use]
    pub fn of(domain: &Domain, origin: &str, identity_id: &IdentityId, public_key: &PublicKey) -> Self {
        let statement = domain.join(Row::Krunica, &[domain.label(Label::KrunicaLog), origin, &identity_id.to_hex()]);
        let mut hash = Sha3_256::default();
        hash.update(statement.as_bytes());
        hash.update(public_key.as_bytes());
        Self::from_bytes(hash.finish())
    }
}

impl Checkpoint {
    /// The fingerprint of the log that it says to be of.
    #[must_use]
    pub fn fingerprint(&self, domain: &Domain) -> LogFingerprint {
        LogFingerprint::of(domain, self.origin(), self.identity_id(), self.public_key())
    }
}
