//! Bytes that are kept in rows or objects, each under a key that was drawn for them. The key hangs on its owner's
//! erasure key, so that no backup opens what was erased.

use crate::App;
use dualseal::secret::Secret;
use dualseal::stream::{self, Purpose};
use dualseal::{Domain, IdentityId, SystemRng};
use dualseal_operator::secrets::Place;
use platform::problem::{Problem, kinds};

/// What the bytes of a row are encrypted under.
pub(crate) struct BytesKey {
    secret: Secret<32>,
    /// What the bytes are of.
    of: [u8; 32],
    domain: Domain,
}

impl BytesKey {
    /// One of its own.
    ///
    /// # Errors
    /// The generator failed.
    pub(crate) fn draw(domain: &Domain, of: &[u8; 32]) -> Result<Self, Problem> {
        Ok(Self { secret: Secret::random(&mut SystemRng)?, of: *of, domain: domain.clone() })
    }

    /// The key of an owner's that is kept there.
    ///
    /// # Errors
    /// [`kinds::ERASED`] where its owner's key is gone: the row came back with a backup. A row that does not open.
    pub(crate) async fn open(app: &App, owner: &IdentityId, place: &Place, of: &[u8; 32]) -> Result<Self, Problem> {
        let found = app.owners.open(&app.db, owner, place).await?;
        let found = found.ok_or_else(|| Problem::new(&kinds::ERASED))?;
        let secret = Secret::from_slice("secret", &found)?;
        Ok(Self { secret, of: *of, domain: app.log.domain().clone() })
    }

    /// The key itself, for its row.
    pub(crate) fn expose(&self) -> &[u8] {
        self.secret.expose()
    }

    /// Encrypts bytes as what they are.
    ///
    /// # Errors
    /// The generator failed.
    pub(crate) fn encrypt(&self, kind: &str, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
        Ok(stream::seal(&self.secret, &self.purpose(kind)?, bytes, &mut SystemRng)?)
    }

    /// Decrypts.
    ///
    /// # Errors
    /// [`kinds::NOT_INTACT`]: other bytes than were encrypted as that.
    pub(crate) fn decrypt(&self, kind: &str, stored: &[u8]) -> Result<Vec<u8>, Problem> {
        let opened = stream::open(&self.secret, &self.purpose(kind)?, stored);
        opened.map(|bytes| bytes.to_vec()).map_err(|_| Problem::new(&kinds::NOT_INTACT))
    }

    fn purpose(&self, kind: &str) -> Result<Purpose, dualseal::Error> {
        Purpose::new(&self.domain, &self.of, kind)
    }
}
