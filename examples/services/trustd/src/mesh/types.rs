//! Answers.

use serde::Serialize;
use utoipa::ToSchema;

/// What the monitor of this machine says of itself.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MonitorStatus)]
pub(crate) struct MonitorOut {
    /// Always `ok`: the service answers.
    #[schema(pattern = "^ok$", example = "ok")]
    pub status: &'static str,
    /// When the monitor ran last, and told what there was to tell; null where it never did.
    #[schema(format = DateTime)]
    pub last_run: Option<String>,
}
