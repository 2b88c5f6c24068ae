//! What a caller has the log's writer do: read under the lock, a step, and rows of his own, all in one transaction.

use crate::db::Tx;
use crate::problem::{Problem, kinds};
use dualseal_operator::step::{Changes, State, Step};
use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use tokio::sync::oneshot;

/// One caller's work. All of it happens, or nothing; where another's rows fail in the same transaction it is done
/// again from the beginning, so nothing of it is taken out of `self`.
pub trait Work: Send + Sync + 'static {
    /// What it reads first.
    type Read: Send + 'static;
    /// What its step makes: tickets, entries.
    type Made: Send + 'static;
    /// What its caller gets.
    type Answer: Send + 'static;

    /// Reads, under the lock on the log. The rows of others in the same transaction are not written yet: what must be
    /// one of its kind has a UNIQUE rule in the schema, and whoever meets it is done again after the others.
    ///
    /// # Errors
    /// What the caller is told; nothing is done then.
    fn read(&self, tx: &mut Tx, state: &State) -> impl Future<Output = Result<Self::Read, Problem>> + Send;

    /// Makes its entries. Nothing in here waits for anything.
    ///
    /// # Errors
    /// What the caller is told; nothing is done then, and others' steps are.
    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem>;

    /// Writes its rows beside the changes, which are written.
    ///
    /// # Errors
    /// What the caller is told; nothing is done then.
    fn rows(
        &self,
        tx: &mut Tx,
        made: Self::Made,
        changes: &Changes,
    ) -> impl Future<Output = Result<Self::Answer, Problem>> + Send;

    /// Whether the caller is answered only under a checkpoint that covers it: of a rotation, a `laz`, a `nijedno`.
    fn is_sealed(&self) -> bool {
        false
    }
}

type Soon<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Boxed = Box<dyn Any + Send>;

/// Work of any kind, with whoever waits for it.
pub(super) trait Job: Send {
    fn read<'a>(&'a mut self, tx: &'a mut Tx, state: &'a State) -> Soon<'a, Result<(), Problem>>;
    fn step(&mut self, step: &mut Step<'_>) -> Result<(), Problem>;
    fn rows<'a>(&'a mut self, tx: &'a mut Tx, changes: &'a Changes) -> Soon<'a, Result<Boxed, Problem>>;
    fn is_sealed(&self) -> bool;
    /// Whether it met a rule of the schema before, and is done alone.
    fn again(&mut self) -> bool;
    fn answer(self: Box<Self>, answer: Result<Boxed, Problem>);
}

pub(super) struct Waiting<W: Work> {
    work: W,
    read: Option<W::Read>,
    made: Option<W::Made>,
    again: bool,
    answer: oneshot::Sender<Result<W::Answer, Problem>>,
}

impl<W: Work> Waiting<W> {
    pub(super) fn new(work: W) -> (Self, oneshot::Receiver<Result<W::Answer, Problem>>) {
        let (answer, waits) = oneshot::channel();
        (Self { work, read: None, made: None, again: false, answer }, waits)
    }
}

impl<W: Work> Job for Waiting<W> {
    fn read<'a>(&'a mut self, tx: &'a mut Tx, state: &'a State) -> Soon<'a, Result<(), Problem>> {
        Box::pin(async move {
            self.read = Some(self.work.read(tx, state).await?);
            Ok(())
        })
    }

    fn step(&mut self, step: &mut Step<'_>) -> Result<(), Problem> {
        let read = self.read.take().ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        self.made = Some(self.work.step(step, read)?);
        Ok(())
    }

    fn rows<'a>(&'a mut self, tx: &'a mut Tx, changes: &'a Changes) -> Soon<'a, Result<Boxed, Problem>> {
        Box::pin(async move {
            let made = self.made.take().ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
            Ok(Box::new(self.work.rows(tx, made, changes).await?) as Boxed)
        })
    }

    fn is_sealed(&self) -> bool {
        self.work.is_sealed()
    }

    fn again(&mut self) -> bool {
        std::mem::replace(&mut self.again, true)
    }

    fn answer(self: Box<Self>, answer: Result<Boxed, Problem>) {
        let answer = answer.and_then(|made| match made.downcast::<W::Answer>() {
            Ok(made) => Ok(*made),
            Err(_) => Err(Problem::new(&kinds::INTERNAL)),
        });
        // Whoever went away has what was written, and no answer.
        drop(self.answer.send(answer));
    }
}
