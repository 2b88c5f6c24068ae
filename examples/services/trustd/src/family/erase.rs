//! Taking memories and children away: the erasure key goes that a memory's key, or a child's, hangs on, so that no
//! backup from before opens it. The log keeps its entries.

use super::store::Guardian;
use super::texts::{key_place, owner_of};
use crate::App;
use crate::personal::Personal;
use dualseal::IdentityId;
use dualseal_operator::step::{Changes, State, Step};
use futures::stream::{self, StreamExt as _};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;
use serde_json::json;

/// How many memories go in one transaction: whoever appends meanwhile waits for one such piece.
const PIECE: u32 = 64;
/// So many keys are destroyed apart at a time.
const AT_ONCE: usize = 8;

struct Erased {
    app: App,
    guardian: Guardian,
    child: IdentityId,
    /// One memory; without it a piece of all, and with the last one the child.
    memory: Option<String>,
}

/// What went in one transaction.
struct Gone {
    memories: Vec<String>,
    is_all: bool,
}

/// Takes a memory of a child away.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; the log.
pub(crate) async fn forget(app: &App, guardian: Guardian, child: IdentityId, memory: String) -> Result<(), Problem> {
    let alone = owner_of(app.log.domain(), &memory)?;
    app.log.submit(Erased { app: App::clone(app), guardian, child, memory: Some(memory) }).await?;
    // Until that ends, a job goes on with it.
    app.owners.end(&app.db, &app.log, &alone).await;
    app.owners.leave(&alone).await;
    Ok(())
}

/// Takes a child away, with all that was kept for it. Where that fails midway a part is erased, and the next time the
/// rest.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`]; the log.
pub(crate) async fn remove(app: &App, guardian: Guardian, child: IdentityId) -> Result<(), Problem> {
    loop {
        let gone = app.log.submit(Erased { app: App::clone(app), guardian, child, memory: None }).await?;
        if gone.is_all {
            // Until that ends, a job goes on with it.
            app.owners.end(&app.db, &app.log, &child).await;
        }
        // Under the child's key nothing of these opens any more when it is gone; they were made for nothing else.
        let owners: Result<Vec<_>, _> = gone.memories.iter().map(|id| owner_of(app.log.domain(), id)).collect();
        let owners = stream::iter(owners?);
        owners.for_each_concurrent(AT_ONCE, async |owner| app.owners.leave(&owner).await).await;
        if gone.is_all {
            return Ok(());
        }
    }
}

impl Work for Erased {
    type Read = Personal;
    type Made = ();
    type Answer = Gone;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Personal, Problem> {
        // In `rows` a refusal has whoever shares the transaction signed again.
        match &self.memory {
            Some(id) if !self.guardian.has_memory(tx, &self.child, id).await? => {
                return Err(Problem::new(&kinds::UNKNOWN_ID));
            }
            None if self.guardian.hold(tx, &self.child).await?.is_none() => {
                return Err(Problem::new(&kinds::NOT_GUARDIAN));
            }
            _ => {}
        }
        let what = if self.memory.is_some() { "memory" } else { "child" };
        Personal::draw(json!({"what": what, "erased": self.memory.clone().unwrap_or(self.child.to_hex())}).to_string())
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(), Problem> {
        personal.append(step).map(drop)
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<Gone, Problem> {
        let (owners, child, domain) = (&self.app.owners, &self.child, self.app.log.domain());
        if let Some(id) = &self.memory {
            if !self.guardian.remove_memory(tx, child, id).await? {
                return Err(Problem::new(&kinds::UNKNOWN_ID));
            }
            ErasureKeys::remove(tx, &key_place(id)?).await?;
            owners.erase(tx, &owner_of(domain, id)?, &[]).await?;
            return Ok(Gone { memories: vec![id.clone()], is_all: false });
        }
        if self.guardian.hold(tx, child).await?.is_none() {
            return Err(Problem::new(&kinds::NOT_GUARDIAN));
        }
        let memories = self.guardian.some_memories(tx, child, PIECE + 1).await?;
        let is_all = memories.len() <= PIECE as usize;
        let memories: Vec<_> = memories.into_iter().take(PIECE as usize).collect();
        for id in &memories {
            self.guardian.remove_memory(tx, child, id).await?;
            ErasureKeys::remove(tx, &key_place(id)?).await?;
        }
        if is_all {
            self.guardian.remove_child(tx, child).await?;
            ErasureKeys::remove(tx, &key_place(&child.to_hex())?).await?;
            owners.erase(tx, child, &[]).await?;
        }
        Ok(Gone { memories, is_all })
    }
}
