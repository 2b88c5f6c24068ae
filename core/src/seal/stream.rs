//! What both making and checking a seal do with a payload: hex it once, feed every layer, watch for reserved payloads.

use super::SealKey;
use crate::domain::{Domain, Row};
use crate::hash::HmacSha3_512;
use crate::id::IdentityId;
use crate::mldsa::{Kept, Mu, PublicKey};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The layers of one seal, over a payload that comes in parts. The payload is read once for all of them.
pub(super) struct Layers {
    mac: Option<HmacSha3_512>,
    mus: Vec<Mu>,
    kept: Kept,
    reserved: Reserved,
}

impl Layers {
    /// Layer A where there is a key, and layer B for each of these keys, of which a sealer's signs what is kept.
    pub(super) fn new<'k>(
        domain: &Domain,
        key: Option<&SealKey>,
        public_keys: impl IntoIterator<Item = &'k PublicKey>,
        kept: Kept,
    ) -> Self {
        let mus = public_keys.into_iter().map(Mu::new).collect();
        Self { mac: key.map(SealKey::mac), mus, kept, reserved: Reserved::new(domain) }
    }

    pub(super) fn update(&mut self, payload: &[u8]) {
        self.reserved.update(payload);
        let mut digits = [0; 2048];
        for chunk in payload.chunks(1024) {
            // The buffer holds two digits for each byte of a chunk, so this cannot fail.
            let digits = base16ct::lower::encode(chunk, &mut digits).unwrap_or_default();
            self.kept.push(digits);
            match (&mut self.mac, self.mus.as_mut_slice()) {
                (Some(mac), [mu, mus @ ..]) => {
                    mu.update_with(mac, digits);
                    Mu::update_all(mus, digits);
                }
                (Some(mac), []) => mac.update(digits),
                (None, mus) => Mu::update_all(mus, digits),
            }
        }
    }

    /// Whether the payload is reserved, as far as it was read.
    pub(super) fn is_reserved(&self) -> bool {
        self.reserved.found()
    }

    /// Layer A's tag.
    pub(super) fn finish_mac(&mut self) -> Option<[u8; 64]> {
        self.mac.take().map(HmacSha3_512::finish)
    }

    /// Layer B's representatives, in the order of the keys, of `<payload_hex>::<hmac_hex>::<identity_id>::S`, and what
    /// was kept of that.
    pub(super) fn finish(self, domain: &Domain, hmac_hex: &str, identity_id: &IdentityId) -> (Vec<Mu>, Kept) {
        let identity = identity_id.to_hex();
        let Self { mut mus, mut kept, .. } = self;
        for part in ["::", hmac_hex, "::", &identity, "::", domain.suffix(Row::Seal)] {
            kept.push(part.as_bytes());
            Mu::update_all(&mut mus, part.as_bytes());
        }
        (mus, kept)
    }
}

/// Remembers as much of a payload's beginning as the longer of the two reserved prefixes.
struct Reserved {
    domain: Domain,
    begun: Zeroizing<Vec<u8>>,
}

const SEPARATOR: &[u8] = b"::";

impl Reserved {
    fn new(domain: &Domain) -> Self {
        let mut reserved = Self { domain: domain.clone(), begun: Zeroizing::default() };
        // Room for all of it, since a list that moves as it grows leaves a copy behind.
        let longest = reserved.longest();
        reserved.begun.reserve_exact(longest);
        reserved
    }

    fn prefixes(&self) -> [&[u8]; 2] {
        [Row::Vault, Row::Shard].map(|row| self.domain.prefix(row).as_bytes())
    }

    /// How many bytes tell whether a payload is reserved.
    fn longest(&self) -> usize {
        let longest = self.prefixes().map(<[u8]>::len).into_iter().max().unwrap_or(0);
        longest.saturating_add(SEPARATOR.len())
    }

    fn update(&mut self, payload: &[u8]) {
        let missing = self.longest().saturating_sub(self.begun.len());
        self.begun.extend(payload.iter().take(missing));
    }

    fn found(&self) -> bool {
        let follows = |rest: &[u8]| rest.starts_with(SEPARATOR);
        self.prefixes().iter().any(|prefix| self.begun.strip_prefix(*prefix).is_some_and(follows))
    }
}
