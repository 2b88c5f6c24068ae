//! A record's own secret at rest: it hangs on its owner's erasure key, so that no backup brings back what was erased.
//! Everything that wraps or opens one goes through here.

use dualseal::secret::Secret;
use dualseal::{IdentityId, VaultId};
use dualseal_operator::secrets::Place;
use dualseal_operator::step::SecretRow;
use platform::db::Db;
use platform::problem::Problem;
use platform::secrets::{ErasureKeys, OwnerKey};

/// Where the secret of a record stands.
///
/// # Errors
/// None: the parts are constants, and an identifier is not empty.
pub(crate) fn place(vault_id: &VaultId) -> Result<Place, dualseal::Error> {
    Place::new("vault", vault_id.as_bytes(), "secret")
}

/// The row of a secret, which a step keeps with the record's entry.
pub(crate) fn wrap(key: &OwnerKey, place: Place, secret: &[u8]) -> Result<SecretRow, Problem> {
    Ok(key.wrap(place, secret)?.into())
}

/// The secret; `None` where the service has it no more.
pub(crate) async fn open(
    db: &Db,
    owners: &ErasureKeys,
    identity_id: &IdentityId,
    vault_id: &VaultId,
) -> Result<Option<Secret<32>>, Problem> {
    let found = owners.open(db, identity_id, &place(vault_id)?).await?;
    Ok(found.map(|found| Secret::from_slice("secret", &found)).transpose()?)
}
