//! Proofs by trying everything: the same generic code, over fields that are small enough.

use super::decode::find_errors;
use super::weights::interpolate;
use super::{DrawnSecret, Share, Threshold};
use crate::field::Field;
use crate::field::contract::Repeatable;
use crate::field::tiny::Tiny;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use rand_core::{TryCryptoRng, TryRng};

/// Lets a function fill the bytes. Then it sets the bit above the field's: it is ignored, and keeps the whole from
/// being zero, as a real field's 32 bytes or more never are.
struct Filled<F>(F);

impl<F: FnMut(&mut [u8])> TryRng for Filled<F> {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0(bytes);
        for byte in bytes {
            *byte |= 0x80;
        }
        Ok(())
    }
}

impl<F: FnMut(&mut [u8])> TryCryptoRng for Filled<F> {}

fn element<const Q: u64>(value: u8) -> Tiny<Q> {
    Tiny::from_bytes(&[value]).unwrap()
}

fn value<const Q: u64>(element: &Tiny<Q>) -> u8 {
    element.to_bytes()[0]
}

/// Every list of `length` elements.
fn lists<const Q: u64>(length: usize) -> impl Iterator<Item = Vec<u8>> {
    let digit = |number: u64, place: usize| u8::try_from(number / Q.pow(u32::try_from(place).unwrap()) % Q).unwrap();
    (0..Q.pow(u32::try_from(length).unwrap()))
        .map(move |number| (0..length).map(|place| digit(number, place)).collect())
}

/// Every way to choose `size` of `count` places.
fn subsets(count: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let all = (0_u32..1 << count).filter(move |mask| mask.count_ones() as usize == size);
    all.map(move |mask| (0..count).filter(|place| mask >> place & 1 == 1).collect())
}

fn shares<const Q: u64>(secret: u8, threshold: Threshold, coefficients: &[u8]) -> Vec<u8> {
    let secret = DrawnSecret::from_element(&element::<Q>(secret));
    let shares = secret.split(threshold, &mut Filled(|bytes: &mut [u8]| bytes.copy_from_slice(coefficients))).unwrap();
    shares.iter().map(|share| value(share.value())).collect()
}

/// Over all coefficients, which are equally likely, k-1 shares take every tuple of values exactly once for every
/// secret. So what they are says nothing about it.
fn secrecy<const Q: u64>(k: u8, n: u8) {
    let threshold = Threshold::new(k.into(), n.into()).unwrap();
    for chosen in subsets(n.into(), usize::from(k) - 1) {
        let mut seen = BTreeMap::<Vec<u8>, BTreeSet<u8>>::new();
        for secret in 0..u8::try_from(Q).unwrap() {
            for coefficients in lists::<Q>(usize::from(k) - 1) {
                let shares = shares::<Q>(secret, threshold, &coefficients);
                let tuple = chosen.iter().map(|place| shares[*place]).collect();
                assert!(seen.entry(tuple).or_default().insert(secret), "twice for one secret");
            }
        }
        assert_eq!(seen.len(), lists::<Q>(usize::from(k) - 1).count());
        assert!(seen.values().all(|secrets| secrets.len() as u64 == Q));
    }
}

#[test]
fn fewer_than_k_shares_fit_every_secret() {
    secrecy::<5>(2, 4);
    secrecy::<5>(3, 4);
    secrecy::<5>(4, 4);
    secrecy::<7>(2, 6);
    secrecy::<7>(3, 6);
    secrecy::<7>(4, 5);
}

#[test]
fn any_k_shares_give_the_secret_and_every_other_share() {
    let threshold = Threshold::new(3, 6).unwrap();
    for coefficients in lists::<7>(3) {
        let shares = shares::<7>(coefficients[0], threshold, &coefficients[1..]);
        let elements: Vec<Tiny<7>> = shares.iter().map(|value| element(*value)).collect();
        for chosen in (3..=6).flat_map(|size| subsets(6, size)) {
            let index = |place: usize| u8::try_from(place + 1).unwrap();
            let points = chosen.iter().map(|place| (index(*place), &elements[*place]));
            assert_eq!(value(&interpolate(points.clone(), 0)), coefficients[0]);
            for (place, share) in shares.iter().enumerate() {
                assert_eq!(value(&interpolate(points.clone(), index(place))), *share);
            }
        }
    }
}

/// Pearson's statistic for 16 degrees of freedom stays below 60 with a probability of 1 - 5e-7.
fn assert_uniform(counts: &[u32; 17]) {
    let expected = f64::from(counts.iter().sum::<u32>()) / 17.0;
    let statistic: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    assert!(statistic < 60.0, "{statistic}: {counts:?}");
}

#[test]
fn coefficients_are_uniform_and_the_leading_one_may_be_zero() {
    let mut source = Repeatable(7);
    let mut rng = Filled(|bytes: &mut [u8]| source.try_fill_bytes(bytes).unwrap());
    let threshold = Threshold::new(3, 3).unwrap();
    let mut counts = [[0; 17]; 3];
    for _ in 0..50_000 {
        let secret = DrawnSecret::<Tiny<17>>::from_element(&element(5));
        let shares = secret.split(threshold, &mut rng).unwrap();
        let [first, second, third] = [0, 1, 2].map(|place: usize| i32::from(value(shares[place].value())));
        // f(2) - 2 f(1) + f(0) = 2 c_2, and c_1 = f(1) - f(0) - c_2; 9 is the inverse of 2.
        let leading = (second - 2 * first + 5) * 9;
        for (counts, value) in counts.iter_mut().zip([leading, first - 5 - leading, third]) {
            counts[usize::try_from(value.rem_euclid(17)).unwrap()] += 1;
        }
    }
    counts.iter().for_each(assert_uniform);
}

/// The places where a word differs from the one codeword that is near enough, found by comparing with all of them.
fn nearest<const Q: u64>(word: &[u8], k: usize) -> Option<Vec<usize>> {
    lists::<Q>(k).find_map(|coefficients| {
        let polynomial: Vec<Tiny<Q>> = coefficients.iter().map(|value| element(*value)).collect();
        let wrong: Vec<usize> = (0..word.len())
            .filter(|place| {
                let index = u8::try_from(place + 1).unwrap();
                let power = |degree: usize| u64::from(index).pow(u32::try_from(degree).unwrap());
                let terms = polynomial.iter().enumerate().map(|(degree, c)| u64::from(value(c)) * power(degree));
                terms.sum::<u64>() % Q != u64::from(word[*place])
            })
            .collect();
        (wrong.len() <= (word.len() - k) / 2).then_some(wrong)
    })
}

fn decodes_every_word<const Q: u64>(count: usize, k: usize) {
    let indices: Vec<u8> = (1..=u8::try_from(count).unwrap()).collect();
    for word in lists::<Q>(count) {
        let elements: Vec<Tiny<Q>> = word.iter().map(|value| element(*value)).collect();
        let elements: Vec<&Tiny<Q>> = elements.iter().collect();
        assert_eq!(find_errors(&indices, &elements, k), nearest::<Q>(&word, k), "{word:?}");
    }
}

#[test]
fn decoding_finds_the_nearest_polynomial_or_none() {
    for (count, k) in [(2, 2), (3, 2), (4, 2), (4, 3), (4, 4)] {
        decodes_every_word::<5>(count, k);
    }
    for (count, k) in [(5, 2), (5, 3), (6, 2)] {
        decodes_every_word::<7>(count, k);
    }
}

#[test]
fn shares_of_the_tiny_field_travel_as_others_do() {
    let index = super::Index::new(4).unwrap();
    assert!(Share::<Tiny<5>>::from_hex(index, "05").is_err());
    assert_eq!(*Share::<Tiny<5>>::from_hex(index, "04").unwrap().to_hex(), "04");
}
