//! A dealer who commits to shares that are not on his polynomial. Whoever holds them did nothing wrong, and what
//! becomes of it depends on which shares came, not on their order.

use dualseal::Domain;
use dualseal::error::{Error, SharingFault, SharingProblem};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::hash::Sha3_512;
use dualseal::shamir::{Dealing, Dealt, Share, reconstruct, repair};
use dualseal_tests::sharing::{chosen, copy, deal, draw, expected, fault, index, shifted};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A dealing whose dealer committed to other values for the shares whose bit is set.
struct Cheated<F: Field> {
    dealing: Dealing<F>,
    shares: Vec<Share<F>>,
    secret: Vec<u8>,
    k: usize,
}

impl<F: Field> Cheated<F> {
    fn new(k: u8, n: u8, misdealt: usize) -> Self {
        let secret = draw::<F>();
        let Dealt { dealing, mut shares, .. } = deal(&secret, k, n);
        let mut record: Value = serde_json::from_str(&dealing.to_json()).unwrap();
        for place in (0..usize::from(n)).filter(|place| misdealt >> place & 1 == 1) {
            // By different amounts, so that no two of them are on one other polynomial by accident.
            let by = u8::try_from(place * 37 % 251 + 1).unwrap();
            shares[place] = shifted(&shares[place], &F::from_index(by));
            let text = format!("DUALSEAL-SHARD::VALUE::{}::{}::DUALSEAL", dealing.split_id(), place + 1);
            let committed = [text.as_bytes(), shares[place].to_bytes().as_ref()].concat();
            record["udio_sidra"][place] = json!(hex::encode(Sha3_512::digest(&committed)));
        }
        let dealing = Dealing::from_json(&Domain::default(), record.to_string().as_bytes()).unwrap();
        Self { dealing, shares, secret: secret.to_bytes().as_ref().to_vec(), k: k.into() }
    }

    fn outcome(&self, shares: &[Share<F>]) -> Result<(Vec<u8>, Vec<u8>), SharingFault> {
        let numbers = |list: &[dualseal::shamir::Index]| list.iter().map(|index| index.get()).collect::<Vec<_>>();
        match reconstruct(&self.dealing, shares) {
            Ok(rebuilt) => {
                assert_eq!(rebuilt.secret.to_bytes().as_ref(), self.secret);
                Ok((numbers(&rebuilt.culprits), numbers(&rebuilt.misdealt)))
            }
            Err(error) => Err(fault(Err::<(), Error>(error))),
        }
    }

    /// What must come of good shares, some of them misdealt, and of bad ones: decided by which they are.
    fn rule(&self, given: &[usize], misdealt: usize, bad: usize) -> Result<(Vec<u8>, Vec<u8>), SharingFault> {
        let number = |place: &usize| u8::try_from(place + 1).unwrap();
        let is = |bits: usize| move |place: &&usize| bits >> **place & 1 == 1;
        let given: BTreeSet<usize> = given.iter().copied().collect();
        let culprits: Vec<u8> = given.iter().filter(is(bad)).map(number).collect();
        let good: Vec<usize> = given.iter().filter(is(!bad)).copied().collect();
        let wrong: Vec<u8> = good.iter().filter(is(misdealt)).map(number).collect();
        if good.len() < self.k {
            let (needed, found) = (u8::try_from(self.k).unwrap(), u8::try_from(good.len()).unwrap());
            Err(expected(SharingProblem::TooFewShares { needed, found }, &culprits))
        } else if !good[..self.k].iter().any(|place| misdealt >> place & 1 == 1) {
            Ok((culprits, vec![]))
        } else if wrong.len() <= (good.len() - self.k) / 2 {
            Ok((culprits, wrong))
        } else {
            Err(expected(SharingProblem::DealerFault, &culprits))
        }
    }
}

fn in_order<F: Field>(cheated: &Cheated<F>, order: &[usize], bad: usize) -> Vec<Share<F>> {
    let one = F::from_index(1);
    let share = |place: &usize| match bad >> place & 1 {
        1 => shifted(&cheated.shares[*place], &one),
        _ => copy(&cheated.shares[*place]),
    };
    order.iter().map(share).collect()
}

/// Which shares of n come, in which order, and which of all are misdealt and bad.
fn cases() -> impl Strategy<Value = (u8, Vec<usize>, usize, usize)> {
    (2_u8..5, 5_usize..10).prop_flat_map(|(k, n)| {
        let given = prop::sample::subsequence((0..n).collect::<Vec<_>>(), 2..=n).prop_shuffle();
        let few = |most: usize| prop::sample::subsequence((0..n).collect::<Vec<_>>(), 0..=most);
        let bits = |places: Vec<usize>| places.into_iter().fold(0, |bits, place| bits | 1 << place);
        (Just(k), given, few(3).prop_map(bits), few(2).prop_map(bits))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_outcome_is_the_same_for_every_order((k, given, misdealt, bad) in cases()) {
        let cheated = Cheated::<Gf2_256>::new(k, 9, misdealt);
        let found = cheated.outcome(&in_order(&cheated, &given, bad));
        prop_assert_eq!(found, cheated.rule(&given, misdealt, bad));
    }

    #[test]
    fn so_it_is_over_the_prime_field((k, given, misdealt, bad) in cases()) {
        let cheated = Cheated::<Fp521>::new(k, 9, misdealt);
        let found = cheated.outcome(&in_order(&cheated, &given, bad));
        prop_assert_eq!(found, cheated.rule(&given, misdealt, bad));
    }
}

/// All orders of five shares of which two give the secret, one of them misdealt.
#[test]
fn one_misdealt_share_is_found_in_every_order() {
    fn orders(rest: &mut Vec<usize>, begun: &mut Vec<usize>, each: &mut impl FnMut(&[usize])) {
        if rest.is_empty() {
            each(begun);
        }
        for place in 0..rest.len() {
            let taken = rest.remove(place);
            begun.push(taken);
            orders(rest, begun, each);
            begun.pop();
            rest.insert(place, taken);
        }
    }
    for place in 0..5 {
        let cheated = Cheated::<Gf2_256>::new(2, 5, 1 << place);
        let misdealt = if place < 2 { vec![u8::try_from(place + 1).unwrap()] } else { vec![] };
        let mut count = 0;
        orders(&mut (0..5).collect(), &mut Vec::new(), &mut |order| {
            assert_eq!(cheated.outcome(&in_order(&cheated, order, 0)), Ok((vec![], misdealt.clone())), "{order:?}");
            count += 1;
        });
        assert_eq!(count, 120);
    }
}

/// A lost share comes from the shares that agree, and a misdealt one is not made again: it was never on the polynomial.
#[test]
fn repair_and_refresh_leave_misdealt_shares_out() {
    let cheated = Cheated::<Fp521>::new(3, 6, 0b00_0001);
    let repaired = repair(&cheated.dealing, &chosen(&cheated.shares, 0b11_1111, 0), index(4), |share| share).unwrap();
    assert_eq!(repaired.share.to_hex(), cheated.shares[3].to_hex());
    assert_eq!((repaired.culprits, repaired.misdealt), (vec![], vec![index(1)]));
    let lost = repair(&cheated.dealing, &chosen(&cheated.shares, 0b11_1110, 0), index(1), |share| share);
    assert_eq!(fault(lost), expected(SharingProblem::DealerFault, &[]));
    let fresh = cheated.dealing.refresh(&chosen(&cheated.shares, 0b11_1111, 0b00_0010), &mut dualseal::SystemRng);
    let fresh = fresh.unwrap();
    assert_eq!((fresh.culprits, fresh.misdealt), (vec![index(2)], vec![index(1)]));
    assert_eq!(reconstruct(&fresh.dealing, &fresh.shares).unwrap().misdealt, []);
}
