//! What every module of the trust service stands on. It holds no cryptography: that is the library's, and what an
//! operator of a log does is `dualseal-operator`'s.
//!
//! | module | what it is |
//! |---|---|
//! | [`config`] | settings, from a file and the environment |
//! | [`problem`] | what is answered when a request is not served |
//! | [`web`] | bodies, queries, names, and the order of the layers |
//! | [`serve`] | connections |
//! | [`limits`] | how much is received at once |
//! | [`rate`] | how often one client may ask |
//! | [`access`] | tiers, scopes, callers, and the rows of the table of endpoints |
//! | [`authority`] | tokens, logins, invitations, nodes, and the layer that asks for them |
//! | [`checks`] | what the service finds when it looks at itself |
//! | [`db`] | one schema and one text per statement, over SQLite and PostgreSQL |
//! | [`idempotency`] | requests that are sent twice |
//! | [`pages`] | lists, a page at a time |
//! | [`watch`] | measures, logs, the audit log |
//! | [`secrets`] | secrets at rest |
//! | [`log`] | the one log, and its writer |
//! | [`clock`] | the time |
//! | [`near`] | addresses of this machine |
//! | [`objects`] | documents and files beside the database |
//! | [`jobs`] | what is done again and again |
//! | [`later`] | what is told after an answer |
//! | [`outbox`] | messages, written with what causes them |
//! | [`apart`] | the mark and the erasure keys, apart from the database |
//! | [`backup`] | copies of all of it, and taking them back |
//! | [`bucket`] | folders and buckets |

pub mod access;
pub mod apart;
pub mod authority;
pub mod backup;
pub mod bucket;
pub mod checks;
pub mod clock;
pub mod config;
pub mod db;
pub mod idempotency;
pub mod jobs;
pub mod later;
pub mod limits;
pub mod log;
pub mod near;
pub mod objects;
pub mod outbox;
pub mod pages;
pub mod problem;
pub mod rate;
pub mod secrets;
pub mod serve;
pub mod watch;
pub mod web;

use authority::{Authority, AuthorityFault};
use checks::SelfChecks;
use clock::Clock;
use config::Config;
use db::{Db, Statement};
use later::Later;
use log::Log;
use secrets::{ErasureKeys, Secrets};
use std::sync::Arc;

/// What every handler has.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Settings.
    pub config: Arc<Config>,
    /// The time.
    pub clock: Clock,
    /// The database.
    pub db: Db,
    /// The log.
    pub log: Log,
    /// Secrets at rest.
    pub secrets: Secrets,
    /// The owners' erasure keys.
    pub owners: ErasureKeys,
    /// Tokens, and who gets them.
    pub authority: Authority,
    /// What the service found when it looked at itself.
    pub checks: SelfChecks,
    /// Alarms that were raised a moment ago.
    pub alarms: Later,
}

impl Platform {
    /// Over a log that was opened.
    ///
    /// # Errors
    /// [`AuthorityFault`].
    pub async fn open(
        config: Config,
        clock: Clock,
        db: Db,
        log: Log,
        owners: ErasureKeys,
    ) -> Result<Arc<Self>, AuthorityFault> {
        let secrets = owners.secrets().clone();
        let authority = Authority::open(db.clone(), clock.clone(), secrets.clone(), log.clone(), &config).await?;
        let (config, checks, alarms) = (Arc::new(config), SelfChecks::default(), Later::default());
        Ok(Arc::new(Self { config, clock, db, log, secrets, owners, authority, checks, alarms }))
    }
}

/// All statements: a test prepares each.
pub fn statements() -> impl Iterator<Item = Statement> {
    let storage = [backup::STATEMENTS, db::SCHEMA, outbox::STATEMENTS];
    let parts = log::STATEMENTS
        .iter()
        .chain(web::STATEMENTS)
        .chain(authority::STATEMENTS)
        .chain(objects::STATEMENTS)
        .chain(secrets::STATEMENTS)
        .chain(jobs::STATEMENTS)
        .copied()
        .chain(storage);
    parts.flatten().copied()
}
