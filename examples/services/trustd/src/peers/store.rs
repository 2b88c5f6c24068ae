//! Rows. Each has a tag: whoever writes the database alone makes no peer that counts.

use super::rules::{MOST_PENDING, PENDING, PeerState, REMOVED};
use super::types::PeerOut;
use crate::App;
use dualseal::encoding::hex;
use platform::access::World;
use platform::db::{Db, Row, Tx, Value, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::{Kind, RowTags, Tagged};
use platform::values;

statements! {
    FIND = "SELECT agent_id, world, url, public_key, state, registered, decided, source, krunica, tag FROM peers \
            WHERE agent_id = $1 AND world = $2";
    LIST = "SELECT agent_id, world, url, public_key, state, registered, decided, source, krunica, tag FROM peers \
            WHERE (world = 0 AND state <> 'removed') OR (world = 1 AND $1 = 1) \
            ORDER BY registered DESC, agent_id DESC, world DESC";
    WAITING = "SELECT COUNT(*) AS many FROM peers WHERE state IN ('pending', 'heard') AND world = 0 \
               AND COALESCE(source, '') = $1";
    PUT = "INSERT INTO peers (agent_id, world, url, public_key, state, registered, decided, source, krunica, tag) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (agent_id, world) DO UPDATE SET \
           url = excluded.url, public_key = excluded.public_key, state = excluded.state, \
           registered = excluded.registered, decided = excluded.decided, source = excluded.source, \
           krunica = excluded.krunica, tag = excluded.tag";
    AGAIN = "SELECT agent_id, world, url, public_key, state, registered, decided, source, krunica, tag FROM peers \
             WHERE state = 'pending' AND world = 0 AND decided IS NOT NULL AND registered < $1";
    LAPSED = "DELETE FROM peers WHERE state IN ('pending', 'heard') AND registered < $1";
    /// Of a thief's own decisions none is taken back before his eyes.
    FORGOTTEN = "DELETE FROM peers WHERE state = 'removed' AND world = 0 AND registered < $1 \
                 AND COALESCE(decided, 0) < $1";
}

const TABLE: Tagged = Tagged {
    table: "peers",
    columns: &[
        ("agent_id", Kind::Text),
        ("world", Kind::Number),
        ("url", Kind::Text),
        ("public_key", Kind::Bytes),
        ("state", Kind::Text),
        ("registered", Kind::Number),
        ("decided", Kind::Number),
        ("source", Kind::Text),
        ("krunica", Kind::Text),
    ],
    tag: "tag",
};

/// A peer, as its row has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    pub(super) agent_id: String,
    pub(super) url: String,
    pub(super) public_key: Vec<u8>,
    /// None where it was removed.
    pub(super) state: Option<PeerState>,
    pub(super) registered: i64,
    pub(super) decided: Option<i64>,
    pub(super) source: Option<String>,
    pub(super) krunica: Option<String>,
}

impl Peer {
    fn of(row: &Row) -> Result<Self, Problem> {
        Ok(Self {
            agent_id: row.text("agent_id")?,
            url: row.text("url")?,
            public_key: row.bytes("public_key")?,
            state: PeerState::of(&row.text("state")?),
            registered: row.number("registered")?,
            decided: row.maybe_number("decided")?,
            source: row.maybe_text("source")?,
            krunica: row.maybe_text("krunica")?,
        })
    }

    /// As it is shown; nothing where it was removed.
    pub(super) fn out(&self) -> Option<PeerOut> {
        let state = self.state?;
        Some(PeerOut {
            agent_id: self.agent_id.clone(),
            url: self.url.clone(),
            public_key: hex::encode(&self.public_key),
            state,
            registered: dualseal::Timestamp::from_millis(self.registered)
                .unwrap_or(dualseal::Timestamp::MIN)
                .to_string(),
            source: self.source.clone(),
            krunica_hash: self.krunica.clone(),
        })
    }
}

/// The peer of a name, in a world: what a decoy's caller decided stands before what is.
pub(super) async fn find(tx: &mut Tx, tags: &RowTags, agent_id: &str, world: World) -> Result<Option<Peer>, Problem> {
    let worlds = if world == World::Decoy { &[1_i64, 0][..] } else { &[0] };
    for world in worlds {
        let row = tx.find(FIND, values![agent_id, *world]).await?;
        if let Some(row) = row
            && tags.hold(&TABLE, &row)?
        {
            return Peer::of(&row).map(Some);
        }
    }
    Ok(None)
}

/// All that a world shows, the newest first.
pub(super) async fn list(db: &Db, tags: &RowTags, world: World) -> Result<Vec<Peer>, Problem> {
    let (mut all, mut decided) = (Vec::<Peer>::new(), std::collections::BTreeSet::new());
    let rows = db.list(LIST, values![world.number()]).await?;
    for row in &rows {
        if row.number("world")? == World::Decoy.number() && tags.hold(&TABLE, row)? {
            decided.insert(row.text("agent_id")?);
        }
    }
    for row in &rows {
        let is_decided = decided.contains(&row.text("agent_id")?);
        let is_shown = is_decided == (row.number("world")? == World::Decoy.number());
        if is_shown && tags.hold(&TABLE, row)? {
            all.push(Peer::of(row)?);
        }
    }
    Ok(all)
}

/// Writes one.
pub(super) async fn put(tx: &mut Tx, tags: &RowTags, peer: &Peer, world: World) -> Result<(), Problem> {
    let state = peer.state.map_or("removed", PeerState::as_str);
    let mut values = values![&peer.agent_id, world.number(), &peer.url, peer.public_key.clone(), state];
    values.extend(values![peer.registered, peer.decided, peer.source.clone(), peer.krunica.clone()]);
    let tag: Value = tags.tag(&TABLE, &values).into();
    values.push(tag);
    tx.execute(PUT, values).await?;
    Ok(())
}

/// How many wait that registered, or that a source lists.
pub(super) async fn waiting(tx: &mut Tx, source: Option<&str>) -> Result<u64, Problem> {
    let row = tx.find(WAITING, values![source.unwrap_or_default()]).await?;
    Ok(row.map_or(Ok(0), |row| row.size("many"))?)
}

/// Takes one that registers, or was heard of: a name has one key, and nothing but a native's word ends that.
pub(super) async fn register(tx: &mut Tx, tags: &RowTags, peer: &Peer) -> Result<Peer, Problem> {
    let conflict = |why: &str| Err(Problem::new(&kinds::CONFLICT).detail(why));
    let is_hearsay = peer.source.is_some();
    match find(tx, tags, &peer.agent_id, World::Real).await? {
        // A name that a native removed is not heard of again, by whatever key, for as long as anybody says it.
        Some(known) if known.state.is_none() && is_hearsay => {
            let known = Peer { registered: peer.registered, ..known };
            put(tx, tags, &known, World::Real).await?;
            Ok(known)
        }
        // Whoever proves that he has his key stands before what others say of the name.
        Some(known) if known.state == Some(PeerState::Heard) && !is_hearsay => {
            put(tx, tags, peer, World::Real).await?;
            Ok(peer.clone())
        }
        Some(known) if known.state.is_some() && known.public_key != peer.public_key => {
            conflict("a peer of this name has another key")
        }
        Some(known) if known.state == Some(PeerState::Listed) && known.url != peer.url => {
            conflict("it is listed with another address: a native removes it first")
        }
        Some(known) if known.state.is_some() => Ok(known),
        known => {
            if waiting(tx, peer.source.as_deref()).await? >= MOST_PENDING {
                return Err(Problem::new(&kinds::BUSY).retry_after(3600));
            }
            // That its name was removed is remembered while it waits.
            let peer = Peer { decided: known.and_then(|known| known.decided), ..peer.clone() };
            put(tx, tags, &peer, World::Real).await?;
            Ok(peer)
        }
    }
}

/// Ends what nobody approved, and what was removed and is no more heard of. A name that was removed before is so again.
pub(super) async fn lapse(app: &App, now: i64) -> Result<(), Problem> {
    let (tags, before) = (app.authority.tags(), now.saturating_sub(PENDING));
    let mut tx = app.db.begin().await?;
    for row in &tx.list(AGAIN, values![before]).await? {
        if tags.hold(&TABLE, row)? {
            let removed = Peer { state: None, ..Peer::of(row)? };
            put(&mut tx, tags, &removed, World::Real).await?;
        }
    }
    tx.execute(LAPSED, values![before]).await?;
    tx.execute(FORGOTTEN, values![now.saturating_sub(REMOVED)]).await?;
    Ok(tx.commit().await?)
}
