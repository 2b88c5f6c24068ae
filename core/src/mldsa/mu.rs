//! The message representative that ML-DSA signs, from a statement that comes in parts.

use super::PublicKey;
use crate::hash::{HmacSha3_512, Shake256};

/// `mu = SHAKE256(tr ‖ 0x00 ‖ 0x00 ‖ statement, 64)`, the two zeros being the pure variant and the length of the empty
/// context (FIPS 204, algorithms 2 and 7).
#[derive(Clone)]
pub(crate) struct Mu(Shake256);

impl Mu {
    pub(crate) fn new(key: &PublicKey) -> Self {
        let mut shake = Shake256::default();
        shake.update(key.tr());
        shake.update(&[0, 0]);
        Self(shake)
    }

    pub(crate) fn of(key: &PublicKey, statement: &[u8]) -> Self {
        let mut mu = Self::new(key);
        mu.update(statement);
        mu
    }

    pub(crate) fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    /// As [`update`](Self::update), for a part that a MAC is over as well.
    pub(crate) fn update_with(&mut self, mac: &mut HmacSha3_512, part: &[u8]) {
        mac.update_with(&mut self.0, part);
    }

    /// As [`update`](Self::update), for every key that the statement may be signed with.
    pub(crate) fn update_all(mus: &mut [Self], part: &[u8]) {
        let (pairs, rest) = mus.as_chunks_mut::<2>();
        for [first, second] in pairs {
            Shake256::update_both((&mut first.0, part), (&mut second.0, part));
        }
        for mu in rest {
            mu.update(part);
        }
    }

    pub(crate) fn finish(self) -> [u8; 64] {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Mu;
    use crate::hash::HmacSha3_512;
    use crate::mldsa::PublicKey;
    use alloc::vec::Vec;

    /// However many keys there are, and with a MAC over the same: what each key says of the whole statement.
    #[test]
    fn every_key_has_its_own() {
        let statement: Vec<u8> = (0..=255).cycle().take(3000).collect();
        let keys: Vec<_> = (0..6).map(|byte| PublicKey::from_array(&[byte; 1952])).collect();
        for count in 0..=keys.len() {
            let mut mus: Vec<_> = keys[..count].iter().map(Mu::new).collect();
            for part in statement.chunks(700) {
                Mu::update_all(&mut mus, part);
            }
            for (mu, key) in mus.into_iter().zip(&keys) {
                assert_eq!(mu.finish(), Mu::of(key, &statement).finish(), "{count} keys");
            }
        }
        let (mut mu, mut mac) = (Mu::new(&keys[0]), HmacSha3_512::new(b"key"));
        for part in statement.chunks(700) {
            mu.update_with(&mut mac, part);
        }
        let mut alone = HmacSha3_512::new(b"key");
        alone.update(&statement);
        assert_eq!(mu.finish(), Mu::of(&keys[0], &statement).finish());
        assert_eq!(mac.finish(), alone.finish());
    }
}
