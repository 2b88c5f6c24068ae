//! What every module of the trust service stands on. It holds no cryptography: that is the library's, and what an
//! operator of a log does is `dualseal-operator`'s.
//!
//! | module | what it is |
//! |---|---|
//! | [`config`] | settings, from a file and the environment |
//! | [`problem`] | what is answered when a request is not served |
//! | [`web`] | bodies, names and the outermost layer |
//! | [`access`] | tiers, scopes, callers, and the rows of the table of endpoints |
//! | [`db`] | one schema and one text per statement, over SQLite and PostgreSQL |
//! | [`idempotency`] | requests that are sent twice |
//! | [`secrets`] | secrets at rest |
//! | [`log`] | the one log, and its writer |
//! | [`clock`] | the time |

pub mod access;
pub mod clock;
pub mod config;
pub mod db;
pub mod idempotency;
pub mod log;
pub mod problem;
pub mod secrets;
pub mod web;

use clock::Clock;
use config::Config;
use db::Db;
use log::Log;
use secrets::Secrets;

/// What every handler has.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Settings.
    pub config: std::sync::Arc<Config>,
    /// The time.
    pub clock: Clock,
    /// The database.
    pub db: Db,
    /// The log.
    pub log: Log,
    /// Secrets at rest.
    pub secrets: Secrets,
}
