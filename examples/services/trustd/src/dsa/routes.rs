//! dsa: routes
use crate::App;
use utoipa_axum::router::OpenApiRouter;

/// Its addresses.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
