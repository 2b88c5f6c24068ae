//! All addresses, from the modules, with their documentation.

use crate::App;
use axum::Router;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "trustd",
        description = "Signing, threshold signing, vault secrets among nodes, and a vault of nine layers, over one log \
                       that strangers verify.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(platform::problem::Body, platform::problem::Field)),
    tags(
        (name = "auth", description = "Tokens, logins, invitations"),
        (name = "log", description = "The log, to strangers and witnesses"),
        (name = "dsa", description = "Identities, their keys, signature records"),
        (name = "threshold", description = "K of n custodians sign"),
        (name = "qt", description = "Vault secrets among nodes"),
        (name = "vault", description = "Documents in nine layers")
    )
)]
struct Api;

/// The addresses of all modules, and their documentation.
pub fn assemble() -> (Router<App>, Document) {
    OpenApiRouter::with_openapi(Api::openapi())
        .merge(crate::auth::router())
        .merge(crate::logs::router())
        .merge(crate::dsa::router())
        .merge(crate::threshold::router())
        .merge(crate::qt::router())
        .merge(crate::vault::router())
        .split_for_parts()
}

#[cfg(test)]
mod tests {
    use super::assemble;
    use crate::table::TABLE;
    use std::collections::BTreeSet;

    /// Nothing is served that the table has not, and nothing stands in it that is not served.
    #[test]
    fn the_table_and_the_router_name_the_same() {
        let (_, document) = assemble();
        let mut served = BTreeSet::new();
        for (path, item) in &document.paths.paths {
            let methods = [
                ("GET", item.get.is_some()),
                ("POST", item.post.is_some()),
                ("PATCH", item.patch.is_some()),
                ("PUT", item.put.is_some()),
                ("DELETE", item.delete.is_some()),
            ];
            served.extend(methods.iter().filter(|(_, is)| *is).map(|(method, _)| (*method, path.clone())));
        }
        let table: BTreeSet<_> = TABLE.iter().map(|row| (row.method, row.path.to_owned())).collect();
        assert_eq!(table.len(), TABLE.len(), "a row stands twice");
        let missing: Vec<_> = table.symmetric_difference(&served).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
