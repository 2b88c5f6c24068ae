//! What the service of these tests is put together from.

use super::*;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

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
