//! People that are written to: their rows, and the entries that their changes leave in the log.

use super::intents::Language;
use super::rules::Channel;
use crate::personal::Personal;
use dualseal::IdentityId;
use platform::access::{Caller, Tier, World};
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::idempotency::Idempotency;
use platform::problem::{Problem, kinds};
use platform::values;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::str::FromStr;
use utoipa::ToSchema;

statements! {
    FIND = "SELECT id, name, identity_id, phone, email, relay, language, on_call, state, version FROM contacts \
            WHERE id = $1 AND world = $2";
    BY_PHONE = "SELECT id, name, identity_id, phone, email, relay, language, on_call, state, version FROM contacts \
                WHERE phone = $1 AND world = 0";
    BY_EMAIL = "SELECT id, name, identity_id, phone, email, relay, language, on_call, state, version FROM contacts \
                WHERE email = $1 AND world = 0";
    /// Who is told: the one of this name, those of an identity, those on call, each without the addresses that said
    /// STOP.
    LISTENERS = "SELECT id, name, identity_id, \
                 CASE WHEN phone IN (SELECT address FROM opt_outs) THEN NULL ELSE phone END AS phone, \
                 CASE WHEN email IN (SELECT address FROM opt_outs) THEN NULL ELSE email END AS email, \
                 CASE WHEN relay IN (SELECT address FROM opt_outs) THEN NULL ELSE relay END AS relay, \
                 language, on_call, state, version FROM contacts WHERE state = 'active' AND world = 0 \
                 AND (id = $1 OR identity_id = $2 OR on_call = $3) ORDER BY id";
    PAGE = "SELECT id, name, identity_id, phone, email, relay, language, on_call, state, version FROM contacts \
            WHERE (id < $1 OR $1 = '') AND ($2 = '' OR state = $2) AND world = $4 ORDER BY id DESC LIMIT $3";
    ADD = "INSERT INTO contacts (id, name, identity_id, phone, email, relay, language, on_call, state, version, \
           changed, world) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    CHANGE = "UPDATE contacts SET name = $2, identity_id = $3, phone = $4, email = $5, relay = $6, language = $7, \
              on_call = $8, state = $9, version = $10, changed = $11 \
              WHERE id = $1 AND version = $10 - 1 AND world = $12";
    ERASE = "DELETE FROM contacts WHERE id = $1 AND world = $2";
    ERASE_IN = "DELETE FROM messages_in WHERE contact = $1";
    ERASE_ATTACHED = "DELETE FROM messages_attached WHERE message IN (SELECT id FROM messages_in WHERE contact = $1)";
    ERASE_OUT = "DELETE FROM messages_out WHERE contact = $1";
    ERASE_REPORTS = "DELETE FROM trip_reports WHERE contact = $1";
}

/// Of a row `on_call` is 0 or 1.
const NOBODY: i64 = 2;

/// What somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Standing {
    /// He asked to join: a native makes him active.
    Applied,
    /// Messages come and go.
    Active,
    /// He left.
    Left,
}

impl Standing {
    /// As rows and answers have it.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Active => "active",
            Self::Left => "left",
        }
    }
}

impl FromStr for Standing {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let all = [Self::Applied, Self::Active, Self::Left];
        all.into_iter().find(|one| one.as_str() == text).ok_or("no state of a contact")
    }
}

/// Somebody who is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contact {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) identity_id: Option<IdentityId>,
    pub(crate) phone: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) relay: Option<String>,
    pub(crate) language: Language,
    pub(crate) on_call: bool,
    pub(crate) state: Standing,
    pub(crate) version: u64,
}

impl Contact {
    /// The ways to him, in the order in which they are tried: a number first, the relay where that fails, then e-mail;
    /// without a number e-mail, then the relay.
    pub(crate) fn ways(&self) -> Vec<(Channel, String)> {
        let way = |channel, address: &Option<String>| address.clone().map(|address| (channel, address));
        let (sms, email, relay) =
            (way(Channel::Sms, &self.phone), way(Channel::Email, &self.email), way(Channel::Relay, &self.relay));
        let ordered = if sms.is_some() { [sms, relay, email] } else { [email, relay, None] };
        ordered.into_iter().flatten().collect()
    }

    fn of(row: &Row) -> Result<Self, DbError> {
        let identity_id = row.maybe_text("identity_id")?.map(|text| text.parse()).transpose();
        Ok(Self {
            id: row.text("id")?,
            name: row.text("name")?,
            identity_id: identity_id.map_err(|_| DbError::Column("identity_id"))?,
            phone: row.maybe_text("phone")?,
            email: row.maybe_text("email")?,
            relay: row.maybe_text("relay")?,
            language: row.text("language")?.parse().map_err(|_| DbError::Column("language"))?,
            on_call: row.number("on_call")? == 1,
            state: row.text("state")?.parse().map_err(|_| DbError::Column("state"))?,
            version: row.size("version")?,
        })
    }

    /// Whether the caller writes to him: a noble's own contacts are those of its identity.
    pub(crate) fn is_of(&self, caller: &Caller) -> bool {
        caller.tier == Tier::Native || self.identity_id.is_some_and(|id| caller.owns(&id))
    }

    /// Ends contact: no address is kept.
    pub(crate) fn leave(&mut self) {
        (self.phone, self.email, self.relay, self.on_call) = (None, None, None, false);
        self.state = Standing::Left;
    }

    pub(crate) fn said(&self, what: &str) -> String {
        json!({"contact": self.id, "what": what, "version": self.version, "name": self.name, "phone": self.phone,
            "email": self.email, "relay": self.relay, "language": self.language, "on_call": self.on_call,
            "state": self.state, "identity_id": self.identity_id.map(|id| id.to_hex())})
        .to_string()
    }
}

/// One contact.
pub(crate) async fn find(db: &Db, id: &str, world: World) -> Result<Option<Contact>, DbError> {
    db.find(FIND, values![id, world.number()]).await?.as_ref().map(Contact::of).transpose()
}

/// The same within a transaction.
pub(crate) async fn find_in(tx: &mut Tx, id: &str, world: World) -> Result<Option<Contact>, DbError> {
    tx.find(FIND, values![id, world.number()]).await?.as_ref().map(Contact::of).transpose()
}

/// Whose address this is.
pub(crate) async fn by_address(tx: &mut Tx, channel: Channel, address: &str) -> Result<Option<Contact>, DbError> {
    let statement = if channel == Channel::Email { BY_EMAIL } else { BY_PHONE };
    tx.find(statement, values![address]).await?.as_ref().map(Contact::of).transpose()
}

/// Who writes from it. Whose row does not read is heard as a stranger.
pub(super) async fn writing(tx: &mut Tx, channel: Channel, address: &str) -> Result<Option<Contact>, DbError> {
    match by_address(tx, channel, address).await {
        Err(DbError::Column(column)) => {
            tracing::error!(column, "a contact's row does not read: who writes is a stranger");
            Ok(None)
        }
        found => found,
    }
}

/// Who is on call, with the addresses that did not say STOP.
pub(crate) async fn on_call(tx: &mut Tx) -> Result<Vec<Contact>, DbError> {
    Ok(readable(&tx.list(LISTENERS, values!["", "", 1_i64]).await?))
}

/// The same outside of a transaction.
pub(crate) async fn now_on_call(db: &Db) -> Result<Vec<Contact>, DbError> {
    Ok(readable(&db.list(LISTENERS, values!["", "", 1_i64]).await?))
}

/// The contacts of an identity, likewise.
pub(crate) async fn of_identity(tx: &mut Tx, identity_id: &IdentityId) -> Result<Vec<Contact>, DbError> {
    Ok(readable(&tx.list(LISTENERS, values!["", identity_id.to_hex(), NOBODY]).await?))
}

/// One that is written to by its name, where it is active, likewise.
pub(crate) async fn named(tx: &mut Tx, id: &str) -> Result<Vec<Contact>, DbError> {
    Ok(readable(&tx.list(LISTENERS, values![id, "", NOBODY]).await?))
}

/// Those with a way to them. Whoever changed the row of one keeps nobody from writing to the others.
fn readable(rows: &[Row]) -> Vec<Contact> {
    let read = |row: &Row| {
        Contact::of(row)
            .map_err(|error| tracing::error!(%error, "a contact's row does not read: it is told nothing"))
            .ok()
    };
    rows.iter().filter_map(read).filter(|contact| !contact.ways().is_empty()).collect()
}

/// A page, the newest first.
pub(crate) async fn page(
    db: &Db,
    after: Option<&str>,
    state: Option<Standing>,
    most: u32,
    world: World,
) -> Result<Vec<Contact>, DbError> {
    let values = values![after.unwrap_or_default(), state.map_or("", Standing::as_str), most, world.number()];
    db.list(PAGE, values).await?.iter().map(Contact::of).collect()
}

/// A change of a contact, with what the log says of it.
#[derive(Debug)]
pub(crate) struct Change {
    /// As it is from now on; its version is the next one, and 1 where it is new.
    pub(crate) contact: Contact,
    pub(crate) what: &'static str,
    pub(crate) now: i64,
    /// What somebody does whose own key is a honeypot changes rows that he alone sees.
    pub(crate) world: World,
    pub(crate) idempotency: Idempotency,
}

impl Change {
    /// Writes the row, in whichever transaction.
    pub(crate) async fn row(&self, tx: &mut Tx) -> Result<(), Problem> {
        let Contact { id, name, identity_id, phone, email, relay, language, on_call, state, version } = &self.contact;
        let identity_id = identity_id.map(|id| id.to_hex());
        let (language, on_call, state) = (language.as_str(), i64::from(*on_call), state.as_str());
        let (phone, email, relay) = (phone.clone(), email.clone(), relay.clone());
        let mut values = values![id, name, identity_id, phone, email, relay, language, on_call, state];
        values.extend(values![*version, self.now, self.world.number()]);
        let statement = if *version == 1 { ADD } else { CHANGE };
        if tx.execute(statement, values).await? == 1 {
            return Ok(());
        }
        Err(Problem::new(&kinds::CONFLICT).detail("the contact was changed meanwhile"))
    }

    /// What the log is to say of it.
    pub(crate) fn personal(&self) -> Result<Personal, Problem> {
        Personal::draw(self.contact.said(self.what))
    }
}
