//! The rows of nodes, as they are read: one that the service did not write is none.

use crate::authority::Authority;
use crate::authority::of_node::OfNode;
use crate::db::{Row, Tx, statements};
use crate::problem::Problem;
use crate::secrets::{Kind, RowTags, Tagged};
use crate::values;
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;

statements! {
    LIST = "SELECT * FROM custodians WHERE removed IS NULL ORDER BY added, label";
    BY_LABEL = "SELECT * FROM custodians WHERE label = $1 AND removed IS NULL";
}

/// When a node was seen last says nothing of what it may: it has no part in the tag.
pub(super) const TABLE: Tagged = Tagged {
    table: "custodians",
    columns: &[
        ("label", Kind::Text),
        ("identity_id", Kind::Text),
        ("key", Kind::Bytes),
        ("added", Kind::Number),
        ("removed", Kind::Number),
    ],
    tag: "tag",
};
/// The same beside a token.
pub(in crate::authority) const BESIDE_TOKEN: Tagged = Tagged {
    columns: &[
        ("node_label", Kind::Text),
        ("node_identity_id", Kind::Text),
        ("node_key", Kind::Bytes),
        ("node_added", Kind::Number),
        ("node_removed", Kind::Number),
    ],
    tag: "node_tag",
    ..TABLE
};

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// A URL or a name.
    pub label: String,
    /// Who it is.
    pub identity_id: IdentityId,
    /// Its key, where one was pinned.
    pub key: Option<Ed25519PublicKey>,
    /// Since when, in milliseconds.
    pub added: i64,
    /// When it asked for something last.
    pub last_seen: Option<i64>,
}

/// All nodes, in the order in which they were added.
///
/// # Errors
/// The database.
pub async fn list(tx: &mut Tx, tags: &RowTags) -> Result<Vec<Node>, Problem> {
    found(tags, &tx.list(LIST, values![]).await?)
}

/// Whether an identity has this node now.
pub(in crate::authority) async fn is_there(
    tx: &mut Tx,
    tags: &RowTags,
    node: &OfNode,
    identity_id: &IdentityId,
) -> Result<bool, Problem> {
    let nodes = found(tags, &tx.list(BY_LABEL, values![&node.label]).await?)?;
    Ok(nodes.iter().any(|found| found.identity_id == *identity_id && found.added == node.since))
}

/// Those of the rows that the service wrote.
fn found(tags: &RowTags, rows: &[Row]) -> Result<Vec<Node>, Problem> {
    let mut nodes = Vec::with_capacity(rows.len());
    for row in rows {
        if tags.hold(&TABLE, row)? {
            nodes.push(node(row)?);
        }
    }
    Ok(nodes)
}

impl Authority {
    /// All nodes, in the order in which they were added.
    ///
    /// # Errors
    /// The database.
    pub async fn nodes(&self) -> Result<Vec<Node>, Problem> {
        found(&self.tags, &self.db.list(LIST, values![]).await?)
    }

    /// The node of a label.
    ///
    /// # Errors
    /// The database.
    pub async fn node(&self, label: &str) -> Result<Option<Node>, Problem> {
        Ok(found(&self.tags, &self.db.list(BY_LABEL, values![label]).await?)?.pop())
    }
}

fn node(row: &Row) -> Result<Node, Problem> {
    let key = row.maybe_bytes("key")?.map(<[u8; 32]>::try_from).transpose();
    let key = key.map_err(|_| Problem::internal("nodes", &"a key has not 32 bytes"))?;
    Ok(Node {
        label: row.text("label")?,
        identity_id: row.text("identity_id")?.parse()?,
        key: key.map(Ed25519PublicKey::from_bytes),
        added: row.number("added")?,
        last_seen: row.maybe_number("last_seen")?,
    })
}
