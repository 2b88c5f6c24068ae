//! The message representative that ML-DSA signs, from a statement that comes in parts.

use super::PublicKey;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// `mu = SHAKE256(tr ‖ 0x00 ‖ 0x00 ‖ statement, 64)`, the two zeros being the pure variant and the length of the empty
/// context (FIPS 204, algorithms 2 and 7).
#[derive(Clone)]
pub(crate) struct Mu(Shake256);

impl Mu {
    pub(crate) fn new(key: &PublicKey) -> Self {
        Self(Shake256::default().chain(key.tr()).chain([0, 0]))
    }

    pub(crate) fn of(key: &PublicKey, statement: &[u8]) -> Self {
        let mut mu = Self::new(key);
        mu.update(statement);
        mu
    }

    pub(crate) fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    pub(crate) fn finish(self) -> [u8; 64] {
        let mut mu = [0; 64];
        self.0.finalize_xof().read(&mut mu);
        mu
    }
}
