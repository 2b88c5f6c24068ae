//! A log of a few identities, whose keys are drawn from a seed.

use dualseal::key::CheckedRing;
use dualseal::secret::Secret;
use dualseal::store::StoredState;
use dualseal::{Domain, Head, IdentityId, RingKey, SigningKey, SystemRng, Timestamp};
use dualseal_operator::step::{Batch, Changes, State, Step, StepError};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

pub(crate) const ORIGIN: &str = "example.org/log";

/// What an operator has beside his store.
pub(crate) struct Log {
    pub(crate) domain: Domain,
    pub(crate) authority: RingKey,
}

/// An identity with its keys, of which the last is current.
pub(crate) struct Person {
    pub(crate) id: IdentityId,
    pub(crate) keys: Vec<SigningKey>,
}

impl Log {
    pub(crate) fn new() -> Self {
        let domain = Domain::default();
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
        Self { domain, authority }
    }

    pub(crate) fn empty(&self) -> State {
        let ring = CheckedRing::new(ORIGIN, &self.authority).unwrap();
        State::new(&self.domain, ring, StoredState::new(Head::EMPTY)).unwrap()
    }

    pub(crate) fn person(&self, name: &str) -> Person {
        Person { id: self.domain.identity_id(b"", name, "").unwrap(), keys: vec![key(name, 0)] }
    }
}

impl Person {
    pub(crate) fn key(&self) -> &SigningKey {
        self.keys.last().unwrap()
    }
}

/// An empty folder: in memory where there is such a place, since what is tried here is what is written and in which
/// order, thousands of times, and not how long a disk takes.
pub(crate) fn fresh(name: &str) -> Fresh {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { fresh_within(memory, name) } else { fresh_on_disk(name) }
}

/// An empty folder on a disk: where a process is killed while it waits for the disk, most of all.
pub(crate) fn fresh_on_disk(name: &str) -> Fresh {
    fresh_within(Path::new(env!("CARGO_TARGET_TMPDIR")), name)
}

fn fresh_within(within: &Path, name: &str) -> Fresh {
    let folder = within.join(format!("dualseal operator {} {name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    Fresh(folder)
}

/// A folder that is gone when its test is over.
#[derive(Debug)]
pub(crate) struct Fresh(PathBuf);

impl Deref for Fresh {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The key of somebody's of this number.
pub(crate) fn key(name: &str, number: u8) -> SigningKey {
    let mut seed = [number; 32];
    seed[..name.len()].copy_from_slice(name.as_bytes());
    SigningKey::from_seed(&seed).unwrap()
}

pub(crate) fn at(second: u32) -> Timestamp {
    format!("2026-11-21T{:02}:{:02}:{:02}.000Z", 9 + second / 3600, second / 60 % 60, second % 60).parse().unwrap()
}

/// One step, signed with this key.
pub(crate) fn one<T>(
    state: State,
    key: &SigningKey,
    work: impl FnOnce(&mut Step<'_>) -> Result<T, StepError>,
) -> Result<(T, State, Changes), StepError> {
    let mut batch = Batch::new(state);
    let done = batch.step(at(0), work)?;
    let (placed, to_sign) = batch.place();
    let signed = to_sign.into_iter().map(|one| one.sign(key, &mut SystemRng)).collect::<Result<Vec<_>, _>>()?;
    let (state, changes) = placed.finish(signed)?;
    Ok((done, state, changes))
}
