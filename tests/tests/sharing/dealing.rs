//! The dealer's record, and what is done with shares besides rebuilding.

use dualseal::domain::{Label, Row};
use dualseal::error::{Error, Malformed, Problem, SharingProblem};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::hash::Sha3_512;
use dualseal::shamir::{Commitments, Dealing, Dealt, Index, Share, Threshold, health, reconstruct, repair};
use dualseal::stream::{self, Purpose};
use dualseal::{Domain, SystemRng};
use dualseal_tests::sharing::{chosen, copy, deal, draw, expected, fault, index, shifted, threshold};
use dualseal_tests::with_member;
use serde_json::{Value, json};
use subtle::{Choice, ConstantTimeEq};

fn read<F: Field>(json: &str) -> Result<Dealing<F>, Error> {
    Dealing::from_json(&Domain::default(), json.as_bytes())
}

fn members(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// The formulas, written out.
fn commitment(text: &str, value: &[u8]) -> String {
    hex::encode(Sha3_512::digest(&[text.as_bytes(), value].concat()))
}

fn record<F: Field>(algorithm: &str) {
    let secret = draw::<F>();
    let Dealt { dealing, shares, culprits, misdealt } = deal(&secret, 3, 5);
    assert!(culprits.is_empty() && misdealt.is_empty());
    let json = dealing.to_json();
    let record = members(&json);
    assert_eq!(record["algoritam"], algorithm);
    assert_eq!((&record["k"], &record["n"]), (&json!(3), &json!(5)));
    let (id, split) = (dealing.dealing_id().to_hex(), dealing.split_id().to_hex());
    assert_eq!((&record["dealing_id"], &record["split_id"]), (&json!(id), &json!(split)));
    let anchor = commitment(&format!("DUALSEAL-SHARD::ANCHOR::{id}::DUALSEAL"), secret.to_bytes().as_ref());
    assert_eq!(record["javni_sidro"], json!(anchor));
    for share in &shares {
        let text = format!("DUALSEAL-SHARD::VALUE::{split}::{}::DUALSEAL", share.index());
        let committed = commitment(&text, share.to_bytes().as_ref());
        assert_eq!(record["udio_sidra"][usize::from(share.index().get()) - 1], json!(committed));
    }
    assert_eq!(record.as_object().unwrap().len(), 7);
    assert_eq!(read::<F>(&json).unwrap().to_json(), json);
    assert!(json.starts_with("{\"algoritam\""));
}

#[test]
fn the_record_is_what_the_format_says() {
    record::<Fp521>("SHAMIR-2^521-1");
    record::<Gf2_256>("SHAMIR-GF(2^256)");
}

#[test]
fn records_of_other_forms_are_refused() {
    let good = deal(&draw::<Gf2_256>(), 2, 3).dealing.to_json();
    let refused = |json: &str| match read::<Gf2_256>(json).unwrap_err() {
        Error::Malformed(Malformed { field, problem, .. }) => (field, problem),
        other => panic!("{other}"),
    };
    let with = |name: &str, value: Value| refused(&with_member(&good, name, value));
    assert_eq!(with("algoritam", json!("SHAMIR-2^521-1")), ("algoritam", Problem::UnknownValue));
    assert_eq!(with("k", json!(1)), ("k", Problem::Range));
    assert_eq!(with("k", json!(4)), ("k", Problem::Range));
    assert_eq!(with("k", json!(-1)), ("k", Problem::Range));
    assert_eq!(with("n", json!(256)), ("n", Problem::Range));
    assert_eq!(with("n", json!(4)), ("udio_sidra", Problem::Length { expected: 4, found: 3 }));
    assert_eq!(with("udio_sidra", json!([1, 2, 3])), ("udio_sidra", Problem::WrongType));
    assert_eq!(with("udio_sidra", json!("")), ("udio_sidra", Problem::WrongType));
    assert_eq!(with("javni_sidro", json!("A".repeat(128))), ("javni_sidro", Problem::Hex));
    assert_eq!(with("split_id", json!("")), ("split_id", Problem::Length { expected: 64, found: 0 }));
    assert_eq!(with("dealing_id", json!(1)), ("dealing_id", Problem::WrongType));
    assert_eq!(with("more", json!(1)), ("dealing", Problem::UnknownMember("more".to_string())));
    assert_eq!(refused("{}"), ("algoritam", Problem::MissingMember));
    assert_eq!(refused("[]"), ("dealing", Problem::WrongType));
}

/// A record that was changed, or is read under another domain, accuses; it never lets another secret through.
#[test]
fn a_changed_record_gives_no_secret() {
    let secret = draw::<Gf2_256>();
    let Dealt { dealing, shares, .. } = deal(&secret, 2, 3);
    let json = dealing.to_json();
    let judged = |json: &str| fault(reconstruct(&read::<Gf2_256>(json).unwrap(), &shares));
    let none_holds = expected(SharingProblem::TooFewShares { needed: 2, found: 0 }, &[1, 2, 3]);
    let dealer_fault = expected(SharingProblem::DealerFault, &[]);
    assert_eq!(judged(&with_member(&json, "javni_sidro", json!("0".repeat(128)))), dealer_fault);
    assert_eq!(judged(&with_member(&json, "dealing_id", json!("0".repeat(64)))), dealer_fault);
    assert_eq!(judged(&with_member(&json, "split_id", json!("0".repeat(64)))), none_holds);
    // Three are needed of a secret that two determine: more points, the same line.
    let raised = read::<Gf2_256>(&with_member(&json, "k", json!(3))).unwrap();
    assert_eq!(reconstruct(&raised, &shares).unwrap().secret.to_bytes(), secret.to_bytes());
    let other = Dealing::<Gf2_256>::from_json(&Domain::new("ACME").unwrap(), json.as_bytes()).unwrap();
    assert_eq!(fault(reconstruct(&other, &shares)), none_holds);
}

/// A dealer who gives out a share that is not on the polynomial, and commits to it.
#[test]
fn a_dealer_who_cheats_is_named_as_the_dealer() {
    fn check<F: Field>() {
        let secret = draw::<F>();
        let Dealt { dealing, mut shares, .. } = deal(&secret, 3, 4);
        let forged = shifted(&shares[1], &F::from_index(1));
        let text = format!("DUALSEAL-SHARD::VALUE::{}::2::DUALSEAL", dealing.split_id());
        let mut record = members(&dealing.to_json());
        record["udio_sidra"][1] = json!(commitment(&text, forged.to_bytes().as_ref()));
        let dealing = read::<F>(&record.to_string()).unwrap();
        shares[1] = forged;
        assert_eq!(fault(reconstruct(&dealing, &shares)), expected(SharingProblem::DealerFault, &[]));
        // Whoever sent something else besides is named too.
        let three = chosen(&shares, 0b1111, 0b1000);
        assert_eq!(fault(reconstruct(&dealing, &three)), expected(SharingProblem::DealerFault, &[4]));
        // Without the forged share the rest is as it should be, and the lost one cannot be made again as committed.
        let rest = chosen(&shares, 0b1101, 0);
        assert_eq!(reconstruct(&dealing, &rest).unwrap().secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
        let lost = repair(&dealing, &rest, index(2), |share| share);
        assert_eq!(fault(lost), expected(SharingProblem::DealerFault, &[]));
    }
    check::<Fp521>();
    check::<Gf2_256>();
}

#[test]
fn every_lost_share_is_made_again() {
    fn check<F: Field>() {
        let Dealt { dealing, shares, .. } = deal(&draw::<F>(), 3, 6);
        for lost in 1..=6 {
            for bits in (0..64_usize).filter(|bits| bits >> (lost - 1) & 1 == 0 && bits.count_ones() >= 3) {
                let repaired = repair(&dealing, &chosen(&shares, bits, 0), index(lost), |share| share).unwrap();
                assert_eq!(repaired.share.to_bytes().as_ref(), shares[lost - 1].to_bytes().as_ref());
                assert_eq!(repaired.share.index(), index(lost));
            }
        }
        // From shares among which one is bad, and for a holder whose share is still there.
        let repaired = repair(&dealing, &chosen(&shares, 0b01_1111, 0b00_0010), index(3), |share| share).unwrap();
        assert_eq!(repaired.culprits, [index(2)]);
        assert_eq!(repaired.share.to_bytes().as_ref(), shares[2].to_bytes().as_ref());
        let too_few = repair(&dealing, &chosen(&shares, 0b01_0011, 0b00_0010), index(3), |share| share);
        assert_eq!(fault(too_few), expected(SharingProblem::TooFewShares { needed: 3, found: 2 }, &[2]));
    }
    check::<Fp521>();
    check::<Gf2_256>();
}

fn renewed<F: Field>(renew: impl Fn(&Dealing<F>, &[Share<F>]) -> Result<Dealt<F>, Error>, renewed: Threshold) {
    let secret = draw::<F>();
    let old = deal(&secret, 3, 5);
    let new = renew(&old.dealing, &chosen(&old.shares, 0b1_1111, 0b0_0001)).unwrap();
    assert_eq!(new.culprits, [index(1)]);
    assert_eq!(new.dealing.threshold(), renewed);
    assert_eq!(new.dealing.dealing_id(), old.dealing.dealing_id());
    assert_ne!(new.dealing.split_id(), old.dealing.split_id());
    let anchor = |dealing: &Dealing<F>| members(&dealing.to_json())["javni_sidro"].clone();
    assert_eq!(anchor(&new.dealing), anchor(&old.dealing));
    assert_eq!(new.shares.len(), usize::from(renewed.n()));
    let k = usize::from(renewed.k());
    let rebuilt = reconstruct(&new.dealing, &new.shares[new.shares.len() - k..]).unwrap();
    assert_eq!(rebuilt.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());

    // An old share is no share of the new set, and old and new ones do not go together.
    let mut mixed: Vec<Share<F>> = new.shares[..k - 1].iter().map(copy).collect();
    mixed.push(copy(&old.shares[k - 1]));
    let too_few = SharingProblem::TooFewShares { needed: renewed.k(), found: renewed.k() - 1 };
    assert_eq!(fault(reconstruct(&new.dealing, &mixed)), expected(too_few, &[renewed.k()]));
    // k shares of the old set still give the secret: the documentation says that they must not survive.
    assert!(reconstruct(&old.dealing, &old.shares).is_ok());

    let too_few = renew(&old.dealing, &chosen(&old.shares, 0b111, 0b010));
    assert_eq!(fault(too_few), expected(SharingProblem::TooFewShares { needed: 3, found: 2 }, &[2]));
}

#[test]
fn refreshing_keeps_the_secret_and_nothing_else() {
    renewed::<Fp521>(|dealing, shares| dealing.refresh(shares, &mut SystemRng), threshold(3, 5));
    renewed::<Gf2_256>(|dealing, shares| dealing.refresh(shares, &mut SystemRng), threshold(3, 5));
}

#[test]
fn the_threshold_can_change() {
    for (k, n) in [(2, 2), (2, 9), (5, 5), (5, 255)] {
        let to = threshold(k, n);
        renewed::<Fp521>(|dealing, shares| dealing.rethreshold(shares, to, &mut SystemRng), to);
        renewed::<Gf2_256>(|dealing, shares| dealing.rethreshold(shares, to, &mut SystemRng), to);
    }
}

/// A share in a record that says which set it is of, and vouches for itself: as a vault's shards do.
struct Labelled {
    set: u8,
    share: Share<Gf2_256>,
    holds: bool,
}

impl AsRef<Share<Gf2_256>> for Labelled {
    fn as_ref(&self) -> &Share<Gf2_256> {
        &self.share
    }
}

struct Set {
    set: u8,
    secret: Vec<u8>,
}

impl Commitments<Gf2_256, Labelled> for Set {
    fn threshold(&self) -> Threshold {
        threshold(2, 5)
    }

    fn belongs(&self, share: &Labelled) -> bool {
        share.set == self.set
    }

    fn share_holds(&self, share: &Labelled) -> Choice {
        Choice::from(u8::from(share.holds))
    }

    fn secret_holds(&self, secret: &Gf2_256) -> Choice {
        secret.to_bytes().as_slice().ct_eq(&self.secret)
    }
}

fn labelled(shares: &[Share<Gf2_256>], sets: &[(usize, u8, bool)]) -> Vec<Labelled> {
    let share =
        |(place, set, holds): &(usize, u8, bool)| Labelled { set: *set, share: copy(&shares[*place]), holds: *holds };
    sets.iter().map(share).collect()
}

#[test]
fn shares_of_another_set_that_hold_are_mixed() {
    let secret = draw::<Gf2_256>();
    let shares = secret.split(threshold(2, 5), &mut SystemRng).unwrap();
    let set = Set { set: 1, secret: secret.to_bytes().to_vec() };
    let judged = |sets: &[(usize, u8, bool)]| reconstruct(&set, &labelled(&shares, sets));
    assert!(judged(&[(0, 1, true), (1, 1, true)]).is_ok());
    // Commitments are judged first: a share of another set that does not hold is a culprit like any other.
    assert_eq!(judged(&[(0, 1, true), (1, 1, true), (2, 2, false)]).unwrap().culprits, [index(3)]);
    // One that holds is told apart by what it says of itself.
    let mixed = judged(&[(4, 2, true), (0, 1, true), (1, 1, true), (2, 1, false)]);
    assert_eq!(fault(mixed), expected(SharingProblem::Mixed { foreign: vec![5] }, &[3]));
    // A repaired share that is wrapped as one of another set does not leave.
    let wrong_set = repair(&set, &labelled(&shares, &[(0, 1, true), (1, 1, true)]), index(3), |share| Labelled {
        set: 2,
        share,
        holds: true,
    });
    assert_eq!(fault(wrong_set.map(|repaired| repaired.culprits)), expected(SharingProblem::DealerFault, &[]));
}

#[test]
fn health_tells_the_state_of_every_index() {
    let shares = draw::<Gf2_256>().split(threshold(2, 9), &mut SystemRng).unwrap();
    let set = Set { set: 1, secret: Vec::new() };
    // 5 twice: one that holds and one that does not; 6 of another set; 9 above n.
    let given = labelled(
        &shares,
        &[(4, 1, true), (0, 1, true), (1, 1, false), (4, 1, false), (5, 1, true), (2, 2, true), (8, 1, true)],
    );
    let health = health(&set, &given);
    let numbers = |indices: &[Index]| indices.iter().map(|index| index.get()).collect::<Vec<_>>();
    assert_eq!(numbers(&health.present), [1, 5]);
    assert_eq!(numbers(&health.missing), [2, 3, 4]);
    assert_eq!(numbers(&health.invalid), [2, 5]);
    assert_eq!(numbers(&health.foreign), [3, 6, 9]);

    let dealt = deal(&draw::<Fp521>(), 2, 4);
    let all = dualseal::shamir::health(&dealt.dealing, &chosen(&dealt.shares, 0b1011, 0b0010));
    assert_eq!((numbers(&all.present), numbers(&all.missing)), (vec![1, 4], vec![2, 3]));
    assert_eq!((numbers(&all.invalid), numbers(&all.foreign)), (vec![2], vec![]));
}

/// The domain's constants are all that the formulas take from it.
#[test]
fn other_constants_give_other_commitments() {
    let secret = draw::<Gf2_256>();
    let domain =
        Domain::builder("ACME").prefix(Row::Shard, "P!").suffix(Row::Shard, "S!").label(Label::ShardAnchor, "A!");
    let domain = domain.label(Label::ShardValue, "V!").build().unwrap();
    let dealt = Dealing::deal(&domain, &secret, threshold(2, 3), &mut SystemRng).unwrap();
    let record = members(&dealt.dealing.to_json());
    let (id, split) = (dealt.dealing.dealing_id(), dealt.dealing.split_id());
    let anchor = commitment(&format!("P!::A!::{id}::S!"), secret.to_bytes().as_slice());
    let third = commitment(&format!("P!::V!::{split}::3::S!"), dealt.shares[2].to_bytes().as_slice());
    assert_eq!((&record["javni_sidro"], &record["udio_sidra"][2]), (&json!(anchor), &json!(third)));
}

/// A short secret could be tried against its anchor. It is encrypted under a drawn one, and that one is shared.
#[test]
fn a_password_is_wrapped_and_its_wrapping_shared() {
    fn check<F: Field>() {
        let domain = Domain::default();
        let purpose = Purpose::new(&domain, &[1; 32], "PIN").unwrap();
        let secret = draw::<F>();
        let stored = stream::seal(&secret, &purpose, b"1234", &mut SystemRng).unwrap();
        let Dealt { dealing, shares, .. } = deal(&secret, 2, 3);
        let rebuilt = reconstruct(&dealing, &shares[1..]).unwrap();
        assert_eq!(*stream::open(&rebuilt.secret, &purpose, &stored).unwrap(), b"1234");
        assert!(stream::open(&draw::<F>(), &purpose, &stored).is_err());
        // What is published is over the drawn secret: no password gives it.
        let anchor = members(&dealing.to_json())["javni_sidro"].clone();
        let text = format!("DUALSEAL-SHARD::ANCHOR::{}::DUALSEAL", dealing.dealing_id());
        for pin in 0..10_000 {
            let pin = format!("{pin:04}");
            let padded = [vec![0; F::BYTES - 4], pin.clone().into_bytes()].concat();
            assert!(anchor != json!(commitment(&text, pin.as_bytes())) && anchor != json!(commitment(&text, &padded)));
        }
    }
    check::<Fp521>();
    check::<Gf2_256>();
}
