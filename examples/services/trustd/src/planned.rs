//! What is planned: each address answers that it is, so that nobody takes it for a mistake of his own.

use crate::App;
use platform::problem::{Body as ProblemBody, Problem, kinds};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What their addresses begin with.
pub(crate) const PREFIX: &str = "/api/v1/token-economy/";

/// The addresses.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stats)).routes(routes!(health))
}

/// Figures of the token economy: planned.
#[utoipa::path(get, path = "/api/v1/token-economy/stats", tag = "planned", responses(
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 501, description = "Planned", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn stats() -> Problem {
    Problem::new(&kinds::PLANNED)
}

/// Whether the token economy works: planned.
#[utoipa::path(get, path = "/api/v1/token-economy/health", tag = "planned", responses(
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 501, description = "Planned", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health() -> Problem {
    Problem::new(&kinds::PLANNED)
}
