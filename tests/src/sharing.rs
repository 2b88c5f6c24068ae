//! Shares of known and of drawn secrets, and what is done to them.

use crate::random::Given;
use dualseal::error::{Error, Rejected, SharingFault, SharingProblem};
use dualseal::field::Field;
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::shamir::{Dealing, Dealt, DrawnSecret, Index, Share, Threshold};
use dualseal::{Domain, SystemRng};

pub fn threshold(k: u8, n: u8) -> Threshold {
    Threshold::new(k.into(), n.into()).expect("2 <= k <= n")
}

pub fn index(number: usize) -> Index {
    Index::new(number as u64).expect("1 to 255")
}

pub fn draw<F: Field>() -> DrawnSecret<F> {
    DrawnSecret::draw(&mut SystemRng).expect("a secret")
}

/// A secret that a generator was made to give.
pub fn given<F: Field>(bytes: &[u8]) -> DrawnSecret<F> {
    DrawnSecret::draw(&mut Given(bytes)).expect("a secret")
}

pub fn deal<F: Field>(secret: &DrawnSecret<F>, k: u8, n: u8) -> Dealt<F> {
    Dealing::deal(&Domain::default(), secret, threshold(k, n), &mut SystemRng).expect("shares")
}

/// A share of the same index and value: shares cannot be cloned.
pub fn copy<F: Field>(share: &Share<F>) -> Share<F> {
    Share::from_bytes(share.index(), share.to_bytes().as_ref()).expect("a share")
}

/// A share whose value is larger or smaller by one element.
pub fn shifted<F: Field>(share: &Share<F>, by: &F) -> Share<F> {
    let mut value = element::<F>(share.to_bytes().as_ref());
    value.add_assign(by);
    Share::from_bytes(share.index(), value.to_bytes().as_ref()).expect("a share")
}

pub fn element<F: Field>(bytes: &[u8]) -> F {
    let bytes = F::Bytes::try_from(bytes).ok().expect("the field's length");
    F::from_bytes(&bytes).into_option().expect("an element")
}

/// The shares whose bit is set, without the bits of `wrong`, which get another value.
pub fn chosen<F: Field>(shares: &[Share<F>], bits: usize, wrong: usize) -> Vec<Share<F>> {
    let one = F::from_index(1);
    let share =
        |place: usize| if wrong >> place & 1 == 1 { shifted(&shares[place], &one) } else { copy(&shares[place]) };
    (0..shares.len()).filter(|place| bits >> place & 1 == 1).map(share).collect()
}

/// The fault of a refusal.
pub fn fault<T: std::fmt::Debug>(result: Result<T, Error>) -> SharingFault {
    match result {
        Err(Error::Rejected(Rejected::Sharing(fault))) => fault,
        other => panic!("not refused for its shares: {other:?}"),
    }
}

/// A fault with these culprits.
pub fn expected(problem: SharingProblem, culprits: &[u8]) -> SharingFault {
    SharingFault { problem, culprits: culprits.to_vec() }
}

/// A deterministic generator (splitmix64), so that a failure repeats.
#[derive(Clone, Debug)]
pub struct Repeatable(pub u64);

impl TryRng for Repeatable {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(word ^ word >> 31)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Repeatable {}
