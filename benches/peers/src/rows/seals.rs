//! Dual seals made and verified, both layers.

use crate::bare_seal::Bare;
use crate::mldsa::SEED;
use crate::table::{Row, Table};
use dualseal::batch::{SealItem, Threads, verify_seals};
use dualseal::key::{CheckedRing, PreparedKeyCache};
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal::{Domain, Head, KeyRing, RingKey, SigningKey, SystemRng, Timestamp, Verdict};
use ml_dsa::{EncodedSignature, MlDsa65};
use std::hint::black_box;

const SEAL_KEY: [u8; 64] = [9; 64];
/// Seals of a batch, by four identities, as the rows of Python have them.
const MANY: usize = 1024;

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
        let seal = parsed(&made);
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
    many(table, &domain, &cache);
}

/// From bytes to verdicts: what a column of them is held against.
fn many(table: &mut Table, domain: &Domain, cache: &PreparedKeyCache) {
    let authority = RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"));
    let mut ring = CheckedRing::new("example.org/bench", &authority).expect("an origin");
    let mut head = Head::EMPTY;
    let mut signers = Vec::new();
    for number in 0..4_u8 {
        let seed = [number + 1; 32];
        let key = SigningKey::from_seed(&seed).expect("a seed");
        let id = domain.identity_id(&[number], "bench", "").expect("an identity");
        head = ring.add(&id, key.public_key().clone(), &head, Timestamp::MIN).expect("a new key").head;
        signers.push((id, Bare::new(&seed, &SEAL_KEY, &id.to_hex())));
    }
    let made: Vec<_> = (0..MANY)
        .map(|number| {
            let (id, bare) = &signers[number % signers.len()];
            let payload = [&[0x5a; 128][..], number.to_string().as_bytes()].concat();
            let seal = bare.seal(&payload);
            let bytes = parsed(&seal).to_bytes();
            (id, bare, payload, seal, bytes)
        })
        .collect();
    let verifier = SealVerifier::new(domain, &ring, cache);
    let batch = || {
        let seals = made.iter().map(|(.., bytes)| Seal::from_bytes(bytes).expect("a seal"));
        let seals: Vec<Seal> = seals.collect();
        let items = made.iter().zip(&seals).map(|((identity_id, _, payload, ..), seal)| SealItem {
            seal,
            payload,
            identity_id,
            policy: Policy::LayerB,
            legacy: Legacy::Refused,
            place: None,
        });
        let reports = verify_seals(&verifier, items.collect(), Threads::calling(), &mut |_| {});
        assert!(reports.iter().all(|report| matches!(report.conclusion, Conclusion::Verdict(Verdict::Valid(_)))));
    };
    let by_bare =
        || assert!(made.iter().all(|(_, bare, payload, seal, _)| bare.verify(black_box(payload), seal, false, true)));
    let name = format!("dual seals, {MANY} by four identities, bytes to verdicts, one core");
    table.row(Row::new(name).each("seal", MANY).ours("dualseal", batch).peer("bare crates", by_bare));
}

fn parsed((hmac, signature): &([u8; 64], EncodedSignature<MlDsa65>)) -> Seal {
    format!("SEAL-DUAL::{}::{}", hex::encode(hmac), hex::encode(signature)).parse().expect("a seal")
}
