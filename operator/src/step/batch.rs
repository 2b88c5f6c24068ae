//! Several callers' work, placed one after the other.

use super::made::Made;
use super::one::{Settled, follow};
use super::placed::Placed;
use super::{State, Step, StepError, ToSign};
use dualseal::store::StoredState;
use dualseal::{Head, Timestamp};

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

    /// Whether no step has made anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.made.entries.is_empty()
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
        let Self { state, made, .. } = self;
        let mut step = Step::new(state, time, (made.unsigned.len(), made.vault_records.len()));
        let done = work(&mut step)?;
        let Settled { ring, head, ledgers, made: new } = step.settle()?;
        match ring {
            Some(ring) => state.ring = ring,
            None => follow(&mut state.ring, &new.entries)?,
        }
        let stored = ledgers.into_values().fold(state.stored.clone(), StoredState::with_ledger);
        state.stored = stored.at(head);
        made.add(new);
        Ok(done)
    }

    /// Ends the placing, and gives out what is to be signed: outside of any lock, and beside each other.
    #[must_use]
    pub fn place(self) -> (Placed, Vec<ToSign>) {
        Placed::new(self.state, self.expected, self.made)
    }
}
