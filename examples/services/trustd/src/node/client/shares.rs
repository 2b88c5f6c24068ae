//! What the service is asked of quorums' shares.

use super::{Client, ClientError, answered, body};
use crate::node::wiped;
use crate::threshold::types::{AckAsk, Acked, GiveAsk, OrderAsk, OrderInfo, Poll};
use dualseal::IdentityId;
use dualseal::id::SessionId;
use dualseal::presence::Nonce;
use dualseal::shamir::Index;
use dualseal::threshold::{Acknowledgement, SessionShare, SplitId};
use platform::web::Name;
use reqwest::Method;
use serde_json::Value;

impl Client {
    /// What of quorums waits for the node.
    pub(in crate::node) async fn shares(&self) -> Result<Poll, ClientError> {
        self.json(self.request(Method::GET, "api/v1/threshold/requests").await?, "poll").await
    }

    /// A share that waits, whatever it is; `None` where the service has none for this node any more.
    pub(in crate::node) async fn pull_share(
        &self,
        (session_id, index): (&SessionId, Index),
        owner: &IdentityId,
    ) -> Result<Option<SessionShare>, ClientError> {
        let request = self.request(Method::GET, &format!("api/v1/threshold/udio/{session_id}/{index}")).await?;
        let response = answered(request.send().await?).await?;
        let split_id = response.headers().get("split-id").map(|split_id| split_id.to_str().ok()?.parse().ok());
        let Some(split_id) = split_id else { return Ok(None) };
        let split_id: SplitId = split_id.ok_or(ClientError::Answer("share"))?;
        let pair = body(response).await?;
        Ok(Some(SessionShare::pulled(*session_id, split_id, *owner, index, &pair)))
    }

    /// That the node has its share.
    pub(in crate::node) async fn say_share(
        &self,
        (session_id, index): (&SessionId, Index),
        said: &Acknowledgement,
    ) -> Result<Acked, ClientError> {
        let request = self.request(Method::POST, &format!("api/v1/threshold/udio/{session_id}/ack")).await?;
        let told: Value = serde_json::from_str(&said.to_json()).map_err(|_| ClientError::Answer("acknowledgement"))?;
        let anchor = told["udio_sidra"].as_str().unwrap_or_default().to_owned();
        let ask = AckAsk { indeks: index.get(), split_id: Name(*said.split_id()), udio_sidra: anchor };
        self.json(request.json(&ask), "acknowledgement").await
    }

    /// The operator's word that what was prepared counts.
    pub(in crate::node) async fn order_shares(
        &self,
        session_id: &SessionId,
        split_id: &SplitId,
        nonce: &Nonce,
    ) -> Result<OrderInfo, ClientError> {
        let request = self.request(Method::POST, &format!("api/v1/threshold/udio/{session_id}/order")).await?;
        self.json(request.json(&OrderAsk { split_id: Name(*split_id), nonce: Name(*nonce) }), "order").await
    }

    /// Gives a share back for a request.
    pub(in crate::node) async fn give(&self, given: &GiveAsk) -> Result<(), ClientError> {
        let text = wiped::json(given).map_err(|_| ClientError::Answer("share"))?;
        let request = self.request(Method::POST, "api/v1/threshold/udio").await?;
        // Wiped when it was sent.
        let request = request.header("content-type", "application/json").body(bytes::Bytes::from_owner(text));
        answered(request.send().await?).await.map(drop)
    }
}
