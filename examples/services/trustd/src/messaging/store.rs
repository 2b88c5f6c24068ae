//! Rows of what came in, and of what waits for a code.

use super::intents::{Intent, Language};
use super::rules::Channel;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::values;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM messages_out WHERE id = ''";
    ADD = "INSERT INTO messages_in (id, channel, provider_id, sender, contact, is_verified, time, body, intent, \
           outcome) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (channel, provider_id) DO NOTHING";
    SAME = "SELECT id, intent FROM messages_in WHERE channel = $1 AND provider_id = $2";
    BECAME = "UPDATE messages_in SET intent = $2, outcome = $3 WHERE id = $1";
    OF_SENDER = "SELECT COUNT(*) AS found FROM messages_in WHERE sender = $1 AND is_verified = $2 \
                 AND time > $3 AND time <= $4";
    /// A sender whom somebody vouches for and one whom nobody does are two.
    OUTCOMES_OF = "SELECT COUNT(*) AS found FROM messages_in WHERE sender = $1 AND is_verified = $2 AND outcome = $3 \
                   AND time > $4 AND time <= $5";
    CRIES_OF = "SELECT COUNT(*) AS found FROM messages_in WHERE sender = $1 AND is_verified = 1 \
                AND outcome LIKE 'panic%' AND time > $2 AND time <= $3";
    /// Messages to those on call of somebody's cries that are not lost.
    CRIES_TOLD = "SELECT COUNT(*) AS found FROM messages_in i JOIN messages_out o ON o.about = 'panic:' || i.id \
                  WHERE i.sender = $1 AND i.is_verified = $2 AND i.time > $3 AND i.time <= $4 \
                  AND o.state NOT IN ('failed', 'dead', 'expired')";
    /// What somebody wrote that was not understood: he was asked whether he needs help.
    ASKED_FOR_HELP = "SELECT id, body FROM messages_in WHERE sender = $1 AND outcome = 'asked-for-help' \
                      AND time > $2 AND time <= $3 ORDER BY id DESC LIMIT 1";
    /// What somebody saw last: what waits, or was lost, he did not; the question itself he did, who answers it.
    LAST_TO = "SELECT once FROM messages_out WHERE contact = $1 AND created <= $2 \
               AND (state NOT IN ('queued', 'failed', 'dead', 'expired') OR once = $3) \
               ORDER BY created DESC, id DESC LIMIT 1";
    /// Where somebody was answered.
    ANSWERED = "SELECT o.recipient, o.contact, o.ways, o.way, i.body, c.language FROM messages_in i \
                JOIN messages_out o ON o.once = 'reply:' || i.id LEFT JOIN contacts c ON c.id = o.contact \
                WHERE i.id = $1";
    OUTCOMES = "SELECT COUNT(*) AS found FROM messages_in WHERE outcome = $1 AND is_verified = $2 \
                AND time > $3 AND time <= $4";
    ATTACH = "INSERT INTO messages_attached (message, number, name, stored) VALUES ($1, $2, $3, $4)";
    ATTACHED = "SELECT number, name, stored FROM messages_attached WHERE message = $1 ORDER BY number";
    DETACH = "DELETE FROM messages_attached WHERE message = $1 AND number = $2";
    STOPPED = "SELECT since FROM opt_outs WHERE address = $1";
    STOP = "INSERT INTO opt_outs (address, since) VALUES ($1, $2) ON CONFLICT (address) DO NOTHING";
    START = "DELETE FROM opt_outs WHERE address = $1";
    ASKED = "SELECT COUNT(*) AS found FROM confirmations WHERE address = $1 AND created > $2 AND created <= $3";
    ASK = "INSERT INTO confirmations (id, address, message, intent, language, code, tries, created, expires, state) \
           VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, 'open')";
    /// One waits for each intent of an address: a new request takes the place of the one before.
    LAPSE = "UPDATE confirmations SET state = 'void' WHERE address = $1 AND intent = $2 AND state = 'open'";
    OPEN = "SELECT id, message, intent, language, code FROM confirmations \
            WHERE address = $1 AND state = 'open' AND expires > $2 AND tries < $3 ORDER BY created DESC";
    MISSED = "UPDATE confirmations SET tries = tries + 1 WHERE address = $1 AND state = 'open'";
    CONFIRM = "UPDATE confirmations SET state = $2 WHERE id = $1 AND state = 'open'";
    FILING = "SELECT id, message, language, address FROM confirmations WHERE state = 'filing' AND id > $1 \
              ORDER BY id LIMIT 8";
    FILED = "UPDATE confirmations SET state = 'done' WHERE id = $1 AND state = 'filing'";
    REPORT = "INSERT INTO trip_reports (id, message, contact, identity_id, country, text, time, state) \
              VALUES ($1, $2, $3, $4, $5, $6, $7, 'proposed')";
    FIND = "SELECT id, sender, contact, body, time FROM messages_in WHERE id = $1";
    SWEEP_ATTACHED = "DELETE FROM messages_attached WHERE message IN (SELECT id FROM messages_in WHERE time < $1) \
                      AND message NOT IN (SELECT message FROM confirmations WHERE state IN ('open', 'filing'))";
    SWEEP_CONFIRMATIONS = "DELETE FROM confirmations WHERE created < $1 AND state <> 'filing'";
    SWEEP_IN = "DELETE FROM messages_in WHERE time < $1 AND id NOT IN (SELECT message FROM messages_attached)";
    SWEEP_REPORTS = "DELETE FROM trip_reports WHERE time < $1";
}

/// A message as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Came {
    pub(crate) id: String,
    pub(crate) channel: Channel,
    pub(crate) provider_id: String,
    pub(crate) sender: String,
    pub(crate) contact: Option<String>,
    pub(crate) is_verified: bool,
    pub(crate) time: i64,
    pub(crate) body: String,
}

/// Writes it down. False where it is there: another copy of it came before.
pub(crate) async fn add(tx: &mut Tx, came: &Came, intent: Option<Intent>, outcome: &str) -> Result<bool, DbError> {
    let Came { id, channel, provider_id, sender, contact, is_verified, time, body } = came;
    let (channel, intent) = (channel.as_str(), intent.map(Intent::as_str));
    let (contact, is_verified) = (contact.clone(), i64::from(*is_verified));
    let values = values![id, channel, provider_id, sender, contact, is_verified, *time, body, intent, outcome];
    Ok(tx.execute(ADD, values).await? == 1)
}

/// The copy that came before.
pub(crate) async fn same(db: &Db, came: &Came) -> Result<Option<(String, Option<Intent>)>, DbError> {
    let row = db.find(SAME, values![came.channel.as_str(), &came.provider_id]).await?;
    let read = |row: Row| Ok((row.text("id")?, row.maybe_text("intent")?.and_then(|text| text.parse().ok())));
    row.map(read).transpose()
}

/// What became of it.
pub(crate) async fn became(tx: &mut Tx, id: &str, intent: Option<Intent>, outcome: &str) -> Result<(), DbError> {
    tx.execute(BECAME, values![id, intent.map(Intent::as_str), outcome]).await?;
    Ok(())
}

/// A number that a statement counts.
pub(crate) async fn count(
    tx: &mut Tx,
    statement: platform::db::Statement,
    values: Vec<platform::db::Value>,
) -> Result<u64, DbError> {
    tx.find(statement, values).await?.map_or(Ok(0), |row| row.size("found"))
}

/// What waits for a code.
#[derive(Clone, Debug)]
pub(crate) struct Waits {
    pub(crate) id: String,
    pub(crate) message: String,
    pub(crate) intent: Intent,
    pub(crate) language: Language,
    pub(crate) code: String,
}

/// What waits of an address, the latest first.
pub(crate) fn waits(rows: &[Row]) -> Result<Vec<Waits>, DbError> {
    let read = |row: &Row| {
        Ok(Waits {
            id: row.text("id")?,
            message: row.text("message")?,
            intent: row.text("intent")?.parse().map_err(|_| DbError::Column("intent"))?,
            language: row.text("language")?.parse().map_err(|_| DbError::Column("language"))?,
            code: row.text("code")?,
        })
    };
    rows.iter().map(read).collect()
}
