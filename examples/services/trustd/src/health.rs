//! What every module says of itself: whether its tables answer.

use platform::db::{Db, Statement};
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Json;
use serde::Serialize;
use utoipa::ToSchema;

/// That a module works.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    pub status: &'static str,
}

/// What a module whose tables this statement touches says of itself.
///
/// # Errors
/// As [`touch`].
pub(crate) async fn told(db: &Db, statement: Statement) -> Result<Json<Health>, Problem> {
    touch(db, statement).await?;
    Ok(Json(Health { status: "ok" }))
}

/// Touches tables, by a statement that takes no values.
///
/// # Errors
/// [`kinds::UNHEALTHY`] where they do not answer.
pub(crate) async fn touch(db: &Db, statement: Statement) -> Result<(), Problem> {
    db.find(statement, values![]).await.map(drop).map_err(|error| {
        tracing::error!(%error, "tables do not answer");
        Problem::new(&kinds::UNHEALTHY).retry_after(5)
    })
}
