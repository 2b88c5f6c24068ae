//! A record's own secret at rest. Everything that wraps, opens or destroys one goes through here.

use dualseal::VaultId;
use dualseal::secret::Secret;
use dualseal_operator::secrets::Place;
use dualseal_operator::step::SecretRow;
use platform::db::Db;
use platform::problem::Problem;
use platform::secrets::Secrets;

/// Where the secret of a record stands.
///
/// # Errors
/// None: the parts are constants, and an identifier is not empty.
pub(crate) fn place(vault_id: &VaultId) -> Result<Place, dualseal::Error> {
    Place::new("vault", vault_id.as_bytes(), "secret")
}

/// The row of a secret, which a step keeps with the record's entry.
pub(crate) fn wrap(secrets: &Secrets, vault_id: &VaultId, secret: &[u8]) -> Result<SecretRow, Problem> {
    Ok(secrets.seal(place(vault_id)?, secret)?.into())
}

/// The secret; `None` where the service has it no more.
pub(crate) async fn open(db: &Db, secrets: &Secrets, vault_id: &VaultId) -> Result<Option<Secret<32>>, Problem> {
    let found = secrets.find_in(db, &place(vault_id)?).await?;
    Ok(found.map(|found| Secret::from_slice("secret", &found)).transpose()?)
}
