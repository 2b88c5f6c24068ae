//! Rotating a master: every row ends under the new one, whatever interrupts it, and none is lost.

use crate::at_rest::{Failing, master, place};
use dualseal::SystemRng;
use dualseal_operator::secrets::{
    Master, Place, Refused, Rotated, Rotation, RotationFault, Rows, SecretFault, Vaulted, rotate,
};
use std::collections::BTreeMap;
use std::ops::Bound;

/// A table in memory, which fails when so many of its operations are done.
#[derive(Clone)]
struct Table {
    rows: BTreeMap<Place, Vec<u8>>,
    left: usize,
    replaced: Vec<usize>,
    /// A row that somebody writes between reading and replacing.
    meanwhile: Option<(Place, Vec<u8>)>,
}

impl Table {
    /// So many rows under a master, each with a secret of its own.
    fn of(master: &Master, count: u8) -> Self {
        let row = |number: u8| {
            let row = Vaulted::seal(master, numbered(number), &[number; 32], &mut SystemRng).unwrap();
            (row.place().clone(), row.into_stored())
        };
        Self { rows: (0..count).map(row).collect(), left: usize::MAX, replaced: Vec::new(), meanwhile: None }
    }

    fn operation(&mut self) -> Result<(), &'static str> {
        self.left = self.left.checked_sub(1).ok_or("the power went")?;
        Ok(())
    }

    fn stored(&self, number: u8) -> &[u8] {
        &self.rows[&numbered(number)]
    }

    fn opens(&self, number: u8, master: &Master) -> bool {
        let row = Vaulted::read(numbered(number), self.stored(number).to_vec()).unwrap();
        row.open(master).is_ok_and(|secret| *secret == [number; 32])
    }
}

impl Rows<Master> for Table {
    type Error = &'static str;

    fn page(&mut self, after: Option<&Place>, most: usize) -> Result<Vec<(Place, Vec<u8>)>, Self::Error> {
        self.operation()?;
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let rows = self.rows.range((from, Bound::Unbounded)).take(most);
        Ok(rows.map(|(place, stored)| (place.clone(), stored.clone())).collect())
    }

    fn replace(&mut self, rows: &[(Vec<u8>, Vaulted)]) -> Result<u64, Self::Error> {
        self.operation()?;
        self.rows.extend(self.meanwhile.take());
        self.replaced.push(rows.len());
        let mut replaced = 0;
        for (was, row) in rows {
            if self.rows[row.place()] == *was {
                self.rows.insert(row.place().clone(), row.stored().to_vec());
                replaced += 1;
            }
        }
        Ok(replaced)
    }
}

fn numbered(number: u8) -> Place {
    place(&format!("row {number:03}"))
}

fn run(table: &mut Table, batch: usize) -> Result<Rotated, RotationFault<&'static str>> {
    let (old, new) = (master(1), master(2));
    rotate(&Rotation::new(&old, &new).unwrap(), table, batch, &mut SystemRng)
}

#[test]
fn all_rows_come_under_the_new_master_in_steps_of_any_size() {
    for (batch, replaced) in [(1, vec![1; 7]), (3, vec![3, 3, 1]), (7, vec![7]), (usize::MAX, vec![7]), (0, vec![1; 7])]
    {
        let mut table = Table::of(&master(1), 7);
        let done = run(&mut table, batch).unwrap();
        assert_eq!((done.rewrapped, done.already, done.is_complete()), (7, 0, true));
        assert_eq!(table.replaced, replaced);
        for number in 0..7 {
            assert!(table.opens(number, &master(2)) && !table.opens(number, &master(1)), "{number}");
        }
        let before = table.rows.clone();
        let again = run(&mut table, batch).unwrap();
        assert_eq!((again.rewrapped, again.already), (0, 7));
        assert_eq!(table.rows, before, "what is under the new master is left");
    }
    assert_eq!(run(&mut Table::of(&master(1), 0), 3), Ok(Rotated::default()));
}

/// The power goes at each operation. Every row opens under one of the two masters at every moment, and the next
/// rotation does the rest.
#[test]
fn an_interrupted_rotation_goes_on() {
    let (old, new) = (master(1), master(2));
    let rotation = Rotation::new(&old, &new).unwrap();
    let mut ended = false;
    for operations in 0.. {
        let mut table = Table { left: operations, ..Table::of(&old, 8) };
        match run(&mut table, 3) {
            Ok(_) => ended = true,
            Err(fault) => assert_eq!(fault, RotationFault::Store("the power went")),
        }
        for number in 0..8 {
            let row = Vaulted::read(numbered(number), table.stored(number).to_vec()).unwrap();
            assert_eq!(rotation.open(&row).unwrap().as_slice(), [number; 32]);
            assert!(table.opens(number, &old) != table.opens(number, &new));
        }
        table.left = usize::MAX;
        let done = run(&mut table, 3).unwrap();
        assert_eq!(done.rewrapped + done.already, 8);
        assert!((0..8).all(|number| table.opens(number, &new)));
        if ended {
            return;
        }
    }
}

#[test]
fn a_row_under_neither_master_is_named_and_kept() {
    let mut table = Table::of(&master(1), 6);
    let stranger = Vaulted::seal(&master(3), numbered(1), &[9; 32], &mut SystemRng).unwrap();
    let kept = |number: u8, stored: Vec<u8>, table: &mut Table| {
        table.rows.insert(numbered(number), stored.clone());
        (number, stored)
    };
    let moved = table.stored(0).to_vec();
    let mut damaged = table.stored(3).to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    let left = [
        kept(1, stranger.into_stored(), &mut table),
        kept(2, moved, &mut table),
        kept(3, damaged, &mut table),
        kept(4, b"plain".to_vec(), &mut table),
    ];
    for _ in 0..2 {
        let done = run(&mut table, 2).unwrap();
        assert!(!done.is_complete());
        let refused = |number: u8, fault| Refused { place: numbered(number), fault };
        let expected = [
            refused(1, SecretFault::OtherKey),
            refused(2, SecretFault::OtherKey),
            refused(3, SecretFault::Damaged { chunk: 0 }),
            refused(4, SecretFault::NoSecret),
        ];
        assert_eq!(done.refused, expected);
        assert_eq!(done.rewrapped + done.already, 2);
        for (number, stored) in &left {
            assert_eq!(table.stored(*number), stored, "row {number} is as it was");
        }
        assert!(table.opens(0, &master(2)) && table.opens(5, &master(2)));
    }
}

#[test]
fn what_is_written_meanwhile_stays() {
    let mut table = Table::of(&master(1), 3);
    let newer = Vaulted::seal(&master(2), numbered(1), &[9; 32], &mut SystemRng).unwrap();
    table.meanwhile = Some((numbered(1), newer.stored().to_vec()));
    let done = run(&mut table, 3).unwrap();
    assert_eq!((done.rewrapped, done.already, done.is_complete()), (2, 1, true));
    assert_eq!(table.stored(1), newer.stored());
    assert!(table.opens(0, &master(2)) && table.opens(2, &master(2)));
}

/// Whoever destroys the old master because a rotation ended, though the store did not replace what it was given, or
/// somebody wrote under the old master behind it, loses those rows.
#[test]
fn a_rotation_is_complete_when_nothing_is_under_the_old_master() {
    /// Takes what it is given, and replaces none of it.
    struct Idle(Table);
    impl Rows<Master> for Idle {
        type Error = &'static str;

        fn page(&mut self, after: Option<&Place>, most: usize) -> Result<Vec<(Place, Vec<u8>)>, Self::Error> {
            self.0.page(after, most)
        }

        fn replace(&mut self, _: &[(Vec<u8>, Vaulted)]) -> Result<u64, Self::Error> {
            Ok(0)
        }
    }
    let (old, new) = (master(1), master(2));
    let rotation = Rotation::new(&old, &new).unwrap();
    let mut idle = Idle(Table::of(&old, 3));
    let done = rotate(&rotation, &mut idle, 2, &mut SystemRng).unwrap();
    assert_eq!((done.rewrapped, done.already, done.late, done.is_complete()), (0, 0, 3, false));

    // A row that the first pass has gone by already.
    let mut table = Table::of(&old, 3);
    let behind = Vaulted::seal(&old, numbered(0), &[0; 32], &mut SystemRng).unwrap();
    table.rows.remove(&numbered(0));
    table.meanwhile = Some((numbered(0), behind.into_stored()));
    let done = run(&mut table, 3).unwrap();
    assert_eq!((done.rewrapped, done.already, done.late, done.is_complete()), (3, 0, 1, false));
    assert!((0..3).all(|number| table.opens(number, &new)));
    let again = run(&mut table, 3).unwrap();
    assert_eq!((again.rewrapped, again.already, again.late, again.is_complete()), (0, 3, 0, true));
}

/// A store whose pages do not go on would have a rotation say that all is done, or go round for ever.
#[test]
fn a_store_that_does_not_ascend_is_refused() {
    struct Stuck(Table);
    impl Rows<Master> for Stuck {
        type Error = &'static str;

        fn page(&mut self, _: Option<&Place>, most: usize) -> Result<Vec<(Place, Vec<u8>)>, Self::Error> {
            self.0.page(None, most)
        }

        fn replace(&mut self, rows: &[(Vec<u8>, Vaulted)]) -> Result<u64, Self::Error> {
            self.0.replace(rows)
        }
    }
    let (old, new) = (master(1), master(2));
    let mut stuck = Stuck(Table::of(&old, 3));
    let stopped = rotate(&Rotation::new(&old, &new).unwrap(), &mut stuck, 2, &mut SystemRng);
    assert_eq!(stopped, Err(RotationFault::Order { place: Box::new(numbered(0)) }));
    assert!((0..3).all(|number| stuck.0.opens(number, &old) || stuck.0.opens(number, &new)));
}

#[test]
fn without_randomness_every_row_stays() {
    let (old, new) = (master(1), master(2));
    let mut table = Table::of(&old, 3);
    let before = table.rows.clone();
    let stopped = rotate(&Rotation::new(&old, &new).unwrap(), &mut table, 2, &mut Failing);
    assert_eq!(stopped, Err(RotationFault::Randomness));
    assert_eq!(table.rows, before);
}

/// Whoever destroys the old master after a rotation to itself has lost everything.
#[test]
fn a_master_is_not_rotated_to_itself() {
    assert_eq!(Rotation::new(&master(1), &master(1)).unwrap_err(), SecretFault::SameKey);
}
