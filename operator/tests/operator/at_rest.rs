//! Secrets at rest: what they open with and where, and what is told of those that do not.

use dualseal::error::{Malformed, Problem};
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::secret::Secret;
use dualseal::stream::{CHUNK_BYTES, HEADER_BYTES, stored_length};
use dualseal::{Domain, Error, SystemRng};
use dualseal_operator::secrets::{Master, Place, SecretFault, Vaulted};

/// A generator that fails.
pub(crate) struct Failing;

impl TryRng for Failing {
    type Error = std::fmt::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::fmt::Error)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::fmt::Error)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(std::fmt::Error)
    }
}

impl TryCryptoRng for Failing {}

pub(crate) fn master(byte: u8) -> Master {
    Master::new(&Domain::default(), Secret::from_slice("master", &[byte; 32]).unwrap()).unwrap()
}

pub(crate) fn place(row: &str) -> Place {
    Place::new("identities", row.as_bytes(), "signing-seed").unwrap()
}

/// The type parameter's default, which an expression does not take by itself.
fn read(place: Place, stored: &[u8]) -> Result<Vaulted, SecretFault> {
    Vaulted::read(place, stored.to_vec())
}

#[test]
fn a_secret_opens_where_it_was_made_and_nowhere_else() {
    let row = Vaulted::seal(&master(1), place("ana"), &[7; 32], &mut SystemRng).unwrap();
    assert_eq!(row.open(&master(1)).unwrap().as_slice(), [7; 32]);
    for (table, id, purpose) in [
        ("identities", "bo", "signing-seed"),
        ("peers", "ana", "signing-seed"),
        ("identities", "ana", "seal-seed"),
        ("signing-seed", "ana", "identities"),
    ] {
        let moved = read(Place::new(table, id.as_bytes(), purpose).unwrap(), row.stored()).unwrap();
        assert_eq!(moved.open(&master(1)).unwrap_err(), SecretFault::OtherKey, "{table} {id} {purpose}");
    }
    assert_eq!(row.open(&master(2)).unwrap_err(), SecretFault::OtherKey);
    let domain = Domain::new("ACME").unwrap();
    let elsewhere = Master::new(&domain, Secret::from_slice("master", &[1; 32]).unwrap()).unwrap();
    assert_eq!(row.open(&elsewhere).unwrap_err(), SecretFault::OtherKey);
}

#[test]
fn the_length_says_how_long_the_secret_is() {
    for length in [0, 1, 32, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 1] {
        let secret = vec![7; length];
        let row = Vaulted::seal(&master(1), place("ana"), &secret, &mut SystemRng).unwrap();
        let more = length.saturating_sub(1) / CHUNK_BYTES;
        assert_eq!(row.stored().len(), 84 + length + 16 * more);
        assert_eq!(row.stored().len(), stored_length(length));
        assert_eq!(*row.open(&master(1)).unwrap(), secret);
        let again = Vaulted::seal(&master(1), place("ana"), &secret, &mut SystemRng).unwrap();
        assert_ne!(row, again, "each has a salt of its own");
    }
}

/// What can be told without the key is told before it is asked for, and every byte counts.
#[test]
fn what_was_changed_is_told_as_far_as_can_be() {
    let stored = Vaulted::seal(&master(1), place("ana"), &[7; 32], &mut SystemRng).unwrap().into_stored();
    assert_eq!(stored.len(), 116);
    for length in 0..84 {
        assert_eq!(read(place("ana"), &stored[..length]).unwrap_err(), SecretFault::Cut { found: length });
    }
    let opened = |stored: &[u8]| read(place("ana"), stored)?.open(&master(1)).map(drop);
    for length in 84..116 {
        assert_eq!(opened(&stored[..length]), Err(SecretFault::Damaged { chunk: 0 }), "cut to {length}");
    }
    assert_eq!(opened(&[&stored[..], &[0]].concat()), Err(SecretFault::Damaged { chunk: 0 }));
    for index in 0..stored.len() {
        let mut changed = stored.clone();
        changed[index] ^= 1;
        let fault = match index {
            0..3 => SecretFault::NoSecret,
            3 => SecretFault::ForeignVersion { found: *b"DSV0" },
            4..HEADER_BYTES => SecretFault::OtherKey,
            _ => SecretFault::Damaged { chunk: 0 },
        };
        assert_eq!(opened(&changed), Err(fault), "byte {index}");
    }
    assert_eq!(read(place("ana"), b"no").unwrap_err(), SecretFault::NoSecret);
    assert_eq!(read(place("ana"), b"DS").unwrap_err(), SecretFault::Cut { found: 2 });
    assert_eq!(read(place("ana"), b"DSV9").unwrap_err(), SecretFault::ForeignVersion { found: *b"DSV9" });
    assert_eq!(opened(&stored), Ok(()));
}

#[test]
fn of_a_long_secret_the_chunk_is_named() {
    let stored = Vaulted::seal(&master(1), place("ana"), &vec![7; 3 * CHUNK_BYTES], &mut SystemRng).unwrap();
    let mut stored = stored.into_stored();
    let last = stored.len() - 1;
    stored[last] ^= 1;
    let row = read(place("ana"), &stored).unwrap();
    assert_eq!(row.open(&master(1)).unwrap_err(), SecretFault::Damaged { chunk: 2 });
}

/// A store that goes back to an older stream of a row is not told by the row: where that matters, the row's identifier
/// holds a version.
#[test]
fn an_older_secret_of_a_row_opens_unless_the_row_names_a_version() {
    let seal = |row: &str, byte| Vaulted::seal(&master(1), place(row), &[byte; 32], &mut SystemRng).unwrap();
    let (older, newer) = (seal("ana", 1), seal("ana", 2));
    assert_eq!(older.open(&master(1)).unwrap().as_slice(), [1; 32]);
    assert_eq!(newer.open(&master(1)).unwrap().as_slice(), [2; 32]);
    let older = read(place("ana/2"), seal("ana/1", 1).stored()).unwrap();
    assert_eq!(older.open(&master(1)).unwrap_err(), SecretFault::OtherKey);
}

#[test]
fn another_master_is_known_by_its_name() {
    let (ours, other) = (master(1), master(2));
    assert_eq!(ours.expect(&{ *ours.key_id() }), Ok(()));
    let fault = SecretFault::OtherMaster { kept: *ours.key_id(), given: *other.key_id() };
    assert_eq!(other.expect(ours.key_id()), Err(fault.clone()));
    assert!(fault.to_string().contains(&ours.key_id().to_hex()) && !fault.hint().is_empty());
}

#[test]
fn a_secret_has_the_length_that_is_asked_for() {
    let row = Vaulted::seal(&master(1), place("ana"), &[7; 32], &mut SystemRng).unwrap();
    assert_eq!(row.open_secret::<32>(&master(1)).unwrap().expose(), &[7; 32]);
    let problem = Problem::Length { expected: 64, found: 32 };
    let fault = SecretFault::Library(Malformed::new("secret", None, problem).into());
    assert_eq!(row.open_secret::<64>(&master(1)).unwrap_err(), fault);
}

#[test]
fn without_randomness_nothing_is_made() {
    let fault = SecretFault::Library(Error::Randomness);
    assert_eq!(Vaulted::seal(&master(1), place("ana"), &[7; 32], &mut Failing).unwrap_err(), fault);
    assert_eq!(Master::draw(&Domain::default(), &mut Failing).unwrap_err(), Error::Randomness);
    assert!(Master::new(&Domain::default(), Secret::from_slice("master", &[0; 32]).unwrap()).is_err());
}
