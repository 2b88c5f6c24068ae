//! What works with a whole secret leaves none of it where its frames were: a record that is made there next has bytes
//! of them wherever it has unused ones.

use crate::{Needle, bytes, keyed, limbs};
use dualseal::field::Fp521;
use dualseal::hash::{HmacKey, Sha3_512};
use dualseal::mldsa::{EXPANDED_KEY_BYTES, PUBLIC_KEY_BYTES, SIGNATURE_BYTES, StatementKey, vectors};
use dualseal::seal::{SealKey, Sealer};
use dualseal::shamir::{Dealing, DrawnSecret, Threshold, reconstruct};
use dualseal::{Domain, ExpandedSigningKey, Signature, SigningKey, SystemRng};
use dualseal_kernels::Level;
use dualseal_kernels::mldsa::make_key;
use dualseal_tests::primitive;
use dualseal_tests::random::Given;
use libcrux_ml_dsa::ml_dsa_65;
use ml_dsa::MlDsa65;
use std::hint::black_box;
use std::thread;

/// The names of the secrets of which sixteen neighbouring bytes lie where the frames of `work` were.
///
/// A thread of its own: what lies there was written by nobody else.
fn left_below(needles: &[Needle], work: impl FnOnce() + Send) -> Vec<&'static str> {
    let copy = memory_below(work);
    let is_there = |part: &[u8]| copy.windows(part.len()).any(|window| window == part);
    let mut found: Vec<_> =
        needles.iter().filter(|(_, bytes)| bytes.windows(16).any(is_there)).map(|(name, _)| *name).collect();
    found.dedup();
    found
}

/// How much is looked at.
pub(super) const BELOW: usize = 192 * 1024;

/// What lies where the frames of `work` were.
pub(super) fn memory_below(work: impl FnOnce() + Send) -> Vec<u8> {
    let mut copy = vec![0; BELOW];
    thread::scope(|scope| {
        let alone = scope.spawn(|| {
            in_a_frame(work);
            copy_what_is_below(&mut copy);
        });
        alone.join().unwrap();
    });
    copy
}

const PAINT: u8 = 0x5a;

/// How far below its caller's frame `work` wrote, at most, in bytes.
fn depth_of(mut work: impl FnMut() + Send) -> usize {
    let mut copy = vec![0; 512 * 1024];
    let mut depth = || {
        thread::scope(|scope| {
            let alone = scope.spawn(|| {
                paint_what_is_below();
                in_a_frame(&mut work);
                copy_what_is_below(&mut copy);
            });
            alone.join().unwrap();
        });
        // The farthest byte stands first.
        copy.len() - copy.iter().position(|byte| *byte != PAINT).unwrap_or(copy.len())
    };
    (0..8).map(|_| depth()).max().unwrap_or_default()
}

#[inline(never)]
#[allow(clippy::large_stack_arrays, reason = "the stack is what is painted")]
fn paint_what_is_below() {
    black_box(&mut [PAINT; 640 * 1024]);
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

/// As many of these as the threshold says, or one and the coefficients, give the secret.
#[test]
fn splitting() {
    let (secret, needles) = secret();
    let (drawn, domain) = (DrawnSecret::<Fp521>::draw(&mut Given(&secret)).unwrap(), Domain::default());
    let random: Vec<u8> = ["a", "b", "c", "d"].into_iter().flat_map(bytes::<66>).collect();
    for threshold in [2, 3, 4].map(|k| Threshold::new(k, 5).unwrap()) {
        let split = || drawn.split(threshold, &mut Given(&random)).unwrap();
        let deal = || Dealing::deal(&domain, &drawn, threshold, &mut Given(&random)).unwrap();
        let limbs_of = |name, element: &[u8; 66]| limbs(name, element).pop().expect("the limbs are the last");
        let coefficients = random.as_chunks().0.iter().map(|drawn: &[u8; 66]| {
            let mut coefficient = *drawn;
            coefficient[0] &= 1;
            limbs_of("coefficient", &coefficient)
        });
        let shares = [split(), deal().shares].into_iter().flatten();
        let shares = shares.map(|share| limbs_of("share", &share.to_bytes()));
        let whole = [("secret", secret.to_vec())];
        let needles: Vec<_> = needles.iter().cloned().chain(whole).chain(coefficients).chain(shares).collect();
        assert_eq!(left_below(&needles, || drop(split())), [] as [&str; 0], "split");
        assert_eq!(left_below(&needles, || drop(deal())), [] as [&str; 0], "dealt");
    }
}

/// From the seed of the masks and a signature that it made, one computes the key.
#[test]
fn making_keys_and_signing() {
    let (domain, seed, hedge) = (Domain::default(), bytes::<32>("seed in frames"), bytes::<32>("hedge"));
    let (key, seal_key) = (SigningKey::from_seed(&seed).unwrap(), SealKey::from_slice(&[9; 32]).unwrap());
    let (encoded, ana) = (key.expand().to_bytes(), domain.identity_id(b"", "ana", "").unwrap());
    let read = || ExpandedSigningKey::from_slice(encoded.expose()).unwrap();
    let sign = |key: &dyn StatementKey, payload: &[u8]| {
        Sealer::new(&domain, &ana, &seal_key, key).seal(payload, &mut Given(&hedge)).unwrap()
    };
    // What is short and what is too long to be kept is signed by two crates.
    let long = vec![9; 40_000];
    let payloads = [&b"content"[..], &long];
    let mut needles = vec![
        ("seed", seed.to_vec()),
        ("K", encoded.expose()[32..64].to_vec()),
        ("s1", encoded.expose()[128..768].to_vec()),
        ("s2", encoded.expose()[768..1536].to_vec()),
    ];
    for payload in payloads {
        let seal = sign(&key, payload).to_string();
        let parts: Vec<_> = seal.split("::").collect();
        let statement = format!("{}::{}::{ana}::DUALSEAL", hex::encode(payload), parts[1]);
        let signature = Signature::from_hex(parts[2]).unwrap();
        assert!(primitive::accepts(key.public_key(), &[], statement.as_bytes(), &signature), "the statement");
        let mu = primitive::mu(key.public_key(), &[], statement.as_bytes()).unwrap();
        needles.push(("seed of the masks", primitive::shake256(&[&encoded.expose()[32..64], &hedge, &mu]).to_vec()));
    }
    assert_eq!(left_below(&needles, || drop(SigningKey::from_seed(&seed).unwrap())), [] as [&str; 0], "made");
    assert_eq!(left_below(&needles, || drop(key.expand())), [] as [&str; 0], "expanded");
    assert_eq!(left_below(&needles, || drop(read())), [] as [&str; 0], "read");
    for payload in payloads {
        assert_eq!(left_below(&needles, || drop(sign(&key, payload))), [] as [&str; 0], "signed");
        assert_eq!(left_below(&needles, || drop(sign(&read(), payload))), [] as [&str; 0], "signed with what was read");
    }
}

/// libcrux's function for this processor.
macro_rules! chosen {
    ($function:ident) => {{
        #[cfg(target_arch = "x86_64")]
        let chosen =
            if is_x86_feature_detected!("avx2") { ml_dsa_65::avx2::$function } else { ml_dsa_65::portable::$function };
        #[cfg(target_arch = "aarch64")]
        let chosen = ml_dsa_65::neon::$function;
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let chosen = ml_dsa_65::portable::$function;
        chosen
    }};
}

/// The needles above lie in the frames of who signs; what is deeper holds masks too, in other forms. A compiler that is
/// asked for other code makes other frames: what is cleared reaches further than those here, a quarter where `ml-dsa`
/// makes a key or signs, and a twentieth where libcrux or the kernels do, whose deepest frames sample what is public.
/// Both begin below one frame: that of who clears, which has what works called in a frame of its own, as here.
#[test]
fn what_is_cleared_is_more_than_was_used() {
    let seed = bytes::<32>("seed in frames");
    let of_seed = Box::new(ml_dsa::SigningKey::<MlDsa65>::from_seed(&seed.into()));
    let (mut rnd, mut mu) = ([0; 32], [0; 64]);
    let (make_pair, sign_short) = (chosen!(generate_key_pair_mut), chosen!(sign_mut));
    let (mut made_key, mut made_public) = (Box::new([0; EXPANDED_KEY_BYTES]), Box::new([0; PUBLIC_KEY_BYTES]));
    make_pair(seed, &mut made_key, &mut made_public);
    let (signing_key, mut signature) = (made_key.clone(), Box::new([0; SIGNATURE_BYTES]));
    let sign = || {
        rnd[0] += 1;
        sign_short(&signing_key, b"content", &[], rnd, &mut signature).unwrap();
        black_box(&signature);
    };
    let sign_mu = || {
        mu[0] += 1;
        drop(black_box(of_seed.expanded_key().sign_mu_deterministic(&mu.into())));
    };
    let make = || drop(black_box(Box::new(ml_dsa::SigningKey::<MlDsa65>::from_seed(&seed.into()))));
    let pair_of = || {
        make_pair(seed, &mut made_key, &mut made_public);
        black_box((&made_key, &made_public));
    };
    let make_by_kernels = |level| {
        let (mut key, mut public) = (Box::new([0; EXPANDED_KEY_BYTES]), Box::new([0; PUBLIC_KEY_BYTES]));
        depth_of(move || {
            make_key(level, &seed, &mut key, &mut public);
            black_box((&key, &public));
        })
    };
    let by_kernels = Level::all().map(make_by_kernels).max().unwrap_or_default();
    let [making, making_by_libcrux, making_by_ml_dsa, signing, signing_by_ml_dsa] = vectors::CLEARED;
    // With how many percent of what is used are cleared at the least.
    let all = [
        ("made", by_kernels, making, 105),
        ("made by libcrux", depth_of(pair_of), making_by_libcrux, 105),
        ("made by ml-dsa", depth_of(make), making_by_ml_dsa, 125),
        ("signed", depth_of(sign), signing, 105),
        ("signed by ml-dsa", depth_of(sign_mu), signing_by_ml_dsa, 125),
    ];
    let too_little: Vec<_> = all.iter().filter(|(_, used, cleared, least)| cleared * 100 < used * least).collect();
    assert!(too_little.is_empty(), "used and cleared: {too_little:?}");
    assert!(all.iter().all(|(_, used, ..)| *used > 16 << 10), "{all:?}");
}

/// Whoever has either state can make every tag of the key.
#[test]
fn beginning_a_message_of_a_kept_key() {
    let key: [u8; 64] = bytes("kept key of a mac");
    let states = keyed("kept key", &key);
    let kept = HmacKey::<Sha3_512>::new(&key);
    assert_eq!(left_below(&states, || drop(black_box(kept.start()))), [] as [&str; 0]);
}
