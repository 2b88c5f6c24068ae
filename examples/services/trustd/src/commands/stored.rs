//! What most commands open.

use crate::start::unbegun;
use platform::apart::Apart;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::{Db, Schema};
use platform::log::{Log, LogSettings, MarkPlace};
use platform::objects::Objects;
use platform::secrets::{self, ErasureKeys, Secrets};

/// Why a command did not do what it was to: in words, for whoever called it.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// The storage of a service that was founded.
#[derive(Debug)]
pub struct Stored {
    /// The time.
    pub clock: Clock,
    /// The database.
    pub db: Db,
    /// Secrets at rest.
    pub secrets: Secrets,
    /// What lies apart.
    pub apart: Apart,
}

/// Refuses another schema: a command of a newer program changes no table under the service that runs still.
fn is_own(schema: Schema) -> Result<(), Fault> {
    match schema {
        Schema::Own => Ok(()),
        Schema::Earlier => Err("the database has an earlier schema: start this version of the service first".into()),
        Schema::Other => Err("the database has another schema: use the version of trustd that serves".into()),
    }
}

impl Stored {
    /// Opens what the settings name; it makes nothing where there is nothing, and migrates nothing.
    ///
    /// # Errors
    /// What does not open, or the master that the rows are not under.
    pub async fn open(config: &Config, clock: &Clock) -> Result<Self, Fault> {
        unbegun(config)?;
        if let Some(file) = config.database.strip_prefix("sqlite:") {
            let path = config.data.join(file);
            if !path.exists() {
                return Err(format!("there is no database at {}", path.display()).into());
            }
        }
        let secrets = secrets::open(config)?;
        let db = Db::open(&config.database, &config.data, config.connections).await?;
        is_own(db.schema().await?)?;
        let mut tx = db.begin().await?;
        secrets.check(&mut tx, clock.millis()).await?;
        tx.commit().await?;
        Ok(Self { clock: clock.clone(), db, secrets, apart: Apart::open(config)? })
    }

    /// Where the mark lies.
    #[must_use]
    pub fn mark(&self) -> MarkPlace {
        MarkPlace::Apart(self.apart.clone())
    }

    /// The owners' keys.
    #[must_use]
    pub fn keys(&self) -> ErasureKeys {
        ErasureKeys::new(self.apart.clone(), self.secrets.clone())
    }

    /// The objects.
    ///
    /// # Errors
    /// The store of objects.
    pub fn objects(&self, config: &Config) -> Result<Objects, Fault> {
        Ok(Objects::open(config, self.db.clone(), self.clock.clone())?)
    }

    /// The log, to be written to beside the processes of the service.
    ///
    /// # Errors
    /// What does not belong together.
    pub async fn log(&self, config: &Config) -> Result<Log, Fault> {
        let (db, clock) = (self.db.clone(), self.clock.clone());
        Ok(Log::open(db, clock, self.secrets.clone(), self.mark(), LogSettings::of(&config.log)).await?)
    }
}
