//! Which node something is of.

/// Which node a login, or an invitation, is of: one that was added again under its label is another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfNode {
    /// Its label.
    pub label: String,
    /// Since when it is there, in milliseconds.
    pub since: i64,
}
