//! Taking memories and children away: the erasure key goes that a memory's key, or a child's, hangs on, so that no
//! backup from before opens it. The log keeps its entries.

use super::store::Guardian;
use super::texts::{key_place, owner_of};
use crate::App;
use crate::personal::Personal;
use dualseal::IdentityId;
use dualseal_operator::step::{Changes, State, Step};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;
use serde_json::json;

struct Erased {
    app: App,
    guardian: Guardian,
    child: IdentityId,
    /// One memory; without it the child with all of them.
    memory: Option<String>,
}

/// Takes a memory of a child away.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; the log.
pub(crate) async fn forget(app: &App, guardian: Guardian, child: IdentityId, memory: String) -> Result<(), Problem> {
    erase(app, guardian, child, Some(memory)).await
}

/// Takes a child away, with all that was kept for it.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`]; the log.
pub(crate) async fn remove(app: &App, guardian: Guardian, child: IdentityId) -> Result<(), Problem> {
    erase(app, guardian, child, None).await
}

async fn erase(app: &App, guardian: Guardian, child: IdentityId, memory: Option<String>) -> Result<(), Problem> {
    let alone = memory.as_ref().map(|id| owner_of(app.log.domain(), id)).transpose()?;
    let gone = app.log.submit(Erased { app: App::clone(app), guardian, child, memory }).await?;
    // Until that ends, a job goes on with it.
    app.owners.end(&app.db, &app.log, &alone.unwrap_or(child)).await;
    // Under the child's key nothing of these opens any more; they were made for nothing else.
    for id in gone {
        app.owners.leave(&owner_of(app.log.domain(), &id)?).await;
    }
    Ok(())
}

impl Work for Erased {
    type Read = Personal;
    type Made = ();
    /// The memories that are gone.
    type Answer = Vec<String>;

    async fn read(&self, _: &mut Tx, _: &State) -> Result<Personal, Problem> {
        let what = if self.memory.is_some() { "memory" } else { "child" };
        Personal::draw(json!({"what": what, "erased": self.memory.clone().unwrap_or(self.child.to_hex())}).to_string())
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(), Problem> {
        personal.append(step).map(drop)
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<Vec<String>, Problem> {
        let (owners, child, domain) = (&self.app.owners, &self.child, self.app.log.domain());
        if let Some(id) = &self.memory {
            if !self.guardian.remove_memory(tx, child, id).await? {
                return Err(Problem::new(&kinds::UNKNOWN_ID));
            }
            ErasureKeys::remove(tx, &key_place(id)?).await?;
            owners.erase(tx, &owner_of(domain, id)?, &[]).await?;
            return Ok(vec![id.clone()]);
        }
        let Some(gone) = self.guardian.remove_child(tx, child).await? else {
            return Err(Problem::new(&kinds::NOT_GUARDIAN));
        };
        for id in &gone {
            ErasureKeys::remove(tx, &key_place(id)?).await?;
        }
        ErasureKeys::remove(tx, &key_place(&child.to_hex())?).await?;
        owners.erase(tx, child, &[]).await?;
        Ok(gone)
    }
}
