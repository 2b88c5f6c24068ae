//! Looks again and again. Each process looks for itself: files are a machine's own, and a job would be one machine's.

use super::look::{Held, Place};
use super::rules::Mark;
use super::store;
use super::types::{Anomaly, Stands, StatusOut};
use crate::App;
use dualseal::Timestamp;
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use platform::apart::Apart;
use platform::problem::Problem;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// So many are shown.
const SHOWN: usize = 1000;

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
        let seen = Mutex::new(State { held: None, since: BTreeMap::new(), said });
        Self { place, apart, host: host(), seen }
    }

    /// How the files stood at the last look.
    pub(super) fn said(&self) -> StatusOut {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).said.clone()
    }

    /// Looks once.
    pub(super) async fn turn(&self, app: &App) -> Result<(), Problem> {
        let (now, name) = (app.clock.millis(), mark_name(&self.host));
        let before = self.seen.lock().unwrap_or_else(PoisonError::into_inner).held.clone();
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
        let since = if app.config.read_only {
            let before = self.seen.lock().unwrap_or_else(PoisonError::into_inner).since.clone();
            let first = |path: &String| before.get(path).copied().unwrap_or(now);
            seen.differences.iter().map(|one| (one.path.clone(), first(&one.path))).collect()
        } else {
            store::keep(app, (&self.host, &seen.baseline()), &seen.differences, now).await?
        };
        let time = |millis: i64| Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string();
        let shown = |one: &super::rules::Difference| Anomaly {
            kind: "hash_anomaly",
            label: "TAMPER",
            path: one.path.clone(),
            expected: one.expected.clone(),
            found: one.found.clone(),
            since: time(since.get(&one.path).copied().unwrap_or(now)),
        };
        let count = seen.differences.len();
        metrics::gauge!("trustd_integrity_anomalies").set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
        let said = StatusOut {
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
        };
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = State { held: Some(seen.held), since, said };
        Ok(())
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
