//! Which session a command is about, and which of its records is in force.
//!
//! The home folder keeps what is public of a session in `records/sessions/<session_id>/`: its records as `<seq>.json`,
//! by the positions of their chain entries, and the custodians of each as `<seq>.owners.json`.

use crate::chain_file::{entries, last_entries, read_for, under};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::evidence::{Evidence, OfLog};
use crate::failure::{Failure, HOME, USAGE};
use crate::home::{Home, Step};
use crate::input;
use crate::output::canonical;
use crate::shares::dealt::refused;
use crate::shares::read::{Line, lines};
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::error::{Rejected, ThresholdFault};
use dualseal::id::SessionId;
use dualseal::krunica::{Checker, KrunicaHash};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::Index;
use dualseal::threshold::{Founded, Session, SessionAtHead, SessionInForce, SessionShare};
use dualseal::{Domain, Error, Head, IdentityId, KeyRing, Verified};
use dualseal_operator::paths::Show;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "records/sessions";

/// Which session a command is about.
#[derive(clap::Args, Debug)]
pub(crate) struct Which {
    /// Its identifier, or its record (session.json) [default: the only session of the home folder]
    #[arg(long = "session", value_name = "SESSION")]
    session: Vec<String>,

    /// The handle that was pinned when the session was founded [default: that of the home folder's first record]
    #[arg(long, value_name = "HANDLE")]
    founding: Option<KrunicaHash>,
}

/// What is known of a session without any secret.
pub(crate) struct Known {
    pub(crate) records: Vec<Session>,
    /// The positions of the first and the last record's entries, where the home folder keeps them.
    first: Option<u64>,
    last: Option<u64>,
}

impl Which {
    /// The records that were named: files, or those that a home folder keeps.
    pub(crate) fn find(&self, home: Option<&Home>) -> Result<Known, Failure> {
        let ids: Vec<SessionId> = self.session.iter().filter_map(|name| name.parse().ok()).collect();
        match (ids.as_slice(), self.session.as_slice(), home) {
            ([id], [_], Some(home)) => kept(home, id),
            ([], [], Some(home)) => kept(home, &only(home)?),
            ([], [_, ..], _) => {
                let records = self.session.iter().map(|name| read(Path::new(name))).collect::<Result<_, _>>()?;
                Ok(Known { records, first: None, last: None })
            }
            (_, _, None) => {
                let hint = "give the session.json of its founding with --session";
                Err(Failure::new(USAGE, "nothing says which session it is", hint))
            }
            _ => Err(Failure::new(USAGE, "several sessions are named", "name one session with --session")),
        }
    }

    /// Whether a home folder keeps the session.
    pub(crate) fn is_kept(&self, home: &Home) -> Result<bool, Failure> {
        let known = self.find(Some(home))?;
        let id = known.records.first().map(|record| *record.session_id());
        Ok(id.is_some_and(|id| home.path(&format!("{FOLDER}/{id}")).exists()))
    }

    /// The session of a home folder that is in force.
    pub(crate) fn in_force(&self, home: &Home, ring: &KeyRing) -> Result<SessionInForce, Failure> {
        let named = self.find(Some(home))?;
        // Records that were given as files say which session it is; the home folder's own records count.
        let id = named.records.first().map(|record| *record.session_id());
        let known = match (named.last, id) {
            (None, Some(id)) => kept(home, &id)?,
            _ => named,
        };
        let checkpoint = home.own_checkpoint(ring)?.filter(|checkpoint| {
            // A later record than the checkpoint covers may have taken the place of those below it.
            known.last.is_none_or(|seq| seq < checkpoint.record().tree_head().size)
        });
        let checkpoint = checkpoint.ok_or_else(|| {
            let message = "no checkpoint covers the session's entry yet";
            Failure::new(HOME, message, "sign one: dualseal checkpoint sign -o checkpoint.json")
        })?;
        let chain = home.path(CHAIN);
        let founding = match (self.founding, known.first) {
            (Some(founding), _) => founding,
            (None, Some(seq)) => handle_at(&chain, seq)?,
            (None, None) => return Err(none_here()),
        };
        agreed(home.domain().domain(), &known, &founding, &checkpoint, &chain, ring)
    }

    /// The session that is in force in the chain that was given, by the ring that the reader trusts.
    pub(crate) fn in_evidence(
        &self,
        evidence: &Evidence,
        chain: &Path,
        domain: &DomainFile,
        ring: &KeyRing,
    ) -> Result<SessionInForce, Failure> {
        let known = self.find(None)?;
        let Some(checkpoint) = evidence.checkpoint(domain, OfLog::default())? else {
            return Err(Failure::new(USAGE, "a chain alone proves nothing", "give its --checkpoint and --log-key"));
        };
        let Some(founding) = self.founding else {
            let hint = "give the handle that you noted when the session was founded, with --founding";
            return Err(Failure::new(USAGE, "nothing says which session you rely on", hint));
        };
        agreed(domain.domain(), &known, &founding, &checkpoint, chain, ring)
    }
}

/// What is in force at the head of the home folder's own chain, which the next record goes on from.
pub(crate) fn at_head(
    home: &Home,
    head: &Head,
    session: &SessionInForce,
    ring: &KeyRing,
) -> Result<SessionAtHead, Failure> {
    let known = kept(home, session.founder().session_id())?;
    let begun = TrustedHead::stored(session.covered());
    let mut reader = ChainReader::new(home.domain().domain(), &begun).up_to(head);
    let watched = reader.session_since(session)?;
    let since = head.size().saturating_sub(session.covered().size());
    last_entries(&home.path(CHAIN), since, |json| reader.push_json(json).map(drop))?;
    let located = reader.finish()?.take(watched)?;
    Ok(located.at_head(&known.records, ring)?)
}

fn agreed(
    domain: &Domain,
    known: &Known,
    founding: &KrunicaHash,
    checkpoint: &Verified<Checkpoint>,
    chain: &Path,
    ring: &KeyRing,
) -> Result<SessionInForce, Failure> {
    let Some(first) = known.records.first() else { return Err(none_here()) };
    let reader = under(domain, checkpoint)?;
    let hint = "ask whoever founded the session for all of its records, and for a checkpoint that covers them";
    let located = read_for(chain, reader, |reader| reader.session(first.session_id(), founding))?;
    located.in_force(&known.records, ring).map_err(|error| Failure::from(error).hint(hint))
}

/// The handle of the entry at a position of the home folder's own chain.
fn handle_at(chain: &Path, seq: u64) -> Result<KrunicaHash, Failure> {
    let (mut checker, mut found) = (Checker::new(), None);
    entries(chain, |json| {
        let entry = checker.push_json(json)?;
        if entry.seq() == seq {
            found = Some(entry.krunica_hash());
        }
        Ok(())
    })?;
    found.ok_or_else(none_here)
}

/// The record of a session whose entry stands at a position; the founder's where there is none.
pub(crate) fn record_at(session: &SessionInForce, seq: u64) -> &Session {
    session.candidates().find(|(_, at)| *at == seq).map_or(session.founder(), |(record, _)| record)
}

/// The custodians of the record whose entry stands at a position, as the home folder noted them.
pub(crate) fn owners(home: &Home, session: &SessionInForce, seq: u64) -> Result<Vec<IdentityId>, Failure> {
    let path = home.path(&format!("{FOLDER}/{}/{seq}.owners.json", session.founder().session_id()));
    let broken = || {
        let hint = "name the custodians with --owner, in the order of their shares";
        Failure::new(HOME, format!("{} does not say who the custodians are", path.shown()), hint)
    };
    let Ok(Value::Array(list)) = Value::parse(&input::small(&path).map_err(|_| broken())?) else {
        return Err(broken());
    };
    let owner = |value| match value {
        Value::String(id) => id.parse().map_err(|_| broken()),
        _ => Err(broken()),
    };
    list.into_iter().map(owner).collect()
}

/// Keeps a new record with its custodians.
pub(crate) fn keep(step: &mut Step<'_>, founded: &Founded, owners: &[IdentityId]) {
    let (id, seq) = (founded.session.session_id(), founded.entry.seq());
    step.record(&format!("sessions/{id}/{seq}.json"), &format!("{}\n", founded.session.to_json()));
    let owners = owners.iter().map(|owner| Value::String(owner.to_hex())).collect();
    step.record(&format!("sessions/{id}/{seq}.owners.json"), &format!("{}\n", canonical(&Value::Array(owners))));
}

/// All records of a session that a home folder keeps, in the order of the chain.
fn kept(home: &Home, id: &SessionId) -> Result<Known, Failure> {
    let folder = home.path(&format!("{FOLDER}/{id}"));
    let mut found: Vec<(u64, PathBuf)> = Vec::new();
    for path in listed(&folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(Ok(seq)) = name.strip_suffix(".json").map(str::parse) {
            found.push((seq, path));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(none_here());
    }
    let [first, last] = [found.first(), found.last()].map(|record| record.map(|(seq, _)| *seq));
    let records = found.iter().map(|(_, path)| read(path)).collect::<Result<_, _>>()?;
    Ok(Known { records, first, last })
}

fn only(home: &Home) -> Result<SessionId, Failure> {
    let folders = listed(&home.path(FOLDER))?;
    let mut ids = folders.iter().filter_map(|path| path.file_name()?.to_str()?.parse().ok());
    match (ids.next(), ids.next()) {
        (Some(id), None) => Ok(id),
        (None, _) => Err(none_here()),
        _ => Err(Failure::new(USAGE, "there are several sessions here", "say which one with --session")),
    }
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let failed = |error| Failure::reading(folder, &error);
    fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

fn read(path: &Path) -> Result<Session, Failure> {
    let read = Session::from_json(&input::small(path)?);
    let hint = "give a session's identifier, or the session.json of its founding";
    read.map_err(|error| Failure::from(error).about(path.shown()).hint(hint))
}

fn none_here() -> Failure {
    let hint = "found one by `dualseal session found`, or give its session.json with --session";
    Failure::new(USAGE, "this session is not known here", hint)
}

/// The custodians' shares, each with the place it was read from.
pub(crate) struct Custody {
    pub(crate) shares: Vec<SessionShare>,
    places: Vec<String>,
}

impl Custody {
    pub(crate) fn read(paths: &[PathBuf], context: &Context) -> Result<Self, Failure> {
        let lines = lines(paths, context.output())?;
        let hint = "give a custodian's share as it was written: one share is one line of JSON";
        let share = |line: &Line| {
            let read = SessionShare::from_json(line.text().as_bytes());
            read.map_err(|error| Failure::from(error).about(line.place()).hint(hint))
        };
        let shares = lines.iter().map(share).collect::<Result<_, _>>()?;
        Ok(Self { shares, places: lines.iter().map(|line| line.place().to_owned()).collect() })
    }

    /// Why shares gave nothing, with the files to blame.
    pub(crate) fn refusal(&self, error: Error, session: &SessionInForce) -> Failure {
        let health = session.quorum(&self.shares).health;
        let indices = self.shares.iter().map(SessionShare::index);
        let places: Vec<(Index, &str)> = indices.zip(self.places.iter().map(String::as_str)).collect();
        let told = |(index, place): &(Index, &str)| {
            let why = if health.foreign.contains(index) {
                "is of another session or an earlier dealing"
            } else if health.invalid.contains(index) {
                "is not what was dealt"
            } else {
                return None;
            };
            Some(format!("{index} ({place}) {why}"))
        };
        let told: Vec<String> = places.iter().filter_map(told).collect();
        if let Error::Rejected(Rejected::Threshold(ThresholdFault::NotCommitted { .. })) = &error {
            return Failure::from(error).hint("name the custodian whose share it was with --owner");
        }
        refused(error, &places, &told, told.len() == places.len())
    }
}

/// The context's home folder and the domain for a command that may do without one.
pub(crate) fn surroundings(context: &Context) -> Result<(Option<Home>, DomainFile), Failure> {
    let home = context.home_if_any()?;
    let domain = context.domain(None, home.as_ref())?;
    Ok((home, domain))
}
