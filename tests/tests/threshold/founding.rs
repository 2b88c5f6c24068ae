//! Founding a session: records, commitments and chain entries by formulas written out, numbers out of range, and
//! generators that fail at every place.

use dualseal::error::{Error, Malformed, Problem};
use dualseal::field::Fp521;
use dualseal::shamir::reconstruct_unanchored;
use dualseal::threshold::{Founded, Founding, SessionKind};
use dualseal::{Domain, Head, SigningKey, SystemRng};
use dualseal_tests::quorum::{
    Board, HMAC, MLDSA, RawDealing, board, copy, element, evaluate, owner, owners, raw_anchor, raw_commitment,
    raw_session_message, secretary, value,
};
use dualseal_tests::random::Given;
use dualseal_tests::{minute, vectors};
use serde_json::Value as Json;

fn found(k: u8, n: usize, mldsa: bool) -> Result<Founded, Error> {
    let owners: Vec<_> = (0..n).map(|number| owner(u8::try_from(number % 256).unwrap())).collect();
    with_owners(&owners, k, mldsa, |founding, mldsa| {
        if mldsa { founding.mldsa(&board(), &mut SystemRng) } else { founding.hmac(&mut SystemRng) }
    })
}

fn with_owners<T>(
    owners: &[dualseal::IdentityId],
    k: u8,
    mldsa: bool,
    work: impl FnOnce(&Founding<'_>, bool) -> T,
) -> T {
    let (domain, founder) = (Domain::default(), secretary());
    let founding = Founding { domain: &domain, founder: &founder, owners, k, head: &Head::EMPTY, time: minute(1) };
    work(&founding, mldsa)
}

#[test]
fn records_and_entries_are_the_formulas() {
    for (k, n) in [(2, 2), (2, 3), (3, 5), (7, 9), (255, 255), (2, 255)] {
        for (made, algorithm) in Board::of_each_kind(k, n).into_iter().zip([HMAC, MLDSA]) {
            let session = made.session();
            let shares: Vec<_> = made
                .shares
                .iter()
                .map(|share| dualseal::shamir::Share::from_bytes(share.index(), &value(share)).unwrap())
                .collect();
            let secret = reconstruct_unanchored::<Fp521>(k.into(), &shares).unwrap();
            assert!(secret.outliers().is_empty());
            let (id, split) = (session.session_id(), session.split_id());
            assert_eq!(session.anchor().to_hex(), raw_anchor(id, algorithm, &secret.to_bytes()));

            let record: Json = serde_json::from_str(&session.to_json()).unwrap();
            let commitments = vectors::items(&record, "udio_sidra");
            assert_eq!((commitments.len(), made.shares.len()), (n.into(), n.into()));
            for (index, (share, commitment)) in (1..=n).zip(made.shares.iter().zip(commitments)) {
                assert_eq!((share.session_id(), share.split_id(), share.index().get()), (id, split, index));
                assert_eq!(*share.owner(), owner(index));
                assert_eq!(*commitment, raw_commitment(id, split, (k, n), index, &value(share)));
            }

            let entry = made.chain.entries().last().unwrap();
            assert_eq!(entry.message(), raw_session_message(session));
            assert_eq!((entry.identity_id(), entry.time()), (&secretary(), session.created_at()));
            assert_eq!((session.threshold().k(), session.threshold().n()), (k, n));
            assert_eq!(session.algorithm().as_str(), algorithm);
            if let SessionKind::MlDsa65 { identity_id, public_key } = session.kind() {
                assert_eq!(*identity_id, board());
                let secret = secret.to_bytes();
                assert_eq!(secret[..34], [0; 34]);
                assert_eq!(SigningKey::from_seed(&secret[34..]).unwrap().public_key(), public_key);
            }
        }
    }
}

#[test]
fn numbers_out_of_range_are_named() {
    for mldsa in [false, true] {
        for (k, n, field, number) in [
            (2, 0, "n", 0),
            (2, 1, "n", 1),
            (2, 256, "n", 256),
            (2, 1000, "n", 1000),
            (0, 3, "k", 0),
            (1, 3, "k", 1),
            (4, 3, "k", 4),
            (255, 254, "k", 255),
        ] {
            let expected = Malformed::new(field, Some(number), Problem::Range);
            assert_eq!(found(k, n, mldsa).unwrap_err(), expected.into(), "{k} {n}");
        }
        assert!(found(3, 3, mldsa).is_ok() && found(2, 255, mldsa).is_ok());
    }
}

/// With one byte fewer than it takes, for every place at which the generator can run dry.
#[test]
fn a_generator_that_fails_founds_nothing() {
    let owners = owners(3);
    for (mldsa, bytes) in [(false, 66 + 32 + 32 + 66), (true, 32 + 32 + 32 + 66)] {
        for available in 0..=bytes {
            let drawn: Vec<u8> = (0..300_u32).map(|place| place.wrapping_mul(0x9e37_79b1).to_be_bytes()[0]).collect();
            let made = with_owners(&owners, 2, mldsa, |founding, mldsa| {
                let mut rng = Given(&drawn[..available]);
                if mldsa { founding.mldsa(&board(), &mut rng) } else { founding.hmac(&mut rng) }
            });
            if available < bytes {
                assert_eq!(made.unwrap_err(), Error::Randomness, "{available} bytes");
            } else {
                assert_eq!(made.unwrap().shares.len(), 3);
            }
        }
    }
}

/// A generator of zeros is broken in a way that can be noticed, whichever draw it strikes.
#[test]
fn zeros_are_not_random() {
    let (owners, parts) = (owners(3), [66, 32, 32, 66]);
    for zero in 0..parts.len() {
        let part = |part: usize| if part == zero { 0 } else { u8::try_from(part + 1).unwrap() };
        let drawn: Vec<u8> = (0..).zip(parts).flat_map(|(place, length)| vec![part(place); length]).collect();
        let made = with_owners(&owners, 2, false, |founding, _| founding.hmac(&mut Given(&drawn)));
        assert_eq!(made.unwrap_err(), Error::Randomness, "part {zero}");
    }
}

/// A leading coefficient that is never zero lets k-1 shares rule out secrets (RUSTSEC-2024-0398): a draw of zero for it
/// is as good as any other.
#[test]
fn the_leading_coefficient_may_be_zero() {
    let mut drawn = [&[1; 66][..], &[2; 32], &[3; 32]].concat();
    drawn[70] = 0;
    drawn[105] = 0;
    drawn.extend(element(&[5]));
    drawn.extend([0; 66]);
    let owners = owners(4);
    let made = with_owners(&owners, 3, false, |founding, _| founding.hmac(&mut Given(&drawn))).unwrap();
    // Drawn bytes lose their upper seven bits.
    let secret = [1; 66];
    for (index, share) in (1..).zip(&made.shares) {
        assert_eq!(value(share), evaluate(&[secret, element(&[5]), [0; 66]], index));
    }
}

/// A value of p is no element: its bytes are drawn again, and nothing is reduced.
#[test]
fn a_draw_of_p_is_drawn_again() {
    let mut p = [0xff; 66];
    p[0] = 1;
    let ids = [[&[4; 31][..], &[0]].concat(), [&[5; 31][..], &[0]].concat()].concat();
    let mut slope = [3; 66];
    slope[65] = 0;
    let drawn = [&p[..], &[2; 66], &ids, &slope].concat();
    let owners = owners(2);
    let made = with_owners(&owners, 2, false, |founding, _| founding.hmac(&mut Given(&drawn))).unwrap();
    let (mut secret, mut coefficient) = ([2; 66], slope);
    (secret[0], coefficient[0]) = (0, 1);
    assert_eq!(value(&made.shares[0]), evaluate(&[secret, coefficient], 1));
    assert_eq!(value(&made.shares[1]), evaluate(&[secret, coefficient], 2));
}

/// Leading zeros of secrets and shares keep their places: everything has one width.
#[test]
fn small_secrets_keep_their_width() {
    for coefficients in [[element(&[1]), element(&[1])], [element(&[0]), element(&[1])]] {
        let made = RawDealing::honest(HMAC, &coefficients, 3).board();
        let signed = made.sign(&made.pick(&[1, 3])).unwrap();
        assert_eq!(made.shares[0].value_hex().len(), 132);
        assert!(
            made.in_force()
                .verify_with_shares(
                    &dualseal_tests::quorum::message(),
                    signed.result,
                    &[copy(&made.shares[1]), copy(&made.shares[2])],
                )
                .is_ok()
        );
    }
    // A seed that begins with zeros.
    let mut seed = [0; 32];
    seed[31] = 9;
    let key = SigningKey::from_seed(&seed).unwrap();
    let dealing =
        RawDealing { public_key: Some(key.public_key()), ..RawDealing::honest(MLDSA, &[element(&seed), [1; 66]], 3) };
    let made = dealing.board();
    assert!(made.sign(&made.pick(&[2, 3])).is_ok());
}

#[test]
fn founded_things_do_not_show_their_shares() {
    for made in Board::of_each_kind(2, 3) {
        let shown = format!("{:?} {:#?} {:?}", made, made.shares, made.in_force());
        for share in &made.shares {
            let value = share.value_hex();
            assert!(!shown.contains(&value[..16]) && shown.contains("[redacted]"));
        }
    }
    let founded = found(2, 3, true).unwrap();
    let shown = format!("{founded:?}");
    assert!(founded.shares.iter().all(|share| !shown.contains(&share.value_hex()[100..])));
    // Two foundings have nothing in common.
    let other = found(2, 3, true).unwrap();
    assert_ne!(founded.session.session_id(), other.session.session_id());
    assert_ne!(founded.session.split_id(), other.session.split_id());
    assert_ne!(founded.session.anchor(), other.session.anchor());
}
