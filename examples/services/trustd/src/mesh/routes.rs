//! The addresses.

use super::store;
use super::types::MonitorOut;
use crate::App;
use axum::extract::State;
use dualseal::Timestamp;
use platform::problem::{Body as ProblemBody, Problem};
use platform::web::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The addresses.
#[must_use]
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health))
}

/// When the monitor of this machine ran last: peers ask, and tell when it is silent.
#[utoipa::path(get, path = "/api/v1/mesh/health", tag = "mesh", responses(
    (status = 200, description = "The service answers", body = MonitorOut),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json")))]
async fn health(State(app): State<App>) -> Result<Json<MonitorOut>, Problem> {
    let data = app.config.data.clone();
    let left = tokio::task::spawn_blocking(move || store::left(&data)).await;
    let last = left.map_err(|error| Problem::internal("mesh", &error))?.last_run;
    let last_run = last.and_then(|millis| Timestamp::from_millis(millis).ok()).map(|time| time.to_string());
    Ok(Json(MonitorOut { status: "ok", last_run }))
}
