//! Several callers' questions in one: a way to the database costs more than a verification, so that who comes while it
//! is asked waits for the next question, and shares that one with all who came meanwhile.

use super::Held;
use super::read::state_of;
use super::store::LogFault;
use crate::db::{DbError, Row, Statement, Value};
use crate::problem::{Problem, kinds};
use dualseal_operator::step::State;
use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// How many values a statement asks of at once, each a parameter of its own.
pub const TOGETHER: usize = 16;

/// What is asked about: a hash.
type Asked = [u8; 32];

/// Who waits for the next question.
#[derive(Debug, Default)]
pub(super) struct Together(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    questions: Vec<Question>,
    /// Whether somebody asks for those who wait.
    is_asked: bool,
}

#[derive(Debug)]
struct Question {
    statement: Statement,
    asked: Asked,
    answer: oneshot::Sender<Answer>,
}

type Answer = Result<(Arc<State>, Option<String>), Problem>;

impl Together {
    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that the next question is for: of one statement, and no more than that has parameters. None where nobody
    /// waits any more, and who comes next asks.
    fn next(&self) -> Option<(Statement, Vec<Question>)> {
        let mut waiting = self.waiting();
        let Some(statement) = waiting.questions.first().map(|question| question.statement) else {
            waiting.is_asked = false;
            return None;
        };
        let mut taken = 0;
        let mut is_taken = |question: &mut Question| {
            let is_taken = question.statement == statement && taken < TOGETHER;
            taken += usize::from(is_taken);
            is_taken
        };
        Some((statement, waiting.questions.extract_if(.., &mut is_taken).collect()))
    }
}

/// Who asks for all. Where that breaks off, nobody waits for it any more.
struct Asking {
    held: Arc<Held>,
    is_over: bool,
}

impl Drop for Asking {
    fn drop(&mut self) {
        if !self.is_over {
            *self.held.together.waiting() = Waiting::default();
        }
    }
}

/// The state, and what `told` has of what is asked about, read after this was called.
pub(super) async fn ask(held: &Arc<Held>, statement: Statement, asked: Asked) -> Answer {
    if held.db.is_file() {
        // It is read on this thread, and there is nothing to share.
        let (state, mut told) = read_for(held, statement, &[asked]).await?;
        return Ok((state, told.remove(&asked)));
    }
    let (answer, waits) = oneshot::channel();
    let is_asked = {
        let mut waiting = held.together.waiting();
        waiting.questions.push(Question { statement, asked, answer });
        mem::replace(&mut waiting.is_asked, true)
    };
    if !is_asked {
        // Nobody's own task: his client may go away.
        tokio::spawn(ask_for_all(Asking { held: Arc::clone(held), is_over: false }));
    }
    waits.await.unwrap_or_else(|_| Err(Problem::new(&kinds::BUSY).retry_after(1)))
}

async fn ask_for_all(mut asking: Asking) {
    loop {
        // Whoever is about to ask comes along.
        tokio::task::yield_now().await;
        let Some((statement, questions)) = asking.held.together.next() else { break };
        answer(&asking.held, statement, questions).await;
    }
    asking.is_over = true;
}

async fn answer(held: &Held, statement: Statement, questions: Vec<Question>) {
    let asked: Vec<_> = questions.iter().map(|question| question.asked).collect();
    match read_for(held, statement, &asked).await {
        Ok((state, told)) => {
            for question in questions {
                // Who went away is not told.
                drop(question.answer.send(Ok((Arc::clone(&state), told.get(&question.asked).cloned()))));
            }
        }
        Err(fault) => {
            let problem = Problem::from(fault);
            for question in questions {
                drop(question.answer.send(Err(problem.clone())));
            }
        }
    }
}

async fn read_for(
    held: &Held,
    statement: Statement,
    asked: &[Asked],
) -> Result<(Arc<State>, BTreeMap<Asked, String>), LogFault> {
    let mut values: Vec<_> = asked.iter().map(|asked| Value::from(&asked[..])).collect();
    values.resize(TOGETHER, Value::Bytes(None));
    let rows = held.db.look(statement, values).await?;
    let state = state_of(held, &rows.first().ok_or(LogFault::NoLog)?.text("state")?).await?;
    let told = |row: &Row| -> Result<_, LogFault> {
        let Some(asked) = row.maybe_bytes("asked")? else { return Ok(None) };
        let asked = Asked::try_from(asked).map_err(|_| DbError::Column("asked"))?;
        Ok(Some((asked, row.text("told")?)))
    };
    let told: Result<_, _> = rows.iter().filter_map(|row| told(row).transpose()).collect();
    Ok((state, told?))
}
