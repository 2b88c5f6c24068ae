//! Rebuilding from what nodes released: asked for, approved by people who are present, and used once.

use super::Known;
use super::keys::recipient;
use super::rules::{self, CHALLENGE_LIFE, RequestState};
use super::store::requests::{self, RequestRow};
use super::store::{self, Line, ShardRow, SplitRow};
use super::vaults;
use crate::App;
use crate::presence;
use crate::presence::types::Proof;
use crate::vault::{Kept, TRIES, Vault};
use dualseal::error::{Rejected, ShardFault};
use dualseal::presence::{Nonce, Presence};
use dualseal::shamir::Index;
use dualseal::shard::{
    Arguments, CoveredSplits, Gate, Operation, Rebuilding, Recipient, Request, Shard, ShardId, ShardKey, SplitInForce,
};
use dualseal::{Domain, Error, IdentityId, SystemRng, Timestamp, VaultId};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::Caller;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey, Secrets};
use uuid::Uuid;

/// What is asked for.
pub(crate) struct Opening {
    pub(crate) kept: Kept,
    pub(crate) operation: Operation,
    pub(crate) arguments: Arguments,
    /// All of the split where it is empty.
    pub(crate) shard_ids: Vec<ShardId>,
    pub(crate) opener: Caller,
}

/// The split in force under the last checkpoint.
///
/// # Errors
/// [`kinds::NOT_COVERED`], [`kinds::ERASED`].
pub(crate) fn in_force(splits: &CoveredSplits) -> Result<SplitInForce, Problem> {
    splits.in_force().map_err(|error| match error {
        Error::Rejected(Rejected::Shard(ShardFault::ErasedVault)) => Problem::new(&kinds::ERASED),
        Error::Rejected(Rejected::Shard(ShardFault::NoSplit)) => Problem::new(&kinds::NOT_COVERED).retry_after(1),
        error => error.into(),
    })
}

/// The split in force by the rows, with its shards, where a checkpoint covers that it is.
pub(crate) async fn current(app: &App, line: &Line) -> Result<(SplitRow, Vec<ShardRow>), Problem> {
    let mut tx = app.db.snapshot().await?;
    let split = store::in_force(&mut tx, line).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let shards = store::shards(&mut tx, &split.split_id).await?;
    tx.roll_back().await?;
    Ok((split, shards))
}

/// Opens a request: what people approve, and nodes are asked then.
pub(crate) async fn open(app: &App, known: &Known, opening: Opening) -> Result<RequestRow, Problem> {
    let Opening { kept, operation, arguments, shard_ids, opener } = opening;
    let (vault_id, identity_id, world) = (kept.line.vault_id, kept.line.identity_id, opener.world);
    let key = vaults::key(&known.vault.keys.master, world, &identity_id);
    let (split, shards) = current(app, &(vault_id, world)).await?;
    let in_force = in_force(&known.covered.of(app, &split.line(), &key).await?.splits)?;
    if *in_force.split_id() != split.split_id {
        return Err(Problem::new(&kinds::NOT_COVERED).retry_after(1));
    }
    let all: Vec<ShardId> = shards.iter().map(|shard| shard.shard_id).collect();
    if let Some(position) = shard_ids.iter().position(|shard_id| !all.contains(shard_id)) {
        let pointer = format!("/shard_ids/{position}");
        return Err(Problem::invalid(pointer, "unknown-value", "is no shard of the split in force"));
    }
    let named = if shard_ids.is_empty() { all } else { shard_ids };
    if named.len() < usize::from(split.m) {
        return Err(Problem::invalid("/shard_ids", "range", "fewer are named than rebuild"));
    }
    let recipient = recipient(app).await?;
    let rebuilding = Rebuilding {
        domain: app.log.domain(),
        key: &key,
        vault_id: &vault_id,
        identity_id: &identity_id,
        in_force: Some(&in_force),
        recipient: &recipient,
    };
    let request = rebuilding.request(operation, &arguments, &split.split_id, &named)?;
    let now = app.clock.millis();
    let row = RequestRow {
        id: Uuid::now_v7(),
        vault_id,
        identity_id,
        split_id: split.split_id,
        opener: opener.subject,
        request,
        arguments,
        nonce: Nonce::draw(&mut SystemRng)?,
        expiry: Timestamp::from_millis(now + CHALLENGE_LIFE)?,
        required: u8::try_from(app.config.trust.proofs).unwrap_or(u8::MAX),
        state: RequestState::Open,
        created: now,
        world,
    };
    add(app, &known.vault, &row).await?;
    Ok(row)
}

/// Writes a request down, with its key under the owner's, which is replaced while something of his is erased.
async fn add(app: &App, vault: &Vault, row: &RequestRow) -> Result<(), Problem> {
    let mut tries = 0;
    loop {
        let owner = vault.owners.current(&row.owner()).await?;
        let (row, owners, secrets) = (row.clone(), vault.owners.clone(), app.secrets.clone());
        tries += 1;
        match app.log.submit(Add { row, owner, owners, secrets }).await {
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => {}
            done => return done,
        }
    }
}

/// It leaves no entry: under the log's lock no owner's key is replaced.
struct Add {
    row: RequestRow,
    owner: OwnerKey,
    owners: ErasureKeys,
    secrets: Secrets,
}

impl Work for Add {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, _: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        self.row.add(tx, &self.secrets, (&self.owners, &self.owner)).await
    }
}

/// What a rebuilding works with, apart from any request's handler.
pub(crate) struct Gathered {
    pub(crate) row: RequestRow,
    pub(crate) shards: Vec<Shard>,
    key: ShardKey,
    in_force: SplitInForce,
    recipient: Recipient,
    proofs: Vec<Proof>,
    authenticators: presence::verify::Authenticators,
}

/// Gathers what nodes released for a request that counts, and who may approve it now.
pub(crate) async fn gather(app: &App, known: &Known, row: RequestRow) -> Result<Gathered, Problem> {
    let key = vaults::key(&known.vault.keys.master, row.world, &row.identity_id);
    rules::check_open(row.state, row.expiry.as_millis(), app.clock.millis())?;
    if row.state != RequestState::Approved {
        return Err(Problem::new(&kinds::CONFLICT).detail("too few people have shown yet that they are present"));
    }
    let in_force = in_force(&known.covered.of(app, &row.line(), &key).await?.splits)?;
    let opened = requests::opened(app, &known.vault, &row).await?;
    let mut shards = Vec::with_capacity(opened.len());
    for (given, shard) in opened {
        shards.push(Shard::pulled(given.shard_id, Index::new(given.index.into())?, &shard));
    }
    let proofs = proofs(app, &row.id).await?;
    let authenticators = presence::counting(app, &row.identity_id, row.world).await?;
    let recipient = recipient(app).await?;
    Ok(Gathered { row, shards, key, in_force, recipient, proofs, authenticators })
}

/// The proofs of a request.
pub(crate) async fn proofs(app: &App, id: &Uuid) -> Result<Vec<Proof>, Problem> {
    let texts = requests::proofs(&app.db, id).await?;
    let read = |text: &String| serde_json::from_str(text).map_err(|error| Problem::internal("qt", &error));
    texts.iter().map(read).collect()
}

impl Gathered {
    /// Rebuilds on a thread of its own. The service's own nonce is spent in one step of the database, last and once,
    /// before anything is rebuilt.
    pub(crate) async fn rebuild<T, F>(self, app: &App, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Domain, &Rebuilding<'_>, &Request, &[Shard], &mut dyn Gate, Timestamp) -> Result<T, Error>
            + Send
            + 'static,
    {
        let (app, runtime) = (app.clone(), tokio::runtime::Handle::current());
        let made = tokio::task::spawn_blocking(move || {
            let Self { row, shards, key, in_force, recipient, proofs, authenticators } = self;
            let (domain, now) = (app.log.domain(), app.clock.now());
            let rebuilding = Rebuilding {
                domain,
                key: &key,
                vault_id: &row.vault_id,
                identity_id: &row.identity_id,
                in_force: Some(&in_force),
                recipient: &recipient,
            };
            let mut consume = |nonce: &Nonce| {
                let spent = runtime.block_on(requests::spend(&app.db, &row, now.as_millis()));
                *nonce == row.nonce && spent.unwrap_or(false)
            };
            let mut gate = Presence {
                verifier: &authenticators,
                proofs: &proofs,
                nonce: row.nonce,
                expiry: row.expiry,
                required: row.required,
                consume: &mut consume,
            };
            work(domain, &rebuilding, &row.request, &shards, &mut gate, now)
        });
        let made = made.await.map_err(|error| Problem::internal("qt", &error))?;
        made.map_err(refused)
    }
}

/// Too few shards that hold, or another that was faster, is a state and no fault of the request.
fn refused(error: Error) -> Problem {
    match &error {
        Error::Rejected(Rejected::Sharing(_) | Rejected::Shard(_) | Rejected::Presence(_)) => {
            Problem::new(&kinds::CONFLICT).detail(error.to_string())
        }
        Error::Misuse(dualseal::error::Misuse::NoShards) => {
            Problem::new(&kinds::CONFLICT).detail("no node has released its shard yet")
        }
        _ => error.into(),
    }
}

/// Says in the log that a vault was rebuilt, and destroys here what nodes released for it.
pub(crate) async fn close(app: &App, id: &Uuid, vault_id: &VaultId, identity_id: &IdentityId) -> Result<(), Problem> {
    let message = format!("vault rebuilt {vault_id} {id}");
    app.log.submit(Close { id: *id, identity_id: *identity_id, message }).await
}

/// The end of a request that was used.
struct Close {
    id: Uuid,
    identity_id: IdentityId,
    message: String,
}

impl Work for Close {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.append(&self.identity_id, &self.message)?;
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        requests::destroy(tx, &self.id).await
    }
}
