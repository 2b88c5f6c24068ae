//! Dual seals made and verified, both layers.

use crate::bare_seal::Bare;
use crate::mldsa::SEED;
use crate::table::{Row, Table};
use dualseal::key::PreparedKeyCache;
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::{Domain, KeyRing, SigningKey, SystemRng, Verdict};
use std::hint::black_box;

const SEAL_KEY: [u8; 64] = [9; 64];

pub fn measure(table: &mut Table) {
    table.group("Seals");
    let (domain, signing) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let seal_key = SealKey::from_slice(&SEAL_KEY).expect("64 bytes");
    let bare = Bare::new(&SEED, &SEAL_KEY, &id.to_hex());
    let sealer = Sealer::new(&domain, &id, &seal_key, &signing);
    let ring = KeyRing::pinned(&id, signing.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);
    let verifier = SealVerifier::new(&domain, &ring, &cache);
    for (bytes, size, signatures) in [(64, "64 B", 16), (1 << 20, "1 MiB", 1)] {
        let payload = vec![0x5a; bytes];
        table.row(
            Row::new(format!("dual seal of {size} made"))
                .rounds_of(signatures)
                .ours("dualseal", || sealer.seal(black_box(&payload), &mut SystemRng).expect("sealed"))
                .peer("bare crates", || bare.seal(black_box(&payload))),
        );
        let made = bare.seal(&payload);
        let text = format!("SEAL-DUAL::{}::{}", hex::encode(made.0), hex::encode(made.1));
        let seal: Seal = text.parse().expect("a seal");
        table.row(
            Row::new(format!("dual seal of {size} verified"))
                .ours("dualseal", || {
                    let policy = Policy::Both(&seal_key);
                    let report = verifier.verify(&seal, black_box(&payload), &id, policy, Legacy::Refused, None);
                    assert!(matches!(report.conclusion, Conclusion::Verdict(Verdict::Valid(_))));
                })
                .peer("bare crates", || assert!(bare.verify(black_box(&payload), &made, true, true))),
        );
    }
}
