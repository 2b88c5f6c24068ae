//! What the service of these tests is put together from.

use super::*;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use platform::db::Statement;
use std::path::Path;

/// SQLite in the folder of the test, or a database of its own on the server that is named.
pub(super) async fn database(folder: &Path) -> Db {
    let Ok(server) = std::env::var("TRUSTD_TEST_POSTGRES") else {
        return Db::open("sqlite:x.sqlite", folder, 4).await.unwrap();
    };
    let name = format!("shards_{}", Uuid::now_v7().simple());
    let create = Statement::new(Box::leak(format!("CREATE DATABASE {name}").into_boxed_str()));
    let admin = Db::open(&server, folder, 3).await.unwrap();
    admin.execute(create, values![]).await.unwrap();
    admin.close().await;
    let (server, _) = server.rsplit_once('/').unwrap();
    Db::open(&format!("{server}/{name}"), folder, 4).await.unwrap()
}

/// Who calls, by a header in the place of a token: `native`, `second`, `noble`, `stranger`, `decoy` or `node:LABEL`.
pub(super) async fn caller(mut request: Request, next: Next) -> Response {
    let token =
        request.headers().get(header::AUTHORIZATION).and_then(|token| token.to_str().ok()?.strip_prefix("Bearer "));
    if let Some(token) = token {
        let domain = Domain::new("TRUST").unwrap();
        let (name, tier, world, node) = match token.split_once(':') {
            Some(("node", label)) => ("node", Tier::Noble, World::Real, Some(label.to_owned())),
            _ if token == "decoy" => ("ana", Tier::Native, World::Decoy, None),
            _ if token == "noble" => ("ana", Tier::Noble, World::Real, None),
            _ if token == "stranger" => ("stranger", Tier::Noble, World::Real, None),
            _ => (token, Tier::Native, World::Real, None),
        };
        let subject = domain.identity_id(b"", name, "").unwrap();
        let (scopes, client) = ([Scope::Trust, Scope::Node].into(), "test".to_owned());
        request.extensions_mut().insert(Caller { subject, tier, scopes, node, token: Uuid::now_v7(), client, world });
    }
    next.run(request).await
}

/// An identity's first key.
pub(super) struct AddKey {
    pub(super) identity_id: IdentityId,
    pub(super) key: SigningKey,
    pub(super) secrets: Secrets,
}

impl Work for AddKey {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.keep(self.secrets.seal(seed_place(self.key.public_key())?, self.key.seed().expose())?);
        step.add_key(&self.identity_id, self.key.public_key())?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}
