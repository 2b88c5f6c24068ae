//! What the log's writer does for a new record. There is one ledger for all identities: the state has the ends of all
//! ledgers and is written with every step of anybody, so that 10^4 of them would cost each step of the service 6 ms,
//! where sealing costs its own step less than one. A place in it is known under the log's lock alone, and what is
//! stored of the document was written before.

use super::Vault;
use super::enclose::Signer;
use super::secret;
use super::store::{self, Content};
use super::types::VaultAnswer;
use crate::App;
use dualseal::vault::{Enclosed, LedgerId, VaultSealer};
use dualseal::{IdentityId, KeyRing, SystemRng, VaultId};
use dualseal_operator::own::may_sign;
use dualseal_operator::step::{Changes, State, Step};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::OwnerKey;
use std::sync::Arc;

/// A document that was stored, and is to be sealed.
pub(crate) struct Inbound {
    pub(crate) identity_id: IdentityId,
    pub(crate) signer: Signer,
    pub(crate) enclosed: Enclosed,
    pub(crate) content: Content,
    pub(crate) note: String,
}

/// A record that is sealed: work of the log's writer, by itself or as a part of another module's.
pub(crate) struct Seal {
    vault: Arc<Vault>,
    app: App,
    inbound: Arc<Inbound>,
    /// What its secret hangs on.
    owner: OwnerKey,
    idempotency: Idempotency,
}

/// An owner's key is replaced while another of his records is erased, and an identity's while its document is read.
pub(crate) const TRIES: usize = 4;

/// Seals a document, at the end of the ledger and of the log.
pub(crate) async fn seal(
    app: &App,
    vault: &Arc<Vault>,
    inbound: Inbound,
    idempotency: &Idempotency,
) -> Result<Sealed, Problem> {
    seal_with(app, vault, inbound, |seal| Seal { idempotency: idempotency.clone(), ..seal }).await
}

/// The same with whatever else is done in the transaction that seals.
pub(crate) async fn seal_with<W: Work>(
    app: &App,
    vault: &Arc<Vault>,
    inbound: Inbound,
    with: impl Fn(Seal) -> W,
) -> Result<W::Answer, Problem> {
    let inbound = Arc::new(inbound);
    let mut tries = 0;
    loop {
        let owner = vault.owners.current(&inbound.identity_id).await?;
        let (vault, app, inbound) = (Arc::clone(vault), App::clone(app), Arc::clone(&inbound));
        let seal = Seal { vault, app: App::clone(&app), inbound, owner, idempotency: Idempotency::default() };
        tries += 1;
        match app.log.submit(with(seal)).await {
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => {}
            done => return done,
        }
    }
}

/// The headers of the answer.
pub(crate) fn headers(app: &App, seq: u64) -> HeaderMap {
    let place =
        format!("<{}/api/v1/log/proof/{seq}>; rel=\"place\"", app.config.base_url.as_str().trim_end_matches('/'));
    HeaderValue::from_str(&place).map(|place| (header::LINK, place)).into_iter().collect()
}

/// The answer about a record that was sealed.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) answer: VaultAnswer,
    pub(crate) headers: HeaderMap,
}

/// The current key of an identity, which may sign.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`], [`kinds::KEY_REVOKED`], [`kinds::KEY_SUSPENDED`], [`kinds::KEY_ELSEWHERE`].
pub(crate) async fn signer(
    app: &App,
    tx: &mut Tx,
    ring: &KeyRing,
    identity_id: &IdentityId,
) -> Result<Signer, Problem> {
    let info = ring.info(identity_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    may_sign(ring, identity_id, &info.public_key)?;
    let key = app.log.keys().get(&app.secrets, tx, &info.public_key).await?;
    // A quorum's key is in the ring, and its seed with its custodians.
    key.ok_or_else(|| Problem::new(&kinds::KEY_ELSEWHERE))
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
    /// The record's place among the changes, and its name.
    type Made = (usize, VaultId);
    type Answer = Sealed;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        let signer = signer(&self.app, tx, state.ring(), &self.inbound.identity_id).await?;
        Ok((signer, ledger(state)?))
    }

    fn step(&self, step: &mut Step<'_>, (signer, ledger): Self::Read) -> Result<Self::Made, Problem> {
        let (keys, Inbound { identity_id, enclosed, note, .. }) = (&self.vault.keys, &*self.inbound);
        let sealer = VaultSealer::current(&keys.master, step.ring(), identity_id, &*signer)?.native(&keys.native);
        let end = *step.ledger(&ledger)?;
        let unplaced = sealer.seal_enclosed(enclosed, &end, note, step.time(), &mut SystemRng)?;
        let vaulted = step.vault(unplaced)?;
        let secret = vaulted.secret.ok_or_else(|| Problem::internal("vault", &"a record without a secret"))?;
        let vault_id = vaulted.record.header().vault_id;
        step.keep(secret::wrap(&self.owner, secret::place(&vault_id)?, secret.to_bytes().as_ref())?);
        Ok((vaulted.index, vault_id))
    }

    async fn rows(&self, tx: &mut Tx, (index, _): Self::Made, changes: &Changes) -> Result<Sealed, Problem> {
        let record = changes.vault_records.get(index);
        let record = record.ok_or_else(|| Problem::internal("vault", &"a record that is not among the changes"))?;
        let decoy = record.fragment().map(dualseal::vault::Fragment::decoy_key).transpose()?;
        let decoy = decoy.ok_or_else(|| Problem::internal("vault", &"a record without its fragment"))?;
        let (header, content) = (record.header(), &self.inbound.content);
        store::add(tx, record, decoy.hash(), content).await?;
        content.name(&self.vault.objects, tx, ("vault_records", &header.vault_id), header.length).await?;
        self.vault.owners.own(tx, &self.owner, &secret::place(&header.vault_id)?).await?;
        let sealed = Sealed { answer: VaultAnswer::sealed(record)?, headers: headers(&self.app, record.entry().seq()) };
        self.idempotency.store_with(tx, StatusCode::CREATED, &sealed.headers, &sealed.answer).await?;
        Ok(sealed)
    }
}

/// The identity's key as it is now, before anything of its document is read.
pub(crate) async fn signer_now(app: &App, identity_id: &IdentityId) -> Result<Signer, Problem> {
    let mut tries = 0;
    loop {
        let state = app.log.state().await?;
        let mut tx = app.db.snapshot().await?;
        let found = signer(app, &mut tx, state.ring(), identity_id).await;
        tx.roll_back().await?;
        tries += 1;
        match found {
            // The key may have been replaced, and its seed forgotten, between both looks.
            Err(problem) if problem.kind() == &kinds::KEY_ELSEWHERE && tries < TRIES => {}
            done => return done,
        }
    }
}
