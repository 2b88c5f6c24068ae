//! Its addresses.

use super::rules::{CLIENT, decoy, jwk, login_key, may_give, revocation};
use super::types::{
    ChallengeAnswer, ChallengeRequest, EnrolRequest, Enrolled, ExchangeRequest, InvitationAnswer, InvitationRequest,
    JwkSet, KeysQuery, LoginKey, OutsideRequest, RevokeRequest, Revoked, TokenAnswer, TokenRequest, Zdravlje,
};
use super::{shut_out, store};
use crate::{App, wellness};
use axum::extract::{Path, State};
use http::StatusCode;
use platform::access::Caller;
use platform::authority::{Challenge, Invitation, Issued, Login, NewOutside, invitation_code};
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body, Problem};
use platform::watch::About;
use platform::web::{Json, Name, Query, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Its addresses.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(jwks))
        .routes(routes!(zdravlje))
        .routes(routes!(challenge))
        .routes(routes!(token))
        .routes(routes!(exchange))
        .routes(routes!(enrol))
        .routes(routes!(keys))
        .routes(routes!(remove_key))
        .routes(routes!(outside))
        .routes(routes!(revoke))
        .routes(routes!(invitations))
}

/// The public keys of tokens.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "auth",
    responses((status = 200, description = "The keys", body = JwkSet)))]
async fn jwks(State(app): State<App>) -> Result<Json<JwkSet>, Problem> {
    let keys = app.authority.public_keys().await?;
    Ok(Json(JwkSet { keys: keys.into_iter().map(|(kid, public)| jwk(kid, public)).collect() }))
}

/// That the service answers, and the share of what it looks at that is well: database, head, the checkpoint's age,
/// objects and disk.
#[utoipa::path(get, path = "/api/v1/auth/zdravlje", tag = "auth", responses(
    (status = 200, description = "It answers", body = Zdravlje)))]
async fn zdravlje(State(app): State<App>) -> Json<Zdravlje> {
    Json(Zdravlje { ok: true, trust: wellness::share(&app.checks) })
}

/// A challenge for a login. Identities that nobody knows get one alike.
#[utoipa::path(post, path = "/api/v1/auth/challenge", tag = "auth", request_body = ChallengeRequest, responses(
    (status = 200, description = "The challenge", body = ChallengeAnswer),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn challenge(
    State(app): State<App>,
    Json(asked): Json<ChallengeRequest>,
) -> Result<Json<ChallengeAnswer>, Problem> {
    let Challenge { nonce, expiry } = app.authority.challenge(&asked.identity_id.0).await?;
    let (audience, domain) = (app.authority.audience().to_owned(), app.config.domain.clone());
    Ok(Json(ChallengeAnswer { nonce: Name(nonce), expiry: Name(expiry), audience, domain }))
}

/// A token for a signed statement of a login.
#[utoipa::path(post, path = "/api/v1/auth/token", tag = "auth", request_body = TokenRequest, responses(
    (status = 200, description = "The token", body = TokenAnswer),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 401, description = "`bad-login`", body = Body, content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn token(
    State(app): State<App>,
    about: About,
    Json(asked): Json<TokenRequest>,
) -> Result<Json<TokenAnswer>, Problem> {
    about.note(&asked.identity_id.0);
    let login = Login {
        identity_id: asked.identity_id.0,
        tier: asked.tier,
        key_id: asked.key_id,
        challenge: Challenge { nonce: asked.nonce.0, expiry: asked.expiry.0 },
        signature: asked.signature.0,
        client: asked.client_id.unwrap_or_else(|| CLIENT.to_owned()),
    };
    Ok(answered(app.authority.log_in(&login).await?))
}

/// A token for one of an outside issuer.
#[utoipa::path(post, path = "/api/v1/auth/exchange", tag = "auth", request_body = ExchangeRequest, responses(
    (status = 200, description = "The token, of noble tier", body = TokenAnswer),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 401, description = "`bad-login`", body = Body, content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn exchange(
    State(app): State<App>,
    about: About,
    Json(asked): Json<ExchangeRequest>,
) -> Result<Json<TokenAnswer>, Problem> {
    let client = asked.client_id.as_deref().unwrap_or(CLIENT);
    let issued = app.authority.exchange(&asked.token, client).await?;
    if let Ok(identity_id) = issued.claims.sub.parse() {
        about.note(&identity_id);
    }
    Ok(answered(issued))
}

/// Enrols a login key, by an invitation. The same once more, within its day, is answered alike: the answer may have
/// been lost.
#[utoipa::path(post, path = "/api/v1/auth/enrol", tag = "auth", request_body = EnrolRequest, responses(
    (status = 201, description = "The login key", body = Enrolled),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 403, description = "`bad-invitation`", body = Body, content_type = "application/problem+json"),
    (status = 409, description = "`conflict`: the identity has this key", body = Body,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn enrol(
    State(app): State<App>,
    about: About,
    Json(asked): Json<EnrolRequest>,
) -> Result<(StatusCode, Json<Enrolled>), Problem> {
    // Anybody sends what is no code: it keeps no writer waiting.
    let code = invitation_code(&asked.invitation)?;
    let enrolled = app.authority.enrol(code, asked.public_key.0, asked.label).await?;
    let platform::authority::Enrolled { id: key_id, identity_id, tier, scopes } = enrolled;
    about.note(&identity_id);
    Ok((StatusCode::CREATED, Json(Enrolled { key_id, identity_id: Name(identity_id), tier, scopes })))
}

/// Login keys and outside subjects, newest first.
#[utoipa::path(get, path = "/api/v1/auth/keys", tag = "auth",
    params(KeysQuery, PageQuery),
    responses(
        (status = 200, description = "A page; `Link` leads to the next one", body = Listed<LoginKey>),
        (status = 401, description = "`no-token`, `bad-token`", body = Body, content_type = "application/problem+json"),
        (status = 403, description = "`tier-too-low`, `scope-missing`", body = Body,
            content_type = "application/problem+json"),
        (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn keys(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<KeysQuery>,
) -> Result<Listed<LoginKey>, Problem> {
    let (of, after) = (query.identity_id.map(|Name(identity_id)| identity_id), page.after::<Uuid>()?);
    let rows = app.authority.logins(of.as_ref(), decoy(&caller), after.as_ref(), page.ask().into()).await?;
    page.list(rows.into_iter().map(login_key).collect::<Result<Vec<_>, _>>()?, |row| row.key_id)
}

/// Removes a login key or an outside subject: every token that was got by it ends.
#[utoipa::path(delete, path = "/api/v1/auth/keys/{key_id}", tag = "auth",
    params(("key_id" = String, Path, description = "Its name", format = "uuid")),
    responses(
        (status = 204, description = "It is removed"),
        (status = 401, description = "`no-token`, `bad-token`", body = Body, content_type = "application/problem+json"),
        (status = 403, description = "`tier-too-low`, `scope-missing`", body = Body,
            content_type = "application/problem+json"),
        (status = 404, description = "`unknown-id`", body = Body, content_type = "application/problem+json")))]
async fn remove_key(State(app): State<App>, caller: Caller, Path(key_id): Path<String>) -> Result<StatusCode, Problem> {
    store::alarm(&app, &caller, "remove a login");
    let key_id: Uuid = id_in_path(&key_id)?;
    shut_out::remove_login(&app, &key_id, decoy(&caller)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a subject of an outside issuer for an identity, with scopes that the caller has.
#[utoipa::path(post, path = "/api/v1/auth/outside", tag = "auth", request_body = OutsideRequest, responses(
    (status = 201, description = "It gets tokens now", body = Enrolled),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 401, description = "`no-token`, `bad-token`", body = Body, content_type = "application/problem+json"),
    (status = 403, description = "`tier-too-low`, `scope-missing`", body = Body,
        content_type = "application/problem+json"),
    (status = 409, description = "`conflict`: the subject has an identity", body = Body,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn outside(
    State(app): State<App>,
    caller: Caller,
    Json(asked): Json<OutsideRequest>,
) -> Result<(StatusCode, Json<Enrolled>), Problem> {
    store::alarm(&app, &caller, "take an outside subject for an identity");
    may_give(&caller, &asked.scopes)?;
    let OutsideRequest { issuer, subject, identity_id, scopes } = asked;
    let (identity_id, world) = (identity_id.0, caller.world);
    let by = app.authority.lineage(&caller).await?;
    let new = NewOutside { issuer, outside: subject, identity_id, scopes: scopes.clone(), world, by };
    let key_id = app.authority.add_outside(&new).await?;
    let tier = platform::access::Tier::Noble;
    Ok((StatusCode::CREATED, Json(Enrolled { key_id, identity_id: Name(identity_id), tier, scopes })))
}

/// Revokes tokens: every process refuses them at its next request.
#[utoipa::path(post, path = "/api/v1/auth/revoke", tag = "auth", request_body = RevokeRequest, responses(
    (status = 200, description = "How many", body = Revoked),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 401, description = "`no-token`, `bad-token`", body = Body, content_type = "application/problem+json"),
    (status = 403, description = "`tier-too-low`, `scope-missing`", body = Body,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn revoke(
    State(app): State<App>,
    caller: Caller,
    Json(asked): Json<RevokeRequest>,
) -> Result<Json<Revoked>, Problem> {
    store::alarm(&app, &caller, "revoke tokens");
    let which = revocation(&asked, app.clock.millis())?;
    let revoked = shut_out::revoke(&app, &which, caller.world).await?;
    Ok(Json(Revoked { revoked }))
}

/// Invites somebody to enrol a login key, once and within 24 hours, with scopes that the caller has.
#[utoipa::path(post, path = "/api/v1/auth/invitations", tag = "auth", request_body = InvitationRequest, responses(
    (status = 201, description = "The invitation", body = InvitationAnswer),
    (status = 400, description = "`not-json`", body = Body, content_type = "application/problem+json"),
    (status = 401, description = "`no-token`, `bad-token`", body = Body, content_type = "application/problem+json"),
    (status = 403, description = "`tier-too-low`, `scope-missing`", body = Body,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = Body, content_type = "application/problem+json")))]
async fn invitations(
    State(app): State<App>,
    caller: Caller,
    Json(asked): Json<InvitationRequest>,
) -> Result<(StatusCode, Json<InvitationAnswer>), Problem> {
    store::alarm(&app, &caller, "invite");
    may_give(&caller, &asked.scopes)?;
    let InvitationRequest { identity_id, tier, scopes } = asked;
    let (identity_id, world, by) = (identity_id.0, caller.world, app.authority.lineage(&caller).await?);
    let invitation = Invitation { identity_id, tier, scopes, world, by, node: None };
    let invited = app.authority.invite(&invitation).await?;
    let answer = InvitationAnswer { invitation: invited.code, expires: Name(invited.expires) };
    Ok((StatusCode::CREATED, Json(answer)))
}

fn answered(issued: Issued) -> Json<TokenAnswer> {
    let Issued { text, claims } = issued;
    Json(TokenAnswer {
        access_token: text,
        token_type: "Bearer",
        expires_in: claims.exp - claims.iat,
        scope: claims.scope,
        tier: claims.tier,
        jti: claims.jti,
    })
}
