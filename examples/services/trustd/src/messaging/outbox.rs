//! Messages on their way out: written in the transaction that causes them, sent at least once, in order for each
//! recipient, except that an alarm overtakes.

use super::contacts::{self, Contact};
use super::intents::Language;
use super::rules::{Channel, HOUR, LONGEST_TOLD, MOST_TEXT, State};
use super::unheard::about;
use dualseal::IdentityId;
use platform::access::{Caller, World};
use platform::db::{Db, DbError, Row, Tx, Value, statements};
use platform::problem::Problem;
use platform::values;
use uuid::Uuid;

statements! {
    PUT = "INSERT INTO messages_out (id, once, recipient, contact, rank, ways, way, subject, body, created, due_at, \
           expires, leased_until, attempts, state, changed, world, about) \
           VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $9, $10, 0, 0, 'queued', $9, $11, $12) \
           ON CONFLICT (once) DO NOTHING";
    EXPIRE = "UPDATE messages_out SET state = 'expired', changed = $1 \
              WHERE state IN ('queued', 'sending') AND expires <= $1 AND leased_until <= $1";
    /// Asked first, since leasing takes the lock of the one that writes.
    LOOK = "SELECT 1 AS one FROM messages_out WHERE state IN ('queued', 'sending') \
            AND (due_at <= $1 AND leased_until <= $1 OR leased_until > $2 OR due_at > $3 \
            OR state = 'queued' AND changed > $1 + 60000) LIMIT 1";
    /// The first of each recipient that waits: what stands behind it waits for it, and what overtakes does not.
    /// A lease, or a time to try again, that is longer than one is, and what was queued a minute ahead of now, are of a
    /// clock that was ahead, or somebody wrote them: it is due.
    LEASE = "UPDATE messages_out SET state = 'sending', leased_until = $2, attempts = attempts + 1, changed = $1 \
             WHERE id IN (SELECT m.id FROM messages_out m WHERE m.state IN ('queued', 'sending') \
             AND (m.due_at <= $1 AND m.leased_until <= $1 OR m.leased_until > $4 OR m.due_at > $5 \
             OR m.state = 'queued' AND m.changed > $1 + 60000) \
             AND NOT EXISTS (SELECT 1 FROM messages_out e \
             WHERE e.recipient = m.recipient AND e.state IN ('queued', 'sending') \
             AND (e.rank < m.rank OR (e.rank = m.rank AND e.id < m.id))) ORDER BY m.rank, m.id LIMIT $3) \
             AND state IN ('queued', 'sending') AND (leased_until <= $1 OR leased_until > $4) \
             RETURNING id, ways, way, subject, body, attempts, rank, world";
    /// Whoever took it since: it went out, by this way.
    SENT = "UPDATE messages_out SET state = 'sent', provider_id = $3, fault = NULL, leased_until = 0, changed = $4 \
            WHERE id = $1 AND attempts >= $2 AND way = $5 AND state = 'sending'";
    UNREAD = "UPDATE messages_out SET state = 'failed', fault = 'it does not read', leased_until = 0, changed = $2 \
              WHERE id = $1 AND state = 'sending'";
    AGAIN = "UPDATE messages_out SET state = 'queued', fault = $3, due_at = $4, leased_until = 0, changed = $5 \
             WHERE id = $1 AND attempts = $2 AND state = 'sending'";
    NEXT_WAY = "UPDATE messages_out SET state = 'queued', fault = $3, way = way + 1, due_at = $4, attempts = 0, \
                leased_until = 0, changed = $4 WHERE id = $1 AND attempts = $2 AND state = 'sending'";
    GIVEN_UP = "UPDATE messages_out SET state = $3, fault = $4, leased_until = 0, changed = $5 \
                WHERE id = $1 AND attempts = $2 AND state = 'sending'";
    BY_PROVIDER = "SELECT id, ways, way, state FROM messages_out WHERE provider_id = $1 AND world = 0";
    ARRIVED = "UPDATE messages_out SET state = 'delivered', changed = $2 WHERE id = $1 AND state = 'sent'";
    LOST = "UPDATE messages_out SET state = 'failed', fault = $3, changed = $2 WHERE id = $1 AND state = 'sent'";
    LOST_WAY = "UPDATE messages_out SET state = 'queued', fault = $3, way = way + 1, attempts = 0, due_at = $2, \
                provider_id = NULL, changed = $2 WHERE id = $1 AND state = 'sent'";
    WAITING = "SELECT COUNT(*) AS found, MIN(created) AS oldest FROM messages_out \
               WHERE state IN ('queued', 'sending') AND world = 0";
    FORGET = "DELETE FROM messages_out WHERE about = $1";
    SWEEP = "DELETE FROM messages_out WHERE created < $1 AND state NOT IN ('queued', 'sending')";
}

/// Clocks differ by less.
const APART: i64 = 60_000;
/// No provider has a message wait for longer.
const MOST_WAIT: i64 = LONGEST_TOLD.cast_signed() * 1000;

/// What overtakes.
pub(crate) const ALARM: i64 = 0;
/// What does not.
pub(crate) const ORDINARY: i64 = 1;

/// What is to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    /// What it is told once for.
    pub once: String,
    /// What about, where there is room for it.
    pub subject: String,
    /// What it says.
    pub text: String,
    /// Whether it overtakes what waits.
    pub is_alarm: bool,
    /// When it is not sent any more, in milliseconds since 1970.
    pub expires: i64,
}

impl Notice {
    /// What somebody is answered: nothing that overtakes, and nothing that is worth much after an hour.
    pub(crate) fn reply(once: String, text: &str, now: i64) -> Self {
        let text = text.chars().take(MOST_TEXT).collect();
        Self { once, subject: "trustd".to_owned(), text, is_alarm: false, expires: now.saturating_add(HOUR) }
    }
}

/// The messages on their way out, for other modules.
#[derive(Clone, Copy, Debug)]
pub struct Outbox;

impl Outbox {
    /// Has every contact of an identity told, each in its language, in the transaction that causes it. What was told
    /// once is not told again. Says how many are.
    ///
    /// # Errors
    /// The database.
    pub async fn tell(
        tx: &mut Tx,
        identity_id: &IdentityId,
        now: i64,
        notice: impl Fn(Language) -> Notice + Send,
    ) -> Result<usize, Problem> {
        let contacts = contacts::of_identity(tx, identity_id).await?;
        tell_all(tx, &contacts, now, notice).await
    }

    /// The same of those on call.
    ///
    /// # Errors
    /// The database.
    pub async fn tell_on_call(
        tx: &mut Tx,
        now: i64,
        notice: impl Fn(Language) -> Notice + Send,
    ) -> Result<usize, Problem> {
        let contacts = contacts::on_call(tx).await?;
        tell_all(tx, &contacts, now, notice).await
    }

    /// The same of the contact that is named, where that is active and did not say STOP, and else of every such contact
    /// of the identity. Says whether anybody is there to be told; where the messages end before they arrive,
    /// [`Facts::unheard`](super::Facts::unheard) says so.
    ///
    /// # Errors
    /// The database.
    pub async fn tell_named(
        tx: &mut Tx,
        (named, identity_id): (Option<&str>, &IdentityId),
        now: i64,
        notice: impl Fn(Language) -> Notice + Send,
    ) -> Result<bool, Problem> {
        let mut listeners = match named {
            Some(named) => contacts::named(tx, named).await?,
            None => Vec::new(),
        };
        if listeners.is_empty() {
            listeners = contacts::of_identity(tx, identity_id).await?;
        }
        tell_all(tx, &listeners, now, notice).await?;
        Ok(!listeners.is_empty())
    }

    /// Whether a caller writes to a contact.
    ///
    /// # Errors
    /// The database.
    pub async fn reaches(db: &Db, caller: &Caller, contact: &str) -> Result<bool, Problem> {
        let found = contacts::find(db, contact, caller.world).await?;
        Ok(found.is_some_and(|contact| contact.is_of(caller)))
    }

    /// Takes what was to be told away, or was told, about something: of a name of `once` its first two parts.
    ///
    /// # Errors
    /// The database.
    pub async fn forget(tx: &mut Tx, about: &str) -> Result<(), Problem> {
        tx.execute(FORGET, values![about]).await?;
        Ok(())
    }
}

/// Tells each of them in its language, once; says how many were not told before.
pub(crate) async fn tell_all(
    tx: &mut Tx,
    contacts: &[Contact],
    now: i64,
    notice: impl Fn(Language) -> Notice + Send,
) -> Result<usize, Problem> {
    let mut told = 0;
    for contact in contacts {
        let mut notice = notice(contact.language);
        notice.once = format!("{}:{}", notice.once, contact.id);
        told += usize::from(put(tx, contact, &notice, now, World::Real).await?.is_some());
    }
    Ok(told)
}

/// Queues a message to a contact; its name, or `None` where it was queued before.
pub(crate) async fn put(
    tx: &mut Tx,
    contact: &Contact,
    notice: &Notice,
    now: i64,
    world: World,
) -> Result<Option<String>, DbError> {
    put_to(tx, (&contact.id, Some(&contact.id)), &contact.ways(), notice, now, world).await
}

/// Queues a message to ways, in the order of a recipient.
pub(crate) async fn put_to(
    tx: &mut Tx,
    (recipient, contact): (&str, Option<&str>),
    ways: &[(Channel, String)],
    notice: &Notice,
    now: i64,
    world: World,
) -> Result<Option<String>, DbError> {
    let (id, rank) = (Uuid::now_v7().to_string(), if notice.is_alarm { ALARM } else { ORDINARY });
    let ways = serde_json::to_string(ways).map_err(|_| DbError::Column("ways"))?;
    let Notice { once, subject, text, expires, .. } = notice;
    let mut values = values![&id, once, recipient, contact, rank, ways, subject, text, now, *expires];
    values.extend(values![world.number(), about(once)]);
    Ok((tx.execute(PUT, values).await? == 1).then_some(id))
}

/// A message that was taken on lease.
#[derive(Clone, Debug)]
pub(crate) struct Leased {
    pub(crate) id: String,
    pub(crate) ways: Vec<(Channel, String)>,
    pub(crate) way: usize,
    pub(crate) subject: String,
    pub(crate) body: String,
    pub(crate) attempts: i64,
    pub(crate) rank: i64,
    /// What somebody sends whose own key is a honeypot looks as if it were sent.
    pub(crate) world: World,
}

/// Takes at most so many that are due, after those whose time is over were set aside.
pub(crate) async fn lease(db: &Db, now: i64, until: i64, most: u32) -> Result<Vec<Leased>, DbError> {
    let (leases, waits) = (until.saturating_add(APART), now.saturating_add(MOST_WAIT + APART));
    loop {
        if db.find(LOOK, values![now, leases, waits]).await?.is_none() {
            return Ok(Vec::new());
        }
        let mut tx = db.begin().await?;
        tx.execute(EXPIRE, values![now]).await?;
        let rows = tx.list(LEASE, values![now, until, most, leases, waits]).await?;
        let mut found = Vec::new();
        for row in &rows {
            match leased(row) {
                Ok(message) => found.push(message),
                // It ends, and what stands behind it goes on.
                Err(fault) => {
                    tracing::error!(%fault, "a message does not read");
                    let id = row.text("id").map(Value::from).or_else(|_| row.bytes("id").map(Value::from))?;
                    tx.execute(UNREAD, vec![id, now.into()]).await?;
                }
            }
        }
        tx.commit().await?;
        if rows.is_empty() || !found.is_empty() {
            found.sort_by(|one, other| (one.rank, &one.id).cmp(&(other.rank, &other.id)));
            return Ok(found);
        }
    }
}

/// The ways of a row, and which one is tried.
pub(super) fn ways(row: &Row) -> Result<(Vec<(Channel, String)>, usize), DbError> {
    let ways = serde_json::from_str(&row.text("ways")?).map_err(|_| DbError::Column("ways"))?;
    Ok((ways, usize::try_from(row.number("way")?).map_err(|_| DbError::Column("way"))?))
}

fn leased(row: &Row) -> Result<Leased, DbError> {
    let (ways, way) = ways(row)?;
    let (id, subject, body) = (row.text("id")?, row.text("subject")?, row.text("body")?);
    let (attempts, rank) = (row.number("attempts")?, row.number("rank")?);
    Ok(Leased { id, ways, way, subject, body, attempts, rank, world: World::of_number(row.number("world")?) })
}

/// What a receipt says of the message that a provider calls so. False where there is no such message.
pub(crate) async fn receipt(tx: &mut Tx, provider_id: &str, arrived: Option<bool>, now: i64) -> Result<bool, DbError> {
    let Some(row) = tx.find(BY_PROVIDER, values![provider_id]).await? else { return Ok(false) };
    let ((ways, way), id) = (ways(&row)?, row.text("id")?);
    match arrived {
        Some(true) => tx.execute(ARRIVED, values![id, now]).await?,
        Some(false) if way + 1 < ways.len() => tx.execute(LOST_WAY, values![id, now, "undelivered"]).await?,
        Some(false) => tx.execute(LOST, values![id, now, "undelivered"]).await?,
        None => 0,
    };
    Ok(true)
}

/// The state of a message after it was tried, as a row has it.
pub(crate) fn given_up(is_final: bool) -> &'static str {
    if is_final { State::Failed.as_str() } else { State::Dead.as_str() }
}
