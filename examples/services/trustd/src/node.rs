//! The program that a node runs (`trustd node run`): it asks the service what waits, keeps its shards and shares in a
//! folder of its own, and lets one go only for a request that it judged itself.
//!
//! | file | what it is |
//! |---|---|
//! | `config` | its settings, and what it pinned of the service |
//! | `client` | https to the key that it pinned, or this machine |
//! | `wiped` | JSON that leaves no copies |
//! | `keeper` | its folder: shards, shares, spent nonces, known authenticators |
//! | `turn` | one turn: pull, say, delete, release, give back |

mod client;
mod config;
mod keeper;
mod turn;
mod wiped;

pub use client::ClientError;
pub use config::NodeConfig;
pub use keeper::KeeperError;
pub use turn::Turn;

use crate::signing_in::Drawn;
use client::Client;
use keeper::{Keeper, Number};
use platform::clock::Clock;
use platform::web::Bearer;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use uuid::Uuid;

/// A node.
#[derive(Debug)]
pub struct Node {
    config: NodeConfig,
    pinned: config::Pinned,
    clock: Clock,
    client: Client,
    keeper: Keeper,
    /// When it last said that it has each of its shares.
    said: BTreeMap<Number, i64>,
    /// Requests of quorums that it gives nothing back for, until they end.
    judged: BTreeMap<Uuid, i64>,
}

/// Why a node does not go on.
#[derive(Debug)]
pub enum NodeError {
    /// Its settings are wrong.
    Config(String),
    /// Its folder.
    Keeper(KeeperError),
    /// The service, or the way there.
    Client(ClientError),
    /// What came is not what the library takes.
    Library(dualseal::Error),
}

macro_rules! errors {
    ($($from:ty => $variant:ident;)+) => {
        $(impl From<$from> for NodeError {
            fn from(error: $from) -> Self {
                Self::$variant(error)
            }
        })+
    };
}

errors! {
    KeeperError => Keeper;
    ClientError => Client;
    dualseal::Error => Library;
}

impl NodeError {
    /// Its name, as a turn tells it.
    fn name(&self) -> String {
        match self {
            Self::Config(_) => "config".to_owned(),
            Self::Keeper(_) => "folder".to_owned(),
            Self::Client(ClientError::Refused { code, .. }) => code.clone(),
            Self::Client(_) => "service".to_owned(),
            Self::Library(error) => error.row().name.to_owned(),
        }
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(fault) => f.write_str(fault),
            Self::Keeper(error) => error.fmt(f),
            Self::Client(error) => error.fmt(f),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NodeError {}

impl Node {
    /// Opens a node's folder, which it locks against another of its kind, and reads what it pinned.
    ///
    /// # Errors
    /// [`NodeError`].
    pub fn open(config: NodeConfig, clock: Clock) -> Result<Self, NodeError> {
        let pinned = config.pinned()?;
        let client = Client::new(&config, &pinned)?;
        let keeper = Keeper::open(&config.folder)?;
        Ok(Self { config, pinned, clock, client, keeper, said: BTreeMap::new(), judged: BTreeMap::new() })
    }

    /// What it holds: for whoever watches it.
    ///
    /// # Errors
    /// [`KeeperError`].
    pub fn holds(&self) -> Result<Vec<dualseal::shard::ShardId>, NodeError> {
        Ok(self.keeper.held()?)
    }
}

/// Enrols a login key by an invitation, and says what the file of its login is to have, and for whom its statements
/// are.
///
/// # Errors
/// [`NodeError`].
pub(crate) async fn enrolled(
    config: &NodeConfig,
    drawn: &Drawn,
    invitation: &Bearer,
) -> Result<(zeroize::Zeroizing<Vec<u8>>, String), NodeError> {
    let kept = Client::new(config, &config.pinned()?)?.enrol(drawn, invitation, &config.label).await?;
    let text = kept.text().map_err(|fault| NodeError::Client(ClientError::Login(fault)))?;
    Ok((text, kept.audience))
}

/// Runs a node until it is told to stop: a turn under way is ended first. A turn that fails is told and tried again.
///
/// # Errors
/// [`NodeError`], where it cannot begin.
pub async fn run(config: NodeConfig, shutdown: impl Future<Output = ()>) -> Result<(), NodeError> {
    let every = config.poll.duration();
    let mut node = Node::open(config, Clock::system())?;
    tracing::info!(node = %node.config.label, service = %node.config.service, "the node runs");
    tokio::pin!(shutdown);
    loop {
        match node.turn().await {
            Ok(turn) if turn.is_idle() => {}
            Ok(turn) => tracing::info!(?turn, "a turn"),
            Err(error) => tracing::warn!(%error, "a turn failed"),
        }
        tokio::select! {
            () = &mut shutdown => return Ok(()),
            () = tokio::time::sleep(every) => {}
        }
    }
}
