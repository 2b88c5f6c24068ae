//! Looks again and again. Each process looks for itself: files are a machine's own, and a job would be one machine's.

use super::look::{Held, Place, Seen};
use super::rules::{Difference, Mark};
use super::store;
use super::types::{Anomaly, Stands, StatusOut};
use crate::App;
use crate::alarms::{APART, CHECK, are_untold};
use dualseal::Timestamp;
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use platform::apart::Apart;
use platform::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many are shown.
const SHOWN: usize = 1000;
/// So much longer than two times its time may a look take.
const LATE: i64 = 60_000;
/// What fails once may be a moment's.
const TWICE: u32 = 2;
const NOT_LOOKED: &str = "the files could not be looked at: the log says why";

/// The files of this machine.
#[derive(Debug)]
pub struct Watch {
    place: Place,
    apart: Apart,
    host: String,
    seen: Mutex<State>,
}

#[derive(Debug)]
struct State {
    held: Option<Held>,
    since: BTreeMap<String, i64>,
    /// When it was looked last, and came to an end.
    looked: Option<i64>,
    /// So many looks in a row failed.
    failed: u32,
    /// Whether an alarm says so.
    is_told: bool,
    /// Since when there is something of which nobody could be told.
    untold: BTreeMap<String, i64>,
    said: StatusOut,
}

/// This machine's name.
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

fn mark_name(host: &str) -> String {
    format!("integrity-{}", hex::encode(&Sha3_256::digest(host.as_bytes())))
}

/// The newest manifest that this machine has seen.
///
/// # Errors
/// The place apart; what stands there is none.
pub(crate) async fn mark(apart: &Apart) -> Result<Option<Mark>, Problem> {
    Ok(read(apart, &mark_name(&host())).await?.map(|(mark, _)| mark))
}

async fn read(apart: &Apart, name: &str) -> Result<Option<(Mark, Vec<u8>)>, Problem> {
    let wrong = |error: &dyn std::fmt::Display| Problem::internal("integrity mark", error);
    let Some(bytes) = apart.read(name).await.map_err(|error| wrong(&error))? else { return Ok(None) };
    let mark = serde_json::from_slice(&bytes).map_err(|error| wrong(&error))?;
    Ok(Some((mark, bytes.to_vec())))
}

impl Watch {
    /// Over what the settings name.
    ///
    /// # Errors
    /// In words.
    pub fn open(app: &App) -> Result<Arc<Self>, String> {
        let (place, apart) = (Place::of(&app.config)?, Apart::open(&app.config).map_err(|error| error.to_string())?);
        Ok(Arc::new(Self::over(place, apart)))
    }

    pub(super) fn over(place: Place, apart: Apart) -> Self {
        let said = StatusOut {
            status: Stands::Unsigned,
            signed: false,
            reason: Some("it was not looked yet".to_owned()),
            number: None,
            modules: 0,
            looked: None,
            count: 0,
            anomalies: Vec::new(),
        };
        let (since, untold) = (BTreeMap::new(), BTreeMap::new());
        let state = State { held: None, since, looked: None, failed: 0, is_told: false, untold, said };
        Self { place, apart, host: host(), seen: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the files stood at the last look. What was well long ago is well no more: nobody knows.
    pub(super) fn said(&self, app: &App) -> StatusOut {
        let state = self.state();
        let most = app.config.integrity.every.millis().saturating_mul(2).saturating_add(LATE);
        match state.looked {
            Some(looked) if app.clock.millis().saturating_sub(looked) > most => {
                unknown(state.said.clone(), "it was not looked for long")
            }
            _ => state.said.clone(),
        }
    }

    /// Looks once. What was found is said also where it cannot be written down, and where it cannot be looked, that.
    pub(super) async fn turn(&self, app: &App) -> Result<(), Problem> {
        let seen = match self.look().await {
            Ok(seen) => seen,
            Err(problem) => {
                self.failed(app).await;
                return Err(problem);
            }
        };
        let now = app.clock.millis();
        let (count, baseline) = (seen.differences.len(), seen.baseline());
        metrics::gauge!("trustd_integrity_anomalies").set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
        let mut since = BTreeMap::new();
        {
            let mut state = self.state();
            for one in &seen.differences {
                since.insert(one.path.clone(), state.since.get(&one.path).copied().unwrap_or(now));
            }
            let (said, held) = (said(&seen, &since, now), Some(seen.held.clone()));
            let (looked, untold) = (Some(now), mem::take(&mut state.untold));
            *state = State { held, since: since.clone(), looked, failed: 0, is_told: false, untold, said };
        }
        if !app.config.read_only {
            let kept = store::keep(app, (&self.host, &baseline), (&seen.differences, &since), now).await;
            let all = || seen.differences.iter().map(|one| one.path.clone()).collect();
            self.untold(app, kept.as_ref().map_or_else(|_| all(), |kept| kept.untold.clone()));
            since.extend(kept?.since);
            let mut state = self.state();
            state.said = said(&seen, &since, now);
            state.since = since;
        }
        Ok(())
    }

    async fn look(&self) -> Result<Seen, Problem> {
        let name = mark_name(&self.host);
        let before = self.state().held.clone();
        let (mark, bytes) = read(&self.apart, &name).await?.unzip();
        let (place, last) = (self.place.clone(), mark.clone());
        let seen = tokio::task::spawn_blocking(move || place.look(before.as_ref(), last.as_ref())).await;
        let seen = seen.map_err(|error| Problem::internal("integrity", &error))?;
        let seen = seen.map_err(|error| Problem::internal("integrity", &error))?;
        if let Ok(newest) = &seen.signed
            && mark.as_ref() != Some(newest)
        {
            let text = serde_json::to_vec(newest).map_err(|error| Problem::internal("integrity", &error))?;
            // Where another process was first, its mark is this one, or is looked at the next time.
            if let Err(error) = self.apart.put(&name, bytes.as_deref(), &text).await {
                tracing::warn!(%error, "the newest manifest was not noted");
            }
        }
        Ok(seen)
    }

    /// Says that it was not looked. An alarm tells of it where that was so twice in a row: what keeps it from looking
    /// may keep that from being written, so it is tried until it is.
    async fn failed(&self, app: &App) {
        let is_due = {
            let mut state = self.state();
            state.failed = state.failed.saturating_add(1);
            state.said = unknown(state.said.clone(), NOT_LOOKED);
            state.failed >= TWICE && !state.is_told && !app.config.read_only
        };
        if is_due {
            let machine = BTreeSet::from([String::new()]);
            match store::tell(app, &self.host, NOT_LOOKED).await {
                Ok(is_told) => {
                    self.state().is_told = is_told;
                    self.untold(app, if is_told { BTreeSet::new() } else { machine });
                }
                Err(problem) => {
                    tracing::error!(%problem, "an alarm was not written");
                    self.untold(app, machine);
                }
            }
        }
    }

    /// Of these nobody could be told just now. Another alarm keeps one back for ten minutes: whatever does so for
    /// longer has the process say that it is not well.
    fn untold(&self, app: &App, paths: BTreeSet<String>) {
        let (now, mut state) = (app.clock.millis(), self.state());
        let before = mem::take(&mut state.untold);
        let since = |path: String| {
            let first = before.get(&path).copied().unwrap_or(now);
            (path, first)
        };
        state.untold = paths.into_iter().map(since).collect();
        let overdue = state.untold.values().filter(|since| now.saturating_sub(**since) > APART).count();
        drop(state);
        if overdue > 0 {
            tracing::error!(overdue, "of files that are not as they were nobody could be told for ten minutes");
        }
        if overdue > 0 || are_untold(app) {
            metrics::gauge!("trustd_well", "what" => CHECK).set(if overdue == 0 { 1.0 } else { 0.0 });
            app.checks.record(CHECK, overdue == 0);
        }
    }
}

/// An anomaly is one still; what was well is not known.
fn unknown(said: StatusOut, reason: &str) -> StatusOut {
    let status = if said.status == Stands::Anomaly { Stands::Anomaly } else { Stands::Unsigned };
    StatusOut { status, signed: false, reason: Some(reason.to_owned()), ..said }
}

fn said(seen: &Seen, since: &BTreeMap<String, i64>, now: i64) -> StatusOut {
    let time = |millis: i64| Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string();
    let shown = |one: &Difference| Anomaly {
        kind: "hash_anomaly",
        label: "TAMPER",
        path: one.path.clone(),
        expected: one.expected.clone(),
        found: one.found.clone(),
        since: time(since.get(&one.path).copied().unwrap_or(now)),
    };
    let count = seen.differences.len();
    StatusOut {
        status: match (count, &seen.signed) {
            (0, Ok(_)) => Stands::Ok,
            (0, Err(_)) => Stands::Unsigned,
            _ => Stands::Anomaly,
        },
        signed: seen.signed.is_ok(),
        reason: seen.signed.as_ref().err().cloned(),
        number: seen.signed.as_ref().ok().map(|mark| mark.number),
        modules: seen.held.entries.values().filter(|there| there.starts_with("file ")).count(),
        looked: Some(time(now)),
        count,
        anomalies: seen.differences.iter().take(SHOWN).map(shown).collect(),
    }
}

/// Looks until it is dropped.
pub async fn run(app: App, watch: Arc<Watch>) {
    loop {
        if let Err(problem) = watch.turn(&app).await {
            tracing::error!(%problem, "the files were not looked at");
        }
        tokio::time::sleep(app.config.integrity.every.duration()).await;
    }
}
