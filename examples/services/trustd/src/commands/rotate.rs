//! `trustd init --rotate-master`: draws the next master; and, called again when every process of the service was
//! stopped and started with both, puts everything under it. `--stopped` does both at once where none runs. And `trustd
//! checkpoint rotate-key`: the next key of the log.

use super::{Fault, Stored};
use dualseal::checkpoint::LogFingerprint;
use dualseal::mldsa::KeyHash;
use dualseal::{IdentityId, PublicKey, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Tx;
use platform::log::{Work, seed_place};
use platform::problem::{Problem, kinds};
use platform::secrets::{self, Secrets, begin_rotation, rotate_master};
use platform::watch;
use std::io::Write;

/// Begins a rotation, or goes on with the one that was begun.
///
/// # Errors
/// [`Fault`]; it is begun again then.
pub async fn master(config: &Config, clock: &Clock, is_stopped: bool, out: &mut dyn Write) -> Result<(), Fault> {
    let is_begun = secrets::open(config)?.before().is_some();
    if !is_begun {
        // Its name stands in the database before anybody writes under the next one.
        let current = Stored::open(config, clock).await?;
        current.db.close().await;
        let next = begin_rotation(config)?;
        writeln!(out, "the next master is {}; the one before stands beside it", next.master().key_id().to_hex())?;
        if !is_stopped {
            writeln!(out, "stop every process of the service, give each both files, start them, and call this again")?;
            return Ok(());
        }
    }
    let stored = Stored::open(config, clock).await?;
    let log = stored.log(config).await?;
    let rotated = rotate_master(&stored.db, &log, &stored.keys()).await;
    watch::command(&stored.db, clock, "init --rotate-master", None, rotated.is_ok()).await?;
    let rotated = rotated?;
    let (rows, already) = (rotated.rows.rewrapped, rotated.rows.already);
    writeln!(out, "{rows} secrets and {} erasure keys were put under it, {already} were", rotated.erasure_keys)?;
    if rotated.is_complete() {
        writeln!(out, "nothing needs the master before but backups from before: move its file to them")?;
        return Ok(());
    }
    for refused in &rotated.rows.refused {
        writeln!(out, "{}: {}", refused.place, refused.fault)?;
    }
    let (late, refused) = (rotated.rows.late, rotated.rows.refused.len());
    Err(format!("it has not ended: {late} secrets were written under the master before, {refused} do not open").into())
}

/// Puts a new key in the place of the one that signs checkpoints, between a checkpoint by the old one and one by the
/// new: whoever follows the log pins it anew, and keeps the last checkpoint that he has.
///
/// # Errors
/// [`Fault`].
pub async fn log_key(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<(), Fault> {
    let stored = Stored::open(config, clock).await?;
    let log = stored.log(config).await?;
    let covered = log.checkpoint().await?;
    let work = LogKey { identity_id: *log.identity(), secrets: stored.secrets.clone() };
    let rotated = log.submit(work).await;
    watch::command(&stored.db, clock, "checkpoint rotate-key", None, rotated.is_ok()).await?;
    let (old, new) = rotated?;
    log.keys().drop_key(&old);
    let state = log.state().await?;
    let fingerprint = LogFingerprint::of(log.domain(), state.origin(), log.identity(), &new);
    writeln!(out, "the key before signed up to {covered} entries; the log's fingerprint is {fingerprint} from now on")?;
    Ok(())
}

struct LogKey {
    identity_id: IdentityId,
    secrets: Secrets,
}

impl Work for LogKey {
    type Read = ();
    type Made = (KeyHash, PublicKey);
    type Answer = (KeyHash, PublicKey);

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Self::Made, Problem> {
        let old = step.ring().info(&self.identity_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?.public_key;
        let key = SigningKey::generate(&mut SystemRng)?;
        step.rotate(&self.identity_id, key.public_key())?;
        step.keep(self.secrets.seal(seed_place(key.public_key())?, key.seed().expose())?);
        step.forget(seed_place(&old)?);
        Ok((*old.hash(), key.public_key().clone()))
    }

    async fn rows(&self, _: &mut Tx, made: Self::Made, _: &Changes) -> Result<Self::Answer, Problem> {
        Ok(made)
    }

    fn is_sealed(&self) -> bool {
        true
    }
}
