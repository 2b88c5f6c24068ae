//! One run: everything is looked at, what failed is told directly, and what was told is noted.

use super::inside;
use super::outside::Asks;
use super::rules::{Checked, Found, alert, failed, well_again};
use super::store::{Left, leave, left};
use crate::commands::Fault;
use crate::messaging::direct::{By, send};
use platform::clock::Clock;
use platform::config::{Config, Seconds};
use std::io::Write;
use std::process::ExitCode;

/// Nobody is quiet for longer.
const LONGEST_QUIET: u64 = 86_400;

/// Looks at everything, and tells what failed: 0 where all is well, 1 where something is not, and
///
/// # Errors
/// where nobody could be told.
pub async fn check(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<ExitCode, Fault> {
    let asks = Asks::new(config, clock)?;
    let mut checked = asks.modules().await;
    checked.extend(inside::all(config, clock).await);
    checked.extend(asks.others().await);
    for (name, found) in &checked {
        match found {
            Found::Well => writeln!(out, "{name}: ok")?,
            Found::NotSet => writeln!(out, "{name}: not set")?,
            Found::Hangs(on) => writeln!(out, "{name}: not looked at: {on} failed")?,
            Found::Failed(reason) => writeln!(out, "{name}: FAILED: {reason}")?,
        }
    }
    let (before, now) = (left(&config.data), clock.millis());
    let is_quiet = before.quiet_until.is_some_and(|until| now < until);
    let is_failing = !failed(&checked).is_empty();
    let told =
        if is_quiet { Ok(before.is_told) } else { tell(config, clock, (&checked, is_failing), &before, out).await };
    let quiet_until = before.quiet_until.filter(|_| is_quiet);
    match told {
        Ok(is_told) => {
            let noted = leave(&config.data, &Left { last_run: Some(now), is_told, quiet_until });
            // A disk that takes nothing was told of already; a run that left nothing is one that peers miss.
            if let Err(fault) = noted {
                writeln!(out, "this run was not noted: {fault}")?;
            } else if let Err(reason) = asks.ping().await {
                writeln!(out, "the ping did not go: {reason}")?;
            }
        }
        // Neither peers nor whoever waits for the ping hear of this run: they tell.
        Err(reason) => return Err(format!("nobody was told: {reason}").into()),
    }
    Ok(if is_failing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Tells what there is to tell; whether failures stand told afterwards.
async fn tell(
    config: &Config,
    clock: &Clock,
    (checked, is_failing): (&[Checked], bool),
    before: &Left,
    out: &mut dyn Write,
) -> Result<bool, String> {
    if !is_failing && !before.is_told {
        return Ok(false);
    }
    let own = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let (node, time) = (config.mesh.node.clone().unwrap_or(own), clock.now().to_string());
    let (subject, text) = if is_failing {
        (format!("trustd {node}: checks failed"), alert(&node, &time, checked, &config.mesh.docs_url))
    } else {
        (format!("trustd {node}: well again"), well_again(&node, &time))
    };
    let mut reasons = Vec::new();
    for (by, to) in [(By::Relay, &config.mesh.relay_to), (By::Email, &config.mesh.mail_to)] {
        let Some(to) = to else { continue };
        match send(config, by, to, (&subject, &text)).await {
            Ok(()) => {
                // Whoever called reads it too.
                drop(writeln!(out, "told by {}", if by == By::Relay { "relay" } else { "e-mail" }));
                return Ok(is_failing);
            }
            Err(reason) => reasons.push(reason),
        }
    }
    if reasons.is_empty() {
        reasons.push("neither mesh.relay_to nor mesh.mail_to is set".to_owned());
    }
    Err(reasons.join("; "))
}

/// Has nothing be told for some time, since somebody works on the machine.
///
/// # Errors
/// It is too long; the disk.
pub fn quiet(config: &Config, clock: &Clock, time: Seconds, out: &mut dyn Write) -> Result<(), Fault> {
    if time.0 > LONGEST_QUIET {
        return Err("at most 24h: after that somebody is to hear again".into());
    }
    let until = clock.millis().saturating_add(time.millis());
    leave(&config.data, &Left { quiet_until: Some(until), ..left(&config.data) })?;
    writeln!(out, "quiet for {} s", time.0)?;
    Ok(())
}
