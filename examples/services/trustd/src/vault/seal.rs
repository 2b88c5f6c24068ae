//! What the log's writer does for a new record. There is one ledger for all identities: the state has the ends of all
//! ledgers and is written with every step of anybody, so that 10^4 of them would cost each step of the service 6 ms,
//! where sealing costs its own step less than one. A place in it is known under the log's lock alone, and what is
//! stored of the document was written before.

use super::Keys;
use super::enclose::Signer;
use super::secret;
use super::store::{self, Content};
use super::types::VaultAnswer;
use crate::App;
use dualseal::vault::{Enclosed, LedgerId, VaultSealer};
use dualseal::{IdentityId, KeyRing, SystemRng};
use dualseal_operator::own::may_sign;
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::{Log, Work};
use platform::problem::{Problem, kinds};
use platform::secrets::Secrets;
use std::sync::Arc;

/// A document that was stored, and is to be sealed.
pub(crate) struct Seal {
    pub(crate) keys: Arc<Keys>,
    pub(crate) log: Log,
    pub(crate) secrets: Secrets,
    pub(crate) identity_id: IdentityId,
    pub(crate) enclosed: Enclosed,
    pub(crate) content: Content,
    pub(crate) note: String,
    pub(crate) idempotency: Idempotency,
}

/// A record that was sealed, and the place of its entry.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) answer: VaultAnswer,
    pub(crate) seq: u64,
}

/// The current key of an identity, which may sign.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`], [`kinds::KEY_REVOKED`], [`kinds::KEY_SUSPENDED`].
pub(crate) async fn signer(
    log: &Log,
    secrets: &Secrets,
    tx: &mut Tx,
    ring: &KeyRing,
    identity_id: &IdentityId,
) -> Result<Signer, Problem> {
    let info = ring.info(identity_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    may_sign(ring, identity_id, &info.public_key)?;
    let key = log.keys().get(secrets, tx, &info.public_key).await?;
    key.ok_or_else(|| Problem::internal("vault", &"the service has not the key of an identity of its ring"))
}

/// The ledger of the log.
///
/// # Errors
/// None but of a log that was founded without one.
pub(crate) fn ledger(state: &State) -> Result<LedgerId, Problem> {
    let found = state.stored().ledgers().next().map(|head| *head.ledger());
    found.ok_or_else(|| Problem::internal("vault", &"the log has no ledger"))
}

impl Work for Seal {
    type Read = (Signer, LedgerId);
    type Made = usize;
    type Answer = Sealed;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        let signer = signer(&self.log, &self.secrets, tx, state.ring(), &self.identity_id).await?;
        Ok((signer, ledger(state)?))
    }

    fn step(&self, step: &mut Step<'_>, (signer, ledger): Self::Read) -> Result<usize, Problem> {
        let sealer = VaultSealer::current(&self.keys.master, step.ring(), &self.identity_id, &*signer)?;
        let sealer = sealer.native(&self.keys.native);
        let end = *step.ledger(&ledger)?;
        let unplaced = sealer.seal_enclosed(&self.enclosed, &end, &self.note, step.time(), &mut SystemRng)?;
        let vaulted = step.vault(unplaced)?;
        let secret = vaulted.secret.ok_or_else(|| Problem::internal("vault", &"a record without a secret"))?;
        step.keep(secret::wrap(&self.secrets, &vaulted.record.header().vault_id, secret.to_bytes().as_ref())?);
        Ok(vaulted.index)
    }

    async fn rows(&self, tx: &mut Tx, index: usize, changes: &Changes) -> Result<Sealed, Problem> {
        let record = changes.vault_records.get(index);
        let record = record.ok_or_else(|| Problem::internal("vault", &"a record that is not among the changes"))?;
        let decoy = record.fragment().map(dualseal::vault::Fragment::decoy_key).transpose()?;
        let decoy = decoy.ok_or_else(|| Problem::internal("vault", &"a record without its fragment"))?;
        store::add(tx, record, decoy.hash(), &self.content).await?;
        let answer = VaultAnswer::sealed(record)?;
        self.idempotency.store(tx, StatusCode::CREATED, &answer).await?;
        Ok(Sealed { answer, seq: record.entry().seq() })
    }
}

/// The identity's key as it is now, before anything of its document is read.
pub(crate) async fn signer_now(app: &App, identity_id: &IdentityId) -> Result<Signer, Problem> {
    let state = app.log.state().await?;
    let mut tx = app.db.snapshot().await?;
    let found = signer(&app.log, &app.secrets, &mut tx, state.ring(), identity_id).await;
    tx.roll_back().await?;
    found
}
