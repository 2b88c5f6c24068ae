//! What a witness's folder holds.
//!
//! | file | what it holds |
//! |---|---|
//! | `witness.json` | `{"name", "version":"1"}` |
//! | `witness.key` | the Ed25519 key, for the owner alone |
//! | `<SHA-256 of a log's name>/head.json` | where that log ended when it was seen last |
//! | `<SHA-256 of a log's name>/checkpoint` | its note, with the last cosignature |

/// The key of a witness.
pub(super) const KEY: &str = "witness.key";
/// His name.
pub(super) const ABOUT: &str = "witness.json";
