//! What is looked at on this machine, without the service: database, log, objects, disk, sources.

use super::rules::{Checked, Found, LEAST_SOURCE, outbox};
use super::store;
use crate::commands::{Fault, Stored};
use crate::integrity::Place;
use crate::upkeep::{VERIFIES, is_found};
use crate::{ahead, wellness};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::jobs::stands;
use platform::log::verify_recent;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(30);
/// How long all of the chain may be unread.
const UNREAD: i64 = 2 * 24 * 3600 * 1000;
/// Clocks differ by less.
const APART: i64 = 60_000;
const PROBE: &[u8] = b"the monitor was here";
/// The modules that sign.
const SIGNING: [&str; 2] = ["dsa", "threshold"];

fn found(done: Result<Result<Found, Fault>, tokio::time::error::Elapsed>) -> Found {
    match done {
        Ok(Ok(found)) => found,
        Ok(Err(fault)) => Found::Failed(fault.to_string()),
        Err(_) => Found::Failed(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}

/// All of them; `waits` is the entry that waits for a checkpoint, as the last run saw it.
pub(super) async fn all(config: &Config, clock: &Clock, waits: &mut Option<(i64, i64)>) -> Vec<Checked> {
    let opened = timeout(PATIENCE, Stored::open(config, clock)).await;
    let mut all = Vec::new();
    match opened {
        Ok(Ok(stored)) => {
            all.push(("database", Found::Well));
            all.push(("head", found(timeout(PATIENCE, head(&stored, clock.millis(), config.read_only)).await)));
            let (now, every) = (clock.millis(), config.log.checkpoint_every.millis());
            let covered = checkpoint(&stored.db, now, every, waits);
            all.push(("checkpoint", found(timeout(PATIENCE, covered).await)));
            let waits = async { Ok(outbox(now, store::waiting(&stored.db).await?, config.mesh.outbox_age.millis())) };
            all.push(("outbox", found(timeout(PATIENCE, waits).await)));
            all.push(("objects", found(timeout(PATIENCE, objects(config, &stored)).await)));
            stored.db.close().await;
        }
        failed => {
            let reason = match failed {
                Ok(Err(fault)) => fault.to_string(),
                _ => format!("no answer within {} s", PATIENCE.as_secs()),
            };
            all.push(("database", Found::Failed(reason)));
            all.extend(["head", "checkpoint", "outbox", "objects"].map(|name| (name, Found::Hangs("database"))));
        }
    }
    all.push(("disk", Found::unless(wellness::full(&config.data, config.mesh.disk_free))));
    all.push(("sources", sources(config)));
    all
}

/// Of an entry that is dated ahead nobody who looks once knows the age: it is overdue where several runs saw it.
async fn checkpoint(db: &Db, now: i64, every: i64, waits: &mut Option<(i64, i64)>) -> Result<Found, Fault> {
    let oldest = wellness::since(waits, wellness::uncovered(db).await?, now);
    let ahead = ahead::too_much(ahead::ahead(db, now).await?);
    Ok(match (wellness::overdue(now, oldest, every), ahead) {
        (Some(reason), _) => Found::Failed(reason),
        (None, Some(reason)) => Found::Ahead(reason),
        (None, None) => Found::Well,
    })
}

/// The chain from the last checkpoint on, under the signer's mark, and what the service found of all of it, which takes
/// too long for a monitor.
async fn head(stored: &Stored, now: i64, is_read_only: bool) -> Result<Found, Fault> {
    if let Err(fault) = verify_recent(&stored.db, &stored.secrets, &stored.mark()).await {
        return Ok(Found::Failed(format!("{}: {fault}", fault.name())));
    }
    let Some((fault, well)) = stands(&stored.db, VERIFIES).await? else {
        let gone = || "the job that reads all of the chain has no row: the service never ran, or somebody took it away";
        return Ok(Found::unless((!is_read_only).then(gone).map(str::to_owned)));
    };
    if let Some(fault) = fault.filter(|fault| is_found(fault)) {
        return Ok(Found::Failed(format!("all of the chain: {fault}")));
    }
    // It is read each day: what keeps it from that hides nothing. Who writes nothing does not read it by himself.
    let is_late = well.is_none_or(|well| !(now - UNREAD..=now + APART).contains(&well));
    let late = || "all of the chain was not read, and found well, for two days".to_owned();
    Ok(Found::unless((is_late && !is_read_only).then(late)))
}

/// Something is stored, and read.
async fn objects(config: &Config, stored: &Stored) -> Result<Found, Fault> {
    let objects = stored.objects(config)?;
    objects.health().await?;
    if !config.read_only {
        objects.put_bytes(PROBE).await?;
    }
    Ok(Found::Well)
}

/// The sources of the two modules that sign were shipped, whole, and stand in the manifest where one counts.
fn sources(config: &Config) -> Found {
    let Some(folder) = &config.mesh.sources else { return Found::NotSet };
    let listed: Option<BTreeSet<String>> =
        Place::of(config).and_then(|place| place.present()).ok().map(|manifest| manifest.entries.into_keys().collect());
    for module in SIGNING {
        let counted = match weigh(folder, module, listed.as_ref()) {
            Ok(counted) => counted,
            Err(error) => return Found::Failed(format!("{module}: {error}")),
        };
        if counted <= LEAST_SOURCE {
            let of = if listed.is_some() { " of the manifest" } else { "" };
            return Found::Failed(format!(
                "{module}: {counted} bytes of sources{of}, and more than {LEAST_SOURCE} are wanted"
            ));
        }
    }
    Found::Well
}

/// The bytes of a module: of its file, and of all below its folder.
fn weigh(folder: &Path, module: &str, listed: Option<&BTreeSet<String>>) -> Result<u64, std::io::Error> {
    let counts = |path: &Path| listed.is_none_or(|listed| listed.contains(&*path.to_string_lossy()));
    let own = folder.join(format!("{module}.rs"));
    let mut sum = own.symlink_metadata().map(|found| if found.is_file() && counts(&own) { found.len() } else { 0 })?;
    let mut open = vec![folder.join(module)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && counts(&path) {
                sum = sum.saturating_add(path.symlink_metadata()?.len());
            }
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::House;
    use platform::authority::AddNode;

    const HOUR: i64 = 3_600_000;

    #[tokio::test]
    async fn a_log_that_is_dated_ahead_is_told_apart_from_one_that_nothing_covers() {
        let house = House::new().await;
        let (app, mut waits) = (&house.app, None);
        let mut looks = async || checkpoint(&app.db, app.clock.millis(), HOUR, &mut waits).await.unwrap();
        app.log.checkpoint().await.unwrap();
        assert_eq!(looks().await, Found::Well);
        // Two days ahead while something was written.
        house.after(48 * HOUR);
        app.log.submit(AddNode::new(&app.authority, "n", house.ana, None).unwrap()).await.unwrap();
        house.after(-48 * HOUR);
        for hours in [0, 1, 1] {
            house.after(hours * HOUR);
            assert!(matches!(looks().await, Found::Ahead(_)), "{hours}");
        }
        house.after(1);
        assert!(matches!(looks().await, Found::Failed(_)));
        app.log.checkpoint().await.unwrap();
        assert!(matches!(looks().await, Found::Ahead(_)));
        house.after(46 * HOUR);
        assert_eq!(looks().await, Found::Well);
    }
}
