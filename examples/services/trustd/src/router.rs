//! All addresses, from the modules, with their documentation.

use crate::App;
use crate::integrity::Watch;
use crate::messaging::Messaging;
use crate::models::Models;
use crate::vault::Vault;
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "trustd",
        description = "Signing, threshold signing, vault secrets among nodes, and a vault of nine layers, over one log \
                       that strangers verify.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(platform::problem::Body, platform::problem::Field)),
    tags(
        (name = "auth", description = "Tokens, logins, invitations"),
        (name = "log", description = "The log, to strangers and witnesses"),
        (name = "dsa", description = "Identities, their keys, signature records"),
        (name = "threshold", description = "K of n custodians sign"),
        (name = "qt", description = "Vault secrets among nodes"),
        (name = "presence", description = "The authenticators of people"),
        (name = "vault", description = "Documents in nine layers"),
        (name = "messaging", description = "Messages in and out, and who is written to"),
        (name = "lifecycle", description = "Documents with an end"),
        (name = "fleet", description = "Vehicles, and the clock of their return"),
        (name = "driver", description = "What drivers file"),
        (name = "integrity", description = "Files that are watched for changes"),
        (name = "mesh", description = "The monitor"),
        (name = "family", description = "Children of guardians, and what is kept for them"),
        (name = "planned", description = "What is not there yet"),
        (name = "peers", description = "Other services"),
        (name = "models", description = "Language models, one provider after the other"),
        (name = "proof", description = "Formal proofs, with their evidence inside")
    )
)]
struct Api;

/// The addresses of all modules.
#[must_use]
pub fn served(
    vault: &Arc<Vault>,
    messaging: &Arc<Messaging>,
    watch: &Arc<Watch>,
    models: &Arc<Models>,
) -> OpenApiRouter<App> {
    plain()
        .merge(crate::qt::router(Arc::clone(vault)))
        .merge(crate::vault::router(Arc::clone(vault)))
        .merge(crate::messaging::router(Arc::clone(messaging)))
        .merge(crate::lifecycle::router(Arc::clone(vault)))
        .merge(crate::driver::router(Arc::clone(vault)))
        .merge(crate::family::router(Arc::clone(vault)))
        .merge(crate::proof::router(Arc::clone(vault)))
        .merge(crate::integrity::router(Arc::clone(watch)))
        .merge(crate::models::router(Arc::clone(models)))
}

/// What the documentation is made of, without anything that is served.
#[must_use]
pub fn document() -> Document {
    let held = crate::qt::addresses().merge(crate::vault::addresses()).merge(crate::messaging::documented());
    let held = held.merge(crate::integrity::addresses()).merge(crate::proof::addresses());
    let held = held.merge(crate::lifecycle::addresses()).merge(crate::family::addresses());
    let held = held.merge(crate::models::addresses());
    plain().merge(held).merge(crate::driver::addresses()).into_openapi()
}

/// The addresses of the modules that need nothing but the platform.
fn plain() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Api::openapi())
        .merge(crate::auth::router())
        .merge(crate::logs::router())
        .merge(crate::dsa::router())
        .merge(crate::threshold::router())
        .merge(crate::presence::router())
        .merge(crate::fleet::router())
        .merge(crate::mesh::router())
        .merge(crate::planned::router())
        .merge(crate::peers::router())
}

/// All statements of the modules: a test prepares each.
pub fn statements() -> impl Iterator<Item = platform::db::Statement> {
    let nested = crate::threshold::STATEMENTS.iter().chain(crate::qt::STATEMENTS).chain(crate::presence::STATEMENTS);
    let nested = nested.chain(crate::vault::STATEMENTS).chain(crate::messaging::STATEMENTS);
    let nested = nested.chain(crate::lifecycle::STATEMENTS).chain(crate::fleet::STATEMENTS);
    let nested = nested
        .chain(crate::driver::STATEMENTS)
        .chain(crate::family::STATEMENTS)
        .chain(crate::integrity::STATEMENTS)
        .chain(crate::logs::STATEMENTS)
        .chain(crate::mesh::STATEMENTS)
        .chain(crate::models::STATEMENTS)
        .chain(crate::peers::STATEMENTS)
        .chain(crate::proof::STATEMENTS)
        .copied();
    let own = [crate::alarms::STATEMENTS, crate::dsa::STATEMENTS, crate::personal::STATEMENTS];
    let own = own.into_iter().chain([crate::ahead::STATEMENTS, crate::daily::STATEMENTS, crate::wellness::STATEMENTS]);
    nested.chain(own).flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::document;
    use crate::table::TABLE;
    use std::collections::BTreeSet;

    /// Nothing is served that the table has not, and nothing stands in it that is not served.
    #[test]
    fn the_table_and_the_router_name_the_same() {
        let mut served = BTreeSet::new();
        for (path, item) in &document().paths.paths {
            let methods = [
                ("GET", item.get.is_some()),
                ("POST", item.post.is_some()),
                ("PATCH", item.patch.is_some()),
                ("PUT", item.put.is_some()),
                ("DELETE", item.delete.is_some()),
            ];
            served.extend(methods.iter().filter(|(_, is)| *is).map(|(method, _)| (*method, path.clone())));
        }
        let docs = ["/docs", "/openapi.json", "/problems/"];
        let of_docs = |path: &str| docs.iter().any(|prefix| path.starts_with(prefix));
        let rows = TABLE.iter().filter(|row| !of_docs(row.path));
        let table: BTreeSet<_> = rows.clone().map(|row| (row.method, row.path.to_owned())).collect();
        assert_eq!(table.len(), rows.count(), "a row stands twice");
        let missing: Vec<_> = table.symmetric_difference(&served).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
