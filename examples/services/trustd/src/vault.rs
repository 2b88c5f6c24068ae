//! Documents in nine layers: sealed, found, verified, given back, erased.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | states and their changes, what a caller sees |
//! | `store` | rows |
//! | `routes` | the addresses |
//! | `beside` | what comes beside a body |
//! | `keys` | the keys of the vault |
//! | `secret` | a record's own secret at rest |
//! | `enclose` | a document on its way in |
//! | `stored` | what is stored of a document on its way out |
//! | `seal` | what the log's writer does for a new record |
//! | `check` | verifying, with the record's place in the log |
//! | `strangers` | what anybody has the service read |
//! | `verify` | what of a verification is told to whom |
//! | `unseal` | giving a document back |
//! | `erase` | destroying a record's secret, and saying so |
//! | `decoy` | what a thief is shown |
//! | `file` | sealing for another module |

pub(crate) mod beside;
pub(crate) mod check;
pub(crate) mod decoy;
pub(crate) mod enclose;
pub(crate) mod erase;
pub(crate) mod file;
pub(crate) mod keys;
pub(crate) mod routes;
pub(crate) mod rules;
pub(crate) mod seal;
pub(crate) mod secret;
pub(crate) mod store;
pub(crate) mod stored;
pub(crate) mod strangers;
#[cfg(test)]
mod tests;
pub(crate) mod types;
pub(crate) mod unseal;
pub(crate) mod verify;

pub(crate) use decoy::erase::entry as sealed_for_thieves;
pub use erase::end_erasures;
pub use keys::{Keys, keys};
pub(crate) use routes::addresses;
pub use routes::router;
pub use rules::State;
pub(crate) use rules::not_unsealed;
pub(crate) use seal::TRIES;
pub(crate) use store::{Kept, find as find_kept, hold as hold_kept};
pub use store::{set_state, traced};

use crate::App;
use dualseal::secret::Secret;
use dualseal::{IdentityId, VaultId};
use platform::db::{Db, Statement};
use platform::objects::Objects;
use platform::problem::Problem;
use platform::secrets::ErasureKeys;
use std::sync::Arc;
use strangers::Strangers;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[decoy::ALL, decoy::erase::ALL, erase::ALL, keys::ALL, store::ALL];

/// The vault of the service: an extension of its router.
#[derive(Debug)]
pub struct Vault {
    pub(crate) keys: Arc<Keys>,
    /// Where large documents lie.
    pub(crate) objects: Objects,
    /// What the secret of a record hangs on.
    pub(crate) owners: ErasureKeys,
    /// What strangers have it read.
    pub(crate) strangers: Strangers,
}

impl Vault {
    /// Opens it; its keys are drawn when they are not there yet.
    ///
    /// # Errors
    /// The database; a key that does not open.
    pub async fn open(app: &App, objects: Objects) -> Result<Arc<Self>, Problem> {
        let keys = Arc::new(keys(&app.db, &app.secrets, app.clock.millis()).await?);
        Ok(Arc::new(Self { keys, objects, owners: app.owners.clone(), strangers: Strangers::default() }))
    }

    /// The secret of a record; `None` where the service has it no more.
    ///
    /// # Errors
    /// The database; [`ERASED`](platform::problem::kinds::ERASED) where its owner's key was destroyed; a row that does
    /// not open here.
    pub async fn secret(
        &self,
        db: &Db,
        identity_id: &IdentityId,
        vault_id: &VaultId,
    ) -> Result<Option<Secret<32>>, Problem> {
        secret::open(db, &self.owners, identity_id, vault_id).await
    }
}
