//! Encrypted streams: whatever is changed in one is refused, in parts of any size, and nothing false leaves before.
#![no_main]

use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::secret::Secret;
use dualseal::stream::{Decryptor, HEADER_BYTES, Purpose, open, seal};
use dualseal::{Domain, Error};
use libfuzzer_sys::fuzz_target;

/// A salt that is always the same, so that a finding repeats.
struct Salt;

impl TryRng for Salt {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(1)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(1)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill(1);
        Ok(())
    }
}

impl TryCryptoRng for Salt {}

fuzz_target!(|input: &[u8]| {
    let purpose = Purpose::new(&Domain::default(), &[1; 32], "FUZZ").expect("a purpose");
    let secret = Secret::<32>::from_slice("secret", &[2; 32]).expect("32 bytes");
    assert!(open(&secret, &purpose, input).is_err(), "the input does not know the key");

    // A plaintext that may be longer than a chunk, and its stream with one part replaced.
    let [long, place, cut, part, rest @ ..] = input else {
        return;
    };
    let plaintext = rest.repeat(1 + usize::from(*long) * 16);
    let plaintext = &plaintext[..plaintext.len().min(200_000)];
    let good = seal(&secret, &purpose, plaintext, &mut Salt).expect("a stream");
    let mut stored = good.clone();
    let place = stored.len() * usize::from(*place) / 256;
    let end = (place + usize::from(*cut)).min(stored.len());
    stored.splice(place..end, rest.iter().take(usize::from(*part)).copied());

    let mut plain = Vec::new();
    let decrypted = decrypt(&secret, &purpose, &stored, usize::from(*part) * 300 + 1, &mut plain);
    assert!(plaintext.starts_with(&plain), "what left is a true beginning");
    assert_eq!(decrypted.is_ok(), stored == good);
    if stored.len() >= HEADER_BYTES && stored[..HEADER_BYTES] != good[..HEADER_BYTES] {
        assert!(plain.is_empty());
    }
});

fn decrypt(
    secret: &Secret<32>,
    purpose: &Purpose,
    stored: &[u8],
    part: usize,
    plain: &mut Vec<u8>,
) -> Result<(), Error> {
    let mut decryptor = Decryptor::new(secret, purpose);
    for part in stored.chunks(part) {
        decryptor.update(part, plain)?;
    }
    decryptor.finish(plain)
}
