//! Answers.

use serde::Serialize;
use utoipa::ToSchema;

/// How the files stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = IntegrityState)]
pub(crate) enum Stands {
    /// They are as the deployer signed them.
    Ok,
    /// Some are not as they were.
    Anomaly,
    /// They are as they were at the start, and nobody signed that; or nobody knows, since it was not looked: `reason`.
    Unsigned,
}

/// A file that is not as it was.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IntegrityAnomaly)]
pub(crate) struct Anomaly {
    /// Always `hash_anomaly`.
    #[serde(rename = "type")]
    #[schema(pattern = "^hash_anomaly$", example = "hash_anomaly")]
    pub kind: &'static str,
    /// Always `TAMPER`.
    #[schema(pattern = "^TAMPER$", example = "TAMPER")]
    pub label: &'static str,
    /// Where it is; signs that are no text are written `\x`, a backslash twice.
    #[schema(example = "/usr/local/bin/trustd")]
    pub path: String,
    /// What was there: kind, mode, owner and SHA3-256; null for a file that was added.
    #[schema(example = "file 0755 0:0 a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a")]
    pub expected: Option<String>,
    /// What is there; null where nothing is.
    pub found: Option<String>,
    /// When it was seen first.
    #[schema(format = DateTime)]
    pub since: String,
}

/// How the files stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IntegrityStatus)]
pub(crate) struct StatusOut {
    /// In a word.
    pub status: Stands,
    /// Whether a manifest of the deployer's holds.
    pub signed: bool,
    /// Why not.
    pub reason: Option<String>,
    /// The number of the manifest, which only grows.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    pub number: Option<u64>,
    /// How many files are watched.
    #[schema(minimum = 0)]
    pub modules: usize,
    /// When it was looked last; null before the first look.
    #[schema(format = DateTime)]
    pub looked: Option<String>,
    /// How many are not as they were.
    #[schema(minimum = 0)]
    pub count: usize,
    /// The first thousand of them, by path.
    pub anomalies: Vec<Anomaly>,
}
