//! Verifying: by the session in force, or, of an HMAC session, with k shares of the body.

use super::in_force::{self, Sessions};
use super::sign;
use super::store;
use super::types::{Shares, Verified, VerifyAsk};
use crate::App;
use dualseal::id::MessageHash;
use dualseal::key::Unprepared;
use dualseal::threshold::{SessionKind, ThresholdResult, verify_quorum};
use platform::problem::{Problem, kinds};
use std::sync::Arc;

/// Verifies a result. Whatever does not hold has one reason: the endpoint is nobody's oracle.
pub(super) async fn verify(app: &App, sessions: &Sessions, ask: VerifyAsk) -> Result<Verified, Problem> {
    let mut tx = app.db.snapshot().await?;
    let session = store::session(&mut tx, &ask.session_id.0).await?;
    let session = session.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let founder = store::records(&mut tx, &session.session_id).await?.into_iter().next();
    let founder = founder.ok_or_else(|| Problem::internal("threshold", &"the founder's record is missing"))?.record;
    let is_hmac = *founder.kind() == SessionKind::Hmac;
    if is_hmac && !app.config.trust.hmac_verification {
        return Err(Problem::new(&kinds::VERIFICATION_OFF));
    }
    if is_hmac != ask.udjeli.is_some() {
        let why =
            if is_hmac { "k shares verify what this session signs" } else { "its public key verifies, no shares" };
        let code = if is_hmac { "missing" } else { "not-taken" };
        return Err(Problem::invalid("/udjeli", code, why));
    }
    let result = match ask.rezultat {
        ThresholdResult::Signed(result) => result,
        ThresholdResult::Failed(failure) => {
            return Ok(Verified {
                validan: Some(false),
                identity_id: failure.requester.to_hex(),
                algoritam: failure.algorithm.as_str().to_owned(),
                timestamp: Some(failure.time.to_string()),
                bela_stanje: None,
                razlog: Some("rejected".to_owned()),
            });
        }
    };
    let from = Shares { udjeli: ask.udjeli, split_id: ask.split_id.map(|id| id.0), request_id: None };
    let shares = if is_hmac { sign::of_body(&mut tx, &session, result.requester(), &from).await? } else { Vec::new() };
    tx.roll_back().await?;
    let found = sessions.for_anybody(app, &session).await?;
    let message = MessageHash::of(&ask.poruka_b64.0);
    if !is_hmac {
        // A key that was replaced since counts where its entry stands before that.
        let place = in_force::located(app, &found, result.krunica_hash()).await?;
        let verified = tokio::task::spawn_blocking(move || {
            let ring = in_force::ring_of(found.session.founder(), session.world, found.state.ring());
            verify_quorum(&found.session, &message, result, &ring, &Unprepared, place.as_ref()).public()
        });
        let public = verified.await.map_err(|error| Problem::internal("threshold", &error))?;
        return serde_json::from_str(&public.to_json()).map_err(|error| Problem::internal("verdict", &error));
    }
    let (identity_id, algoritam) = (result.requester().to_hex(), result.algorithm().as_str().to_owned());
    let (timestamp, in_force) = (Some(result.time().to_string()), Arc::clone(&found.session));
    let holds = tokio::task::spawn_blocking(move || in_force.verify_with_shares(&message, result, &shares).is_ok());
    let holds = holds.await.map_err(|error| Problem::internal("threshold", &error))?;
    let razlog = (!holds).then(|| "rejected".to_owned());
    Ok(Verified { validan: Some(holds), identity_id, algoritam, timestamp, bela_stanje: None, razlog })
}
