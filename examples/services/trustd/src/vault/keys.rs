//! The keys of the vault, which are the service's own and log nobody in: the master, and one for each tier (L4).

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::seal::SealKey;
use dualseal::secret::Secret;
use dualseal::vault::{Tier, TierKeys, VaultMaster};
use dualseal::{Domain, IdentityId, SystemRng};
use dualseal_operator::secrets::Place;
use platform::db::{Db, Tx, statements};
use platform::problem::Problem;
use platform::secrets::Secrets;
use platform::values;

statements! {
    DRAW = "INSERT INTO vault_keys (drawn) VALUES ($1)";
    DRAWN = "SELECT drawn FROM vault_keys WHERE drawn = $1";
}

/// The number of the keys: others would be of another master, which records name.
const FIRST: i64 = 1;

/// The keys.
#[derive(Debug)]
pub struct Keys {
    /// What every key of a record is derived from.
    pub master: VaultMaster,
    /// Shows that a native had it sealed.
    pub native: Ed25519SigningKey,
    /// Shows that a noble did.
    pub noble: Ed25519SigningKey,
}

fn place(purpose: &str) -> Result<Place, dualseal::Error> {
    Place::new("vault", b"service", purpose)
}

/// The keys of the vault; who is first draws them.
///
/// # Errors
/// The database; a key that does not open.
pub async fn keys(db: &Db, secrets: &Secrets, now: i64) -> Result<Keys, Problem> {
    if db.find(DRAWN, values![FIRST]).await?.is_none() {
        let mut tx = db.begin().await?;
        match draw(&mut tx, secrets).await {
            Ok(()) => {
                tx.commit().await?;
                tracing::info!(now, "the keys of the vault were drawn");
            }
            // Another process was first.
            Err(problem) if problem.is_unique() => tx.roll_back().await?,
            Err(problem) => return Err(problem),
        }
    }
    let [master, native, noble] = ["master", "native", "noble"].map(place);
    let master = Secret::from_slice("master", &found(db, secrets, master?).await?)?;
    Ok(Keys {
        master: VaultMaster::new(secrets.domain(), master)?,
        native: Ed25519SigningKey::from_seed(&found(db, secrets, native?).await?)?,
        noble: Ed25519SigningKey::from_seed(&found(db, secrets, noble?).await?)?,
    })
}

async fn found(db: &Db, secrets: &Secrets, place: Place) -> Result<zeroize::Zeroizing<Vec<u8>>, Problem> {
    let found = secrets.find_in(db, &place).await?;
    found.ok_or_else(|| Problem::internal("vault", &"a key of the vault is missing"))
}

/// The row is the claim: whoever meets it waits for the other's transaction, and finds his keys.
async fn draw(tx: &mut Tx, secrets: &Secrets) -> Result<(), Problem> {
    tx.execute(DRAW, values![FIRST]).await?;
    let master = VaultMaster::generate(secrets.domain(), &mut SystemRng)?;
    let [native, noble] = [Ed25519SigningKey::generate(&mut SystemRng)?, Ed25519SigningKey::generate(&mut SystemRng)?];
    for (purpose, key) in [("master", master.secret()), ("native", native.seed()), ("noble", noble.seed())] {
        let row = secrets.seal(place(purpose)?, key.expose())?;
        secrets.put(tx, &row.into()).await?;
    }
    Ok(())
}

impl Keys {
    /// The key of layer A of an identity's dual seals.
    pub(crate) fn seal_key(&self, domain: &Domain, identity_id: &IdentityId) -> SealKey {
        SealKey::derive(domain, self.master.secret(), identity_id)
    }

    /// The keys of tiers that count for an identity.
    ///
    /// # Errors
    /// None: both tiers are shown by keys, and drawn keys are strict.
    pub(crate) fn tiers(&self, identity_id: &IdentityId) -> Result<TierKeys, dualseal::Error> {
        let mut keys = TierKeys::new();
        keys.enrol(identity_id, Tier::Native, self.native.public_key())?;
        keys.enrol(identity_id, Tier::Noble, self.noble.public_key())?;
        Ok(keys)
    }
}
