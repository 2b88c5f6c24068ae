//! What is sealed and identified is its caller's: nothing that is kept of it is freed unwiped.

use crate::{bytes, forms, identity, leaks};
use dualseal::batch::{ContentItem, Threads, identify};
use dualseal::key::Unprepared;
use dualseal::seal::{Legacy, Policy, SealKey, SealOutcome, SealVerifier, Sealer};
use dualseal::{Domain, KeyRing, SigningKey, SystemRng};

/// What is sealed: its beginning, which is kept until it is known that it is no reserved payload, and its digits, which
/// are kept as long as they are few.
#[test]
fn sealed_payloads() {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), SigningKey::from_seed(&[7; 32]).unwrap());
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let ring = KeyRing::pinned(&ana, signing.public_key().clone());
    let payload: [u8; 64] = bytes("payload");
    let longer = payload.repeat(100);
    let digits = hex::encode(&payload[20..60]).into_bytes();
    let found = leaks(&[("payload", payload[..16].to_vec()), ("digits", digits)], || {
        Sealer::new(&domain, &ana, &seal_key, &signing).seal(&longer, &mut SystemRng).unwrap();
        let seal = Sealer::new(&domain, &ana, &seal_key, &signing).seal(&payload, &mut SystemRng).unwrap();
        let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
        let mut check = verifier.begin(&seal.into(), &ana, Policy::Both(&seal_key), Legacy::Refused, None);
        payload.chunks(7).for_each(|part| check.update(part));
        assert_eq!(check.finish().internal(), SealOutcome::Ok);
    });
    assert_eq!(found, [] as [&str; 0]);
}

/// What a batch identifies is its caller's secret: short contents are copied side by side, long ones are not.
#[test]
fn identified_contents() {
    let (domain, short, long) = (Domain::default(), bytes::<100>("short content"), bytes::<900>("long content"));
    let needles = [forms("short content", &short), forms("long content", &long)].concat();
    let item = |content| ContentItem { content, creator: "ana", context: "freed memory" };
    let items: Vec<_> = (0..40).map(|place| item(if place % 7 == 3 { &long[..] } else { &short })).collect();
    let found = leaks(&needles, || {
        let ids = identify(&domain, items.clone(), Threads::calling(), &mut |_| {});
        assert!(ids.iter().all(Result::is_ok));
    });
    assert_eq!(found, [] as [&str; 0]);
}
