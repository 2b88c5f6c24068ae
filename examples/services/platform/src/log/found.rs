//! A log's beginning: its keys, its first mark, its empty state, and the key that signs its checkpoints.

use super::mark::Standing;
use super::store::{self, LogFault, LogRow, found as found_row};
use super::together::Together;
use super::{Held, Keys, LogSettings, MarkPlace, seed_place};
use crate::clock::Clock;
use crate::db::{Db, DbError, Tx};
use crate::secrets::Secrets;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::key::{CheckedRing, PreparedKeyCache};
use dualseal::secret::Secret;
use dualseal::store::StoredState;
use dualseal::vault::{LedgerHead, LedgerId};
use dualseal::{Head, IdentityId, PublicKey, RingKey, SigningKey, SystemRng};
use dualseal_operator::secrets::{Place, SecretFault};
use dualseal_operator::step::{Batch, State};
use std::sync::RwLock;
use zeroize::Zeroizing;

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

/// Where the secret stands of which the keys are drawn that sign for honeypots' callers.
///
/// # Errors
/// None: the parts are constants.
pub fn decoy_place() -> Result<Place, dualseal::Error> {
    Place::new("decoys", b"all", "seed")
}

pub(super) fn identity(secrets: &Secrets, origin: &str) -> Result<IdentityId, dualseal::Error> {
    secrets.domain().identity_id(origin.as_bytes(), "trustd", "log")
}

/// Where a log is founded.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewLog<'a> {
    /// Its number, above all others.
    pub id: i64,
    /// Its name, which no other log has.
    pub origin: &'a str,
    /// The mark that counts until then: none, unless another log has ended.
    pub last_mark: Option<&'a [u8]>,
    /// What stands in the mark's place.
    pub standing: &'a Standing,
    /// What its first entry says, of a log that goes on after another one.
    pub first_entry: Option<&'a str>,
}

/// Founds a log of this name. Its mark is put there before the transaction is written, so that no log stands without
/// one. A mark that is there already is that of a log which is lost: it is not touched. What a founding left that ended
/// between the two is none, since nothing is signed before a log is opened.
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
    let standing = &mark.read().await?;
    if standing.before().is_some() {
        return Err(LogFault::Lost);
    }
    found_after(tx, clock, secrets, mark, NewLog { id, origin, last_mark: None, standing, first_entry: None }).await
}

/// The same of one that goes on after another.
pub(super) async fn found_after(
    tx: &mut Tx,
    clock: &Clock,
    secrets: &Secrets,
    mark: &MarkPlace,
    log: NewLog<'_>,
) -> Result<Founded, LogFault> {
    let NewLog { id, origin, last_mark, standing, first_entry } = log;
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
    // Once: keys that were drawn of it have signed.
    let decoys = decoy_place()?;
    if secrets.find(tx, &decoys).await.map_err(|_| LogFault::NoLog)?.is_none() {
        let drawn = Secret::<32>::random(&mut SystemRng)?;
        secrets.put(tx, &seed(decoys, drawn.expose())?.into()).await?;
    }
    // One ledger for all identities: the state has the ends of all, and is written with every step of anybody.
    let ledger = LedgerHead::new(&LedgerId::draw(&mut SystemRng)?);
    let stored = StoredState::new(Head::EMPTY).with_ledger(ledger);
    let empty = State::new(domain, CheckedRing::new(origin, &authority)?, stored)?;
    let (_, first) = empty.first_mark()?;
    // Of two that found at once the row lets one go on: the other writes no mark.
    found_row(tx, id, origin, &empty.begin()?).await?;
    let mut batch = Batch::new(empty);
    batch.step(clock.now(), |step| {
        if let Some(message) = first_entry {
            step.append(&identity, message)?;
        }
        step.add_key(&identity, key.public_key())
    })?;
    let (placed, _) = batch.place();
    let (_, changes) = placed.finish(Vec::new())?;
    store::write(tx, id, &changes).await?;
    mark.begin(standing, last_mark, &first).await?;
    Ok(Founded { origin: origin.to_owned(), identity, public_key: key.public_key().clone() })
}

/// Whether a log was founded here.
///
/// # Errors
/// The database.
pub async fn is_founded(db: &Db) -> Result<bool, DbError> {
    Ok(db.find(store::CURRENT, crate::values![]).await?.is_some())
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
    let authority = authority(&secrets, &mut tx, &origin).await?;
    let note_key = key_of(&secrets, &mut tx, &origin, "note-key").await?;
    tx.roll_back().await?;
    mark.end(&origin, &authority).await?;
    let domain = secrets.domain().clone();
    let (identity, note_key) = (identity(&secrets, &origin)?, Ed25519SigningKey::from_seed(&note_key)?);
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
        prepared: PreparedKeyCache::default(),
        seen: RwLock::new(None),
        together: Together::default(),
        ended: RwLock::default(),
    })
}

/// The ring key of a log.
pub(super) async fn authority(secrets: &Secrets, tx: &mut Tx, origin: &str) -> Result<RingKey, LogFault> {
    let secret = key_of(secrets, tx, origin, "ring-key").await?;
    Ok(RingKey::new(secrets.domain(), Secret::from_slice("ring key", &secret)?))
}

async fn key_of(secrets: &Secrets, tx: &mut Tx, origin: &str, purpose: &str) -> Result<Zeroizing<Vec<u8>>, LogFault> {
    let found = secrets.find(tx, &place(origin, purpose)?).await.map_err(|_| LogFault::NoLog)?;
    found.ok_or(LogFault::NoLog)
}

/// A generator that failed, and nothing else: what is sealed here is not read back.
fn unsealed(fault: SecretFault) -> LogFault {
    match fault {
        SecretFault::Library(error) => LogFault::Row(error),
        _ => LogFault::NoLog,
    }
}
