//! `trustd serve`: the service, until it is asked to end.

use super::Fault;
use super::token::first;
use crate::alarms::{self, Alarm};
use crate::docs::documented;
use crate::integrity::{self, Watch};
use crate::messaging::Messaging;
use crate::models::{self, Models};
use crate::start::{Started, start, write};
use crate::table::TABLE;
use crate::upkeep::{Record, Upkeep, VERIFIES, is_found};
use crate::vault::Vault;
use crate::{
    App, ahead, daily, driver, family, fleet, lifecycle, messaging, peers, presence, proof, qt, router, silent,
    threshold, vault, wellness,
};
use axum::Router;
use axum::middleware::from_fn_with_state;
use dualseal_operator::disk::Disk;
use platform::authority::{Gate, require};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::idempotency;
use platform::jobs::{Jobs, Told};
use platform::objects::Objects;
use platform::serve::{asked_to_end, serve as accept};
use platform::watch::{self, Measures, measures};
use platform::web::{Web, compose, proxied};
use serde_json::json;
use std::io::{IsTerminal, Write, stdout};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use zeroize::Zeroizing;

const MINUTE: Duration = Duration::from_mins(1);
/// How long connections that are used still are waited for, when no request is served any more.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the audit log is kept.
const AUDITED: i64 = 400 * 24 * 3600 * 1000;

/// What a proxy has in front of the addresses of integrity and vault.
const PROXIED: &[&str] = &["/integrity/", "/vault/"];

/// Serves until it is asked to end.
///
/// # Errors
/// What does not open, in words.
pub async fn serve(mut config: Config, filter: Option<&str>) -> Result<(), Fault> {
    watch::logs(filter)?;
    let measured = Measures::begin()?;
    let ends = asked_to_end()?;
    let listener = bind(config.listen).await?;
    let address = listener.local_addr()?;
    // Where any free port was asked for, that is the one that others know it by.
    if config.base_url.port() == Some(0) {
        config.base_url.set_port(Some(address.port())).map_err(|()| "base_url: takes no port")?;
    }
    let clock = Clock::system();
    let started = start(config, clock.clone()).await?;
    let app: App = Arc::clone(&started.platform);
    let record: Record = {
        let app = App::clone(&app);
        Arc::new(move |name, fault| {
            app.checks.record(name, fault.is_none());
            // What is found at the start ends it, and is told by the monitor.
            if let Some(fault) = fault.filter(|_| name == "chain" && !app.config.read_only) {
                alarms::raise(&app, Alarm::Store, fault.name().to_owned(), fault.to_string());
            }
        })
    };
    let upkeep = Upkeep {
        db: app.db.clone(),
        log: app.log.clone(),
        mark: started.mark.clone(),
        objects: started.objects.clone(),
        keys: app.owners.clone(),
    };
    let is_read_only = app.config.read_only;
    upkeep.begin(&record, is_read_only, clock.millis()).await?;
    app.checks.record("tokens", app.authority.check_itself().await.unwrap_or(false));
    let vault = Vault::open(&app, started.objects.clone()).await?;
    let sends =
        Messaging::open(&app, Arc::clone(&vault), vec![Arc::new(fleet::Clocks), Arc::new(lifecycle::Documents)])?;
    tokio::spawn(wellness::run(App::clone(&app), started.objects.clone()));
    if !is_read_only {
        if let Err(problem) = vault::end_erasures(&app, &vault).await {
            tracing::error!(%problem, "an erasure is not ended");
        }
        fleet::begin(&app).await?;
        let every = app.config.log.checkpoint_every.duration();
        let jobs = upkeep.jobs(Jobs::new(app.db.clone(), clock.clone()).telling(told(&app)), &clock, every, record);
        let jobs = of_modules(jobs, &app, (&vault, &started.objects));
        jobs.begin().await?;
        tokio::spawn(jobs.run());
        tokio::spawn(messaging::run(App::clone(&app), Arc::clone(&sends)));
    }
    let watch = Watch::open(&app)?;
    tokio::spawn(integrity::run(App::clone(&app), Arc::clone(&watch)));
    let web = Web::open((&app.db, Some(&app.log)), &app.secrets, &app.clock, &app.config, TABLE).await?;
    let models = Models::open(&app)?;
    let router = assembled(&app, (&vault, &sends, &watch, &models), &web);
    if let Some(address) = app.config.metrics {
        let listener = bind(address).await?;
        let router = measures(measured, (*app).clone(), Arc::clone(&web));
        tokio::spawn(async move { axum::serve(listener, router).await });
    }
    announce(&started, address).await?;
    accept(listener, proxied(router, PROXIED), (&*app.config).into(), ends).await;
    web.end().await;
    close(&app.db).await;
    Ok(())
}

/// Ends the connections; whoever only reads, as the check of all of the chain does for minutes, is not waited for.
async fn close(db: &Db) {
    if tokio::time::timeout(PATIENCE, db.close()).await.is_err() {
        tracing::info!("somebody reads still: it is broken off");
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, Fault> {
    TcpListener::bind(address).await.map_err(|error| format!("{address}: {error}").into())
}

/// All addresses, within all layers.
pub(super) fn assembled(
    app: &App,
    (vault, sends, watch, models): (&Arc<Vault>, &Arc<Messaging>, &Arc<Watch>, &Arc<Models>),
    web: &Arc<Web>,
) -> Router {
    let router = documented(router::served(vault, sends, watch, models), &app.config.base_url);
    let router = router.with_state(Arc::clone(app));
    let gate = Gate::new(app.authority.clone(), TABLE);
    compose(router, web, |router| router.layer(from_fn_with_state(gate, require)))
}

/// Whoever is told of jobs that fail. What reads the chain has an alarm of its own for what it finds.
fn told(app: &App) -> Told {
    let app = App::clone(app);
    Arc::new(move |name, fault| {
        if name != VERIFIES || !is_found(fault) {
            alarms::raise(&app, Alarm::Job, name.to_owned(), fault.to_owned());
        }
    })
}

/// What the modules have done again and again.
fn of_modules(jobs: Jobs, app: &App, (vault, objects): (&Arc<Vault>, &Objects)) -> Jobs {
    let (one, kept) = (Arc::clone(app), Arc::clone(vault));
    let jobs = jobs.with("end-vault-erasures", 10 * MINUTE, 10 * MINUTE, move || {
        let (app, vault) = (Arc::clone(&one), Arc::clone(&kept));
        async move { vault::end_erasures(&app, &vault).await.map(drop) }
    });
    let one = Arc::clone(app);
    let jobs = jobs.with("end-family-erasures", 10 * MINUTE, 10 * MINUTE, move || {
        let app = Arc::clone(&one);
        async move { family::go_on(&app).await }
    });
    let (one, kept) = (Arc::clone(app), Arc::clone(vault));
    let jobs = jobs.with("sweep-shards", MINUTE / 2, MINUTE, move || {
        let (app, vault) = (Arc::clone(&one), Arc::clone(&kept));
        async move { qt::sweep(&app, &vault).await.map(drop) }
    });
    let one = Arc::clone(app);
    let jobs = jobs.with("sweep-shares", MINUTE, MINUTE, move || {
        let app = Arc::clone(&one);
        async move { threshold::sweep(&app).await.map(drop) }
    });
    let one = Arc::clone(app);
    let jobs = jobs.with("levels", MINUTE, 10 * MINUTE, move || {
        let app = Arc::clone(&one);
        async move {
            let is_open = app.config.lifecycle.is_open(app.clock.millis());
            if is_open { fleet::turn(&app).await.map(drop) } else { Ok(()) }
        }
    });
    let one = Arc::clone(app);
    let every = app.config.lifecycle.rhythm();
    let jobs = jobs.with("documents", every, 60 * MINUTE, move || {
        let app = Arc::clone(&one);
        async move {
            let is_open = app.config.lifecycle.is_open(app.clock.millis());
            if is_open { lifecycle::turn(&app).await.map(drop) } else { Ok(()) }
        }
    });
    let (one, kept) = (Arc::clone(app), objects.clone());
    let jobs = jobs.with("sweep-photos", 24 * 60 * MINUTE, 60 * MINUTE, move || {
        let (app, objects) = (Arc::clone(&one), kept.clone());
        async move { driver::sweep(&app, &objects).await }
    });
    let one = Arc::clone(app);
    let jobs = jobs.with("sweep-messages", 24 * 60 * MINUTE, 60 * MINUTE, move || {
        let app = Arc::clone(&one);
        async move { messaging::sweep(&app).await }
    });
    let (one, unread) = (Arc::clone(app), Arc::new(peers::Sources::default()));
    let every = app.config.peers.every.duration();
    let jobs = jobs.with("pull-peers", every, 10 * MINUTE, move || {
        let (app, unread) = (Arc::clone(&one), Arc::clone(&unread));
        async move { peers::turn(&app, &unread).await }
    });
    let (one, told) = (Arc::clone(app), Arc::new(silent::Told::default()));
    let jobs = jobs.with("silent-nodes", 60 * MINUTE, 10 * MINUTE, move || {
        let (app, told) = (Arc::clone(&one), Arc::clone(&told));
        async move { silent::turn(&app, &told).await }
    });
    let (one, told) = (Arc::clone(app), Arc::new(silent::Told::default()));
    let jobs = jobs.with("clock", 10 * MINUTE, 10 * MINUTE, move || {
        let (app, told) = (Arc::clone(&one), Arc::clone(&told));
        async move { ahead::turn(&app, &told).await }
    });
    let one = Arc::clone(app);
    jobs.with("sweep-authority", 60 * MINUTE, 10 * MINUTE, move || {
        let app = Arc::clone(&one);
        async move {
            presence::sweep(&app).await?;
            proof::sweep(&app).await?;
            daily::sweep(&app).await?;
            models::sweep(&app).await?;
            app.authority.sweep().await?;
            idempotency::sweep(&app.db, &app.clock).await?;
            watch::sweep(&app.db, app.clock.millis().saturating_sub(AUDITED)).await?;
            Ok(())
        }
    })
}

/// Says where it is; the first time with a token, to a terminal or into a file that its owner alone reads.
async fn announce(started: &Started, address: SocketAddr) -> Result<(), Fault> {
    let app = &started.platform;
    let here = format!("http://{address}");
    let docs = format!("{here}/docs/");
    let token = if started.is_new { Some(first(app).await?) } else { None };
    let mut out = stdout().lock();
    if out.is_terminal() {
        writeln!(out, "trustd listens on {here}\ndocumentation: {docs}")?;
        if let Some(token) = token {
            writeln!(out, "the first native token, which is shown once and lives for an hour:\n{}", &*token.text)?;
        }
        return Ok(());
    }
    let mut said = json!({"listening": here, "docs": docs});
    if let Some(token) = token {
        let path = app.config.data.join("first-token");
        let line = Zeroizing::new(format!("{}\n", &*token.text));
        write(&Disk::new(), &path, line.as_bytes())?;
        said["first_token_file"] = json!(path);
    }
    writeln!(out, "{said}")?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of a long chain is read in one snapshot, longer than a unit has to stop.
    #[tokio::test]
    async fn whoever_reads_the_chain_keeps_nobody_from_ending() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open("sqlite:trustd.sqlite", folder.path(), 4).await.unwrap();
        let reads = db.snapshot().await.unwrap();
        tokio::time::timeout(2 * PATIENCE, close(&db)).await.expect("it waited");
        drop(reads);
    }
}
