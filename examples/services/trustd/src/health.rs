//! What every module says of itself: whether its tables answer.

use platform::problem::{Problem, kinds};
use platform::web::Json;
use serde::Serialize;
use std::fmt::Display;
use utoipa::ToSchema;

/// That a module works.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    pub status: &'static str,
}

/// What is answered where its tables were touched.
pub(crate) fn found<T, E: Display>(touched: Result<T, E>) -> Result<Json<Health>, Problem> {
    touched.map(|_| Json(Health { status: "ok" })).map_err(|error| {
        tracing::error!(%error, "tables do not answer");
        Problem::new(&kinds::UNHEALTHY).retry_after(5)
    })
}
