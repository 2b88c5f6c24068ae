//! The nodes that hold shards and shares: each has a label (a URL or a name), an identity, and the Ed25519 key that was
//! pinned for it. No node is dialled: its label only names it.
//!
//! Each change is an entry of the log, under the log's own identity, whose message is canonical JSON:
//!
//! ```text
//! {"identity_id":"<64 hex>","key":"<64 hex>" or null,"label":"<text>","what":"node-added"}
//! {"identity_id":"<64 hex>","label":"<text>","lost":<boolean>,"what":"node-removed"}
//! ```
//!
//! With a node go its logins, each with the entry of a login that is removed, and the invitations to enrol one.
//!
//! so that whoever walks the chain knows which nodes there were from when on, and a row that was slipped into the
//! database has no entry.
//!
//! A label stays with the identity that had it first: shares are dealt to an identity under a label, and who came after
//! it under the same one would be handed what waits for it.

mod rows;

pub(super) use rows::is_there;
pub(super) use rows::{ALL as READS, BESIDE_TOKEN};
pub use rows::{Node, list};

use super::of_node::OfNode;
use super::{Authority, Invitation, Invited, ends, invitations, logins};
use crate::access::{Scope, Tier, World};
use crate::db::{Statement, Tx, statements};
use crate::log::Work;
use crate::problem::{Problem, kinds};
use crate::secrets::RowTags;
use crate::values;
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal_operator::step::{Changes, State, Step};
use rows::{BY_LABEL, TABLE};
use serde_json::json;
use std::collections::BTreeSet;
use url::Url;
use uuid::Uuid;

statements! {
    ANY_OF_LABEL = "SELECT identity_id, added, removed FROM custodians WHERE label = $1";
    ADD = "INSERT INTO custodians (label, identity_id, key, added, tag) VALUES ($1, $2, $3, $4, $5) \
           ON CONFLICT (label) DO UPDATE SET key = excluded.key, added = excluded.added, last_seen = NULL, \
           removed = NULL, tag = excluded.tag";
    REMOVE = "UPDATE custodians SET removed = $2, tag = $3 WHERE label = $1 AND removed IS NULL";
}

/// Whether a text is the label of a node: an address (http or https, without credentials, query or fragment) or a name
/// of 1 to 255 bytes without white space.
///
/// # Errors
/// [`kinds::INVALID_FIELD`].
pub fn check_label(label: &str) -> Result<(), Problem> {
    let wrong = |code, detail| Err(Problem::invalid("/label", code, detail));
    if label.is_empty() || label.len() > 255 || label.chars().any(|one| one.is_control() || one.is_whitespace()) {
        return wrong("length", "has 1 to 255 bytes, no white space and no control characters");
    }
    if !label.contains("://") {
        return Ok(());
    }
    let is_address = Url::parse(label).is_ok_and(|url| {
        let is_plain = url.username().is_empty() && url.password().is_none();
        matches!(url.scheme(), "http" | "https") && is_plain && url.query().is_none() && url.fragment().is_none()
    });
    if is_address {
        Ok(())
    } else {
        wrong("url", "is no address of http or https without credentials, query or fragment")
    }
}

/// Adds a node: [submit](crate::log::Log::submit) it.
#[derive(Clone, Debug)]
pub struct AddNode {
    label: String,
    identity_id: IdentityId,
    key: Option<Ed25519PublicKey>,
    /// Whose entry it is: the log's.
    log: IdentityId,
    tags: RowTags,
}

impl AddNode {
    /// Of this label, identity and key.
    ///
    /// # Errors
    /// [`kinds::INVALID_FIELD`].
    pub fn new(
        authority: &Authority,
        label: &str,
        identity_id: IdentityId,
        key: Option<Ed25519PublicKey>,
    ) -> Result<Self, Problem> {
        check_label(label)?;
        if key.is_some_and(|key| !key.is_strict()) {
            return Err(Problem::invalid("/key", "not-a-key", "is no Ed25519 public key"));
        }
        let (log, tags) = (*authority.log.identity(), authority.tags.clone());
        Ok(Self { label: label.to_owned(), identity_id, key, log, tags })
    }
}

impl Authority {
    /// Invites the keeper of a node, for the host's command line alone: what logs in by it has the node's token, and no
    /// other.
    ///
    /// # Errors
    /// [`kinds::UNKNOWN_ID`] where there is no node of this label; the database.
    pub async fn invite_node(&self, label: &str) -> Result<Invited, Problem> {
        let found = self.node(label).await?;
        let Node { identity_id, label, added: since, .. } =
            found.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID).detail("there is no node of this label"))?;
        let (tier, scopes, world, by) = (Tier::Noble, BTreeSet::from([Scope::Node]), World::Real, Vec::new());
        self.invite(&Invitation { identity_id, tier, scopes, world, by, node: Some(OfNode { label, since }) }).await
    }
}

fn added(label: &str, identity_id: &IdentityId, key: Option<&Ed25519PublicKey>) -> String {
    // serde_json writes members in the order of their names.
    let (key, identity_id) = (key.map(Ed25519PublicKey::to_hex), identity_id.to_hex());
    json!({ "identity_id": identity_id, "key": key, "label": label, "what": "node-added" }).to_string()
}

impl Work for AddNode {
    type Read = ();
    type Made = u64;
    /// The place of its entry in the log.
    type Answer = u64;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<(), Problem> {
        let conflict = |why: &str| Err(Problem::new(&kinds::CONFLICT).detail(why));
        match tx.find(ANY_OF_LABEL, values![&self.label]).await? {
            Some(row) if row.maybe_number("removed")?.is_none() => conflict("there is a node of this label"),
            Some(row) if row.text("identity_id")? != self.identity_id.to_hex() => {
                conflict("a node of another identity had this label: choose another one")
            }
            _ => Ok(()),
        }
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<u64, Problem> {
        let message = added(&self.label, &self.identity_id, self.key.as_ref());
        Ok(step.append(&self.log, &message)?.seq())
    }

    async fn rows(&self, tx: &mut Tx, seq: u64, changes: &Changes) -> Result<u64, Problem> {
        let mut added = changes.entries.last().map_or(0, |entry| entry.time().as_millis());
        // The log may stand still for a while: what was there under this label before was another node.
        if let Some(before) = tx.find(ANY_OF_LABEL, values![&self.label]).await? {
            added = added.max(before.number("added")?.saturating_add(1));
        }
        let key = self.key.map(|key| key.as_bytes().to_vec());
        let mut values = values![&self.label, self.identity_id.to_hex(), key, added, None::<i64>];
        let tag = self.tags.tag(&TABLE, &values);
        values[4] = tag.into();
        tx.execute(ADD, values).await?;
        Ok(seq)
    }

    /// Whether the label is free is told by another's row.
    fn is_alone(&self) -> bool {
        true
    }
}

/// Removes a node, and ends its logins and tokens: [submit](crate::log::Log::submit) it.
#[derive(Clone, Debug)]
pub struct RemoveNode {
    /// Which.
    pub label: String,
    /// Whose entry it is: the log's.
    pub log: IdentityId,
    /// What makes the tags of rows.
    pub tags: RowTags,
    /// It is gone, with whatever it holds.
    pub lost: bool,
    /// Each counts as `held` what the node of a label, its value, holds that is in force.
    pub holds: &'static [Statement],
    /// Each says of the node of a label that what it holds is gone.
    pub gone: &'static [Statement],
}

impl Work for RemoveNode {
    type Read = (IdentityId, Vec<Uuid>);
    type Made = u64;
    /// The place of its entry in the log.
    type Answer = u64;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let row = tx.find(BY_LABEL, values![&self.label]).await?;
        let row = row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID).detail("there is no node of this label"))?;
        let mut held = 0;
        for statement in self.holds {
            held += tx.find(*statement, values![&self.label]).await?.map_or(Ok(0), |row| row.size("held"))?;
        }
        if held > 0 && !self.lost {
            let why = format!(
                "it holds {held} shards and shares that count or are to count: deal them anew to other nodes first, or \
                 say that it is lost"
            );
            return Err(Problem::new(&kinds::CONFLICT).detail(why));
        }
        Ok((row.text("identity_id")?.parse()?, logins::of_node(tx, &self.tags, &self.label).await?))
    }

    fn step(&self, step: &mut Step<'_>, (identity_id, logins): Self::Read) -> Result<Self::Made, Problem> {
        let Self { label, lost, log, .. } = self;
        for login in &logins {
            step.append(&identity_id, &format!("login removed {login}"))?;
        }
        let identity_id = identity_id.to_hex();
        let message = json!({ "identity_id": identity_id, "label": label, "lost": lost, "what": "node-removed" });
        Ok(step.append(log, &message.to_string())?.seq())
    }

    async fn rows(&self, tx: &mut Tx, seq: u64, changes: &Changes) -> Result<u64, Problem> {
        let now = changes.entries.last().map_or(0, |entry| entry.time().as_millis());
        if let Some(row) = tx.find(BY_LABEL, values![&self.label]).await? {
            let tag = self.tags.again(&TABLE, &row, &[("removed", now.into())])?;
            tx.execute(REMOVE, values![&self.label, now, tag]).await?;
        }
        ends::end_of_node(tx, &self.tags, &self.label, now).await?;
        invitations::withdraw_of_node(tx, &self.label).await?;
        logins::remove_of_node(tx, &self.label).await?;
        for statement in self.gone {
            tx.execute(*statement, values![&self.label]).await?;
        }
        Ok(seq)
    }

    /// What it holds is told by others' rows.
    fn is_alone(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_an_address_or_a_name() {
        for label in ["https://node.example", "http://127.0.0.1:9000/", "berlin-1", "n"] {
            assert!(check_label(label).is_ok(), "{label}");
        }
        let long = "n".repeat(256);
        let labels = [
            "",
            "a b",
            "a\u{1}",
            "ftp://node.example",
            "https://a@node.example",
            "https://node.example/?a=1",
            "https://node.example/#a",
            "https://",
            &long,
        ];
        for label in labels {
            assert!(check_label(label).is_err(), "{label}");
        }
    }

    #[test]
    fn the_message_is_canonical() {
        let id = IdentityId::from_bytes([7; 32]);
        let hex = "07".repeat(32);
        let text = format!(r#"{{"identity_id":"{hex}","key":null,"label":"berlin-1","what":"node-added"}}"#);
        assert_eq!(added("berlin-1", &id, None), text);
    }
}
