//! A log's beginning: its keys, its first mark, its empty state, and the key that signs its checkpoints.

use super::store::{self, LogFault, LogRow, found as found_row};
use super::{Held, Keys, LogSettings, MarkPlace, seed_place};
use crate::clock::Clock;
use crate::db::{Db, Tx};
use crate::secrets::Secrets;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::key::CheckedRing;
use dualseal::secret::Secret;
use dualseal::store::StoredState;
use dualseal::{Head, IdentityId, PublicKey, RingKey, SigningKey, SystemRng};
use dualseal_operator::secrets::{Place, SecretFault};
use dualseal_operator::step::{Batch, State};
use std::sync::RwLock;

/// A log that was founded.
#[derive(Clone, Debug)]
pub struct Founded {
    /// Its name.
    pub origin: String,
    /// Who signs its checkpoints.
    pub identity: IdentityId,
    /// With which key: strangers pin its fingerprint.
    pub public_key: PublicKey,
}

fn place(origin: &str, purpose: &str) -> Result<Place, dualseal::Error> {
    Place::new("logs", origin.as_bytes(), purpose)
}

fn identity(secrets: &Secrets, origin: &str) -> Result<IdentityId, dualseal::Error> {
    secrets.domain().identity_id(origin.as_bytes(), "trustd", "log")
}

/// Founds a log of this name. Its mark is written before the transaction is, so that no log stands without one; one
/// that is there already is not touched.
///
/// # Errors
/// [`LogFault`]; a name that no log has.
pub async fn found(
    tx: &mut Tx,
    clock: &Clock,
    secrets: &Secrets,
    mark: &MarkPlace,
    id: i64,
    origin: &str,
) -> Result<Founded, LogFault> {
    let domain = secrets.domain();
    let (authority, key) = (RingKey::generate(domain, &mut SystemRng)?, SigningKey::generate(&mut SystemRng)?);
    let note_key = Ed25519SigningKey::generate(&mut SystemRng)?;
    let identity = identity(secrets, origin)?;
    let seed = |place: Place, secret: &[u8]| secrets.seal(place, secret).map_err(unsealed);
    for row in [
        seed(place(origin, "ring-key")?, authority.secret().expose())?,
        seed(place(origin, "note-key")?, note_key.seed().expose())?,
        seed(seed_place(key.public_key())?, key.seed().expose())?,
    ] {
        secrets.put(tx, &row.into()).await?;
    }
    let empty = State::new(domain, CheckedRing::new(origin, &authority)?, StoredState::new(Head::EMPTY))?;
    let (_, text) = empty.first_mark()?;
    mark.replace(None, &text)?;
    found_row(tx, id, origin, &empty.begin()?).await?;
    let mut batch = Batch::new(empty);
    batch.step(clock.now(), |step| step.add_key(&identity, key.public_key()))?;
    let (placed, _) = batch.place();
    let (_, changes) = placed.finish(Vec::new())?;
    store::write(tx, id, &changes).await?;
    Ok(Founded { origin: origin.to_owned(), identity, public_key: key.public_key().clone() })
}

/// What the writer works with, of the log that stands there.
pub(super) async fn held(
    db: Db,
    clock: Clock,
    secrets: Secrets,
    mark: MarkPlace,
    settings: LogSettings,
) -> Result<Held, LogFault> {
    let mut tx = db.snapshot().await?;
    let row = tx.find(store::CURRENT, crate::values![]).await?.ok_or(LogFault::NoLog)?;
    let origin = LogRow::read(&row)?.origin;
    let mut seeds = Vec::new();
    for purpose in ["ring-key", "note-key"] {
        let found = secrets.find(&mut tx, &place(&origin, purpose)?).await.map_err(|_| LogFault::NoLog)?;
        seeds.push(found.ok_or(LogFault::NoLog)?);
    }
    tx.roll_back().await?;
    let [ring_key, note_key] = seeds.as_slice() else { return Err(LogFault::NoLog) };
    let domain = secrets.domain().clone();
    let authority = RingKey::new(&domain, Secret::from_slice("ring key", ring_key)?);
    let (identity, note_key) = (identity(&secrets, &origin)?, Ed25519SigningKey::from_seed(note_key)?);
    Ok(Held {
        db,
        clock,
        domain,
        authority,
        identity,
        note_key,
        mark,
        secrets,
        settings,
        keys: Keys::default(),
        seen: RwLock::new(None),
    })
}

/// A generator that failed, and nothing else: what is sealed here is not read back.
fn unsealed(fault: SecretFault) -> LogFault {
    match fault {
        SecretFault::Library(error) => LogFault::Row(error),
        _ => LogFault::NoLog,
    }
}
