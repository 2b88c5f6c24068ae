//! The log of messages, of both directions, the newest first.

use super::addresses::masked;
use super::outbox::ways;
use super::rules::Channel;
use super::types::{Direction, LogLine};
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::db::{Db, DbError, Row, statements};
use platform::values;
use std::collections::HashSet;

statements! {
    /// `$2` is a contact, `$3` an identity whose contacts they are, each empty for any; `$4` the direction.
    PAGE = "SELECT id, direction, channel, ways, way, sender, contact, intent, status, fault, time, body FROM ( \
            SELECT id, 'in' AS direction, channel, '' AS ways, CAST(0 AS BIGINT) AS way, sender, contact, intent, \
            outcome AS status, NULL AS fault, time, body, CAST(0 AS BIGINT) AS world FROM messages_in \
            WHERE (id < $1 OR $1 = '') \
            UNION ALL SELECT id, 'out' AS direction, '' AS channel, ways, way, '' AS sender, contact, NULL AS intent, \
            state AS status, fault, created AS time, body, world FROM messages_out \
            WHERE (id < $1 OR $1 = '')) m \
            WHERE world = $5 AND ($2 = '' OR contact = $2) AND ($4 = '' OR direction = $4) \
            AND ($3 = '' OR contact IN (SELECT id FROM contacts WHERE identity_id = $3)) \
            ORDER BY id DESC LIMIT $6";
    CODES = "SELECT code FROM confirmations WHERE state = 'open' AND expires > $1";
    REPLIES = "SELECT body FROM messages_out WHERE once LIKE 'reply:%' ORDER BY id DESC LIMIT 20";
}

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) after: Option<&'a str>,
    pub(crate) contact: Option<&'a str>,
    /// A noble sees what was said with its own contacts, masked and without what it says.
    pub(crate) own: Option<IdentityId>,
    pub(crate) direction: Option<Direction>,
    pub(crate) world: World,
    pub(crate) most: u32,
    pub(crate) now: i64,
}

/// What was answered last, as it was sent, codes too: for the demonstration, which plays those who get it.
pub(crate) async fn replies(db: &Db) -> Result<Vec<String>, DbError> {
    db.list(REPLIES, values![]).await?.iter().map(|row| row.text("body")).collect()
}

/// A page.
pub(crate) async fn page(db: &Db, asked: &Asked<'_>) -> Result<Vec<LogLine>, DbError> {
    let direction = asked.direction.map_or("", |direction| match direction {
        Direction::In => "in",
        Direction::Out => "out",
    });
    let own = asked.own.map(|id| id.to_hex()).unwrap_or_default();
    let (after, contact) = (asked.after.unwrap_or_default(), asked.contact.unwrap_or_default());
    let values = values![after, contact, own, direction, asked.world.number(), asked.most];
    let rows = db.list(PAGE, values).await?;
    // Behind the rows: one that is asked for now stands in none of them.
    let codes = db.list(CODES, values![asked.now]).await?;
    let codes: HashSet<String> = codes.iter().map(|row| row.text("code")).collect::<Result<_, _>>()?;
    rows.iter().map(|row| line(row, asked.own.is_some(), &codes)).collect()
}

fn line(row: &Row, is_masked: bool, codes: &HashSet<String>) -> Result<LogLine, DbError> {
    let direction = if row.text("direction")? == "in" { Direction::In } else { Direction::Out };
    let (channel, address) = match direction {
        Direction::In => {
            let channel = if row.text("channel")? == "email" { Channel::Email } else { Channel::Sms };
            (Some(channel), Some(row.text("sender")?))
        }
        Direction::Out => {
            let (ways, way) = ways(row)?;
            ways.into_iter().nth(way).map_or((None, None), |(channel, address)| (Some(channel), Some(address)))
        }
    };
    // A code is for the address alone: who reads the log confirms nothing in somebody's name.
    let body = without_codes(&row.text("body")?, codes);
    let time = Timestamp::from_millis(row.number("time")?).unwrap_or(Timestamp::MIN).to_string();
    Ok(LogLine {
        id: row.text("id")?,
        direction,
        channel,
        address: address.map(|address| if is_masked { masked(&address) } else { address }),
        contact_id: row.maybe_text("contact")?,
        intent: row.maybe_text("intent")?.and_then(|text| text.parse().ok()),
        status: row.text("status")?,
        fault: row.maybe_text("fault")?,
        time,
        body: if is_masked { None } else { Some(body) },
    })
}

/// A text without the codes that wait to be sent back. All other numbers stay: some say where somebody is.
fn without_codes(text: &str, codes: &HashSet<String>) -> String {
    let shown = |part: &str| {
        let word = part.trim_end_matches(|one: char| !one.is_ascii_alphanumeric());
        if codes.contains(word) { part.replacen(word, "******", 1) } else { part.to_owned() }
    };
    text.split_inclusive(|one: char| !one.is_ascii_alphanumeric()).map(shown).collect()
}
