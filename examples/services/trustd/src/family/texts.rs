//! Texts at rest. A profile is under its child's key, which hangs on the child's erasure key. A memory is under a key
//! of its own, which hangs on an erasure key of its own, and then under the child's: so a memory is erased without a
//! touch of the others, in backups too, and a child with all of them by one key.

use crate::App;
use dualseal::{Domain, IdentityId, SystemRng, Timestamp};
use dualseal_operator::secrets::{ErasureKey, Place, Vaulted};
use dualseal_operator::step::SecretRow;
use platform::problem::{Problem, kinds};
use platform::secrets::OwnerKey;

/// A text under a key of its own: the row of the key, which hangs on an owner's, and what is stored of the text.
///
/// # Errors
/// The generator failed.
pub(crate) fn enclose(
    domain: &Domain,
    owner: &OwnerKey,
    name: &str,
    text: &str,
) -> Result<(SecretRow, Vec<u8>), Problem> {
    let key = ErasureKey::draw(domain, &mut SystemRng)?;
    let row = owner.wrap_key(key_place(name)?, &key)?;
    let content = Vaulted::seal(&key, place(name, "content")?, text.as_bytes(), &mut SystemRng)?;
    Ok((row.into(), content.into_stored()))
}

/// The text again.
///
/// # Errors
/// It is not of this place, or under another key.
pub(crate) fn disclose(key: &ErasureKey, name: &str, stored: Vec<u8>) -> Result<String, Problem> {
    let text = Vaulted::<ErasureKey>::read(place(name, "content")?, stored)?.open(key)?;
    String::from_utf8(text.to_vec()).map_err(|error| Problem::internal("family", &error))
}

/// What is stored of a memory's text, under its child's key.
///
/// # Errors
/// The generator failed.
pub(crate) fn shut(child: &ErasureKey, name: &str, content: &[u8]) -> Result<Vec<u8>, Problem> {
    Ok(Vaulted::seal(child, place(name, "memory")?, content, &mut SystemRng)?.into_stored())
}

/// The same again.
///
/// # Errors
/// It is not of this place, or of another child.
pub(crate) fn unshut(child: &ErasureKey, name: &str, stored: Vec<u8>) -> Result<Vec<u8>, Problem> {
    Ok(Vaulted::<ErasureKey>::read(place(name, "memory")?, stored)?.open(child)?.to_vec())
}

/// The key of a child or a memory; `None` where it was erased, and its row came back with a backup from before.
///
/// # Errors
/// The database, the place apart; a row that does not open.
pub(crate) async fn key(app: &App, owner: &IdentityId, name: &str) -> Result<Option<ErasureKey>, Problem> {
    match app.owners.open_key(&app.db, owner, &key_place(name)?).await {
        Err(problem) if problem.kind() == &kinds::ERASED => Ok(None),
        found => found,
    }
}

/// On whose erasure key a memory hangs: on one that is made for it alone.
///
/// # Errors
/// None: a name has no separator.
pub(crate) fn owner_of(domain: &Domain, memory: &str) -> Result<IdentityId, dualseal::Error> {
    domain.identity_id(memory.as_bytes(), "trustd", "memory")
}

/// Where the key of a child or a memory stands.
///
/// # Errors
/// None: a name is not empty.
pub(crate) fn key_place(name: &str) -> Result<Place, dualseal::Error> {
    place(name, "key")
}

fn place(name: &str, purpose: &str) -> Result<Place, dualseal::Error> {
    Place::new("family", name.as_bytes(), purpose)
}

/// A moment, as answers have it.
pub(crate) fn moment(millis: i64) -> String {
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string()
}
