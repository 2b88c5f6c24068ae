//! What the log's writer does when a native approves a peer or removes one: an entry, which names the key.

use super::rules::PeerState;
use super::store::{self, Peer};
use super::types::PeerOut;
use crate::App;
use dualseal::Entry;
use dualseal::SystemRng;
use dualseal::encoding::hex;
use dualseal::rand_core::TryRng as _;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use serde_json::json;

/// A native's word on a peer.
pub(super) struct Decide {
    pub(super) app: App,
    pub(super) agent_id: String,
    /// Approved, or removed.
    pub(super) approves: bool,
}

impl Decide {
    fn decided(&self, peer: &Peer, krunica: Option<String>, now: i64) -> Peer {
        let state = self.approves.then_some(PeerState::Listed);
        Peer { state, decided: Some(now), krunica: krunica.or_else(|| peer.krunica.clone()), ..peer.clone() }
    }

    async fn known(&self, tx: &mut Tx, world: World) -> Result<Peer, Problem> {
        let found = store::find(tx, self.app.authority.tags(), &self.agent_id, world).await?;
        let peer = found.filter(|peer| peer.state.is_some()).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        if self.approves && peer.state == Some(PeerState::Listed) {
            return Err(Problem::new(&kinds::CONFLICT).detail("it is listed already"));
        }
        Ok(peer)
    }

    /// The same for a caller of the decoy's world: in rows that nobody else sees, without an entry.
    pub(super) async fn as_decoy(&self) -> Result<Option<PeerOut>, Problem> {
        let mut tx = self.app.db.begin().await?;
        let (peer, mut drawn) = (self.known(&mut tx, World::Decoy).await?, [0; 32]);
        SystemRng.try_fill_bytes(&mut drawn).map_err(|_| dualseal::Error::Randomness)?;
        let peer = self.decided(&peer, Some(hex::encode(&drawn)), self.app.clock.millis());
        store::put(&mut tx, self.app.authority.tags(), &peer, World::Decoy).await?;
        tx.commit().await?;
        Ok(peer.out())
    }
}

impl Work for Decide {
    type Read = Peer;
    type Made = (Peer, Entry);
    type Answer = Option<PeerOut>;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Peer, Problem> {
        self.known(tx, World::Real).await
    }

    fn step(&self, step: &mut Step<'_>, peer: Peer) -> Result<(Peer, Entry), Problem> {
        let what = if self.approves { "peer-added" } else { "peer-removed" };
        let message =
            json!({"agent_id": peer.agent_id, "key": hex::encode(&peer.public_key), "url": peer.url, "what": what});
        let entry = step.append(self.app.log.identity(), &message.to_string())?;
        Ok((peer, entry))
    }

    async fn rows(&self, tx: &mut Tx, (peer, entry): (Peer, Entry), _: &Changes) -> Result<Option<PeerOut>, Problem> {
        let peer = self.decided(&peer, Some(entry.krunica_hash().to_string()), entry.time().as_millis());
        store::put(tx, self.app.authority.tags(), &peer, World::Real).await?;
        Ok(peer.out())
    }

    /// Whether it is there is told by another's row.
    fn is_alone(&self) -> bool {
        true
    }
}
