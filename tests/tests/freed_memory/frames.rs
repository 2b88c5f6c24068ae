//! What works with a whole secret leaves none of it where its frames were: a record that is made there next has bytes
//! of them wherever it has unused ones.

use crate::{Needle, bytes, keyed, limbs};
use dualseal::field::Fp521;
use dualseal::hash::{HmacKey, Sha3_512};
use dualseal::shamir::{Dealing, DrawnSecret, Threshold, reconstruct};
use dualseal::{Domain, SystemRng};
use dualseal_tests::random::Given;
use std::hint::black_box;
use std::thread;

/// The names of the secrets of which sixteen neighbouring bytes lie where the frames of `work` were.
///
/// A thread of its own: what lies there was written by nobody else.
fn left_below(needles: &[Needle], work: impl FnOnce() + Send) -> Vec<&'static str> {
    let mut copy = vec![0; 16 * 1024];
    thread::scope(|scope| {
        let alone = scope.spawn(|| {
            in_a_frame(work);
            copy_what_is_below(&mut copy);
        });
        alone.join().unwrap();
    });
    let is_there = |part: &[u8]| copy.windows(part.len()).any(|window| window == part);
    let mut found: Vec<_> =
        needles.iter().filter(|(_, bytes)| bytes.windows(16).any(is_there)).map(|(name, _)| *name).collect();
    found.dedup();
    found
}

#[inline(never)]
fn in_a_frame(work: impl FnOnce()) {
    work();
}

#[inline(never)]
fn copy_what_is_below(copy: &mut [u8]) {
    let here = 0u8;
    let top = black_box(&raw const here);
    for (distance, byte) in copy.iter_mut().enumerate() {
        // SAFETY: the thread's stack goes on below for far more than is read, and nothing writes there meanwhile.
        *byte = unsafe { top.wrapping_sub(distance + 1).read_volatile() };
    }
    copy.reverse();
}

/// The secret bytes, whose limbs must not be found, and what they were drawn from.
fn secret() -> ([u8; 66], Vec<Needle>) {
    let mut secret: [u8; 66] = bytes("in frames");
    secret[0] &= 1;
    // The bytes themselves go through the generator, whose frames are the caller's.
    let limbs = limbs("limbs", &secret).pop().expect("the limbs are the last");
    (secret, vec![limbs])
}

#[test]
fn what_is_not_cleared_is_seen() {
    let (_, needles) = secret();
    let found = left_below(&needles, || {
        let mut copy = [0; 72];
        copy.copy_from_slice(&needles[0].1);
        black_box(&copy);
    });
    assert_eq!(found, ["limbs"]);
}

#[test]
fn drawing_and_rebuilding() {
    let (secret, needles) = secret();
    let drawn = || DrawnSecret::<Fp521>::draw(&mut Given(&secret)).unwrap();
    assert_eq!(left_below(&needles, || drop(drawn())), [] as [&str; 0], "drawn");
    let dealt = Dealing::deal(&Domain::default(), &drawn(), Threshold::new(2, 3).unwrap(), &mut SystemRng).unwrap();
    let found = left_below(&needles, || drop(reconstruct(&dealt.dealing, &dealt.shares).unwrap()));
    assert_eq!(found, [] as [&str; 0], "rebuilt");
}

/// Whoever has either state can make every tag of the key.
#[test]
fn beginning_a_message_of_a_kept_key() {
    let key: [u8; 64] = bytes("kept key of a mac");
    let states = keyed("kept key", &key);
    let kept = HmacKey::<Sha3_512>::new(&key);
    assert_eq!(left_below(&states, || drop(black_box(kept.start()))), [] as [&str; 0]);
}
