//! Generators that repeat themselves: what they would give is never used, wherever several values are drawn in one
//! operation.

use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::secret::Secret;
use dualseal::shamir::{Dealing, DrawnSecret, Threshold};
use dualseal::shard::{Dealer, ShardKey};
use dualseal::stream::{Encryptor, Purpose};
use dualseal::threshold::{Founding, Renewal};
use dualseal::vault::{Destination, Encryption, LedgerHead, LedgerId, VaultMaster, VaultSealer};
use dualseal::{Domain, Error, Head, SystemRng};
use dualseal_tests::quorum::{Board, owners};
use dualseal_tests::random::{Constant, Given};
use dualseal_tests::{identity, key, minute};
use std::convert::Infallible;

/// Begins anew with every request, as one that was restored with the machine, or whose counter is stuck.
struct Stuck;

impl TryRng for Stuck {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(7)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(7)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for (number, byte) in (1_u32..).zip(bytes) {
            *byte = number.wrapping_mul(0x9e37_79b1).to_be_bytes()[0];
        }
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}

fn refused<T>(result: Result<T, Error>) {
    assert_eq!(result.map(drop), Err(Error::Randomness));
}

/// Each operation with each of the two.
fn founding(rng: &mut (impl TryCryptoRng + ?Sized)) {
    let (domain, owners, ana) = (Domain::default(), owners(3), identity("ana"));
    let founding =
        Founding { domain: &domain, founder: &ana, owners: &owners, k: 2, head: &Head::EMPTY, time: minute(1) };
    refused(founding.hmac(rng));
    refused(founding.mldsa(&ana, rng));
}

/// The public session_id would be the seed, and the coefficients the secret.
#[test]
fn a_session() {
    founding(&mut Stuck);
    founding(&mut Constant(7));
}

/// The same generator again for a dealing anew: the public split_id would be the secret, or the seed of the quorum's
/// key.
#[test]
fn a_session_dealt_anew() {
    let drawn: Vec<u8> = (1..=250_u32).map(|number| number.wrapping_mul(0x9e37_79b1).to_be_bytes()[0]).collect();
    for board in Board::of_each_kind_from(&drawn, 2, 3) {
        let (owners, session) = (owners(3), board.in_force());
        let renewal = Renewal { owners: &owners, k: 2, time: minute(7) };
        refused(session.prepare_refresh(&board.pick(&[1, 2]), &renewal, &mut Given(&drawn)));
        assert!(session.prepare_refresh(&board.pick(&[1, 2]), &renewal, &mut Given(&drawn[1..])).is_ok());
    }
}

/// The public split_id would be the secret, also where the secret was drawn earlier by the same generator.
#[test]
fn a_vaults_shards() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let master = Secret::from_slice("master", &[9; 32]).unwrap();
    let key = ShardKey::derive(&domain, &master, &ana);
    let vault_id = domain.vault_id(b"deed", "ana", "registry", 0).unwrap();
    let node_urls = ["https://a", "https://b", "https://c"].map(String::from);
    let dealer = Dealer::without_record(&domain, &key, &vault_id, &ana, 2, &node_urls);
    refused(dealer.prepare(&DrawnSecret::draw(&mut Stuck).unwrap(), None, &mut Stuck));
    refused(dealer.prepare(&DrawnSecret::draw(&mut SystemRng).unwrap(), None, &mut Stuck));
    refused(dealer.prepare(&DrawnSecret::draw(&mut SystemRng).unwrap(), None, &mut Constant(7)));
}

fn any_secret<F: Field>() {
    let (domain, threshold) = (Domain::default(), Threshold::new(2, 3).unwrap());
    let stuck = DrawnSecret::<F>::draw(&mut Stuck).unwrap();
    // With one coefficient, which would be the secret: each share would be a known multiple of it.
    refused(stuck.split(threshold, &mut Stuck));
    refused(Dealing::deal(&domain, &stuck, threshold, &mut Stuck));
    let secret = DrawnSecret::<F>::draw(&mut SystemRng).unwrap();
    refused(Dealing::deal(&domain, &secret, threshold, &mut Stuck));
    refused(Dealing::deal(&domain, &secret, threshold, &mut Constant(7)));
    refused(secret.split(threshold, &mut Constant(7)));
    let dealt = Dealing::deal(&domain, &secret, threshold, &mut SystemRng).unwrap();
    refused(dealt.dealing.refresh(&dealt.shares, &mut Stuck));
}

#[test]
fn shares_on_both_fields() {
    any_secret::<Fp521>();
    any_secret::<Gf2_256>();
}

/// The public salt of a stream would be its key.
#[test]
fn a_stream_and_its_key() {
    let purpose = Purpose::new(&Domain::default(), &[1; 32], "note").unwrap();
    let secret = DrawnSecret::<Gf2_256>::draw(&mut Stuck).unwrap();
    refused(Encryptor::new(&secret, &purpose, &mut Stuck, &mut Vec::new()));
    let wide = DrawnSecret::<Fp521>::draw(&mut Stuck).unwrap();
    refused(Encryptor::new(&wide, &purpose, &mut Stuck, &mut Vec::new()));
    let constant = DrawnSecret::<Gf2_256>::draw(&mut Constant(7)).unwrap();
    refused(Encryptor::new(&constant, &purpose, &mut Constant(7), &mut Vec::new()));
    let other = DrawnSecret::<Gf2_256>::draw(&mut SystemRng).unwrap();
    assert!(Encryptor::new(&other, &purpose, &mut Stuck, &mut Vec::new()).is_ok(), "one value alone repeats nothing");
}

#[test]
fn a_vault_record() {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(1));
    let master = VaultMaster::new(&domain, Secret::from_slice("master", &[9; 32]).unwrap()).unwrap();
    let vault = VaultSealer::new(&master, &ana, &signing);
    let ledger = LedgerHead::new(&LedgerId::draw(&mut SystemRng).unwrap());
    let place = Destination { ledger: &ledger, head: &Head::EMPTY, time: minute(1), note: "" };
    refused(vault.seal(b"deed", "DEED", Encryption::Stream, &place, &mut Stuck));
    refused(vault.seal(b"deed", "DEED", Encryption::Stream, &place, &mut Constant(7)));
    refused(vault.seal(b"deed", "DEED", Encryption::None, &place, &mut Constant(7)));
}

/// A constant generator gives no key either, though only one value is drawn.
#[test]
fn a_constant_key() {
    for byte in [0, 1, 0xff] {
        refused(dualseal::SigningKey::generate(&mut Constant(byte)));
        refused(Secret::<32>::random(&mut Constant(byte)));
        refused(dualseal::shamir::SplitId::draw(&mut Constant(byte)));
    }
    assert!(Secret::<32>::random(&mut Stuck).is_ok(), "one value alone repeats nothing");
}
