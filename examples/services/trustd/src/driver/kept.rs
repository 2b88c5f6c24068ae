//! What drivers filed, at rest: the text of a document and the key of a photo hang on their driver's erasure key, so
//! that no backup opens what was erased.

use super::store::Document;
use crate::App;
use crate::ciphered::BytesKey;
use dualseal::{Domain, IdentityId};
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

impl Part {
    fn kind(self) -> &'static str {
        match self {
            Self::Original => "photo as it was sent",
            Self::Shown => "photo as it is shown",
        }
    }
}

/// What the bytes of a photo are encrypted under.
pub(super) struct PhotoKey(BytesKey);

impl PhotoKey {
    /// One of its own.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn draw(domain: &Domain, identity_id: &IdentityId) -> Result<Self, Problem> {
        BytesKey::draw(domain, identity_id.as_bytes()).map(Self)
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
        let (owner, place) = (owner(app, vozac, world)?, Self::place(identity_id, world)?);
        BytesKey::open(app, &owner, &place, identity_id.as_bytes()).await.map(Self)
    }

    /// The key itself, for its row.
    pub(super) fn expose(&self) -> &[u8] {
        self.0.expose()
    }

    /// Encrypts.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn encrypt(&self, part: Part, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
        self.0.encrypt(part.kind(), bytes)
    }

    /// Decrypts.
    ///
    /// # Errors
    /// Other bytes than were encrypted as this part of this photo.
    pub(super) fn decrypt(&self, part: Part, stored: &[u8]) -> Result<Vec<u8>, Problem> {
        self.0.decrypt(part.kind(), stored)
    }
}
