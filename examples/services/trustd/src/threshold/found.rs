//! Founding: the secret is drawn and dealt, and its shares wait sealed until their nodes pull them.

use super::store::{self, Holding, Node, share_place};
use super::types::{FoundAsk, Kind, SessionInfo, SessionState};
use super::{rules, shown};
use crate::App;
use dualseal::krunica::KrunicaHash;
use dualseal::threshold::{Founding, Session, SessionKind, SessionShare};
use dualseal::{Head, IdentityId, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::{Caller, World};
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey, RowTags};
use platform::values;
use std::collections::BTreeSet;

use store::FOUND;

/// Founds a session.
pub(super) async fn found(
    app: &App,
    caller: &Caller,
    ask: FoundAsk,
    idempotency: Idempotency,
) -> Result<SessionInfo, Problem> {
    rules::threshold(ask.n.into(), ask.k.into())?;
    let identity_id = match (ask.algoritam, &ask.identity_id) {
        (Kind::Hmac, None) => None,
        (Kind::MlDsa, Some(identity_id)) => Some(identity_id.0),
        (Kind::Hmac, Some(_)) => {
            let why = "a session that signs with HMAC has no key, and so no identity of one";
            return Err(Problem::invalid("/identity_id", "not-taken", why));
        }
        (Kind::MlDsa, None) => {
            let why = "the identity is needed whose key the quorum's will be";
            return Err(Problem::invalid("/identity_id", "missing", why));
        }
    };
    let (founder, world, tags) = (caller.subject, caller.world, app.authority.tags().clone());
    let (owners, key) = (app.owners.clone(), app.owners.draw().await?);
    let work = FoundWork { ask, identity_id, founder, world, owners, key: key.clone(), tags, idempotency };
    let founded = app.log.submit(work).await;
    // A refusal alone says that nothing was written: after a fault all of it may stand there, and hang on the key.
    if founded.as_ref().is_err_and(|problem| problem.status().is_client_error()) {
        app.owners.discard(&key).await;
    }
    founded
}

/// Which nodes hold the shares: n different ones of different custodians, as they were named, or else the first.
pub(super) fn holders(nodes: Vec<Node>, named: Option<&[String]>, n: u8) -> Result<Vec<Node>, Problem> {
    let wrong = |pointer: String, code, why: &str| Err(Problem::invalid(pointer, code, why));
    let n = usize::from(n);
    let chosen = match named {
        None => {
            let mut seen = BTreeSet::new();
            let different = nodes.into_iter().filter(|node| seen.insert(node.identity_id));
            let chosen = different.take(n).collect::<Vec<_>>();
            if chosen.len() < n {
                return wrong("/n".to_owned(), "too-few-nodes", "fewer nodes than shares are registered");
            }
            chosen
        }
        Some(named) if named.len() != n => {
            return wrong("/vlasnici".to_owned(), "length", "there are not as many nodes as shares");
        }
        Some(named) => {
            let mut chosen = Vec::with_capacity(n);
            for (place, label) in named.iter().enumerate() {
                match nodes.iter().find(|node| node.label == *label) {
                    Some(node) => chosen.push(node.clone()),
                    None => return wrong(format!("/vlasnici/{place}"), "unknown-node", "no node has this label"),
                }
            }
            chosen
        }
    };
    // Whoever is there twice would have two votes.
    let mut seen = BTreeSet::new();
    match chosen.iter().position(|node| !seen.insert(node.identity_id)) {
        Some(place) => wrong(format!("/vlasnici/{place}"), "repeated", "two shares would have the same custodian"),
        None => Ok(chosen),
    }
}

struct FoundWork {
    ask: FoundAsk,
    identity_id: Option<IdentityId>,
    founder: IdentityId,
    world: World,
    owners: ErasureKeys,
    /// What its shares hang on as long as they are here: no backup from before opens them when they went.
    key: OwnerKey,
    tags: RowTags,
    idempotency: Idempotency,
}

struct Made {
    record: Session,
    founding: KrunicaHash,
    begins: Head,
    holders: Vec<Node>,
}

/// Seals dealt shares, so that they are stored with what the step makes; the rows of the same work say
/// [whose](own_shares) they are.
pub(super) fn keep_shares(step: &mut Step<'_>, key: &OwnerKey, shares: &[SessionShare]) -> Result<(), Problem> {
    for share in shares {
        let place = share_place(share.split_id(), share.index())?;
        step.keep(key.wrap(place, share.to_json().as_bytes())?);
    }
    Ok(())
}

/// On which key the shares hang that these hold.
pub(super) async fn own_shares(
    tx: &mut Tx,
    (owners, key): (&ErasureKeys, &OwnerKey),
    holdings: &[Holding],
) -> Result<(), Problem> {
    for holding in holdings {
        owners.own(tx, key, &holding.place()?).await?;
    }
    Ok(())
}

impl Work for FoundWork {
    type Read = Vec<Node>;
    type Made = Made;
    type Answer = SessionInfo;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Vec<Node>, Problem> {
        if self.identity_id.is_some_and(|identity_id| state.ring().info(&identity_id).is_some()) {
            return Err(Problem::new(&kinds::CONFLICT).detail("the identity has a key already"));
        }
        holders(store::nodes(tx, &self.tags).await?, self.ask.vlasnici.as_deref(), self.ask.n)
    }

    fn step(&self, step: &mut Step<'_>, holders: Vec<Node>) -> Result<Made, Problem> {
        let (begins, time) = (step.head().clone(), step.time());
        let owners = holders.iter().map(|node| node.identity_id).collect::<Vec<_>>();
        let founding = Founding {
            domain: step.domain(),
            founder: &self.founder,
            owners: &owners,
            k: self.ask.k,
            head: &begins,
            time,
        };
        let founded = match &self.identity_id {
            None => founding.hmac(&mut SystemRng)?,
            Some(identity_id) => founding.mldsa(identity_id, &mut SystemRng)?,
        };
        step.take(&founded.entry)?;
        // The decoy world changes no ring: what stands there is judged by its own key.
        if let (SessionKind::MlDsa65 { identity_id, public_key }, World::Real) = (founded.session.kind(), self.world) {
            step.add_key(identity_id, public_key)?;
        }
        keep_shares(step, &self.key, &founded.shares)?;
        Ok(Made { record: founded.session, founding: founded.entry.krunica_hash(), begins, holders })
    }

    async fn rows(&self, tx: &mut Tx, made: Made, _: &Changes) -> Result<SessionInfo, Problem> {
        let Made { record, founding, begins, holders } = made;
        let values = values![
            record.session_id().to_hex(),
            self.world.number(),
            store::current_log(tx).await?,
            begins.to_json(),
            &founding.as_bytes()[..],
            self.founder.to_hex(),
            SessionState::Founded.as_str(),
            record.split_id().to_hex(),
            record.created_at().as_millis(),
            self.key.owner().to_hex(),
        ];
        tx.execute(FOUND, values).await?;
        store::put(tx, &record, Some(&founding), None, &holders).await?;
        let holdings = store::holdings(tx, record.split_id()).await?;
        own_shares(tx, (&self.owners, &self.key), &holdings).await?;
        let info = shown::info(record, &founding, SessionState::Founded, &holdings);
        self.idempotency.store(tx, StatusCode::CREATED, &info).await?;
        Ok(info)
    }

    /// Nothing signs under a founding that no checkpoint covers.
    fn is_sealed(&self) -> bool {
        true
    }
}
