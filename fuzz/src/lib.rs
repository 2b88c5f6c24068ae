//! What the targets that walk through histories share: keys, a log and randomness that are always the same, so that a
//! finding repeats.

use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::Unprepared;
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::{Domain, Head, IdentityId, SigningKey, Timestamp, Verified};
use std::convert::Infallible;
use std::sync::OnceLock;

/// Of the log, and of the rings.
pub const ORIGIN: &str = "log.example";

/// How many [keys](key) there are.
pub const KEYS: usize = 12;

/// A generator that gives the same each time (splitmix64).
#[derive(Debug)]
pub struct Repeatable(pub u64);

impl TryRng for Repeatable {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(word ^ (word >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(8) {
            let Ok(word) = self.try_next_u64();
            part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Repeatable {}

/// One of [`KEYS`] keys.
pub fn key(number: usize) -> &'static SigningKey {
    static MADE: OnceLock<Vec<SigningKey>> = OnceLock::new();
    let made = |number| SigningKey::from_seed(&[number; 32]).expect("a seed");
    &MADE.get_or_init(|| (1..=KEYS as u8).map(made).collect())[number]
}

/// An identity of the default domain.
pub fn identity(name: &str) -> IdentityId {
    Domain::default().identity_id(b"", name, "").expect("a name")
}

/// A checkpoint over a head, by this key of the log's, verified by whoever pinned it.
pub fn checkpoint(head: &Head, id: &IdentityId, key: &SigningKey) -> Verified<Checkpoint> {
    let (domain, origin, key_hash) = (Domain::default(), ORIGIN.to_owned(), *key.public_key().hash());
    let signer = CheckpointSigner::new(&domain, &origin, id, key).expect("an origin");
    let mark = HighWaterMark::first(&origin, head, None).expect("an origin");
    let signed = signer.sign(&mark, Timestamp::MIN, &mut Repeatable(head.size())).expect("a checkpoint");
    let pins = Pins { origin, identity_id: *id, key_hash, least_size: 0 };
    CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed).valid().expect("a good one")
}
