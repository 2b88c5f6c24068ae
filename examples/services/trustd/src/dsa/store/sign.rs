//! Signing.

use super::super::rules;
use super::DECOY;
use super::decoy::DecoyKey;
use crate::App;
use dualseal::{HashedContent, IdentityId};
use dualseal_operator::step::{Changes, State, Step, Ticket};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use platform::access::World;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Record;

/// Signs content by an identity's key.
pub(in super::super) struct Sign {
    pub(in super::super) app: App,
    pub(in super::super) world: World,
    pub(in super::super) identity_id: IdentityId,
    pub(in super::super) content: HashedContent,
    pub(in super::super) idempotency: Idempotency,
}

/// Whether the service signs for an identity now.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`], [`kinds::KEY_REVOKED`], [`kinds::KEY_SUSPENDED`], [`kinds::KEY_DECOY`],
/// [`kinds::KEY_ELSEWHERE`].
pub(crate) async fn may_sign(app: &App, tx: &mut Tx, state: &State, identity_id: &IdentityId) -> Result<(), Problem> {
    let info = rules::may_sign(state.ring(), identity_id)?;
    let key = app.log.keys().get(&app.secrets, tx, &info.public_key).await?;
    // A quorum's key is in the ring, and its seed with its custodians.
    key.map(drop).ok_or_else(|| Problem::new(&kinds::KEY_ELSEWHERE))
}

/// What was signed, and where it stands.
pub(in super::super) struct Signed {
    pub(in super::super) record: Record,
    /// Where it is proven that it stands there.
    pub(in super::super) link: HeaderMap,
}

impl Work for Sign {
    type Read = Option<DecoyKey>;
    type Made = (Ticket, Option<DecoyKey>);
    type Answer = Signed;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        if self.world == World::Decoy {
            return DecoyKey::find(&self.app, tx, state, &self.identity_id).await.map(Some);
        }
        // Where the decoy's world looks first: both take as long.
        tx.find(DECOY, values![self.identity_id.to_hex()]).await?;
        may_sign(&self.app, tx, state, &self.identity_id).await.map(|()| None)
    }

    fn step(&self, step: &mut Step<'_>, decoy: Self::Read) -> Result<Self::Made, Problem> {
        let ticket = match &decoy {
            Some(decoy) => step.sign_as_decoy(&self.identity_id, decoy.public_key(), &self.content)?,
            None => step.sign(&self.identity_id, &self.content)?,
        };
        Ok((ticket, decoy))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, changes: &Changes) -> Result<Signed, Problem> {
        let (ticket, decoy) = made;
        let record = changes.records.get(ticket.index()).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        if let Some(decoy) = decoy {
            decoy.note(tx).await?;
        }
        let handle = record.krunica_hash();
        let entry = changes.entries.iter().find(|entry| entry.krunica_hash() == *handle);
        let seq = entry.ok_or_else(|| Problem::new(&kinds::INTERNAL))?.seq();
        let base = self.app.config.base_url.as_str().trim_end_matches('/');
        let link = format!("<{base}/api/v1/log/proof/{seq}>; rel=\"place\"");
        let link = HeaderValue::from_str(&link).map_err(|error| Problem::internal("link", &error))?;
        let (record, link) = (Record::new(record.to_json())?, HeaderMap::from_iter([(header::LINK, link)]));
        self.idempotency.store_with(tx, StatusCode::CREATED, &link, &record).await?;
        Ok(Signed { record, link })
    }
}
