//! Shares on their way to their nodes: pulled, acknowledged, and then with nobody else. Each is an entry, once.

use super::rules::Event;
use super::store::{self, Holding, SessionRow};
use super::types::{AckAsk, Acked, ShareState};
use crate::App;
use dualseal::id::SessionId;
use dualseal::shamir::Index;
use dualseal::threshold::{Acknowledgement, SessionShare, SplitId};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::Caller;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;
use platform::web::Name;

/// The share of this number that waits for the calling node, of the newest splitting; `None` where it has them all.
async fn waiting(
    tx: &mut Tx,
    (node, world): (&str, i64),
    session_id: &SessionId,
    index: Index,
) -> Result<(SessionRow, Option<Holding>), Problem> {
    let session = store::session_in(tx, session_id, world).await?;
    let holdings = store::of_number(tx, session_id, index).await?;
    if holdings.is_empty() {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    if holdings.iter().all(|holding| holding.node != node) {
        return Err(Problem::new(&kinds::NOT_NODE));
    }
    let waits = holdings.into_iter().find(|holding| holding.node == node && holding.state.pulled().is_some());
    Ok((session, waits))
}

/// Hands a share to its node; `None` where it has all of this number.
pub(super) async fn pull(
    app: &App,
    caller: &Caller,
    session_id: &SessionId,
    index: Index,
) -> Result<Option<SessionShare>, Problem> {
    let node = (caller.node()?, caller.world.number());
    let mut tx = app.db.snapshot().await?;
    let holding = waiting(&mut tx, node, session_id, index).await?;
    tx.roll_back().await?;
    let (session, holding) = match holding {
        (_, None) => return Ok(None),
        (session, Some(holding)) if holding.state != ShareState::Waiting => (session, holding),
        (_, Some(_)) => {
            let (node, world) = (node.0.to_owned(), node.1);
            let pulled = app.log.submit(PullWork { node, world, session_id: *session_id, index }).await?;
            let Some(pulled) = pulled else { return Ok(None) };
            pulled
        }
    };
    // It is opened after its entry, and not while others wait for the log.
    let share = sealed_share(app, &session, &holding).await?;
    // Told from what its node has already: whoever waits for a share that is not here waits for ever.
    share.map(Some).ok_or_else(|| Problem::new(&kinds::ERASED))
}

/// The service's copy of a share, unless it was destroyed.
async fn sealed_share(app: &App, session: &SessionRow, holding: &Holding) -> Result<Option<SessionShare>, Problem> {
    let found = app.owners.open(&app.db, &session.keys, &holding.place()?).await?;
    Ok(found.map(|json| SessionShare::from_json(&json)).transpose()?)
}

/// A share's first pull.
struct PullWork {
    node: String,
    world: i64,
    session_id: SessionId,
    index: Index,
}

impl Work for PullWork {
    type Read = Option<(SessionRow, Holding)>;
    type Made = Self::Read;
    type Answer = Self::Read;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        store::hold_session(tx, &self.session_id).await?;
        let (session, waiting) = waiting(tx, (&self.node, self.world), &self.session_id, self.index).await?;
        Ok(waiting.map(|holding| (session, holding)))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        if let Some((_, holding)) = read.as_ref().filter(|(_, holding)| holding.state == ShareState::Waiting) {
            step.append(&holding.owner, &entry("share-pulled", &self.session_id, &holding.split_id, Some(self.index)))?;
        }
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<Self::Answer, Problem> {
        if let Some((session, holding)) = &made
            && holding.state == ShareState::Waiting
        {
            holding.set(tx, ShareState::Pulled, None).await?;
            if let Some(state) = session.state.after(Event::Pulled) {
                session.go(tx, state, &session.split_id).await?;
            }
        }
        Ok(made)
    }

    /// Two pulls of one share make one entry.
    fn is_alone(&self) -> bool {
        true
    }
}

/// Takes what a node says of its share: the first time with an entry, later as a word that it still has it.
pub(super) async fn acknowledge(
    app: &App,
    caller: &Caller,
    session_id: &SessionId,
    ask: &AckAsk,
) -> Result<Acked, Problem> {
    let index = Index::new(ask.indeks.into())?;
    let json = serde_json::json!({ "split_id": ask.split_id.0.to_hex(), "udio_sidra": ask.udio_sidra });
    let said = Acknowledgement::from_json(json.to_string().as_bytes())?;
    let (node, now) = (caller.node()?.to_owned(), app.clock.millis());
    let mut tx = app.db.begin().await?;
    let session = store::session_in(&mut tx, session_id, caller.world.number()).await?;
    let (holding, others) = acknowledged(&mut tx, session_id, &node, index, said.split_id()).await?;
    if holding.state != ShareState::Acknowledged {
        let records = store::records(&mut tx, session_id).await?;
        tx.roll_back().await?;
        pulled(&holding)?;
        let record = records.iter().map(|row| &row.record).find(|record| record.split_id() == said.split_id());
        let share = sealed_share(app, &session, &holding).await?;
        let expected =
            share.zip(record).map(|(share, record)| share.acknowledge(app.log.domain(), record)).transpose()?;
        let is_told = expected.as_ref() == Some(&said);
        let owners = app.owners.clone();
        let work = AckWork { session_id: *session_id, node, index, said, is_told, owners, now };
        let acked = app.log.submit(work).await?;
        if acked.u_skrbi {
            app.owners.end(&app.db, &app.log, &session.keys).await;
        }
        return Ok(acked);
    }
    if holding.acknowledgement.as_deref() != Some(&*said.to_json()) {
        return Err(other_share());
    }
    holding.note(&mut tx, true, now).await?;
    tx.commit().await?;
    let (u_skrbi, split_id) = (others.is_empty(), Name(holding.split_id));
    Ok(Acked { indeks: index.get(), split_id, stanje: ShareState::Acknowledged, u_skrbi })
}

/// What was not pulled is not held.
fn pulled(holding: &Holding) -> Result<(), Problem> {
    let is_pulled = holding.state.acknowledged().is_some();
    if is_pulled { Ok(()) } else { Err(Problem::new(&kinds::CONFLICT).detail("the share was not pulled")) }
}

fn other_share() -> Problem {
    Problem::invalid("/udio_sidra", "share-not-committed", "this is not what was committed to for this share")
}

/// The holding of a node, and those of the same splitting that are not acknowledged, but for itself.
async fn acknowledged(
    tx: &mut Tx,
    session_id: &SessionId,
    node: &str,
    index: Index,
    split_id: &SplitId,
) -> Result<(Holding, Vec<Holding>), Problem> {
    let mut holdings = store::holdings(tx, split_id).await?;
    let place = holdings.iter().position(|holding| holding.index == index && holding.session_id == *session_id);
    let own = holdings.swap_remove(place.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?);
    if own.node != node {
        return Err(Problem::new(&kinds::NOT_NODE));
    }
    holdings.retain(|holding| holding.state != ShareState::Acknowledged);
    Ok((own, holdings))
}

/// A share's first acknowledgement; with the last one of a splitting the service's copies go.
struct AckWork {
    session_id: SessionId,
    node: String,
    index: Index,
    said: Acknowledgement,
    /// Whether it is what the share says that waits.
    is_told: bool,
    owners: ErasureKeys,
    now: i64,
}

struct Acknowledging {
    session: SessionRow,
    own: Holding,
    /// All of the splitting, where this is the last one that was missing.
    all: Option<Vec<Holding>>,
}

impl Work for AckWork {
    type Read = Acknowledging;
    type Made = Acknowledging;
    type Answer = Acked;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Acknowledging, Problem> {
        let session = store::hold_session(tx, &self.session_id).await?;
        let split_id = self.said.split_id();
        let (own, others) = acknowledged(tx, &self.session_id, &self.node, self.index, split_id).await?;
        pulled(&own)?;
        if own.state == ShareState::Acknowledged {
            // Its node said so twice at once.
            let is_same = own.acknowledgement.as_deref() == Some(&*self.said.to_json());
            return if is_same { Ok(Acknowledging { session, own, all: None }) } else { Err(other_share()) };
        }
        if !self.is_told {
            return Err(other_share());
        }
        let all = if others.is_empty() { Some(store::holdings(tx, split_id).await?) } else { None };
        Ok(Acknowledging { session, own, all })
    }

    fn step(&self, step: &mut Step<'_>, read: Acknowledging) -> Result<Acknowledging, Problem> {
        if read.own.state == ShareState::Acknowledged {
            return Ok(read);
        }
        let split_id = &read.own.split_id;
        let said = entry("share-acknowledged", &self.session_id, split_id, Some(self.index));
        step.append(&read.own.owner, &said)?;
        if let Some(all) = &read.all {
            step.append(&read.session.founder, &entry("shares-destroyed", &self.session_id, split_id, None))?;
            for holding in all {
                step.forget(holding.place()?);
            }
        }
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, made: Acknowledging, _: &Changes) -> Result<Acked, Problem> {
        let Acknowledging { session, own, all } = made;
        own.set(tx, ShareState::Acknowledged, Some((&self.said.to_json(), self.now))).await?;
        if let Some(all) = &all {
            store::erase(tx, &self.owners, &session, all).await?;
        }
        let event = Event::Acknowledged { all: all.is_some() };
        if let Some(state) = session.state.after(event).filter(|_| own.split_id == session.split_id) {
            session.go(tx, state, &session.split_id).await?;
        }
        let (indeks, split_id) = (self.index.get(), Name(own.split_id));
        Ok(Acked { indeks, split_id, stanje: ShareState::Acknowledged, u_skrbi: all.is_some() })
    }

    /// The last one is told by the others' rows.
    fn is_alone(&self) -> bool {
        true
    }
}

/// The message of an entry of custody: `trustd/threshold/WHAT/SESSION/SPLIT/N`. It shows when what was where, and no
/// value.
pub(super) fn entry(what: &str, session_id: &SessionId, split_id: &SplitId, index: Option<Index>) -> String {
    let number = index.map(|index| format!("/{index}")).unwrap_or_default();
    format!("trustd/threshold/{what}/{session_id}/{split_id}{number}")
}
