//! What a person's authenticator answers: a statement that a key signs, or a challenge that a credential answers with
//! its user verified.

use super::rules;
use super::store::{self, AuthenticatorRow, EnrolmentRow};
use super::types::Voucher;
use crate::App;
use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature};
use dualseal::presence::{Nonce, Statement};
use dualseal::shard::ShardId;
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::problem::Problem;

/// What is asked, of whom.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) identity_id: IdentityId,
    pub(crate) world: World,
    /// What a key says that it is present for.
    pub(crate) statement: &'a str,
    pub(crate) nonce: Nonce,
    /// Until when, in milliseconds.
    pub(crate) expires: i64,
}

impl EnrolmentRow {
    /// What its authenticator is asked.
    pub(crate) fn asked<'a>(&self, statement: &'a str) -> Asked<'a> {
        let Self { identity_id, world, nonce, expires, .. } = self;
        Asked { identity_id: *identity_id, world: *world, statement, nonce: *nonce, expires: *expires }
    }
}

/// To whom statements are made.
pub(crate) fn audience(app: &App) -> String {
    app.config.tokens.audience.clone().unwrap_or_else(|| app.config.base_url.as_str().trim_end_matches('/').to_owned())
}

/// Whether a key signed the statement. What it was asked for is spent with what it allows.
pub(super) fn signed(
    app: &App,
    asked: &Asked<'_>,
    key: &Ed25519PublicKey,
    signature: &Ed25519Signature,
) -> Result<bool, Problem> {
    let statement = Statement::alive(&audience(app), &asked.identity_id, asked.statement)?;
    let (expiry, now) = (Timestamp::from_millis(asked.expires)?, app.clock.now());
    Ok(statement.verify(app.log.domain(), &asked.nonce, expiry, key, signature, now, &mut |_| true).is_ok())
}

/// The authenticator that answered, where it is enrolled for whom was asked, and counts.
///
/// # Errors
/// A field `voucher` that is wrong, by this pointer.
pub(crate) async fn answered(
    app: &App,
    asked: &Asked<'_>,
    challenge: &[u8; 32],
    (voucher, pointer): (&Voucher, &str),
) -> Result<AuthenticatorRow, Problem> {
    let name = match voucher {
        Voucher::Ed25519 { public_key, signature } => {
            signed(app, asked, &public_key.0, &signature.0)?.then(|| public_key.0.to_string())
        }
        Voucher::Webauthn { credential } => {
            let counting = store::counting(app, &asked.identity_id, asked.world).await?;
            let answered = counting.answered(&asked.identity_id, challenge, credential);
            answered.map(|name| ShardId::from_bytes(name).to_hex())
        }
    };
    let refused = || Problem::invalid(pointer, "presence", "it is not enrolled, or does not answer what it was asked");
    let found = store::find(app, &name.ok_or_else(refused)?, asked.world).await?.ok_or_else(refused)?;
    let counts = rules::counts(found.counts_from, None, app.clock.millis());
    if found.identity_id == asked.identity_id && counts { Ok(found) } else { Err(refused()) }
}
