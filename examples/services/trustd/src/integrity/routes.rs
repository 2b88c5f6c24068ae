//! The addresses.

use super::types::StatusOut;
use super::watch::Watch;
use crate::App;
use crate::refusals::OfReading;
use axum::Extension;
use axum::extract::State;
use platform::web::Json;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The addresses, over the files of this machine.
#[must_use]
pub fn router(watch: Arc<Watch>) -> OpenApiRouter<App> {
    addresses().layer(Extension(watch))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(status))
}

/// Whether the files of the machine that answers are as the deployer signed them.
#[utoipa::path(get, path = "/api/v1/integrity/status", tag = "integrity", responses(
    (status = 200, description = "How they stood at the last look", body = StatusOut), OfReading))]
async fn status(State(app): State<App>, Extension(watch): Extension<Arc<Watch>>) -> Json<StatusOut> {
    Json(watch.said(&app))
}
