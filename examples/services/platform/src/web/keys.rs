//! The keys under which cursors and repeated answers are sealed: drawn once, kept under the master like any secret, so
//! that putting secrets under another master leaves what is under them as it is.

use crate::db::{Db, statements};
use crate::problem::Problem;
use crate::secrets::Secrets;
use crate::values;
use dualseal::SystemRng;
use dualseal::hash::{HmacKey, Sha3_256};
use dualseal::rand_core::TryRng as _;
use dualseal::secret::Secret;
use dualseal_operator::secrets::{Master, Place};
use zeroize::Zeroizing;

statements! {
    /// Of two processes that begin at once one key stays, which both then read.
    KEEP_FIRST = "INSERT INTO secrets (tbl, line, purpose, stored) VALUES ($1, $2, $3, $4) \
                  ON CONFLICT (tbl, line, purpose) DO NOTHING";
}

/// The keys.
#[derive(Debug)]
pub(crate) struct Keys {
    /// Under which cursors are sealed.
    pub(crate) cursors: Secrets,
    /// Under which answers are.
    pub(crate) answers: Secrets,
    /// With which requests are told from each other, so that the database shows nothing of what they sent.
    pub(crate) requests: HmacKey<Sha3_256>,
}

impl Keys {
    pub(crate) async fn open(db: &Db, secrets: &Secrets) -> Result<Self, Problem> {
        let under = |key: Zeroizing<Vec<u8>>| -> Result<Secrets, Problem> {
            Ok(Secrets::new(Master::new(secrets.domain(), Secret::from_slice("key", &key)?)?))
        };
        Ok(Self {
            cursors: under(kept(db, secrets, "cursors").await?)?,
            answers: under(kept(db, secrets, "answers").await?)?,
            requests: HmacKey::new(&kept(db, secrets, "requests").await?),
        })
    }

    /// The tag of parts, each after its length, so that no two lists of parts have one.
    pub(crate) fn tag(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut tag = self.requests.start();
        for part in parts {
            tag.update(&(part.len() as u64).to_be_bytes());
            tag.update(part);
        }
        tag.finish()
    }
}

/// The key of this name, drawn where there is none yet.
///
/// # Errors
/// The database; a key that does not open under the master.
pub(crate) async fn kept(db: &Db, secrets: &Secrets, name: &str) -> Result<Zeroizing<Vec<u8>>, Problem> {
    let place = Place::new("web", name.as_bytes(), "key")?;
    if let Some(found) = secrets.find_in(db, &place).await? {
        return Ok(found);
    }
    let mut drawn = Zeroizing::new([0; 32]);
    SystemRng.try_fill_bytes(drawn.as_mut_slice()).map_err(|_| dualseal::Error::Randomness)?;
    let row = secrets.seal(place.clone(), drawn.as_slice())?;
    db.execute(KEEP_FIRST, values![place.table(), place.row(), place.purpose(), row.stored()]).await?;
    let found = secrets.find_in(db, &place).await?;
    found.ok_or_else(|| Problem::internal("web", &"a key that was kept is not there"))
}
