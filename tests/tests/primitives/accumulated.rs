//! CCTV's accumulated test of ML-DSA-65 (C2SP, `ML-DSA/accumulated`): keys of 10,000 seeds that SHAKE128 gives, each
//! with its deterministic signature over an empty message, all hashed into the 32 bytes that are published.

use dualseal::SigningKey;
use dualseal_tests::primitive;
use shake::{ExtendableOutput, Shake128, Update, XofReader};

const ROUNDS: usize = 10_000;
const PUBLISHED: &str = "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329";

#[test]
fn ten_thousand_keys_and_their_signatures() {
    let (mut seeds, mut all) = (Shake128::default().finalize_xof(), Shake128::default());
    let mut seed = [0; 32];
    for _ in 0..ROUNDS {
        seeds.read(&mut seed);
        let key = SigningKey::from_seed(&seed).unwrap();
        all.update(key.public_key().as_bytes());
        // It was verified, or it would not have been given out.
        all.update(primitive::sign_by_core(&key, b"", None).as_bytes());
    }
    let mut sum = [0; 32];
    all.finalize_xof().read(&mut sum);
    assert_eq!(hex::encode(sum), PUBLISHED);
    println!("CCTV: {ROUNDS} keys and signatures");
}
