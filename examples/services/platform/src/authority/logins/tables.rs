//! What the tag of a login covers. Those of nodes have a tag of their own, which says since when the node is there: one
//! that was removed and added again is another one, and a row of before is none of its.

use crate::db::{DbError, Row};
use crate::secrets::{Kind, Tagged};

const COLUMNS: &[(&str, Kind)] = &[
    ("id", Kind::Text),
    ("kind", Kind::Text),
    ("identity_id", Kind::Text),
    ("tier", Kind::Text),
    ("scope", Kind::Text),
    ("public_key", Kind::Bytes),
    ("issuer", Kind::Text),
    ("outside", Kind::Text),
    ("label", Kind::Text),
    ("added", Kind::Number),
    ("hidden", Kind::Number),
    ("world", Kind::Number),
    ("invited_by", Kind::Text),
    ("node_since", Kind::Number),
];
/// The same beside a token.
const BESIDE: &[(&str, Kind)] = &[
    ("login_id", Kind::Text),
    ("login_kind", Kind::Text),
    ("login_identity_id", Kind::Text),
    ("login_tier", Kind::Text),
    ("login_scope", Kind::Text),
    ("login_public_key", Kind::Bytes),
    ("login_issuer", Kind::Text),
    ("login_outside", Kind::Text),
    ("login_label", Kind::Text),
    ("login_added", Kind::Number),
    ("login_hidden", Kind::Number),
    ("login_world", Kind::Number),
    ("login_invited_by", Kind::Text),
    ("login_node_since", Kind::Number),
];
const NODES: &str = "logins of nodes";

const TABLE: Tagged = Tagged { table: "logins", columns: COLUMNS.split_at(COLUMNS.len() - 1).0, tag: "tag" };
const OF_NODE: Tagged = Tagged { table: NODES, columns: COLUMNS, ..TABLE };
const BESIDE_TOKEN: Tagged = Tagged { columns: BESIDE.split_at(BESIDE.len() - 1).0, tag: "login_tag", ..TABLE };
const OF_NODE_BESIDE: Tagged = Tagged { table: NODES, columns: BESIDE, ..BESIDE_TOKEN };

pub(super) fn table(is_node: bool) -> &'static Tagged {
    if is_node { &OF_NODE } else { &TABLE }
}

/// That of a row.
///
/// # Errors
/// [`DbError::Column`] for a statement that does not read it.
pub(super) fn table_of(row: &Row) -> Result<&'static Tagged, DbError> {
    Ok(table(row.text("kind")? == "node"))
}

/// That of the login beside a token.
///
/// # Errors
/// As [`table_of`].
pub(in crate::authority) fn beside_token(row: &Row) -> Result<&'static Tagged, DbError> {
    let kind = row.maybe_text("login_kind")?;
    Ok(if kind.as_deref() == Some("node") { &OF_NODE_BESIDE } else { &BESIDE_TOKEN })
}
