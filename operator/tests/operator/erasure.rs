//! Erasing outlives backups: what hangs on a destroyed key opens from no copy of the main store.

use crate::at_rest::master;
use dualseal::{Domain, SystemRng};
use dualseal_operator::secrets::{
    ErasureKey, Place, RecordSecret, Rotated, Rotation, RotationFault, Rows, SecretFault, Vaulted, rotate,
};
use std::collections::BTreeMap;
use std::ops::Bound;

/// An operator: the records of one owner in the main store, the owner's key in a store of its own.
#[derive(Clone, Default)]
struct Stores {
    main: BTreeMap<Place, Vec<u8>>,
    keys: BTreeMap<Place, Vec<u8>>,
}

/// The main store in a rotation, whose power may go.
struct Main<'a>(&'a mut BTreeMap<Place, Vec<u8>>, usize);

impl Rows<ErasureKey> for Main<'_> {
    type Error = &'static str;

    fn page(&mut self, after: Option<&Place>, most: usize) -> Result<Vec<(Place, Vec<u8>)>, Self::Error> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let rows = self.0.range((from, Bound::Unbounded)).take(most);
        Ok(rows.map(|(place, stored)| (place.clone(), stored.clone())).collect())
    }

    fn replace(&mut self, rows: &[(Vec<u8>, RecordSecret)]) -> Result<(), Self::Error> {
        self.1 = self.1.checked_sub(1).ok_or("the power went")?;
        self.0.extend(rows.iter().map(|(_, row)| (row.place().clone(), row.stored().to_vec())));
        Ok(())
    }
}

fn record(number: u8) -> Place {
    Place::new("records", &[number], "secret").unwrap()
}

/// The row of the key store for an owner's key; the version tells two keys of one owner apart.
fn key_row(owner: &str, version: u8) -> Place {
    Place::new("erasure-keys", format!("{owner}/{version}").as_bytes(), "key").unwrap()
}

impl Stores {
    /// An owner's key, and records under it.
    fn with_records(numbers: impl IntoIterator<Item = u8>) -> Self {
        let mut stores = Self::default();
        let key = stores.new_key("ana", 1);
        for number in numbers {
            let row = RecordSecret::seal(&key, record(number), &[number; 32], &mut SystemRng).unwrap();
            stores.main.insert(record(number), row.into_stored());
        }
        stores
    }

    fn new_key(&mut self, owner: &str, version: u8) -> ErasureKey {
        let key = ErasureKey::draw(&Domain::default(), &mut SystemRng).unwrap();
        let row = key.seal(&master(1), key_row(owner, version), &mut SystemRng).unwrap();
        self.keys.insert(key_row(owner, version), row.into_stored());
        key
    }

    fn key(&self, owner: &str, version: u8) -> Option<ErasureKey> {
        let place = key_row(owner, version);
        let stored = self.keys.get(&place)?.clone();
        Some(ErasureKey::open(&master(1), &Vaulted::read(place, stored).unwrap()).unwrap())
    }

    /// What a main store gives with every key that this key store holds.
    fn opens(&self, main: &BTreeMap<Place, Vec<u8>>, number: u8) -> bool {
        let Some(stored) = main.get(&record(number)) else { return false };
        let row = RecordSecret::read(record(number), stored.clone()).unwrap();
        let keys = [1, 2].into_iter().filter_map(|version| self.key("ana", version));
        keys.into_iter().any(|key| row.open(&key).is_ok_and(|secret| *secret == [number; 32]))
    }

    /// Erases one record of an owner in the three steps of the documentation, each of which may be the last before the
    /// power goes. Begun again, it goes on.
    fn erase(&mut self, number: u8, steps: usize) -> Result<Rotated, RotationFault<&'static str>> {
        let mut left = steps;
        let mut step = || left.checked_sub(1).map(|now| left = now).ok_or(RotationFault::Store("the power went"));
        let old = self.key("ana", 1);
        step()?;
        let new = match self.key("ana", 2) {
            Some(new) => new,
            None => self.new_key("ana", 2),
        };
        let done = match old {
            Some(old) => {
                step()?;
                self.main.remove(&record(number));
                let writes = left;
                rotate(&Rotation::new(&old, &new).unwrap(), &mut Main(&mut self.main, writes), 1, &mut SystemRng)?
            }
            None => Rotated::default(),
        };
        assert!(done.is_complete());
        left = left.saturating_sub(usize::try_from(done.rewrapped).unwrap());
        left.checked_sub(1).ok_or(RotationFault::Store("the power went"))?;
        self.keys.remove(&key_row("ana", 1));
        Ok(done)
    }
}

#[test]
fn an_old_backup_does_not_open_what_was_erased() {
    let mut stores = Stores::with_records(0..3);
    let backup = stores.main.clone();
    assert!((0..3).all(|number| stores.opens(&backup, number)), "before");
    stores.erase(1, usize::MAX).unwrap();
    assert!(!stores.opens(&stores.main, 1));
    assert!(stores.opens(&stores.main, 0) && stores.opens(&stores.main, 2), "the others stay");
    // The backup is restored, with the master and the key store of today.
    for number in 0..3 {
        assert!(!stores.opens(&backup, number), "record {number} of the backup");
        let row = RecordSecret::read(record(number), backup[&record(number)].clone()).unwrap();
        assert_eq!(row.open(&stores.key("ana", 2).unwrap()).unwrap_err(), SecretFault::OtherKey);
        // Nor with the master, which opens whatever is not erased.
        let row = Vaulted::read(record(number), backup[&record(number)].clone()).unwrap();
        assert_eq!(row.open(&master(1)).unwrap_err(), SecretFault::OtherKey);
    }
}

/// A crash between any two steps loses no record that stays, and begun again the erasure is done.
#[test]
fn an_interrupted_erasure_goes_on() {
    for steps in 0.. {
        let mut stores = Stores::with_records(0..4);
        let backup = stores.main.clone();
        let ended = stores.erase(1, steps).is_ok();
        for number in [0, 2, 3] {
            assert!(stores.opens(&stores.main, number), "record {number} after {steps} steps");
        }
        stores.erase(1, usize::MAX).unwrap();
        for number in 0..4 {
            assert_eq!(stores.opens(&stores.main, number), number != 1, "record {number} after {steps} steps");
            assert!(!stores.opens(&backup, number));
        }
        if ended {
            return;
        }
    }
}

#[test]
fn an_owner_is_erased_with_the_key() {
    let mut stores = Stores::with_records(0..3);
    stores.keys.clear();
    assert!((0..3).all(|number| !stores.opens(&stores.main, number)));
}

#[test]
fn keys_are_bound_to_their_owners() {
    let mut stores = Stores::with_records([0]);
    stores.new_key("bo", 1);
    let stored = stores.keys[&key_row("bo", 1)].clone();
    let exchanged = Vaulted::read(key_row("ana", 1), stored).unwrap();
    assert_eq!(ErasureKey::open(&master(1), &exchanged).unwrap_err(), SecretFault::OtherKey);
    let ana = Vaulted::read(key_row("ana", 1), stores.keys[&key_row("ana", 1)].clone()).unwrap();
    assert_eq!(ErasureKey::open(&master(2), &ana).unwrap_err(), SecretFault::OtherKey);
    let row = RecordSecret::read(record(0), stores.main[&record(0)].clone()).unwrap();
    assert_eq!(row.open(&stores.key("bo", 1).unwrap()).unwrap_err(), SecretFault::OtherKey);
    let moved = RecordSecret::read(record(1), row.stored().to_vec()).unwrap();
    assert_eq!(moved.open(&stores.key("ana", 1).unwrap()).unwrap_err(), SecretFault::OtherKey);
}
