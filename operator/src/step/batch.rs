//! Several callers' work, placed one after the other.

use super::made::Made;
use super::one::{Ended, follow};
use super::placed::Placed;
use super::{State, Step, StepError, ToSign};
use dualseal::error::Misuse;
use dualseal::store::StoredState;
use dualseal::{Head, Timestamp};
use std::mem;

/// The work of one transaction, in steps of which each happens or does not: the one that fails leaves the batch as it
/// was, and takes nobody else's work with it.
#[derive(Debug)]
pub struct Batch {
    state: State,
    expected: Head,
    made: Made,
}

impl Batch {
    /// Begins where the state is.
    #[must_use]
    pub fn new(state: State) -> Self {
        Self { expected: state.head().clone(), state, made: Made::default() }
    }

    /// The state with all steps so far.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether no step has made anything: no entry, no secret that is kept, and no ledger.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let made = &self.made;
        made.entries.is_empty() && made.secrets.is_empty() && made.ledgers == 0
    }

    /// One caller's work at one time: all of it is in the batch, or, on an error, nothing.
    ///
    /// # Errors
    /// What `work` says.
    pub fn step<T, E: From<StepError>>(
        &mut self,
        time: Timestamp,
        work: impl FnOnce(&mut Step<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut step = self.begin(time);
        let done = work(&mut step)?;
        let ended = step.end()?;
        self.take(ended)?;
        Ok(done)
    }

    /// A step for who has no closure to give, such as the caller of a binding: what it [comes to](Step::end) counts
    /// when the batch [takes](Self::take) it, and nothing of it counts before.
    #[must_use]
    pub fn begin(&self, time: Timestamp) -> Step<'_> {
        Step::new(&self.state, time, self.made.count())
    }

    /// Takes a step that was [begun](Self::begin) where the batch is now.
    ///
    /// # Errors
    /// [`Misuse::StaleHead`] where another was taken since, or it was begun elsewhere; [`StepError::SamePlace`] where
    /// a secret is kept in the place of another.
    pub fn take(&mut self, ended: Ended) -> Result<(), StepError> {
        let Self { state, made, .. } = self;
        let Ended { from, before, ring, head, ledgers, made: new } = ended;
        if from != *state.head() || before != made.count() {
            return Err(Misuse::StaleHead.into());
        }
        made.check_places(&new)?;
        match ring {
            Some(ring) => state.ring = ring,
            None => follow(&mut state.ring, &new.entries)?,
        }
        // Not a copy: the state's ledgers are copied where two states have them.
        let stored = mem::replace(&mut state.stored, StoredState::new(Head::EMPTY));
        state.stored = ledgers.into_values().fold(stored, StoredState::with_ledger).at(head);
        made.add(new);
        Ok(())
    }

    /// Ends the placing, and gives out what is to be signed: beside each other, and where the driver wants, outside of
    /// its lock.
    #[must_use]
    pub fn place(self) -> (Placed, Vec<ToSign>) {
        Placed::new(self.state, self.expected, self.made)
    }
}
