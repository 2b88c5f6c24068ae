//! `trustd gate`: whether this release runs under these settings. All modules are loaded and asked, and the migrations
//! run, over a copy of the schema: nothing of the service is changed, and no row of it read.

use super::Fault;
use super::serve::assembled;
use crate::fleet::Clocks;
use crate::integrity::Watch;
use crate::lifecycle::Documents;
use crate::messaging::Messaging;
use crate::models::Models;
use crate::planned;
use crate::start::start;
use crate::table::TABLE;
use crate::vault::Vault;
use axum::body::Body;
use http::Request;
use platform::backup::{Copied, Scratch};
use platform::clock::Clock;
use platform::config::{Config, KeyConfig};
use platform::db::Schema;
use platform::secrets;
use platform::web::Web;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tower::ServiceExt as _;

/// Tries it. The settings were read before.
///
/// # Errors
/// What does not load, migrate or answer, in words.
pub async fn gate(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<(), Fault> {
    writeln!(out, "settings: ok")?;
    let is_drawn = config.keys.master.is_none() && config.keys.master_credential.is_none();
    if !is_drawn || config.data.join("master.pem").exists() {
        secrets::open(config)?;
        writeln!(out, "master: ok")?;
    }
    let folder = tempfile::tempdir()?;
    let scratch = Scratch::copy(config, folder.path()).await?;
    let tried = loads(config, clock, (folder.path(), &scratch), out).await;
    let ended = scratch.end().await;
    // Why it does not load comes before what became of the copy.
    tried?;
    Ok(ended?)
}

/// Whoever puts a release in place makes a backup before the schema changes.
fn told(copied: Copied) -> &'static str {
    match copied {
        Copied::Schema(Schema::Own) => "ok, the schema stays",
        Copied::Schema(Schema::Earlier | Schema::Other) => "ok, the schema changes",
        Copied::None => "ok, there was no schema",
        Copied::Instead => {
            "there are none to run; they were not tried, and modules over an empty file: no `database_owner`"
        }
    }
}

async fn loads(
    config: &Config,
    clock: &Clock,
    (folder, scratch): (&Path, &Scratch),
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let mut own = config.clone();
    own.data = folder.join("data");
    own.database.clone_from(&scratch.address);
    own.database_owner.clone_from(&scratch.owner);
    "folder".clone_into(&mut own.objects);
    own.keys = KeyConfig::default();
    own.read_only = false;
    let started = start(own, clock.clone()).await?;
    writeln!(out, "migrations: {}", told(scratch.copied))?;
    let app = started.platform;
    let vault = Vault::open(&app, started.objects.clone()).await?;
    let messaging = Messaging::open(&app, Arc::clone(&vault), vec![Arc::new(Clocks), Arc::new(Documents)])?;
    let web = Web::open((&app.db, Some(&app.log)), &app.secrets, &app.clock, &app.config, TABLE).await?;
    let models = Models::open(&app)?;
    let router = assembled(&app, (&vault, &messaging, &Watch::open(&app)?, &models), &web);
    let is_module = |path: &str| path.ends_with("/health") && !path.starts_with(planned::PREFIX);
    let modules = TABLE.iter().filter(|row| row.method == "GET" && is_module(row.path));
    let (mut count, mut unwell) = (0, Vec::new());
    for row in modules {
        let answer = router.clone().oneshot(Request::get(row.path).body(Body::empty())?).await?;
        count += 1;
        if !answer.status().is_success() {
            unwell.push(format!("{}: {}", row.path, answer.status()));
        }
    }
    web.end().await;
    app.db.close().await;
    if !unwell.is_empty() {
        return Err(unwell.join("; ").into());
    }
    writeln!(out, "modules: {count} ok")?;
    Ok(())
}
