//! The operations, each on a secret that a generator draws.

use crate::memory::{poison, publish};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::hash::HmacSha3_512;
use dualseal::key::Unprepared;
use dualseal::mldsa::vectors;
use dualseal::rand_core::TryRng;
use dualseal::seal::{Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal::shamir::{Dealing, DrawnSecret, Share, reconstruct};
use dualseal::stream::{self, Purpose};
use dualseal::threshold::{SessionInForce, SessionShare};
use dualseal::{Domain, ExpandedSigningKey, Head, IdentityId, KeyRing, SigningKey, SystemRng};
use dualseal_kernels::Level;
use dualseal_kernels::mldsa::{self as kernels, PRIVATE_KEY_BYTES, PUBLIC_KEY_BYTES};
use dualseal_tests::quorum::{self, Board, RawDealing};
use dualseal_tests::random::Given;
use dualseal_tests::sharing::{Repeatable, element, index, threshold};
use dualseal_tests::{identity, key, minute};
use std::hint::black_box;
use std::sync::LazyLock;

/// What every secret of the fixed class is drawn from.
pub(crate) const FIXED: u64 = 1;

/// One operation.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// Each takes so long that fewer are measured.
    pub(crate) signs: bool,
    /// Its time depends on what is public of a key: both classes are drawn, and a bit of the secret tells them apart.
    pub(crate) labelled: bool,
    /// Draws the secret. What it takes is not measured.
    pub(crate) prepare: fn(&mut Repeatable) -> Box<dyn Case>,
}

pub(crate) trait Case {
    /// Marks what is secret.
    fn poison(&self);
    /// A bit of what is marked: the lowest one of a byte of the secret, or what else may tell.
    fn bit(&self) -> u8;
    fn run(&mut self);
}

const fn operation(name: &'static str, prepare: fn(&mut Repeatable) -> Box<dyn Case>) -> Operation {
    Operation { name, signs: false, labelled: false, prepare }
}

const fn signing(name: &'static str, labelled: bool, prepare: fn(&mut Repeatable) -> Box<dyn Case>) -> Operation {
    Operation { name, signs: true, labelled, prepare }
}

pub(crate) const OPERATIONS: &[Operation] = &[
    operation("hmac-verify", hmac_verify),
    operation("field-prime", arithmetic::<Fp521>),
    operation("field-binary", arithmetic::<Gf2_256>),
    operation("split-prime", split::<Fp521>),
    operation("split-binary", split::<Gf2_256>),
    operation("reconstruct-prime", rebuild::<Fp521>),
    operation("reconstruct-binary", rebuild::<Gf2_256>),
    operation("stream-open", stream_open),
    operation("seal-verify", seal_verify),
    signing("threshold-sign-hmac", false, threshold_hmac),
    signing("threshold-sign-mldsa", true, threshold_mldsa),
    signing("sign", true, sign),
    Operation { name: "make-key", signs: false, labelled: true, prepare: make_key },
    Operation { name: "make-key-portable", signs: false, labelled: true, prepare: make_key_portably },
];

/// A state, with what marks its secrets, what reads a bit of them, and what is done with it.
struct Of<S> {
    state: S,
    poison: fn(&S),
    bit: fn(&S) -> u8,
    run: fn(&mut S),
}

impl<S> Case for Of<S> {
    fn poison(&self) {
        (self.poison)(&self.state);
    }

    fn bit(&self) -> u8 {
        (self.bit)(&self.state) & 1
    }

    fn run(&mut self) {
        (self.run)(&mut self.state);
    }
}

fn prepared<S: 'static>(state: S, poison: fn(&S), bit: fn(&S) -> u8, run: fn(&mut S)) -> Box<dyn Case> {
    Box::new(Of { state, poison, bit, run })
}

fn drawn<const N: usize>(random: &mut Repeatable) -> [u8; N] {
    let mut bytes = [0; N];
    let Ok(()) = random.try_fill_bytes(&mut bytes);
    bytes
}

const PAYLOAD: &[u8] =
    b"what is sealed, signed or authenticated, of some hundred bytes: neither a short nor a long one";

/// The tag is that of the fixed key: under it all 64 bytes are the same, under others the first differs.
fn hmac_verify(random: &mut Repeatable) -> Box<dyn Case> {
    let key: [u8; 64] = drawn(random);
    let mut right = HmacSha3_512::new(&drawn::<64>(&mut Repeatable(FIXED)));
    right.update(PAYLOAD);
    let state = (Box::new(key), right.finish());
    prepared(
        state,
        |(key, _)| poison(&**key),
        |(key, _)| key[0],
        |(key, tag)| {
            let mut mac = HmacSha3_512::new(&**key);
            mac.update(PAYLOAD);
            // Whether it is right is what everybody is told.
            let told = mac.verify(tag).unwrap_u8();
            publish(&told);
            black_box(told);
        },
    )
}

/// Bytes of an element: the first of one of the prime field has a single bit, and all of them being set is no element.
fn element_bytes<F: Field>(random: &mut Repeatable) -> F::Bytes {
    let mut bytes: [u8; 66] = drawn(random);
    bytes[0] &= 1;
    bytes[65] &= 0x7f;
    let start = if F::BYTES == 66 { 0 } else { 66 - F::BYTES };
    F::Bytes::try_from(&bytes[start..]).ok().expect("the field's length")
}

fn arithmetic<F: Field>(random: &mut Repeatable) -> Box<dyn Case> {
    let [one, other] = [(); 2].map(|()| element_bytes::<F>(random));
    let elements = Box::new([element::<F>(one.as_ref()), element::<F>(other.as_ref())]);
    prepared(
        elements,
        |elements| poison(&**elements),
        |elements| elements[0].to_bytes().as_ref()[F::BYTES - 1],
        |elements| {
            let [one, other] = &**elements;
            let mut product = one.mul(other);
            product.add_assign(one);
            product.sub_assign(other);
            black_box(product.mul(&product).to_bytes());
        },
    )
}

/// What a generator gives for a secret and for a polynomial.
fn split<F: Field>(random: &mut Repeatable) -> Box<dyn Case> {
    let bytes: Box<[u8; 264]> = Box::new(drawn(random));
    prepared(
        bytes,
        |bytes| poison(&**bytes),
        |bytes| bytes[1],
        |bytes| {
            let mut given = Given(&**bytes);
            let secret = DrawnSecret::<F>::draw(&mut given).expect("a secret");
            let shares = secret.split(threshold(3, 5), &mut given).expect("shares");
            black_box(shares.last().map(Share::to_bytes));
        },
    )
}

fn rebuild<F: Field>(random: &mut Repeatable) -> Box<dyn Case> {
    let secret = DrawnSecret::<F>::draw(random).expect("a secret");
    let dealt = Dealing::deal(&Domain::default(), &secret, threshold(3, 5), random).expect("shares");
    let values: Vec<Vec<u8>> = dealt.shares[..3].iter().map(|share| share.to_bytes().as_ref().to_vec()).collect();
    prepared(
        (dealt.dealing, values),
        |(_, values)| values.iter().for_each(|value| poison(&value[..])),
        |(_, values)| values[0][F::BYTES - 1],
        |(dealing, values)| {
            let share = |(place, value): (usize, &Vec<u8>)| Share::<F>::from_bytes(index(place + 1), value);
            let shares = values.iter().enumerate().map(share).collect::<Result<Vec<_>, _>>().expect("elements");
            black_box(reconstruct(dealing, &shares).expect("a secret").secret.to_bytes());
        },
    )
}

/// A stream and a seal by another secret than any that is drawn.
struct OfAnother {
    domain: Domain,
    ana: IdentityId,
    purpose: Purpose,
    stream: Vec<u8>,
    seal: Seal,
    ring: KeyRing,
}

static OF_ANOTHER: LazyLock<OfAnother> = LazyLock::new(|| {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(7));
    let bytes: [u8; 64] = drawn(&mut Repeatable(u64::MAX));
    let purpose = Purpose::new(&domain, ana.as_bytes(), "note").expect("a purpose");
    let secret = Secret::<32>::from_slice("secret", &bytes[..32]).expect("32 bytes");
    let stream = stream::seal(&secret, &purpose, PAYLOAD, &mut SystemRng).expect("a working generator");
    let seal_key = SealKey::from_slice(&bytes).expect("64 bytes");
    let seal = Sealer::new(&domain, &ana, &seal_key, &signing).seal(PAYLOAD, &mut SystemRng).expect("a fit key").into();
    let ring = KeyRing::pinned(&ana, signing.public_key().clone());
    OfAnother { domain, ana, purpose, stream, seal, ring }
});

/// That it cannot be opened is what everybody is told.
fn stream_open(random: &mut Repeatable) -> Box<dyn Case> {
    let bytes: Box<[u8; 32]> = Box::new(drawn(random));
    LazyLock::force(&OF_ANOTHER);
    prepared(
        bytes,
        |bytes| poison(&**bytes),
        |bytes| bytes[0],
        |bytes| {
            let OfAnother { purpose, stream, .. } = &*OF_ANOTHER;
            let secret = Secret::<32>::from_slice("secret", &**bytes).expect("32 bytes");
            assert!(stream::open(&secret, purpose, stream).is_err());
        },
    )
}

/// Both layers.
fn seal_verify(random: &mut Repeatable) -> Box<dyn Case> {
    let bytes: Box<[u8; 64]> = Box::new(drawn(random));
    LazyLock::force(&OF_ANOTHER);
    prepared(
        bytes,
        |bytes| poison(&**bytes),
        |bytes| bytes[0],
        |bytes| {
            let OfAnother { domain, ana, seal, ring, .. } = &*OF_ANOTHER;
            let key = SealKey::from_slice(&**bytes).expect("64 bytes");
            let verifier = SealVerifier::new(domain, ring, &Unprepared);
            let _ = black_box(verifier.verify(seal, PAYLOAD, ana, Policy::Both(&key), Legacy::Refused, None));
        },
    )
}

struct Quorum {
    session: SessionInForce,
    head: Head,
    /// Those of the first custodians, as they arrive.
    values: Vec<[u8; 66]>,
    /// The same, for a bit of what is rebuilt of both: of one alone that would say nothing.
    elements: Box<[Fp521; 2]>,
}

impl Quorum {
    fn prepared(board: &Board) -> Box<dyn Case> {
        let values: Vec<_> = board.shares[..2].iter().map(quorum::value).collect();
        let elements = Box::new(first_two(board));
        let state = Self { session: board.in_force(), head: board.chain.head().clone(), values, elements };
        let marks = |quorum: &Self| {
            poison(&quorum.values[..]);
            poison(&*quorum.elements);
        };
        prepared(state, marks, |quorum| shared(&quorum.elements)[65], Self::sign)
    }

    fn sign(&mut self) {
        let founder = self.session.founder();
        let share = |(place, value): (usize, &[u8; 66])| {
            let owner = quorum::owner(u8::try_from(place + 1).expect("few"));
            let value = Share::from_bytes(index(place + 1), value).expect("an element");
            SessionShare::new(*founder.session_id(), *founder.split_id(), owner, value)
        };
        let shares: Vec<_> = self.values.iter().enumerate().map(share).collect();
        let (message, requester) = (quorum::message(), quorum::secretary());
        let signed = self.session.sign(&message, &requester, &shares, &self.head, minute(2), &mut SystemRng);
        black_box(signed.expect("a quorum"));
    }
}

fn first_two(board: &Board) -> [Fp521; 2] {
    [0, 1].map(|at: usize| element(&quorum::value(&board.shares[at])))
}

/// What two of a 2-of-n sharing share: the line through the points 1 and 2, at 0.
fn shared([one, two]: &[Fp521; 2]) -> [u8; 66] {
    let mut secret = one.mul(&Fp521::from_index(2));
    secret.sub_assign(two);
    *secret.to_bytes()
}

fn threshold_hmac(random: &mut Repeatable) -> Box<dyn Case> {
    let coefficients = [(); 2].map(|()| element_bytes::<Fp521>(random));
    Quorum::prepared(&RawDealing::honest(quorum::HMAC, &coefficients, 3).board())
}

fn threshold_mldsa(random: &mut Repeatable) -> Box<dyn Case> {
    let [_, board] = Board::of_each_kind_from(&drawn::<1024>(random), 2, 3);
    // The class is a bit of this key's seed.
    let key = SigningKey::from_seed(&shared(&first_two(&board))[34..]).expect("a seed");
    assert!(board.session().to_json().contains(&key.public_key().to_hex()), "another secret is shared");
    Quorum::prepared(&board)
}

/// Where the secret parts of an expanded key lie: K, and s1, s2 and t0. What stands between them and before is public.
const K: std::ops::Range<usize> = 32..64;
const VECTORS: std::ops::Range<usize> = 128..4032;
const SHORT: std::ops::Range<usize> = 128..1536;
/// The sum of |c| over the 2816 coefficients of s1 and s2, where half of all keys have more.
const USUAL_WEIGHT: u32 = 6258;

/// Whether s1 and s2 weigh more than those of half of all keys.
fn is_heavy(key: &[u8; 4032]) -> bool {
    let halves = key[SHORT].iter().flat_map(|pair| [pair & 15, pair >> 4]);
    halves.map(|half| u32::from(half.abs_diff(4))).sum::<u32>() > USUAL_WEIGHT
}

fn sign(random: &mut Repeatable) -> Box<dyn Case> {
    let key = SigningKey::from_seed(&drawn::<32>(random)).expect("a seed");
    let bytes = Box::new(*key.expand().to_bytes().expose());
    let rnd: [u8; 32] = drawn(random);
    prepared(
        (bytes, rnd),
        |(bytes, _)| {
            poison(&bytes[K]);
            poison(&bytes[VECTORS]);
        },
        |(bytes, _)| u8::from(is_heavy(bytes)),
        |(bytes, rnd)| {
            let key = ExpandedSigningKey::from_slice(&bytes[..]).expect("an expanded key");
            publish(key.public_key().as_bytes());
            black_box(vectors::sign(&key, PAYLOAD, Some(rnd)).expect("a fit key"));
        },
    )
}

/// A seed, and whether its key is heavy.
type Seed = (Box<[u8; 32]>, Box<u8>);

fn of_seed(random: &mut Repeatable, run: fn(&mut Seed)) -> Box<dyn Case> {
    let seed: Box<[u8; 32]> = Box::new(drawn(random));
    let key = SigningKey::from_seed(&*seed).expect("a seed");
    let heavy = Box::new(u8::from(is_heavy(key.expand().to_bytes().expose())));
    prepared(
        (seed, heavy),
        |(seed, heavy)| {
            poison(&**seed);
            poison(&**heavy);
        },
        |(_, heavy)| **heavy,
        run,
    )
}

fn make_key(random: &mut Repeatable) -> Box<dyn Case> {
    of_seed(random, |(seed, _)| drop(black_box(SigningKey::from_seed(&**seed).expect("a seed"))))
}

/// What a processor runs that has none of the kernels' instructions.
fn make_key_portably(random: &mut Repeatable) -> Box<dyn Case> {
    of_seed(random, |(seed, _)| {
        let (mut private, mut public) = ([0; PRIVATE_KEY_BYTES], [0; PUBLIC_KEY_BYTES]);
        kernels::make_key(Level::PORTABLE, seed, &mut private, &mut public);
        black_box((&private, &public));
    })
}
