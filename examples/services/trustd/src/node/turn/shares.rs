//! One turn of a node over quorums: shares are pulled, kept and acknowledged, those that were dealt anew take the place
//! of the older ones on the operator's word, and one is given back for what the keeper's own rule says yes to.

use super::Turn;
use crate::node::keeper::Number;
use crate::node::{ClientError, Node, NodeError};
use crate::threshold::types::{GiveAsk, NodeRequest, Purpose, ShareValue, WaitingShare};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dualseal::id::MessageHash;
use dualseal::presence::{DropOrder, NodeShares, Nonce};
use dualseal::shamir::Index;
use dualseal::shard::KnownSplit;
use dualseal::threshold::{Acknowledgement, SessionShare};
use dualseal::{SystemRng, Timestamp};
use platform::web::Name;

/// How often, in milliseconds, a node says again that it has a share: the service counts one as present for ten
/// minutes.
const SAYS_EVERY: i64 = 240_000;

impl Node {
    pub(super) async fn shares(&mut self, turn: &mut Turn) -> Result<(), NodeError> {
        let told = self.client.shares().await?;
        for waiting in &told.udjeli {
            let done = self.share(waiting, turn).await;
            turn.left(done, "a share that waits, of a session", &waiting.session_id.0);
        }
        for number in self.keeper.numbers()? {
            let done = self.settle_shares(&number).await;
            turn.left(done, "shares here, of a session", &number.0);
        }
        let now = self.clock.millis();
        self.judged.retain(|_, ends| *ends > now);
        for request in &told.zahtjevi {
            let done = self.quorum(request, turn).await;
            turn.left(done, "a request of a quorum", &request.zahtjev.request_id);
        }
        Ok(())
    }

    /// Takes a share that waits. The service has its own until this one stands on the disk.
    async fn share(&mut self, waiting: &WaitingShare, turn: &mut Turn) -> Result<(), NodeError> {
        let (session_id, domain) = (waiting.session_id.0, self.pinned.domain.clone());
        let number = (session_id, Index::new(waiting.indeks.into())?);
        let mut shares = self.keeper.shares(&domain, &number)?;
        let Some(share) = self.client.pull_share((&session_id, number.1), &waiting.vlasnik.0).await? else {
            return Ok(());
        };
        let record = waiting.zapis.clone();
        let said = match shares.current() {
            // What it said was lost.
            Some((held, own)) if held.split_id() == share.split_id() => held.acknowledge(&domain, own)?,
            None if record.previous().is_none() && shares.prepared().is_none() => {
                let said = share.acknowledge(&domain, &record)?;
                shares = NodeShares::new(&domain, Some((share, record)))?;
                said
            }
            // It replaces nothing before the operator's word. One that was committed meanwhile has no end of its own.
            _ => {
                let until = waiting.cuva_se_do.map_or(Timestamp::MAX, |until| until.0);
                shares.prepare(&domain, share, record, until)?
            }
        };
        self.keeper.keep_shares(&number, &shares)?;
        self.say(&number, &said).await?;
        turn.shares.push((session_id, number.1.get()));
        Ok(())
    }

    async fn say(&mut self, number: &Number, said: &Acknowledgement) -> Result<(), NodeError> {
        self.client.say_share((&number.0, number.1), said).await?;
        self.said.insert(*number, self.clock.millis());
        Ok(())
    }

    /// Says again what it has, and lets the older share go where the newer one counts by the operator's word. What was
    /// prepared goes when its time is over and the service knows nothing of it.
    async fn settle_shares(&mut self, number: &Number) -> Result<(), NodeError> {
        let (domain, now) = (self.pinned.domain.clone(), self.clock.now());
        let mut shares = self.keeper.shares(&domain, number)?;
        if let Some((share, record)) = shares.current()
            && self.said.get(number).is_none_or(|at| at.saturating_add(SAYS_EVERY) <= now.as_millis())
        {
            let said = share.acknowledge(&domain, record)?;
            match self.say(number, &said).await {
                // A splitting that counts no more is asked for by nobody.
                Err(NodeError::Client(ClientError::Refused { status: 403 | 404 | 409, .. })) => {
                    self.said.insert(*number, now.as_millis());
                }
                done => done?,
            }
        }
        let Some((prepared, _, until)) = shares.prepared() else { return Ok(()) };
        let (split_id, nonce) = (*prepared.split_id(), Nonce::draw(&mut SystemRng)?);
        match self.client.order_shares(&number.0, &split_id, &nonce).await {
            Ok(order) => {
                let signature = order.signature.parse()?;
                let (expiry, record) = (order.expiry.0, order.zapis);
                let order = DropOrder { split_id: &order.split_id.0, nonce: &nonce, expiry, signature: &signature };
                let Self { keeper, pinned, config, .. } = self;
                let mut consume = |nonce: &Nonce| keeper.spend(nonce, expiry, now);
                shares.obey(&domain, &config.label, order, &record, &pinned.operator, now, &mut consume)?;
            }
            Err(ClientError::Refused { status: 404 | 409, code }) if code != "not-covered-yet" && now >= until => {
                shares.expire(KnownSplit::NoChain, now);
            }
            Err(ClientError::Refused { status: 404 | 409, .. }) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        self.keeper.keep_shares(number, &shares)?;
        Ok(())
    }

    /// Gives back what a request asks for, where the keeper's rule says so.
    async fn quorum(&mut self, asked: &NodeRequest, turn: &mut Turn) -> Result<(), NodeError> {
        let request = &asked.zahtjev;
        if self.judged.contains_key(&request.request_id) {
            return Ok(());
        }
        let domain = self.pinned.domain.clone();
        if !is_of_its_message(asked) || !self.allows(asked).await {
            self.judged.insert(request.request_id, request.istice.0.as_millis());
            tracing::warn!(request = %request.request_id, "a share is not given back");
            turn.refused.push("not-allowed".to_owned());
            return Ok(());
        }
        for index in &asked.indeksi {
            let number = (request.session_id.0, Index::new((*index).into())?);
            let shares = self.keeper.shares(&domain, &number)?;
            let held = shares.current().map(|(share, _)| share).into_iter();
            let mut held = held.chain(shares.prepared().map(|(share, ..)| share));
            let Some(share) = held.find(|share| *share.split_id() == asked.split_id.0) else { continue };
            self.client.give(&given(asked, share)).await?;
            turn.given.push(request.request_id);
        }
        Ok(())
    }

    /// Whether the keeper's program says yes: without one nothing is given back.
    async fn allows(&self, asked: &NodeRequest) -> bool {
        let Some(program) = &self.config.gives_back else { return false };
        super::rule::says_yes(program, asked).await
    }
}

/// Whether the keeper is shown what the request says to be about.
fn is_of_its_message(asked: &NodeRequest) -> bool {
    let request = &asked.zahtjev;
    let message = asked.poruka_b64.as_ref().map(|message| STANDARD.decode(message));
    match (request.namjena, message, &request.poruka_hash) {
        (Purpose::Potpis, Some(Ok(message)), Some(hash)) => MessageHash::of(&message) == hash.0,
        (Purpose::Obnova, None, None) => true,
        _ => false,
    }
}

fn given(asked: &NodeRequest, share: &SessionShare) -> GiveAsk {
    GiveAsk {
        request_id: asked.zahtjev.request_id,
        session_id: asked.zahtjev.session_id,
        split_id: asked.split_id,
        indeks: share.index().get(),
        vrijednost_hex: ShareValue(share.value_hex()),
        identity_id: Name(*share.owner()),
    }
}
