//! Taking memories and children away: the erasure key goes that a memory's key, or a child's, hangs on, so that no
//! backup from before opens it. The log keeps its entries. That a child goes is written down with its first piece: from
//! then on it is told as gone, and whatever becomes of whoever asked, a job goes on with it.

use super::leaving::Leaving;
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
    what: What,
}

/// What goes.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// One memory.
    Memory(String),
    /// A first piece of all memories, and with the last one the child.
    Child,
    /// A further piece.
    More,
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
    app.log.submit(Erased { app: App::clone(app), guardian, child, what: What::Memory(memory) }).await?;
    // Until that ends, a job goes on with it.
    app.owners.end(&app.db, &app.log, &alone).await;
    app.owners.leave(&alone).await;
    Ok(())
}

/// Takes a child away, with all that was kept for it. Whoever asked need not wait for it.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`], also of one that is being erased; the log.
pub(crate) async fn remove(app: &App, guardian: Guardian, child: IdentityId) -> Result<(), Problem> {
    let app = App::clone(app);
    // Whoever hangs up ends what he waits for, and nothing else.
    let erasing = tokio::spawn(async move {
        if piece(&app, Leaving { child, guardian }, What::Child).await? {
            Ok(())
        } else {
            end(&app, child, guardian).await
        }
    });
    erasing.await.map_err(|error| Problem::internal("family", &error))?
}

/// Goes on with all children that are being erased: a job. Where one fails the others are gone on with.
///
/// # Errors
/// As [`remove`], the last one.
pub async fn go_on(app: &App) -> Result<(), Problem> {
    let mut ended = Ok(());
    for Leaving { child, guardian } in Leaving::all(app).await? {
        if let Err(problem) = end(app, child, guardian).await {
            tracing::error!(%problem, "a child is not erased yet");
            ended = Err(problem);
        }
    }
    ended
}

/// Takes away what is left of a child that is being erased, unless somebody else just did.
async fn end(app: &App, child: IdentityId, guardian: Guardian) -> Result<(), Problem> {
    loop {
        match piece(app, Leaving { child, guardian }, What::More).await {
            Ok(false) => {}
            Ok(true) => return Ok(()),
            Err(problem) if problem.kind() == &kinds::NOT_GUARDIAN => return Ok(()),
            Err(problem) => return Err(problem),
        }
    }
}

/// Takes a piece away, and says whether it was the last.
pub(super) async fn piece(app: &App, Leaving { child, guardian }: Leaving, what: What) -> Result<bool, Problem> {
    let gone = app.log.submit(Erased { app: App::clone(app), guardian, child, what }).await?;
    if gone.is_all {
        // Until that ends, a job goes on with it.
        app.owners.end(&app.db, &app.log, &child).await;
    }
    // Under the child's key nothing of these opens any more when it is gone; they were made for nothing else.
    let owners: Result<Vec<_>, _> = gone.memories.iter().map(|id| owner_of(app.log.domain(), id)).collect();
    let owners = stream::iter(owners?);
    owners.for_each_concurrent(AT_ONCE, async |owner| app.owners.leave(&owner).await).await;
    Ok(gone.is_all)
}

impl Erased {
    fn leaving(&self) -> Leaving {
        Leaving { child: self.child, guardian: self.guardian }
    }
}

impl Work for Erased {
    type Read = Personal;
    type Made = ();
    type Answer = Gone;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Personal, Problem> {
        // In `rows` a refusal has whoever shares the transaction signed again.
        let is_there = match &self.what {
            What::Memory(id) if !self.guardian.has_memory(tx, &self.child, id).await? => {
                return Err(Problem::new(&kinds::UNKNOWN_ID));
            }
            What::Memory(_) => true,
            What::Child => {
                let tags = self.app.authority.tags();
                self.guardian.hold_any(tx, &self.child).await? && !self.leaving().is_begun(tx, tags).await?
            }
            What::More => self.guardian.hold_any(tx, &self.child).await?,
        };
        if !is_there {
            return Err(Problem::new(&kinds::NOT_GUARDIAN));
        }
        let (what, erased) = match &self.what {
            What::Memory(id) => ("memory", id.clone()),
            What::Child | What::More => ("child", self.child.to_hex()),
        };
        Personal::draw(json!({"what": what, "erased": erased}).to_string())
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(), Problem> {
        personal.append(step).map(drop)
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<Gone, Problem> {
        let (owners, child, domain) = (&self.app.owners, &self.child, self.app.log.domain());
        if let What::Memory(id) = &self.what {
            if !self.guardian.remove_memory(tx, child, id).await? {
                return Err(Problem::new(&kinds::UNKNOWN_ID));
            }
            ErasureKeys::remove(tx, &key_place(id)?).await?;
            owners.erase(tx, &owner_of(domain, id)?, &[]).await?;
            return Ok(Gone { memories: vec![id.clone()], is_all: false });
        }
        // Somebody else's, in the same transaction, may have been the last.
        if !self.guardian.hold_any(tx, child).await? {
            return Err(Problem::new(&kinds::NOT_GUARDIAN));
        }
        let memories = self.guardian.some_memories(tx, child, PIECE + 1).await?;
        let is_all = memories.len() <= PIECE as usize;
        let memories: Vec<_> = memories.into_iter().take(PIECE as usize).collect();
        for id in &memories {
            self.guardian.remove_memory(tx, child, id).await?;
            ErasureKeys::remove(tx, &key_place(id)?).await?;
        }
        if !is_all && matches!(self.what, What::Child) {
            self.leaving().begin(tx, &self.app).await?;
        }
        if is_all {
            self.guardian.remove_child(tx, child).await?;
            self.leaving().end(tx).await?;
            ErasureKeys::remove(tx, &key_place(&child.to_hex())?).await?;
            owners.erase(tx, child, &[]).await?;
        }
        Ok(Gone { memories, is_all })
    }
}
