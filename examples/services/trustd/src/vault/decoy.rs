//! What a thief is shown: whoever calls with an identity whose own key is a honeypot gets a copy of the listing that it
//! had, and changes that alone. Nothing that it does reaches the log, a secret or a document, and natives are told.

pub(crate) mod erase;

use super::enclose::Signer;
use super::rules::State;
use super::seal::{Inbound, Sealed, headers, ledger};
use super::store::{Content, Filter, Kept, Line, parsed};
use super::types::VaultAnswer;
use super::unseal::{Plain, begun};
use super::{Vault, stored};
use crate::alarms::{self as alarm, Alarm};
use crate::{App, dsa};
use bytes::Bytes;
use dualseal::hash::Sha3_256;
use dualseal::secret::Secret;
use dualseal::stream::{CHUNK_BYTES, Decryptor, HEADER_BYTES, Purpose, TAG_BYTES};
use dualseal::vault::{Encryption, VaultRecord, VaultSealer};
use dualseal::{IdentityId, KeyPairInfo, KeyState, SigningKey, SystemRng, VaultId};
use dualseal_operator::secrets::Place;
use futures::stream::StreamExt;
use http::StatusCode;
use platform::access::{Caller, World};
use platform::db::{Db, Row, Tx, statements};
use platform::idempotency::Idempotency;
use platform::problem::{Problem, kinds};
use platform::values;
use std::sync::Arc;
use tokio::sync::mpsc;

statements! {
    BEGUN = "SELECT since FROM vault_decoy_subjects WHERE subject = $1";
    BEGIN = "INSERT INTO vault_decoy_subjects (subject, since) VALUES ($1, $2) ON CONFLICT (subject) DO NOTHING";
    COPY = "INSERT INTO vault_decoys (subject, vault_id, krunica, identity_id, kind, seq, state, created) \
            SELECT CAST($1 AS TEXT), vault_id, krunica, identity_id, kind, seq, state, created FROM vault_records \
            WHERE CAST($2 AS TEXT) IS NULL OR identity_id = CAST($2 AS TEXT)";
    ADD = "INSERT INTO vault_decoys (subject, vault_id, krunica, identity_id, kind, seq, state, created, object, \
           stored, json) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    FIND = "SELECT d.vault_id, d.identity_id, d.kind, d.seq, d.state, d.created, \
            COALESCE(d.object, v.object) AS object, COALESCE(d.stored, v.stored) AS stored, \
            COALESCE(d.json, r.json) AS json, \
            CAST(CASE WHEN d.json IS NULL THEN 1 ELSE 0 END AS BIGINT) AS is_copy FROM vault_decoys d \
            LEFT JOIN vault_records v ON v.vault_id = d.vault_id AND d.json IS NULL \
            LEFT JOIN records r ON r.krunica = d.krunica AND d.json IS NULL WHERE d.subject = $1 AND d.vault_id = $2";
    FIND_ANY = "SELECT vault_id, identity_id, kind, seq, state, created, object, stored, json FROM vault_decoys \
                WHERE vault_id = $1 AND json IS NOT NULL LIMIT 1";
    /// Of whoever was shown it first: what nodes say is of all.
    HOLD = locking "SELECT state FROM vault_decoys WHERE vault_id = $1 ORDER BY subject LIMIT 1";
    MOVE = "UPDATE vault_decoys SET state = $2 WHERE vault_id = $1 AND state = $3";
    LIST = "SELECT vault_id, identity_id, kind, seq, state, created FROM vault_decoys \
            WHERE (CAST($1 AS TEXT) IS NULL OR identity_id = CAST($1 AS TEXT)) \
            AND (CAST($2 AS TEXT) IS NULL OR kind = CAST($2 AS TEXT)) AND created >= $3 AND created < $4 \
            AND (created < $5 OR (created = $5 AND vault_id < $6)) AND subject = $8 \
            ORDER BY created DESC, vault_id DESC LIMIT $7";
}

/// So many pieces wait for the client.
const WAITING: usize = 4;

/// A record that the caller sees, and whether it is the copy of a real one.
pub(crate) struct Shown {
    pub(crate) kept: Kept,
    is_copy: bool,
}

/// Copies the caller's listing, the first time that it comes as a honeypot. Whoever only has somebody's name in the
/// decoy's world has nothing there: with names at will, a thief would see what is sealed day by day. Of everybody it is
/// asked whether that was done, so that the time of an answer does not tell who is a thief.
pub(crate) async fn begin(app: &App, caller: &Caller) -> Result<(), Problem> {
    let subject = caller.subject.to_hex();
    let is_begun = app.db.find(BEGUN, values![&subject]).await?.is_some();
    if is_begun || caller.world == World::Real || !app.authority.is_honeypot(&caller.subject).await? {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    if tx.execute(BEGIN, values![&subject, app.clock.millis()]).await? > 0 {
        // A native saw everybody's.
        let of = caller.only_own().map(|own| own.to_hex());
        tx.execute(COPY, values![&subject, of]).await?;
    }
    Ok(tx.commit().await?)
}

fn told(app: &App, caller: &Caller, what: &str) {
    alarm::raise(app, Alarm::DecoyCaller, caller.subject.to_hex(), format!("vault: {what}"));
}

/// A page of the copy.
pub(crate) async fn list(app: &App, caller: &Caller, filter: &Filter) -> Result<Vec<Line>, Problem> {
    let mut values = filter.values();
    values.push(caller.subject.to_hex().into());
    let rows = app.db.list(LIST, values).await?;
    Ok(rows.iter().map(Line::read).collect::<Result<_, _>>()?)
}

/// A record of the copy.
pub(crate) async fn find(app: &App, caller: &Caller, vault_id: &VaultId) -> Result<Option<Shown>, Problem> {
    let row = app.db.find(FIND, values![caller.subject.to_hex(), vault_id.to_hex()]).await?;
    let read = |row: &Row| -> Result<Shown, Problem> {
        Ok(Shown { kept: Kept::read(row)?, is_copy: row.number("is_copy")? != 0 })
    };
    row.as_ref().map(read).transpose()
}

/// The state of a record there, which nobody else changes until the transaction ends.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`].
pub(crate) async fn hold(tx: &mut Tx, vault_id: &VaultId) -> Result<State, Problem> {
    let row = tx.find(HOLD, values![vault_id.to_hex()]).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    Ok(parsed(&row, "state")?)
}

/// Changes the state of a record there, from one that the caller saw.
///
/// # Errors
/// [`kinds::CONFLICT`] where it is in another by now.
pub(crate) async fn set_state(tx: &mut Tx, vault_id: &VaultId, from: State, to: State) -> Result<(), Problem> {
    match tx.execute(MOVE, values![vault_id.to_hex(), to.as_str(), from.as_str()]).await? {
        0 => Err(Problem::new(&kinds::CONFLICT)),
        _ => Ok(()),
    }
}

/// One that a thief sealed, for whoever verifies it.
pub(crate) async fn find_any(db: &Db, vault_id: &VaultId) -> Result<Option<Kept>, Problem> {
    let row = db.find(FIND_ANY, values![vault_id.to_hex()]).await?;
    Ok(row.as_ref().map(Kept::read).transpose()?)
}

/// A key by which nothing is signed that counts: the honeypot of the identity. For any other, whose own key would
/// count, one is drawn that nobody knows: what is signed with it holds for nobody.
pub(crate) async fn signer(app: &App, identity_id: &IdentityId) -> Result<Signer, Problem> {
    let state = app.log.state().await?;
    let info = dsa::decoy_info(app, &state, identity_id).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    // One that is called back or suspended, there or here, seals nothing.
    dsa::may_sign_there(info.state)?;
    let is_honeypot = |real: KeyPairInfo| real.state == KeyState::Decoy && real.public_key == info.public_key;
    if state.ring().info(identity_id).is_some_and(is_honeypot) {
        let mut tx = app.db.snapshot().await?;
        let found = app.log.keys().get(&app.secrets, &mut tx, &info.public_key).await?;
        tx.roll_back().await?;
        if let Some(found) = found {
            return Ok(found);
        }
    }
    Ok(Arc::new(SigningKey::generate(&mut SystemRng)?.expand()))
}

/// Seals at the end of the ledger and of the chain as they are, and places it in neither.
pub(crate) async fn seal(
    app: &App,
    vault: &Vault,
    caller: &Caller,
    inbound: Inbound,
    idempotency: &Idempotency,
) -> Result<Sealed, Problem> {
    begin(app, caller).await?;
    let Inbound { identity_id, signer, enclosed, content, note } = inbound;
    let state = app.log.state().await?;
    let ledger = ledger(&state)?;
    let end = state.ledger(&ledger).ok_or_else(|| Problem::internal("vault", &"the log has no ledger"))?;
    let sealer = VaultSealer::new(&vault.keys.master, &identity_id, &*signer).native(&vault.keys.native);
    let unplaced = sealer.seal_enclosed(&enclosed, end, &note, app.clock.now(), &mut SystemRng)?;
    let sealed = unplaced.place(state.head())?;
    let (record, header) = (&sealed.record, sealed.record.header());
    let mut tx = app.db.begin().await?;
    let secret = sealed.secret.as_ref().map(dualseal::shamir::DrawnSecret::to_bytes);
    let secret = secret.ok_or_else(|| Problem::internal("vault", &"a record without a secret"))?;
    let row = app.secrets.seal(place(&caller.subject, &header.vault_id)?, secret.as_ref())?;
    app.secrets.put(&mut tx, &row.into()).await?;
    add(&mut tx, caller, (record, &header.kind), &content).await?;
    content.name(&vault.objects, &mut tx, ("vault_decoys", &header.vault_id), header.length).await?;
    let sealed = Sealed { answer: VaultAnswer::sealed(record)?, headers: headers(app, record.entry().seq()) };
    idempotency.store_with(&mut tx, StatusCode::CREATED, &sealed.headers, &sealed.answer).await?;
    tx.commit().await?;
    told(app, caller, "seal");
    Ok(sealed)
}

/// Writes the row of a record that was sealed for a thief, and is shown under a type.
async fn add(
    tx: &mut Tx,
    caller: &Caller,
    (record, kind): (&VaultRecord, &str),
    content: &Content,
) -> Result<(), Problem> {
    let (header, (object, stored)) = (record.header(), content.columns());
    let row = values![
        caller.subject.to_hex(),
        header.vault_id.to_hex(),
        &record.krunica_hash().as_bytes()[..],
        header.identity_id.to_hex(),
        kind,
        header.seq,
        State::Sealed.as_str(),
        header.created_at.as_millis(),
        object,
        stored,
        record.to_json(),
    ];
    Ok(tx.execute(ADD, row).await.map(drop)?)
}

/// The secret of what a thief sealed, or what the document is made of that it gets in a real one's stead.
fn place(subject: &IdentityId, vault_id: &VaultId) -> Result<Place, dualseal::Error> {
    let row = [subject.as_bytes().as_slice(), vault_id.as_bytes().as_slice()].concat();
    Place::new("vault_decoys", &row, "secret")
}

/// Gives back what the thief sealed itself; of a real document something as long that nobody ever wrote.
pub(crate) async fn unseal(app: &App, vault: &Vault, caller: &Caller, shown: Shown) -> Result<Plain, Problem> {
    told(app, caller, "unseal");
    shown.kept.line.state.unseals()?;
    plain(app, vault, caller, shown).await
}

/// The same, whatever became of it.
pub(crate) async fn plain(app: &App, vault: &Vault, caller: &Caller, shown: Shown) -> Result<Plain, Problem> {
    let Shown { kept, is_copy } = shown;
    let secret = secret(app, caller, &kept.line.vault_id).await?;
    let header = kept.record.header();
    let purpose = Purpose::new(app.log.domain(), header.identity_id.as_bytes(), &header.kind)?;
    // What is stored is read in any case, so that both take as long.
    let hash = stored::hash(app.log.domain(), stored::pieces(vault, &kept.content).await?).await?;
    let pieces = stored::pieces(vault, &kept.content).await?;
    let (to, plain) = mpsc::channel(WAITING);
    match (header.encryption, is_copy) {
        // What says that another record was erased.
        (Encryption::None, _) => return Ok(pieces.map(|piece| piece.map_err(std::io::Error::other)).boxed()),
        (Encryption::Stream, true) => drop(tokio::task::spawn_blocking(move || noise(&secret, hash.length(), &to))),
        (Encryption::Stream, false) => drop(tokio::spawn(async move {
            let failed = to.clone();
            let decrypting = stored::blocking(pieces, move |from| decrypt(&secret, &purpose, from, &to));
            if let Err(problem) = decrypting.await {
                drop(failed.send(Err(problem)).await);
            }
        })),
    }
    begun(plain).await
}

/// As many bytes as a document has of which so many are stored, the same each time.
fn noise(secret: &Secret<32>, stored: u64, to: &mpsc::Sender<Result<Bytes, Problem>>) {
    let (chunk, tag) = (CHUNK_BYTES as u64, TAG_BYTES as u64);
    let body = stored.saturating_sub(HEADER_BYTES as u64);
    let mut left = body.saturating_sub(body.div_ceil(chunk + tag) * tag);
    let mut count = 0_u64;
    while left > 0 {
        let mut piece = Vec::with_capacity(CHUNK_BYTES);
        while piece.len() < CHUNK_BYTES && left > 0 {
            let block = Sha3_256::digest(&[secret.expose().as_slice(), &count.to_be_bytes()].concat());
            let taken = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
            piece.extend(block.into_iter().take(taken));
            (left, count) = (left - taken as u64, count + 1);
        }
        if to.blocking_send(Ok(piece.into())).is_err() {
            return;
        }
    }
}

fn decrypt(
    secret: &Secret<32>,
    purpose: &Purpose,
    mut stored: mpsc::Receiver<Result<Bytes, Problem>>,
    to: &mpsc::Sender<Result<Bytes, Problem>>,
) -> Result<(), Problem> {
    let mut decryptor = Decryptor::new(secret, purpose);
    let mut out = Vec::new();
    while let Some(piece) = stored.blocking_recv() {
        decryptor.update(&piece?, &mut out)?;
        drop(to.blocking_send(Ok(std::mem::take(&mut out).into())));
    }
    decryptor.finish(&mut out)?;
    drop(to.blocking_send(Ok(out.into())));
    Ok(())
}

/// The secret, drawn when it is asked for the first time.
async fn secret(app: &App, caller: &Caller, vault_id: &VaultId) -> Result<Secret<32>, Problem> {
    let place = place(&caller.subject, vault_id)?;
    let mut tx = app.db.begin().await?;
    if let Some(found) = app.secrets.find(&mut tx, &place).await? {
        tx.roll_back().await?;
        return Ok(Secret::from_slice("secret", &found)?);
    }
    let drawn = Secret::random(&mut SystemRng)?;
    let row = app.secrets.seal(place, drawn.expose())?;
    app.secrets.put(&mut tx, &row.into()).await?;
    tx.commit().await?;
    Ok(drawn)
}
