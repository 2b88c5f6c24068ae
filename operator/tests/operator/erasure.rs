//! Erasing outlives backups: what hangs on a destroyed key opens from no copy of the main store.

use crate::at_rest::master;
use dualseal::secret::Secret;
use dualseal::{Domain, SystemRng};
use dualseal_operator::secrets::{
    ErasureKey, Master, Place, RecordSecret, Refused, Rotated, Rotation, RotationFault, Rows, SecretFault, Vaulted,
    rotate,
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

    fn replace(&mut self, rows: &[(Vec<u8>, RecordSecret)]) -> Result<u64, Self::Error> {
        self.1 = self.1.checked_sub(1).ok_or("the power went")?;
        self.0.extend(rows.iter().map(|(_, row)| (row.place().clone(), row.stored().to_vec())));
        Ok(rows.len() as u64)
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
        let key = |(place, stored): (&Place, &Vec<u8>)| {
            ErasureKey::open(&master(1), &Vaulted::read(place.clone(), stored.clone()).unwrap()).unwrap()
        };
        self.keys.iter().map(key).any(|key| row.open(&key).is_ok_and(|secret| *secret == [number; 32]))
    }

    /// Erases one record of an owner in the four steps of the documentation, each of which may be the last before the
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
                let rotation = Rotation::new(&old, &new).unwrap().erasing([record(number)]);
                rotate(&rotation, &mut Main(&mut self.main, writes), 1, &mut SystemRng)?
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

/// With everything that is left, the master, other owners' keys and a new one of the same owner among it, nothing of
/// the owner opens in the store or in a backup, and everything of the others does.
#[test]
fn an_owner_is_erased_with_the_key() {
    let mut stores = Stores::with_records(0..3);
    let bo = stores.new_key("bo", 1);
    let row = RecordSecret::seal(&bo, record(3), &[3; 32], &mut SystemRng).unwrap();
    stores.main.insert(record(3), row.into_stored());
    let backup = stores.main.clone();
    assert!((0..4).all(|number| stores.opens(&backup, number)), "before");
    assert!(stores.keys.remove(&key_row("ana", 1)).is_some());
    // In the same row of the key store.
    stores.new_key("ana", 1);
    assert_eq!(stores.keys.len(), 2);
    for main in [&stores.main, &backup] {
        for number in 0..4 {
            assert_eq!(stores.opens(main, number), number == 3, "record {number}");
            let row = Vaulted::read(record(number), main[&record(number)].clone()).unwrap();
            assert_eq!(row.open(&master(1)).unwrap_err(), SecretFault::OtherKey);
        }
    }
}

/// A rotation puts whatever it finds under the new key. A row that is erased, and was not deleted before, would survive
/// its erasure there.
#[test]
fn an_erased_row_is_not_put_under_the_new_key() {
    let mut stores = Stores::with_records(0..3);
    let (old, new) = (stores.key("ana", 1).unwrap(), stores.new_key("ana", 2));
    let rotation = Rotation::new(&old, &new).unwrap().erasing([record(1)]);
    for rewrapped in [2, 0] {
        let done = rotate(&rotation, &mut Main(&mut stores.main, usize::MAX), 2, &mut SystemRng).unwrap();
        assert_eq!((done.rewrapped, done.already), (rewrapped, 2 - rewrapped));
        assert_eq!(done.refused, [Refused { place: record(1), fault: SecretFault::Erased }]);
        assert!(!done.is_complete(), "the old key is not destroyed yet");
        let row = RecordSecret::read(record(1), stores.main[&record(1)].clone()).unwrap();
        assert_eq!(row.open(&new).unwrap_err(), SecretFault::OtherKey);
        assert_eq!(row.open(&old).unwrap().as_slice(), [1; 32]);
    }
    stores.main.remove(&record(1));
    let done = rotate(&rotation, &mut Main(&mut stores.main, usize::MAX), 2, &mut SystemRng).unwrap();
    assert_eq!((done.already, done.is_complete()), (2, true));
}

/// Opened again, a key is of its master's domain. One of another domain would open nothing that it was used for.
#[test]
fn a_key_is_stored_under_a_master_of_its_own_domain() {
    let acme = Domain::new("ACME").unwrap();
    let key = ErasureKey::draw(&acme, &mut SystemRng).unwrap();
    let refused = key.seal(&master(1), key_row("ana", 1), &mut SystemRng).unwrap_err();
    assert_eq!(refused, SecretFault::OtherDomain);
    let master = Master::new(&acme, Secret::from_slice("master", &[1; 32]).unwrap()).unwrap();
    let kept = key.seal(&master, key_row("ana", 1), &mut SystemRng).unwrap();
    let row = RecordSecret::seal(&key, record(1), &[1; 32], &mut SystemRng).unwrap();
    drop(key);
    assert_eq!(row.open(&ErasureKey::open(&master, &kept).unwrap()).unwrap().as_slice(), [1; 32]);
}

/// What is under a key that hangs on the owner's goes with the owner's, and the master alone does not open it.
#[test]
fn a_key_hangs_on_another() {
    let mut stores = Stores::with_records([]);
    let (ana, bo) = (stores.new_key("ana", 1), stores.new_key("bo", 1));
    let key = ErasureKey::draw(&Domain::default(), &mut SystemRng).unwrap();
    let kept = key.seal(&ana, record(1), &mut SystemRng).unwrap();
    let row = RecordSecret::seal(&key, record(2), &[1; 32], &mut SystemRng).unwrap();
    drop(key);
    assert_eq!(row.open(&ErasureKey::open(&ana, &kept).unwrap()).unwrap().as_slice(), [1; 32]);
    assert_eq!(ErasureKey::open(&bo, &kept).unwrap_err(), SecretFault::OtherKey);
    let by_master = Vaulted::read(record(1), kept.into_stored()).unwrap();
    assert_eq!(ErasureKey::open(&master(1), &by_master).unwrap_err(), SecretFault::OtherKey);
    let acme = ErasureKey::draw(&Domain::new("ACME").unwrap(), &mut SystemRng).unwrap();
    assert_eq!(acme.seal(&ana, record(1), &mut SystemRng).unwrap_err(), SecretFault::OtherDomain);
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
