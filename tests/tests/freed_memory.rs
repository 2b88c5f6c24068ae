//! Secrets are gone when they are freed: an allocator looks at every block that is given back for the bytes of the
//! secrets that a test registered, in every form in which the library holds them.
//!
//! It sees the heap only. Copies on the stack and in registers are the compiler's; of them, `frames` looks for those
//! that clearing the stack is there for.
#![allow(unsafe_code, reason = "only an allocator sees every block at the moment when it is freed")]

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::encoding::hex as own_hex;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::hash::{HmacKey, HmacSha3_256, HmacSha3_512, Sha3_512, hkdf_sha3_256};
use dualseal::inspect::inspect;
use dualseal::key::Unprepared;
use dualseal::presence::{Nonce, PresenceProof};
use dualseal::seal::{SealKey, Sealer};
use dualseal::secret::Secret;
use dualseal::shamir::{
    Dealing, DrawnSecret, Index, Share, Threshold, health, reconstruct, reconstruct_unanchored, repair, ssss,
};
use dualseal::shard::{Arguments, Dealer, Operation, Rebuilding, Shard, ShardKey};
use dualseal::stream::{self, Decryptor, Encryptor, Purpose};
use dualseal::threshold::{Founding, Renewal, SessionShare};
use dualseal::vault::{
    Destination, Encryption, LedgerHead, LedgerId, Operator, Provisional, Standing, StoredHash, TierPolicy, Unsealer,
    VaultMaster, VaultRecord, VaultSealer, VaultVerifier, trace, unseal,
};
use dualseal::{
    CheckedRing, Domain, ExpandedSigningKey, Head, IdentityId, KeyRing, Krunica, RingKey, Signer, SigningKey, SystemRng,
};
use dualseal_kernels::Level;
use dualseal_kernels::keccak;
use dualseal_tests::quorum::{Board, altered, board, evaluate, forged, message, owners, secretary};
use dualseal_tests::random::Given;
use dualseal_tests::reading;
use dualseal_tests::shards::{Asking, Noting, urls, vault};
use dualseal_tests::{identity, minute};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

mod freed_memory {
    mod at_rest;
    mod changes;
    mod contents;
    mod frames;
    mod kernels;
}

/// Looks at blocks that are freed. `realloc` is the default one, which copies and frees, so that a block that moved is
/// looked at too, also where the system would have let it grow in place.
struct Watching;

#[global_allocator]
static ALLOCATOR: Watching = Watching;

// SAFETY: memory comes from the system's allocator and goes back to it, with the layout that it was asked for.
unsafe impl GlobalAlloc for Watching {
    // Zeroed, so that what is found in a block was written to that block, and every byte of it may be read.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ARMED.get() {
            // SAFETY: the block is the caller's to give back, and has as many bytes as its layout says.
            look_at(unsafe { std::slice::from_raw_parts(block, layout.size()) });
        }
        // SAFETY: as for `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

thread_local! {
    /// The thread of the test that looks: the others prepare or clear away secrets of their own.
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// Sixteen bytes each, and how often they were seen.
static NEEDLES: [(AtomicU64, AtomicU64, AtomicUsize); 4096] =
    [const { (AtomicU64::new(0), AtomicU64::new(0), AtomicUsize::new(0)) }; 4096];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// By their first byte, as most bytes begin none.
static BEGINS: [AtomicBool; 256] = [const { AtomicBool::new(false) }; 256];
/// One test at a time.
static TURN: Mutex<()> = Mutex::new(());

fn look_at(block: &[u8]) {
    let needles = &NEEDLES[..COUNT.load(SeqCst)];
    for window in block.windows(16) {
        if !BEGINS[usize::from(window[0])].load(SeqCst) {
            continue;
        }
        let (first, second) = halves(window);
        for (one, two, seen) in needles {
            if one.load(SeqCst) == first && two.load(SeqCst) == second {
                seen.fetch_add(1, SeqCst);
            }
        }
    }
}

fn halves(window: &[u8]) -> (u64, u64) {
    let half = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    (half(&window[..8]), half(&window[8..16]))
}

/// A secret by name, as bytes that must not be found.
type Needle = (&'static str, Vec<u8>);

/// The names of the secrets of which sixteen neighbouring bytes were in a block that was freed during `work`.
fn leaks(needles: &[Needle], work: impl FnOnce()) -> Vec<&'static str> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut names = Vec::new();
    for (name, bytes) in needles {
        assert!(bytes.len() >= 16, "{name} is too short to be told from chance");
        // Every eighth place, so that any 23 neighbouring bytes contain one.
        for window in bytes.windows(16).step_by(8).filter(|window| window.iter().any(|byte| *byte != window[0])) {
            let (one, two, seen) = &NEEDLES[names.len()];
            let (first, second) = halves(window);
            one.store(first, SeqCst);
            two.store(second, SeqCst);
            seen.store(0, SeqCst);
            BEGINS[usize::from(window[0])].store(true, SeqCst);
            names.push(*name);
        }
    }
    COUNT.store(names.len(), SeqCst);
    ARMED.set(true);
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    ARMED.set(false);
    COUNT.store(0, SeqCst);
    for begins in &BEGINS {
        begins.store(false, SeqCst);
    }
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let mut found: Vec<&str> =
        names.iter().zip(&NEEDLES).filter(|(_, (_, _, seen))| seen.load(SeqCst) > 0).map(|(name, _)| *name).collect();
    found.dedup();
    found
}

/// Bytes that no other thing has, from a name.
fn bytes<const N: usize>(name: &str) -> [u8; N] {
    let mut all = Vec::new();
    while all.len() < N {
        let count = u8::try_from(all.len() / 32).expect("short");
        all.extend(dualseal::hash::Sha3_256::digest(&[name.as_bytes(), &[count]].concat()));
    }
    all[..N].try_into().expect("as many bytes")
}

/// As it is, in hexadecimal, and back to front.
fn forms(name: &'static str, secret: &[u8]) -> Vec<Needle> {
    let reversed = secret.iter().rev().copied().collect();
    vec![(name, secret.to_vec()), (name, hex::encode(secret).into_bytes()), (name, reversed)]
}

/// An element of F_p as the library keeps it: nine limbs of 58 bits.
fn limbs(name: &'static str, element: &[u8; 66]) -> Vec<Needle> {
    let bit = |place: usize| element[65 - place / 8] >> (place % 8) & 1;
    let limb = |limb: usize| {
        (0..58)
            .filter(|place| limb * 58 + place < 528)
            .fold(0, |sum, place| sum | u64::from(bit(limb * 58 + place)) << place)
    };
    let mut all = forms(name, element);
    all.push((name, (0..9).flat_map(|number| limb(number).to_le_bytes()).collect()));
    all
}

/// A key of HMAC as it stands in the first block of either hash.
fn padded(name: &'static str, key: &[u8]) -> Vec<Needle> {
    let with = |pad: u8| (name, key.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>());
    [forms(name, key), vec![with(0x36), with(0x5c)]].concat()
}

/// The states of HMAC-SHA3-512 that have absorbed a key of at most a block: whoever has either can make every tag of
/// it.
fn keyed(name: &'static str, key: &[u8]) -> Vec<Needle> {
    let state = |pad: u8| {
        let mut block = [pad; 72];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        let mut state = [0; keccak::WORDS];
        state.iter_mut().zip(block.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        keccak::f1600(Level::PORTABLE, &mut state);
        (name, state.iter().flat_map(|word| word.to_le_bytes()).collect())
    };
    [0x36, 0x5c].map(state).into()
}

#[test]
fn the_watch_sees_what_is_not_wiped() {
    let secret = bytes::<32>("control");
    let needles = forms("control", &secret);
    // A compiler leaves out blocks that nobody looks at.
    assert_eq!(leaks(&needles, || drop(black_box(secret.to_vec()))), ["control"]);
    assert_eq!(leaks(&needles, || drop(black_box(hex::encode(secret)))), ["control"]);
    assert_eq!(leaks(&needles, || drop(black_box(Box::new([secret, secret])))), ["control"]);
    // A part of it, at an odd place.
    assert_eq!(leaks(&needles, || drop(black_box([&[0; 7], &secret[3..27]].concat()))), ["control"]);
    // A vector that grows leaves its old block behind, wiped as it may be at the end.
    let grown = leaks(&needles, || {
        let mut grown = Zeroizing::new(Vec::with_capacity(32));
        grown.extend_from_slice(&secret);
        black_box(&mut grown).reserve_exact(64);
    });
    assert_eq!(grown, ["control"]);
    assert_eq!(leaks(&needles, || drop(black_box(Zeroizing::new(secret.to_vec())))), [] as [&str; 0]);
    assert_eq!(leaks(&needles, || drop(black_box(bytes::<32>("other").to_vec()))), [] as [&str; 0]);
}

#[test]
fn secrets_and_keys_of_macs() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let [master, seal, ring, mac]: [[u8; 32]; 4] = ["master", "seal", "ring", "mac"].map(bytes);
    let long: [u8; 200] = bytes("long");
    let derived = *hkdf_sha3_256::<64>(&master, &[], &[b"info"]).expose();
    let seal_key = SealKey::derive(&domain, &Secret::from_slice("master", &master).unwrap(), &ana).expose().to_vec();
    let needles = [
        padded("master", &master),
        padded("derived", &derived),
        padded("seal key", &seal),
        padded("derived seal key", &seal_key),
        padded("ring key", &ring),
        padded("mac key", &mac),
        padded("long key", &long),
        padded("hashed long key", &Sha3_512::digest(&long)),
        keyed("state of the seal key", &seal),
        keyed("state of the derived seal key", &seal_key),
        keyed("state of the ring key", &ring),
        keyed("state of the mac key", &mac),
        keyed("state of the hashed long key", &Sha3_512::digest(&long)),
    ]
    .concat();
    let found = leaks(&needles, || {
        let master = Secret::<32>::from_slice("master", &master).unwrap();
        assert!(Secret::<64>::from_slice("master", master.expose()).is_err());
        drop(own_hex::decode_secret::<32>("master", &own_hex::encode_secret(&master)).unwrap());
        assert!(own_hex::decode_secret::<31>("master", &own_hex::encode_secret(&master)).is_err());
        drop(hkdf_sha3_256::<64>(master.expose(), &[], &[b"info"]));
        let keys = [
            SealKey::from_slice(&seal).unwrap(),
            SealKey::derive(&domain, &master, &ana),
            SealKey::legacy(&seal).unwrap(),
        ];
        for key in &keys[..2] {
            let signing = dualseal_tests::key(1);
            let made = Sealer::new(&domain, &ana, key, &signing).seal(b"payload", &mut SystemRng).unwrap();
            assert!(!made.to_string().is_empty());
        }
        drop(ShardKey::derive(&domain, &master, &ana));
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &ring).unwrap());
        drop(RingKey::generate(&domain, &mut Given(&ring)).unwrap());
        let mut kept = CheckedRing::new("example.org/log", &authority).unwrap();
        drop(authority);
        let public_key = dualseal_tests::key(1).public_key().clone();
        let added = kept.add(&ana, public_key, &Head::EMPTY, minute(0)).unwrap();
        drop(kept.to_stored_json(&added.head).unwrap());
        for key in [&mac[..], &long] {
            let mut first = HmacSha3_512::new(key);
            first.update(b"message");
            let mut moved = Box::new(first);
            moved.update(b"more");
            assert!(!bool::from(moved.verify(b"no")));
            drop(HmacSha3_256::new(key));
            assert_ne!(HmacSha3_256::new(key).finish(), [0; 32]);
            let kept = HmacKey::<Sha3_512>::new(key);
            let [first, second] = [kept.start(), kept.start()];
            drop((first, kept));
            assert_ne!(second.finish(), [0; 64]);
        }
    });
    assert_eq!(found, [] as [&str; 0]);
}

#[test]
fn signing_keys() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let [seed, drawn, ed, ed_drawn]: [[u8; 32]; 4] = ["seed", "drawn", "ed", "ed drawn"].map(bytes);
    let (key, seal_key) = (SigningKey::from_seed(&seed).unwrap(), SealKey::from_slice(&[9; 32]).unwrap());
    let expanded = *key.expand().to_bytes().expose();
    // The last 43 characters of base64 are the seed's, but for the first bits.
    let pem = key.to_pkcs8_pem().unwrap();
    let body: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let needles = [
        forms("seed", &seed),
        forms("drawn seed", &drawn),
        forms("ed25519 seed", &ed),
        forms("drawn ed25519 seed", &ed_drawn),
        // rho and tr are public; K, s1 and s2 are not.
        forms("K", &expanded[32..64]),
        vec![("short vectors", expanded[128..1536].to_vec())],
        vec![("pem", body.as_bytes()[body.len() - 40..].to_vec())],
    ]
    .concat();
    let found = leaks(&needles, || {
        let key = SigningKey::from_seed(&seed).unwrap();
        drop(SigningKey::from_secret(Secret::from_slice("seed", &seed).unwrap()).unwrap());
        drop(SigningKey::generate(&mut Given(&drawn)).unwrap());
        assert!(SigningKey::from_seed(&seed[1..]).is_err());
        let der = key.to_pkcs8_der();
        drop(SigningKey::from_pkcs8_der(&der).unwrap());
        assert!(SigningKey::from_pkcs8_der(&der[..53]).is_err());
        let pem = key.to_pkcs8_pem().unwrap();
        drop(SigningKey::from_pkcs8_pem(&pem).unwrap());
        assert!(SigningKey::from_pkcs8_pem(&pem[..pem.len() - 30]).is_err());
        let expanded = key.expand();
        let again = ExpandedSigningKey::from_slice(expanded.to_bytes().expose()).unwrap();
        assert!(ExpandedSigningKey::from_slice(&again.to_bytes().expose()[1..]).is_err());
        for key in [&key as &dyn dualseal::mldsa::StatementKey, &expanded, &again] {
            let signer = Signer::new(&domain, &ana, key);
            let content = signer.content_hash(b"content");
            signer.sign(&content, &Head::EMPTY, minute(0), &mut SystemRng).unwrap();
            signer.sign_deterministic(&content, &Head::EMPTY, minute(0)).unwrap();
            // Another crate signs what is too long to be kept.
            Sealer::new(&domain, &ana, &seal_key, key).seal(&vec![9; 40_000], &mut SystemRng).unwrap();
        }
        let boxed = Box::new(key);
        drop(boxed);

        let device = Ed25519SigningKey::from_seed(&ed).unwrap();
        drop(Ed25519SigningKey::generate(&mut Given(&ed_drawn)).unwrap());
        let request = dualseal::shard::Request {
            operation: Operation::Rebuild,
            vault_id: vault("ana", 0),
            split_id: dualseal::shard::SplitId::from_bytes([1; 32]),
            shard_ids: Vec::new(),
            arguments: Arguments::default().hash(),
            recipient: dualseal::shard::Recipient::of_key(&[1]),
            identity_id: ana,
        };
        drop(PresenceProof::sign(&domain, &request, &Nonce::from_bytes([1; 32]), minute(1), &device));
    });
    assert_eq!(found, [] as [&str; 0]);
}

/// The text with the first `from` replaced, made in one piece: a text that grew would leave copies behind.
fn replaced(text: &str, from: &str, to: &str) -> Zeroizing<String> {
    let (before, after) = text.split_once(from).unwrap_or((text, ""));
    let mut made = Zeroizing::new(String::with_capacity(text.len() + to.len()));
    for part in [before, to, after] {
        made.push_str(part);
    }
    made
}

/// Everything of sharing over one field: `needles` are those of the secret, the coefficients and the shares.
fn sharing<F: Field>(needles: &[Needle], drawn: &[u8], dealt: &[u8]) -> Vec<&'static str> {
    let domain = Domain::default();
    leaks(needles, || {
        let secret = DrawnSecret::<F>::draw(&mut Given(drawn)).unwrap();
        let threshold = Threshold::new(3, 4).unwrap();
        drop(secret.split(threshold, &mut Given(&dealt[64..])).unwrap());
        let made = Dealing::deal(&domain, &secret, threshold, &mut Given(dealt)).unwrap();
        let hexed: Vec<_> = made.shares.iter().map(Share::to_hex).collect();
        let read = |number: usize| {
            let index = Index::new(number as u64).unwrap();
            Share::<F>::from_hex(index, &hexed[number - 1]).unwrap()
        };
        let upper = Zeroizing::new(hexed[0].to_uppercase());
        assert!(Share::<F>::from_hex(Index::new(1).unwrap(), &upper).is_err());
        assert!(Share::<F>::from_bytes(Index::new(1).unwrap(), &made.shares[0].to_bytes().as_ref()[1..]).is_err());
        let shares = vec![read(4), read(2), read(1)];
        let rebuilt = reconstruct(&made.dealing, &shares).unwrap();
        assert_eq!(rebuilt.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
        assert!(reconstruct(&made.dealing, &shares[1..]).is_err());
        drop(repair(&made.dealing, &shares, Index::new(3).unwrap(), |share| share).unwrap());
        assert_eq!(health(&made.dealing, &made.shares).present.len(), 4);
        drop(made.dealing.refresh(&shares, &mut SystemRng).unwrap());
        drop(made.dealing.rethreshold(&shares, Threshold::new(2, 2).unwrap(), &mut SystemRng).unwrap());
        drop(reconstruct_unanchored(3, &made.shares).unwrap());
        drop(reconstruct_unanchored(3, &shares).unwrap());
        // With a wrong share among five, and with too many wrong ones.
        let mut five = vec![read(1), read(2), read(3), read(4)];
        let mut wrong = F::zero();
        wrong.add_assign(&F::from_index(9));
        five[0] = Share::from_bytes(Index::new(1).unwrap(), wrong.to_bytes().as_ref()).unwrap();
        assert!(reconstruct_unanchored(2, &five).is_err());

        let purpose = Purpose::new(&domain, identity("ana").as_bytes(), "TEST").unwrap();
        let stored = stream::seal(&secret, &purpose, b"plain", &mut SystemRng).unwrap();
        drop(stream::open(&secret, &purpose, &stored).unwrap());
    })
}

#[test]
fn drawn_secrets_and_shares_over_the_prime_field() {
    let mut coefficients: [[u8; 66]; 3] = ["secret", "c1", "c2"].map(bytes);
    for coefficient in &mut coefficients {
        coefficient[0] &= 1;
    }
    let mut needles = [
        limbs("secret", &coefficients[0]),
        limbs("first coefficient", &coefficients[1]),
        limbs("second coefficient", &coefficients[2]),
    ]
    .concat();
    for index in 1..=4 {
        needles.extend(limbs("share", &evaluate(&coefficients, index)));
    }
    let dealt = [&bytes::<64>("ids")[..], &coefficients[1], &coefficients[2]].concat();
    assert_eq!(sharing::<Fp521>(&needles, &coefficients[0], &dealt), [] as [&str; 0]);
}

#[test]
fn drawn_secrets_and_shares_over_the_binary_field() {
    let coefficients: [[u8; 32]; 3] = ["secret", "c1", "c2"].map(bytes);
    let [zero, one, two] = &coefficients;
    let mut needles =
        [forms("secret", zero), forms("first coefficient", one), forms("second coefficient", two)].concat();
    for index in 1..=4 {
        needles.extend(forms("share", &binary_share(&coefficients, index)));
    }
    let dealt = [&bytes::<64>("ids")[..], one, two].concat();
    assert_eq!(sharing::<Gf2_256>(&needles, zero, &dealt), [] as [&str; 0]);
    let needles = [needles, forms("ssss share", one)].concat();
    let found = leaks(&needles, || {
        let index = Index::new(7).unwrap();
        let share = Share::<Gf2_256>::from_bytes(index, one).unwrap();
        let text = ssss::to_text(&share, Threshold::new(2, 9).unwrap());
        drop(ssss::from_text(&text, 2).unwrap());
    });
    assert_eq!(found, [] as [&str; 0]);
}

fn binary_share(coefficients: &[[u8; 32]; 3], index: u8) -> [u8; 32] {
    let mut value = Gf2_256::zero();
    for coefficient in coefficients.iter().rev() {
        value = value.mul(&Gf2_256::from_index(index));
        value.add_assign(&Gf2_256::from_bytes(coefficient).expect("every value is one"));
    }
    *value.to_bytes()
}

#[test]
fn sessions() {
    let (domain, founder, owners) = (Domain::default(), secretary(), owners(3));
    let (seed, mut secret): ([u8; 32], [u8; 66]) = (bytes("seed"), bytes("secret"));
    let mut coefficient: [u8; 66] = bytes("coefficient");
    (secret[0], coefficient[0]) = (secret[0] & 1, coefficient[0] & 1);
    let mut element = [0; 66];
    element[34..].copy_from_slice(&seed);
    for (mldsa, secret) in [(false, secret), (true, element)] {
        let mut needles =
            [limbs("secret", &secret), limbs("coefficient", &coefficient), padded("mac key", &secret[34..])].concat();
        needles.extend((1..=3).flat_map(|index| limbs("share", &evaluate(&[secret, coefficient], index))));
        let drawn_secret = if mldsa { &seed[..] } else { &secret };
        let drawn = [drawn_secret, &bytes::<64>("ids"), &coefficient].concat();
        let founding =
            Founding { domain: &domain, founder: &founder, owners: &owners, k: 2, head: &Head::EMPTY, time: minute(1) };
        let found = leaks(&needles, || {
            let founded =
                if mldsa { founding.mldsa(&board(), &mut Given(&drawn)) } else { founding.hmac(&mut Given(&drawn)) };
            session_life(founded.unwrap(), mldsa);
        });
        // The bytes that were given to the generator are this test's own.
        assert_eq!(found, [] as [&str; 0], "of the second kind: {mldsa}");
    }
}

/// Everything that a session does, and what it refuses.
fn session_life(founded: dualseal::threshold::Founded, mldsa: bool) {
    let mut chain = Krunica::new();
    chain.push(founded.entry).unwrap();
    let made = Board { domain: Domain::default(), chain, records: vec![founded.session], shares: founded.shares };
    // Through their JSON, whole and as pairs, and with members that make it be refused.
    let copies = made.pick(&[1, 2, 3]);
    for share in &copies {
        drop(share.to_pair_json());
        let json = share.to_json();
        for (from, to) in [
            ("{", "{\"unknown\":1,"),
            ("\"indeks\":", "\"indeks\":99"),
            ("\"indeks\":", "\"indeks\":-"),
            ("\"vlasnik\":\"", "\"vlasnik\":\"x"),
            ("\"split_id\":\"", "\"split_id\":\"x"),
            ("\"vrijednost_hex\":\"", "\"vrijednost_hex\":\"0"),
            ("\"vrijednost_hex\":\"0", "\"vrijednost_hex\":\"f"),
            ("\"vrijednost_hex\":\"", "\"vrijednost_hex\":\"\\u0030"),
            ("\"vrijednost_hex\":", "\"vrijednost_hex\":\"\",\"vrijednost_hex\":"),
            ("\"vrijednost_hex\":", "\"again\":["),
            ("}", "} x"),
            ("}", ",\"vrijednost_hex\":1}"),
            ("\"}", "\""),
            ("\"}", ""),
        ] {
            let text = replaced(&json, from, to);
            assert!(SessionShare::from_json(text.as_bytes()).is_err(), "{from} {to}");
        }
        // Escapes spell the same value.
        let escaped = replaced(&json, "\"vrijednost_hex\":\"0", "\"vrijednost_hex\":\"\\u0030");
        drop(SessionShare::from_json(escaped.as_bytes()).unwrap());
    }
    assert!(made.in_force().quorum(&copies).reached);
    let signed = made.sign(&copies[1..]).unwrap();
    assert!(made.sign(&copies[2..]).is_err());
    if mldsa {
        made.in_force().with_quorum_key(&copies, |key| assert!(!key.seed().expose().is_empty())).unwrap();
    } else {
        made.in_force().verify_with_shares(&message(), signed.result, &copies).unwrap();
    }
    let index = Index::new(1).unwrap();
    drop(made.in_force().repair(&copies[1..], index, &owners(3)[0]).unwrap());
    let renewal = Renewal { owners: &owners(4), k: 3, time: minute(2) };
    drop(made.in_force().prepare_rethreshold(&copies, &renewal, &mut SystemRng).unwrap());
}

#[test]
fn shards() {
    let (domain, ana, vault_id): (_, IdentityId, _) = (Domain::default(), identity("ana"), vault("ana", 0));
    let [master, secret, coefficient]: [[u8; 32]; 3] = ["master", "secret", "coefficient"].map(bytes);
    let key = *hkdf_sha3_256::<64>(&master, &[], &[format!("DUALSEAL-VAULT::KDF::SHARD::{ana}::DUALSEAL").as_bytes()])
        .expose();
    let mut needles = [
        padded("master", &master),
        forms("secret", &secret),
        forms("coefficient", &coefficient),
        padded("shard key", &key),
    ]
    .concat();
    for index in 1..=3 {
        needles.extend(forms("shard", &binary_share(&[secret, coefficient, [0; 32]], index)));
    }
    let found = leaks(&needles, || {
        let key = ShardKey::derive(&domain, &Secret::from_slice("master", &master).unwrap(), &ana);
        let (nodes, drawn) = (urls(3), Zeroizing::new([bytes("split"), coefficient].concat()));
        let dealer = |m| Dealer::without_record(&domain, &key, &vault_id, &ana, m, &nodes);
        let secret = DrawnSecret::draw(&mut Given(&secret)).unwrap();
        let split = dealer(2).prepare(&secret, None, &mut Given(&drawn)).unwrap();
        let copies: Vec<Shard> = split.shards.iter().map(dualseal_tests::shards::copy).collect();
        for shard in &copies {
            shard.verify(&domain, &key).unwrap();
            let json = shard.to_json();
            for (from, to) in [
                ("{", "{\"unknown\":1,"),
                ("\"m\":2", "\"m\":1"),
                ("\"seal\":\"SEAL", "\"seal\":\"SEAM"),
                ("\"vault_id\":\"", "\"vault_id\":\"x"),
                ("\"vrijednost_hex\":\"", "\"vrijednost_hex\":\"x"),
                ("}", "}}"),
                ("\"}", "\""),
            ] {
                let text = replaced(&json, from, to);
                assert!(Shard::from_json(text.as_bytes()).is_err(), "{from} {to}");
            }
        }
        let recipient = dualseal::shard::Recipient::of_key(&[1]);
        let here = Rebuilding {
            domain: &domain,
            key: &key,
            vault_id: &vault_id,
            identity_id: &ana,
            in_force: None,
            recipient: &recipient,
        };
        let mut gate = Noting::open();
        drop(here.rebuild_these(&copies[1..], &mut gate).unwrap());
        assert!(here.rebuild_these(&copies[2..], &mut gate).is_err());
        let lost = &split.shards[0];
        drop(here.repair_these(&copies[1..], dualseal_tests::shards::lost(lost), &mut gate).unwrap());
        drop(here.refresh_these(&copies, &dealer(2), &mut gate, &mut SystemRng).unwrap());
        drop(here.rethreshold_these(&copies, &dealer(3), &mut gate, &mut SystemRng).unwrap());
    });
    assert_eq!(found, [] as [&str; 0]);
}

/// The key of a stream, and what waits in it to be encrypted or released.
#[test]
fn streams() {
    let domain = Domain::default();
    let purpose = Purpose::new(&domain, identity("ana").as_bytes(), "TEST").unwrap();
    let (secret, salt, plain): ([u8; 32], [u8; 32], [u8; 3000]) = (bytes("stream"), bytes("salt"), bytes("plaintext"));
    let info = format!("DUALSEAL-VAULT::AEAD::{}::TEST::DUALSEAL", identity("ana"));
    let derived = *hkdf_sha3_256::<64>(&secret, &salt, &[info.as_bytes()]).expose();
    let needles =
        [padded("secret", &secret), forms("key", &derived[..32]), vec![("plaintext", plain[..].to_vec())]].concat();
    let found = leaks(&needles, || {
        let secret = Secret::<32>::from_slice("secret", &secret).unwrap();
        let mut stored = Vec::new();
        let mut encryptor = Encryptor::new(&secret, &purpose, &mut Given(&salt), &mut stored).unwrap();
        plain.chunks(700).for_each(|part| encryptor.update(part, &mut stored).unwrap());
        drop(Encryptor::new(&secret, &purpose, &mut Given(&salt), &mut Vec::new()).unwrap());
        encryptor.finish(&mut stored).unwrap();
        drop(stream::open(&secret, &purpose, &stored).unwrap());
        assert!(stream::open(&secret, &purpose, &stored[..stored.len() - 1]).is_err());
        let mut out = Zeroizing::new(Vec::with_capacity(4000));
        let mut decryptor = Decryptor::new(&secret, &purpose);
        stored.chunks(333).for_each(|part| decryptor.update(part, &mut out).unwrap());
        decryptor.finish(&mut out).unwrap();
        assert_eq!(out.as_slice(), plain);
    });
    assert_eq!(found, [] as [&str; 0]);
}

/// The secrets of a vault: the master and what comes from it, a record's secret and fragment, and the document while it
/// is unsealed.
#[test]
fn vault_records() {
    let (domain, ana, place_of) = (Domain::default(), identity("ana"), minute(1));
    let [master, drawn]: [[u8; 32]; 2] = ["vault master", "vault secret"].map(bytes);
    let draws = [&drawn[..], &bytes::<96>("draws")].concat();
    let document: [u8; 3000] = bytes("document");
    let derived = |purpose: &str, length: usize| {
        let info = format!("DUALSEAL-VAULT::KDF::{purpose}::{ana}::DUALSEAL");
        hkdf_sha3_256::<64>(&master, &[], &[info.as_bytes()]).expose()[..length].to_vec()
    };
    let key = SigningKey::from_seed(&[7; 32]).unwrap();
    let ledger = LedgerHead::new(&LedgerId::from_bytes([3; 32]));
    let place = Destination { ledger: &ledger, head: &Head::EMPTY, note: "", time: place_of };
    // Sealed once beforehand with the same draws, to know what will be drawn and derived.
    let world = || {
        let master = VaultMaster::new(&domain, Secret::from_slice("master", &master).unwrap()).unwrap();
        let vault = VaultSealer::new(&master, &ana, &key);
        let (sealed, stored) = vault.seal(&document, "DEED", Encryption::Stream, &place, &mut Given(&draws)).unwrap();
        (master, sealed, stored)
    };
    let (_, sealed, _) = world();
    let fragment = *sealed.record.fragment().unwrap().secret().expose();
    drop(sealed);
    let needles = [
        padded("master", &master),
        padded("L2", &derived("L2", 32)),
        padded("L7", &derived("L7", 32)),
        padded("L5A", &derived("L5A", 64)),
        padded("secret", &drawn),
        forms("fragment", &fragment),
        vec![("document", document.to_vec())],
    ]
    .concat();
    let ring = KeyRing::pinned(&ana, key.public_key().clone());
    let found = leaks(&needles, || {
        let (master, sealed, stored) = world();
        let checkpoint = dualseal_tests::log::verified("log", &sealed.head);
        let entries = std::slice::from_ref(&sealed.entry);
        let located =
            reading::read(reading::under(&checkpoint), entries, |reader| reader.ledger(ledger.ledger(), Some(&master)));
        let at = located.unwrap().locate(&sealed.record);
        let text = sealed.record.to_stored_json();
        let record = VaultRecord::from_json(text.as_bytes()).unwrap();
        drop(sealed.record.to_json());
        let policy = Operator { master: &master, tiers: TierPolicy::any() };
        let verifier = VaultVerifier::new(&domain, &ring, &Unprepared);
        let standing = Standing { place: at.as_ref(), after: Some(&ledger) };
        let report = verifier.verify(record, &StoredHash::of(&domain, &stored), &ana, &policy, standing);
        let verified = report.into_verdict().valid().unwrap();
        let secret = sealed.secret.as_ref().map(|secret| secret as _);
        assert_eq!(*unseal(&verified, secret, &stored).unwrap(), document);
        unseal(&verified, secret, &stored[..stored.len() - 1]).unwrap_err();
        // Parts of which each grows the buffer.
        let (mut unsealer, mut out) = (Unsealer::new(&verified, secret).unwrap(), Provisional::new());
        stored.chunks(100).for_each(|part| unsealer.update(part, &mut out).unwrap());
        assert_eq!(unsealer.finish(&mut out).unwrap().length(), stored.len() as u64);
        assert_eq!(trace(sealed.record.fragment().unwrap(), [&sealed.record]), Some(sealed.record.header().vault_id));
        // Refused at the end, after the fragment was read; and as long as a record may be.
        VaultRecord::from_json(&text.as_bytes()[..text.len() - 1]).unwrap_err();
        VaultRecord::from_json(replaced(&text, "\"sealed\"", "\"other\"").as_bytes()).unwrap_err();
        assert_eq!(inspect(text.as_bytes()).findings, []);
        let long = format!("\"poruka\":\"{}", "\u{1}".repeat(20_000).replace('\u{1}', "\\u0001"));
        let long = VaultRecord::from_json(replaced(&text, "\"poruka\":\"", &long).as_bytes()).unwrap();
        assert!(long.to_stored_json().len() > 120_000);
    });
    assert_eq!(found, [] as [&str; 0]);
}

/// What is inspected may be a share: also one that follows the lines of a chain, in parts or whole, with or without an
/// end of its line.
#[test]
fn inspections() {
    let board = Board::hmac(2, 3);
    let share = board.shares[0].to_json();
    let needles = forms("share", board.shares[0].as_ref().to_bytes().as_slice());
    let chain = dualseal_tests::log::chain_of(&identity("ana"), &["plain"]);
    let mut text = Zeroizing::new(Vec::with_capacity(8_192));
    text.extend_from_slice(chain.entries()[0].to_json_line().as_bytes());
    text.extend_from_slice(share.as_bytes());
    let found = leaks(&needles, || {
        assert_eq!(inspect(share.as_bytes()).findings, []);
        assert_ne!(inspect(&text).findings, []);
        let mut lines = dualseal::krunica::JsonLines::new();
        text.chunks(37).for_each(|part| lines.push(part, |_| Ok(())).unwrap());
        lines.push(b"\n", |_| Ok(())).unwrap();
    });
    assert_eq!(found, [] as [&str; 0]);
}

/// The helpers of this test wipe what they copy, so that what is found is the library's.
#[test]
fn the_helpers_keep_no_secrets() {
    let board = Board::hmac(2, 3);
    let share = *board.shares[0].as_ref().to_bytes();
    let found = leaks(&limbs("share", &share), || drop(board.pick(&[1])));
    assert_eq!(found, [] as [&str; 0]);
    drop((altered(&board.shares[0], "indeks", 2.into()), forged(&board.shares[0])));
}
