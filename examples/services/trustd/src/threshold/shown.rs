//! What is told of a session, and to whom.

use super::rules::{self, Presence};
use super::store::{self, Holding, SessionRow};
use super::types::{HolderInfo, QuorumInfo, SessionInfo, SessionState};
use dualseal::id::SessionId;
use dualseal::krunica::KrunicaHash;
use dualseal::threshold::Session;
use platform::access::Caller;
use platform::db::Tx;
use platform::problem::{Problem, kinds};
use platform::web::Name;

/// What is told of a session.
pub(super) fn info(record: Session, founding: &KrunicaHash, state: SessionState, holdings: &[Holding]) -> SessionInfo {
    let threshold = record.threshold();
    let holder = |holding: &Holding| HolderInfo {
        indeks: holding.index.get(),
        vlasnik: Name(holding.owner),
        node: holding.node.clone(),
        stanje: holding.state,
    };
    SessionInfo {
        session_id: Name(*record.session_id()),
        n: threshold.n(),
        k: threshold.k(),
        javni_sidro: record.anchor().to_hex(),
        algoritam: record.algorithm().as_str(),
        kreiran: Name(record.created_at()),
        split_id: Name(*record.split_id()),
        stanje: state,
        krunica_hash: Name(*founding),
        vlasnici: holdings.iter().map(holder).collect(),
        zapis: record,
    }
}

/// A session that a caller is shown, with who holds the shares in force.
pub(super) async fn visible(
    tx: &mut Tx,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<(SessionRow, Vec<Holding>), Problem> {
    let session = store::session_in(tx, session_id, caller.world.number()).await?;
    let holdings = store::holdings(tx, &session.split_id).await?;
    if !rules::may_see(caller, &session.founder, holdings.iter().map(|holding| holding.owner)) {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    Ok((session, holdings))
}

/// The record that is in force by the service's own rows.
pub(super) async fn record_of(tx: &mut Tx, session: &SessionRow) -> Result<Session, Problem> {
    let records = store::records(tx, &session.session_id).await?;
    let found = records.into_iter().map(|row| row.record).find(|record| *record.split_id() == session.split_id);
    found.ok_or_else(|| Problem::internal("threshold", &"the record in force is missing"))
}

/// Who of a session is there.
pub(super) fn quorum(record: &Session, holdings: &[Holding], now: i64) -> QuorumInfo {
    let of = |wanted: Presence| {
        let is_wanted = |holding: &&Holding| rules::presence(holding.held, holding.invalid, now) == wanted;
        holdings.iter().filter(is_wanted).map(|holding| holding.index.get()).collect::<Vec<_>>()
    };
    let (threshold, present) = (record.threshold(), of(Presence::Present));
    QuorumInfo {
        session_id: Name(*record.session_id()),
        split_id: Name(*record.split_id()),
        n: threshold.n(),
        k: threshold.k(),
        kvorum: present.len() >= usize::from(threshold.k()),
        present,
        missing: of(Presence::Missing),
        invalid: of(Presence::Invalid),
    }
}
