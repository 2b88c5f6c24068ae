//! What drivers filed, at rest: the text of a document and the key of a photo hang on their driver's erasure key, so
//! that no backup opens what was erased.

use super::store::Document;
use crate::App;
use dualseal::secret::Secret;
use dualseal::stream::{self, Purpose};
use dualseal::{Domain, IdentityId, SystemRng};
use dualseal_operator::secrets::Place;
use platform::access::World;
use platform::problem::{Problem, kinds};

/// Whose key it hangs on. What a thief files and erases touches none of the driver's.
///
/// # Errors
/// None: the name has no separator.
pub(super) fn owner(app: &App, vozac: &IdentityId, world: World) -> Result<IdentityId, Problem> {
    match world {
        World::Real => Ok(*vozac),
        World::Decoy => Ok(app.log.domain().identity_id(vozac.as_bytes(), "trustd", "driver of a decoy")?),
    }
}

/// Where the text of a document stands.
///
/// # Errors
/// None: the parts are constants, and an identifier is not empty.
pub(super) fn text_place(identity_id: &IdentityId) -> Result<Place, dualseal::Error> {
    Place::new("driver_documents", identity_id.as_bytes(), "text")
}

/// The text of a document.
///
/// # Errors
/// [`kinds::ERASED`] where its driver's key is gone: the row came back with a backup. A row that does not open.
pub(super) async fn text(app: &App, document: &Document) -> Result<String, Problem> {
    let owner = owner(app, &document.vozac, document.world)?;
    let found = app.owners.open(&app.db, &owner, &text_place(&document.identity_id)?).await?;
    let found = found.ok_or_else(|| Problem::new(&kinds::ERASED))?;
    String::from_utf8(found.to_vec()).map_err(|error| Problem::internal("driver", &error))
}

/// Which bytes of a photo.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Those that were sent.
    Original,
    /// Those that are shown.
    Shown,
}

/// What the bytes of a photo are encrypted under.
pub(super) struct PhotoKey {
    secret: Secret<32>,
    identity_id: IdentityId,
    domain: Domain,
}

impl PhotoKey {
    /// One of its own.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn draw(domain: &Domain, identity_id: &IdentityId) -> Result<Self, Problem> {
        let secret = Secret::random(&mut SystemRng)?;
        Ok(Self { secret, identity_id: *identity_id, domain: domain.clone() })
    }

    /// Where the key of a photo stands.
    ///
    /// # Errors
    /// None: as [`text_place`].
    pub(super) fn place(identity_id: &IdentityId, world: World) -> Result<Place, dualseal::Error> {
        let world = [u8::from(world == World::Decoy)];
        Place::new("driver_photos", &[&identity_id.as_bytes()[..], &world].concat(), "secret")
    }

    /// The key of a photo of a driver's.
    ///
    /// # Errors
    /// As [`text`].
    pub(super) async fn open(
        app: &App,
        (vozac, world): (&IdentityId, World),
        identity_id: &IdentityId,
    ) -> Result<Self, Problem> {
        let owner = owner(app, vozac, world)?;
        let found = app.owners.open(&app.db, &owner, &Self::place(identity_id, world)?).await?;
        let found = found.ok_or_else(|| Problem::new(&kinds::ERASED))?;
        let secret = Secret::from_slice("secret", &found)?;
        Ok(Self { secret, identity_id: *identity_id, domain: app.log.domain().clone() })
    }

    /// The key itself, for its row.
    pub(super) fn expose(&self) -> &[u8] {
        self.secret.expose()
    }

    /// Encrypts.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn encrypt(&self, part: Part, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
        Ok(stream::seal(&self.secret, &self.purpose(part)?, bytes, &mut SystemRng)?)
    }

    /// Decrypts.
    ///
    /// # Errors
    /// Other bytes than were encrypted as this part of this photo.
    pub(super) fn decrypt(&self, part: Part, stored: &[u8]) -> Result<Vec<u8>, Problem> {
        Ok(stream::open(&self.secret, &self.purpose(part)?, stored)?.to_vec())
    }

    fn purpose(&self, part: Part) -> Result<Purpose, dualseal::Error> {
        let kind = match part {
            Part::Original => "photo as it was sent",
            Part::Shown => "photo as it is shown",
        };
        Purpose::new(&self.domain, self.identity_id.as_bytes(), kind)
    }
}
