//! The addresses of vault shards.
//!
//! | file | what it is |
//! |---|---|
//! | `split` | splits: dealt, listed, verified |
//! | `nodes` | what nodes call: polls, pulls, acknowledgements, orders, released shards |
//! | `requests` | rebuilding: opened, approved, fetched |
//! | `refresh` | the same secret dealt anew |

mod nodes;
mod refresh;
mod requests;
mod split;

use super::Known;
use super::covered::Covered;
use super::types::{ArgumentsOut, GivenOut, RequestOut};
use crate::App;
use crate::qt::store::requests::{self as rows, RequestRow};
use crate::qt::types::Asked;
use crate::vault::Vault;
use axum::Extension;
use dualseal::Timestamp;
use dualseal::presence::Challenge;
use platform::problem::Problem;
use platform::web::Name;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;

/// What one process knows beside the database, as handlers are given it.
type Shared = Extension<Arc<Known>>;

/// Its addresses.
#[must_use]
pub fn router(vault: Arc<Vault>) -> OpenApiRouter<App> {
    let known = Known { vault, covered: Covered::default() };
    addresses().layer(Extension(Arc::new(known)))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(split::router())
        .merge(nodes::router())
        .merge(requests::router())
        .merge(refresh::router())
}

/// What is told of a request.
async fn told(app: &App, row: &RequestRow) -> Result<RequestOut, Problem> {
    let given = |given: rows::GivenRow| GivenOut {
        shard_id: Name(given.shard_id),
        indeks: given.index,
        node_url: given.node,
        holds: given.holds,
    };
    Ok(RequestOut {
        request_id: row.id,
        state: row.state,
        opener: Name(row.opener),
        opened: Name(Timestamp::from_millis(row.created)?),
        request: Asked::of(&row.request),
        arguments: ArgumentsOut { m: row.arguments.m, n: row.arguments.n, node_urls: row.arguments.node_urls.clone() },
        nonce: Name(row.nonce),
        expiry: Name(row.expiry),
        domain: app.config.domain.clone(),
        challenge: Name(Challenge::new(app.log.domain(), &row.request, &row.nonce, row.expiry)),
        required: row.required,
        proofs: rows::proofs(&app.db, &row.id).await?.len(),
        shards: rows::given_in(&app.db, &row.id).await?.into_iter().map(given).collect(),
    })
}
